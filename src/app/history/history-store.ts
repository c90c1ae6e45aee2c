/**
 * The tables `series`, `samples` and `texts` of history.db. The recorder defines what a series is and when it is
 * recorded; hourly and daily roll-ups are in `rollup-store.ts`.
 *
 * No statement here runs long: reads are paged by key (`samples` after the last time seen), deletions run in slices.
 * Times are milliseconds since the epoch.
 *
 * Samples are ordered by time, not by arrival. A sample that arrives with an earlier time (the clock was set back) is
 * inserted between the others and replaces none. Two at the same time are stored a millisecond apart.
 */
import type { Database } from '../../storage/database.ts';
import type { SeriesKind } from './catalog.ts';
import type { Sample } from './downsample.ts';
import { type DatabaseSource, floorToHour, RollupStore } from './rollup-store.ts';

/** Identity of a series. */
export interface SeriesKey {
  readonly homeId: string;
  /** Id of an accessory or a service group. */
  readonly accessoryId: string;
  /** snake_case, numbered from the second service on. */
  readonly characteristic: string;
  readonly kind: SeriesKind;
  readonly unit: string | null;
}

export interface SeriesRow extends SeriesKey {
  readonly id: number;
  /** Samples before this have been pruned, except the newest of them. Roll-ups before it cannot be rebuilt. */
  readonly rawFrom: number;
  readonly sampleCount: number;
  readonly rollupCount: number;
}

export interface NewSample extends Sample {
  readonly seriesId: number;
}

interface SeriesRecord {
  id: number;
  home_id: string;
  accessory_id: string;
  characteristic: string;
  kind: SeriesKind;
  unit: string | null;
  raw_from: number;
  sample_count: number;
  rollup_count: number;
}

const MAX_REMEMBERED_TEXTS = 1_000;

type Row = readonly [at: number, value: number];

export class HistoryStore {
  readonly #source: DatabaseSource;
  /** The database that the caches below belong to. */
  #known: Database | undefined;
  /** By accessory and characteristic. */
  readonly #series = new Map<string, SeriesKey & { readonly id: number }>();
  readonly #textIds = new Map<string, number>();
  readonly #texts = new Map<number, string>();
  readonly #latest = new Map<number, Sample | null>();
  readonly rollups: RollupStore;

  constructor(source: DatabaseSource) {
    this.#source = source;
    this.rollups = new RollupStore(source);
  }

  // — series and texts —

  seriesOf(homeId: string): readonly SeriesRow[] {
    return this.#db
      .prepare<[string], SeriesRecord>('SELECT * FROM series WHERE home_id = ? ORDER BY id')
      .all(homeId)
      .map(toSeries);
  }

  allSeries(): readonly SeriesRow[] {
    return this.#db.prepare<[], SeriesRecord>('SELECT * FROM series ORDER BY id').all().map(toSeries);
  }

  series(id: number): SeriesRow | undefined {
    const row = this.#db.prepare<[number], SeriesRecord>('SELECT * FROM series WHERE id = ?').get(id);
    return row && toSeries(row);
  }

  findSeries(homeId: string, accessoryId: string, characteristic: string): SeriesRow | undefined {
    const row = this.#db
      .prepare<[string, string, string], SeriesRecord>(
        'SELECT * FROM series WHERE home_id = ? AND accessory_id = ? AND characteristic = ?',
      )
      .get(homeId, accessoryId, characteristic);
    return row && toSeries(row);
  }

  /** Creates the series if it does not exist, and updates its home and unit. @returns its id. */
  openSeries({ homeId, accessoryId, characteristic, kind, unit }: SeriesKey): number {
    const database = this.#db;
    const key = `${homeId} ${accessoryId} ${characteristic}`;
    const known = this.#series.get(key);
    if (known && known.unit === unit) return known.id;
    const { id } = database
      .prepare<[string, string, string, string, string | null], { id: number }>(
        `INSERT INTO series (home_id, accessory_id, characteristic, kind, unit) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (home_id, accessory_id, characteristic) DO UPDATE SET unit = excluded.unit
         RETURNING id`,
      )
      .get(homeId, accessoryId, characteristic, kind, unit) as { id: number };
    this.#series.set(key, { id, homeId, accessoryId, characteristic, kind, unit });
    return id;
  }

