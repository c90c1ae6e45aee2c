/** What goes along with whoever is signed in, on every page: a session that goes on, what they prefer, what they are told. Shows nothing itself. */
import { useEffect } from 'react';
import { useAccount } from '../account/account.ts';
import { usePreferencesOfAccount } from '../account/preferences.ts';
import { keepSessionAlive } from '../api/session-renewal.ts';
import { showNotices } from './notices.ts';

export function Companions() {
  const { me } = useAccount();
  usePreferencesOfAccount();
  useEffect(keepSessionAlive, []);
  useEffect(() => showNotices(me.id), [me.id]);
  return null;
}
