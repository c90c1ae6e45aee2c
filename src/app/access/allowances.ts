/**
 * Rate limits for operations that are harmless at a human pace: token buckets that refill. In memory and bounded;
 * losing a bucket at a restart, or to make room for others, does no harm. `attempts.ts` counts what can be guessed.
 */
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';

/** A bucket of `burst` tokens that refills with `perSecond`. */
export interface Allowance {
  readonly burst: number;
  readonly perSecond: number;
}

/** Far more than a home has visitors. An attacker with more addresses only evicts old buckets. */
const MAX_BUCKETS = 5_000;

interface Bucket {
  readonly tokens: number;
  /** By the monotonic clock. */
  readonly at: number;
}

export class Allowances {
  readonly #clock: Clock;
  readonly #sentence: string;
  readonly #buckets = new Map<string, Bucket>();

  /** @param sentence the error message for a caller with no tokens left. */
  constructor(clock: Clock, sentence: string) {
    this.#clock = clock;
    this.#sentence = sentence;
  }

  /** @throws `rate_limited` with the seconds until a token is available */
  take(key: string, allowance: Allowance): void {
    const tokens = this.#draw(key, allowance);
    if (tokens >= 0) return;
    throw new HearthError('rate_limited', this.#sentence, {
      retryAfterSeconds: Math.max(1, -tokens / allowance.perSecond),
    });
  }

  /** As `take`. @returns whether a token was available */
  tryTake(key: string, allowance: Allowance): boolean {
    return this.#draw(key, allowance) >= 0;
  }

  /** @returns the remaining tokens; negative if none was available */
  #draw(key: string, { burst, perSecond }: Allowance): number {
    const now = this.#clock.monotonic();
    const known = this.#buckets.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, known.tokens + ((now - known.at) / 1000) * perSecond);
    // Delete and set again, so that the map's order is the order of use.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_BUCKETS && oldest !== undefined) this.#buckets.delete(oldest);
    return tokens - 1;
  }
}
