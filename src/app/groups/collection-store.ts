import type { Database } from '../../storage/database.ts';
import { type CollectionPayload, readStoredPayload } from './collection-payload.ts';

export interface StoredCollection {
  readonly id: string;
  /** The user whose it is; `null` for one made by the CLI or by a token of it. */
  readonly ownerId: string | null;
  readonly name: string;
  readonly payload: CollectionPayload;
  readonly createdAt: number;
}

interface CollectionRow {
  id: string;
  owner_id: string | null;
  name: string;
  payload: string;
  created_at: number;
}

/** The table `collections`. */
export class CollectionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Those of one owner, oldest first. */
  listOf(ownerId: string | null): readonly StoredCollection[] {
    return this.#database
      .prepare<[string | null], CollectionRow>('SELECT * FROM collections WHERE owner_id IS ? ORDER BY created_at, id')
      .all(ownerId)
      .map(toCollection);
  }

  find(id: string): StoredCollection | undefined {
    const row = this.#database
      .prepare<[string], CollectionRow>('SELECT * FROM collections WHERE id = ?')
      .get(id.toLowerCase());
    return row && toCollection(row);
  }

  /** Inserts the collection, or replaces its name and what is in it. */
  save({ id, ownerId, name, payload, createdAt }: StoredCollection): void {
    this.#database
      .prepare(
        `INSERT INTO collections (id, owner_id, name, payload, created_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, payload = excluded.payload`,
      )
      .run(id, ownerId, name, JSON.stringify(payload), createdAt);
  }

  delete(id: string): void {
    this.#database.prepare('DELETE FROM collections WHERE id = ?').run(id);
  }
}

function toCollection(row: CollectionRow): StoredCollection {
  return {
    id: row.id,
    ownerId: row.owner_id,
    name: row.name,
    payload: readStoredPayload(row.payload),
    createdAt: row.created_at,
  };
}
