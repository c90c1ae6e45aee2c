import { messageOf } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/json.ts';
import { type Logger, silentLogger } from '../../../kernel/logger.ts';
import type { Database } from '../../../storage/database.ts';

export interface Hold {
  /** Milliseconds since the epoch. */
  readonly sinceAt: number;
  readonly dueAt: number;
  /** The trigger's data: the firing data. */
  readonly data: Json;
}

interface Row {
  key: string;
  since_at: number;
  due_at: number;
  data: string;
}

/**
 * The table `holds`. It is read once and then served from memory. Changes are written when the work that made them
 * returns: all changes of one event in one commit, after the automations that it starts, and before a command that
 * made the state so is answered. If the database fails, holds continue in memory and are stored with the next change.
 */
export class HoldStore {
  readonly #database: Database | null;
  readonly #logger: Logger;
  #holds: Map<string, Hold> | undefined;
  /** Keys whose rows differ from memory. */
  #unsaved = new Set<string>();
  #isScheduled = false;

  /** @param database `null`: kept in memory only (a dry run) */
  constructor(database: Database | null, logger: Logger = silentLogger) {
    this.#database = database;
    this.#logger = logger;
  }

  find(key: string): Hold | undefined {
    return this.#all().get(key);
  }

  save(key: string, hold: Hold): void {
    this.#all().set(key, hold);
    this.#touch(key);
  }

  delete(key: string): void {
    if (this.#all().delete(key)) this.#touch(key);
  }

  /** Deletes the holds of all other keys. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of [...this.#all().keys()]) if (!keys.has(key)) this.delete(key);
  }

  /**
   * Commits everything that `write` stores, here or elsewhere in the database, or nothing. @throws
   * `storage_unavailable`
   */
  transaction<T>(write: () => T): T {
    if (!this.#database) return write();
    const result = this.#database.transaction(() => {
      const written = write();
      this.#write();
      return written;
    })();
    this.#unsaved.clear();
    return result;
  }

  /** Stores pending changes now. */
  flush(): void {
    if (!this.#database || this.#unsaved.size === 0) return;
    try {
      this.#database.transaction(() => this.#write())();
      this.#unsaved.clear();
    } catch (error) {
      this.#logger.warn(
        { holds: this.#unsaved.size, error: messageOf(error) },
        'Could not save the start of a hold; the relay keeps it in memory',
      );
    }
  }

  #touch(key: string): void {
    if (!this.#database) return;
    this.#unsaved.add(key);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }

  #write(): void {
    const database = this.#database as Database;
    for (const key of this.#unsaved) {
      const hold = this.#all().get(key);
      if (!hold) {
        database.prepare('DELETE FROM holds WHERE key = ?').run(key);
        continue;
      }
      database
        .prepare(
          `INSERT INTO holds (key, since_at, due_at, data) VALUES (@key, @sinceAt, @dueAt, @data)
           ON CONFLICT (key) DO UPDATE SET since_at = excluded.since_at, due_at = excluded.due_at, data = excluded.data`,
        )
        .run({ key, sinceAt: hold.sinceAt, dueAt: hold.dueAt, data: JSON.stringify(hold.data) });
    }
  }

  #all(): Map<string, Hold> {
    this.#holds ??= this.#load();
    return this.#holds;
  }

  #load(): Map<string, Hold> {
    const rows = this.#database?.prepare<[], Row>('SELECT * FROM holds').all() ?? [];
    return new Map(
      rows.flatMap(({ key, since_at: sinceAt, due_at: dueAt, data }) => {
        const kept = readData(data);
        return kept === undefined ? [] : [[key, { sinceAt, dueAt, data: kept }] as const];
      }),
    );
  }
}

/** A row corrupted on disk is ignored. */
function readData(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
