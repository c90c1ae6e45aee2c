import type { Accessory, Home, Room } from '../../home/model.ts';
import { nameKey } from '../../home/names.ts';
import { slugKey } from '../../home/slug.ts';

/** The objects that a caller can name: its homes with their contents. A service group counts as an accessory. */
export interface NameSpace {
  readonly homes: readonly Home[];
  rooms(homeId: string): readonly Room[];
  accessories(homeId: string): readonly Accessory[];
}

/**
 * Finds objects by name for one request. Each list is indexed once, at its first use: a request may name thousands of
 * objects, and most name one.
 */
export class NameDirectory {
  readonly #space: NameSpace;
  readonly #homes: NameIndex<Home>;
  readonly #rooms = new Map<string, NameIndex<Room>>();
  /** By room id. */
  readonly #accessories = new Map<string, NameIndex<Accessory>>();

  constructor(space: NameSpace) {
    this.#space = space;
    this.#homes = new NameIndex(space.homes);
  }

  homes(): NameIndex<Home> {
    return this.#homes;
  }

  roomsOf(homeId: string): NameIndex<Room> {
    return getOrMake(this.#rooms, homeId, () => new NameIndex(this.#space.rooms(homeId)));
  }

  accessoriesIn({ id, homeId }: Room): NameIndex<Accessory> {
    return getOrMake(
      this.#accessories,
      id,
      () => new NameIndex(this.#space.accessories(homeId).filter(({ roomId }) => roomId === id)),
    );
  }
}

interface Named {
  readonly id: string;
  readonly name: string;
}

class NameIndex<T extends Named> {
  readonly #byKey: ReadonlyMap<string, T>;
  readonly #byName = new Map<string, T[]>();

  constructor(items: readonly T[]) {
    this.#byKey = new Map(items.map((item) => [slugKey(item.name, item.id), item]));
    for (const item of items) getOrMake(this.#byName, nameKey(item.name), () => []).push(item);
  }

  byKey(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  /** By name, ignoring case, or by slug key. Names need not be unique. */
  byName(text: string): readonly T[] {
    const item = this.#byKey.get(text);
    return item ? [item] : (this.#byName.get(nameKey(text)) ?? []);
  }
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
