import type { ClientMetadata } from '../../contract/oauth-clients.ts';
import type { Database } from '../../storage/database.ts';

interface Row {
  id: string;
  metadata: string;
  secret_hash: string | null;
  created_at: number;
  last_used_at: number | null;
}

/** A registered app. Times in milliseconds since the epoch. */
export interface OAuthClient {
  readonly id: string;
  readonly metadata: ClientMetadata;
  /** SHA-256 of its secret, hex; `null` for a public client. */
  readonly secretHash: string | null;
  readonly createdAt: number;
  /** When it got its last token, to the minute. */
  readonly lastUsedAt: number | null;
}

/** The table `oauth_clients`. */
export class OAuthClientStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(id: string): OAuthClient | undefined {
    const row = this.#database.prepare<[string], Row>('SELECT * FROM oauth_clients WHERE id = ?').get(id);
    const metadata = row && readMetadata(row.metadata);
    return metadata && toClient(row, metadata);
  }

  insert({ id, metadata, secretHash, createdAt }: OAuthClient): void {
    this.#database
      .prepare('INSERT INTO oauth_clients (id, metadata, secret_hash, created_at) VALUES (?, ?, ?, ?)')
      .run(id, JSON.stringify(metadata), secretHash, createdAt);
  }

  setUsed(id: string, at: number): void {
    this.#database.prepare('UPDATE oauth_clients SET last_used_at = ? WHERE id = ?').run(at, id);
  }

  /** The number of apps that no user has ever authorized. */
  countUnused(): number {
    const row = this.#database
      .prepare<[], { count: number }>('SELECT count(*) AS count FROM oauth_clients WHERE last_used_at IS NULL')
      .get();
    return row?.count ?? 0;
  }

  /**
   * Deletes apps without a consent that were never used and created before `unusedBefore`, or last used before
   * `usedBefore`.
   */
  prune(unusedBefore: number, usedBefore: number): void {
    this.#database
      .prepare(
        `DELETE FROM oauth_clients
         WHERE ((last_used_at IS NULL AND created_at < ?) OR last_used_at < ?)
           AND NOT EXISTS (SELECT 1 FROM oauth_consents WHERE client_id = oauth_clients.id)`,
      )
      .run(unusedBefore, usedBefore);
  }
}

/** `undefined` for unreadable metadata: an app without known redirect URIs can't be used. */
function readMetadata(text: string): ClientMetadata | undefined {
  try {
    const metadata = JSON.parse(text) as Partial<ClientMetadata> | null;
    const uris = metadata?.redirectUris;
    const isWhole = Array.isArray(uris) && uris.length > 0 && uris.every((uri) => typeof uri === 'string');
    return isWhole ? (metadata as ClientMetadata) : undefined;
  } catch {
    return undefined;
  }
}

function toClient(row: Row, metadata: ClientMetadata): OAuthClient {
  return {
    id: row.id,
    metadata,
    secretHash: row.secret_hash,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
