import type { CollectionPayload } from '../../contract/collections.ts';
import type { Database } from '../../storage/database.ts';
import { readStoredPayload } from './collection-payload.ts';

export interface StoredCollection {
  readonly id: string;
  /** The user who owns it; `null` if the CLI or a CLI token created it. */
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
  /** Cache of rows, valid while nothing in the database changes: webhooks read theirs at every event. */
  readonly #read = new Map<string, StoredCollection>();
  #changes = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The owner's collections, oldest first. */
  listOf(ownerId: string | null): readonly StoredCollection[] {
    return this.#database
      .prepare<[string | null], CollectionRow>('SELECT * FROM collections WHERE owner_id IS ? ORDER BY created_at, id')
      .all(ownerId)
      .map(toCollection);
  }

  find(id: string): StoredCollection | undefined {
    const wanted = id.toLowerCase();
    const known = this.#known(wanted);
    if (known) return known;
    const row = this.#database.prepare<[string], CollectionRow>('SELECT * FROM collections WHERE id = ?').get(wanted);
    const collection = row && toCollection(row);
    // Rows read in a transaction may be rolled back.
    if (collection && !this.#database.inTransaction) this.#read.set(wanted, collection);
    return collection;
  }

  /** Inserts the collection, or updates its name and payload. */
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

  #known(id: string): StoredCollection | undefined {
    // The number of rows that this connection, the only writer, has ever changed in any table.
    const row = this.#database.prepare<[], { changes: number }>('SELECT total_changes() AS changes').get();
    if (row?.changes !== this.#changes) this.#read.clear();
    this.#changes = row?.changes ?? 0;
    return this.#read.get(id);
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
