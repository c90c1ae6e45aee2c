/** The tables `relay_samples` and `relay_starts` of history.db. Times are milliseconds since the epoch. */
import type { Database } from '../../storage/database.ts';

export interface LoadSample {
  readonly at: number;
  readonly load: number;
  /** Of one processor, since the sample before. */
  readonly processorPercent: number;
  readonly memoryBytes: number;
  readonly databaseBytes: number;
  readonly connectedDevices: number;
}

export interface RelayStart {
  readonly at: number;
  readonly version: string;
  /** The version before it, if it was another one. */
  readonly previousVersion: string | null;
}

/**
 * Rows are pruned by their number and not by their age: a clock that is wrong for an hour, as on a computer without a
 * battery, deletes nothing.
 */
export class LoadStore {
  readonly #source: { readonly current: Database };
  readonly #max: { readonly samples: number; readonly starts: number };

  constructor(source: { readonly current: Database }, max: { readonly samples: number; readonly starts: number }) {
    this.#source = source;
    this.#max = max;
  }

  /** @throws if the database takes nothing now */
  add(samples: readonly LoadSample[], starts: readonly Omit<RelayStart, 'previousVersion'>[]): void {
    const database = this.#source.current;
    const addSample = database.prepare(
      `INSERT INTO relay_samples (at, load, processor_percent, memory_bytes, database_bytes, connected_devices)
       VALUES (@at, @load, @processorPercent, @memoryBytes, @databaseBytes, @connectedDevices)`,
    );
    const addStart = database.prepare('INSERT INTO relay_starts (at, version) VALUES (@at, @version)');
    database.transaction(() => {
      for (const start of starts) addStart.run(start);
      for (const sample of samples) addSample.run(sample);
      prune(database, 'relay_samples', this.#max.samples);
      prune(database, 'relay_starts', this.#max.starts);
    })();
  }

  /** When the newest sample was measured, by the clock at that time. */
  newestAt(): number | undefined {
    return this.#source.current
      .prepare<[], { at: number }>('SELECT at FROM relay_samples ORDER BY id DESC LIMIT 1')
      .get()?.at;
  }

  /** In the order of time, from `from` to `to`, both included. */
  samples(from: number, to: number): readonly LoadSample[] {
    return this.#source.current
      .prepare<[number, number], LoadSample>(
        `SELECT at, load, processor_percent AS processorPercent, memory_bytes AS memoryBytes,
           database_bytes AS databaseBytes, connected_devices AS connectedDevices
         FROM relay_samples WHERE at BETWEEN ? AND ? ORDER BY at, id`,
      )
      .all(from, to);
  }

  /** As `samples`. */
  starts(from: number, to: number): readonly RelayStart[] {
    return this.#source.current
      .prepare<[number, number], RelayStart>(
        `SELECT at, version, nullif(before, version) AS previousVersion
         FROM (SELECT id, at, version, lag(version) OVER (ORDER BY id) AS before FROM relay_starts)
         WHERE at BETWEEN ? AND ? ORDER BY at, id`,
      )
      .all(from, to);
  }
}

function prune(database: Database, table: 'relay_samples' | 'relay_starts', max: number): void {
  database.prepare(`DELETE FROM ${table} WHERE id <= (SELECT max(id) FROM ${table}) - ?`).run(max);
}
