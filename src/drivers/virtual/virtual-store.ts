import type { CharacteristicValue, VirtualConfig } from '../../home/model.ts';
import type { Database } from '../../storage/database.ts';
import type { Held } from './kinds/kind.ts';
import type { TimerRun } from './kinds/timer-run.ts';

export interface StoredVirtual {
  readonly source: string;
  readonly homeId: string;
  /** What it was called at first; later its name is the layout's. */
  readonly name: string;
  readonly config: VirtualConfig;
  readonly held: Held;
  readonly createdAt: number;
}

/** As read back: what a failing disk has made unreadable is `undefined`, and everything is to be checked anew. */
export interface LoadedVirtual extends Pick<StoredVirtual, 'source' | 'homeId' | 'name' | 'createdAt'> {
  readonly config: unknown;
  readonly value: unknown;
  readonly run: unknown;
}

interface Row {
  source: string;
  home_id: string;
  name: string;
  config: string;
  value: string;
  timer: string | null;
  created_at: number;
}

/** The table `virtual_accessories`. */
export class VirtualStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether somebody else writes to the database right now: what is written meanwhile is part of that. */
  get isInTransaction(): boolean {
    return this.#database.inTransaction;
  }

  load(): readonly LoadedVirtual[] {
    return this.#database
      .prepare<[], Row>('SELECT * FROM virtual_accessories ORDER BY created_at, source')
      .all()
      .map(fromRow);
  }

  find(source: string): LoadedVirtual | undefined {
    const row = this.#database.prepare<[string], Row>('SELECT * FROM virtual_accessories WHERE source = ?').get(source);
    return row && fromRow(row);
  }

  /** Inserts them, or replaces what is kept of them; all or none. @param also what else is to be written with them, or not at all. */
  save(items: readonly StoredVirtual[], also?: () => void): void {
    const insert = this.#database.prepare(
      `INSERT INTO virtual_accessories (source, home_id, name, config, value, timer, created_at)
       VALUES (@source, @homeId, @name, @config, @value, @timer, @createdAt)
       ON CONFLICT (source) DO UPDATE SET config = excluded.config, value = excluded.value, timer = excluded.timer`,
    );
    this.#database
      .transaction(() => {
        for (const { source, homeId, name, config, held, createdAt } of items) {
          insert.run({
            source,
            homeId,
            name,
            createdAt,
            config: JSON.stringify(config),
            value: JSON.stringify(held.value satisfies CharacteristicValue),
            timer: held.run === null ? null : JSON.stringify(held.run satisfies TimerRun),
          });
        }
        also?.();
      })
      .immediate();
  }

  /** @param also what else is to be written with it, or not at all. */
  delete(source: string, also: () => void): void {
    this.#database
      .transaction(() => {
        this.#database.prepare('DELETE FROM virtual_accessories WHERE source = ?').run(source);
        also();
      })
      .immediate();
  }
}

function fromRow({ source, home_id: homeId, name, config, value, timer, created_at: createdAt }: Row): LoadedVirtual {
  const run = timer === null ? null : fromJson(timer);
  return { source, homeId, name, createdAt, config: fromJson(config), value: fromJson(value), run };
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
