/**
 * The wait between two attempts to connect. Sightings and commands cut it short, also ahead of it, while an attempt is under way that
 * may fail; but however many come, attempts begin some time apart.
 */
import type { Clock } from '../../kernel/clock.ts';
import { Signal } from './signal.ts';

export class AttemptWait {
  readonly #clock: Clock;
  readonly #over: Signal;
  /** When the last attempt began, on the monotonic clock. */
  #attemptAt = Number.NEGATIVE_INFINITY;
  #cancelHurry: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#over = new Signal(clock);
  }

  /** Whether it is cut short, or will be as soon as the gap between attempts allows. */
  get isHurried(): boolean {
    return this.#over.raised || this.#cancelHurry !== undefined;
  }

  /** An attempt begins. */
  attempt(): void {
    this.calm();
    this.#attemptAt = this.#clock.monotonic();
  }

  /** Nobody is in a hurry any more. */
  calm(): void {
    this.#forgetHurry();
    this.#over.lower();
  }

  /** Waits for `ms`, or without them until it is cut short; not at all if it has been already. */
  wait(ms?: number): Promise<void> {
    return this.#over.wait(ms);
  }

  /** Cuts it short, but leaves `gapMs` between the beginnings of attempts. */
  hurry(gapMs: number): void {
    if (this.isHurried) return;
    const leftMs = this.#attemptAt + gapMs - this.#clock.monotonic();
    if (leftMs <= 0) this.#over.raise();
    else this.#cancelHurry = this.#clock.after(leftMs, () => this.#over.raise());
  }

  /** There will be no other attempt. */
  end(): void {
    this.#forgetHurry();
    this.#over.raise();
  }

  #forgetHurry(): void {
    this.#cancelHurry?.();
    this.#cancelHurry = undefined;
  }
}
