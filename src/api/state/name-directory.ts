import { asAccessory } from '../../home/group-accessory.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, Home, Room } from '../../home/model.ts';
import { nameKey } from '../../home/names.ts';
import { slugKey } from '../../home/slug.ts';

/** The state replaces its lists after a change of the layout, and never changes one. */
const homeIndexes = new WeakMap<readonly Home[], NameIndex<Home>>();
const roomIndexes = new WeakMap<readonly Room[], NameIndex<Room>>();
/** By room id, by the list of the home's accessories. */
const accessoryIndexes = new WeakMap<readonly Accessory[], ReadonlyMap<string, NameIndex<Accessory>>>();

/**
 * Finds what a caller can name: its homes with their contents. A service group counts as an accessory. A home is
 * indexed at the first use after a change of its layout, and not for each request.
 */
export class NameDirectory {
  readonly #state: HomeState;
  readonly homes: NameIndex<Home>;

  /** @param homes those that the caller may see, whole */
  constructor(state: HomeState, homes: readonly Home[]) {
    this.#state = state;
    const all = state.homes();
    // Most callers see all homes.
    this.homes =
      homes.length === all.length ? getOrMake(homeIndexes, all, () => new NameIndex(all)) : new NameIndex(homes);
  }

  roomsOf(homeId: string): NameIndex<Room> {
    const rooms = this.#state.rooms(homeId);
    return getOrMake(roomIndexes, rooms, () => new NameIndex(rooms));
  }

  accessoriesIn({ id, homeId }: Room): NameIndex<Accessory> {
    const accessories = this.#state.accessories(homeId);
    const byRoom = getOrMake(accessoryIndexes, accessories, () => this.#indexByRoom(homeId, accessories));
    return byRoom.get(id) ?? NONE;
  }

  #indexByRoom(homeId: string, accessories: readonly Accessory[]): ReadonlyMap<string, NameIndex<Accessory>> {
    const groups = this.#state.serviceGroups.list(homeId).flatMap((group) => asAccessory(group, this.#state) ?? []);
    const byRoom = groupBy([...accessories, ...groups], ({ roomId }) => roomId);
    return new Map([...byRoom].map(([roomId, items]) => [roomId, new NameIndex(items)]));
  }
}

interface Named {
  readonly id: string;
  readonly name: string;
}

class NameIndex<T extends Named> {
  readonly #items: readonly T[];
  readonly #byKey: ReadonlyMap<string, T>;
  /** Made at the first look-up by name: most clients use keys. */
  #byName: ReadonlyMap<string, readonly T[]> | undefined;

  constructor(items: readonly T[]) {
    this.#items = items;
    this.#byKey = new Map(items.map((item) => [slugKey(item.name, item.id), item]));
  }

  byId(id: string): T | undefined {
    return this.#items.find((item) => item.id === id);
  }

  byKey(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  /** By name, ignoring case, or by slug key. Names need not be unique. */
  byName(text: string): readonly T[] {
    const item = this.#byKey.get(text);
    if (item) return [item];
    this.#byName ??= groupBy(this.#items, ({ name }) => nameKey(name));
    return this.#byName.get(nameKey(text)) ?? [];
  }
}

const NONE = new NameIndex<Accessory>([]);

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) getOrMake(groups, keyOf(item), () => []).push(item);
  return groups;
}

function getOrMake<K extends WeakKey | string, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
