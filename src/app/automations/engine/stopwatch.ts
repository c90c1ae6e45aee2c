/** The working time of a run: the time in which at least one of its actions works, without delays and waits. */
import type { Clock } from '../../../kernel/clock.ts';

export class Stopwatch {
  readonly #clock: Clock;
  #working = 0;
  #since = 0;
  #totalMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** An action starts to work. */
  enter(): void {
    if (this.#working === 0) this.#since = this.#clock.monotonic();
    this.#working += 1;
  }

  /** An action ends or starts to wait. */
  leave(): void {
    this.#working -= 1;
    if (this.#working === 0) this.#totalMs += this.#clock.monotonic() - this.#since;
  }

  get isWorking(): boolean {
    return this.#working > 0;
  }

  elapsedMs(): number {
    return this.#totalMs + (this.#working > 0 ? this.#clock.monotonic() - this.#since : 0);
  }
}
