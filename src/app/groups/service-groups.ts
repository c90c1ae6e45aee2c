/**
 * Service groups as operations: named sets of services of one kind that act as one (API §2.2, decisions §5). The state
 * of a group is computed in `home/group-accessory.ts`; a write to a group goes to all its members in one request.
 */
import { parseInput } from '../../contract/parse.ts';
import { NewServiceGroup, ServiceGroupChanges, type ServiceGroupReport } from '../../contract/service-groups.ts';
import { asAccessory } from '../../home/group-accessory.ts';
import { memberCharacteristic } from '../../home/group-service.ts';
import type { Accessory, ServiceGroup } from '../../home/model.ts';
import { requireFreeName } from '../../home/names.ts';
import { characteristicName } from '../../home/vocabulary/hap-names.ts';
import { requireWritable, resolveCharacteristic } from '../../home/vocabulary/settings.ts';
import { parseValue } from '../../home/vocabulary/values.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { AccessLevel } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { Control } from '../control/control.ts';
import type { CharacteristicOutcome } from '../control/outcome.ts';
import type { AccessorySettings } from '../control/write-plan.ts';
import type { LayoutStore } from '../layout/layout-store.ts';
import { parseMembers, targetsOf } from './group-members.ts';
import { type ExpandedGroup, expandGroup, type GroupSettingOutcome } from './group-settings.ts';
import type { ServiceGroupStore } from './service-group-store.ts';

/** More than any home needs, and few enough that a runaway script does no harm. */
const MAX_GROUPS_PER_HOME = 200;

/** Maximum number of settings per request: more than every property of 500 accessories. */
const MAX_SETTINGS = 10_000;

/** As for accessories: no home is large enough to use up the 65,536 endings. */
const MAX_TRIES = 10_000;

export interface GroupWrite {
  /** Any spelling, as for an accessory. */
  readonly characteristicType: string;
  readonly value: unknown;
}

export interface GroupWriteResult extends ServiceGroupReport {
  /** One per member that has the characteristic or is gone, in the group's order. */
  readonly outcomes: readonly CharacteristicOutcome[];
}

/** The outcome of the settings of one accessory or group. */
export interface TargetOutcome {
  /** As given in the request. */
  readonly accessoryId: string;
  readonly settings: readonly GroupSettingOutcome[];
}

export interface ServiceGroupDeps extends AppDeps<'state' | 'access' | 'clock'> {
  readonly store: ServiceGroupStore;
  readonly layoutStore: Pick<LayoutStore, 'idEndings' | 'findAccessory'>;
  readonly control: Pick<Control, 'setProperties' | 'writeCharacteristics'>;
}

export class ServiceGroups implements Startable {
  readonly #deps: ServiceGroupDeps;

  constructor(deps: ServiceGroupDeps) {
    this.#deps = deps;
  }

  /** Loads the stored groups. Call after the layout is loaded and before any request. */
  start(): void {
    this.#deps.state.serviceGroups.restore(this.#deps.store.load());
  }

  stop(): void {}

