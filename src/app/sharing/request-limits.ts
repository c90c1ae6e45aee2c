/**
 * How often a share may be asked and acted on. Whoever holds a link can repeat it without end, and behind it are lamps whose radios
 * and relays wear out: so requests are counted by address, and acts by share as well. Generous: no person meets these limits.
 *
 * In memory and bounded; what is forgotten at a restart or for others' sake harms nobody.
 */
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';

/** A bucket of `burst` tokens that fills up with `perSecond`. */
interface Allowance {
  readonly burst: number;
  readonly perSecond: number;
}

const READS_PER_ADDRESS: Allowance = { burst: 120, perSecond: 10 };
const ACTS_PER_ADDRESS: Allowance = { burst: 40, perSecond: 2 };
/** A family on several phones, together. */
const ACTS_PER_SHARE: Allowance = { burst: 80, perSecond: 4 };

/** Far more than a house has visitors; an attacker with more addresses only makes old ones be forgotten. */
const MOST_BUCKETS = 5_000;

interface Bucket {
  tokens: number;
  /** By the monotonic clock. */
  at: number;
}

export class RequestLimits {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  /** @throws `rate_limited` */
  countRead(address: string): void {
    this.#take(`read ${address}`, READS_PER_ADDRESS);
  }

  /** @throws `rate_limited` */
  countAct(address: string, shareHash: string): void {
    this.#take(`act ${address}`, ACTS_PER_ADDRESS);
    this.#take(`share ${shareHash}`, ACTS_PER_SHARE);
  }

  #take(key: string, { burst, perSecond }: Allowance): void {
    const now = this.#clock.monotonic();
    const known = this.#buckets.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, known.tokens + ((now - known.at) / 1000) * perSecond);
    const isAllowed = tokens >= 1;
    // Set anew, so that the order of the map is that of use.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: isAllowed ? tokens - 1 : tokens, at: now });
    this.#forgetOldest();
    if (isAllowed) return;
    throw new HearthError('rate_limited', 'Too many requests on this link. Wait a moment and try again.', {
      retryAfterSeconds: Math.max(1, (1 - tokens) / perSecond),
    });
  }

  #forgetOldest(): void {
    if (this.#buckets.size <= MOST_BUCKETS) return;
    for (const [oldest] of this.#buckets) {
      this.#buckets.delete(oldest);
      return;
    }
  }
}
