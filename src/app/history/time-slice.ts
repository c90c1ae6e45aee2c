import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';

/** Length of a slice, after which other work runs. */
const SLICE_MS = 8;

/** For long-running work: yields to the event loop when a slice of time is used up. */
export class TimeSlice {
  readonly #clock: Clock;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** Whether the slice is used up. */
  get isUsedUp(): boolean {
    return this.#clock.monotonic() - this.#since >= SLICE_MS;
  }

  /** Call between two small pieces of work. */
  async yieldIfUsedUp(): Promise<void> {
    if (!this.isUsedUp) return;
    await setImmediate();
    this.#since = this.#clock.monotonic();
  }
}
