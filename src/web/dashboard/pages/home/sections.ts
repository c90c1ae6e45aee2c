/** What the home page shows in which place: rooms with what is in them, as the person has arranged it. */
import type { House, HouseRoom } from '../../house/house-document.ts';
import { type Arrangement, accessoryOrder, favouritesOf, inOrder, isHidden } from './arrangement.ts';

/** An accessory, or a service group: both are shown as one tile. */
export interface Thing {
  readonly id: string;
  readonly name: string;
  readonly roomId: string;
  readonly isGroup: boolean;
}

export interface RoomSection {
  readonly room: HouseRoom;
  readonly things: readonly Thing[];
}

type Compare = (a: string, b: string) => number;

type HouseParts = Pick<House, 'rooms' | 'accessories' | 'serviceGroups'>;

/** Accessories and groups. A group is where its first member is; one without members that are there is left out. */
export function thingsOf({
  accessories,
  serviceGroups,
}: Pick<HouseParts, 'accessories' | 'serviceGroups'>): readonly Thing[] {
  const rooms = new Map(accessories.map(({ id, roomId }) => [id, roomId]));
  const groups = serviceGroups.flatMap(({ id, name, accessory, accessoryIds: [first] }) => {
    const roomId = accessory?.roomId ?? (first && rooms.get(first));
    return accessory && roomId ? [{ id, name, roomId, isGroup: true }] : [];
  });
  return [
    ...groups,
    ...accessories.flatMap(({ id, name, roomId, services }) =>
      // A bridge by itself does nothing: it is found under System.
      services.some(isShown) && roomId ? [{ id, name, roomId, isGroup: false }] : [],
    ),
  ];
}

const TECHNICAL_SERVICES: ReadonlySet<string> = new Set(['accessory_information', 'protocol_information']);

function isShown({ type }: { readonly type: string }): boolean {
  return !TECHNICAL_SERVICES.has(type);
}

/** Every room, empty ones too; groups stand before what is in them until the person says otherwise. */
export function sectionsOf(house: HouseParts, arrangement: Arrangement, compare: Compare): readonly RoomSection[] {
  const byRoom = new Map<string, Thing[]>();
  for (const thing of thingsOf(house)) byRoom.set(thing.roomId, [...(byRoom.get(thing.roomId) ?? []), thing]);
  // What has no place of its own stands last until somebody puts that room elsewhere.
  const compareRooms = (a: HouseRoom, b: HouseRoom) =>
    Number(a.isDefault) - Number(b.isDefault) || compare(a.name, b.name);
  return inOrder(house.rooms, arrangement.rooms, compareRooms).map((room) => ({
    room,
    things: inOrder(
      byRoom.get(room.id) ?? [],
      accessoryOrder(arrangement, room.id),
      (a, b) => Number(b.isGroup) - Number(a.isGroup) || compare(a.name, b.name),
    ),
  }));
}

/** What the home page shows: without what is hidden, and without rooms that are left with nothing. */
export function shownSections(sections: readonly RoomSection[], arrangement: Arrangement): readonly RoomSection[] {
  return sections
    .map(({ room, things }) => ({ room, things: things.filter(({ id }) => !isHidden(arrangement, id)) }))
    .filter(({ things }) => things.length > 0);
}

/** @returns the ids of the favourites that have a tile */
export function favouriteThings(house: HouseParts, arrangement: Arrangement): readonly Thing[] {
  return favouritesOf(arrangement, thingsOf(house));
}
