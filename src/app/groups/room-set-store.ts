import type { Zone } from '../../home/model.ts';
import { nameKey } from '../../home/names.ts';
import type { Database } from '../../storage/database.ts';

/** Both kinds of named room sets are stored the same way, each in two tables. */
const TABLES = {
  zones: { sets: 'zones', members: 'zone_rooms', key: 'zone_id' },
  roomGroups: { sets: 'room_groups', members: 'room_group_rooms', key: 'room_group_id' },
} as const;

export type RoomSetTable = keyof typeof TABLES;

interface SetRow {
  id: string;
  home_id: string;
  name: string;
  created_at: number;
}

/**
 * The tables `zones` and `zone_rooms`, or `room_groups` and `room_group_rooms`. Deleting a room removes it from them.
 */
export class RoomSetStore {
  readonly #database: Database;
  readonly #tables: (typeof TABLES)[RoomSetTable];

  constructor(database: Database, table: RoomSetTable) {
    this.#database = database;
    this.#tables = TABLES[table];
  }

  load(): readonly Zone[] {
    const { sets, members, key } = this.#tables;
    const rooms = new Map<string, string[]>();
    const rows = this.#database
      .prepare<[], { set_id: string; room_id: string }>(
        `SELECT ${key} AS set_id, room_id FROM ${members} ORDER BY ${key}, position`,
      )
      .all();
    for (const { set_id, room_id } of rows) {
      const list = rooms.get(set_id);
      if (list) list.push(room_id);
      else rooms.set(set_id, [room_id]);
    }
    return this.#database
      .prepare<[], SetRow>(`SELECT * FROM ${sets}`)
      .all()
      .map((row) => ({
        id: row.id,
        homeId: row.home_id,
        name: row.name,
        roomIds: rooms.get(row.id) ?? [],
        createdAt: row.created_at,
      }));
  }

  /** Inserts or replaces the set in one transaction. */
  save({ id, homeId, name, roomIds, createdAt }: Zone): void {
    const { sets, members, key } = this.#tables;
    this.#database
      .transaction(() => {
        this.#database
          .prepare(
            `INSERT INTO ${sets} (id, home_id, name, name_key, created_at) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_key = excluded.name_key`,
          )
          .run(id, homeId, name, nameKey(name), createdAt);
        this.#database.prepare(`DELETE FROM ${members} WHERE ${key} = ?`).run(id);
        const insert = this.#database.prepare(`INSERT INTO ${members} (${key}, room_id, position) VALUES (?, ?, ?)`);
        for (const [position, roomId] of roomIds.entries()) insert.run(id, roomId, position);
      })
      .immediate();
  }

  delete(id: string): void {
    this.#database.prepare(`DELETE FROM ${this.#tables.sets} WHERE id = ?`).run(id);
  }
}
