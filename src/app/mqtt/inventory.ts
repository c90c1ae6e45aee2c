/** Everything published of one home by its current layout, with look-ups by topic. Values are not included. */
import { CHARACTERISTIC } from '../../hap-spec/characteristics.ts';
import { SERVICE } from '../../hap-spec/services.ts';
import { asAccessory, membersOf } from '../../home/group-accessory.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, Room, Scene } from '../../home/model.ts';
import { bindingsOf } from '../../home/vocabulary/bindings.ts';
import { deviceType } from '../../home/vocabulary/device-types.ts';
import type {
  DeviceInformation,
  PublishedHome,
  PublishedScene,
  PublishedSubject,
  PublishedThing,
} from './published-thing.ts';
import { HomeTopics, hexOf, slugsOf } from './topics.ts';

const DISCOVERY_DIGITS = 8;
const NO_SLUGS: ReadonlyMap<string, string> = new Map();

export interface PublishedInventory {
  readonly home: PublishedHome;
  readonly topics: HomeTopics;
  readonly subjects: ReadonlyMap<string, PublishedSubject>;
  /** By command topic: `…/set`, `…/execute`. */
  readonly byCommandTopic: ReadonlyMap<string, PublishedSubject>;
  /** The groups of each accessory. */
  readonly groupsOf: ReadonlyMap<string, readonly string[]>;
}

/** @param scenes the published scenes. @returns `undefined` if the home does not exist. */
export function takeInventory(
  state: HomeState,
  homeId: string,
  { prefix, scenes }: { readonly prefix: string; readonly scenes: readonly Pick<Scene, 'id' | 'name'>[] },
): PublishedInventory | undefined {
  const home = state.home(homeId);
  const topics = home && topicsOf(state, homeId, prefix);
  if (!home || !topics) return undefined;
  const groups = state.serviceGroups
    .list(homeId)
    .flatMap((group) => asAccessory(group, state) ?? [])
    .map((accessory) => ({ accessory, kind: 'group' as const }));
  const accessories = state.accessories(homeId).map((accessory) => ({ accessory, kind: 'accessory' as const }));
  const all = [...accessories, ...groups];
  const rooms = new Map(state.rooms(homeId).map((room) => [room.id, room]));
  const places = new PublishedPlaces(
    rooms,
    all.map(({ accessory }) => accessory),
  );
  const sceneSlugs = slugsOf(scenes);
  const discoveryIds = discoveryIdsOf([...all.map(({ accessory }) => accessory), ...scenes]);
  const publishedHome: PublishedHome = { homeId, homeName: home.name, homeStatusTopic: topics.status };
  const base = (id: string, name: string) => ({
    ...{ id, name, ...publishedHome },
    discoveryId: discoveryIds.get(id) ?? id,
  });
  const things = all.map(({ accessory, kind }): PublishedThing => {
    const { id, name, services } = accessory;
    const { roomSlug, roomName, slug } = places.of(accessory);
    return {
      ...base(id, name),
      kind,
      roomName,
      deviceType: deviceType(accessory),
      topics: topics.thing(roomSlug, slug, kind === 'group'),
      properties: bindingsOf(services).list,
      device: informationOf(accessory),
      accessory,
    };
  });
  const shownScenes = scenes.map(({ id, name }): PublishedScene => {
    return { ...base(id, name), kind: 'scene', topics: topics.scene(sceneSlugs.get(id) ?? id) };
  });
  const subjects = [...things, ...shownScenes];
  return {
    home: publishedHome,
    topics,
    subjects: new Map(subjects.map((subject) => [subject.id, subject])),
    byCommandTopic: new Map(subjects.map((subject) => [commandTopicOf(subject), subject])),
    groupsOf: groupsOf(state, homeId),
  };
}

/** Homes with the same name get different topics, on any broker. @returns `undefined` if the home does not exist. */
export function topicsOf(state: HomeState, homeId: string, prefix: string): HomeTopics | undefined {
  const slug = slugsOf(state.homes()).get(homeId);
  return slug === undefined ? undefined : new HomeTopics(prefix, slug);
}

function commandTopicOf({ topics }: PublishedSubject): string {
  return 'set' in topics ? topics.set : topics.execute;
}

/**
 * The slugs of rooms and of the things in them. The default room counts as no room: its things are at the level of
 * rooms.
 */
class PublishedPlaces {
  readonly #rooms: ReadonlyMap<string, Room>;
  readonly #roomSlugs: ReadonlyMap<string, string>;
  readonly #slugsByRoom: ReadonlyMap<string | undefined, ReadonlyMap<string, string>>;

  constructor(rooms: ReadonlyMap<string, Room>, accessories: readonly Accessory[]) {
    this.#rooms = rooms;
    const besideRooms = new Set<string>();
    this.#roomSlugs = slugsOf(
      [...rooms.values()].filter(({ isDefault }) => !isDefault),
      besideRooms,
    );
    const byRoom = groupBy(accessories, ({ roomId }) => (this.#roomSlugs.has(roomId) ? roomId : undefined));
    this.#slugsByRoom = new Map(
      [...byRoom].map(([roomId, items]) => [roomId, slugsOf(items, roomId === undefined ? besideRooms : new Set())]),
    );
  }

  of({ id, roomId }: Accessory): { roomSlug: string | undefined; roomName: string | null; slug: string } {
    const roomSlug = this.#roomSlugs.get(roomId);
    const slugs = this.#slugsByRoom.get(roomSlug === undefined ? undefined : roomId) ?? NO_SLUGS;
    const roomName = roomSlug === undefined ? null : (this.#rooms.get(roomId)?.name ?? null);
    return { roomSlug, roomName, slug: slugs.get(id) ?? id };
  }
}

function discoveryIdsOf(items: readonly { readonly id: string }[]): ReadonlyMap<string, string> {
  const alike = groupBy(items, ({ id }) => hexOf(id, DISCOVERY_DIGITS));
  return new Map(
    [...alike].flatMap(([short, group]) =>
      group.map(({ id }) => [id, `homecast_${group.length === 1 ? short : hexOf(id, 32)}`] as const),
    ),
  );
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) append(groups, keyOf(item), item);
  return groups;
}

function append<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}

function groupsOf(state: HomeState, homeId: string): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const group of state.serviceGroups.list(homeId)) {
    for (const { accessory } of membersOf(group, state)) {
      append(groups, accessory.id, group.id);
    }
  }
  return groups;
}

function informationOf({ services }: Accessory): DeviceInformation {
  const information = services.find(({ type }) => type === SERVICE.accessoryInformation);
  const text = (type: string): string | null => {
    const value = information?.characteristics.find((one) => one.type === type)?.value;
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  return {
    manufacturer: text(CHARACTERISTIC.manufacturer),
    model: text(CHARACTERISTIC.model),
    serialNumber: text(CHARACTERISTIC.serialNumber),
    firmwareRevision: text(CHARACTERISTIC.firmwareRevision),
    hardwareRevision: text(CHARACTERISTIC.hardwareRevision),
  };
}
