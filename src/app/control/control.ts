/**
 * Reading and writing accessories, as operations. Reads use the home's state and never wait for a device. A confirmed
 * write reaches the state through the driver's report before `write` settles; it is not applied here again.
 */
import type { AccessoryDriver } from '../../home/accessory-driver.ts';
import type { Accessory, Characteristic, CharacteristicValue, HapId } from '../../home/model.ts';
import { matchesTypeFilter } from '../../home/vocabulary/device-types.ts';
import { resolveCharacteristic } from '../../home/vocabulary/settings.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Caller } from '../access/caller.ts';
import type { AccessoryOutcome, CharacteristicOutcome } from './outcome.ts';
import { type AccessorySettings, planWrites, type WantedSettings, type WriteTarget } from './write-plan.ts';

export interface AccessoryFilter {
  readonly homeId?: string | undefined;
  readonly roomId?: string | undefined;
  /** A device type (`light`) or a service name (`lightbulb`). */
  readonly type?: string | undefined;
  /** A part of the name, case-insensitive. */
  readonly name?: string | undefined;
}

export interface CharacteristicAddress {
  readonly accessoryId: string;
  /** Any spelling: `brightness`, `public.hap.characteristic.brightness`, `8`, a full UUID. */
  readonly characteristicType: string;
  /** Selects one of several services that have it. Default: the primary one. */
  readonly serviceIid?: HapId | undefined;
}

export interface CharacteristicWrite extends CharacteristicAddress {
  /** Validated against the characteristic, in any form that it accepts. */
  readonly value: unknown;
}

/** Called before writes are sent. @returns a function to call once the writes have settled */
export type OnWrite = (caller: Caller, writes: readonly WriteTarget[]) => () => void;

interface ControlDeps extends AppDeps<'state' | 'access'> {
  readonly driver: Pick<AccessoryDriver, 'write' | 'identify'>;
  readonly onWrite?: OnWrite | undefined;
}

export class Control {
  readonly #deps: ControlDeps;

  constructor(deps: ControlDeps) {
    this.#deps = deps;
  }

  /** Requires view access. @throws `accessory_not_found` */
  getAccessory(caller: Caller, id: string): Accessory {
    return this.#authorized(caller, 'view', id);
  }

  /**
   * The accessories that the caller may view and that match every filter, by home and name.
   * @throws `home_not_found`, `room_not_found` a filter names a home or room that the caller cannot view
   */
  listAccessories(caller: Caller, filter: AccessoryFilter = {}): readonly Accessory[] {
    const homeId = filter.homeId === undefined ? undefined : this.#visibleHome(caller, filter.homeId);
    const roomId = filter.roomId === undefined ? undefined : this.#visibleRoom(caller, filter.roomId);
    const name = filter.name?.toLowerCase();
    return this.#deps.state
      .accessories(homeId)
      .filter(
        (accessory) =>
          (roomId === undefined || accessory.roomId === roomId) &&
          (name === undefined || accessory.name.toLowerCase().includes(name)) &&
          this.#deps.access.roleOver(caller, accessory) !== undefined &&
          (filter.type === undefined || matchesTypeFilter(accessory, filter.type)),
      );
  }

  /**
   * Writes simplified properties (API §4.1.1) to any number of accessories in one request, and waits for the devices.
   * Units are those of the table: brightness 0–100 percent, color_temp in mireds, temperatures in °C. Requires control
   * access to each accessory.
   *
   * Never fails as a whole: an error of an accessory or a value is the outcome of the affected properties. Of several
   * settings for one characteristic, one is sent (see `planWrites`) and its outcome applies to all.
   * @returns one outcome per item, in the order given. Codes: `accessory_not_found` · `insufficient_permissions` ·
   *   `relay_not_connected` · `characteristic_not_found` · `characteristic_not_writable` · `invalid_value` ·
   *   `accessory_unreachable` · `accessory_error`
   */
  setProperties(caller: Caller, items: readonly AccessorySettings[]): Promise<readonly AccessoryOutcome[]> {
    const wanted = items.map(({ accessoryId, settings }) => ({
      accessoryId,
      settings: Object.entries(settings).map(([property, input]) => ({ property, input })),
    }));
    return this.#write(caller, wanted);
  }

