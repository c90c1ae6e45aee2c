import type { Database } from '../../storage/database.ts';

/** A user's session, as stored. Times in milliseconds since the epoch. */
export interface StoredSession {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When the relay first saw it expired. */
  readonly expiredAt: number | null;
  /** JWTs issued before a renewal that expire before this time have expired. */
  readonly endedBefore: number | null;
  /** To the minute. */
  readonly lastUsedAt: number | null;
  /** The device that signed in (User-Agent). */
  readonly device: string | null;
  readonly address: string | null;
  /** It does nothing but set a second step up. */
  readonly isEnrolling: boolean;
}

interface SessionRow {
  id: string;
  user_id: string;
  created_at: number;
  expires_at: number;
  expired_at: number | null;
  ended_before: number | null;
  last_used_at: number | null;
  device: string | null;
  address: string | null;
  is_enrolling: number;
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
      endedBefore: row.ended_before,
      lastUsedAt: row.last_used_at,
      device: row.device,
      address: row.address,
      isEnrolling: row.is_enrolling === 1,
    }));
  }

  /** Saves what could not be written: deletes ended sessions and inserts new ones whose account exists. */
  saveAll(begun: readonly StoredSession[], ended: Iterable<string>): void {
    this.#database.transaction(() => {
      for (const id of ended) this.delete(id);
      for (const session of begun) if (this.#hasUser(session.userId)) this.insert(session);
    })();
  }

  insert(session: StoredSession): void {
    this.#database
      .prepare(
        `INSERT INTO sessions (id, user_id, created_at, expires_at, expired_at, ended_before, last_used_at, device, address, is_enrolling)
         VALUES (@id, @userId, @createdAt, @expiresAt, @expiredAt, @endedBefore, @lastUsedAt, @device, @address, @isEnrolling)`,
      )
      .run({ ...session, isEnrolling: session.isEnrolling ? 1 : 0 });
  }

  /** The session that set a second step up is as others from now on. */
  setEnrolled(id: string): void {
    this.#database.prepare('UPDATE sessions SET is_enrolling = 0 WHERE id = ?').run(id);
  }

  setExpired(id: string, at: number): void {
    this.#database.prepare('UPDATE sessions SET expired_at = ? WHERE id = ?').run(at, id);
  }

  setEndedBefore(id: string, at: number): void {
    this.#database.prepare('UPDATE sessions SET ended_before = ? WHERE id = ?').run(at, id);
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

  #hasUser(id: string): boolean {
    return this.#database.prepare('SELECT 1 FROM users WHERE id = ?').get(id) !== undefined;
  }

  deleteOf(userId: string): void {
    this.#database.prepare('DELETE FROM sessions WHERE user_id = ?').run(userId);
  }
}
