/**
 * Services that run on every page while an account is signed in: session renewal, preferences, notifications. Renders
 * nothing.
 */
import { useEffect } from 'react';
import { useAccount } from '../account/account.ts';
import { nameOfThisDevice } from '../account/device-name.ts';
import { usePreferencesOfAccount } from '../account/preferences.ts';
import { keepSessionAlive } from '../api/session-renewal.ts';
import { renewPush } from '../pwa/push.ts';

import { showNotices } from './notices.ts';

export function LiveProviders() {
  const { me } = useAccount();
  usePreferencesOfAccount();
  useEffect(keepSessionAlive, []);
  useEffect(() => showNotices(me.id), [me.id]);
  useEffect(() => {
    // Without it, notifications still come while a page is open; the next page tries again.
    renewPush(me.id, nameOfThisDevice()).catch(() => undefined);
  }, [me.id]);
  return null;
}
