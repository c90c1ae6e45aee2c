/**
 * The contents of a backup, as far as a user needs them to choose one. Read from schemas of every version: a missing
 * table counts as empty.
 */
import type * as contract from '../../contract/backups.ts';
import type { Database } from '../../storage/database.ts';

const COUNTED = ['homes', 'rooms', 'accessories', 'scenes', 'automations', 'flows', 'users'] as const;

export interface BackupContents extends contract.BackupContents {
  /** The installation that it was made by. */
  readonly instanceId: string | null;
  readonly userIds: ReadonlySet<string>;
}

/** The installation of a database; `null` before its first start. */
export function instanceOf(database: Database): string | null {
  const row = database.prepare<[], { value: string }>("SELECT value FROM settings WHERE key = 'instance.id'").get();
  return row?.value ?? null;
}

export function readContents(database: Database): BackupContents {
  const tables = new Set(
    database
      .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => name),
  );
  const count = (table: (typeof COUNTED)[number], where = ''): number => {
    if (!tables.has(table)) return 0;
    return (
      database.prepare<[], { number: number }>(`SELECT COUNT(*) AS number FROM ${table} ${where}`).get()?.number ?? 0
    );
  };
  const users = tables.has('users') ? database.prepare<[], { id: string }>('SELECT id FROM users').all() : [];
  return {
    homes: count('homes'),
    rooms: count('rooms'),
    accessories: count('accessories', 'WHERE removed_at IS NULL'),
    scenes: count('scenes', 'WHERE automation_id IS NULL'),
    automations: count('automations') + count('flows'),
    users: users.length,
    instanceId: instanceOf(database),
    userIds: new Set(users.map(({ id }) => id)),
  };
}
