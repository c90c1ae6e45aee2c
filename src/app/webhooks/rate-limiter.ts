/** Limits the requests per minute to a webhook's receiver. By the monotonic clock; requests before a restart count. */
import type { Clock } from '../../kernel/clock.ts';

const WINDOW_MS = 60_000;

export class RateLimiter {
  readonly #clock: Clock;
  /** The times of the last requests, oldest first; none older than a minute. */
  #sent: number[];

  /**
   * @param sentAt earlier requests, by the wall clock. If the clock was set back since, they count as sent just now.
   */
  constructor(clock: Clock, sentAt: readonly number[]) {
    this.#clock = clock;
    const now = clock.now();
    this.#sent = sentAt
      .map((at) => clock.monotonic() - Math.max(0, now - at))
      .filter((at) => this.#counts(at))
      .sort((a, b) => a - b);
  }

  /** How long the next one has to wait. @param perMinute `null`: no limit */
  waitMs(perMinute: number | null): number {
    if (perMinute === null) return 0;
    this.#sent = this.#sent.filter((at) => this.#counts(at));
    const hindering = this.#sent.at(-perMinute);
    return hindering === undefined ? 0 : Math.max(0, hindering + WINDOW_MS - this.#clock.monotonic());
  }

  /** Counts a request. @param perMinute `null`: does not count */
  count(perMinute: number | null): void {
    if (perMinute !== null) this.#sent.push(this.#clock.monotonic());
  }

  #counts(at: number): boolean {
    return this.#clock.monotonic() - at < WINDOW_MS;
  }
}
