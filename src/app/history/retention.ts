/**
 * Keeps the history in shape, once an hour: builds the roll-ups, lets samples go that are older than their home wants them kept,
 * lets the oldest of all go where the file has grown too large, and gives the space back. All of it in small slices between which
 * the daemon does everything else; what fails now is done an hour later. Roll-ups are kept as long as there is their home.
 */
import { setImmediate } from 'node:timers/promises';
import type { HomeState } from '../../home/home-state.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { type Logger, LogThrottle } from '../../kernel/logger.ts';
import type { HistorySettings } from './history-settings.ts';
import type { HistoryStore, SeriesRow } from './history-store.ts';
import { DAY_MS, floorToHour, HOUR_MS } from './rollup-store.ts';
import type { Rollups } from './rollups.ts';

/** A start is busy enough without it. */
const FIRST_RUN_MS = 2 * 60_000;
/** Samples deleted at once: some milliseconds on a small computer. */
const SAMPLES_A_SLICE = 1_000;
/** Pages of 4 KiB given back at once. */
const PAGES_A_SLICE = 100;
/** Room for about an hour of a busy house, which would only be asked for again. */
const PAGES_KEPT = 500;
/** A wall clock that gains so much over the monotonic one was set. */
const CLOCK_LEAP_MS = HOUR_MS;
/** By then the owner or a time server has set right a clock that was set wrong. */
const DISTRUST_MS = DAY_MS;
/** A daemon that was off for so long, or a computer that starts with a wrong clock: which of them can't be told. */
const LONG_GAP_MS = DAY_MS;
/** Shorter than a day: a computer that is restarted every night must let go of samples too. */
const DISTRUST_AT_START_MS = 6 * HOUR_MS;

interface Parts {
  readonly store: HistoryStore;
  readonly settings: HistorySettings;
  readonly rollups: Rollups;
  readonly state: HomeState;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class HistoryKeeper implements Startable {
  readonly #parts: Parts;
  readonly #throttle: LogThrottle;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #lastLook: { readonly wall: number; readonly monotonic: number } | undefined;
  #distrustedUntil = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#throttle = new LogThrottle(parts.clock, DAY_MS);
  }

  start(): void {
    this.#isStopped = false;
    this.#isClockTrusted();
    if (this.#isLongAfterNewest()) this.#distrustedUntil = this.#parts.clock.monotonic() + DISTRUST_AT_START_MS;
    this.#schedule(FIRST_RUN_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#parts.rollups.stop();
    await this.#running;
  }

  /** Does all that is due now. Called while it works, it waits for that work. Never throws: what fails is due again in an hour. */
  run(): Promise<void> {
    this.#running ??= this.#keep()
      .catch((error: unknown) => {
        this.#throttle.once('keep', () =>
          this.#parts.logger.warn({ error: messageOf(error) }, 'History can’t be kept in shape; it is tried again'),
        );
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  #schedule(delayMs: number): void {
    this.#cancel = this.#parts.clock.after(delayMs, () => {
      this.#schedule(HOUR_MS);
      void this.run();
    });
  }

  async #keep(): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#parts.rollups.build(now);
    if (this.#isClockTrusted()) await this.#pruneAged(now);
    await this.#pruneToSize(now);
    await this.#giveSpaceBack();
  }

  /** After a leap into the future everything would be too old; so nothing is, until it has lasted. */
  #isClockTrusted(): boolean {
    const wall = this.#parts.clock.now();
    const monotonic = this.#parts.clock.monotonic();
    const before = this.#lastLook ?? { wall, monotonic };
    this.#lastLook = { wall, monotonic };
    if (wall - before.wall - (monotonic - before.monotonic) > CLOCK_LEAP_MS) {
      this.#distrustedUntil = monotonic + DISTRUST_MS;
    }
    return monotonic >= this.#distrustedUntil;
  }

  /** Asked before anything new is recorded. */
  #isLongAfterNewest(): boolean {
    const { store, clock } = this.#parts;
    try {
      const latest = store.allSeries().map(({ id }) => store.lastBefore(id, Number.MAX_SAFE_INTEGER)?.at ?? 0);
      return clock.now() - Math.max(...latest) > LONG_GAP_MS;
    } catch {
      return false;
    }
  }

  async #pruneAged(now: number): Promise<void> {
    const { store, settings, state } = this.#parts;
    for (const series of store.allSeries()) {
      const { retentionDays } = settings.series(series.homeId, series.accessoryId, series.characteristic);
      const before = floorToHour(now - retentionDays * DAY_MS);
      await this.#prune(series, before);
      if (!state.home(series.homeId) && !store.firstFrom(series.id, before)) await this.#eraseAll(series);
    }
  }

  /** Its home is gone, and was not found again for as long as samples are kept. */
  async #eraseAll({ id }: SeriesRow): Promise<void> {
    const { store } = this.#parts;
    while (!this.#isStopped) {
      if (store.erase(id, Number.MAX_SAFE_INTEGER, SAMPLES_A_SLICE).done) {
        store.removeSeries(id);
        return;
      }
      await setImmediate();
    }
  }

  /** The oldest day goes first, of whatever series; the present hour stays whatever happens. */
  async #pruneToSize(now: number): Promise<void> {
    const { store, settings, logger } = this.#parts;
    let pruned = 0;
    while (store.usedBytes() > settings.maxBytes && !this.#isStopped) {
      const all = store.allSeries();
      // The newest sample of all that are pruned stays, so the oldest one can go once there is a second.
      const oldest = Math.min(...all.map(({ id }) => store.samples(id, 0, now, 2)[1]?.at ?? now));
      const before = Math.min(floorToHour(oldest) + DAY_MS, floorToHour(now));
      let deleted = 0;
      for (const series of all) deleted += await this.#prune(series, before);
      pruned += deleted;
      if (deleted === 0) break;
    }
    if (pruned > 0) {
      const fields = { samples: pruned, maxBytes: settings.maxBytes };
      logger.info(fields, 'The history reached its greatest size: its oldest samples were deleted');
    }
  }

  /** @param before the start of an hour. @returns how many samples it deleted. */
  async #prune(series: SeriesRow, before: number): Promise<number> {
    const { store } = this.#parts;
    // What has not been rolled up yet is still needed.
    const end = Math.min(before, store.rollups.builtUntil('hourly', series.id));
    let deleted = 0;
    for (let slice = SAMPLES_A_SLICE; slice === SAMPLES_A_SLICE && !this.#isStopped; ) {
      slice = store.prune(series.id, end, SAMPLES_A_SLICE);
      deleted += slice;
      await setImmediate();
    }
    return deleted;
  }

  async #giveSpaceBack(): Promise<void> {
    const { store } = this.#parts;
    for (let free = store.freePages(); free > PAGES_KEPT && !this.#isStopped; free = store.freePages()) {
      store.shrink(Math.min(PAGES_A_SLICE, free - PAGES_KEPT));
      if (store.freePages() >= free) return;
      await setImmediate();
    }
  }
}
