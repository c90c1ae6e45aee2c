/** Limits that protect the home from its automations: too many runs, and runs that are too large (decisions §10). */
import type { Clock } from '../../../kernel/clock.ts';

const MINUTE_MS = 60_000;
/** Steps of a run, including all iterations and branches. */
export const MAX_STEPS = 10_000;
/** The approximate maximum of data that a run collects, in bytes: mainly HTTP responses. */
export const MAX_COLLECTED_BYTES = 16 * 1024 * 1024;
/** The maximum working time of a run. Delays and waits do not count. */
export const MAX_WORK_MS = 5 * 60_000;

/** Counts events per id within the last minute. */
export class MinuteCount {
  readonly #clock: Clock;
  readonly #most: () => number;
  readonly #times = new Map<string, number[]>();

  /** @param most the maximum within a minute; read each time, since it is a setting. */
  constructor(clock: Clock, most: () => number) {
    this.#clock = clock;
    this.#most = most;
  }

  isFull(id: string): boolean {
    const times = this.#times.get(id);
    const most = this.#most();
    if (!times || times.length < most) return false;
    const since = this.#clock.monotonic() - MINUTE_MS;
    while (times.length > 0 && (times[0] as number) <= since) times.shift();
    return times.length >= most;
  }

  /** @returns whether the limit allowed it */
  take(id: string): boolean {
    if (this.isFull(id)) return false;
    const times = this.#times.get(id) ?? [];
    times.push(this.#clock.monotonic());
    this.#times.set(id, times);
    return true;
  }

  forget(id: string): void {
    this.#times.delete(id);
  }
}
