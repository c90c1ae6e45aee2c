/** How long a run has worked: the time in which at least one of its actions did something, delays and waits left out. */
import type { Clock } from '../../../kernel/clock.ts';

export class Stopwatch {
  readonly #clock: Clock;
  #working = 0;
  #since = 0;
  #totalMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Something begins to work. */
  enter(): void {
    if (this.#working === 0) this.#since = this.#clock.monotonic();
    this.#working += 1;
  }

  /** It ends, or waits for something. */
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
