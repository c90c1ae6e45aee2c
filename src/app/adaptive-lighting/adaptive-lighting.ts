/** Adaptive lighting as operations: settings of a home, its rooms and its lamps. */
import { AdaptiveLightingChanges, NewAdaptiveSetting } from '../../contract/adaptive-lighting.ts';
import { parseInput } from '../../contract/parse.ts';
import { colourAt } from '../../home/adaptive-lighting/curve.ts';
import { type Lamp, lampsOf } from '../../home/adaptive-lighting/lamp.ts';
import type { AdaptiveSetting } from '../../home/adaptive-lighting/setting.ts';
import type { Accessory, HapId, Home, Room } from '../../home/model.ts';
import { zoneOf } from '../../home/schedule/time-zones.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { AccessLevel } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { type AdaptiveSettings, NOT_PAUSED } from './adaptive-settings.ts';
import type { ControllerDay } from './controller-day.ts';
import type { Follower } from './follower.ts';
import type { HomeSettings, LampRecord } from './records.ts';

const MINUTES_PER_HOUR = 60;

export interface LampReport {
  readonly record: LampRecord;
  readonly setting: AdaptiveSetting;
  readonly status: 'following' | 'paused' | 'off';
  readonly runBy: 'relay' | 'lamp';
}

export interface HomeReport {
  readonly homeId: string;
  readonly settings: HomeSettings;
  /** Now, at full brightness. */
  readonly mireds: number;
  readonly rooms: readonly { readonly roomId: string; readonly setting: AdaptiveSetting }[];
  readonly lamps: readonly LampReport[];
}

interface AdaptiveLightingDeps extends AppDeps<'state' | 'access' | 'clock'> {
  readonly settings: AdaptiveSettings;
  readonly follower: Pick<Follower, 'settingsChanged' | 'runsItself' | 'beginDay' | 'takeDay' | 'endDay'>;
}

export class AdaptiveLighting {
  readonly #deps: AdaptiveLightingDeps;

  constructor(deps: AdaptiveLightingDeps) {
    this.#deps = deps;
  }

  /** The settings of a home with its rooms and lamps. Requires view access. @throws `home_not_found` */
  get(caller: Caller, homeId: string): HomeReport {
    return this.#report(this.#home(caller, 'view', homeId));
  }

  /**
   * Changes the settings of a home. Requires an admin. @throws `home_not_found` · `insufficient_permissions` ·
   * `invalid_value` naming the field
   */
  update(caller: Caller, homeId: string, input: AdaptiveLightingChanges): HomeReport {
    const home = this.#home(caller, 'manage', homeId);
    const { wake, sleep, ...changes } = parseInput(AdaptiveLightingChanges, input);
    const { settings, follower } = this.#deps;
    const changed: HomeSettings = {
      ...settings.ofHome(home.id),
      ...changes,
      ...(wake !== undefined && { wakeMinute: minuteOf(wake) }),
      ...(sleep !== undefined && { sleepMinute: minuteOf(sleep) }),
    };
    requireOrdered(changed);
    settings.saveHome(home.id, changed);
    follower.settingsChanged(home.id);
    return this.#report(home);
  }

  /**
   * Sets a room. Requires an admin. @returns the settings of its home.
   * @throws `room_not_found` · `insufficient_permissions` · `invalid_value`
   */
  setRoom(caller: Caller, roomId: string, input: NewAdaptiveSetting): HomeReport {
    const { state, access, settings, follower } = this.#deps;
    const room: Room = access.authorizeIn(caller, 'manage', state.room(roomId), 'room_not_found');
    settings.saveRoom(room.id, fromSetting(parseInput(NewAdaptiveSetting, input).setting));
    follower.settingsChanged(room.homeId);
    return this.#report(this.#home(caller, 'view', room.homeId));
  }

