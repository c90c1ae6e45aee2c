import type { Accessory, Home, HomeLocation, Room } from '../../home/model.ts';
import { nameKey } from '../../home/names.ts';
import { isTimeZone } from '../../home/schedule/time-zones.ts';
import { type IconName, isIconName } from '../../home/vocabulary/icon-names.ts';
import { findHomeBackground, findRoomColor } from '../../home/vocabulary/room-looks.ts';
import type { Database } from '../../storage/database.ts';

/** The stored part of an accessory: its room, names and icon. Services and values come from its device. */
export interface StoredAccessory {
  readonly id: string;
  readonly homeId: string;
  readonly roomId: string;
  readonly source: string;
  readonly aid: string;
  readonly deviceName: string;
  /** The owner's name for it; overrides the device's name. */
  readonly customName: string | null;
  readonly category: number;
  readonly icon: IconName | null;
  readonly vanishedAt: number | null;
  /** When its device was unpaired. It is not shown, but its settings are kept in case it comes back. */
  readonly removedAt: number | null;
  readonly createdAt: number;
}

interface HomeRow {
  id: string;
  name: string;
  privileges: 'edit' | 'view';
  paused: 0 | 1;
  time_zone: string | null;
  latitude: number | null;
  longitude: number | null;
  radius_m: number | null;
  background: string | null;
  picture_hash: string | null;
  created_at: number;
}

const SELECT_HOMES = `SELECT homes.*, home_pictures.hash AS picture_hash
  FROM homes LEFT JOIN home_pictures ON home_pictures.home_id = homes.id`;

interface RoomRow {
  id: string;
  home_id: string;
  name: string;
  is_default: 0 | 1;
  color: string | null;
  picture_hash: string | null;
  created_at: number;
}

interface AccessoryRow {
  id: string;
  home_id: string;
  room_id: string;
  source: string;
  aid: string;
  device_name: string;
  custom_name: string | null;
  category: number;
  icon: string | null;
  vanished_at: number | null;
  removed_at: number | null;
  created_at: number;
}

/** The displayed name: the owner's, otherwise the device's. */
export function shownName({ customName, deviceName }: Pick<StoredAccessory, 'customName' | 'deviceName'>): string {
  return customName ?? deviceName;
}

/** The words are those of the tables. */
type Pictured = 'home' | 'room';

