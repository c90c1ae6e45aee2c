/**
 * Finds homes, rooms, accessories and scenes for tools: by slug key, by id or by name, ignoring case. An error for an
 * unknown name lists the existing ones that the caller may see: models correct a call by its error.
 */
import { z } from 'zod';
import { asAccessory } from '../../../home/group-accessory.ts';
import type { Accessory, Home, Room } from '../../../home/model.ts';
import { nameKey } from '../../../home/names.ts';
import { slugKey } from '../../../home/slug.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { type ErrorCode, HearthError } from '../../../kernel/errors.ts';
import { nearest } from '../../../kernel/nearest.ts';
import type { ToolContext } from './mcp-tool.ts';

/** The argument that names a home. */
export const homeName = z.string().describe('Key of the home');

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The maximum that a sentence lists. */
const MAX_LISTED = 40;
/** The maximum of rooms that a tool's description lists, across all homes. */
const MAX_DESCRIBED = 100;

export function keyOf({ id, name }: Named): string {
  return slugKey(name, id);
}

/** The homes that the caller may see, in the caller's own order. */
export function homesOf({ caller, deps }: ToolContext): readonly Home[] {
  return deps.homes.list(caller);
}

/** @throws `home_not_found` */
export function findHome(context: ToolContext, text: string, field = 'home'): Home {
  return pickNamed(homesOf(context), text, { field, noun: 'home', plural: 'homes', code: 'home_not_found', where: '' });
}

/** The named home; the first if none is named. @throws `home_not_found` */
export function findHomeOrFirst(context: ToolContext, text: string | undefined): Home {
  if (text !== undefined) return findHome(context, text);
  const [first] = homesOf(context);
  if (first) return first;
  throw new HearthError('home_not_found', 'No homes found: this token may not see any.', { field: 'home' });
}

/** @param home one that the caller may see. @throws `room_not_found` */
export function findRoom({ deps }: ToolContext, home: Home, text: string, field = 'room'): Room {
  const rooms = deps.state.rooms(home.id);
  return pickNamed(rooms, text, {
    field,
    noun: 'room',
    plural: 'rooms',
    code: 'room_not_found',
    where: ` in ${home.name}`,
  });
}

export interface AccessoryPlace {
  readonly home: Home;
  readonly room?: Room | undefined;
  /** Whether a service group counts as an accessory here. */
  readonly groups?: boolean;
}

/** The existing accessories of a home or room that the caller may see. */
export function accessoriesIn({ caller, deps }: ToolContext, { home, room, groups }: AccessoryPlace): Accessory[] {
  const { control, serviceGroups, state } = deps;
  const devices = control.listAccessories(caller, { homeId: home.id }).filter(({ vanishedAt }) => vanishedAt === null);
  const all = groups
    ? [...devices, ...serviceGroups.list(caller, home.id).flatMap((group) => asAccessory(group, state) ?? [])]
    : devices;
  return room ? all.filter(({ roomId }) => roomId === room.id) : [...all];
}

/** @throws `accessory_not_found` · `invalid_value` several have this name */
export function findAccessory(
  context: ToolContext,
  place: AccessoryPlace,
  text: string,
  field = 'accessory',
): Accessory {
  return pickAccessory(accessoriesIn(context, place), place, text, field);
}

/** Like `findAccessory`, in a list at hand: `accessoriesIn` of the place. */
export function pickAccessory(
  all: readonly Accessory[] | Directory<Accessory>,
  { home, room }: AccessoryPlace,
  text: string,
  field = 'accessory',
): Accessory {
  const where = ` in ${room ? `${home.name}, ${room.name}` : home.name}`;
  return pickNamed(all, text, { field, noun: 'accessory', plural: 'accessories', code: 'accessory_not_found', where });
}

/** An index of names in a list, for many look-ups. */
export class Directory<T extends Named> {
  readonly all: readonly T[];
  readonly #byId: ReadonlyMap<string, readonly T[]>;
  readonly #byKey: ReadonlyMap<string, readonly T[]>;
  readonly #byName: ReadonlyMap<string, readonly T[]>;

