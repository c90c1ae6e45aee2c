import { emailKey } from '../../contract/account-fields.ts';
import type { Database } from '../../storage/database.ts';
import type { User } from './user.ts';

/** A user as stored, including secrets. */
export interface StoredUser extends User {
  /** PHC form. */
  readonly passwordHash: string;
}

interface UserRow {
  id: string;
  email: string;
  name: string;
  password_hash: string;
  is_founder: 0 | 1;
  created_at: number;
  last_login_at: number | null;
}

const COLUMNS = 'id, email, name, password_hash, is_founder, created_at, last_login_at';

/** The table `users`. */
export class UserStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Runs `write` in a transaction. */
  transaction<T>(write: () => T): T {
    return this.#database.transaction(write).immediate();
  }

  list(): readonly StoredUser[] {
    return this.#database
      .prepare<[], UserRow>(`SELECT ${COLUMNS} FROM users ORDER BY created_at, id`)
      .all()
      .map(toUser);
  }

  count(): number {
    return this.#database.prepare<[], { n: number }>('SELECT count(*) AS n FROM users').get()?.n ?? 0;
  }

  find(id: string): StoredUser | undefined {
    const row = this.#database.prepare<[string], UserRow>(`SELECT ${COLUMNS} FROM users WHERE id = ?`).get(id);
    return row && toUser(row);
  }

  findByEmail(email: string): StoredUser | undefined {
    const row = this.#database
      .prepare<[string], UserRow>(`SELECT ${COLUMNS} FROM users WHERE email_key = ?`)
      .get(emailKey(email));
    return row && toUser(row);
  }

  founder(): StoredUser | undefined {
    const row = this.#database.prepare<[], UserRow>(`SELECT ${COLUMNS} FROM users WHERE is_founder = 1`).get();
    return row && toUser(row);
  }

  insert(user: StoredUser): void {
    this.#database
      .prepare(
        `INSERT INTO users (id, email, email_key, name, password_hash, is_founder, settings, created_at, last_login_at)
         VALUES (@id, @email, @key, @name, @passwordHash, @isFounder, '{}', @createdAt, @lastLoginAt)`,
      )
      .run({ ...user, key: emailKey(user.email), isFounder: Number(user.isFounder) });
  }

  setNameAndEmail(id: string, name: string, email: string): void {
    this.#database
      .prepare('UPDATE users SET name = ?, email = ?, email_key = ? WHERE id = ?')
      .run(name, email, emailKey(email), id);
  }

  setPassword(id: string, passwordHash: string): void {
    this.#database.prepare('UPDATE users SET password_hash = ? WHERE id = ?').run(passwordHash, id);
  }

  setLastLogin(id: string, at: number): void {
    this.#database.prepare('UPDATE users SET last_login_at = ? WHERE id = ?').run(at, id);
  }

  /** JSON as saved; `undefined` if there is no such user. */
  settingsOf(id: string): string | undefined {
    return this.#database.prepare<[string], { settings: string }>('SELECT settings FROM users WHERE id = ?').get(id)
      ?.settings;
  }

  setSettings(id: string, settings: string): void {
    this.#database.prepare('UPDATE users SET settings = ? WHERE id = ?').run(settings, id);
  }

  /**
   * Deletes the account and what belonged to it alone. Foreign keys delete sessions, memberships, invitations, consents
   * and shares; this method deletes collections, preferences and notifications. The account's access tokens are revoked
   * and stay in the list of the home, and what they made ends. A presence person stays, without an account.
   */
  delete(id: string, at: number): void {
    this.transaction(() => {
      this.#database
        .prepare(
          'UPDATE access_tokens SET revoked_at = coalesce(revoked_at, @at), made_ended_at = @at WHERE maker_id = @id',
        )
        .run({ at, id });
      this.#database.prepare('UPDATE people SET user_id = NULL WHERE user_id = ?').run(id);
      for (const table of ['collections', 'notification_preferences', 'notifications'] as const) {
        this.#database.prepare(`DELETE FROM ${table} WHERE owner_id = ?`).run(id);
      }
      this.#database.prepare('DELETE FROM users WHERE id = ?').run(id);
    });
  }
}

function toUser(row: UserRow): StoredUser {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
    isFounder: row.is_founder === 1,
    createdAt: row.created_at,
    lastLoginAt: row.last_login_at,
  };
}

/** Returns the user without secrets. */
export function presentableUser({ passwordHash: _, ...user }: StoredUser): User {
  return user;
}
