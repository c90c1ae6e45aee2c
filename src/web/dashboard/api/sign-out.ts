/** Signs out: the relay deletes the session, and this device forgets it even if the relay does not answer. */

import { turnPushOff } from '../pwa/push.ts';
import { callRest } from './client.ts';
import { sessionHolder } from './session.ts';

export async function signOut(): Promise<void> {
  const session = sessionHolder.get();
  if (!session) return;
  try {
    await endOwnSession();
    await turnPushOff().catch(() => undefined);
  } finally {
    if (sessionHolder.get()?.id === session.id) sessionHolder.end();
  }
}

async function endOwnSession(): Promise<void> {
  try {
    const sessions = await callRest('GET', '/rest/sessions');
    const own = Array.isArray(sessions) ? sessions.find((each) => each?.isCurrent === true) : undefined;
    if (typeof own?.id === 'string') await callRest('DELETE', `/rest/sessions/${own.id}`);
  } catch {
    // Access tokens have no session. If the relay does not answer, the token expires by itself.
  }
}
