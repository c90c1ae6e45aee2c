/**
 * Maintains the history once an hour: builds roll-ups, prunes samples past their home's retention, prunes the oldest
 * samples when the file exceeds its limit, and frees disk space. The work runs in small slices that yield to the event
 * loop. A step that fails runs again an hour later. Roll-ups are kept as long as their home exists.
 */
import { setImmediate } from 'node:timers/promises';
import type { HomeDeps } from '../../home/home-deps.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import type { HistorySettings } from './history-settings.ts';
import type { HistoryStore, SeriesRow } from './history-store.ts';
import { DAY_MS, floorToHour, HOUR_MS } from './rollup-store.ts';
import type { Rollups } from './rollups.ts';

/** The first run is delayed because start-up is busy. */
const FIRST_RUN_MS = 2 * 60_000;
/** Samples deleted per slice: some milliseconds on a small computer. */
const SAMPLES_A_SLICE = 1_000;
/** Pages of 4 KiB freed per slice. */
const PAGES_A_SLICE = 100;
/** Free pages kept: room for about an hour of a busy home, which would allocate them again at once. */
const PAGES_KEPT = 500;
/** If the wall clock gains this much over the monotonic clock, it was set. */
const CLOCK_LEAP_MS = HOUR_MS;
/** Within this time the owner or a time server has corrected a clock that was set wrong. */
const DISTRUST_MS = DAY_MS;
/** After such a gap, the daemon was off or the computer started with a wrong clock. The two cannot be distinguished. */
const LONG_GAP_MS = DAY_MS;
/** Shorter than a day, so that a computer that restarts every night also prunes samples. */
const DISTRUST_AT_START_MS = 6 * HOUR_MS;

interface Deps extends HomeDeps<'state' | 'clock' | 'logger'> {
  readonly store: HistoryStore;
  readonly settings: HistorySettings;
  readonly rollups: Rollups;
}

export class RetentionJob implements Startable {
  readonly #deps: Deps;
  readonly #throttle: LogThrottle;
  readonly #others: ((now: number) => Promise<void>)[] = [];
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #lastLook: { readonly wall: number; readonly monotonic: number } | undefined;
  #distrustedUntil = Number.NEGATIVE_INFINITY;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock, DAY_MS);
  }

  /** Adds a task that deletes what is too old elsewhere, in slices. It waits for a clock that can be trusted too. */
  add(prune: (now: number) => Promise<void>): void {
    this.#others.push(prune);
  }

  start(): void {
    this.#isStopped = false;
    this.#isClockTrusted();
    if (this.#isLongAfterNewest()) this.#distrustedUntil = this.#deps.clock.monotonic() + DISTRUST_AT_START_MS;
    this.#schedule(FIRST_RUN_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#deps.rollups.stop();
    await this.#running;
  }

  /**
   * Does all work that is due. If a run is in progress, waits for it. Never throws: failed work is due again in an
   * hour.
   */
  run(): Promise<void> {
    this.#running ??= this.#keep()
      .catch((error: unknown) => {
        this.#throttle.once('keep', () =>
          this.#deps.logger.warn({ error: messageOf(error) }, 'Could not maintain the history; the relay retries'),
        );
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  #schedule(delayMs: number): void {
    this.#cancel = this.#deps.clock.after(delayMs, () => {
      this.#schedule(HOUR_MS);
      void this.run();
    });
  }

  async #keep(): Promise<void> {
    const now = this.#deps.clock.now();
    await this.#deps.rollups.build(now);
    if (this.#isClockTrusted()) {
      await this.#pruneAged(now);
      for (const prune of this.#others) await prune(now);
    }
    await this.#pruneToSize(now);
    await this.#giveSpaceBack();
  }

  /** After a leap into the future every sample would be too old. Nothing is pruned until the new time has lasted. */
  #isClockTrusted(): boolean {
    const wall = this.#deps.clock.now();
    const monotonic = this.#deps.clock.monotonic();
    const before = this.#lastLook ?? { wall, monotonic };
    this.#lastLook = { wall, monotonic };
    if (wall - before.wall - (monotonic - before.monotonic) > CLOCK_LEAP_MS) {
      this.#distrustedUntil = monotonic + DISTRUST_MS;
    }
    return monotonic >= this.#distrustedUntil;
  }

  /** Must be called before anything new is recorded. */
  #isLongAfterNewest(): boolean {
    const { store, clock } = this.#deps;
    try {
      const latest = store.allSeries().map(({ id }) => store.lastBefore(id, Number.MAX_SAFE_INTEGER)?.at ?? 0);
      return clock.now() - Math.max(...latest) > LONG_GAP_MS;
    } catch {
      return false;
    }
  }

  async #pruneAged(now: number): Promise<void> {
    const { store, settings, state } = this.#deps;
    for (const series of store.allSeries()) {
      const { retentionDays } = settings.series(series.homeId, series.accessoryId, series.characteristic);
      const before = floorToHour(now - retentionDays * DAY_MS);
      await this.#prune(series, before);
      if (!state.home(series.homeId) && !store.firstFrom(series.id, before)) await this.#eraseAll(series);
    }
  }

  /** The home is deleted and was not found again for the whole retention period. */
  async #eraseAll({ id }: SeriesRow): Promise<void> {
    const { store } = this.#deps;
    while (!this.#isStopped) {
      if (store.erase(id, Number.MAX_SAFE_INTEGER, SAMPLES_A_SLICE).done) {
        store.removeSeries(id);
        return;
      }
      await setImmediate();
    }
  }

  /** Deletes the oldest day first, regardless of series. The current hour always stays. */
  async #pruneToSize(now: number): Promise<void> {
    const { store, settings, logger } = this.#deps;
    let pruned = 0;
    while (store.usedBytes() > settings.maxBytes && !this.#isStopped) {
      const all = store.allSeries();
      // The newest sample of each pruned series stays, so the oldest one can be deleted once there is a second.
      const oldest = Math.min(...all.map(({ id }) => store.samples(id, 0, now, 2)[1]?.at ?? now));
      const before = Math.min(floorToHour(oldest) + DAY_MS, floorToHour(now));
      let deleted = 0;
      for (const series of all) deleted += await this.#prune(series, before);
      pruned += deleted;
      if (deleted === 0) break;
    }
    if (pruned > 0) {
      const fields = { samples: pruned, maxBytes: settings.maxBytes };
      logger.info(fields, 'The history reached its maximum size: deleted the oldest samples');
    }
  }

  /** @param before the start of an hour. @returns how many samples it deleted. */
  async #prune(series: SeriesRow, before: number): Promise<number> {
    const { store } = this.#deps;
    // Samples that have not been rolled up yet are still needed.
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
    const { store } = this.#deps;
    for (let free = store.freePages(); free > PAGES_KEPT && !this.#isStopped; free = store.freePages()) {
      store.shrink(Math.min(PAGES_A_SLICE, free - PAGES_KEPT));
      if (store.freePages() >= free) return;
      await setImmediate();
    }
  }
}