  /** The id that represents a text in samples of string series. */
  textId(text: string): number {
    const database = this.#db;
    const known = this.#textIds.get(text);
    if (known !== undefined) return known;
    const { id } = database
      .prepare<[string], { id: number }>(
        'INSERT INTO texts (text) VALUES (?) ON CONFLICT (text) DO UPDATE SET text = excluded.text RETURNING id',
      )
      .get(text) as { id: number };
    this.#rememberText(id, text);
    return id;
  }

  text(id: number): string | undefined {
    const database = this.#db;
    const known = this.#texts.get(id);
    if (known !== undefined) return known;
    const row = database.prepare<[number], { text: string }>('SELECT text FROM texts WHERE id = ?').get(id);
    if (row) this.#rememberText(id, row.text);
    return row?.text;
  }

  // — samples —

  /** Writes all or none, and marks the affected hours to be rolled up. */
  insert(samples: readonly NewSample[]): void {
    const database = this.#db;
    const insert = database.prepare<[number, number, number]>(
      'INSERT INTO samples (series_id, at, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    const count = database.prepare<[number, number]>('UPDATE series SET sample_count = sample_count + ? WHERE id = ?');
    const batch = new Map<number, { added: number; asked: number; at: number; value: number }>();
    database
      .transaction(() => {
        for (const { seriesId, at: asked, value } of samples) {
          const before = batch.get(seriesId);
          // Samples of one moment keep their order; an earlier one, after the clock was set back, is inserted at its
          // own time.
          let at = before && asked >= before.asked ? Math.max(asked, before.at + 1) : asked;
          while (insert.run(seriesId, at, value).changes === 0) at += 1;
          const hour = floorToHour(at);
          if (!before || floorToHour(before.at) !== hour) this.rollups.markStale('hourly', seriesId, hour);
          batch.set(seriesId, { added: (before?.added ?? 0) + 1, asked, at, value });
        }
        for (const [seriesId, { added }] of batch) count.run(added, seriesId);
      })
      .immediate();
    for (const [seriesId, { at, value }] of batch) this.#latest.set(seriesId, { at, value });
  }

  /** The sample that arrived last; after a restart the one with the latest time. */
  latest(seriesId: number): Sample | undefined {
    const database = this.#db;
    const known = this.#latest.get(seriesId);
    if (known !== undefined) return known ?? undefined;
    const row = database
      .prepare<[number], Sample>('SELECT at, value FROM samples WHERE series_id = ? ORDER BY at DESC LIMIT 1')
      .get(seriesId);
    this.#latest.set(seriesId, row ?? null);
    return row;
  }

  /**
   * Samples from `fromMs` until before `toMs`, earliest first, at most `limit`. Continue with `fromMs` after the last
   * one's time.
   */
  samples(seriesId: number, fromMs: number, toMs: number, limit: number): Sample[] {
    // As arrays: the driver takes longer to make an object of a row than SQLite does to find it.
    return this.#db
      .prepare<[number, number, number, number], Row>(
        'SELECT at, value FROM samples WHERE series_id = ? AND at >= ? AND at < ? ORDER BY at LIMIT ?',
      )
      .raw()
      .all(seriesId, fromMs, toMs, limit)
      .map(([at, value]) => ({ at, value }));
  }

  /** The last sample before `at`: the value at that moment. */
  lastBefore(seriesId: number, at: number): Sample | undefined {
    return this.#db
      .prepare<[number, number], Sample>(
        'SELECT at, value FROM samples WHERE series_id = ? AND at < ? ORDER BY at DESC LIMIT 1',
      )
      .get(seriesId, at);
  }

  /** The first sample at `from` or later. */
  firstFrom(seriesId: number, from: number): Sample | undefined {
    return this.#db
      .prepare<[number, number], Sample>(
        'SELECT at, value FROM samples WHERE series_id = ? AND at >= ? ORDER BY at LIMIT 1',
      )
      .get(seriesId, from);
  }

  // — deletion, a slice at a time —

  /**
   * Deletes the oldest samples of a series; their roll-ups stay. The newest one before `before` stays, as the value at
   * that moment.
   * @param before the start of an hour; all hours before it must have been rolled up.
   * @param limit how many at most.
   * @returns the number of deleted samples; less than `limit` means that none are left.
   */
  prune(seriesId: number, before: number, limit: number): number {
    const anchor = this.lastBefore(seriesId, before);
    if (!anchor || !this.lastBefore(seriesId, anchor.at)) return 0;
    return this.#db
      .transaction(() => {
        this.#db
          .prepare<[number, number]>('UPDATE series SET raw_from = max(raw_from, ?) WHERE id = ?')
          .run(before, seriesId);
        return this.#deleteSamples(seriesId, anchor.at, limit);
      })
      .immediate();
  }

  /**
   * Permanently deletes the samples of a series before `before`, then its roll-ups. The bucket that contains `before`
   * is rebuilt from the remaining samples.
   * @param limit how many rows at most.
   * @returns the number of deleted samples, and whether any rows may be left.
   */
  erase(seriesId: number, before: number, limit: number): { readonly samples: number; readonly done: boolean } {
    return this.#db
      .transaction(() => {
        const samples = this.#deleteSamples(seriesId, before, limit);
        this.#latest.delete(seriesId);
        if (samples === limit) return { samples, done: false };
        const rollups = this.rollups.erase(seriesId, before, limit - samples);
        const done = samples + rollups < limit;
        const first = done ? this.firstFrom(seriesId, before) : undefined;
        if (first) this.rollups.markStale('hourly', seriesId, floorToHour(first.at));
        return { samples, done };
      })
      .immediate();
  }

  /** Deletes an empty series. */
  removeSeries(seriesId: number): void {
    this.#db.prepare<[number]>('DELETE FROM series WHERE id = ?').run(seriesId);
    this.#series.clear();
  }

  /** Returns free pages to the disk. @param pages at most how many, 1 or more. */
  shrink(pages: number): void {
    // Not `pragma`: the statement must be stepped to its end, and only `exec` does so.
    this.#db.exec(`PRAGMA incremental_vacuum(${pages})`);
  }

  /** Number of free pages in the file. */
  freePages(): number {
    return this.#number('freelist_count');
  }

  /** Bytes in use in the file. */
  usedBytes(): number {
    return (this.#number('page_count') - this.freePages()) * this.#number('page_size');
  }

  #number(pragma: string): number {
    return Number(this.#db.pragma(pragma, { simple: true }));
  }

  #deleteSamples(seriesId: number, before: number, limit: number): number {
    const end = this.samples(seriesId, 0, before, limit).at(-1)?.at;
    if (end === undefined) return 0;
    const { changes } = this.#db
      .prepare<[number, number]>('DELETE FROM samples WHERE series_id = ? AND at <= ?')
      .run(seriesId, end);
    this.#db
      .prepare<[number, number]>('UPDATE series SET sample_count = max(0, sample_count - ?) WHERE id = ?')
      .run(changes, seriesId);
    return changes;
  }

  /** The database; resets the caches when it was replaced. */
  get #db(): Database {
    const { current } = this.#source;
    if (current !== this.#known) {
      this.#known = current;
      for (const memory of [this.#series, this.#textIds, this.#texts, this.#latest]) memory.clear();
    }
    return current;
  }

  #rememberText(id: number, text: string): void {
    // Real homes have few modes. A client that keeps inventing new ones costs look-ups, not memory.
    if (this.#texts.size >= MAX_REMEMBERED_TEXTS) {
      this.#texts.clear();
      this.#textIds.clear();
    }
    this.#texts.set(id, text);
    this.#textIds.set(text, id);
  }
}

function toSeries(row: SeriesRecord): SeriesRow {
  return {
    id: row.id,
    homeId: row.home_id,
    accessoryId: row.accessory_id,
    characteristic: row.characteristic,
    kind: row.kind,
    unit: row.unit,
    rawFrom: row.raw_from,
    sampleCount: row.sample_count,
    rollupCount: row.rollup_count,
  };
}