  /** Those of one home, or of every home that the caller may view, by name. @throws `home_not_found` */
  list(caller: Caller, homeId?: string): readonly ServiceGroup[] {
    if (homeId !== undefined) return this.#deps.state.serviceGroups.list(this.#authorizedHome(caller, 'view', homeId));
    const homes = this.#deps.access.visibleHomes(caller, this.#deps.state.homes());
    return homes.flatMap(({ id }) => this.#deps.state.serviceGroups.list(id));
  }

  /** Requires view access to its home. @throws `service_group_not_found` */
  get(caller: Caller, id: string): ServiceGroup {
    return this.#authorized(caller, 'view', id);
  }

  /**
   * The groups of a home as accessories: those with a present member. Requires view access to the home.
   * @throws `home_not_found`
   */
  accessories(caller: Caller, homeId: string): readonly Accessory[] {
    return this.list(caller, homeId).flatMap((group) => asAccessory(group, this.#deps.state) ?? []);
  }

  /**
   * Creates a group. Requires an admin of the home.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` the name, the icon or the members ·
   *         `accessory_not_found` a member is not in this home · `conflict` the name is taken, or there are too many
   */
  create(caller: Caller, input: NewServiceGroup): ServiceGroup {
    const homeId = this.#authorizedHome(caller, 'manage', input.homeId);
    const { name, icon = null } = parseInput(NewServiceGroup, input);
    const members = parseMembers(input, { homeId }, this.#deps.state);
    requireFreeName(name, 'service group', this.#deps.state.serviceGroups.list(homeId));
    if (this.#deps.state.serviceGroups.list(homeId).length >= MAX_GROUPS_PER_HOME) {
      throw new HearthError('conflict', `A home has at most ${MAX_GROUPS_PER_HOME} service groups. Delete one first.`, {
        reason: 'limit_reached',
      });
    }
    return this.#save({ id: this.#newId(homeId), homeId, name, ...members, icon, createdAt: this.#deps.clock.now() });
  }

  /**
   * Renames a group, replaces its members and sets its icon, atomically. Absent members may stay. Requires an admin
   * of its home.
   * @throws as `create`, and `service_group_not_found`
   */
  update(caller: Caller, id: string, changes: ServiceGroupChanges): ServiceGroup {
    const group = this.#authorized(caller, 'manage', id);
    const { name = group.name, icon = group.icon } = parseInput(ServiceGroupChanges, changes);
    const keepsMembers = changes.serviceIds === undefined && changes.accessoryIds === undefined;
    const { kind, members } = keepsMembers
      ? group
      : parseMembers(changes, { homeId: group.homeId, current: group }, this.#deps.state);
    requireFreeName(name, 'service group', this.#deps.state.serviceGroups.list(group.homeId), group.id);
    return this.#save({ ...group, name, kind, members, icon });
  }

  /**
   * Deletes the group; its members stay. Requires an admin of its home.
   * @throws `service_group_not_found` · `insufficient_permissions`
   */
  delete(caller: Caller, id: string): void {
    const group = this.#authorized(caller, 'manage', id);
    this.#deps.store.delete(group.id);
    this.#deps.state.serviceGroups.remove(group.id);
  }

  /**
   * Writes one characteristic of every member that has it, in one request, and waits for the devices. Requires control
   * access to the home. A member's error is in the result; an absent member counts as failed.
   * @throws `service_group_not_found` · `insufficient_permissions` · `relay_not_connected` · `characteristic_not_found`
   *         no member has it · `characteristic_not_writable` · `invalid_value` no member accepts it
   */
  async set(caller: Caller, id: string, { characteristicType, value }: GroupWrite): Promise<GroupWriteResult> {
    const group = this.#authorized(caller, 'control', id);
    this.#requireConnected(group.homeId);
    const whole = asAccessory(group, this.#deps.state);
    const checked = whole && checkWrite(whole, characteristicType, value);
    const targets = this.#targetsOf(group).filter(
      ({ fault, ...rest }) =>
        fault || (checked && 'service' in rest && memberCharacteristic(rest.service, checked.type)),
    );
    const written = await this.#deps.control.writeCharacteristics(
      caller,
      targets.flatMap(({ ref, fault }) => (fault || !checked ? [] : [{ ...ref, ...checked.write }])),
    );
    const results = written.values();
    const outcomes = targets.map(({ ref, fault }): CharacteristicOutcome => {
      if (!fault) return { ...(results.next().value as CharacteristicOutcome), characteristicType };
      return { accessoryId: ref.accessoryId, characteristicType, ok: false, code: fault.code, message: fault.message };
    });
    const errors = outcomes.flatMap((outcome, index) =>
      outcome.ok ? [] : [`${targets[index]?.name}: ${outcome.message}`],
    );
    const failed = errors.length;
    const affectedCount = outcomes.length - failed;
    return { success: failed === 0 && affectedCount > 0, groupId: group.id, affectedCount, failed, errors, outcomes };
  }

  /**
   * `Control.setProperties` for accessories and groups together, by their ids: one write for all. Requires control
   * access to each.
   * @returns one outcome per item, in the order given. For a group, a property has one outcome if any member accepted
   *   it, and one for each member that did not.
   * @throws `invalid_request` it expands to more than 10,000 settings
   */
  async setProperties(caller: Caller, items: readonly AccessorySettings[]): Promise<readonly TargetOutcome[]> {
    this.#requireBounded(items);
    const { serviceGroups } = this.#deps.state;
    if (!items.some(({ accessoryId }) => serviceGroups.find(accessoryId))) {
      return this.#deps.control.setProperties(caller, items);
    }
    const plan = items.map((item) => ({ item, group: this.#expand(caller, item) }));
    const outcomes = await this.#deps.control.setProperties(
      caller,
      plan.flatMap(({ item, group }) => group?.items ?? [item]),
    );
    let taken = 0;
    return plan.map(({ item: { accessoryId }, group }) => {
      const own = outcomes.slice(taken, taken + (group?.items.length ?? 1));
      taken += own.length;
      return { accessoryId, settings: group ? group.fold(own) : (own[0]?.settings ?? []) };
    });
  }

  /** A short request that names a large group many times would otherwise block other requests. */
  #requireBounded(items: readonly AccessorySettings[]): void {
    const settings = items.reduce((sum, { accessoryId, settings }) => {
      const members = this.#deps.state.serviceGroups.find(accessoryId)?.members.length ?? 1;
      return sum + members * Object.keys(settings).length;
    }, 0);
    if (settings <= MAX_SETTINGS) return;
    throw new HearthError(
      'invalid_request',
      `With the members of its groups a request may set ${MAX_SETTINGS} properties at most. Send several.`,
    );
  }

  /** @returns `undefined` if the id is not a group. */
  #expand(caller: Caller, { accessoryId, settings }: AccessorySettings): ExpandedGroup | undefined {
    const group = this.#deps.state.serviceGroups.find(accessoryId);
    if (!group) return undefined;
    // A group that is not visible is handled as an unknown accessory. Without control access, its members reject the
    // write.
    if (!this.#deps.access.mayIn(caller, 'view', group.homeId)) return undefined;
    return expandGroup(group, settings, this.#deps.state, (id) => this.#storedName(group.homeId, id));
  }

  #targetsOf(group: ServiceGroup) {
    return targetsOf(group, this.#deps.state, (id) => this.#storedName(group.homeId, id));
  }

  #storedName(homeId: string, accessoryId: string): string | undefined {
    const stored = this.#deps.layoutStore.findAccessory(accessoryId);
    return stored?.homeId === homeId ? (stored.customName ?? stored.deviceName) : undefined;
  }

  #save(group: ServiceGroup): ServiceGroup {
    this.#deps.store.save(group);
    this.#deps.state.serviceGroups.put(group);
    return group;
  }

  /** Keys of groups and accessories share one list, and clients distinguish them by their endings (decisions §2). */
  #newId(homeId: string): string {
    const taken = this.#deps.layoutStore.idEndings(homeId);
    let id = newId();
    for (let n = 1; taken.has(id.slice(-4)) && n < MAX_TRIES; n += 1) id = newId();
    return id;
  }

  #authorizedHome(caller: Caller, action: AccessLevel, id: string): string {
    return this.#deps.access.authorizeHome(caller, action, this.#deps.state.home(id)).id;
  }

  #authorized(caller: Caller, action: AccessLevel, id: string): ServiceGroup {
    return this.#deps.access.authorizeIn(
      caller,
      action,
      this.#deps.state.serviceGroups.find(id),
      'service_group_not_found',
    );
  }

  #requireConnected(homeId: string): void {
    if (!this.#deps.state.isConnected(homeId)) {
      throw new HearthError('relay_not_connected', 'Relay not connected');
    }
  }
}

/** Rejects a value that no member accepts before anything is sent. @returns the write for each member. */
function checkWrite(whole: Accessory, characteristicType: string, input: unknown) {
  const { characteristic } = resolveCharacteristic(whole, characteristicType);
  requireWritable(whole, characteristic, characteristicType);
  const { type } = characteristic;
  return { type, write: { characteristicType: characteristicName(type), value: parseValue(characteristic, input) } };
}
