import type { Database } from '../../storage/database.ts';

export type ArtifactKind = 'Grant' | 'AuthorizationCode' | 'AccessToken' | 'RefreshToken';

/** What the authorization server keeps of a grant, or of something that it issued from one. Times in ms since the epoch. */
export interface Artifact {
  readonly kind: ArtifactKind;
  /** SHA-256 of the value that clients hold, hex. */
  readonly idHash: string;
  /** Without that value. */
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

/** Of one grant: what a client that runs wild may leave behind before its oldest goes. */
const MOST_A_KIND = 500;

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
   * Uses up what is used and keeps what was issued for it: all of it or, if any of it had been used up or its grant is gone, nothing.
   * Whatever else of the same grant had an answer to give again gives it no more: its successor is in use.
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

  delete({ kind, idHash }: ArtifactKey): void {
    this.#database.prepare('DELETE FROM oauth_artifacts WHERE kind = ? AND id_hash = ?').run(kind, idHash);
  }

  /** The grant and whatever was issued from it. */
  deleteGrant(grantHash: string): void {
    this.#database.prepare('DELETE FROM oauth_artifacts WHERE grant_hash = ?').run(grantHash);
  }

  /** Grants of this app by this person, newest first. */
  grantsOf(clientId: string, userId: string): readonly string[] {
    return this.#database
      .prepare<[string, string], { id_hash: string }>(
        `SELECT id_hash FROM oauth_artifacts WHERE client_id = ? AND user_id = ? AND kind = 'Grant'
         ORDER BY created_at DESC, id_hash`,
      )
      .all(clientId, userId)
      .map((row) => row.id_hash);
  }

  /** Deletes what ended before `endedBefore`, and grants made before it that have nothing left; forgets answers given before it. */
  prune(endedBefore: number): void {
    this.#database.transaction(() => {
      this.#database
        .prepare('DELETE FROM oauth_artifacts WHERE expires_at < @endedBefore OR expired_at < @endedBefore')
        .run({ endedBefore });
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
            ORDER BY created_at DESC, consumed_at IS NULL DESC LIMIT -1 OFFSET ${MOST_A_KIND})`,
      )
      .run({ kind, grantHash });
  }
}

function toArtifact(row: Row): Artifact {
  return {
    kind: row.kind,
    idHash: row.id_hash,
    // Ours alone write it.
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
