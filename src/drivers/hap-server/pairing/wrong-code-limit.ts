/**
 * Slows down guesses of a setup code, and ends them (HAP specification §5.6.1: at most 100 failed attempts). A
 * restart begins again, as the waits do.
 */
import type { Clock } from '../../../kernel/clock.ts';

const MAX_WRONG_CODES = 100;
/** People mistype. */
const FREE_ATTEMPTS = 5;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

export class WrongCodeLimit {
  readonly #clock: Clock;
  #count = 0;
  #nextAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isReached(): boolean {
    return this.#count >= MAX_WRONG_CODES;
  }

  /** How long the next attempt must wait. */
  get waitMs(): number {
    return Math.max(0, this.#nextAt - this.#clock.monotonic());
  }

  add(): void {
    this.#count += 1;
    const doublings = this.#count - FREE_ATTEMPTS;
    if (doublings < 0) return;
    this.#nextAt = this.#clock.monotonic() + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** doublings);
  }

  clear(): void {
    this.#count = 0;
    this.#nextAt = 0;
  }
}
