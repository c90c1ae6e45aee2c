import type { Database } from '../../storage/database.ts';

/** Values of settings, by name. */
export type SettingWords = ReadonlyMap<string, readonly string[]>;

/** The table `relay_settings`. */
export class RelaySettingStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Skips corrupted rows. */
  load(): SettingWords {
    const rows = this.#database
      .prepare<[], { name: string; words: string }>('SELECT name, words FROM relay_settings ORDER BY name')
      .all();
    return new Map(
      rows.flatMap(({ name, words }): [string, readonly string[]][] => {
        const read = parseWords(words);
        return read ? [[name, read]] : [];
      }),
    );
  }

  /** Replaces all settings in one transaction. */
  save(settings: SettingWords): void {
    const insert = this.#database.prepare('INSERT INTO relay_settings (name, words) VALUES (?, ?)');
    this.#database.transaction(() => {
      this.#database.prepare('DELETE FROM relay_settings').run();
      for (const [name, words] of settings) insert.run(name, JSON.stringify(words));
    })();
  }
}

function parseWords(text: string): readonly string[] | undefined {
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : undefined;
  } catch {
    return undefined;
  }
}
