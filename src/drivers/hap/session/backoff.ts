/** The wait before the next connection attempt: 0.5 s × 1.5 for each failure, at most 60 s, with full jitter. */

const BASE_MS = 500;
const FACTOR = 1.5;
const CAP_MS = 60_000;
/** Full jitter can give zero, which would be a busy loop. */
const FLOOR_MS = 50;
/** The highest failure count of a device that gets ready and disconnects again: it is reachable. */
const UNSTABLE_FAILURES = 4;

export class Backoff {
  readonly #random: () => number;
  #failures = 0;

  /**
   * @param random like Math.random. The jitter spreads the reconnects of a whole home that lost its router at one
   * moment.
   */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** The wait after one more failure, in milliseconds. */
  next(): number {
    const ceiling = Math.min(CAP_MS, BASE_MS * FACTOR ** this.#failures);
    this.#failures += 1;
    return Math.max(FLOOR_MS, this.#random() * ceiling);
  }

  /** The next wait is the shortest again. */
  reset(): void {
    this.#failures = 0;
  }

  /** @param stable the connection lasted; one that broke at once does not reset the back-off */
  succeeded(stable: boolean): void {
    this.#failures = stable ? 0 : Math.min(this.#failures, UNSTABLE_FAILURES);
  }
}
