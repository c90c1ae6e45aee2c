/**
 * Limits the rate of a device's events: 200 per second for each accessory and 1,000 for a whole bridge, with room for
 * bursts. A device that sends more is neither disconnected nor are events dropped: its socket is read more slowly, so
 * that TCP flow control makes it wait. Token buckets, which may go negative.
 */
import type { HapId } from '../../../home/model.ts';
import type { Clock } from '../../../kernel/clock.ts';

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

const ACCESSORY: Rate = { perSecond: 200, burst: 600 };
/** A bridge whose 149 children all change several times at once. */
const BRIDGE: Rate = { perSecond: 1_000, burst: 3_000 };
/** A large event costs as much as several of the usual hundred bytes. */
const BYTES_PER_EVENT = 4_096;
/** HAP allows 150 accessories in a bridge; a device that invents more ids gets no more allowances. */
const MAX_ACCESSORIES = 1_000;

export class EventGuard {
  readonly #clock: Clock;
  readonly #bridge: EventAllowance;
  readonly #accessories = new Map<HapId, EventAllowance>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#bridge = new EventAllowance(BRIDGE, clock.monotonic());
  }

  /**
   * Accounts for one event.
   * @param aids the accessories that it is about
   * @returns milliseconds to pause reading; usually 0
   */
  admit(bytes: number, aids: Iterable<HapId>): number {
    const now = this.#clock.monotonic();
    const size = 1 + Math.floor(bytes / BYTES_PER_EVENT);
    const pauses = [...new Set(aids)].map((aid) => this.#allowanceOf(aid, now).take(size, now));
    return Math.max(this.#bridge.take(size, now), ...pauses);
  }

  #allowanceOf(aid: HapId, now: number): EventAllowance {
    const known = this.#accessories.get(aid);
    if (known || this.#accessories.size >= MAX_ACCESSORIES) return known ?? this.#bridge;
    const allowance = new EventAllowance(ACCESSORY, now);
    this.#accessories.set(aid, allowance);
    return allowance;
  }
}

class EventAllowance {
  readonly #rate: Rate;
  #tokens: number;
  #at: number;

  constructor(rate: Rate, now: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#at = now;
  }

  /** @returns milliseconds until it is no longer overdrawn */
  take(tokens: number, now: number): number {
    const { perSecond, burst } = this.#rate;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1_000) * perSecond) - tokens;
    this.#at = now;
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / perSecond) * 1_000);
  }
}
