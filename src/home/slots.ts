/** How the state keeps an accessory: with an index of its characteristics. */
import { compareNamed } from './collection.ts';
import type { Accessory, Characteristic, HapId } from './model.ts';

/** A characteristic with the iid of its service, so that an incoming value needs one lookup. */
interface Slot {
  readonly serviceIid: HapId;
  readonly characteristic: Mutable<Characteristic>;
}

export interface IndexedAccessory {
  readonly accessory: Mutable<Accessory>;
  slots: ReadonlyMap<HapId, Slot>;
  /** The state's revision at the last change of something that the accessory shows. */
  revision: number;
}

export function indexSlots(accessory: PlacedAccessory): ReadonlyMap<HapId, Slot> {
  const slots = new Map<HapId, Slot>();
  for (const service of accessory.services) {
    for (const characteristic of service.characteristics) {
      // Some firmware uses an iid twice; a read of that iid returns the first one.
      if (!slots.has(characteristic.iid)) slots.set(characteristic.iid, { serviceIid: service.iid, characteristic });
    }
  }
  return slots;
}

/** The layout's data of an accessory; the driver provides the reachability. */
export type PlacedAccessory = Omit<Accessory, 'reachable' | 'lastSeenAt'>;

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function* mapAccessories(entries: Iterable<IndexedAccessory>): Iterable<Accessory> {
  for (const entry of entries) yield entry.accessory;
}

export function sortedOnce<T extends { homeId: string; name: string; id: string }>(
  lists: Map<string, readonly T[]>,
  homeId: string,
  all: Iterable<T>,
): readonly T[] {
  let list = lists.get(homeId);
  if (!list) {
    list = [...all].filter((item) => item.homeId === homeId).sort(compareNamed);
    lists.set(homeId, list);
  }
  return list;
}
