/**
 * Parses the body of POST /rest/state in each of its forms and finds the named objects. An unknown name or invalid
 * value becomes a line of the report, and the rest goes on: one bad part does not discard the good parts of a batch.
 */
import type { AccessorySettings } from '../../app/control/write-plan.ts';
import { AccessoryNames, AccessoryState } from '../../contract/state.ts';
import type { Accessory, Home, Room } from '../../home/model.ts';
import { slugKey } from '../../home/slug.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { UnknownRecord } from '../../kernel/json.ts';
import type { NameDirectory } from './name-directory.ts';

/** One accessory or service group to write to. `path` is its name in the report: `<home>/<room>/<accessory>`. */
export interface StateTarget extends AccessorySettings {
  readonly path: string;
}

export interface StateWrite {
  readonly targets: readonly StateTarget[];
  /** One line for each part that could not be found or parsed. */
  readonly errors: readonly string[];
  /** The named homes that exist. */
  readonly homeIds: ReadonlySet<string>;
  /** The body also names homes that do not exist or that the caller may not see. */
  readonly namesOtherHome: boolean;
  /** The older form with `homeId`, whose response has `success` too (wire-facts §2.7). */
  readonly withSuccess: boolean;
}

/** The result of a look-up, or the reason why it failed. */
type Found =
  | { readonly path: string; readonly accessory: Accessory }
  | { readonly path: string; readonly fault: string };

/** Output-only fields of an accessory in GET; clients send them back with the rest. */
const NOT_SETTINGS: ReadonlySet<string> = new Set(Object.keys(AccessoryState.shape));
const FLAT_KEYS = AccessoryNames.keyof().options;
const MAX_NAME_SHOWN_LENGTH = 120;

/**
 * More than every property of 500 accessories. Each look-up takes time from other requests, and each unknown name costs
 * a line of the report: without a limit a body of one megabyte would produce a response of thirty.
 */
const MAX_ITEMS = 10_000;

/**
 * The forms: the tree of slug keys; one flat object with `home`, `room` and `accessory`, or an array of them (API
 * §4.1.3); and `{homeId, state}` with the tree of one home.
 * @throws `invalid_request` none of them, a single flat object that lacks a name, or too many items · `invalid_value` a
 * name or id that is not a string · `home_not_found`
 */
export function parseStateWrite(body: unknown, names: NameDirectory): StateWrite {
  const reader = new StateWriteReader(names);
  if (Array.isArray(body)) {
    for (const [index, item] of body.entries()) reader.readListed(item, index);
    return reader.result();
  }
  if (!isObject(body)) {
    throw new HearthError('invalid_request', 'The body must be an object of home keys, as GET /rest/state gives them.');
  }
  if (FLAT_KEYS.some((key) => Object.hasOwn(body, key))) {
    const fault = reader.readFlat(body);
    if (fault) throw fault;
    return reader.result();
  }
  const homeId = Object.hasOwn(body, 'homeId') ? body.homeId : body.home_id;
  if (homeId !== undefined) {
    const home = findHomeById(homeId, names);
    reader.readHome(slugKey(home.name, home.id), home, body.state);
    return reader.result(true);
  }
  reader.readTree(body);
  return reader.result();
}

function findHomeById(id: unknown, { homes }: NameDirectory): Home {
  if (typeof id !== 'string') throw new HearthError('invalid_value', '"homeId" must be the id of a home.');
  const home = homes.byId(id.toLowerCase());
  if (!home) throw new HearthError('home_not_found', 'Home not found');
  return home;
}

class StateWriteReader {
  readonly #directory: NameDirectory;
  readonly #targets: StateTarget[] = [];
  readonly #errors: string[] = [];
  readonly #homeIds = new Set<string>();
  #namesOtherHome = false;
  /** The number of settings and errors together. */
  #items = 0;

  constructor(directory: NameDirectory) {
    this.#directory = directory;
  }

  result(withSuccess = false): StateWrite {
    return {
      targets: this.#targets,
      errors: this.#errors,
      homeIds: this.#homeIds,
      namesOtherHome: this.#namesOtherHome,
      withSuccess,
    };
  }

  readTree(tree: UnknownRecord): void {
    for (const key of Object.keys(tree)) {
      const home = this.#directory.homes.byKey(key);
      if (home) this.readHome(key, home, tree[key]);
      else this.#missingHome(key);
    }
  }

