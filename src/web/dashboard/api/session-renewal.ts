/**
 * Sessions last seven days. A session kept on this device is renewed while the dashboard is in use, so weekly users
 * need not sign in again; an unused session expires.
 */
import { act } from './client.ts';
import { graphql } from './graphql.ts';
import { type Session, sessionHolder } from './session.ts';

const RenewSession = graphql(`
  mutation RenewSession {
    renewSession {
      success
      error
      code
      token
      expiresAt
    }
  }
`);

/** One day of the seven that a session lasts (decisions §7) has passed. */
const RENEWED_BELOW_MS = 6 * 24 * 3_600_000;
const LOOK_EVERY_MS = 3_600_000;

/** @param now milliseconds since the epoch */
export function isDue({ kept, expiresAt }: Pick<Session, 'kept' | 'expiresAt'>, now: number): boolean {
  if (!kept || expiresAt === null) return false;
  const left = Date.parse(expiresAt) - now;
  // An expired session can't be renewed: the next request returns the error.
  return left > 0 && left < RENEWED_BELOW_MS;
}

async function renewIfDue(): Promise<void> {
  const session = sessionHolder.get();
  if (!session || document.visibilityState !== 'visible' || !isDue(session, Date.now())) return;
  try {
    const { renewSession } = await act(RenewSession, {});
    // Another account may have signed in meanwhile.
    if (renewSession?.token && sessionHolder.get()?.token === session.token)
      sessionHolder.renew(renewSession.token, renewSession.expiresAt ?? null);
  } catch {
    // The next attempt follows in an hour; `client.ts` handles a session that has ended for good.
  }
}

/** @returns a function that stops the renewal */
export function keepSessionAlive(): () => void {
  const look = () => void renewIfDue();
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
