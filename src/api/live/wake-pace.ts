/**
 * When streams are woken. Usually at once. In a burst of more than 100 wakes a second events are gathered, except the
 * first one of each accessory: a lamp that answers a switch never waits for a sensor that chatters.
 */
import type { Clock } from '../../kernel/clock.ts';

const WAKES_PER_SECOND = 100;
/** How long events of a burst are gathered. */
const GATHER_MS = 25;

export class WakePace {
  readonly #clock: Clock;
  #tokens = WAKES_PER_SECOND;
  #at: number;
  /** The accessories whose events may be gathered, until the burst is over. */
  readonly #reported = new Set<string | null>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#at = clock.monotonic();
  }

  /** @param accessoryId of the event @returns milliseconds to gather more events first; usually 0 */
  waitFor(accessoryId: string | null): number {
    this.#refill();
    const isFirst = !this.#reported.has(accessoryId);
    this.#reported.add(accessoryId);
    return isFirst || this.#tokens >= 1 ? 0 : GATHER_MS;
  }

  woken(): void {
    this.#refill();
    this.#tokens = Math.max(0, this.#tokens - 1);
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(WAKES_PER_SECOND, this.#tokens + ((now - this.#at) / 1_000) * WAKES_PER_SECOND);
    this.#at = now;
    if (this.#tokens === WAKES_PER_SECOND) this.#reported.clear();
  }
}
