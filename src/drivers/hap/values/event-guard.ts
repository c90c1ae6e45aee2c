/**
 * Limits the rate of a device's events to 200 per second, with room for a burst. A device that sends more is neither
 * disconnected nor are events dropped: its socket is read more slowly, so that TCP flow control makes it wait. A token
 * bucket that may go negative.
 */
import type { Clock } from '../../../kernel/clock.ts';

const EVENTS_PER_SECOND = 200;
/** A bridge whose 149 children all change at once. */
const BURST_EVENTS = 600;
/** A large event costs as much as several of the usual hundred bytes. */
const BYTES_PER_EVENT = 4_096;

export class EventGuard {
  readonly #clock: Clock;
  #tokens = BURST_EVENTS;
  #at: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#at = clock.monotonic();
  }

  /** Accounts for one event. @returns milliseconds to pause reading; usually 0 */
  admit(bytes: number): number {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(BURST_EVENTS, this.#tokens + ((now - this.#at) / 1000) * EVENTS_PER_SECOND);
    this.#at = now;
    this.#tokens -= 1 + Math.floor(bytes / BYTES_PER_EVENT);
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / EVENTS_PER_SECOND) * 1000);
  }
}
