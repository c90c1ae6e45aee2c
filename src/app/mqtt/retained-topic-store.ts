import type { Database } from '../../storage/database.ts';

/** The table `mqtt_topics`: the retained topics of each broker. */
export class RetainedTopicStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  load(brokerId: string): readonly string[] {
    const rows = this.#database.prepare<[string], { topic: string }>(
      'SELECT topic FROM mqtt_topics WHERE broker_id = ? ORDER BY topic',
    );
    return rows.all(brokerId).map(({ topic }) => topic);
  }

  /** Adds all in one transaction. */
  add(brokerId: string, topics: readonly string[]): void {
    const insert = this.#database.prepare<[string, string]>(
      'INSERT OR IGNORE INTO mqtt_topics (broker_id, topic) VALUES (?, ?)',
    );
    const all = this.#database.transaction(() => {
      for (const topic of topics) insert.run(brokerId, topic);
    });
    all.immediate();
  }

  /** Removes all in one transaction. */
  remove(brokerId: string, topics: readonly string[]): void {
    const remove = this.#database.prepare<[string, string]>(
      'DELETE FROM mqtt_topics WHERE broker_id = ? AND topic = ?',
    );
    const all = this.#database.transaction(() => {
      for (const topic of topics) remove.run(brokerId, topic);
    });
    all.immediate();
  }

  /** Deletes the topics of deleted brokers. @param known brokers without a row of their own. */
  forgetAbsent(known: readonly string[]): void {
    this.#database
      .prepare<[string]>(
        `DELETE FROM mqtt_topics
         WHERE broker_id NOT IN (SELECT id FROM mqtt_brokers) AND broker_id NOT IN (SELECT value FROM json_each(?))`,
      )
      .run(JSON.stringify(known));
  }
}
