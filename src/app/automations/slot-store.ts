import type { Database } from '../../storage/database.ts';

/** The stored record of one wall-clock trigger. Milliseconds since the epoch. */
export interface SlotRecord {
  /** The next due time; `null`: never, or not watched. */
  readonly nextAt: number | null;
  /** The slot that fired last, and the highest fired slot: they differ after the clock was set back. */
  readonly lastAt: number | null;
  readonly highestAt: number | null;
}

export const NO_SLOT: SlotRecord = { nextAt: null, lastAt: null, highestAt: null };

interface Row {
  key: string;
  next_at: number | null;
  last_at: number | null;
  highest_at: number | null;
}

/** The table `slots`. */
export class SlotStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  load(): Map<string, SlotRecord> {
    const rows = this.#database.prepare<[], Row>('SELECT * FROM slots').all();
    return new Map(
      rows.map((row) => [row.key, { nextAt: row.next_at, lastAt: row.last_at, highestAt: row.highest_at }]),
    );
  }

  /** @param record `undefined`: deletes the record */
  put(key: string, record: SlotRecord | undefined): void {
    if (!record) {
      this.#database.prepare('DELETE FROM slots WHERE key = ?').run(key);
      return;
    }
    this.#database
      .prepare(
        `INSERT INTO slots (key, next_at, last_at, highest_at) VALUES (@key, @nextAt, @lastAt, @highestAt)
         ON CONFLICT (key) DO UPDATE SET next_at = excluded.next_at, last_at = excluded.last_at,
           highest_at = excluded.highest_at`,
      )
      .run({ key, ...record });
  }

  /** All writes in one commit, or none. If a function passed to `step` throws, only its own writes are rolled back. */
  transaction(write: (step: (act: () => void) => void) => void): void {
    const step = (act: () => void): void => this.#database.transaction(act)();
    this.#database.transaction(() => write(step)).immediate();
  }
}
