import { NewPublication, type PublicationKind, type PublicationSelection } from '../../contract/publications.ts';
import type { Database } from '../../storage/database.ts';
import type { Publication } from './publication.ts';

interface PublicationRow {
  id: string;
  home_id: string;
  name: string;
  kind: PublicationKind;
  selection: string;
  paused: 0 | 1;
  lock_pin_hash: string | null;
  lock_pin_changes: number;
  created_at: number;
}

/** The table `publications`. */
export class PublicationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  load(): readonly Publication[] {
    return this.#database.prepare<[], PublicationRow>('SELECT * FROM publications').all().map(toPublication);
  }

  /** Runs `write` in a transaction. */
  transaction(write: () => void): void {
    this.#database.transaction(write).immediate();
  }

  /** Inserts or replaces the publication. */
  save({ selection, paused, lockPin, ...publication }: Publication): void {
    this.#database
      .prepare(
        `INSERT INTO publications (id, home_id, name, kind, selection, paused, created_at, lock_pin_hash, lock_pin_changes)
         VALUES (@id, @homeId, @name, @kind, @selection, @paused, @createdAt, @hash, @changes)
         ON CONFLICT (id) DO UPDATE SET
           name = excluded.name, selection = excluded.selection, paused = excluded.paused,
           lock_pin_hash = excluded.lock_pin_hash, lock_pin_changes = excluded.lock_pin_changes`,
      )
      .run({ ...publication, ...lockPin, selection: JSON.stringify(selection), paused: Number(paused) });
  }

  /** With everything that its kind stores of it. */
  delete(id: string): void {
    this.#database.prepare('DELETE FROM publications WHERE id = ?').run(id);
  }
}

const SELECTION = NewPublication.shape.selection;
const NOTHING: PublicationSelection = SELECTION.parse({ scope: 'selected' });

/** @returns `undefined` for a row that rotted */
function parseSelection(text: string): PublicationSelection | undefined {
  try {
    return SELECTION.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** One whose selection rotted is paused: an admin chooses again, and controllers keep what they know. */
function toPublication(row: PublicationRow): Publication {
  const selection = parseSelection(row.selection);
  return {
    id: row.id,
    homeId: row.home_id,
    name: row.name,
    kind: row.kind,
    selection: selection ?? NOTHING,
    paused: row.paused === 1 || selection === undefined,
    lockPin: { hash: row.lock_pin_hash, changes: row.lock_pin_changes },
    createdAt: row.created_at,
  };
}
