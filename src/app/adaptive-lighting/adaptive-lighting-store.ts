import type { HapId } from '../../home/model.ts';
import type { Database } from '../../storage/database.ts';
import type { HomeSettings, LampRecord } from './records.ts';

interface HomeRow {
  home_id: string;
  enabled: 0 | 1;
  warmest: number;
  coldest: number;
  wake_minute: number;
  sleep_minute: number;
  pause_hours: number | null;
}

interface LampRow {
  accessory_id: string;
  service_iid: HapId;
  enabled: 0 | 1 | null;
  paused_at: number | null;
  resumes_at: number | null;
  schedule_at: number | null;
}

const MAX_MIREDS = 1_000;
const MINUTES_PER_DAY = 1_440;

/** An altered backup may hold what no operation makes: such a home has the defaults. */
function isSound({ warmest, coldest, wake_minute: wake, sleep_minute: sleep }: HomeRow): boolean {
  const areTimes = [wake, sleep].every((minute) => minute >= 0 && minute < MINUTES_PER_DAY);
  return areTimes && coldest > 0 && coldest <= warmest && warmest <= MAX_MIREDS;
}

/** The tables `adaptive_lighting_homes`, `adaptive_lighting_rooms` and `adaptive_lighting_lamps`. */
export class AdaptiveLightingStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  loadHomes(): readonly (readonly [homeId: string, settings: HomeSettings])[] {
    const rows = this.#database.prepare<[], HomeRow>('SELECT * FROM adaptive_lighting_homes').all();
    return rows
      .filter(isSound)
      .map(({ home_id, enabled, warmest, coldest, wake_minute, sleep_minute, pause_hours }) => [
        home_id,
        {
          enabled: enabled === 1,
          warmest,
          coldest,
          wakeMinute: wake_minute,
          sleepMinute: sleep_minute,
          pauseHours: pause_hours,
        },
      ]);
  }

  saveHome(homeId: string, { enabled, ...settings }: HomeSettings): void {
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO adaptive_lighting_homes
           (home_id, enabled, warmest, coldest, wake_minute, sleep_minute, pause_hours)
         VALUES (@homeId, @enabled, @warmest, @coldest, @wakeMinute, @sleepMinute, @pauseHours)`,
      )
      .run({ ...settings, homeId, enabled: Number(enabled) });
  }

  loadRooms(): readonly (readonly [roomId: string, enabled: boolean])[] {
    const rows = this.#database
      .prepare<[], { room_id: string; enabled: 0 | 1 }>('SELECT * FROM adaptive_lighting_rooms')
      .all();
    return rows.map(({ room_id, enabled }) => [room_id, enabled === 1]);
  }

  /** @param enabled `null`: as its home. */
  saveRoom(roomId: string, enabled: boolean | null): void {
    if (enabled === null) {
      this.#database.prepare('DELETE FROM adaptive_lighting_rooms WHERE room_id = ?').run(roomId);
      return;
    }
    this.#database
      .prepare('INSERT OR REPLACE INTO adaptive_lighting_rooms (room_id, enabled) VALUES (?, ?)')
      .run(roomId, Number(enabled));
  }

  loadLamps(): readonly LampRecord[] {
    const rows = this.#database.prepare<[], LampRow>('SELECT * FROM adaptive_lighting_lamps').all();
    return rows.map(({ accessory_id, service_iid, enabled, paused_at, resumes_at, schedule_at }) => ({
      accessoryId: accessory_id,
      serviceIid: service_iid,
      enabled: enabled === null ? null : enabled === 1,
      pausedAt: paused_at,
      pausedUntil: resumes_at,
      scheduleAt: schedule_at,
    }));
  }

  /** Saves lamps in one transaction. A lamp without anything of its own has no row. */
  saveLamps(lamps: readonly LampRecord[]): void {
    const remove = this.#database.prepare(
      'DELETE FROM adaptive_lighting_lamps WHERE accessory_id = @accessoryId AND service_iid = @serviceIid',
    );
    const put = this.#database.prepare(
      `INSERT OR REPLACE INTO adaptive_lighting_lamps
         (accessory_id, service_iid, enabled, paused_at, resumes_at, schedule_at)
       VALUES (@accessoryId, @serviceIid, @enabled, @pausedAt, @pausedUntil, @scheduleAt)`,
    );
    this.#database.transaction(() => {
      for (const { enabled, ...lamp } of lamps) {
        if (enabled === null && lamp.pausedAt === null && lamp.scheduleAt === null) remove.run(lamp);
        else put.run({ ...lamp, enabled: enabled === null ? null : Number(enabled) });
      }
    })();
  }
}
