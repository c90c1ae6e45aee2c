import type { Database } from '../../storage/database.ts';

/** The table `signing_keys`. */
export class SigningKeyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(name: string): string | undefined {
    return this.#database
      .prepare<[string], { value: string }>('SELECT value FROM signing_keys WHERE name = ?')
      .get(name)?.value;
  }

  /** @returns the value stored under this name; inserts the given one if there was none. */
  findOrInsert(name: string, value: string, createdAt: number): string {
    const known = this.find(name);
    if (known !== undefined) return known;
    this.#database
      .prepare('INSERT INTO signing_keys (name, value, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
      .run(name, value, createdAt);
    return this.find(name) ?? value;
  }
}
