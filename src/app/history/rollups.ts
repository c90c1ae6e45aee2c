/**
 * Builds the hourly and daily (UTC) roll-ups of each series from the buckets that the store has marked. No other state
 * is kept, so a kill at any moment loses nothing, and building a bucket twice gives the same row. Hours are built from
 * samples, days from hours.
 */
import type { Clock } from '../../kernel/clock.ts';
import { BucketFold } from './bucket-fold.ts';
import type { HistoryStore, SeriesRow } from './history-store.ts';
import {
  DAY_MS,
  type FinishedBucket,
  HOUR_MS,
  type RollupRow,
  type RollupTable,
  type StaleBucket,
} from './rollup-store.ts';
import { TimeSlice } from './time-slice.ts';

/** Marks read at once; a few kilobytes. */
const MARKS_A_PAGE = 200;
/** Samples read at once: about two milliseconds on a small computer. */
const SAMPLES_A_SLICE = 2_000;
/** Buckets per transaction: each transaction costs the disk a write. */
const BUCKETS_A_TRANSACTION = 50;

/** A bucket being built. */
interface Building {
  readonly series: SeriesRow;
  readonly bucket: StaleBucket;
  /** Writes the finished buckets, before other work runs. */
  readonly write: () => void;
  readonly finish: (row: RollupRow | undefined) => void;
}

type Build = (building: Building) => Promise<void> | void;

export class Rollups {
  readonly #store: HistoryStore;
  readonly #clock: Clock;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(deps: { store: HistoryStore; clock: Clock }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
  }

  /**
   * Builds every marked bucket that is over at `now`. If a build is in progress, only waits for it.
   * @throws `storage_unavailable` buckets that are not built stay marked
   */
  build(now: number): Promise<void> {
    this.#isStopped = false;
    this.#running ??= this.#buildAll(now).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Ends a build in progress after the current bucket. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    // The caller of `build` receives the error.
    await this.#running?.catch(() => undefined);
  }

  async #buildAll(now: number): Promise<void> {
    const slice = new TimeSlice(this.#clock);
    await this.#eachStale('hourly', now, slice, (building) => this.#buildHour(building, slice));
    await this.#eachStale('daily', now, slice, (building) => this.#buildDay(building));
  }

  /** A bucket behind the current one may be marked meanwhile, so rounds continue until there are none. */
  async #eachStale(table: RollupTable, now: number, slice: TimeSlice, build: Build): Promise<void> {
    const { rollups } = this.#store;
    const finished: FinishedBucket[] = [];
    const write = (): void => rollups.finish(table, finished.splice(0));
    for (let after: StaleBucket | undefined; !this.#isStopped; ) {
      const page = rollups.stale(table, now, after, MARKS_A_PAGE);
      if (page.length === 0 && after === undefined) return;
      for (const bucket of page) {
        const series = this.#store.series(bucket.seriesId);
        // If the samples were pruned, the existing roll-up stays.
        if (!series || (table === 'hourly' && bucket.start < series.rawFrom)) rollups.unmark(table, bucket);
        else {
          const waiting = build({ series, bucket, write, finish: (row) => void finished.push({ ...bucket, row }) });
          if (waiting instanceof Promise) await waiting;
        }
        // Nothing may change between reading and writing, so finished buckets are written before other work runs.
        if (finished.length >= BUCKETS_A_TRANSACTION || slice.isUsedUp) write();
        if (slice.isUsedUp) await slice.yieldIfUsedUp();
        if (this.#isStopped) break;
      }
      write();
      after = page.at(-1);
    }
  }

  #buildHour(building: Building, slice: TimeSlice): Promise<void> | void {
    const { series, bucket, finish } = building;
    const { id, kind } = series;
    const { start } = bucket;
    const end = start + HOUR_MS;
    const fold = new BucketFold({ start, end, kind, carried: this.#store.lastBefore(id, start)?.value });
    const samples = this.#store.samples(id, start, end, SAMPLES_A_SLICE);
    for (const { at, value } of samples) fold.add(at, value);
    if (samples.length === SAMPLES_A_SLICE) return this.#goOn(building, fold, (samples.at(-1)?.at ?? end) + 1, slice);
    finish(fold.finish());
  }

  /** Reads the rest of an hour with very many samples. */
  async #goOn(
    { series, bucket, write, finish }: Building,
    fold: BucketFold,
    rest: number,
    slice: TimeSlice,
  ): Promise<void> {
    const { id, sampleCount } = series;
    const end = bucket.start + HOUR_MS;
    for (let from = rest; from < end; ) {
      write();
      await slice.yieldIfUsedUp();
      const samples = this.#store.samples(id, from, end, SAMPLES_A_SLICE);
      for (const { at, value } of samples) fold.add(at, value);
      from = samples.length === SAMPLES_A_SLICE ? (samples.at(-1)?.at ?? end) + 1 : end;
    }
    // Samples added or removed meanwhile may be in this hour. It then stays marked and is built in the next round.
    if (this.#store.series(id)?.sampleCount === sampleCount) finish(fold.finish());
    write();
  }

  #buildDay({ series: { id, kind }, bucket: { start }, finish }: Building): void {
    const end = start + DAY_MS;
    const { rollups } = this.#store;
    const carried = rollups.lastBefore('hourly', id, start)?.last;
    const fold = new BucketFold({ start, end, kind, carried });
    for (const row of rollups.read('hourly', id, start, end, DAY_MS / HOUR_MS))
      fold.addRollup(row, row.start + HOUR_MS);
    finish(fold.finish());
  }
}
