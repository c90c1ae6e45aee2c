/**
 * Keeps lamps that follow the day at its colour temperature. A round writes what differs by a step of the lamp: all
 * lamps in one driver write, about once a minute, and at once when a lamp comes on. A lamp is never written to while it
 * is off, unreachable or paused.
 *
 * A colour that someone sets pauses the lamp, through the relay or on the device. Brightness does not.
 */
import { CHARACTERISTIC } from '../../hap-spec/characteristics.ts';
import type { AccessoryDriver, DriverWrite } from '../../home/accessory-driver.ts';
import { findLamp, type Lamp, lampOf, lampsOf } from '../../home/adaptive-lighting/lamp.ts';
import type { HomeEvents } from '../../home/events.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import type { Accessory, HapId } from '../../home/model.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../home/schedule/wall-time.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import { type AdaptiveSettings, NOT_PAUSED } from './adaptive-settings.ts';
import { COLOUR_TYPES, isSetBySomeone } from './colour-change.ts';
import type { ControllerDay } from './controller-day.ts';
import { LampColours } from './lamp-colours.ts';
import { LampSchedules } from './lamp-schedules.ts';
import type { LampChanges } from './records.ts';

const ROUND_MS = MINUTE_MS;
/** A slider that is dragged changes the brightness many times. */
const AFTER_BRIGHTNESS_MS = SECOND_MS;
/** A lamp that refuses a write is left alone twice as long each time, up to half an hour. */
const MAX_RETRY_MS = 30 * MINUTE_MS;

/** What the relay did to a lamp since it came on. Memory only. */
interface Track {
  /** Mireds of the last write, and what was before it; `null`: no write since the lamp came on or came back. */
  written: { readonly from: number; readonly to: number } | null;
  /** Monotonic. */
  settledAt: number;
  pending: number;
  failures: number;
  /** Monotonic. */
  retryAt: number;
}

interface FollowerDeps extends HomeDeps<'state' | 'bus' | 'clock' | 'logger'> {
  readonly settings: AdaptiveSettings;
  /** The drivers themselves: writes through `AdaptiveDriver` are those of callers. */
  readonly driver: Pick<AccessoryDriver, 'write'>;
}

