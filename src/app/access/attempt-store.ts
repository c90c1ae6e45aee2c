import type { Database } from '../../storage/database.ts';

/** The table `attempts`: one row per failed attempt. */
export class AttemptStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The times of a key's failed attempts, oldest first. */
  list(key: string): readonly number[] {
    return this.#database
      .prepare<[string], { at: number }>('SELECT at FROM attempts WHERE key = ? ORDER BY at')
      .all(key)
      .map(({ at }) => at);
  }

  /** Replaces a key's attempts. */
  replace(key: string, times: readonly number[]): void {
    this.#database.transaction(() => {
      this.deleteAll(key);
      for (const at of times) this.insert(key, at);
    })();
  }

  insert(key: string, at: number): void {
    this.#database.prepare('INSERT INTO attempts (key, at) VALUES (?, ?)').run(key, at);
  }

  /** Deletes one attempt of this moment. */
  deleteOne(key: string, at: number): void {
    this.#database
      .prepare('DELETE FROM attempts WHERE rowid = (SELECT rowid FROM attempts WHERE key = ? AND at = ? LIMIT 1)')
      .run(key, at);
  }

  deleteAll(key: string): void {
    this.#database.prepare('DELETE FROM attempts WHERE key = ?').run(key);
  }

  /** Deletes rows older than a moment, and the oldest rows beyond `most`. */
  prune(before: number, most: number): void {
    this.#database.prepare('DELETE FROM attempts WHERE at < ?').run(before);
    this.#database.prepare('DELETE FROM attempts WHERE rowid <= (SELECT max(rowid) FROM attempts) - ?').run(most);
  }
}