  constructor(all: readonly T[]) {
    this.all = all;
    this.#byId = grouped(all, ({ id }) => id);
    this.#byKey = grouped(all, keyOf);
    this.#byName = grouped(all, ({ name }) => nameKey(name));
  }

  /** The object with this id, else all with this key (several may share it), else all with this name. */
  matching(text: string): readonly T[] {
    const wanted = text.trim().toLowerCase();
    return this.#byId.get(wanted) ?? this.#byKey.get(wanted) ?? this.#byName.get(nameKey(text)) ?? [];
  }
}

function grouped<T>(all: readonly T[], wordOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const word = wordOf(one);
    const alike = groups.get(word);
    if (alike) alike.push(one);
    else groups.set(word, [one]);
  }
  return groups;
}

interface Search {
  readonly field: string;
  readonly noun: string;
  readonly plural: string;
  readonly code: ErrorCode;
  /** The searched place for the message, with a leading blank. */
  readonly where: string;
}

/**
 * The one of `all` that a text names. @throws the search's code, listing the existing ones · `invalid_value` several
 * have this name
 */
export function pickNamed<T extends Named>(all: readonly T[] | Directory<T>, text: string, search: Search): T {
  const directory = all instanceof Directory ? all : new Directory(all);
  const [first, ...others] = directory.matching(text);
  if (!first) throw notThere(directory.all, text.trim(), search);
  if (others.length === 0) return first;
  const { noun, plural, where, field } = search;
  throw new HearthError(
    'invalid_value',
    `"${shorten(text.trim())}" is the name of several ${plural}${where}. Give the key of one ${noun}: ${listed(distinctWords([first, ...others]))}.`,
    { field },
  );
}

/** Distinct names: their keys, or ids if several have one key. */
export function distinctWords(things: readonly Named[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const key of things.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return things.map((thing) => (counts.get(keyOf(thing)) === 1 ? keyOf(thing) : thing.id));
}

/** The error for a name that none of `all` has. */
export function notThere(
  all: readonly Named[],
  text: string,
  { code, field, noun, plural, where }: Search,
): HearthError {
  const keys = all.map(keyOf);
  const near =
    nearest(
      text,
      all.map(({ name }) => name),
    ) ?? nearest(text, keys);
  const guess = near === undefined ? '' : ` Did you mean "${near}"?`;
  const there = keys.length === 0 ? `There are no ${plural}${where}.` : `There are: ${listed(keys)}.`;
  return new HearthError(code, `No ${noun}${where} is called "${shorten(text)}".${guess} ${there}`, { field });
}

/** `a, b, c`; truncated if there are too many to read. */
export function listed(words: readonly string[]): string {
  const shown = words.slice(0, MAX_LISTED).join(', ');
  return words.length > MAX_LISTED ? `${shown} and ${words.length - MAX_LISTED} more` : shown;
}

/** `Homes: My Home (my_home_1a2b).` For the descriptions of tools. */
export function describeHomes(context: ToolContext): string {
  const homes = homesOf(context).slice(0, MAX_LISTED);
  return homes.length === 0 ? 'No homes yet.' : `Homes: ${homes.map((home) => named(home)).join(', ')}.`;
}

/** The same with the rooms of each, up to the limit. */
export function describePlaces(context: ToolContext): string {
  let left = MAX_DESCRIBED;
  const lines = homesOf(context)
    .slice(0, MAX_LISTED)
    .map((home) => {
      const rooms = context.deps.state.rooms(home.id);
      const shown = rooms.slice(0, left).map((room) => named(room));
      left -= shown.length;
      const more = shown.length < rooms.length ? ` and ${rooms.length - shown.length} more` : '';
      return `- ${named(home)}: ${shown.join(', ')}${more}`;
    });
  return lines.length === 0 ? 'No homes yet.' : `Homes and their rooms, each with its key:\n${lines.join('\n')}`;
}

function named(thing: Named): string {
  return `${thing.name} (${keyOf(thing)})`;
}
