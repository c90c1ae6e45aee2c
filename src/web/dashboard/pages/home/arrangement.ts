/**
 * How one person likes a home to be shown: the order of rooms and accessories, favourites, and what is hidden. It is kept in the
 * account's settings under `dashboard.<home>`, and is nobody else's business: rooms and names themselves belong to the home.
 */

export interface Arrangement {
  /** Rooms in this order; those that are not named come after them, by name. */
  readonly rooms: readonly string[];
  /** Accessories and groups by room, likewise. */
  readonly accessories: Readonly<Record<string, readonly string[]>>;
  /** Accessories and groups that the home page leaves out. */
  readonly hidden: readonly string[];
  /** Accessories, groups and scenes that stand first. */
  readonly favourites: readonly string[];
}

export const EMPTY_ARRANGEMENT: Arrangement = { rooms: [], accessories: {}, hidden: [], favourites: [] };

/** All settings of an account have 64 KiB together; twelve hexadecimal digits of an id tell a home's things apart. */
const SHORT_ID_LENGTH = 12;

/** What stands for an id in an arrangement. */
export function shortId(id: string): string {
  return id.replaceAll('-', '').slice(0, SHORT_ID_LENGTH);
}

/** From the account's settings, which other clients may write too: what does not look right is as if it were not there. */
export function parseArrangement(stored: unknown): Arrangement {
  if (!isObject(stored)) return EMPTY_ARRANGEMENT;
  const accessories = isObject(stored.accessories) ? Object.entries(stored.accessories) : [];
  return {
    rooms: parseIds(stored.rooms),
    accessories: Object.fromEntries(accessories.map(([room, ids]) => [room, parseIds(ids)])),
    hidden: parseIds(stored.hidden),
    favourites: parseIds(stored.favourites),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseIds(value: unknown): readonly string[] {
  return Array.isArray(value) ? [...new Set(value.filter((id): id is string => typeof id === 'string'))] : [];
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Those that the person has put in order first, then the others as `compare` has them. */
export function inOrder<T extends Named>(
  items: readonly T[],
  order: readonly string[],
  compare: (a: T, b: T) => number,
): readonly T[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = (item: T) => places.get(shortId(item.id)) ?? Number.POSITIVE_INFINITY;
  return [...items].sort((a, b) => {
    const [left, right] = [placeOf(a), placeOf(b)];
    return left === right ? compare(a, b) : left - right;
  });
}

export function isHidden({ hidden }: Arrangement, id: string): boolean {
  return hidden.includes(shortId(id));
}

export function isFavourite({ favourites }: Arrangement, id: string): boolean {
  return favourites.includes(shortId(id));
}

/** The favourites among these, in the order in which they became ones. */
export function favouritesOf<T extends Named>({ favourites }: Arrangement, items: readonly T[]): readonly T[] {
  const byId = new Map(items.map((item) => [shortId(item.id), item]));
  return favourites.flatMap((id) => byId.get(id) ?? []);
}

/** @param ids all rooms as they shall stand */
export function withRoomOrder(arrangement: Arrangement, ids: readonly string[]): Arrangement {
  return { ...arrangement, rooms: ids.map(shortId) };
}

/** @param ids everything in the room as it shall stand */
export function withAccessoryOrder(arrangement: Arrangement, roomId: string, ids: readonly string[]): Arrangement {
  return { ...arrangement, accessories: { ...arrangement.accessories, [shortId(roomId)]: ids.map(shortId) } };
}

export function accessoryOrder({ accessories }: Arrangement, roomId: string): readonly string[] {
  return accessories[shortId(roomId)] ?? [];
}

export function withHidden(arrangement: Arrangement, ids: readonly string[], shall: boolean): Arrangement {
  return { ...arrangement, hidden: withMembers(arrangement.hidden, ids, shall) };
}

export function withFavourites(arrangement: Arrangement, ids: readonly string[], shall: boolean): Arrangement {
  return { ...arrangement, favourites: withMembers(arrangement.favourites, ids, shall) };
}

function withMembers(members: readonly string[], ids: readonly string[], shall: boolean): readonly string[] {
  const short = ids.map(shortId);
  const others = members.filter((id) => !short.includes(id));
  return shall ? [...others, ...short] : others;
}

/** Without what the home does not have any more, so that settings do not grow for ever. @param ids everything that is there */
export function withoutStrangers(arrangement: Arrangement, ids: Iterable<string>): Arrangement {
  const known = new Set([...ids].map(shortId));
  const keep = (list: readonly string[]) => list.filter((id) => known.has(id));
  const rooms = Object.entries(arrangement.accessories)
    .filter(([room]) => known.has(room))
    .map(([room, list]) => [room, keep(list)] as const)
    .filter(([, list]) => list.length > 0);
  return {
    rooms: keep(arrangement.rooms),
    accessories: Object.fromEntries(rooms),
    hidden: keep(arrangement.hidden),
    favourites: keep(arrangement.favourites),
  };
}

/** The list with one item moved to another's place; the same list where that changes nothing. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from];
  if (item === undefined || from === to || to < 0 || to >= list.length) return list;
  const others = list.toSpliced(from, 1);
  return others.toSpliced(to, 0, item);
}
