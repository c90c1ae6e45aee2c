/** The two forms of GET /rest/state, from the filtered state. */
import type { AccessoryState, NamedAccessory, StateByNames, StateFilters, StateTree } from '../../contract/state.ts';
import { membersOf } from '../../home/group-accessory.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Characteristic, Home, Service, ServiceGroup } from '../../home/model.ts';
import { slugKey } from '../../home/slug.ts';
import { deviceType } from '../../home/vocabulary/device-types.ts';
import { characteristicName, serviceName } from '../../home/vocabulary/hap-names.ts';
import { simplify } from '../../home/vocabulary/simplify.ts';
import { presentValue } from '../../home/vocabulary/values.ts';
import type { SelectedAccessory, SelectedHome, SelectedRoom } from './select-state.ts';

type RoomState = Readonly<Record<string, AccessoryState>>;

export interface TreeContext {
  readonly state: HomeState;
  readonly sceneNames: (homeId: string) => readonly string[];
}

/** The tree of slug keys (API §2.2), all but `_meta`. `_homes` lists every visible home, even with filters. */
export function presentTree(
  context: TreeContext,
  selected: readonly SelectedHome[],
  visibleHomes: readonly Home[],
): Pick<StateTree, '_homes'> {
  const tree: Record<string, unknown> = {};
  for (const { home, key, rooms } of selected) {
    const branches = rooms.map((room) => [room.key, presentRoom(context, key, room)] as const);
    tree[key] = { ...Object.fromEntries(branches), _scenes: context.sceneNames(home.id) };
  }
  return { ...tree, _homes: Object.fromEntries(visibleHomes.map(({ id, name }) => [slugKey(name, id), id])) };
}

function presentRoom(context: TreeContext, homeKey: string, { key, accessories }: SelectedRoom): RoomState {
  return Object.fromEntries(
    accessories.map((selected) => [selected.key, presentEntry(context, `${homeKey}.${key}`, selected)]),
  );
}

/**
 * `type` first, then the properties, `_settable` if there are any, and the dotted `name` last (wire-facts §2.3). A
 * group is marked as one and shows its members, which also have entries of their own in their own rooms.
 */
function presentEntry(
  context: TreeContext,
  path: string,
  { accessory, key, group }: SelectedAccessory,
): AccessoryState {
  const name = `${path}.${key}`;
  const { type, properties, settable } = simplify(accessory, context.state.pressesOf(accessory.id));
  return {
    type,
    ...properties,
    ...(group ? { group: true, accessories: presentMembers(context, name, group) } : {}),
    ...(settable.length > 0 ? { _settable: settable } : {}),
    name,
  };
}

/** By key; an accessory with several services in the group appears once. */
function presentMembers(context: TreeContext, path: string, group: ServiceGroup): RoomState {
  return Object.fromEntries(
    membersOf(group, context.state).map(({ accessory }) => {
      const key = slugKey(accessory.name, accessory.id);
      return [key, presentEntry(context, path, { accessory, key })];
    }),
  );
}

/** One sentence on the response's content (wire-facts §2.3). */
export function summarize(
  selected: readonly SelectedHome[],
  visibleHomes: readonly Home[],
  filters: StateFilters,
): string {
  const counts = selected.map(({ rooms }) => rooms.reduce((sum, { accessories }) => sum + accessories.length, 0));
  const accessories = counts.reduce((sum, count) => sum + count, 0);
  if (visibleHomes.length === 0) return 'No homes available. Connect a device to get started.';
  if (accessories === 0) {
    return Object.keys(filters).length > 0 ? 'No accessories match filters' : 'No accessories found';
  }
  const homes = counts.filter((count) => count > 0).length;
  return `Found ${accessories} ${accessories === 1 ? 'accessory' : 'accessories'} across ${homes} ${homes === 1 ? 'home' : 'homes'}`;
}

/** The name-based form (API §4.1.3). */
export function presentNames(selected: readonly SelectedHome[]): StateByNames {
  return {
    homes: selected.map(({ home, rooms }) => ({
      id: home.id,
      name: home.name,
      rooms: rooms.map(({ room, accessories }) => ({
        id: room.id,
        name: room.name,
        accessories: accessories.map(presentNamed),
      })),
    })),
  };
}

/** A group is an accessory here, with one service whose values combine those of the members. */
function presentNamed({ accessory, group }: SelectedAccessory): NamedAccessory {
  const { id, name, reachable, services } = accessory;
  const common = { id, name, type: deviceType(accessory), reachable, services: services.map(presentService) };
  return group ? { ...common, group: true } : common;
}

function presentService({ type, characteristics }: Service): NamedAccessory['services'][number] {
  return { type: serviceName(type), characteristics: characteristics.filter(isReadable).map(presentCharacteristic) };
}

function isReadable({ permissions }: Characteristic): boolean {
  return permissions.includes('pr');
}

function presentCharacteristic(characteristic: Characteristic) {
  return { type: characteristicName(characteristic.type), value: presentValue(characteristic) };
}
