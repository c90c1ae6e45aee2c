import { SERVICE_GROUP_KINDS, type ServiceGroup, type ServiceGroupKind, type ServiceRef } from '../../home/model.ts';
import { nameKey } from '../../home/names.ts';
import { isIconName } from '../../home/vocabulary/icon-names.ts';
import type { Database } from '../../storage/database.ts';

interface GroupRow {
  id: string;
  home_id: string;
  name: string;
  kind: string;
  members: string;
  icon: string | null;
  created_at: number;
}

/** The table `service_groups`. */
export class ServiceGroupStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  load(): readonly ServiceGroup[] {
    return this.#database.prepare<[], GroupRow>('SELECT * FROM service_groups').all().flatMap(toGroup);
  }

  /** Inserts or replaces the group. */
  save({ id, homeId, name, kind, members, icon, createdAt }: ServiceGroup): void {
    this.#database
      .prepare(
        `INSERT INTO service_groups (id, home_id, name, name_key, kind, members, icon, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET
           name = excluded.name, name_key = excluded.name_key, kind = excluded.kind, members = excluded.members,
           icon = excluded.icon`,
      )
      .run(id, homeId, name, nameKey(name), kind, JSON.stringify(members), icon, createdAt);
  }

  delete(id: string): void {
    this.#database.prepare('DELETE FROM service_groups WHERE id = ?').run(id);
  }
}

/** A group with corrupted members keeps its name and id, so that new members can be set. */
function toGroup(row: GroupRow): readonly ServiceGroup[] {
  const kind = SERVICE_GROUP_KINDS.find((one) => one === row.kind) satisfies ServiceGroupKind | undefined;
  if (!kind) return [];
  return [
    {
      id: row.id,
      homeId: row.home_id,
      name: row.name,
      kind,
      members: parseMembers(row.members),
      icon: isIconName(row.icon) ? row.icon : null,
      createdAt: row.created_at,
    },
  ];
}

function parseMembers(text: string): readonly ServiceRef[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter(isServiceRef) : [];
  } catch {
    return [];
  }
}

function isServiceRef(input: unknown): input is ServiceRef {
  if (typeof input !== 'object' || input === null) return false;
  const { accessoryId, serviceIid } = input as Partial<Record<keyof ServiceRef, unknown>>;
  return typeof accessoryId === 'string' && typeof serviceIid === 'string';
}
