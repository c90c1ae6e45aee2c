/**
 * Virtual accessories as operations: create, change, delete and operate them. The driver defines the kinds and their
 * values; names and rooms are in the layout, as for every accessory; plain reading and writing is in `app/control`.
 */
import type { AccessoryChanges } from '../../contract/accessories.ts';
import type { Accessory, CharacteristicValue, Home, VirtualConfig, VirtualType } from '../../home/model.ts';
import { parseName } from '../../home/names.ts';
import type { TimerState, VirtualDriver, VirtualInput, VirtualOperation } from '../../home/virtual-driver.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { AccessLevel } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { OnWrite } from '../control/control.ts';
import { targetsOf } from '../control/write-plan.ts';
import { type Accessories, parseRoom, requireFreeInRoom } from '../layout/accessories.ts';
import type { References } from '../layout/references.ts';

/** A larger number indicates a faulty client. */
const MAX_PER_HOME = 1_000;

/** Input for a virtual accessory: `VirtualFields`, its name and its room. `null` is the default room. */
export type VirtualChanges = VirtualInput & { readonly name?: unknown; readonly roomId?: unknown };
export type NewVirtual = VirtualChanges & { readonly homeId: string };

type VirtualAccessory = Accessory & { readonly virtual: VirtualConfig };

/** The extra details of a virtual accessory (wire-facts §7). `null` if its kind does not have the field. */
export interface VirtualDetails {
  readonly virtualType: VirtualType;
  /** Whether users may change its value. */
  readonly isUserEditable: boolean;
  readonly icon: string | null;
  readonly options: readonly string[] | null;
  readonly hasDate: boolean | null;
  readonly hasTime: boolean | null;
  readonly control: 'stepper' | 'field' | null;
  readonly timer: TimerState | null;
  readonly operations: readonly VirtualOperation[];
  readonly config: VirtualConfig;
}

interface VirtualAccessoriesDeps extends AppDeps<'state' | 'access'> {
  readonly driver: VirtualDriver;
  readonly accessories: Accessories;
  readonly references: Pick<References, 'usedBy'>;
  readonly onWrite?: OnWrite | undefined;
}

export class VirtualAccessories {
  readonly #deps: VirtualAccessoriesDeps;

  constructor(deps: VirtualAccessoriesDeps) {
    this.#deps = deps;
  }