/** The tables `homes`, `home_pictures`, `rooms`, `room_pictures` and `accessories`. */
export class LayoutStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Runs `write` in a transaction. */
  transaction<T>(write: () => T): T {
    return this.#database.transaction(write).immediate();
  }

  loadHomes(): readonly Home[] {
    return this.#database.prepare<[], HomeRow>(SELECT_HOMES).all().map(toHome);
  }

  findHome(id: string): Home | undefined {
    const row = this.#database.prepare<[string], HomeRow>(`${SELECT_HOMES} WHERE homes.id = ?`).get(id);
    return row && toHome(row);
  }

  /** Inserts or replaces the home, without its picture. */
  saveHome(home: Home): void {
    this.#database
      .prepare(
        `INSERT INTO homes (id, name, name_key, privileges, paused, time_zone, latitude, longitude, radius_m, background,
           created_at)
         VALUES (@id, @name, @key, @privileges, @paused, @timeZone, @latitude, @longitude, @radiusM, @background,
           @createdAt)
         ON CONFLICT (id) DO UPDATE SET
           name = excluded.name, name_key = excluded.name_key, privileges = excluded.privileges, paused = excluded.paused,
           time_zone = excluded.time_zone, latitude = excluded.latitude, longitude = excluded.longitude,
           radius_m = excluded.radius_m, background = excluded.background`,
      )
      .run({
        id: home.id,
        name: home.name,
        key: nameKey(home.name),
        privileges: home.privileges,
        paused: home.paused ? 1 : 0,
        timeZone: home.timeZone,
        latitude: home.location?.latitude ?? null,
        longitude: home.location?.longitude ?? null,
        radiusM: home.location?.radiusM ?? null,
        background: home.background,
        createdAt: home.createdAt,
      });
  }

  /** Deletes the home with its rooms and accessories. @returns `false` if a pairing still refers to it. */
  deleteHome(id: string): boolean {
    try {
      this.#database.prepare('DELETE FROM homes WHERE id = ?').run(id);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return false;
      throw error;
    }
  }

  loadRooms(): readonly Room[] {
    return this.#database
      .prepare<[], RoomRow>(
        `SELECT rooms.*, room_pictures.hash AS picture_hash
         FROM rooms LEFT JOIN room_pictures ON room_pictures.room_id = rooms.id`,
      )
      .all()
      .map(toRoom);
  }

  /** Inserts or replaces the room, without its picture. */
  saveRoom(room: Room): void {
    this.#database
      .prepare(
        `INSERT INTO rooms (id, home_id, name, name_key, is_default, color, created_at)
         VALUES (@id, @homeId, @name, @key, @isDefault, @color, @createdAt)
         ON CONFLICT (id) DO UPDATE SET
           name = excluded.name, name_key = excluded.name_key, color = excluded.color`,
      )
      .run({ ...room, key: nameKey(room.name), isDefault: room.isDefault ? 1 : 0 });
  }

  deleteRoom(id: string): void {
    this.#database.prepare('DELETE FROM rooms WHERE id = ?').run(id);
  }

  savePicture(of: Pictured, id: string, picture: Uint8Array, hash: string): void {
    this.#database
      .prepare(
        `INSERT INTO ${of}_pictures (${of}_id, picture, hash) VALUES (?, ?, ?)
         ON CONFLICT (${of}_id) DO UPDATE SET picture = excluded.picture, hash = excluded.hash`,
      )
      .run(id, picture, hash);
  }

  findPicture(of: Pictured, id: string): Uint8Array<ArrayBuffer> | undefined {
    return this.#database
      .prepare<[string], { picture: Buffer<ArrayBuffer> }>(`SELECT picture FROM ${of}_pictures WHERE ${of}_id = ?`)
      .get(id)?.picture;
  }

  deletePicture(of: Pictured, id: string): void {
    this.#database.prepare(`DELETE FROM ${of}_pictures WHERE ${of}_id = ?`).run(id);
  }

  /** Moves everything out of a room, including removed accessories that may be paired again. */
  moveAccessories(fromRoomId: string, toRoomId: string): void {
    this.#database.prepare('UPDATE accessories SET room_id = ? WHERE room_id = ?').run(toRoomId, fromRoomId);
  }

  /** The accessories that are shown. */
  loadAccessories(): readonly StoredAccessory[] {
    return this.#accessories('removed_at IS NULL');
  }

  /** All accessories of an accessory server that are not deleted yet. */
  accessoriesOf(source: string): readonly StoredAccessory[] {
    return this.#accessories('source = ?', source);
  }

  findAccessory(id: string): StoredAccessory | undefined {
    return this.#accessories('id = ?', id)[0];
  }

  /**
   * The last four characters of every accessory and service group id in a home, including removed accessories, which
   * may come back.
   */
  idEndings(homeId: string): Set<string> {
    const rows = this.#database
      .prepare<[string, string], { ending: string }>(
        `SELECT substr(id, -4) AS ending FROM accessories WHERE home_id = ?
         UNION SELECT substr(id, -4) FROM service_groups WHERE home_id = ?`,
      )
      .all(homeId, homeId);
    return new Set(rows.map(({ ending }) => ending));
  }

  /** Inserts or replaces the accessory. */
  saveAccessory(accessory: StoredAccessory): void {
    this.#database
      .prepare(
        `INSERT INTO accessories (id, home_id, room_id, source, aid, device_name, custom_name, category, icon,
                                  vanished_at, removed_at, created_at)
         VALUES (@id, @homeId, @roomId, @source, @aid, @deviceName, @customName, @category, @icon,
                 @vanishedAt, @removedAt, @createdAt)
         ON CONFLICT (id) DO UPDATE SET
           room_id = excluded.room_id, device_name = excluded.device_name, custom_name = excluded.custom_name,
           category = excluded.category, icon = excluded.icon, vanished_at = excluded.vanished_at, removed_at = excluded.removed_at`,
      )
      .run(accessory);
  }

  deleteAccessory(id: string): void {
    this.#database.prepare('DELETE FROM accessories WHERE id = ?').run(id);
  }

  /**
   * Marks all accessories of an accessory server as removed and deletes their values. The removal time is never before
   * the creation time: right after start the clock may be in 1970, and those accessories would be deleted as soon as it
   * is correct.
   */
  removeSource(source: string, at: number): void {
    this.#database
      .prepare('DELETE FROM last_values WHERE accessory_id IN (SELECT id FROM accessories WHERE source = ?)')
      .run(source);
    this.#database
      .prepare('UPDATE accessories SET removed_at = max(?, created_at) WHERE source = ? AND removed_at IS NULL')
      .run(at, source);
  }

  /**
   * Deletes accessories that vanished or were removed before a time.
   * @param keep ids to keep.
   * @returns the deleted ids.
   */
  deleteGoneBefore(time: number, keep: ReadonlySet<string>): readonly string[] {
    return this.#database
      .prepare<[number, number, string], { id: string }>(
        `DELETE FROM accessories
         WHERE (vanished_at < ? OR removed_at < ?) AND id NOT IN (SELECT value FROM json_each(?))
         RETURNING id`,
      )
      .all(time, time, JSON.stringify([...keep]))
      .map(({ id }) => id);
  }

  #accessories(where: string, ...parameters: string[]): readonly StoredAccessory[] {
    return this.#database
      .prepare<string[], AccessoryRow>(`SELECT * FROM accessories WHERE ${where}`)
      .all(...parameters)
      .map((row) => ({
        id: row.id,
        homeId: row.home_id,
        roomId: row.room_id,
        source: row.source,
        aid: row.aid,
        deviceName: row.device_name,
        customName: row.custom_name,
        category: row.category,
        // An altered backup may hold another word.
        icon: isIconName(row.icon) ? row.icon : null,
        vanishedAt: row.vanished_at,
        removedAt: row.removed_at,
        createdAt: row.created_at,
      }));
  }
}

