import type { Database } from '../../storage/database.ts';

/** The table `signing_keys`. */
export class SigningKeyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns the value that is kept under this name: the given one only if there was none. */
  findOrInsert(name: string, value: string, createdAt: number): string {
    this.#database
      .prepare('INSERT INTO signing_keys (name, value, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
      .run(name, value, createdAt);
    const row = this.#database
      .prepare<[string], { value: string }>('SELECT value FROM signing_keys WHERE name = ?')
      .get(name);
    return row?.value ?? value;
  }
}
