/**
 * A user's layout of a home: the order of rooms and accessories, favourites, hidden ones, and sizes of tiles. It is
 * stored in the account's settings under `dashboard.<home>` and applies to this user only. Rooms and names themselves
 * belong to the home.
 */
import { BUILT_IN_SCENE_TYPES } from '../../../../home/vocabulary/scene-types.ts';

export interface Arrangement {
  /** Room ids in order; other rooms follow, sorted by name. */
  readonly rooms: readonly string[];
  /** Accessories and groups by room, in the same way. */
  readonly accessories: Readonly<Record<string, readonly string[]>>;
  /** Accessories and groups that the home page does not show, and built-in scenes by their kind. */
  readonly hidden: readonly string[];
  /** Accessories, groups and scenes that come first. */
  readonly favourites: readonly string[];
  /** Tiles of these sizes; others are small. Other clients and older versions leave both out. */
  readonly wide: readonly string[];
  readonly large: readonly string[];
}

/** Takes back the change from `before` to `after`: the lists that it replaced, and no others. */
export function reverted(arrangement: Arrangement, before: Arrangement, after: Arrangement): Arrangement {
  const lists = Object.entries(before).filter(([key, list]) => after[key as keyof Arrangement] !== list);
  return { ...arrangement, ...Object.fromEntries(lists) };
}

/** In columns and rows of the grid: 1 × 1, 2 × 1, 2 × 2 with a graph of the last day. */
export const TILE_SIZES = ['small', 'wide', 'large'] as const;
export type TileSize = (typeof TILE_SIZES)[number];

/** In place of a room: service groups whose members are in several rooms have a row of their own. */
export const GROUPS = 'groups';

/** The grid of favourites, among the rooms' grids. */
export const FAVOURITES = 'favourites';

export const EMPTY_ARRANGEMENT: Arrangement = {
  rooms: [],
  accessories: {},
  hidden: [],
  favourites: [],
  wide: [],
  large: [],
};

/** All settings of an account share 64 KiB; twelve hexadecimal digits of an id are unique within a home. */
const SHORT_ID_LENGTH = 12;

/** The short form of an id in an arrangement. */
export function shortId(id: string): string {
  return id.replaceAll('-', '').slice(0, SHORT_ID_LENGTH);
}

