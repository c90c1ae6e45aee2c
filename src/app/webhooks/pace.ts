/** How many requests a webhook's receiver gets in any minute. By the monotonic clock; what was sent before a restart counts. */
import type { Clock } from '../../kernel/clock.ts';

const WINDOW_MS = 60_000;

export class Pace {
  readonly #clock: Clock;
  /** When the last ones were sent, oldest first; none older than a minute. */
  #sent: number[];

  /** @param sentAt when some were sent, by the wall clock. One that was set back since has them sent a minute ago at most. */
  constructor(clock: Clock, sentAt: readonly number[]) {
    this.#clock = clock;
    const now = clock.now();
    this.#sent = sentAt
      .map((at) => clock.monotonic() - Math.max(0, now - at))
      .filter((at) => this.#counts(at))
      .sort((a, b) => a - b);
  }

  /** For how long the next one has to wait. @param perMinute `null`: no limit */
  waitMs(perMinute: number | null): number {
    if (perMinute === null) return 0;
    this.#sent = this.#sent.filter((at) => this.#counts(at));
    const hindering = this.#sent.at(-perMinute);
    return hindering === undefined ? 0 : Math.max(0, hindering + WINDOW_MS - this.#clock.monotonic());
  }

  /** One is being sent. @param perMinute `null`: none is counted */
  count(perMinute: number | null): void {
    if (perMinute !== null) this.#sent.push(this.#clock.monotonic());
  }

  #counts(at: number): boolean {
    return this.#clock.monotonic() - at < WINDOW_MS;
  }
}
