/** The possible members of a group, and the content of a collection. */
import type { HomeAccessory, HomeInventory, HomeService } from '../../home/home-document.ts';

export const GROUP_KINDS = ['light', 'switch', 'outlet', 'fan', 'blind'] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

/** As on the relay (`home/group-accessory.ts`); the blinds do not include garage doors. */
const SERVICES: Readonly<Record<GroupKind, readonly string[]>> = {
  light: ['lightbulb'],
  switch: ['switch'],
  outlet: ['outlet'],
  fan: ['fan'],
  blind: ['window_covering', 'window', 'door'],
};

export function isGroupKind(kind: unknown): kind is GroupKind {
  return GROUP_KINDS.some((each) => each === kind);
}

export function servicesOfKind({ services }: Pick<HomeAccessory, 'services'>, kind: GroupKind): readonly HomeService[] {
  return services.filter(({ type }) => SERVICES[kind].includes(type));
}

export interface MemberOption {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
}

/** The services of one kind: each outlet of a power strip is one option. @param roomName by the room's id */
export function memberOptions(
  { accessories }: Pick<HomeInventory, 'accessories'>,
  kind: GroupKind,
  roomName: (roomId: string) => string,
): readonly MemberOption[] {
  return accessories.flatMap((accessory) => {
    const services = servicesOfKind(accessory, kind);
    return services.map((service) => ({
      id: service.id,
      name: services.length > 1 ? `${accessory.name} – ${serviceName(service, accessory)}` : accessory.name,
      detail: roomName(accessory.roomId ?? ''),
    }));
  });
}

function serviceName({ id, name, type }: HomeService, { services }: HomeAccessory): string {
  return (
    name || String(services.filter((service) => service.type === type).findIndex((service) => service.id === id) + 1)
  );
}

/** An item of a collection in the relay's format; items of other homes are sent back unchanged. */
type Item = Readonly<Record<string, unknown>>;

/** Reads a collection's content, which is JSON. @returns the ids of its items in this home */
export function idsInCollection(content: unknown, homeId: string): readonly string[] {
  return itemsOf(content)
    .filter(({ home_id }) => home_id === homeId)
    .flatMap(({ accessory_id, service_group_id }) => {
      const id = accessory_id ?? service_group_id;
      return typeof id === 'string' ? [id] : [];
    });
}

/** The content with exactly these items of this home. Items of other homes, and the group of each item, stay. */
export function withCollectionIds(
  content: unknown,
  homeId: string,
  ids: readonly string[],
  isGroup: (id: string) => boolean,
): Readonly<Record<string, unknown>> {
  const before = itemsOf(content);
  const kept = before.filter(({ home_id, accessory_id, service_group_id }) => {
    return home_id !== homeId || ids.includes(String(accessory_id ?? service_group_id));
  });
  const there = idsInCollection({ items: kept }, homeId);
  const added = ids
    .filter((id) => !there.includes(id))
    .map((id) => ({ home_id: homeId, ...(isGroup(id) ? { service_group_id: id } : { accessory_id: id }) }));
  const groups = isObject(content) && Array.isArray(content.groups) ? content.groups : [];
  // The relay returns a home's name, but does not accept it.
  const items = [...kept, ...added].map(({ home_name: _, ...item }: Item) => item);
  return { groups, items };
}

function itemsOf(content: unknown): readonly Item[] {
  const items = isObject(content) ? content.items : undefined;
  return Array.isArray(items) ? items.filter(isObject) : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
