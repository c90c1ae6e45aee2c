/**
 * Sessions last seven days. One that is kept on this device is renewed while the dashboard is used, so that nobody who looks in once a
 * week has to sign in again; one that nobody uses runs out.
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

/** A day of the seven that a session lasts (decisions §7) has passed. */
const RENEWED_BELOW_MS = 6 * 24 * 3_600_000;
const LOOK_EVERY_MS = 3_600_000;

/** @param now milliseconds since the epoch */
export function isDue({ kept, expiresAt }: Pick<Session, 'kept' | 'expiresAt'>, now: number): boolean {
  if (!kept || expiresAt === null) return false;
  const left = Date.parse(expiresAt) - now;
  // What has run out can't be renewed: the relay says so at the next request.
  return left > 0 && left < RENEWED_BELOW_MS;
}

async function renewIfDue(): Promise<void> {
  const session = sessionHolder.get();
  if (!session || document.visibilityState !== 'visible' || !isDue(session, Date.now())) return;
  try {
    const { renewSession } = await act(RenewSession, {});
    // Somebody else may have signed in meanwhile.
    if (renewSession?.token && sessionHolder.get()?.token === session.token)
      sessionHolder.renew(renewSession.token, renewSession.expiresAt ?? null);
  } catch {
    // Tried again in an hour; what ended the session for good is told by `client.ts`.
  }
}

/** @returns what ends it */
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
