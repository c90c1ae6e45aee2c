import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';

/** After so long at a stretch everybody else gets a turn. */
const SLICE_MS = 8;

/** For work that goes on for long: lets the event loop run whenever a slice of time is used up. */
export class Turn {
  readonly #clock: Clock;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** Whether the slice is used up. */
  get isOver(): boolean {
    return this.#clock.monotonic() - this.#since >= SLICE_MS;
  }

  /** Called between two small pieces of work. */
  async over(): Promise<void> {
    if (!this.isOver) return;
    await setImmediate();
    this.#since = this.#clock.monotonic();
  }
}
