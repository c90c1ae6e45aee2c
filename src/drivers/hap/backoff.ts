/** How long to wait before the next attempt to connect: 0.5 s × 1.5 for each failure, at most 60 s, with full jitter. */

const BASE_MS = 500;
const FACTOR = 1.5;
const CAP_MS = 60_000;
/** Full jitter reaches down to nothing, and nothing at all would be a busy loop. */
const FLOOR_MS = 50;
/** A device that gets ready and drops us again is tried at most this patiently: it is there. */
const UNSTABLE_FAILURES = 4;

export class Backoff {
  readonly #random: () => number;
  #failures = 0;

  /** @param random like Math.random. Jitter spreads a whole house that lost its router at one moment. */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** The wait after one more failure, in milliseconds. */
  next(): number {
    const ceiling = Math.min(CAP_MS, BASE_MS * FACTOR ** this.#failures);
    this.#failures += 1;
    return Math.max(FLOOR_MS, this.#random() * ceiling);
  }

  /** @param stable the connection lasted; one that broke at once does not start the row anew. */
  succeeded(stable: boolean): void {
    this.#failures = stable ? 0 : Math.min(this.#failures, UNSTABLE_FAILURES);
  }
}
