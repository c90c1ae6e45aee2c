/**
 * Which lamps follow the day, and how: settings of homes, rooms and lamps, and what lamps are in the middle of. All is
 * in memory and on the disk. No rules about callers.
 */
import type { Lamp } from '../../home/adaptive-lighting/lamp.ts';
import type { HapId } from '../../home/model.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { AdaptiveLightingStore } from './adaptive-lighting-store.ts';
import type { ControllerDay } from './controller-day.ts';
import type { HomeSettings, LampChanges, LampRecord } from './records.ts';

export const NOT_PAUSED = { pausedAt: null, pausedUntil: null } as const;

const DEFAULTS: HomeSettings = {
  enabled: false,
  // 2,500 K and 5,500 K.
  warmest: 400,
  coldest: 182,
  wakeMinute: 7 * 60,
  sleepMinute: 22 * 60 + 30,
  pauseHours: null,
};

type LampId = Pick<Lamp, 'accessory' | 'service'>;

export class AdaptiveSettings implements Startable {
  readonly #store: AdaptiveLightingStore;
  readonly #homes = new Map<string, HomeSettings>();
  readonly #rooms = new Map<string, boolean>();
  readonly #lamps = new Map<string, LampRecord>();
  /** In memory alone: who wrote them keeps them. */
  readonly #days = new Map<string, ControllerDay>();

  constructor(deps: { store: AdaptiveLightingStore }) {
    this.#store = deps.store;
  }

  /** Call after the layout is loaded and before any request. */
  start(): void {
    for (const [homeId, settings] of this.#store.loadHomes()) this.#homes.set(homeId, settings);
    for (const [roomId, enabled] of this.#store.loadRooms()) this.#rooms.set(roomId, enabled);
    for (const lamp of this.#store.loadLamps()) this.#lamps.set(keyOf(lamp.accessoryId, lamp.serviceIid), lamp);
  }

  stop(): void {
    this.#homes.clear();
    this.#rooms.clear();
    this.#lamps.clear();
    this.#days.clear();
  }

  ofHome(homeId: string): HomeSettings {
    return this.#homes.get(homeId) ?? DEFAULTS;
  }

  /** `null`: as its home. */
  ofRoom(roomId: string): boolean | null {
    return this.#rooms.get(roomId) ?? null;
  }

  ofLamp({ accessory, service }: LampId): LampRecord {
    return (
      this.#lamps.get(keyOf(accessory.id, service.iid)) ?? {
        accessoryId: accessory.id,
        serviceIid: service.iid,
        enabled: null,
        ...NOT_PAUSED,
        scheduleAt: null,
      }
    );
  }

  /** Whether the lamp is to follow the day, by the setting nearest to it. */
  isEnabled(lamp: LampId): boolean {
    return this.ofLamp(lamp).enabled ?? this.isEnabledAbove(lamp);
  }

  /** What holds for a lamp without a setting of its own. */
  isEnabledAbove({ accessory }: LampId): boolean {
    return this.ofRoom(accessory.roomId) ?? this.ofHome(accessory.homeId).enabled;
  }

  /** Whether the lamp follows the day now, if it is on. */
  isFollowing(lamp: LampId): boolean {
    return this.dayFor(lamp) !== undefined || (this.isEnabled(lamp) && this.ofLamp(lamp).pausedAt === null);
  }

  /** The day that a controller wrote for it. */
  dayFor({ accessory, service }: LampId): ControllerDay | undefined {
    return this.#days.get(keyOf(accessory.id, service.iid));
  }

  setDay({ accessory, service }: LampId, day: ControllerDay | undefined): void {
    const key = keyOf(accessory.id, service.iid);
    if (day) this.#days.set(key, day);
    else this.#days.delete(key);
  }

  /** @returns the days that the accessory had */
  takeDays(accessoryId: string): readonly ControllerDay[] {
    const taken = [...this.#days].filter(([key]) => key.startsWith(`${accessoryId} `));
    for (const [key] of taken) this.#days.delete(key);
    return taken.map(([, day]) => day);
  }

  saveHome(homeId: string, settings: HomeSettings): void {
    this.#store.saveHome(homeId, settings);
    this.#homes.set(homeId, settings);
  }

  saveRoom(roomId: string, enabled: boolean | null): void {
    this.#store.saveRoom(roomId, enabled);
    if (enabled === null) this.#rooms.delete(roomId);
    else this.#rooms.set(roomId, enabled);
  }

  /** @throws what the disk answered; nothing has changed then */
  saveLamps(lamps: readonly LampId[], changes: (record: LampRecord) => LampChanges): void {
    const changed = this.#changed(lamps, changes);
    this.#store.saveLamps(changed);
    this.#put(changed);
  }

  /** As `saveLamps`, in memory alone. */
  holdLamps(lamps: readonly LampId[], changes: (record: LampRecord) => LampChanges): void {
    this.#put(this.#changed(lamps, changes));
  }

  #changed(lamps: readonly LampId[], changes: (record: LampRecord) => LampChanges): readonly LampRecord[] {
    return lamps.map((lamp) => {
      const record = this.ofLamp(lamp);
      return { ...record, ...changes(record) };
    });
  }

  #put(lamps: readonly LampRecord[]): void {
    for (const lamp of lamps) this.#lamps.set(keyOf(lamp.accessoryId, lamp.serviceIid), lamp);
  }
}

function keyOf(accessoryId: string, serviceIid: HapId): string {
  return `${accessoryId} ${serviceIid}`;
}
