/**
 * The tables `hourly` and `daily` of history.db, and `stale_hours` and `stale_days`, which list the buckets to rebuild.
 * A bucket is marked stale in the same transaction that changes one of its samples, and unmarked in the one that writes
 * its row. So neither a kill nor a late sample leaves a wrong bucket behind. Buckets are in UTC; times are milliseconds
 * since the epoch.
 */
import type { Database } from '../../storage/database.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export type RollupTable = 'hourly' | 'daily';

export const SPAN_MS: Readonly<Record<RollupTable, number>> = { hourly: HOUR_MS, daily: DAY_MS };

/**
 * Aggregate of a series in one hour or day that has samples. The value carried over from before counts as held in the
 * bucket. A bucket without samples has no row: the previous value held throughout.
 */
export interface RollupRow {
  readonly start: number;
  readonly min: number;
  readonly max: number;
  /** Weighted by how long each value held. */
  readonly avg: number;
  readonly last: number;
  readonly count: number;
  /** Samples that differ from the previous one. */
  readonly transitions: number;
  /** For how much of the bucket a value was known: less than all of it only if the series began in it. */
  readonly coveredMs: number;
  /** How long each state held, by its number; `null` for numeric series. */
  readonly stateMs: Readonly<Record<string, number>> | null;
}

export interface StaleBucket {
  readonly seriesId: number;
  readonly start: number;
}

/** `row` is missing if the bucket has no samples any more. */
export interface FinishedBucket extends StaleBucket {
  readonly row: RollupRow | undefined;
}

interface RollupRecord extends Omit<RollupRow, 'coveredMs' | 'stateMs'> {
  covered_ms: number;
  state_ms: string | null;
}

const STALE = { hourly: 'stale_hours', daily: 'stale_days' } as const;

export function floorToHour(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}

export function floorToDay(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}

/** Provides the database; a new one after the old one was set aside. */
export interface DatabaseSource {
  readonly current: Database;
}

export class RollupStore {
  readonly #source: DatabaseSource;

  constructor(source: DatabaseSource) {
    this.#source = source;
  }

  /** Rows that start from `fromMs` until before `toMs`, at most `limit`. Continue after the last row's start. */
  read(table: RollupTable, seriesId: number, fromMs: number, toMs: number, limit: number): RollupRow[] {
    return this.#source.current
      .prepare<[number, number, number, number], RollupRecord>(
        `SELECT * FROM ${table} WHERE series_id = ? AND start >= ? AND start < ? ORDER BY start LIMIT ?`,
      )
      .all(seriesId, fromMs, toMs, limit)
      .map(toRollup);
  }

  /** The last row that starts before `before`. */
  lastBefore(table: RollupTable, seriesId: number, before: number): RollupRow | undefined {
    const row = this.#source.current
      .prepare<[number, number], RollupRecord>(
        `SELECT * FROM ${table} WHERE series_id = ? AND start < ? ORDER BY start DESC LIMIT 1`,
      )
      .get(seriesId, before);
    return row && toRollup(row);
  }

  /** Every bucket that starts before this is up to date in its table; later ones may be missing. */
  builtUntil(table: RollupTable, seriesId: number): number {
    const hour = this.#firstStale('hourly', seriesId) ?? Number.MAX_SAFE_INTEGER;
    if (table === 'hourly') return hour;
    // A day depends on its hours, so it is not built before them.
    return Math.min(
      this.#firstStale('daily', seriesId) ?? hour,
      hour < Number.MAX_SAFE_INTEGER ? floorToDay(hour) : hour,
    );
  }

  /** Marks a bucket to be rebuilt. Call in the transaction that makes it necessary. */
  markStale(table: RollupTable, seriesId: number, start: number): void {
    this.#source.current
      .prepare<[number, number]>(`INSERT OR IGNORE INTO ${STALE[table]} (series_id, start) VALUES (?, ?)`)
      .run(seriesId, start);
  }

  /** Stale buckets that are over at `now`, ordered by series and time, after a given one. */
  stale(table: RollupTable, now: number, after: StaleBucket | undefined, limit: number): StaleBucket[] {
    return this.#source.current
      .prepare<[number, number, number, number], StaleBucket>(
        `SELECT series_id AS seriesId, start FROM ${STALE[table]}
         WHERE (series_id, start) > (?, ?) AND start <= ? ORDER BY series_id, start LIMIT ?`,
      )
      .all(after?.seriesId ?? -1, after?.start ?? 0, now - SPAN_MS[table], limit);
  }

