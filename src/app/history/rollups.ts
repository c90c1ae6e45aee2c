/**
 * Builds what became of each series by the hour and by the day (UTC), from the buckets that the store has marked. Nothing else is
 * remembered, so that a kill at any moment costs nothing, and building a bucket twice gives the same row. An hour is built of its
 * samples, a day of its hours.
 */
import type { Clock } from '../../kernel/clock.ts';
import { BucketFold } from './bucket-fold.ts';
import type { HistoryStore, SeriesRow } from './history-store.ts';
import { DAY_MS, HOUR_MS, type RollupTable, type StaleBucket } from './rollup-store.ts';
import { Turn } from './turn.ts';

/** Marks read at once; a few kilobytes. */
const MARKS_A_PAGE = 200;
/** Samples read at once: about two milliseconds on a small computer. */
const SAMPLES_A_SLICE = 2_000;

export class Rollups {
  readonly #store: HistoryStore;
  readonly #clock: Clock;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: { store: HistoryStore; clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /**
   * Builds every marked bucket that is over at `now`. Called while it works, it waits for that work alone.
   * @throws `storage_unavailable` what is not built stays marked
   */
  build(now: number): Promise<void> {
    this.#isStopped = false;
    this.#running ??= this.#buildAll(now).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Ends the work under way as soon as the bucket at hand is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    // Whoever called `build` is told what went wrong.
    await this.#running?.catch(() => undefined);
  }

  async #buildAll(now: number): Promise<void> {
    const turn = new Turn(this.#clock);
    await this.#eachStale('hourly', now, turn, (series, bucket) => this.#buildHour(series, bucket, turn));
    await this.#eachStale('daily', now, turn, (series, bucket) => this.#buildDay(series, bucket));
  }

  /** A bucket behind the one at hand may be marked meanwhile, so rounds go on until there are none. */
  async #eachStale(
    table: RollupTable,
    now: number,
    turn: Turn,
    build: (series: SeriesRow, bucket: StaleBucket) => Promise<void> | void,
  ): Promise<void> {
    const { rollups } = this.#store;
    for (let after: StaleBucket | undefined; !this.#isStopped; ) {
      const page = rollups.stale(table, now, after, MARKS_A_PAGE);
      if (page.length === 0 && after === undefined) return;
      for (const bucket of page) {
        const series = this.#store.series(bucket.seriesId);
        // Where samples are gone by design, what was built of them stays.
        if (!series || (table === 'hourly' && bucket.start < series.rawFrom)) rollups.unmark(table, bucket);
        else await build(series, bucket);
        await turn.over();
        if (this.#isStopped) return;
      }
      after = page.at(-1);
    }
  }

  async #buildHour({ id, kind, sampleCount }: SeriesRow, bucket: StaleBucket, turn: Turn): Promise<void> {
    const { start } = bucket;
    const end = start + HOUR_MS;
    const fold = new BucketFold({ start, end, kind, carried: this.#store.lastBefore(id, start)?.value });
    let from = start;
    let read: number;
    do {
      const samples = this.#store.samples(id, from, end, SAMPLES_A_SLICE);
      for (const { at, value } of samples) fold.add(at, value);
      read = samples.length;
      from = (samples.at(-1)?.at ?? end) + 1;
      if (read === SAMPLES_A_SLICE) await turn.over();
    } while (read === SAMPLES_A_SLICE);
    // Samples that came or went meanwhile may be this hour's: it stays marked and is built in the next round.
    if (this.#store.series(id)?.sampleCount === sampleCount)
      this.#store.rollups.finish('hourly', bucket, fold.finish());
  }

  #buildDay({ id, kind }: SeriesRow, bucket: StaleBucket): void {
    const { start } = bucket;
    const end = start + DAY_MS;
    const { rollups } = this.#store;
    const carried = rollups.lastBefore('hourly', id, start)?.last;
    const fold = new BucketFold({ start, end, kind, carried });
    for (const row of rollups.read('hourly', id, start, end, DAY_MS / HOUR_MS))
      fold.addRollup(row, row.start + HOUR_MS);
    rollups.finish('daily', bucket, fold.finish());
  }
}
