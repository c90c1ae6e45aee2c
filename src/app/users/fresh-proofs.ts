/**
 * When each session proved last who it is: at its sign-in, or since with `Proofs`. What weakens the sign-in of an
 * account and takes no password or code itself asks here, so that an open browser or a stolen session is not enough.
 *
 * In memory, by the monotonic clock: after a restart, sessions prove it once more.
 */
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { type Caller, sessionOf } from '../access/caller.ts';

/** Time enough to change several things after one proof. */
const FRESH_MS = 10 * 60_000;

export class FreshProofs {
  readonly #clock: Clock;
  /** By session, oldest first. */
  readonly #provedAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(sessionId: string): void {
    const now = this.#clock.monotonic();
    for (const [id, at] of this.#provedAt) if (now - at >= FRESH_MS) this.#provedAt.delete(id);
    this.#provedAt.delete(sessionId);
    this.#provedAt.set(sessionId, now);
  }

  /**
   * The system passes: it reaches the database itself. Kinds of callers are the operation's to authorize.
   * @throws `insufficient_permissions` with the reason `proof_needed`
   */
  require(caller: Caller): void {
    if (caller.principal.kind === 'system') return;
    const at = this.#provedAt.get(sessionOf(caller) ?? '');
    if (at !== undefined && this.#clock.monotonic() - at < FRESH_MS) return;
    throw new HearthError(
      'insufficient_permissions',
      'You signed in more than ten minutes ago. Confirm with your password, a code of your authenticator app or a passkey that it is you.',
      { reason: 'proof_needed' },
    );
  }
}
