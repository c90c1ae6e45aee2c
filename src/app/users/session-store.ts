import type { Database } from '../../storage/database.ts';

/** A sign-in of a person, as kept. Times in milliseconds since the epoch. */
export interface StoredSession {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When it was first seen past its end. */
  readonly expiredAt: number | null;
  /** To the minute. */
  readonly lastUsedAt: number | null;
  /** What it was made with (User-Agent). */
  readonly device: string | null;
  readonly address: string | null;
}

interface SessionRow {
  id: string;
  user_id: string;
  created_at: number;
  expires_at: number;
  expired_at: number | null;
  last_used_at: number | null;
  device: string | null;
  address: string | null;
}

/** The table `sessions`. */
export class SessionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Oldest first. */
  load(): readonly StoredSession[] {
    const rows = this.#database.prepare<[], SessionRow>('SELECT * FROM sessions ORDER BY created_at, id').all();
    return rows.map((row) => ({
      id: row.id,
      userId: row.user_id,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      expiredAt: row.expired_at,
      lastUsedAt: row.last_used_at,
      device: row.device,
      address: row.address,
    }));
  }

  insert(session: StoredSession): void {
    this.#database
      .prepare(
        `INSERT INTO sessions (id, user_id, created_at, expires_at, expired_at, last_used_at, device, address)
         VALUES (@id, @userId, @createdAt, @expiresAt, @expiredAt, @lastUsedAt, @device, @address)`,
      )
      .run(session);
  }

  setExpired(id: string, at: number): void {
    this.#database.prepare('UPDATE sessions SET expired_at = ? WHERE id = ?').run(at, id);
  }

  setExpiry(id: string, at: number): void {
    this.#database.prepare('UPDATE sessions SET expires_at = ? WHERE id = ?').run(at, id);
  }

  setLastUsed(id: string, at: number): void {
    this.#database.prepare('UPDATE sessions SET last_used_at = ? WHERE id = ?').run(at, id);
  }

  delete(id: string): void {
    this.#database.prepare('DELETE FROM sessions WHERE id = ?').run(id);
  }

  deleteOf(userId: string): void {
    this.#database.prepare('DELETE FROM sessions WHERE user_id = ?').run(userId);
  }
}