export class Follower implements Startable {
  readonly #deps: FollowerDeps;
  readonly #throttle: LogThrottle;
  readonly #tracks = new Map<string, Track>();
  readonly #colours: LampColours;
  readonly #schedules: LampSchedules;
  #subscriptions: (() => void)[] = [];
  #cancel: () => void = () => {};
  /** Monotonic time of the next round. */
  #roundAt = Number.POSITIVE_INFINITY;
  #isRunning = false;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
    this.#colours = new LampColours(deps);
    this.#schedules = new LampSchedules({
      ...deps,
      colours: this.#colours,
      change: (lamp, changes) => this.#change(lamp, changes),
      again: () => this.#roundIn(0),
      pause: (lamp) => this.#pause(lamp),
    });
  }

  /** Call after the settings are loaded and before the drivers start. */
  start(): void {
    const { bus } = this.#deps;
    this.#isRunning = true;
    this.#subscriptions = [
      bus.on('state.changed', (change) => this.#stateChanged(change)),
      bus.on('accessory.reachability_changed', ({ accessoryId }) => this.#reachabilityChanged(accessoryId)),
      bus.on('accessory.removed', ({ accessoryId }) => this.#forget(accessoryId)),
      bus.on('home.connection_changed', () => this.#roundIn(0)),
      bus.on('layout.changed', () => this.#roundIn(0)),
    ];
    this.#roundIn(0);
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancel();
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe();
    this.#tracks.clear();
    this.#roundAt = Number.POSITIVE_INFINITY;
  }

  // — for operations and the driver —

  /** Settings changed. Lamps show at once whether they follow; they get their colour with the next round. */
  settingsChanged(homeId: string): void {
    for (const lamp of this.#lampsIn(homeId)) this.#show(lamp);
    this.#roundIn(0);
  }

  /** Whether the lamp follows by itself, also while the relay is off. */
  runsItself(lamp: Lamp): boolean {
    return this.#schedules.runs(lamp);
  }

  /** A controller wrote a day for the lamp, which ends a pause and the day before. */
  beginDay(lamp: Lamp, day: ControllerDay): void {
    this.#deps.settings.dayFor(lamp)?.onEnd();
    this.#deps.settings.setDay(lamp, day);
    this.#change(lamp, NOT_PAUSED);
    this.#roundIn(0);
  }

  /** The day of a lamp is over, or taken back. @param day unless another one runs by now */
  takeDay(lamp: Lamp, day: ControllerDay): void {
    if (this.#deps.settings.dayFor(lamp) !== day) return;
    this.#deps.settings.setDay(lamp, undefined);
    this.#track(lamp).written = null;
    this.settingsChanged(lamp.accessory.homeId);
  }

  /** Someone switches it off. */
  endDay(lamp: Lamp): void {
    const { settings } = this.#deps;
    const day = settings.dayFor(lamp);
    if (!day) return;
    settings.setDay(lamp, undefined);
    day.onEnd();
  }

  /** Someone sets a colour through the relay. @returns the function that takes it back if the device refuses it */
  colourSet(accessory: Accessory, serviceIid: HapId): () => void {
    const lamp = findLamp(accessory, serviceIid);
    if (!lamp || !this.#deps.settings.isFollowing(lamp)) return () => {};
    this.#pause(lamp);
    this.#schedules.mayHaveLost(lamp);
    return () => {
      this.#change(lamp, NOT_PAUSED);
      this.#roundIn(0);
    };
  }

  /**
   * Someone turns a lamp on, or changes its brightness. @returns the write that gives a lamp its colour in the same
   * request, so that it does not come on in another one
   */
  turningOn(accessory: Accessory, serviceIid: HapId, brightness: number | undefined): DriverWrite | undefined {
    const lamp = findLamp(accessory, serviceIid);
    if (!lamp || isOn(lamp) || this.#schedules.runs(lamp)) return undefined;
    if (!this.#deps.settings.isFollowing(lamp)) return undefined;
    const value = this.#colours.now(lamp, brightness);
    this.#begin(lamp, value);
    return { address: accessory.address, iid: lamp.temperature.iid, value };
  }

  /** The write of `turningOn` has settled. */
  turnedOn(accessory: Accessory, serviceIid: HapId, ok: boolean): void {
    const lamp = findLamp(accessory, serviceIid);
    if (lamp) this.#settle(lamp, ok);
  }

  // — events —

  #stateChanged(change: HomeEvents['state.changed']): void {
    const isColour = COLOUR_TYPES.has(change.type);
    const isPower = change.type === CHARACTERISTIC.powerState;
    const isCount = change.type === CHARACTERISTIC.characteristicValueActiveTransitionCount;
    if (!isColour && !isPower && !isCount && change.type !== CHARACTERISTIC.brightness) return;
    const accessory = this.#deps.state.accessory(change.accessoryId);
    const service = accessory?.services.find(({ iid }) => iid === change.serviceIid);
    if (!accessory || !service) return;
    // Most lamps that change do not follow, which costs less to know than what the lamp is.
    if (!isPower && !isCount && !this.#deps.settings.isFollowing({ accessory, service })) return;
    const lamp = lampOf(accessory, service);
    if (!lamp) return;
    if (isPower) this.#powerChanged(lamp);
    else if (isCount) this.#roundIn(0);
    else if (this.#schedules.runs(lamp)) return;
    else if (!isColour) this.#roundIn(AFTER_BRIGHTNESS_MS);
    else if (change.origin === 'device' && this.#isSetBySomeone(lamp, change)) this.#pause(lamp);
  }

  #powerChanged(lamp: Lamp): void {
    if (isOn(lamp)) {
      this.#roundIn(0);
      return;
    }
    this.#track(lamp).written = null;
    if (this.#deps.settings.ofLamp(lamp).pausedAt !== null) this.#change(lamp, NOT_PAUSED);
  }

  #isSetBySomeone(lamp: Lamp, change: HomeEvents['state.changed']): boolean {
    const { written, pending, settledAt } = this.#track(lamp);
    if (written === null || !isOn(lamp)) return false;
    return isSetBySomeone(change, { ...written, ageMs: pending > 0 ? 0 : this.#deps.clock.monotonic() - settledAt });
  }

  #reachabilityChanged(accessoryId: string): void {
    const accessory = this.#deps.state.accessory(accessoryId);
    // A lamp that lost its power comes back in its own colour.
    for (const lamp of accessory ? lampsOf(accessory) : []) {
      this.#track(lamp).written = null;
      this.#schedules.mayHaveLost(lamp);
    }
    this.#roundIn(0);
  }

  // — rounds —

  #roundIn(delayMs: number): void {
    if (!this.#isRunning) return;
    const { clock } = this.#deps;
    const at = clock.monotonic() + delayMs;
    if (at >= this.#roundAt) return;
    this.#cancel();
    this.#roundAt = at;
    this.#cancel = clock.after(delayMs, () => {
      this.#roundAt = Number.POSITIVE_INFINITY;
      this.#roundIn(ROUND_MS);
      this.#round();
    });
  }

  #round(): void {
    const { state, settings } = this.#deps;
    const due: { readonly lamp: Lamp; readonly value: number }[] = [];
    const scheduled: Lamp[] = [];
    for (const { id } of state.homes()) {
      for (const lamp of this.#lampsIn(id)) {
        this.#endPause(lamp);
        if ((settings.dayFor(lamp)?.endsAt ?? Number.POSITIVE_INFINITY) <= this.#deps.clock.now()) this.endDay(lamp);
        this.#show(lamp);
        if (lamp.transitions) scheduled.push(lamp);
        if (this.#schedules.runs(lamp) || !settings.isFollowing(lamp) || !this.#isReady(lamp)) continue;
        const value = this.#colours.now(lamp);
        if (this.#track(lamp).written?.to !== value) due.push({ lamp, value });
      }
    }
    if (due.length > 0) void this.#write(due);
    this.#schedules.round(scheduled);
  }

  /** Writes to all lamps in one request. A slow lamp delays no other round. */
  async #write(due: readonly { readonly lamp: Lamp; readonly value: number }[]): Promise<void> {
    for (const { lamp, value } of due) this.#begin(lamp, value);
    const writes = due.map(({ lamp, value }) => ({
      address: lamp.accessory.address,
      iid: lamp.temperature.iid,
      value,
    }));
    try {
      const outcomes = await this.#deps.driver.write(writes);
      for (const [index, { lamp }] of due.entries()) this.#settle(lamp, outcomes[index]?.ok === true);
    } catch (error) {
      for (const { lamp } of due) this.#settle(lamp, false);
      this.#throttle.once('write', () =>
        this.#deps.logger.error({ error: messageOf(error) }, 'Could not set the colour of lamps'),
      );
    }
  }

  #isReady(lamp: Lamp): boolean {
    const { state, clock } = this.#deps;
    const { pending, retryAt } = this.#track(lamp);
    const { id, homeId } = lamp.accessory;
    return (
      isOn(lamp) && pending === 0 && clock.monotonic() >= retryAt && state.isConnected(homeId) && state.isAnswering(id)
    );
  }

  #begin(lamp: Lamp, value: number): void {
    const track = this.#track(lamp);
    const shown = lamp.temperature.value;
    track.written = { from: typeof shown === 'number' ? shown : value, to: value };
    track.pending += 1;
  }

  #settle(lamp: Lamp, ok: boolean): void {
    const track = this.#track(lamp);
    const now = this.#deps.clock.monotonic();
    track.pending = Math.max(0, track.pending - 1);
    track.settledAt = now;
    track.failures = ok ? 0 : track.failures + 1;
    track.retryAt = ok ? now : now + Math.min(ROUND_MS * 2 ** (track.failures - 1), MAX_RETRY_MS);
    if (!ok) track.written = null;
  }

  // — pauses —

  /** A day of a controller ends by it: the controller writes another one when it is to follow again. */
  #pause(lamp: Lamp): void {
    const { settings, clock } = this.#deps;
    this.endDay(lamp);
    if (!settings.isEnabled(lamp)) {
      this.#track(lamp).written = null;
      this.#show(lamp);
      return;
    }
    const now = clock.now();
    const { pauseHours } = settings.ofHome(lamp.accessory.homeId);
    this.#change(lamp, { pausedAt: now, pausedUntil: pauseHours === null ? null : now + pauseHours * HOUR_MS });
  }

  #endPause(lamp: Lamp): void {
    const { pausedUntil } = this.#deps.settings.ofLamp(lamp);
    if (pausedUntil !== null && pausedUntil <= this.#deps.clock.now()) this.#change(lamp, NOT_PAUSED);
  }

  /** A full disk does not change what lamps do. */
  #change(lamp: Lamp, changes: LampChanges): void {
    const { settings, logger } = this.#deps;
    try {
      settings.saveLamps([lamp], () => changes);
    } catch (error) {
      settings.holdLamps([lamp], () => changes);
      this.#throttle.once('save', () =>
        logger.warn({ error: messageOf(error) }, 'Could not save that a lamp is paused'),
      );
    }
    this.#track(lamp).written = null;
    this.#show(lamp);
  }

  #show({ accessory, service, follows }: Lamp): void {
    const { state, settings } = this.#deps;
    state.applyOwnValue(accessory.id, follows.iid, settings.isFollowing({ accessory, service }), 'device');
  }

  // — lamps —

  #lampsIn(homeId: string): readonly Lamp[] {
    return this.#deps.state
      .accessories(homeId)
      .flatMap((accessory) => (accessory.vanishedAt === null ? lampsOf(accessory) : []));
  }

  #track({ accessory, service }: Lamp): Track {
    const key = `${accessory.id} ${service.iid}`;
    let track = this.#tracks.get(key);
    if (!track) {
      track = { written: null, settledAt: 0, pending: 0, failures: 0, retryAt: 0 };
      this.#tracks.set(key, track);
    }
    return track;
  }

  #forget(accessoryId: string): void {
    this.#schedules.forget(accessoryId);
    for (const day of this.#deps.settings.takeDays(accessoryId)) day.onEnd();
    for (const key of this.#tracks.keys()) if (key.startsWith(`${accessoryId} `)) this.#tracks.delete(key);
  }
}

function isOn({ power }: Lamp): boolean {
  return power === undefined || Boolean(power.value);
}
