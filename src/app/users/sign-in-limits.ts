/**
 * How often a password may be tried, whatever asks for it: signing in, changing it, approving an app. Three counts, so that neither
 * one computer nor fifty get far, and nobody who is at home is locked out by somebody who is not:
 *
 * - one account from one address: the third try waits a second, each further one twice as long, a minute at most;
 * - one account from everywhere: not counted for the relay's own computer, nor for addresses where its person is signed in;
 * - one address whatever the account: not counted for the relay's own computer.
 *
 * Nothing is counted on the Unix socket. An account that does not exist is counted like any other.
 */
import { type AttemptRule, type Attempts, addressKey } from '../access/attempts.ts';
import type { Caller } from '../access/caller.ts';

const WINDOW_MS = 15 * 60_000;
/** wire-facts §10.1: after two failures a growing delay, 1 s to 60 s. */
const PAIR: AttemptRule = { name: 'password:account+address', free: 2, firstDelayMs: 1_000, maxDelayMs: 60_000 };
const ACCOUNT: AttemptRule = { name: 'password:account', limit: 20, windowMs: WINDOW_MS };
const ADDRESS: AttemptRule = { name: 'password:address', limit: 30, windowMs: WINDOW_MS };

/** A try under way, counted as failed until it is told how it went. */
export interface PasswordTry {
  /** It was right: what failed before from this address is forgotten. */
  succeeded(): void;
  /** Nobody could say: it does not count. */
  cancelled(): void;
}

const UNCOUNTED: PasswordTry = { succeeded() {}, cancelled() {} };

export class SignInLimits {
  readonly #attempts: Attempts;

  constructor(attempts: Attempts) {
    this.#attempts = attempts;
  }

  /**
   * Counts a try before anything is computed.
   * @param account the address folded, whether anybody has it or not.
   * @param isKnownAddress whether the account's person is signed in at this address.
   * @throws `rate_limited`
   */
  begin({ principal, address }: Caller, account: string, isKnownAddress: boolean): PasswordTry {
    if (principal.kind === 'system') return UNCOUNTED;
    const from = addressKey(address);
    const isHere = address !== undefined && isLoopback(from);
    const pair = [PAIR, `${account} ${from}`] as const;
    const counted: (readonly [AttemptRule, string])[] = [pair];
    if (!isHere && !isKnownAddress) counted.push([ACCOUNT, account]);
    if (!isHere) counted.push([ADDRESS, from]);
    // Who is refused by one count is not counted by the others.
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