  /**
   * Sets the lamps of an accessory, and ends their pause. Requires control access to the accessory.
   * @returns its lamps.
   * @throws `accessory_not_found` · `insufficient_permissions` · `invalid_value` · `conflict` it has no colour
   *         temperature
   */
  setAccessory(caller: Caller, accessoryId: string, input: NewAdaptiveSetting): readonly LampReport[] {
    const { state, access, settings, follower } = this.#deps;
    const accessory = access.authorizeAccessory(caller, 'control', state.accessory(accessoryId));
    const enabled = fromSetting(parseInput(NewAdaptiveSetting, input).setting);
    const lamps = lampsOf(accessory);
    if (lamps.length === 0) {
      throw new HearthError('conflict', `${accessory.name} has no colour temperature that could follow the day.`);
    }
    settings.saveLamps(lamps, () => ({ enabled, ...NOT_PAUSED }));
    if (enabled === false) for (const lamp of lamps) follower.endDay(lamp);
    follower.settingsChanged(accessory.homeId);
    return lamps.map((lamp) => this.#lampReport(lamp));
  }

  /**
   * Lets a lamp follow a day that a controller wrote, until it ends. Requires control access to the accessory.
   * @returns the function that takes it back
   * @throws `accessory_not_found` · `insufficient_permissions` · `conflict` it has no colour temperature
   */
  followDay(caller: Caller, accessoryId: string, serviceIid: HapId, day: ControllerDay): () => void {
    const { state, access, follower } = this.#deps;
    const accessory = access.authorizeAccessory(caller, 'control', state.accessory(accessoryId));
    const find = (of: Accessory | undefined) => of && lampsOf(of).find(({ service }) => service.iid === serviceIid);
    const lamp = find(accessory);
    if (!lamp)
      throw new HearthError('conflict', `${accessory.name} has no colour temperature that could follow the day.`);
    follower.beginDay(lamp, day);
    return () => {
      const current = find(state.accessory(accessoryId));
      if (current) follower.takeDay(current, day);
    };
  }

  /** Switches one lamp on or off, for the driver; the caller is authorized. A setting equal to the level above goes. */
  setLamp(accessory: Accessory, serviceIid: HapId, follows: boolean): void {
    const { settings, follower } = this.#deps;
    const lamps = lampsOf(accessory).filter(({ service }) => service.iid === serviceIid);
    settings.saveLamps(lamps, (record) => {
      const [lamp] = lamps;
      const isSo = lamp !== undefined && settings.isEnabled(lamp) === follows;
      const above = lamp !== undefined && settings.isEnabledAbove(lamp) === follows;
      return { enabled: isSo ? record.enabled : above ? null : follows, ...NOT_PAUSED };
    });
    if (!follows) for (const lamp of lamps) follower.endDay(lamp);
    follower.settingsChanged(accessory.homeId);
  }

  #report(home: Home): HomeReport {
    const { settings, state, clock } = this.#deps;
    const ofHome = settings.ofHome(home.id);
    const place = { zone: zoneOf(home), location: home.location };
    return {
      homeId: home.id,
      settings: ofHome,
      mireds: Math.round(colourAt(ofHome, place, clock.now()).mireds),
      rooms: state.rooms(home.id).map(({ id }) => ({ roomId: id, setting: toSetting(settings.ofRoom(id)) })),
      lamps: state
        .accessories(home.id)
        .filter(({ vanishedAt }) => vanishedAt === null)
        .flatMap((accessory) => lampsOf(accessory).map((lamp) => this.#lampReport(lamp))),
    };
  }

  #lampReport(lamp: Lamp): LampReport {
    const { settings, follower } = this.#deps;
    const record = settings.ofLamp(lamp);
    const status = settings.isFollowing(lamp) ? 'following' : settings.isEnabled(lamp) ? 'paused' : 'off';
    const runBy = follower.runsItself(lamp) ? 'lamp' : 'relay';
    return { record, setting: toSetting(record.enabled), status, runBy };
  }

  #home(caller: Caller, action: AccessLevel, id: string): Home {
    return this.#deps.access.authorizeHome(caller, action, this.#deps.state.home(id));
  }
}

/** @throws `invalid_value` */
function requireOrdered({ warmest, coldest, wakeMinute, sleepMinute }: HomeSettings): void {
  if (warmest < coldest) {
    throw new HearthError(
      'invalid_value',
      `Invalid value for warmest: it takes at least the mireds of coldest (${coldest}).`,
      { field: 'warmest' },
    );
  }
  if (wakeMinute === sleepMinute) {
    throw new HearthError('invalid_value', 'Invalid value for sleep: it takes another time than wake.', {
      field: 'sleep',
    });
  }
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * MINUTES_PER_HOUR + minute;
}

function toSetting(enabled: boolean | null): AdaptiveSetting {
  if (enabled === null) return 'inherit';
  return enabled ? 'on' : 'off';
}

function fromSetting(setting: AdaptiveSetting): boolean | null {
  return setting === 'inherit' ? null : setting === 'on';
}
