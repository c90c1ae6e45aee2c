import type { Database } from '../../storage/database.ts';
import type { AccessToken } from './access-token.ts';
import type { HomePermissions } from './caller.ts';

interface Row {
  id: string;
  name: string;
  hash: string;
  prefix: string;
  home_permissions: string | null;
  maker_id: string | null;
  created_at: number;
  expires_at: number | null;
  expired_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
  made_ended_at: number | null;
}

/** The table `access_tokens`. */
export class AccessTokenStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** All tokens, oldest first, including revoked and expired ones. */
  load(): readonly AccessToken[] {
    const rows = this.#database.prepare<[], Row>('SELECT * FROM access_tokens ORDER BY created_at, id').all();
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      hash: row.hash,
      tokenPrefix: row.prefix,
      homePermissions: row.home_permissions === null ? null : readPermissions(row.home_permissions),
      makerId: row.maker_id,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      expiredAt: row.expired_at,
      lastUsedAt: row.last_used_at,
      revokedAt: row.revoked_at,
      madeEndedAt: row.made_ended_at,
    }));
  }

  insert(token: AccessToken): void {
    this.#database
      .prepare(
        `INSERT INTO access_tokens (id, name, hash, prefix, home_permissions, maker_id, created_at, expires_at)
         VALUES (@id, @name, @hash, @tokenPrefix, @permissions, @makerId, @createdAt, @expiresAt)`,
      )
      .run({
        id: token.id,
        name: token.name,
        hash: token.hash,
        tokenPrefix: token.tokenPrefix,
        permissions: token.homePermissions === null ? null : JSON.stringify(token.homePermissions),
        makerId: token.makerId,
        createdAt: token.createdAt,
        expiresAt: token.expiresAt,
      });
  }

  setRevoked(id: string, at: number): void {
    this.#database.prepare('UPDATE access_tokens SET revoked_at = ? WHERE id = ?').run(at, id);
  }

  setMadeEnded(id: string, at: number): void {
    this.#database.prepare('UPDATE access_tokens SET made_ended_at = ? WHERE id = ?').run(at, id);
  }

  setExpired(id: string, at: number): void {
    this.#database.prepare('UPDATE access_tokens SET expired_at = ? WHERE id = ?').run(at, id);
  }

  setLastUsed(id: string, at: number): void {
    this.#database.prepare('UPDATE access_tokens SET last_used_at = ? WHERE id = ?').run(at, id);
  }
}

/** Unreadable permissions (a damaged disk) permit nothing; the other tokens still load. */
export function readPermissions(text: string): HomePermissions {
  try {
    const levels = Object.entries(JSON.parse(text) ?? {});
    return Object.fromEntries(levels.filter((entry): entry is [string, Level] => isLevel(entry[1])));
  } catch {
    return {};
  }
}

type Level = NonNullable<HomePermissions>[string];

function isLevel(value: unknown): value is Level {
  return value === 'control' || value === 'view';
}