  /**
   * Writes any number of characteristics of any number of accessories in one request, in the order given, and waits for
   * the devices. Requires control access to each accessory. Never fails as a whole. Of several writes to one
   * characteristic the last is sent, and its outcome applies to all.
   * @returns one outcome per write, in the order given, with the value that the device confirmed or the codes of
   *   `setProperties`.
   */
  async writeCharacteristics(
    caller: Caller,
    writes: readonly CharacteristicWrite[],
  ): Promise<readonly CharacteristicOutcome[]> {
    const wanted = writes.map(({ accessoryId, characteristicType: property, serviceIid, value: input }) => ({
      accessoryId,
      settings: [{ property, serviceIid, input }],
    }));
    const outcomes = await this.#write(caller, wanted);
    return outcomes.flatMap(({ accessoryId, settings }) =>
      settings.map(({ property: characteristicType, ...outcome }) => ({ accessoryId, characteristicType, ...outcome })),
    );
  }

  /**
   * The last reported value of one characteristic. Requires view access.
   * @throws `accessory_not_found` · `characteristic_not_found`
   */
  getCharacteristic(
    caller: Caller,
    { accessoryId, characteristicType, serviceIid }: CharacteristicAddress,
  ): Characteristic {
    const accessory = this.#authorized(caller, 'view', accessoryId);
    return resolveCharacteristic(accessory, characteristicType, serviceIid).characteristic;
  }

  /**
   * Writes one characteristic and waits for the device. Requires control access to the accessory.
   * @returns the value that the device confirmed.
   * @throws the codes of `setProperties`
   */
  async setCharacteristic(caller: Caller, write: CharacteristicWrite): Promise<{ value: CharacteristicValue }> {
    const [outcome] = await this.writeCharacteristics(caller, [write]);
    if (!outcome) throw new Error('A write has no outcome');
    if (!outcome.ok) throw new HearthError(outcome.code, outcome.message);
    return { value: outcome.value };
  }

  /**
   * Makes an accessory identify itself, usually by a blinking light. Requires control access.
   * @throws `accessory_not_found` · `insufficient_permissions` · `relay_not_connected` · `accessory_unreachable` ·
   *         `accessory_error`
   */
  async identify(caller: Caller, accessoryId: string): Promise<void> {
    await this.#deps.driver.identify(this.#controllable(caller, accessoryId).address);
  }

  async #write(caller: Caller, wanted: readonly WantedSettings[]): Promise<readonly AccessoryOutcome[]> {
    const plan = planWrites(wanted, (accessoryId) => this.#controllable(caller, accessoryId));
    if (plan.writes.length === 0) return plan.outcomes([]);
    const settled = this.#deps.onWrite?.(caller, plan.targets);
    try {
      return plan.outcomes(await this.#deps.driver.write(plan.writes));
    } finally {
      settled?.();
    }
  }

  #authorized(caller: Caller, action: 'view' | 'control', id: string): Accessory {
    return this.#deps.access.authorizeAccessory(caller, action, this.#deps.state.accessory(id));
  }

  /** An accessory that the caller may control and that accepts commands. */
  #controllable(caller: Caller, id: string): Accessory {
    const accessory = this.#authorized(caller, 'control', id);
    if (!this.#deps.state.isConnected(accessory.homeId)) {
      throw new HearthError('relay_not_connected', 'Relay not connected');
    }
    if (accessory.vanishedAt !== null) throw new HearthError('accessory_unreachable', 'Accessory unreachable');
    return accessory;
  }

  #visibleHome(caller: Caller, id: string): string {
    return this.#deps.access.authorizeHome(caller, 'view', this.#deps.state.home(id)).id;
  }

  #visibleRoom(caller: Caller, id: string): string {
    return this.#deps.access.authorizeIn(caller, 'view', this.#deps.state.room(id), 'room_not_found').id;
  }
}