  /** Those of one home, or of every home that the caller may view, by home and name. @throws `home_not_found` */
  list(caller: Caller, homeId?: string): readonly Accessory[] {
    const home = homeId === undefined ? undefined : this.#authorizedHome(caller, 'view', homeId);
    return this.#deps.state
      .accessories(home?.id)
      .filter(isVirtual)
      .filter((accessory) => this.#deps.access.roleOver(caller, accessory) !== undefined);
  }

  /** Requires view access. @throws `accessory_not_found`, also for devices */
  get(caller: Caller, id: string): Accessory {
    return this.#authorized(caller, 'view', id);
  }

  /**
   * Creates one in a room of its home; default: the default room. Requires an admin of the home.
   * @throws `home_not_found` · `insufficient_permissions` · `room_not_found` · `invalid_value`, `invalid_request`
   *         naming the field · `conflict` the name is taken in that room, or the home has too many
   */
  create(caller: Caller, { homeId, name: wanted, roomId, ...fields }: NewVirtual): Accessory {
    const home = this.#authorizedHome(caller, 'manage', homeId);
    const name = parseName(wanted, 'Accessory name');
    const config = this.#deps.driver.parseConfig(fields);
    const room = parseRoom(this.#deps.state, home.id, roomId ?? this.#defaultRoomOf(home.id));
    requireFreeInRoom(this.#deps.state, room, [name]);
    if (this.#deps.state.accessories(home.id).filter(isVirtual).length >= MAX_PER_HOME) {
      throw new HearthError('conflict', `${home.name} has ${MAX_PER_HOME} virtual accessories, which is the most.`, {
        reason: 'limit_reached',
      });
    }
    const address = this.#deps.driver.create({ homeId: home.id, name, config, roomId: room });
    const accessory = this.#deps.state.findByAddress(address);
    if (!accessory) throw new HearthError('internal', `${name} is stored but can't be shown. Restart hearthd.`);
    return accessory;
  }

  /**
   * Renames, moves or reconfigures it. All input is validated before any change. Its kind stays. Requires an admin of
   * its home.
   * @throws `accessory_not_found` · and as `create`
   */
  update(caller: Caller, id: string, { name, roomId, ...fields }: VirtualChanges): Accessory {
    const accessory = this.#authorized(caller, 'manage', id);
    const config = this.#deps.driver.parseConfig(fields, accessory.virtual);
    const room = roomId === null ? this.#defaultRoomOf(accessory.homeId) : roomId;
    if (name !== undefined || room !== undefined) {
      this.#deps.accessories.update(caller, id, { name, roomId: room } as AccessoryChanges);
    }
    if (Object.values(fields).some((value) => value !== undefined)) this.#deps.driver.update(accessory.address, config);
    return accessory;
  }

  /**
   * Deletes it. Requires an admin of its home.
   * @throws `accessory_not_found` · `insufficient_permissions` · `conflict` naming the scenes and groups that use it
   */
  delete(caller: Caller, id: string): void {
    const accessory = this.#authorized(caller, 'manage', id);
    const users = this.#deps.references.usedBy(accessory.id);
    if (users.length > 0) {
      throw new HearthError('conflict', `${accessory.name} is used by ${listed(users)}. Take it out of there first.`);
    }
    this.#deps.driver.remove(accessory.address);
  }

  /**
   * Executes one of its kind's operations (wire-facts §7). Requires control access; if it is not controllable, only
   * automations may operate it.
   * @param value for `set` the value, for `increment` and `decrement` by how much, for `start` how long (seconds,
   *   `90s`, `1:30:00`)
   * @returns its new value and, for a timer, its state.
   * @throws `accessory_not_found` · `insufficient_permissions` · `relay_not_connected` · `characteristic_not_writable`
   *         · `invalid_value` the operation or its value · `conflict` the timer is not running
   */
  operate(
    caller: Caller,
    id: string,
    operation: unknown,
    value?: unknown,
  ): { value: CharacteristicValue; timer: TimerState | null } {
    const accessory = this.#authorized(caller, 'control', id);
    if (!this.#deps.state.isConnected(accessory.homeId)) {
      throw new HearthError('relay_not_connected', 'Relay not connected');
    }
    if (!accessory.virtual.controllable && caller.principal.kind !== 'automation') {
      throw new HearthError('characteristic_not_writable', `${accessory.name} is read-only`);
    }
    const name = typeof operation === 'string' ? operation : '';
    const settled = this.#deps.onWrite?.(caller, targetsOf(accessory));
    try {
      const result = this.#deps.driver.operate(accessory.address, name, value);
      return { value: result, timer: this.#deps.driver.timerOf(accessory.address) ?? null };
    } finally {
      settled?.();
    }
  }

  /** `null` for a device. Checks no permission: the caller must already have access to the accessory. */
  describe(accessory: Accessory): VirtualDetails | null {
    const { virtual: config, address } = accessory;
    if (config === null) return null;
    const { virtualType } = config;
    return {
      virtualType,
      isUserEditable: config.controllable,
      icon: config.icon,
      options: virtualType === 'input_select' ? config.options : null,
      hasDate: virtualType === 'input_datetime' ? config.hasDate : null,
      hasTime: virtualType === 'input_datetime' ? config.hasTime : null,
      control: virtualType === 'input_number' ? config.control : null,
      timer: this.#deps.driver.timerOf(address) ?? null,
      operations: this.#deps.driver.operationsOf(virtualType),
      config,
    };
  }

  /** Its timer; `undefined` for everything else. Checks no permission: for modules that act for the home. */
  timerOf(id: string): TimerState | undefined {
    const accessory = this.#deps.state.accessory(id);
    return accessory && isVirtual(accessory) ? this.#deps.driver.timerOf(accessory.address) : undefined;
  }

  #defaultRoomOf(homeId: string): string | undefined {
    return this.#deps.state.rooms(homeId).find(({ isDefault }) => isDefault)?.id;
  }

  #authorizedHome(caller: Caller, action: AccessLevel, id: string): Home {
    return this.#deps.access.authorizeHome(caller, action, this.#deps.state.home(id));
  }

  #authorized(caller: Caller, action: AccessLevel, id: string): VirtualAccessory {
    const accessory = this.#deps.state.accessory(id);
    return this.#deps.access.authorizeAccessory(
      caller,
      action,
      accessory && isVirtual(accessory) ? accessory : undefined,
    );
  }
}

function isVirtual(accessory: Accessory): accessory is VirtualAccessory {
  return accessory.virtual !== null;
}

/** `a`, `a and b`, `a, b and c`. */
function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
