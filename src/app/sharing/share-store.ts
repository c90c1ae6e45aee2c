import type { AccessSchedule } from '../../contract/shares.ts';
import type { AccessType, EntityType, ShareRole } from '../../home/vocabulary/sharing.ts';
import type { Database } from '../../storage/database.ts';
import type { LinkTarget } from './share-links.ts';
import { readSchedule } from './share-schedule.ts';

export interface StoredShare extends LinkTarget {
  readonly id: string;
  readonly entityId: string;
  readonly homeId: string | null;
  readonly accessType: AccessType;
  readonly role: ShareRole;
  readonly name: string | null;
  /** Argon2id in PHC form. */
  readonly passcodeHash: string | null;
  /** The passcode is known to be long enough for the role `control`. */
  readonly hasLongPasscode: boolean;
  readonly userId: string | null;
  readonly schedule: AccessSchedule | null;
  /** The owner refuses GET for everything. */
  readonly requirePost: boolean;
  /** The end of its schedule, once it has passed: a clock set back does not reopen it. Another end does. */
  readonly expiredEnd: number | null;
  /** The owner allows GET to open, unlock or disarm. */
  readonly allowGet: boolean;
  /** The user who created it; `null` for the CLI. */
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
  long_passcode: number;
  user_id: string | null;
  access_schedule: string | null;
  require_post: number;
  expired_end: number | null;
  allow_get: number;
  maker_id: string | null;
  created_at: number;
}

const OLDEST_FIRST = 'ORDER BY created_at, rowid';

/** The tables `shares` and `share_epochs`. Triggers of the schema write the latter when the last share is deleted. */
export class ShareStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Oldest first. */
  all(): readonly StoredShare[] {
    return this.#database.prepare<[], ShareRow>(`SELECT * FROM shares ${OLDEST_FIRST}`).all().map(toShare);
  }

  /** The shares of one entity, oldest first. */
  listOf({ entityType, linkId }: LinkTarget): readonly StoredShare[] {
    return this.#database
      .prepare<[string, string], ShareRow>(`SELECT * FROM shares WHERE entity_type = ? AND link_id = ? ${OLDEST_FIRST}`)
      .all(entityType, linkId)
      .map(toShare);
  }

  /** The shares that a user created, or the CLI (`null`); oldest first. */
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

  /** How often the last share of an entity was deleted. */
  epochOf({ entityType, linkId }: LinkTarget): number {
    const row = this.#database
      .prepare<[string, string], { epoch: number }>(
        'SELECT epoch FROM share_epochs WHERE entity_type = ? AND link_id = ?',
      )
      .get(entityType, linkId);
    return row?.epoch ?? 0;
  }

  /** Inserts the share, or updates its changeable fields. */
  save(share: StoredShare): void {
    this.#database
      .prepare(
        `INSERT INTO shares (id, entity_type, entity_id, link_id, home_id, access_type, role, name, passcode_hash, long_passcode, user_id,
                             access_schedule, require_post, allow_get, maker_id, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET
           role = excluded.role, name = excluded.name, passcode_hash = excluded.passcode_hash,
           long_passcode = excluded.long_passcode, user_id = excluded.user_id,
           expired_end = CASE WHEN access_schedule IS excluded.access_schedule THEN expired_end END,
           access_schedule = excluded.access_schedule, require_post = excluded.require_post, allow_get = excluded.allow_get`,
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
        Number(share.hasLongPasscode),
        share.userId,
        share.schedule && JSON.stringify(share.schedule),
        Number(share.requirePost),
        Number(share.allowGet),
        share.makerId,
        share.createdAt,
      );
  }

  /** The shares with a schedule, which may end by itself. */
  scheduled(): readonly StoredShare[] {
    return this.#database
      .prepare<[], ShareRow>(`SELECT * FROM shares WHERE access_schedule IS NOT NULL ${OLDEST_FIRST}`)
      .all()
      .map(toShare);
  }

  setExpiredEnd(id: string, end: number): void {
    this.#database.prepare('UPDATE shares SET expired_end = ? WHERE id = ?').run(end, id);
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
    hasLongPasscode: row.long_passcode === 1,
    userId: row.user_id,
    schedule: row.access_schedule === null ? null : readSchedule(row.access_schedule),
    requirePost: row.require_post === 1,
    expiredEnd: row.expired_end,
    allowGet: row.allow_get === 1,
    makerId: row.maker_id,
    createdAt: row.created_at,
  };
}
