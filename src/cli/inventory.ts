/**
 * Finds items of the home by name. A home, a room or an accessory may be written by name (ignoring case), by slug key
 * or by id, an accessory also as a path: "Living Room/Lamp", "Home/Living Room/Lamp".
 */

import type { Accessory } from '../contract/accessories.ts';
import type { Home } from '../contract/homes.ts';
import type { Room } from '../contract/rooms.ts';
import type { ServiceGroup } from '../contract/service-groups.ts';
import { slugKey } from '../home/slug.ts';
import type { ApiClient } from './api-client.ts';
import { CliError, EXIT, usageError } from './exit-codes.ts';
import { didYouMean } from './suggestions.ts';

export interface LocatedRoom extends Room {
  readonly home: Home;
}

export interface LocatedAccessory extends Accessory {
  readonly home: Home;
}

/** An item of the state tree: an accessory, or a service group in its first member's room. */
export type StateItem = Pick<LocatedAccessory, 'id' | 'name' | 'home' | 'roomId' | 'roomName' | 'isReachable'>;

/** An item with a name, and every way to write it. */
interface Candidate<T> {
  readonly item: T;
  readonly spellings: readonly string[];
  /** The path that distinguishes it from items with the same name. */
  readonly path: string;
}

interface NamedInHome {
  readonly id: string;
  readonly name: string;
  readonly homeId: string;
}

export class Inventory {
  readonly homes: readonly Home[];
  readonly rooms: readonly LocatedRoom[];
  readonly accessories: readonly LocatedAccessory[];

  constructor(homes: readonly Home[], rooms: readonly LocatedRoom[], accessories: readonly Accessory[]) {
    this.homes = homes;
    this.rooms = rooms;
    this.accessories = accessories.flatMap((accessory) => {
      const home = homes.find(({ id }) => id === accessory.homeId);
      return home ? [{ ...accessory, home }] : [];
    });
  }

  /** Finds one home; without a text, the only one. @throws `CliError` not found · ambiguous */
  home(text: string | undefined): Home {
    const [only, ...others] = this.homes;
    if (text === undefined) {
      if (only && others.length === 0) return only;
      throw usageError(
        `There are several homes. Choose one with --home: ${this.homes.map(({ name }) => name).join(', ')}.`,
      );
    }
    return pick(
      'home',
      text,
      this.homes.map((home) => ({ item: home, spellings: formsOf(home), path: home.name })),
    );
  }

  /** The name of an item's home; `undefined` if the home no longer exists. */
  homeName({ homeId }: Pick<NamedInHome, 'homeId'>): string | undefined {
    return this.homes.find(({ id }) => id === homeId)?.name;
  }

  /** The IANA time zone of an item's home; `null` if the home uses the computer's clock. */
  zoneOf({ homeId }: { readonly homeId: string | null }): string | null {
    return this.homes.find(({ id }) => id === homeId)?.timeZone ?? null;
  }

  /** @param home only rooms of this one. */
  room(text: string, home?: Home): LocatedRoom {
    const rooms = home ? this.rooms.filter((room) => room.home.id === home.id) : this.rooms;
    return pick(
      'room',
      text,
      rooms.map((room) => ({
        item: room,
        spellings: [...formsOf(room), ...join(formsOf(room.home), formsOf(room))],
        path: `${room.home.name}/${room.name}`,
      })),
    );
  }

  accessory(text: string): LocatedAccessory {
    return pick('accessory', text, this.accessories.map(placed));
  }

  /** Finds an accessory or one of these groups: any item with a state. */
  entry(text: string, groups: readonly ServiceGroup[]): StateItem {
    return pick('accessory', text, this.entries(groups).map(placed));
  }

  /** All items of the state tree; groups after the accessories. */
  entries(groups: readonly ServiceGroup[]): readonly StateItem[] {
    return [...this.accessories, ...groups.flatMap((group) => this.locate(group) ?? [])];
  }

  /** The location of a group; `undefined` while no member exists. */
  locate(group: ServiceGroup): StateItem | undefined {
    const room = this.rooms.find(({ id }) => id === group.roomId);
    return room && { ...group, home: room.home, roomId: room.id, roomName: room.name };
  }

