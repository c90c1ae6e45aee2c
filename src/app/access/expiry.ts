/**
 * Tracks whether things with an expiry on the wall clock have expired. A clock set back extends nothing: a thing also
 * expires once the monotonic clock has run for the time that was left at the first check. An expired thing stays
 * expired. Across restarts the owners keep that themselves (`expired_at`), at each refusal and every minute
 * (`access-upkeep.ts`).
 */
import type { Clock } from '../../kernel/clock.ts';

export class Expiry {
  readonly #clock: Clock;
  /** By key: the expiry on the monotonic clock. */
  readonly #deadlines = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Starts tracking a thing. @param expiresAt milliseconds since the epoch */
  track(key: string, expiresAt: number): void {
    if (!this.#deadlines.has(key)) this.#deadlines.set(key, this.#clock.monotonic() + expiresAt - this.#clock.now());
  }

  /** Whether it has expired, which stays true until `forget`. Starts tracking it if needed. */
  isPast(key: string, expiresAt: number): boolean {
    this.track(key, expiresAt);
    const deadline = this.#deadlines.get(key) ?? 0;
    const isPast = this.#clock.now() >= expiresAt || this.#clock.monotonic() >= deadline;
    if (isPast) this.#deadlines.set(key, Number.NEGATIVE_INFINITY);
    return isPast;
  }

  /** Stops tracking a deleted thing, so that memory does not grow. */
  forget(key: string): void {
    this.#deadlines.delete(key);
  }
}
