/** What can be shared from a home, and which parts need more care. */
import { ENTITY_TYPES, type EntityType } from '../../../../home/vocabulary/sharing.ts';
import type { HomeInventory, HomeRoom } from '../../home/home-document.ts';

export interface Shareable {
  readonly type: EntityType;
  readonly id: string;
  readonly name: string;
  /** The room of an accessory, because two lamps may have the same name. */
  readonly detail?: string;
  /** The accessories inside, if known. */
  readonly accessoryIds: readonly string[];
}

interface RoomGroup {
  readonly id: string;
  readonly name: string;
  readonly roomIds: readonly string[];
}

export interface ShareableCollection {
  readonly id: string;
  readonly name: string;
  /** The accessories, including the members of groups. */
  readonly accessoryIds: readonly string[];
  readonly groups: readonly { readonly id: string; readonly name: string }[];
}

type HomePart = Pick<HomeInventory, 'id' | 'name' | 'accessories' | 'serviceGroups'> & {
  readonly rooms: readonly HomeRoom[];
};

/** Accessories that open or lock an entrance (decisions §8). */
const DOORS: ReadonlySet<string> = new Set(['lock', 'lock_management', 'garage_door', 'door']);

export function isEntityType(word: string): word is EntityType {
  return (ENTITY_TYPES as readonly string[]).includes(word);
}

export function shareablesOf(
  inventory: HomePart,
  roomGroups: readonly RoomGroup[],
  collections: readonly ShareableCollection[],
): readonly Shareable[] {
  const idsIn = (roomIds: readonly string[]): readonly string[] =>
    inventory.accessories.filter(({ roomId }) => roomIds.includes(roomId ?? '')).map(({ id }) => id);
  const roomName = new Map(inventory.rooms.map(({ id, name }) => [id, name]));
  return [
    { type: 'home', id: inventory.id, name: inventory.name, accessoryIds: inventory.accessories.map(({ id }) => id) },
    ...inventory.rooms.map(({ id, name }) => ({ type: 'room' as const, id, name, accessoryIds: idsIn([id]) })),
    ...roomGroups.map(({ id, name, roomIds }) => ({
      type: 'room_group' as const,
      id,
      name,
      accessoryIds: idsIn(roomIds),
    })),
    ...inventory.accessories.map(({ id, name, roomId }) => {
      const detail = roomName.get(roomId ?? '');
      return { type: 'accessory' as const, id, name, ...(detail !== undefined && { detail }), accessoryIds: [id] };
    }),
    ...inventory.serviceGroups.map(({ id, name, accessoryIds }) => ({
      type: 'accessory_group' as const,
      id,
      name,
      accessoryIds,
    })),
    ...collections.flatMap(({ id, name, accessoryIds, groups }) => [
      { type: 'collection' as const, id, name, accessoryIds },
      ...groups.map((group) => ({
        type: 'collection_group' as const,
        id: `${id}:${group.id}`,
        name: group.name,
        detail: name,
        accessoryIds,
      })),
    ]),
  ];
}

/** Whether it contains a lock, a garage door or a door: merely opening a link should not operate those. */
export function hasDoors({ accessoryIds }: Shareable, { accessories }: Pick<HomeInventory, 'accessories'>): boolean {
  const wanted = new Set(accessoryIds);
  return accessories.some(({ id, services }) => wanted.has(id) && services.some(({ type }) => DOORS.has(type)));
}

/** What people operate, beside doors. */
const OPERATED: ReadonlySet<string> = new Set(['lightbulb', 'switch', 'outlet', 'fan', 'window', 'window_covering']);

/** Whether it is one accessory or one group that people open or turn on: a room or a home has much else. */
export function isOperated(shareable: Shareable, inventory: Pick<HomeInventory, 'accessories'>): boolean {
  if (shareable.type !== 'accessory' && shareable.type !== 'accessory_group') return false;
  const wanted = new Set(shareable.accessoryIds);
  const services = inventory.accessories.filter(({ id }) => wanted.has(id)).flatMap((accessory) => accessory.services);
  return services.some(({ type }) => DOORS.has(type) || OPERATED.has(type));
}

/** `?new=room:<id>` from other pages; the id of a group inside a collection also contains a colon. */
export function parseNewShareTarget(text: string | null): { readonly type: string; readonly id: string } | undefined {
  const colon = text?.indexOf(':') ?? -1;
  if (!text || colon <= 0) return undefined;
  const type = text.slice(0, colon);
  return { type: type === 'group' ? 'accessory_group' : type, id: text.slice(colon + 1) };
}

/** The content of a collection, from the API's JSON. */
export function parseCollection({
  id,
  name,
  content,
}: {
  id: string;
  name: string;
  content: unknown;
}): ShareableCollection {
  const { items, groups } = isObject(content) ? content : {};
  const itemsOf: readonly unknown[] = Array.isArray(items) ? items : [];
  const groupsOf: readonly unknown[] = Array.isArray(groups) ? groups : [];
  return {
    id,
    name,
    accessoryIds: itemsOf.flatMap((item) =>
      isObject(item) && typeof item.accessory_id === 'string' ? [item.accessory_id] : [],
    ),
    groups: groupsOf.flatMap((group) =>
      isObject(group) && typeof group.id === 'string' && typeof group.name === 'string'
        ? [{ id: group.id, name: group.name }]
        : [],
    ),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
