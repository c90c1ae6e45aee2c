import type { Database } from '../../storage/database.ts';

const KEY = 'accessories.unreachable';

/** One row of the table `settings`: the ids of the unreachable accessories, as a JSON array. Most homes have none. */
export class LastReachabilityStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A corrupted value counts as an empty list: each accessory is detected again. */
  load(): readonly string[] {
    const row = this.#database
      .prepare<[string], { value: string }>('SELECT value FROM settings WHERE key = ?')
      .get(KEY);
    try {
      const ids: unknown = JSON.parse(row?.value ?? '[]');
      return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
    } catch {
      return [];
    }
  }

  save(ids: readonly string[]): void {
    this.#database
      .prepare<[string, string]>('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)')
      .run(KEY, JSON.stringify(ids));
  }
}