  /**
   * Writes the aggregates of stale buckets (nothing, if the samples are gone) and marks the buckets that depend on
   * them: the next bucket with samples, if its carried value changed, and the day of an hour.
   */
  finish(table: RollupTable, buckets: readonly FinishedBucket[]): void {
    if (buckets.length === 0) return;
    this.#source.current
      .transaction(() => {
        for (const bucket of buckets) this.#finish(table, bucket);
      })
      .immediate();
  }

  #finish(table: RollupTable, { seriesId, start, row }: FinishedBucket): void {
    const before = this.read(table, seriesId, start, start + 1, 1)[0];
    if (row) this.#put(table, seriesId, row);
    else this.#remove(table, seriesId, start);
    this.#count(seriesId, Number(row !== undefined) - Number(before !== undefined));
    if (before?.last !== row?.last) {
      const next = this.read(table, seriesId, start + SPAN_MS[table], Number.MAX_SAFE_INTEGER, 1)[0];
      if (next) this.markStale(table, seriesId, next.start);
    }
    if (table === 'hourly') this.markStale('daily', seriesId, floorToDay(start));
    this.unmark(table, { seriesId, start });
  }

  /** Keeps a bucket as it is: its samples were pruned, and its roll-up stays. */
  unmark(table: RollupTable, { seriesId, start }: StaleBucket): void {
    this.#source.current
      .prepare<[number, number]>(`DELETE FROM ${STALE[table]} WHERE series_id = ? AND start = ?`)
      .run(seriesId, start);
  }

  /**
   * Deletes rows that start before `before`, oldest first, and marks the day that `before` lies in. Called in a
   * transaction.
   * @param limit how many at most.
   * @returns the number of deleted rows; less than `limit` means that none are left.
   */
  erase(seriesId: number, before: number, limit: number): number {
    const erased = (Object.keys(SPAN_MS) as RollupTable[]).reduce((sum, table) => {
      return sum + this.#eraseFrom(table, seriesId, before, limit - sum);
    }, 0);
    this.#count(seriesId, -erased);
    const day = floorToDay(before);
    if (this.read('hourly', seriesId, day, day + DAY_MS, 1).length > 0) this.markStale('daily', seriesId, day);
    return erased;
  }

  #eraseFrom(table: RollupTable, seriesId: number, before: number, limit: number): number {
    const end = limit > 0 ? this.read(table, seriesId, 0, before, limit).at(-1)?.start : undefined;
    if (end === undefined) return 0;
    const database = this.#source.current;
    database
      .prepare<[number, number]>(`DELETE FROM ${STALE[table]} WHERE series_id = ? AND start <= ?`)
      .run(seriesId, end);
    return database
      .prepare<[number, number]>(`DELETE FROM ${table} WHERE series_id = ? AND start <= ?`)
      .run(seriesId, end).changes;
  }

  #put(table: RollupTable, seriesId: number, row: RollupRow): void {
    this.#source.current
      .prepare(
        `INSERT OR REPLACE INTO ${table}
         (series_id, start, min, max, avg, last, count, transitions, covered_ms, state_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        seriesId,
        row.start,
        row.min,
        row.max,
        row.avg,
        row.last,
        row.count,
        row.transitions,
        row.coveredMs,
        row.stateMs && JSON.stringify(row.stateMs),
      );
  }

  #remove(table: RollupTable, seriesId: number, start: number): void {
    this.#source.current
      .prepare<[number, number]>(`DELETE FROM ${table} WHERE series_id = ? AND start = ?`)
      .run(seriesId, start);
  }

  #count(seriesId: number, change: number): void {
    if (change === 0) return;
    this.#source.current
      .prepare<[number, number]>('UPDATE series SET rollup_count = max(0, rollup_count + ?) WHERE id = ?')
      .run(change, seriesId);
  }

  #firstStale(table: RollupTable, seriesId: number): number | undefined {
    const row = this.#source.current
      .prepare<[number], { start: number | null }>(
        `SELECT min(start) AS start FROM ${STALE[table]} WHERE series_id = ?`,
      )
      .get(seriesId);
    return row?.start ?? undefined;
  }
}

function toRollup({ state_ms, covered_ms, ...row }: RollupRecord & { series_id?: number }): RollupRow {
  const { series_id: _, ...plain } = row;
  return {
    ...plain,
    coveredMs: covered_ms,
    stateMs: state_ms === null ? null : parseStates(state_ms),
  };
}

/** Skips corrupted values: one bad bucket must not prevent the others from being built and pruned. */
function parseStates(text: string): Readonly<Record<string, number>> {
  try {
    const entries = Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>);
    return Object.fromEntries(
      entries.filter(
        (entry): entry is [string, number] => Number.isFinite(Number(entry[0])) && typeof entry[1] === 'number',
      ),
    );
  } catch {
    return {};
  }
}
