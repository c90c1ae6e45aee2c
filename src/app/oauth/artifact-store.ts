import type { Database } from '../../storage/database.ts';

export type ArtifactKind = 'Grant' | 'AuthorizationCode' | 'AccessToken' | 'RefreshToken';

/** A stored grant of the authorization server, or an artifact issued from one. Times in ms since the epoch. */
export interface Artifact {
  readonly kind: ArtifactKind;
  /** SHA-256 of the value that the client holds, hex. */
  readonly idHash: string;
  /** Does not contain that value. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly clientId: string;
  readonly userId: string;
  readonly grantHash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly expiredAt: number | null;
  readonly consumedAt: number | null;
  readonly replay: Uint8Array | null;
}

export interface ArtifactKey {
  readonly kind: ArtifactKind;
  readonly idHash: string;
}

interface Row {
  kind: ArtifactKind;
  id_hash: string;
  payload: string;
  client_id: string;
  user_id: string;
  grant_hash: string;
  created_at: number;
  expires_at: number;
  expired_at: number | null;
  consumed_at: number | null;
  replay: Buffer | null;
}

/** Per grant: the limit that a faulty client may store before its oldest artifact is deleted. */
const MAX_PER_KIND = 500;

/** The table `oauth_artifacts`. */
export class ArtifactStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find({ kind, idHash }: ArtifactKey): Artifact | undefined {
    const row = this.#database
      .prepare<[string, string], Row>('SELECT * FROM oauth_artifacts WHERE kind = ? AND id_hash = ?')
      .get(kind, idHash);
    return row && toArtifact(row);
  }

  /** Inserts it, or replaces its payload. */
  save(artifact: Artifact): void {
    this.#database
      .prepare(
        `INSERT INTO oauth_artifacts (kind, id_hash, payload, client_id, user_id, grant_hash, created_at, expires_at)
         VALUES (@kind, @idHash, @payload, @clientId, @userId, @grantHash, @createdAt, @expiresAt)
         ON CONFLICT (kind, id_hash) DO UPDATE SET payload = excluded.payload`,
      )
      .run({
        kind: artifact.kind,
        idHash: artifact.idHash,
        payload: JSON.stringify(artifact.payload),
        clientId: artifact.clientId,
        userId: artifact.userId,
        grantHash: artifact.grantHash,
        createdAt: artifact.createdAt,
        expiresAt: artifact.expiresAt,
      });
  }

  /**
   * Marks artifacts as used and saves those issued for them: all or, if any was used already or its grant is gone,
   * nothing. Other stored answers of the same grant are deleted: their successor is in use.
   */
  exchange(used: readonly ArtifactKey[], issued: readonly Artifact[], at: number, replay: Uint8Array | null): boolean {
    return this.#database.transaction(() => {
      const isComplete = issued.every(({ grantHash }) => this.find({ kind: 'Grant', idHash: grantHash }));
      if (!isComplete || !used.every((key) => this.#isUnused(key))) return false;
      for (const artifact of issued) this.save(artifact);
      for (const key of used) this.#use(key, at, replay);
      for (const { kind, grantHash } of issued) this.#trim(kind, grantHash);
      return true;
    })();
  }

  setExpired({ kind, idHash }: ArtifactKey, at: number): void {
    this.#database
      .prepare('UPDATE oauth_artifacts SET expired_at = ? WHERE kind = ? AND id_hash = ?')
      .run(at, kind, idHash);
  }

  /** Records what expired by `now`, and deletes answers given before `givenBy`. */
  noteExpired(now: number, givenBy: number): void {
    this.#database
      .prepare(
        `UPDATE oauth_artifacts SET expired_at = @now
         WHERE expires_at <= @now AND expired_at IS NULL AND kind <> 'Grant'`,
      )
      .run({ now });
    this.#database
      .prepare('UPDATE oauth_artifacts SET replay = NULL WHERE replay IS NOT NULL AND consumed_at <= ?')
      .run(givenBy);
  }

  delete({ kind, idHash }: ArtifactKey): void {
    this.#database.prepare('DELETE FROM oauth_artifacts WHERE kind = ? AND id_hash = ?').run(kind, idHash);
  }

  /** Deletes the grant and everything issued from it. */
  deleteGrant(grantHash: string): void {
    this.#database.prepare('DELETE FROM oauth_artifacts WHERE grant_hash = ?').run(grantHash);
  }

  /** Grants of this user to this app, newest first. */
  grantsOf(clientId: string, userId: string): readonly string[] {
    return this.#database
      .prepare<[string, string], { id_hash: string }>(
        `SELECT id_hash FROM oauth_artifacts WHERE client_id = ? AND user_id = ? AND kind = 'Grant'
         ORDER BY created_at DESC, id_hash`,
      )
      .all(clientId, userId)
      .map((row) => row.id_hash);
  }

  /**
   * Deletes what was recorded as expired before `endedBefore`, and older grants that are empty; deletes older answers.
   */
  prune(endedBefore: number): void {
    this.#database.transaction(() => {
      this.#database.prepare('DELETE FROM oauth_artifacts WHERE expired_at < ?').run(endedBefore);
      this.#database
        .prepare(
          `DELETE FROM oauth_artifacts WHERE kind = 'Grant' AND created_at < ? AND NOT EXISTS
             (SELECT 1 FROM oauth_artifacts AS issued
              WHERE issued.grant_hash = oauth_artifacts.id_hash AND issued.kind <> 'Grant')`,
        )
        .run(endedBefore);
      this.#database
        .prepare('UPDATE oauth_artifacts SET replay = NULL WHERE replay IS NOT NULL AND consumed_at < ?')
        .run(endedBefore);
    })();
  }

  #isUnused({ kind, idHash }: ArtifactKey): boolean {
    return this.find({ kind, idHash })?.consumedAt === null;
  }

  #use({ kind, idHash }: ArtifactKey, at: number, replay: Uint8Array | null): void {
    this.#database
      .prepare(
        `UPDATE oauth_artifacts SET replay = NULL WHERE replay IS NOT NULL AND grant_hash =
           (SELECT grant_hash FROM oauth_artifacts WHERE kind = ? AND id_hash = ?)`,
      )
      .run(kind, idHash);
    this.#database
      .prepare('UPDATE oauth_artifacts SET consumed_at = ?, replay = ? WHERE kind = ? AND id_hash = ?')
      .run(at, replay && Buffer.from(replay), kind, idHash);
  }

  #trim(kind: ArtifactKind, grantHash: string): void {
    this.#database
      .prepare(
        `DELETE FROM oauth_artifacts WHERE kind = @kind AND id_hash IN
           (SELECT id_hash FROM oauth_artifacts WHERE kind = @kind AND grant_hash = @grantHash
            ORDER BY created_at DESC, consumed_at IS NULL DESC LIMIT -1 OFFSET ${MAX_PER_KIND})`,
      )
      .run({ kind, grantHash });
  }
}

function toArtifact(row: Row): Artifact {
  return {
    kind: row.kind,
    idHash: row.id_hash,
    // Only the relay writes this column.
    payload: JSON.parse(row.payload) as Artifact['payload'],
    clientId: row.client_id,
    userId: row.user_id,
    grantHash: row.grant_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    expiredAt: row.expired_at,
    consumedAt: row.consumed_at,
    replay: row.replay,
  };
}
