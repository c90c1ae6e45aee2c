/**
 * The tables `energy_meters`, `energy_hours` and `energy_prices` of history.db. Reads are paged, so that no statement
 * runs long.
 */
import type { Database } from '../../storage/database.ts';
import type { DatabaseSource } from '../history/rollup-store.ts';
import type { MeterMemory } from './meter-count.ts';
import { HOUR_MS, QUARTER_MS } from './quarters.ts';

export interface MeterKey {
  readonly homeId: string;
  readonly accessoryId: string;
  /** 1 for the first meter of the accessory. */
  readonly number: number;
}

export interface MeterRow extends MeterKey {
  readonly id: number;
  /** The last known name. */
  readonly name: string;
  /** When the relay began to count. */
  readonly since: number;
}

export interface MeterChanges extends MeterKey {
  readonly name: string;
  readonly memory: MeterMemory;
  readonly used: ReadonlyMap<number, number>;
}

/** Energy of one hour, in milliwatt-hours for each quarter of it. */
export interface EnergyHour {
  readonly start: number;
  readonly quarters: readonly [number, number, number, number];
}

export interface QuarterPrice {
  /** The start of a quarter of an hour. */
  readonly start: number;
  readonly price: number;
}

interface MeterRecord {
  id: number;
  home_id: string;
  accessory_id: string;
  number: number;
  name: string;
  since: number;
  counter_mwh: number | null;
  counter_at: number | null;
  dropped_mwh: number | null;
  dropped_at: number | null;
}

interface HourRecord {
  start: number;
  q1: number;
  q2: number;
  q3: number;
  q4: number;
}

/** Three years of hours in which energy was used. The bound does not depend on the clock, which may be set wrong. */
const KEPT_HOURS = 3 * 366 * 24;
/** Three years of quarters. */
const KEPT_PRICES = KEPT_HOURS * 4;
const PAGE_ROWS = 2_000;
const PRUNED_AT_ONCE = 1_000;

export class EnergyStore {
  readonly #source: DatabaseSource;

  constructor(source: DatabaseSource) {
    this.#source = source;
  }

  /** What is remembered of a meter. @throws `storage_unavailable` */
  findMemory({ homeId, accessoryId, number }: MeterKey): MeterMemory | undefined {
    const row = this.#database
      .prepare<[string, string, number], MeterRecord>(
        'SELECT * FROM energy_meters WHERE home_id = ? AND accessory_id = ? AND number = ?',
      )
      .get(homeId, accessoryId, number);
    return (
      row && {
        counter: toReading(row.counter_mwh, row.counter_at),
        dropped: toReading(row.dropped_mwh, row.dropped_at),
      }
    );
  }

  metersOf(homeId: string): readonly MeterRow[] {
    return this.#database
      .prepare<[string], MeterRecord>('SELECT * FROM energy_meters WHERE home_id = ? ORDER BY id')
      .all(homeId)
      .map(({ id, home_id, accessory_id, number, name, since }) => ({
        id,
        homeId: home_id,
        accessoryId: accessory_id,
        number,
        name,
        since,
      }));
  }

  /** Adds energy and writes what is remembered of the meters, in one transaction. */
  save(meters: readonly MeterChanges[], now: number): void {
    const database = this.#database;
    const open = database.prepare<unknown[], { id: number }>(
      `INSERT INTO energy_meters
         (home_id, accessory_id, number, name, since, counter_mwh, counter_at, dropped_mwh, dropped_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (home_id, accessory_id, number) DO UPDATE SET name = excluded.name,
         counter_mwh = excluded.counter_mwh, counter_at = excluded.counter_at,
         dropped_mwh = excluded.dropped_mwh, dropped_at = excluded.dropped_at
       RETURNING id`,
    );
    const put = database.prepare(
      `INSERT INTO energy_hours (meter_id, start, q1, q2, q3, q4) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (meter_id, start) DO UPDATE SET
         q1 = q1 + excluded.q1, q2 = q2 + excluded.q2, q3 = q3 + excluded.q3, q4 = q4 + excluded.q4`,
    );
    database.transaction(() => {
      for (const { homeId, accessoryId, number, name, memory, used } of meters) {
        const { counter, dropped } = memory;
        const readings = [counter?.mwh ?? null, counter?.at ?? null, dropped?.mwh ?? null, dropped?.at ?? null];
        const { id } = open.get(homeId, accessoryId, number, name, now, ...readings) as { id: number };
        for (const { start, quarters } of toHours(used)) put.run(id, start, ...quarters);
      }
    })();
  }

