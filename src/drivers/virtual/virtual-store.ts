import type { CharacteristicValue, VirtualConfig } from '../../home/model.ts';
import type { Database } from '../../storage/database.ts';
import type { Held } from './kinds/kind.ts';
import type { TimerRun } from './kinds/timer-run.ts';

export interface StoredVirtual {
  readonly source: string;
  readonly homeId: string;
  /** The initial name; later the layout holds the name. */
  readonly name: string;
  readonly config: VirtualConfig;
  readonly held: Held;
  readonly createdAt: number;
}

/** As loaded: a field that is unreadable is `undefined`, and the caller must validate every field again. */
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

  /** Whether another caller's transaction is open; writes during it are part of it. */
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

  /** Inserts or replaces the items; all or none. @param also writes in the same transaction */
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

  /** @param also writes in the same transaction */
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
