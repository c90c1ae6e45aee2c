import type { Database } from '../../storage/database.ts';

/** The table `attempts`: one row a failed try. */
export class AttemptStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * When a key's tries since a moment failed, oldest first. Those of a future that a clock has been set back from are
   * moved to `now`, so that they count as long as any other and no longer.
   */
  since(key: string, from: number, now: number): readonly number[] {
    this.#database.prepare('UPDATE attempts SET at = ? WHERE key = ? AND at > ?').run(now, key, now);
    return this.#database
      .prepare<[string, number], { at: number }>('SELECT at FROM attempts WHERE key = ? AND at > ? ORDER BY at')
      .all(key, from)
      .map(({ at }) => at);
  }

  insert(key: string, at: number): void {
    this.#database.prepare('INSERT INTO attempts (key, at) VALUES (?, ?)').run(key, at);
  }

  /** Takes back one try of this moment. */
  deleteOne(key: string, at: number): void {
    this.#database
      .prepare('DELETE FROM attempts WHERE rowid = (SELECT rowid FROM attempts WHERE key = ? AND at = ? LIMIT 1)')
      .run(key, at);
  }

  deleteAll(key: string): void {
    this.#database.prepare('DELETE FROM attempts WHERE key = ?').run(key);
  }

  /** Deletes what is older than a moment, and the oldest of what is more than `most`. */
  prune(before: number, most: number): void {
    this.#database.prepare('DELETE FROM attempts WHERE at < ?').run(before);
    this.#database.prepare('DELETE FROM attempts WHERE rowid <= (SELECT max(rowid) FROM attempts) - ?').run(most);
  }
}
