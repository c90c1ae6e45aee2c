/**
 * Bounds what a device's notifications may cost (at most 200 a second, with room for a burst). A device that sends more is not cut
 * off and nothing is dropped: its socket is read more slowly, so that TCP makes it wait. A bucket of tokens that may run into debt.
 */
import type { Clock } from '../../kernel/clock.ts';

const EVENTS_PER_SECOND = 200;
/** A bridge whose 149 children all change at once. */
const BURST_EVENTS = 600;
/** A large notification costs as much as several of the usual hundred bytes. */
const BYTES_PER_EVENT = 4_096;

export class EventGuard {
  readonly #clock: Clock;
  #tokens = BURST_EVENTS;
  #at: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#at = clock.monotonic();
  }

  /** Accounts for one notification. @returns for how many milliseconds nothing more should be read; usually 0. */
  admit(bytes: number): number {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(BURST_EVENTS, this.#tokens + ((now - this.#at) / 1000) * EVENTS_PER_SECOND);
    this.#at = now;
    this.#tokens -= 1 + Math.floor(bytes / BYTES_PER_EVENT);
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / EVENTS_PER_SECOND) * 1000);
  }
}