  /**
   * Finds one of the other items of homes (scenes, groups …) by name, "Home/Name" or id.
   * @param kind its name in messages; `hearthd <kind> list` lists the items.
   */
  thing<T extends NamedInHome>(kind: string, text: string, things: readonly T[]): T {
    return pick(
      kind,
      text,
      things.map((item) => {
        const home = this.homes.find(({ id }) => id === item.homeId);
        const inHome = home ? join(formsOf(home), [item.name]) : [];
        return {
          item,
          spellings: [item.name, item.id, ...inHome],
          path: home ? `${home.name}/${item.name}` : item.name,
        };
      }),
    );
  }
}

export async function loadInventory(api: ApiClient): Promise<Inventory> {
  const homes = await api.get<Home[]>('/rest/homes');
  const [accessories, ...rooms] = await Promise.all([
    api.get<Accessory[]>('/rest/accessories'),
    ...homes.map(async (home): Promise<LocatedRoom[]> => {
      const own = await api.get<Room[]>('/rest/rooms', { home: home.id });
      return own.map((room) => ({ ...room, home }));
    }),
  ]);
  return new Inventory(homes, rooms.flat(), accessories);
}

/** Home key, room key and accessory key: the position in the state tree. */
export function keyPathOf({ home, roomId, roomName, id, name }: StateItem): readonly [string, string, string] {
  return [home.key, slugKey(roomName, roomId), slugKey(name, id)];
}

function placed<T extends StateItem>(entry: T): Candidate<T> {
  const { home, roomId, roomName, name } = entry;
  const inRoom = join(formsOf({ id: roomId, name: roomName }), formsOf(entry));
  return {
    item: entry,
    spellings: [...formsOf(entry), ...inRoom, ...join(formsOf(home), inRoom), keyPathOf(entry).join('.')],
    path: `${home.name}/${roomName}/${name}`,
  };
}

function formsOf({ id, name }: { id: string; name: string }): readonly string[] {
  return [name, slugKey(name, id), id];
}

/** Combines every first part with every second. Builds and compares whole paths, because names may contain slashes. */
function join(firsts: readonly string[], seconds: readonly string[]): readonly string[] {
  return firsts.flatMap((first) => seconds.map((second) => `${first}/${second}`));
}

function fold(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

function pick<T extends { id: string }>(kind: string, text: string, candidates: readonly Candidate<T>[]): T {
  const wanted = fold(text);
  const matches = candidates.filter(({ spellings }) => spellings.some((spelling) => fold(spelling) === wanted));
  const [match, ...others] = matches;
  if (match && others.length === 0) return match.item;
  if (match) throw usageError(ambiguous(kind, text, matches));
  const shownBy = ` hearthd ${LISTED_BY[kind] ?? `${kind} list`} lists them.`;
  const help = didYouMean(text, namesOf(text, candidates), shownBy);
  throw new CliError(EXIT.notFound, `${kind}_not_found`, `No ${kind} "${text}".${help}`);
}

/** The names, or the paths where several items share a name; with a slash in `text` also all paths. */
function namesOf<T>(text: string, candidates: readonly Candidate<T>[]): readonly string[] {
  const names = candidates.map(({ spellings, path }) => spellings[0] ?? path);
  const count = new Map<string, number>();
  for (const name of names) count.set(fold(name), (count.get(fold(name)) ?? 0) + 1);
  const presented = candidates.map(({ path }, index) => {
    const name = names[index] ?? path;
    return (count.get(fold(name)) ?? 0) > 1 ? path : name;
  });
  return text.includes('/') ? [...presented, ...candidates.map(({ path }) => path)] : presented;
}

const LISTED_BY: Readonly<Record<string, string>> = {
  accessory: 'accessories',
  broker: 'mqtt list',
  publication: 'publish list',
};

function ambiguous<T extends { id: string }>(kind: string, text: string, matches: readonly Candidate<T>[]): string {
  const lines = matches.map(({ item, path }) => {
    const twin = matches.some((other) => other.item !== item && fold(other.path) === fold(path));
    return twin ? `  ${item.id}   (${path})` : `  "${path}"`;
  });
  return [`"${text}" matches more than one ${kind}. Use one of:`, ...lines].join('\n');
}
