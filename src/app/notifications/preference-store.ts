import type { PreferenceScope } from '../../contract/notifications.ts';
import type { Database } from '../../storage/database.ts';
import type { NotificationPreference } from './preference.ts';

interface PreferenceRow {
  id: string;
  scope: PreferenceScope;
  scope_id: string;
  push_enabled: 0 | 1;
  email_enabled: 0 | 1;
  local_enabled: 0 | 1;
}

/**
 * The table `notification_preferences`. An owner is a user's id, or `null` for the home; the table stores '' for it,
 * because '' is unique.
 */
export class PreferenceStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The global one first, then by scope and id. */
  listOf(ownerId: string | null): readonly NotificationPreference[] {
    return this.#database
      .prepare<[string], PreferenceRow>(
        `SELECT * FROM notification_preferences WHERE owner_id = ?
         ORDER BY CASE scope WHEN 'global' THEN 0 WHEN 'home' THEN 1 ELSE 2 END, scope_id`,
      )
      .all(ownerId ?? '')
      .map(toPreference);
  }

  /** Inserts it, or updates its channels; an existing one keeps its id. */
  save(ownerId: string | null, { id, scope, scopeId, channels }: NotificationPreference): void {
    this.#database
      .prepare(
        `INSERT INTO notification_preferences (id, owner_id, scope, scope_id, push_enabled, email_enabled, local_enabled)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (owner_id, scope, scope_id) DO UPDATE SET push_enabled = excluded.push_enabled,
           email_enabled = excluded.email_enabled, local_enabled = excluded.local_enabled`,
      )
      .run(
        id,
        ownerId ?? '',
        scope,
        scopeId ?? '',
        Number(channels.push),
        Number(channels.email),
        Number(channels.local),
      );
  }

  /** @returns whether it existed. */
  delete(ownerId: string | null, scope: PreferenceScope, scopeId: string | null): boolean {
    const { changes } = this.#database
      .prepare('DELETE FROM notification_preferences WHERE owner_id = ? AND scope = ? AND scope_id = ?')
      .run(ownerId ?? '', scope, scopeId ?? '');
    return changes > 0;
  }

  /** Deletes preferences of every owner for deleted homes and automations. */
  deleteOrphans(): void {
    this.#database
      .prepare(
        `DELETE FROM notification_preferences
         WHERE (scope = 'home' AND scope_id NOT IN (SELECT id FROM homes))
            OR (scope = 'automation' AND scope_id NOT IN (SELECT id FROM flows UNION SELECT id FROM automations))`,
      )
      .run();
  }

  /**
   * The home of an automation of either kind: read from their tables, so that this does not depend on the automation
   * engine.
   */
  homeOfAutomation(id: string): string | undefined {
    return this.#database
      .prepare<[string, string], { home_id: string }>(
        'SELECT home_id FROM flows WHERE id = ? UNION ALL SELECT home_id FROM automations WHERE id = ?',
      )
      .get(id, id)?.home_id;
  }
}

function toPreference(row: PreferenceRow): NotificationPreference {
  return {
    id: row.id,
    scope: row.scope,
    scopeId: row.scope_id || null,
    channels: { local: row.local_enabled === 1, push: row.push_enabled === 1, email: row.email_enabled === 1 },
  };
}
