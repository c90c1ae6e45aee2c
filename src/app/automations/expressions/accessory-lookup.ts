/**
 * Resolves a reference in an expression to an accessory or a service group of the home, by id, name or slug key. Then
 * resolves a characteristic of it, in any spelling. An unknown id or name is not an error: a missing object has no
 * value.
 */
import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import { asAccessory, membersOf } from '../../../home/group-accessory.ts';
import { memberCharacteristic } from '../../../home/group-service.ts';
import { type HomeState, PROGRAMMABLE_SWITCH_EVENT } from '../../../home/home-state.ts';
import type { Accessory, CharacteristicRef, CharacteristicValue } from '../../../home/model.ts';
import { nameKey } from '../../../home/names.ts';
import { slugKey } from '../../../home/slug.ts';
import { bindingsOf, rankServices, type ServiceCharacteristic } from '../../../home/vocabulary/bindings.ts';
import { resolveCharacteristic } from '../../../home/vocabulary/settings.ts';
import { presentValue } from '../../../home/vocabulary/values.ts';
import { ExpressionFault } from './fault.ts';

/** Longer than any name or id. */
const MAX_REFERENCE_LENGTH = 200;

/** An accessory, or a group presented as one accessory. */
export interface ReadableThing {
  readonly accessory: Accessory;
  /** The accessory's own id, or the ids of the group's members: the accessories whose events concern it. */
  readonly accessoryIds: readonly string[];
}

/** A characteristic with its value, and the accessories' characteristics that it is derived from. */
export interface SourcedValue {
  readonly value: CharacteristicValue;
  readonly sources: readonly CharacteristicRef[];
}

/** Ids by folded name and by slug key. */
interface NameTables {
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly byKey: ReadonlyMap<string, readonly string[]>;
}

/** A changed name creates a new list, so that an index stays valid as long as its list exists. */
const indexes = new WeakMap<object, NameTables>();

/**
 * @returns `undefined` if there is none.
 * @throws `ExpressionFault` a name that several things have
 */
export function findThing(state: HomeState, homeId: string, reference: string): ReadableThing | undefined {
  if (reference.length > MAX_REFERENCE_LENGTH) return undefined;
  const id = reference.trim().toLowerCase();
  const direct = thingById(state, homeId, id);
  if (direct) return direct;
  const key = nameKey(reference);
  const lists = [state.accessories(homeId), state.serviceGroups.list(homeId)].map(indexOf);
  // A thing's name may equal another thing's key: names take precedence.
  const named = lists.flatMap(({ byName }) => byName.get(key) ?? []);
  const ids = named.length > 0 ? named : lists.flatMap(({ byKey }) => byKey.get(key) ?? []);
  const things = ids.flatMap((one) => thingById(state, homeId, one) ?? []);
  if (things.length > 1) throw new ExpressionFault(`${things.length} things are called '${reference}': use the id`);
  return things[0];
}

/** By id only; accessories that vanished from their device are omitted. */
export function thingById(state: HomeState, homeId: string, id: string): ReadableThing | undefined {
  const accessory = state.accessoryIn(homeId, id);
  if (accessory) return accessory.vanishedAt === null ? { accessory, accessoryIds: [accessory.id] } : undefined;
  const group = state.serviceGroups.find(id);
  const whole = group?.homeId === homeId ? asAccessory(group, state) : undefined;
  return group && whole && { accessory: whole, accessoryIds: membersOf(group, state).map((one) => one.accessory.id) };
}

function indexOf(items: readonly { readonly id: string; readonly name: string }[]): NameTables {
  let index = indexes.get(items);
  if (!index) {
    index = {
      byName: groupIds(items, ({ name }) => nameKey(name)),
      byKey: groupIds(items, ({ name, id }) => nameKey(slugKey(name, id))),
    };
    indexes.set(items, index);
  }
  return index;
}

function groupIds<T extends { readonly id: string }>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item.id);
    else groups.set(keyOf(item), [item.id]);
  }
  return groups;
}

/**
 * @param spelling which characteristic; by default the main one: on/off if the accessory has it, else the first that
 * it shows.
 * @throws `characteristic_not_found`
 */
export function readThing(
  state: HomeState,
  { accessory, accessoryIds }: ReadableThing,
  spelling?: string,
): SourcedValue {
  const place = spelling === undefined ? mainPlace(accessory) : resolveCharacteristic(accessory, spelling);
  const { characteristic } = place;
  const value =
    characteristic.type === PROGRAMMABLE_SWITCH_EVENT
      ? (state.pressesOf(accessory.id).get(characteristic.iid)?.value ?? null)
      : presentValue(characteristic);
  return { value, sources: sourcesOf(state, accessory, accessoryIds, place) };
}

function sourcesOf(
  state: HomeState,
  { id }: Accessory,
  accessoryIds: readonly string[],
  { characteristic }: ServiceCharacteristic,
): readonly CharacteristicRef[] {
  const group = state.serviceGroups.find(id);
  if (!group) return accessoryIds.map((accessoryId) => ({ accessoryId, iid: characteristic.iid }));
  return membersOf(group, state).flatMap(({ accessory, service }) => {
    const own = memberCharacteristic(service, characteristic.type);
    return own ? [{ accessoryId: accessory.id, iid: own.iid }] : [];
  });
}

const POWER_TYPES: ReadonlySet<string> = new Set([CHARACTERISTIC.powerState, CHARACTERISTIC.active]);

function mainPlace({ services, name }: Accessory): ServiceCharacteristic {
  const { list } = bindingsOf(services);
  const power = list.find(
    ({ characteristic, property }) => POWER_TYPES.has(characteristic.type) && !/_\d+$/.test(property),
  );
  const [first] = rankServices(services).flatMap((service) => list.filter((binding) => binding.service === service));
  const main = power ?? first;
  if (main) return main;
  throw new ExpressionFault(`'${name}' has nothing to read`);
}
