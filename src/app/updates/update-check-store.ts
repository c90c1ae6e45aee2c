import type { Database } from '../../storage/database.ts';

export interface StoredUpdateCheck {
  /** When it asked last. */
  readonly askedAt: number | null;
  /** The last release that the registry named. */
  readonly latest: string | null;
}

const KEY = 'updates.check';
const NOTHING: StoredUpdateCheck = { askedAt: null, latest: null };

/** A row of the table `settings`. */
export class UpdateCheckStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A damaged row reads as none. */
  load(): StoredUpdateCheck {
    const row = this.#database
      .prepare<[string], { value: string }>('SELECT value FROM settings WHERE key = ?')
      .get(KEY);
    return row ? (parse(row.value) ?? NOTHING) : NOTHING;
  }

  save(check: StoredUpdateCheck): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)')
      .run(KEY, JSON.stringify(check));
  }
}

function parse(text: string): StoredUpdateCheck | undefined {
  try {
    const { askedAt, latest } = JSON.parse(text) as Partial<Record<keyof StoredUpdateCheck, unknown>>;
    return {
      askedAt: typeof askedAt === 'number' && Number.isFinite(askedAt) ? askedAt : null,
      latest: typeof latest === 'string' ? latest : null,
    };
  } catch {
    return undefined;
  }
}
