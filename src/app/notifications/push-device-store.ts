import type { PushSubscription } from '../../home/web-push.ts';
import type { Database } from '../../storage/database.ts';

/** A browser on which a person receives notifications. Times in milliseconds since the epoch. */
export interface StoredPushDevice {
  /** UUID, lower case. */
  readonly id: string;
  readonly userId: string;
  /** The session that subscribed last. */
  readonly sessionId: string;
  readonly name: string;
  readonly subscription: PushSubscription;
  readonly createdAt: number;
  readonly lastSentAt: number | null;
  /** Why the last message could not be sent; `null` if it was sent. */
  readonly failure: string | null;
}

interface PushDeviceRow extends PushSubscription {
  id: string;
  user_id: string;
  session_id: string;
  name: string;
  created_at: number;
  last_sent_at: number | null;
  failure: string | null;
}

/** The table `push_devices`. */
export class PushDeviceStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The devices of these users, oldest first. */
  listOf(userIds: readonly string[]): readonly StoredPushDevice[] {
    return this.#database
      .prepare<[string], PushDeviceRow>(
        `SELECT * FROM push_devices WHERE user_id IN (SELECT value FROM json_each(?)) ORDER BY created_at, rowid`,
      )
      .all(JSON.stringify(userIds))
      .map(toDevice);
  }

  /** Inserts it, or replaces the one with its endpoint, which keeps its id and its age if it is the same user's. */
  save({ id, userId, sessionId, name, subscription, createdAt }: StoredPushDevice): StoredPushDevice {
    const { endpoint, p256dh, auth } = subscription;
    return this.#database.transaction(() => {
      this.#database.prepare('DELETE FROM push_devices WHERE endpoint = ? AND user_id <> ?').run(endpoint, userId);
      const row = this.#database
        .prepare<unknown[], PushDeviceRow>(
          `INSERT INTO push_devices (id, user_id, session_id, name, endpoint, p256dh, auth, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (endpoint) DO UPDATE SET session_id = excluded.session_id, name = excluded.name,
             p256dh = excluded.p256dh, auth = excluded.auth, failure = NULL
           RETURNING *`,
        )
        .get(id, userId, sessionId, name, endpoint, p256dh, auth, createdAt) as PushDeviceRow;
      return toDevice(row);
    })();
  }

  setSent(id: string, at: number): void {
    this.#database.prepare('UPDATE push_devices SET last_sent_at = ?, failure = NULL WHERE id = ?').run(at, id);
  }

  setFailure(id: string, failure: string): void {
    this.#database.prepare('UPDATE push_devices SET failure = ? WHERE id = ?').run(failure, id);
  }

  delete(id: string): void {
    this.#database.prepare('DELETE FROM push_devices WHERE id = ?').run(id);
  }

  deleteOfUser(userId: string): void {
    this.#database.prepare('DELETE FROM push_devices WHERE user_id = ?').run(userId);
  }

  deleteOfSession(sessionId: string): void {
    this.#database.prepare('DELETE FROM push_devices WHERE session_id = ?').run(sessionId);
  }
}

function toDevice(row: PushDeviceRow): StoredPushDevice {
  const { endpoint, p256dh, auth } = row;
  return {
    id: row.id,
    userId: row.user_id,
    sessionId: row.session_id,
    name: row.name,
    subscription: { endpoint, p256dh, auth },
    createdAt: row.created_at,
    lastSentAt: row.last_sent_at,
    failure: row.failure,
  };
}
