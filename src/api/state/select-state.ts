import type { Caller } from '../../app/access/caller.ts';
import type { Control } from '../../app/control/control.ts';
import type { ServiceGroups } from '../../app/groups/service-groups.ts';
import type { StateFilters } from '../../contract/state.ts';
import { compareNamed } from '../../home/collection.ts';
import { asAccessory } from '../../home/group-accessory.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, Home, Room, ServiceGroup } from '../../home/model.ts';
import { slugKey } from '../../home/slug.ts';
import { matchesTypeFilter } from '../../home/vocabulary/device-types.ts';

/** A home with its filtered contents. Rooms without accessories are omitted. */
export interface SelectedHome {
  readonly home: Home;
  readonly key: string;
  readonly rooms: readonly SelectedRoom[];
}

export interface SelectedRoom {
  readonly room: Room;
  readonly key: string;
  readonly accessories: readonly SelectedAccessory[];
}

export interface SelectedAccessory {
  readonly accessory: Accessory;
  readonly key: string;
  /** The service group that it represents. */
  readonly group?: ServiceGroup;
}

export interface StateSource {
  readonly state: HomeState;
  readonly control: Control;
  readonly serviceGroups: ServiceGroups;
}

/**
 * Homes stay even if the filters remove all their contents, unless the home filter itself excludes them (wire-facts
 * §2.3).
 */
export function selectState(
  source: StateSource,
  caller: Caller,
  homes: readonly Home[],
  filters: StateFilters,
): readonly SelectedHome[] {
  return homes
    .map((home) => ({ home, key: slugKey(home.name, home.id) }))
    .filter(({ home, key }) => includes(filters.home, key, home.name))
    .map(({ home, key }) => {
      const byRoom = groupByRoom(allIn(source, caller, home));
      return { home, key, rooms: selectRooms(source.state.rooms(home.id), byRoom, filters) };
    });
}

/** Accessories and service groups by name. A vanished accessory has no state; GET /rest/accessories still lists it. */
function allIn({ state, control, serviceGroups }: StateSource, caller: Caller, home: Home): SelectedAccessory[] {
  const accessories = control
    .listAccessories(caller, { homeId: home.id })
    .filter(({ vanishedAt }) => vanishedAt === null)
    .map((accessory) => ({ accessory, key: keyOf(accessory) }));
  const groups = serviceGroups.list(caller, home.id).flatMap((group) => {
    const accessory = asAccessory(group, state);
    return accessory ? [{ accessory, key: keyOf(accessory), group }] : [];
  });
  if (groups.length === 0) return accessories;
  return [...accessories, ...groups].sort((a, b) => compareNamed(a.accessory, b.accessory));
}

function keyOf({ name, id }: Accessory): string {
  return slugKey(name, id);
}

function groupByRoom(selected: readonly SelectedAccessory[]): ReadonlyMap<string, readonly SelectedAccessory[]> {
  const byRoom = new Map<string, SelectedAccessory[]>();
  for (const one of selected) {
    const inRoom = byRoom.get(one.accessory.roomId);
    if (inRoom) inRoom.push(one);
    else byRoom.set(one.accessory.roomId, [one]);
  }
  return byRoom;
}

function selectRooms(
  rooms: readonly Room[],
  byRoom: ReadonlyMap<string, readonly SelectedAccessory[]>,
  filters: StateFilters,
): readonly SelectedRoom[] {
  return rooms
    .map((room) => ({ room, key: slugKey(room.name, room.id) }))
    .filter(({ room, key }) => includes(filters.room, key, room.name))
    .map(({ room, key }) => ({ room, key, accessories: selectAccessories(byRoom.get(room.id) ?? [], filters) }))
    .filter(({ accessories }) => accessories.length > 0);
}

function selectAccessories(all: readonly SelectedAccessory[], filters: StateFilters): readonly SelectedAccessory[] {
  return all.filter(
    ({ accessory, key }) =>
      includes(filters.name, key, accessory.name) &&
      (filters.type === undefined || matchesTypeFilter(accessory, filters.type)),
  );
}

function includes(filter: string | undefined, key: string, name: string): boolean {
  return filter === undefined || key.includes(filter) || name.toLowerCase().includes(filter);
}
