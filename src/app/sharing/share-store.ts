import type { Database } from '../../storage/database.ts';
import type { AccessType, EntityType, ShareRole } from './share.ts';
import type { LinkTarget } from './share-links.ts';
import type { AccessSchedule } from './share-schedule.ts';

export interface StoredShare extends LinkTarget {
  readonly id: string;
  readonly entityId: string;
  readonly homeId: string | null;
  readonly accessType: AccessType;
  readonly role: ShareRole;
  readonly name: string | null;
  /** Argon2id in PHC form. */
  readonly passcodeHash: string | null;
  readonly userId: string | null;
  readonly schedule: AccessSchedule | null;
  readonly requirePost: boolean;
  /** The user who made it; `null` for the CLI. */
  readonly makerId: string | null;
  readonly createdAt: number;
}

interface ShareRow {
  id: string;
  entity_type: EntityType;
  entity_id: string;
  link_id: string;
  home_id: string | null;
  access_type: AccessType;
  role: ShareRole;
  name: string | null;
  passcode_hash: string | null;
  user_id: string | null;
  access_schedule: string | null;
  require_post: number;
  maker_id: string | null;
  created_at: number;
}

const OLDEST_FIRST = 'ORDER BY created_at, rowid';

/** The tables `shares` and `share_epochs`. The latter is written by the schema itself, whenever a last share goes. */
export class ShareStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Oldest first. */
  all(): readonly StoredShare[] {
    return this.#database.prepare<[], ShareRow>(`SELECT * FROM shares ${OLDEST_FIRST}`).all().map(toShare);
  }

  /** Those of one entity, oldest first. */
  listOf({ entityType, linkId }: LinkTarget): readonly StoredShare[] {
    return this.#database
      .prepare<[string, string], ShareRow>(`SELECT * FROM shares WHERE entity_type = ? AND link_id = ? ${OLDEST_FIRST}`)
      .all(entityType, linkId)
      .map(toShare);
  }

  /** Those that a user made, or that the CLI did (`null`); oldest first. */
  madeBy(makerId: string | null): readonly StoredShare[] {
    return this.#database
      .prepare<[string | null], ShareRow>(`SELECT * FROM shares WHERE maker_id IS ? ${OLDEST_FIRST}`)
      .all(makerId)
      .map(toShare);
  }

  find(id: string): StoredShare | undefined {
    const row = this.#database.prepare<[string], ShareRow>('SELECT * FROM shares WHERE id = ?').get(id.toLowerCase());
    return row && toShare(row);
  }

  /** How often the last share of an entity has gone. */
  epochOf({ entityType, linkId }: LinkTarget): number {
    const row = this.#database
      .prepare<[string, string], { epoch: number }>(
        'SELECT epoch FROM share_epochs WHERE entity_type = ? AND link_id = ?',
      )
      .get(entityType, linkId);
    return row?.epoch ?? 0;
  }

  /** Inserts the share, or replaces what of it can change. */
  save(share: StoredShare): void {
    this.#database
      .prepare(
        `INSERT INTO shares (id, entity_type, entity_id, link_id, home_id, access_type, role, name, passcode_hash, user_id,
                             access_schedule, require_post, maker_id, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET
           role = excluded.role, name = excluded.name, passcode_hash = excluded.passcode_hash, user_id = excluded.user_id,
           access_schedule = excluded.access_schedule, require_post = excluded.require_post`,
      )
      .run(
        share.id,
        share.entityType,
        share.entityId,
        share.linkId,
        share.homeId,
        share.accessType,
        share.role,
        share.name,
        share.passcodeHash,
        share.userId,
        share.schedule && JSON.stringify(share.schedule),
        Number(share.requirePost),
        share.makerId,
        share.createdAt,
      );
  }

  delete(id: string): void {
    this.#database.prepare('DELETE FROM shares WHERE id = ?').run(id);
  }

  transaction<T>(act: () => T): T {
    return this.#database.transaction(act)();
  }
}

function toShare(row: ShareRow): StoredShare {
  return {
    id: row.id,
    entityType: row.entity_type,
    entityId: row.entity_id,
    linkId: row.link_id,
    homeId: row.home_id,
    accessType: row.access_type,
    role: row.role,
    name: row.name,
    passcodeHash: row.passcode_hash,
    userId: row.user_id,
    schedule: row.access_schedule === null ? null : (JSON.parse(row.access_schedule) as AccessSchedule),
    requirePost: row.require_post === 1,
    makerId: row.maker_id,
    createdAt: row.created_at,
  };
}
