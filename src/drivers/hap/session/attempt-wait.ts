/**
 * The wait between two connection attempts. Sightings and commands cut it short, even in advance during an attempt that
 * may fail. However many arrive, attempts begin a minimum time apart.
 */
import type { Clock } from '../../../kernel/clock.ts';
import { Signal } from './signal.ts';

export class AttemptWait {
  readonly #clock: Clock;
  readonly #over: Signal;
  /** When the last attempt began, in monotonic time. */
  #attemptAt = Number.NEGATIVE_INFINITY;
  #cancelShortened: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#over = new Signal(clock);
  }

  /** Whether the wait is cut short, or will be as soon as the gap between attempts allows. */
  get isShortened(): boolean {
    return this.#over.raised || this.#cancelShortened !== undefined;
  }

  /** An attempt begins. */
  attempt(): void {
    this.calm();
    this.#attemptAt = this.#clock.monotonic();
  }

  /** Withdraws the request to cut the wait short. */
  calm(): void {
    this.#clearShortened();
    this.#over.lower();
  }

  /** Waits for `ms`, or without it until cut short; returns at once if already cut short. */
  wait(ms?: number): Promise<void> {
    return this.#over.wait(ms);
  }

  /** Cuts the wait short, but keeps `gapMs` between the starts of attempts. */
  retrySoon(gapMs: number): void {
    if (this.isShortened) return;
    const leftMs = this.#attemptAt + gapMs - this.#clock.monotonic();
    if (leftMs <= 0) this.#over.raise();
    else this.#cancelShortened = this.#clock.after(leftMs, () => this.#over.raise());
  }

  /** No other attempt follows. */
  end(): void {
    this.#clearShortened();
    this.#over.raise();
  }

  #clearShortened(): void {
    this.#cancelShortened?.();
    this.#cancelShortened = undefined;
  }
}
