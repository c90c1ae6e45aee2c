import type { Database } from '../../storage/database.ts';
import { ROLES, type Role } from '../access/caller.ts';

/** A user's role in a home. */
export interface Membership {
  readonly homeId: string;
  readonly userId: string;
  readonly role: Role;
  readonly createdAt: number;
}

interface MemberRow {
  home_id: string;
  user_id: string;
  role: Role;
  created_at: number;
}

/** The table `home_members`. */
export class MemberStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Oldest first. */
  load(): readonly Membership[] {
    return this.#database
      .prepare<[], MemberRow>('SELECT * FROM home_members ORDER BY created_at, user_id')
      .all()
      .filter(({ role }) => ROLES.includes(role))
      .map((row) => ({ homeId: row.home_id, userId: row.user_id, role: row.role, createdAt: row.created_at }));
  }

  /** Inserts it, or replaces the role. */
  save({ homeId, userId, role, createdAt }: Membership): void {
    this.#database
      .prepare(
        `INSERT INTO home_members (home_id, user_id, role, created_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (home_id, user_id) DO UPDATE SET role = excluded.role`,
      )
      .run(homeId, userId, role, createdAt);
  }

  delete(homeId: string, userId: string): void {
    this.#database.prepare('DELETE FROM home_members WHERE home_id = ? AND user_id = ?').run(homeId, userId);
  }
}
