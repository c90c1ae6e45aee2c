/** The content of the home page: rooms with their tiles, in the user's arrangement. */
import type { HomeInventory, HomeRoom } from '../../home/home-document.ts';
import { type Arrangement, accessoryOrder, favouritesOf, GROUPS, inOrder, isHidden } from './arrangement.ts';

/** An accessory or a service group: each has one tile. */
export interface Thing {
  readonly id: string;
  readonly name: string;
  /** Of a service group: the room that all its members are in, else `GROUPS`. */
  readonly roomId: string;
  readonly isGroup: boolean;
}

export interface RoomSection {
  readonly room: HomeRoom;
  readonly things: readonly Thing[];
}

type Compare = (a: string, b: string) => number;

type HomeThings = Pick<HomeInventory, 'rooms' | 'accessories' | 'serviceGroups'>;

/** @returns the room that all of these accessories are in; `undefined` if they are in several, or in none yet */
export function commonRoomOf(
  ids: readonly string[],
  { accessories, rooms }: Pick<HomeThings, 'accessories' | 'rooms'>,
): string | undefined {
  const wanted = new Set(ids);
  const inRooms = new Set(accessories.filter(({ id }) => wanted.has(id)).map(({ roomId }) => roomId));
  const [roomId] = inRooms;
  if (inRooms.size !== 1) return undefined;
  return rooms.find(({ id, isDefault }) => id === roomId && !isDefault)?.id;
}

/** Accessories, and groups that have members. A group is in the room of its members, or in none. */
export function thingsOf({ accessories, serviceGroups, rooms }: HomeThings): readonly Thing[] {
  const groups = serviceGroups.flatMap(({ id, name, accessory, accessoryIds }) => {
    const roomId = commonRoomOf(accessoryIds, { accessories, rooms }) ?? GROUPS;
    return accessory ? [{ id, name, roomId, isGroup: true }] : [];
  });
  return [
    ...groups,
    ...accessories.flatMap(({ id, name, roomId, services }) =>
      // A bridge alone has no function: it is listed under System.
      services.some(isShown) && roomId ? [{ id, name, roomId, isGroup: false }] : [],
    ),
  ];
}

const TECHNICAL_SERVICES: ReadonlySet<string> = new Set(['accessory_information', 'protocol_information']);

function isShown({ type }: { readonly type: string }): boolean {
  return !TECHNICAL_SERVICES.has(type);
}

/** Every room with its accessories, including empty rooms. */
export function sectionsOf(inventory: HomeThings, arrangement: Arrangement, compare: Compare): readonly RoomSection[] {
  const byRoom = new Map<string, Thing[]>();
  for (const thing of thingsOf(inventory)) byRoom.set(thing.roomId, [...(byRoom.get(thing.roomId) ?? []), thing]);
  // The default room comes last until the user moves it.
  const compareRooms = (a: HomeRoom, b: HomeRoom) =>
    Number(a.isDefault) - Number(b.isDefault) || compare(a.name, b.name);
  return inOrder(inventory.rooms, arrangement.rooms, compareRooms).map((room) => ({
    room,
    things: inOrder(byRoom.get(room.id) ?? [], accessoryOrder(arrangement, room.id), (a, b) => compare(a.name, b.name)),
  }));
}

/** The service groups that are in no room, in the shape of one. */
export function groupSection(inventory: HomeThings, arrangement: Arrangement, compare: Compare): RoomSection {
  const groups = thingsOf(inventory).filter(({ roomId }) => roomId === GROUPS);
  return {
    room: { id: GROUPS, name: GROUPS, isDefault: false, color: null, pictureHash: null },
    things: inOrder(groups, accessoryOrder(arrangement, GROUPS), (a, b) => compare(a.name, b.name)),
  };
}

/** The visible sections: without hidden tiles, and without rooms that are then empty. */
export function shownSections(sections: readonly RoomSection[], arrangement: Arrangement): readonly RoomSection[] {
  return sections
    .map(({ room, things }) => ({ room, things: things.filter(({ id }) => !isHidden(arrangement, id)) }))
    .filter(({ things }) => things.length > 0);
}

/** A zone with its rooms; the last one may be the rooms that are in no zone. */
export interface Floor {
  readonly zone: { readonly id: string; readonly name: string } | undefined;
  readonly sections: readonly RoomSection[];
}

/**
 * The rooms by zone, in the order of the zones; a room of several zones is in the first. Zones without rooms are left
 * out.
 */
export function floorsOf(sections: readonly RoomSection[], zones: HomeInventory['zones']): readonly Floor[] {
  const zoneOf = new Map(zones.toReversed().flatMap(({ id, roomIds }) => roomIds.map((roomId) => [roomId, id])));
  const inZone = (id: string | undefined) => sections.filter(({ room }) => zoneOf.get(room.id) === id);
  const floors = zones.map((zone): Floor => ({ zone, sections: inZone(zone.id) }));
  return [...floors, { zone: undefined, sections: inZone(undefined) }].filter((floor) => floor.sections.length > 0);
}

/** @returns the ids of the favourites that have a tile */
export function favouriteThings(inventory: HomeThings, arrangement: Arrangement): readonly Thing[] {
  return favouritesOf(arrangement, thingsOf(inventory));
}