function toHome(row: HomeRow): Home {
  return {
    id: row.id,
    name: row.name,
    privileges: row.privileges,
    paused: row.paused === 1,
    // An altered backup may hold what is no zone or no place.
    timeZone: row.time_zone !== null && isTimeZone(row.time_zone) ? row.time_zone : null,
    location: toLocation(row),
    background: findHomeBackground(row.background) ?? null,
    pictureHash: row.picture_hash,
    createdAt: row.created_at,
  };
}

function toLocation({ latitude, longitude, radius_m: radiusM }: HomeRow): HomeLocation | null {
  if (latitude === null || longitude === null || radiusM === null) return null;
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace ? { latitude, longitude, radiusM } : null;
}

function toRoom(row: RoomRow): Room {
  return {
    id: row.id,
    homeId: row.home_id,
    name: row.name,
    isDefault: row.is_default === 1,
    color: findRoomColor(row.color) ?? null,
    pictureHash: row.picture_hash,
    createdAt: row.created_at,
  };
}

/** The home model's accessory: the stored row with the driver's last description. */
export function placeAccessory(
  stored: StoredAccessory,
  { services, virtual }: Pick<Accessory, 'services' | 'virtual'>,
): Omit<Accessory, 'reachable' | 'lastSeenAt'> {
  return {
    id: stored.id,
    homeId: stored.homeId,
    roomId: stored.roomId,
    name: shownName(stored),
    address: { source: stored.source, aid: stored.aid },
    category: stored.category,
    vanishedAt: stored.vanishedAt,
    icon: stored.icon,
    virtual,
    services,
  };
}