  readHome(path: string, home: Home, branch: unknown): void {
    this.#homeIds.add(home.id);
    if (!isObject(branch)) {
      this.#fault(path, 'must be an object of room keys');
      return;
    }
    for (const key of Object.keys(branch)) {
      const room = this.#directory.roomsOf(home.id).byKey(key);
      const roomPath = `${path}/${shorten(key)}`;
      if (room) this.#readRoom(roomPath, room, branch[key]);
      else this.#missing(key, roomPath, 'room not found');
    }
  }

  #readRoom(path: string, room: Room, branch: unknown): void {
    if (!isObject(branch)) {
      this.#fault(path, 'must be an object of accessory keys');
      return;
    }
    for (const key of Object.keys(branch)) {
      const settings = branch[key];
      const accessory = this.#directory.accessoriesIn(room).byKey(key);
      const accessoryPath = `${path}/${shorten(key)}`;
      if (!accessory) this.#missing(key, accessoryPath, 'not found');
      else if (isObject(settings)) this.#add(accessoryPath, accessory, settings);
      else this.#fault(accessoryPath, 'must be an object of properties');
    }
  }

  readListed(item: unknown, index: number): void {
    const fault = isObject(item) ? this.readFlat(item)?.message : 'must be an object with home, room and accessory';
    if (fault !== undefined) this.#fault(`[${index}]`, fault);
  }

  /** @returns the error of the object itself; an unknown name is a line of the report. */
  readFlat(flat: UnknownRecord): HearthError | undefined {
    const { home: homeName, room: roomName, accessory: accessoryName, ...settings } = flat;
    const named = { home: homeName, room: roomName, accessory: accessoryName };
    for (const key of FLAT_KEYS) {
      const value = named[key];
      if (value === undefined) return new HearthError('invalid_request', `"${key}" is missing: give its name.`);
      if (typeof value !== 'string') return new HearthError('invalid_value', `"${key}" must be a name.`);
    }
    const found = this.#findNamed(String(homeName), String(roomName), String(accessoryName));
    if ('accessory' in found) this.#add(found.path, found.accessory, settings);
    else this.#fault(found.path, found.fault);
    return undefined;
  }

  #findNamed(homeName: string, roomName: string, accessoryName: string): Found {
    const [home] = this.#directory.homes.byName(homeName);
    if (!home) {
      this.#namesOtherHome = true;
      return { path: shorten(homeName), fault: 'home not found' };
    }
    this.#homeIds.add(home.id);
    const [room] = this.#directory.roomsOf(home.id).byName(roomName);
    if (!room) return { path: `${home.name}/${shorten(roomName)}`, fault: 'room not found' };
    const named = this.#directory.accessoriesIn(room).byName(accessoryName);
    // A vanished accessory does not conflict with its replacement of the same name.
    const present = named.filter(({ vanishedAt }) => vanishedAt === null);
    const [accessory, ...others] = present.length > 0 ? present : named;
    const path = `${home.name}/${room.name}/${accessory?.name ?? shorten(accessoryName)}`;
    if (!accessory) return { path, fault: 'not found' };
    if (others.length > 0) return { path, fault: 'several accessories have this name; use a key of GET /rest/state' };
    return { path, accessory };
  }

  #add(path: string, accessory: Accessory, input: UnknownRecord): void {
    const keys = Object.keys(input);
    const wanted = keys.filter((key) => !key.startsWith('_') && !NOT_SETTINGS.has(key));
    this.#count(wanted.length);
    if (wanted.length === 0) return;
    const settings =
      wanted.length === keys.length ? input : Object.fromEntries(wanted.map((key) => [key, input[key]] as const));
    this.#targets.push({ path, accessoryId: accessory.id, settings });
  }

  #missingHome(key: string): void {
    if (!key.startsWith('_')) this.#namesOtherHome = true;
    this.#missing(key, key, 'home not found');
  }

  /** `_meta`, `_homes`, `_scenes` and the like are output-only fields of GET beside the homes and rooms. */
  #missing(key: string, path: string, reason: string): void {
    if (!key.startsWith('_')) this.#fault(path, reason);
  }

  #fault(path: string, reason: string): void {
    this.#count(1);
    this.#errors.push(`${shorten(path)}: ${reason}`);
  }

  #count(items: number): void {
    this.#items += items;
    if (this.#items > MAX_ITEMS) {
      throw new HearthError('invalid_request', `A request may set ${MAX_ITEMS} properties at most. Send several.`);
    }
  }
}

function isObject(input: unknown): input is UnknownRecord {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

function shorten(text: string): string {
  return text.length > MAX_NAME_SHOWN_LENGTH ? `${text.slice(0, MAX_NAME_SHOWN_LENGTH)}…` : text;
}
