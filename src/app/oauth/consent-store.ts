import type { ScopeLevel } from '../../contract/oauth-scope.ts';
import type { Database } from '../../storage/database.ts';
import { readPermissions } from '../access/access-token-store.ts';
import type { HomePermissions } from '../access/caller.ts';
import type { ResourceKind } from './resource.ts';

interface Row {
  client_id: string;
  user_id: string;
  scope: ScopeLevel;
  home_permissions: string | null;
  resource: ResourceKind;
  created_at: number;
  last_used_at: number | null;
}

/** A user's consent to an app. Times in milliseconds since the epoch. */
export interface Consent {
  readonly clientId: string;
  readonly userId: string;
  readonly scope: ScopeLevel;
  /** `null`: all homes. */
  readonly homePermissions: HomePermissions;
  readonly resource: ResourceKind;
  readonly createdAt: number;
  /** To the minute. */
  readonly lastUsedAt: number | null;
}

/** The table `oauth_consents`. */
export class ConsentStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Runs `write` in a transaction. */
  transaction(write: () => void): void {
    this.#database.transaction(write)();
  }

  find(clientId: string, userId: string): Consent | undefined {
    const row = this.#database
      .prepare<[string, string], Row>('SELECT * FROM oauth_consents WHERE client_id = ? AND user_id = ?')
      .get(clientId, userId);
    return row && toConsent(row);
  }

  /** Oldest first. @param userId `null` for all users */
  list(userId: string | null): readonly Consent[] {
    return this.#database
      .prepare<{ userId: string | null }, Row>(
        `SELECT * FROM oauth_consents WHERE @userId IS NULL OR user_id = @userId
         ORDER BY created_at, client_id, user_id`,
      )
      .all({ userId })
      .map(toConsent);
  }

  /** Inserts it, or replaces the earlier consent. */
  save(
    { clientId, userId, scope, homePermissions, resource }: Omit<Consent, 'createdAt' | 'lastUsedAt'>,
    at: number,
  ): void {
    this.#database
      .prepare(
        `INSERT INTO oauth_consents (client_id, user_id, scope, home_permissions, resource, created_at, updated_at)
         VALUES (@clientId, @userId, @scope, @permissions, @resource, @at, @at)
         ON CONFLICT (client_id, user_id) DO UPDATE SET scope = excluded.scope,
           home_permissions = excluded.home_permissions, resource = excluded.resource, updated_at = excluded.updated_at`,
      )
      .run({
        clientId,
        userId,
        scope,
        permissions: homePermissions === null ? null : JSON.stringify(homePermissions),
        resource,
        at,
      });
  }

  setUsed(clientId: string, userId: string, at: number): void {
    this.#database
      .prepare('UPDATE oauth_consents SET last_used_at = ? WHERE client_id = ? AND user_id = ?')
      .run(at, clientId, userId);
  }

  /**
   * Deletes consents with everything issued under them. @param userId `null` for all users. @returns how many there
   * were
   */
  delete(clientId: string, userId: string | null): number {
    const pair = { clientId, userId };
    return this.#database.transaction(() => {
      this.#database
        .prepare('DELETE FROM oauth_artifacts WHERE client_id = @clientId AND (@userId IS NULL OR user_id = @userId)')
        .run(pair);
      return this.#database
        .prepare('DELETE FROM oauth_consents WHERE client_id = @clientId AND (@userId IS NULL OR user_id = @userId)')
        .run(pair).changes;
    })();
  }
}

function toConsent(row: Row): Consent {
  return {
    clientId: row.client_id,
    userId: row.user_id,
    scope: row.scope,
    homePermissions: row.home_permissions === null ? null : readPermissions(row.home_permissions),
    resource: row.resource,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
