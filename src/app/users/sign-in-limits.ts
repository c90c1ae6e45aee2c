/**
 * Limits password attempts for every operation that asks for a password: signing in, changing it, approving an app.
 * Three counts keep out an attacker with one computer or with fifty, without locking out a user at home:
 *
 * - one account from one address: the third attempt waits a second, each further one twice as long, a minute at most;
 * - one account from all addresses: not counted for the relay's own computer, nor for addresses where its user is
 *   signed in;
 * - one address for all accounts: not counted for the relay's own computer.
 *
 * Codes of a second factor count in the same three, and in a fourth: one account's codes from all addresses, signed in
 * there or not. Only a caller with the password gets that far. Not counted for the relay's own computer.
 *
 * The Unix socket has no limits. An account that does not exist counts like any other.
 */
import { type AttemptRule, type Attempts, addressKey } from '../access/attempts.ts';
import type { Caller } from '../access/caller.ts';

const WINDOW_MS = 15 * 60_000;
/** wire-facts §10.1: after two failures a growing delay, 1 s to 60 s. */
const PAIR: AttemptRule = { name: 'password:account+address', free: 2, firstDelayMs: 1_000, maxDelayMs: 60_000 };
const ACCOUNT: AttemptRule = { name: 'password:account', limit: 20, windowMs: WINDOW_MS };
const ADDRESS: AttemptRule = { name: 'password:address', limit: 30, windowMs: WINDOW_MS };
/** Three of a million codes are right at any time: at this pace a stolen password gives one chance in 1,400 a day. */
const CODE: AttemptRule = { name: 'code:account', limit: 10, windowMs: 60 * 60_000 };

type Counted = readonly (readonly [AttemptRule, string])[];

/** An attempt in progress, counted as failed until `succeeded` or `cancelled`. */
export interface PasswordTry {
  /** The password was correct: resets the failures of this account from this address. */
  succeeded(): void;
  /** The check could not be completed: the attempt does not count. */
  cancelled(): void;
}

const UNCOUNTED: PasswordTry = { succeeded() {}, cancelled() {} };

export class SignInLimits {
  readonly #attempts: Attempts;

  constructor(attempts: Attempts) {
    this.#attempts = attempts;
  }

  /**
   * Counts an attempt before any computation.
   * @param account the folded address, whether or not an account has it.
   * @param isKnownAddress whether the account's user is signed in at this address.
   * @throws `rate_limited`
   */
  begin(caller: Caller, account: string, isKnownAddress: boolean): PasswordTry {
    return this.#begin(caller, account, isKnownAddress, []);
  }

  /** As `begin`, for a code of the second factor. @throws `rate_limited` */
  beginCode(caller: Caller, account: string, isKnownAddress: boolean): PasswordTry {
    return this.#begin(caller, account, isKnownAddress, [[CODE, account]]);
  }

  /**
   * Counts an answer of a passkey before it is verified, for its address alone: no one guesses a signature.
   * @throws `rate_limited`
   */
  beginPasskey({ principal, address }: Caller): Pick<PasswordTry, 'succeeded'> {
    const from = addressKey(address);
    if (principal.kind === 'system' || address === undefined || isLoopback(from)) return UNCOUNTED;
    const spent = this.#attempts.spend(ADDRESS, from);
    return { succeeded: () => spent.refund() };
  }

  /** @param further not counted for the relay's own computer. */
  #begin({ principal, address }: Caller, account: string, isKnownAddress: boolean, further: Counted): PasswordTry {
    if (principal.kind === 'system') return UNCOUNTED;
    const from = addressKey(address);
    const isHere = address !== undefined && isLoopback(from);
    const pair = [PAIR, `${account} ${from}`] as const;
    const counted: (readonly [AttemptRule, string])[] = [pair];
    if (!isHere && !isKnownAddress) counted.push([ACCOUNT, account]);
    if (!isHere) counted.push([ADDRESS, from], ...further);
    // An attempt that one count refuses does not add to the others.
    for (const [rule, key] of counted) this.#attempts.require(rule, key);
    const spent = counted.map(([rule, key]) => this.#attempts.spend(rule, key));
    const cancelled = (): void => {
      for (const one of spent) one.refund();
    };
    return {
      cancelled,
      succeeded: () => {
        cancelled();
        this.#attempts.clear(...pair);
      },
    };
  }
}

function isLoopback(key: string): boolean {
  return key.startsWith('127.') || key === '0:0:0:0::/64';
}
