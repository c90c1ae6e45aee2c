import type { Database } from '../../storage/database.ts';

/** A passkey, as stored. Times in milliseconds since the epoch. */
export interface StoredPasskey {
  readonly id: string;
  readonly userId: string;
  /** As the authenticator calls it, base64url. */
  readonly credentialId: string;
  /** COSE. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** 0 of authenticators that do not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  /** The host name that it works under. */
  readonly host: string;
  readonly name: string;
  readonly isSynced: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

interface Row {
  id: string;
  user_id: string;
  credential_id: string;
  public_key: Uint8Array;
  counter: number;
  transports: string;
  host: string;
  name: string;
  is_synced: number;
  created_at: number;
  last_used_at: number | null;
}

/** The table `passkeys`. */
export class PasskeyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Oldest first. */
  listOf(userId: string): readonly StoredPasskey[] {
    return this.#database
      .prepare<[string], Row>('SELECT * FROM passkeys WHERE user_id = ? ORDER BY created_at, id')
      .all(userId)
      .map(passkeyOf);
  }

  hasAny(userId: string): boolean {
    return this.#database.prepare('SELECT 1 FROM passkeys WHERE user_id = ? LIMIT 1').get(userId) !== undefined;
  }

  findByCredential(credentialId: string): StoredPasskey | undefined {
    const row = this.#database
      .prepare<[string], Row>('SELECT * FROM passkeys WHERE credential_id = ?')
      .get(credentialId);
    return row && passkeyOf(row);
  }

  insert(passkey: StoredPasskey): void {
    this.#database
      .prepare(
        `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, transports, host, name, is_synced, created_at, last_used_at)
         VALUES (@id, @userId, @credentialId, @publicKey, @counter, @transports, @host, @name, @isSynced, @createdAt, @lastUsedAt)`,
      )
      .run({
        ...passkey,
        publicKey: Buffer.from(passkey.publicKey),
        transports: JSON.stringify(passkey.transports),
        isSynced: passkey.isSynced ? 1 : 0,
      });
  }

  rename(id: string, name: string): void {
    this.#database.prepare('UPDATE passkeys SET name = ? WHERE id = ?').run(name, id);
  }

  setUsed(id: string, counter: number, at: number): void {
    this.#database
      .prepare('UPDATE passkeys SET counter = max(counter, ?), last_used_at = ? WHERE id = ?')
      .run(counter, at, id);
  }

  delete(id: string): void {
    this.#database.prepare('DELETE FROM passkeys WHERE id = ?').run(id);
  }

  deleteOf(userId: string): void {
    this.#database.prepare('DELETE FROM passkeys WHERE user_id = ?').run(userId);
  }
}

function passkeyOf(row: Row): StoredPasskey {
  return {
    id: row.id,
    userId: row.user_id,
    credentialId: row.credential_id,
    publicKey: new Uint8Array(row.public_key),
    counter: row.counter,
    transports: JSON.parse(row.transports) as readonly string[],
    host: row.host,
    name: row.name,
    isSynced: row.is_synced === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
