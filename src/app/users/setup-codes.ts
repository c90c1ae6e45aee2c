/**
 * The one-time code with which the first user claims the relay (decisions §7), printed where only the relay's operator
 * can read it. In memory only, ten minutes, five attempts.
 */
import { randomInt } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { equalSecrets } from '../../kernel/secrets.ts';
import { insufficientPermissions } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { UserStore } from './user-store.ts';

const CODE_MS = 10 * 60_000;
const MAX_WRONG = 5;
/** Without characters that people confuse: I, L, O, 0 and 1. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const HALF = 4;

export interface SetupCode {
  /** `XXXX-XXXX` */
  readonly code: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export class SetupCodes {
  readonly #store: Pick<UserStore, 'founder'>;
  readonly #clock: Clock;
  #current: { readonly code: string; readonly endsAt: number; wrong: number } | undefined;

  constructor({ store, clock }: { store: Pick<UserStore, 'founder'>; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Creates a new code; the previous one becomes invalid. For the system alone.
   * @throws `insufficient_permissions` · `conflict` the relay has an owner already
   */
  renew(caller: Caller): SetupCode {
    if (caller.principal.kind !== 'system') throw insufficientPermissions();
    if (this.#store.founder()) {
      throw new HearthError('conflict', 'This relay already has an owner: hearthd user list shows who.');
    }
    const code = `${randomHalf()}-${randomHalf()}`;
    // By the monotonic clock: correcting the wall clock meanwhile neither extends nor ends it.
    this.#current = { code, endsAt: this.#clock.monotonic() + CODE_MS, wrong: 0 };
    return { code, expiresAt: this.#clock.now() + CODE_MS };
  }

  /** @throws `invalid_credentials` wrong, expired, used up, or none was created: one message for all */
  require(input: unknown): void {
    const current = this.#current;
    if (current && this.#clock.monotonic() < current.endsAt) {
      if (equalSecrets(fold(input), fold(current.code))) return;
      current.wrong += 1;
      if (current.wrong < MAX_WRONG) throw wrongCode();
    }
    this.void();
    throw wrongCode();
  }

  /** Invalidates the code after its use. */
  void(): void {
    this.#current = undefined;
  }
}

function randomHalf(): string {
  return Array.from({ length: HALF }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Normalizes typed input: in any case, with or without the dash. */
function fold(input: unknown): string {
  return typeof input === 'string' ? input.slice(0, 64).toUpperCase().replace(/[\s-]/g, '') : '';
}

function wrongCode(): HearthError {
  return new HearthError(
    'invalid_credentials',
    'The setup code is wrong or no longer valid. Make a new one with: hearthd setup-code',
    { field: 'setupCode' },
  );
}
