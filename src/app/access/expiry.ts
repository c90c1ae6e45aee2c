/**
 * Whether what ends at a moment of the wall clock has ended. A clock set back extends nothing: what has been seen is past, too, once
 * the monotonic clock has run for as long as was left when it was first seen, and what was past once stays so. Across restarts the
 * owners keep that themselves (`expired_at`).
 */
import type { Clock } from '../../kernel/clock.ts';

export class Expiry {
  readonly #clock: Clock;
  /** By key: when it is past, by the monotonic clock. */
  readonly #deadlines = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins to watch something. @param expiresAt milliseconds since the epoch */
  track(key: string, expiresAt: number): void {
    if (!this.#deadlines.has(key)) this.#deadlines.set(key, this.#clock.monotonic() + expiresAt - this.#clock.now());
  }

  /** Whether it is past, which it then stays until it is forgotten. What was not tracked is from now on. */
  isPast(key: string, expiresAt: number): boolean {
    this.track(key, expiresAt);
    const deadline = this.#deadlines.get(key) ?? 0;
    const isPast = this.#clock.now() >= expiresAt || this.#clock.monotonic() >= deadline;
    if (isPast) this.#deadlines.set(key, Number.NEGATIVE_INFINITY);
    return isPast;
  }

  /** Lets go of something that is gone, so that memory does not grow. */
  forget(key: string): void {
    this.#deadlines.delete(key);
  }
}