/** Parses the account's settings. Other clients may write them too, so invalid parts are ignored. */
export function parseArrangement(stored: unknown): Arrangement {
  if (!isObject(stored)) return EMPTY_ARRANGEMENT;
  const accessories = isObject(stored.accessories) ? Object.entries(stored.accessories) : [];
  return {
    rooms: parseIds(stored.rooms),
    accessories: Object.fromEntries(accessories.map(([room, ids]) => [room, parseIds(ids)])),
    hidden: parseIds(stored.hidden),
    favourites: parseIds(stored.favourites),
    wide: parseIds(stored.wide),
    large: parseIds(stored.large),
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

/** The items that the user has ordered first, then the others, sorted by `compare`. */
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

interface ArrangedScene extends Named {
  readonly isBuiltIn: boolean;
  readonly actionSetType: string;
}

/** Only a built-in scene can be hidden; others can be deleted. */
export function isHiddenScene(
  arrangement: Arrangement,
  { isBuiltIn, actionSetType }: Pick<ArrangedScene, 'isBuiltIn' | 'actionSetType'>,
): boolean {
  return isBuiltIn && isHidden(arrangement, actionSetType);
}

export function isFavourite({ favourites }: Arrangement, id: string): boolean {
  return favourites.includes(shortId(id));
}

/** The favourites among these, in the order in which they were added. */
export function favouritesOf<T extends Named>({ favourites }: Arrangement, items: readonly T[]): readonly T[] {
  const byId = new Map(items.map((item) => [shortId(item.id), item]));
  return favourites.flatMap((id) => byId.get(id) ?? []);
}

/** Favourites from before have the id of a built-in scene. */
export function isFavouriteScene(arrangement: Arrangement, scene: Omit<ArrangedScene, 'name'>): boolean {
  return isFavourite(arrangement, scene.id) || isFavourite(arrangement, keyOfScene(scene));
}

export function favouriteScenesOf<T extends ArrangedScene>(
  { favourites }: Arrangement,
  scenes: readonly T[],
): readonly T[] {
  const byKey = new Map(scenes.flatMap((scene) => [scene.id, keyOfScene(scene)].map((key) => [shortId(key), scene])));
  return [...new Set(favourites.flatMap((key) => byKey.get(key) ?? []))];
}

export function withFavouriteScene(
  arrangement: Arrangement,
  scene: Omit<ArrangedScene, 'name'>,
  isOn: boolean,
): Arrangement {
  const without = withFavourites(arrangement, [scene.id, keyOfScene(scene)], false);
  return isOn ? withFavourites(without, [keyOfScene(scene)], true) : without;
}

function keyOfScene({ id, isBuiltIn, actionSetType }: Omit<ArrangedScene, 'name'>): string {
  return isBuiltIn ? actionSetType : id;
}

/** @param ids all rooms in the new order */
export function withRoomOrder(arrangement: Arrangement, ids: readonly string[]): Arrangement {
  return { ...arrangement, rooms: ids.map(shortId) };
}

/** @param ids all accessories of the room in the new order */
export function withAccessoryOrder(arrangement: Arrangement, roomId: string, ids: readonly string[]): Arrangement {
  return { ...arrangement, accessories: { ...arrangement.accessories, [shortId(roomId)]: ids.map(shortId) } };
}

export function accessoryOrder({ accessories }: Arrangement, roomId: string): readonly string[] {
  return accessories[shortId(roomId)] ?? [];
}

export function withHidden(arrangement: Arrangement, ids: readonly string[], isOn: boolean): Arrangement {
  return { ...arrangement, hidden: withMembers(arrangement.hidden, ids, isOn) };
}

export function withFavourites(arrangement: Arrangement, ids: readonly string[], isOn: boolean): Arrangement {
  return { ...arrangement, favourites: withMembers(arrangement.favourites, ids, isOn) };
}

export function sizeOf({ wide, large }: Arrangement, id: string): TileSize {
  const short = shortId(id);
  if (large.includes(short)) return 'large';
  return wide.includes(short) ? 'wide' : 'small';
}

export function withSize(arrangement: Arrangement, ids: readonly string[], size: TileSize): Arrangement {
  return {
    ...arrangement,
    wide: withMembers(arrangement.wide, ids, size === 'wide'),
    large: withMembers(arrangement.large, ids, size === 'large'),
  };
}

/** How many columns of the grid tiles take. */
export function columnsOf(arrangement: Arrangement, things: readonly { readonly id: string }[]): number {
  return things.reduce((sum, { id }) => sum + (sizeOf(arrangement, id) === 'small' ? 1 : 2), 0);
}

function withMembers(members: readonly string[], ids: readonly string[], isOn: boolean): readonly string[] {
  const short = ids.map(shortId);
  const others = members.filter((id) => !short.includes(id));
  return isOn ? [...others, ...short] : others;
}

/**
 * Removes ids that the home no longer has, so that settings do not grow for ever. Built-in scenes are listed only while
 * they would do something, and stay hidden or favourites meanwhile.
 * @param ids all existing ids
 */
export function withoutStrangers(arrangement: Arrangement, ids: Iterable<string>): Arrangement {
  const known = new Set([...ids, ...BUILT_IN_SCENE_TYPES].map(shortId));
  const keep = (list: readonly string[]) => list.filter((id) => known.has(id));
  const rooms = Object.entries(arrangement.accessories)
    .filter(([room]) => known.has(room) || room === GROUPS)
    .map(([room, list]) => [room, keep(list)] as const)
    .filter(([, list]) => list.length > 0);
  return {
    rooms: keep(arrangement.rooms),
    accessories: Object.fromEntries(rooms),
    hidden: keep(arrangement.hidden),
    favourites: keep(arrangement.favourites),
    wide: keep(arrangement.wide),
    large: keep(arrangement.large),
  };
}

/** The list with one item moved to another's place; the same list if nothing changes. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from];
  if (item === undefined || from === to || to < 0 || to >= list.length) return list;
  const others = list.toSpliced(from, 1);
  return others.toSpliced(to, 0, item);
}