  /** Hours with energy, by their start, page by page. */
  *hours(meterId: number, from: number, to: number): Generator<readonly EnergyHour[]> {
    for (let after = from; ; ) {
      const page = this.#database
        .prepare<[number, number, number, number], HourRecord>(
          'SELECT start, q1, q2, q3, q4 FROM energy_hours WHERE meter_id = ? AND start >= ? AND start < ? ORDER BY start LIMIT ?',
        )
        .all(meterId, after, to, PAGE_ROWS)
        .map(({ start, q1, q2, q3, q4 }): EnergyHour => ({ start, quarters: [q1, q2, q3, q4] }));
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (page.length < PAGE_ROWS || !last) return;
      after = last.start + 1;
    }
  }

  // — spot prices —

  *prices(homeId: string, from: number, to: number): Generator<readonly QuarterPrice[]> {
    for (let after = from; ; ) {
      const page = this.#database
        .prepare<[string, number, number, number], QuarterPrice>(
          'SELECT start, price FROM energy_prices WHERE home_id = ? AND start >= ? AND start < ? ORDER BY start LIMIT ?',
        )
        .all(homeId, after, to, PAGE_ROWS);
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (page.length < PAGE_ROWS || !last) return;
      after = last.start + 1;
    }
  }

  /** Replaces the prices of these quarters. */
  savePrices(homeId: string, prices: readonly QuarterPrice[]): void {
    const database = this.#database;
    const put = database.prepare('INSERT OR REPLACE INTO energy_prices (home_id, start, price) VALUES (?, ?, ?)');
    database.transaction(() => {
      for (const { start, price } of prices) put.run(homeId, start, price);
    })();
  }

  // — bounds —

  /**
   * Deletes the oldest hours and prices beyond three years, and the meters of homes that are gone.
   * @param isHome whether the home exists.
   */
  prune(isHome: (homeId: string) => boolean): void {
    const database = this.#database;
    const meters = database.prepare<[], { id: number; home_id: string }>('SELECT id, home_id FROM energy_meters').all();
    for (const { id, home_id } of meters) {
      const isGone = !isHome(home_id);
      this.#trim('energy_hours', 'meter_id', id, isGone ? 0 : KEPT_HOURS);
      if (!isGone) continue;
      database
        .prepare(
          'DELETE FROM energy_meters WHERE id = ? AND NOT EXISTS (SELECT 1 FROM energy_hours WHERE meter_id = ?)',
        )
        .run(id, id);
    }
    const homes = database.prepare<[], { home_id: string }>('SELECT DISTINCT home_id FROM energy_prices').all();
    for (const { home_id } of homes) {
      this.#trim('energy_prices', 'home_id', home_id, isHome(home_id) ? KEPT_PRICES : 0);
    }
  }

  /** Deletes the oldest rows beyond `kept`, some at once. */
  #trim(
    table: 'energy_hours' | 'energy_prices',
    column: 'meter_id' | 'home_id',
    id: number | string,
    kept: number,
  ): void {
    const database = this.#database;
    const { count } = database
      .prepare<[number | string], { count: number }>(`SELECT count(*) AS count FROM ${table} WHERE ${column} = ?`)
      .get(id) as { count: number };
    const excess = Math.min(count - kept, PRUNED_AT_ONCE);
    if (excess <= 0) return;
    database
      .prepare(
        `DELETE FROM ${table} WHERE ${column} = ? AND start IN
           (SELECT start FROM ${table} WHERE ${column} = ? ORDER BY start LIMIT ?)`,
      )
      .run(id, id, excess);
  }

  get #database(): Database {
    return this.#source.current;
  }
}

function toReading(mwh: number | null, at: number | null) {
  return mwh === null || at === null ? null : { mwh, at };
}

function toHours(used: ReadonlyMap<number, number>): readonly EnergyHour[] {
  const hours = new Map<number, [number, number, number, number]>();
  for (const [start, mwh] of used) {
    const hour = Math.floor(start / HOUR_MS) * HOUR_MS;
    const quarters = hours.get(hour) ?? [0, 0, 0, 0];
    quarters[(start - hour) / QUARTER_MS] = mwh;
    hours.set(hour, quarters);
  }
  return [...hours].map(([start, quarters]) => ({ start, quarters }));
}
