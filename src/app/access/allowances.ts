/**
 * How often something may be done that harms nobody at a person's pace: buckets of tokens that fill up again. In memory and bounded;
 * what is forgotten at a restart or for others' sake harms nobody. What can be guessed is counted by `attempts.ts`.
 */
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';

/** A bucket of `burst` tokens that fills up with `perSecond`. */
export interface Allowance {
  readonly burst: number;
  readonly perSecond: number;
}

/** Far more than a house has visitors; an attacker with more addresses only makes old ones be forgotten. */
const MOST_BUCKETS = 5_000;

interface Bucket {
  readonly tokens: number;
  /** By the monotonic clock. */
  readonly at: number;
}

export class Allowances {
  readonly #clock: Clock;
  readonly #sentence: string;
  readonly #buckets = new Map<string, Bucket>();

  /** @param sentence what is said to whoever has none left. */
  constructor(clock: Clock, sentence: string) {
    this.#clock = clock;
    this.#sentence = sentence;
  }

  /** @throws `rate_limited` with the seconds until there is one again */
  take(key: string, allowance: Allowance): void {
    const tokens = this.#draw(key, allowance);
    if (tokens >= 0) return;
    throw new HearthError('rate_limited', this.#sentence, {
      retryAfterSeconds: Math.max(1, -tokens / allowance.perSecond),
    });
  }

  /** As `take`. @returns whether there was one */
  tryTake(key: string, allowance: Allowance): boolean {
    return this.#draw(key, allowance) >= 0;
  }

  /** @returns what is left after it; less than nothing where there was none to take */
  #draw(key: string, { burst, perSecond }: Allowance): number {
    const now = this.#clock.monotonic();
    const known = this.#buckets.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, known.tokens + ((now - known.at) / 1000) * perSecond);
    // Set anew, so that the order of the map is that of use.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MOST_BUCKETS && oldest !== undefined) this.#buckets.delete(oldest);
    return tokens - 1;
  }
}
