/**
 * Sign-ins on the relay's own pages between the password and the code. In memory: after a restart, people begin again.
 * Only callers with a correct password begin one; the oldest makes room.
 */
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { randomToken, sha256Hex } from '../../kernel/secrets.ts';
import type { StoredUser } from './user-store.ts';

/** Time enough to find the phone. */
const PENDING_MS = 10 * 60_000;
const MAX_PENDING = 500;
const TICKET_BYTES = 32;

/** A correct password, before the code of the second factor. */
export class SecondFactorRequired extends HearthError {
  /** Continues this sign-in without the password, for ten minutes. */
  readonly ticket: string;

  constructor(ticket: string) {
    super('invalid_credentials', 'Enter the code that your authenticator app shows, or a recovery code.', {
      reason: 'second_factor_required',
      field: 'code',
    });
    this.ticket = ticket;
  }
}

interface Pending {
  readonly userId: string;
  readonly passwordHash: string;
  /** By the monotonic clock. */
  readonly endsAt: number;
}

export class PendingSignIns {
  readonly #clock: Clock;
  readonly #byHash = new Map<string, Pending>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns the ticket. */
  begin({ id: userId, passwordHash }: StoredUser): string {
    const ticket = randomToken(TICKET_BYTES);
    this.#byHash.set(sha256Hex(ticket), { userId, passwordHash, endsAt: this.#clock.monotonic() + PENDING_MS });
    const [oldest] = this.#byHash.keys();
    if (this.#byHash.size > MAX_PENDING && oldest !== undefined) this.#byHash.delete(oldest);
    return ticket;
  }

  /** @throws `invalid_credentials` there is none, or its time is over */
  require(ticket: unknown): Pending {
    const pending = typeof ticket === 'string' ? this.#byHash.get(sha256Hex(ticket)) : undefined;
    if (pending && this.#clock.monotonic() < pending.endsAt) return pending;
    throw signInOver();
  }

  end(ticket: unknown): void {
    if (typeof ticket === 'string') this.#byHash.delete(sha256Hex(ticket));
  }
}

/** The password changed, or the time is over. */
export function signInOver(): HearthError {
  return new HearthError('invalid_credentials', 'This sign-in took too long, or has ended. Sign in again.', {
    reason: 'sign_in_over',
  });
}
