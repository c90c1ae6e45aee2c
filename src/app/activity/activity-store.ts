import type { ActivityActor, ActivityRecord, ActivitySubject } from '../../contract/activity.ts';
import type { ActivityKind, ActorKind } from '../../home/vocabulary/activity-words.ts';
import type { DisposableDatabase } from '../../storage/disposable-database.ts';

export type NewEntry = Omit<ActivityRecord, 'id'>;

/** A page of entries, newest first. */
export interface ActivityPage {
  /** Only of these homes. */
  readonly homeIds: readonly string[];
  readonly roomId?: string | undefined;
  readonly accessoryId?: string | undefined;
  readonly actorKind?: ActorKind | undefined;
  readonly actorId?: string | undefined;
  readonly kind?: ActivityKind | undefined;
  /** Only entries with smaller ids. */
  readonly before: number;
  /** Only entries with this id or a greater one. */
  readonly from: number;
  readonly limit: number;
}

interface Row {
  id: number;
  at: number;
  home_id: string;
  kind: ActivityKind;
  subject_type: ActivitySubject['type'];
  subject_id: string;
  subject_name: string;
  room_id: string | null;
  room_name: string | null;
  characteristic: string | null;
  value: string | null;
  actor_kind: ActorKind;
  actor_id: string;
  actor_name: string | null;
  run_id: string | null;
}

/** The conditions of a page by its fields. */
const CONDITIONS = {
  roomId: 'room_id = @roomId',
  accessoryId: "subject_id = @accessoryId AND subject_type = 'accessory'",
  actorKind: 'actor_kind = @actorKind',
  actorId: 'actor_id = @actorId',
  kind: 'kind = @kind',
} as const satisfies Partial<Record<keyof ActivityPage, string>>;

/** The table `activity` of history.db. Every method throws `storage_unavailable` while the file can't be used. */
export class ActivityStore {
  readonly #source: Pick<DisposableDatabase, 'current'>;

  constructor(source: Pick<DisposableDatabase, 'current'>) {
    this.#source = source;
  }

  /** Saves entries in one transaction, and deletes the oldest of more than `max`. */
  insert(entries: readonly NewEntry[], max: number): void {
    const database = this.#source.current;
    const put = database.prepare(
      `INSERT INTO activity (at, home_id, kind, subject_type, subject_id, subject_name, room_id, room_name,
         characteristic, value, actor_kind, actor_id, actor_name, run_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    database.transaction(() => {
      let lastId = 0;
      for (const { at, homeId, kind, subject, roomId, roomName, characteristic, value, actor, runId } of entries) {
        const what = [
          at,
          homeId,
          kind,
          subject.type,
          subject.id,
          subject.name,
          roomId,
          roomName,
          characteristic,
          value,
        ];
        lastId = Number(put.run(...what, actor.kind, actor.id ?? '', actor.name, runId).lastInsertRowid);
      }
      database.prepare('DELETE FROM activity WHERE id <= ?').run(lastId - max);
    })();
  }

  /** The range of ids, from the oldest to after the newest. */
  range(): { readonly from: number; readonly to: number } {
    const row = this.#source.current
      .prepare<[], { first: number | null; last: number | null }>(
        'SELECT (SELECT min(id) FROM activity) AS first, (SELECT max(id) FROM activity) AS last',
      )
      .get();
    return { from: row?.first ?? 0, to: (row?.last ?? -1) + 1 };
  }

  /** Newest first. Without an accessory it looks at every entry of the range of ids. */
  list(page: ActivityPage): readonly ActivityRecord[] {
    const { homeIds, ...rest } = page;
    const conditions = Object.entries(CONDITIONS).flatMap(([field, condition]) =>
      page[field as keyof typeof CONDITIONS] === undefined ? [] : [condition],
    );
    // The plus keeps the database from an index that is not in the order of the ids.
    const range = 'id >= @from AND id < @before AND +home_id IN (SELECT value FROM json_each(@homes))';
    return this.#source.current
      .prepare<[object], Row>(
        `SELECT * FROM activity WHERE ${[range, ...conditions].join(' AND ')} ORDER BY id DESC LIMIT @limit`,
      )
      .all({ ...given(rest), homes: JSON.stringify(homeIds) })
      .map(toRecord);
  }

  /** The newest entry about a scene. */
  latestOfScene(sceneId: string): ActivityRecord | undefined {
    const row = this.#source.current
      .prepare<[string], Row>(
        "SELECT * FROM activity WHERE subject_id = ? AND subject_type = 'scene' ORDER BY id DESC LIMIT 1",
      )
      .get(sceneId);
    return row && toRecord(row);
  }

  /** Each actor of a home with its last name. It takes one step in the index for each. */
  actors(homeId: string): readonly ActivityActor[] {
    const database = this.#source.current;
    const next = database.prepare<[string, string, string], Pick<Row, 'actor_kind' | 'actor_id'>>(
      `SELECT actor_kind, actor_id FROM activity WHERE home_id = ? AND (actor_kind, actor_id) > (?, ?)
       ORDER BY actor_kind, actor_id LIMIT 1`,
    );
    const latest = database.prepare<[string, string, string], Pick<Row, 'actor_kind' | 'actor_id' | 'actor_name'>>(
      `SELECT actor_kind, actor_id, actor_name FROM activity WHERE home_id = ? AND actor_kind = ? AND actor_id = ?
       ORDER BY id DESC LIMIT 1`,
    );
    const actors: ActivityActor[] = [];
    for (let at = next.get(homeId, '', ''); at; at = next.get(homeId, at.actor_kind, at.actor_id)) {
      const row = latest.get(homeId, at.actor_kind, at.actor_id);
      if (row) actors.push(actorOf(row));
    }
    return actors;
  }

  /** Deletes some of the entries from before then. @returns how many */
  deleteBefore(at: number, atMost: number): number {
    return this.#source.current
      .prepare('DELETE FROM activity WHERE id IN (SELECT id FROM activity WHERE at < ? LIMIT ?)')
      .run(at, atMost).changes;
  }

  /** As `deleteBefore`, of one home, or of one accessory in it. */
  erase(homeId: string, accessoryId: string | undefined, before: number, atMost: number): number {
    // Each has an index of its own; the plus keeps the database from the one of the home.
    const which = accessoryId === undefined ? 'home_id = @homeId' : 'subject_id = @accessoryId AND +home_id = @homeId';
    return this.#source.current
      .prepare(
        `DELETE FROM activity WHERE id IN (SELECT id FROM activity WHERE ${which} AND +at < @before LIMIT @atMost)`,
      )
      .run(given({ homeId, accessoryId, before, atMost })).changes;
  }
}

function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function toRecord(row: Row): ActivityRecord {
  return {
    id: String(row.id),
    at: row.at,
    homeId: row.home_id,
    kind: row.kind,
    subject: { type: row.subject_type, id: row.subject_id, name: row.subject_name },
    roomId: row.room_id,
    roomName: row.room_name,
    characteristic: row.characteristic,
    value: row.value,
    actor: actorOf(row),
    runId: row.run_id,
  };
}

function actorOf(row: Pick<Row, 'actor_kind' | 'actor_id' | 'actor_name'>): ActivityActor {
  return { kind: row.actor_kind, id: row.actor_id === '' ? null : row.actor_id, name: row.actor_name };
}
