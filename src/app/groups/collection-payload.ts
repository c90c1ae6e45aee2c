/**
 * The payload of a collection (wire-facts §4.4): its groups, and items that refer to an accessory or a service group of
 * a home. Field names are those of the wire, because clients read and write the payload as a whole.
 */
import type { HomeState } from '../../home/home-state.ts';
import { parseName } from '../../home/names.ts';
import { HearthError } from '../../kernel/errors.ts';
import { notFound } from '../access/authorize.ts';

export interface CollectionGroup {
  /** Chosen by the client. */
  readonly id: string;
  readonly name: string;
}

export type CollectionItem = {
  readonly home_id: string;
  /** Output only: the home's current name. */
  readonly home_name?: string;
  /** The id of one of the collection's groups; none if omitted. */
  readonly group_id?: string;
} & ({ readonly accessory_id: string } | { readonly service_group_id: string });

export interface CollectionPayload {
  readonly groups: readonly CollectionGroup[];
  readonly items: readonly CollectionItem[];
}

export const EMPTY_PAYLOAD: CollectionPayload = { groups: [], items: [] };

const MAX_GROUPS = 50;
const MAX_ITEMS = 500;
const GROUP_ID = /^[\w-]{1,64}$/;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * @param sees whether the caller may view a home; things of other homes are not found.
 * @param known items already in the collection: they stay valid while their target is absent.
 * @throws `invalid_value` the shape, a size, an id twice · `home_not_found`, `accessory_not_found`,
 *         `service_group_not_found`
 */
export function parsePayload(
  input: unknown,
  state: HomeState,
  sees: (homeId: string) => boolean,
  known: readonly CollectionItem[],
): CollectionPayload {
  const payload = requireObject(typeof input === 'string' ? parseJson(input) : input, 'payload');
  const groups = requireList(payload.groups ?? [], 'groups', MAX_GROUPS).map(parseGroup);
  requireDistinct(
    groups.map(({ id }) => id),
    'groups',
  );
  const groupIds = new Set(groups.map(({ id }) => id));
  const held = new Set(known.map(targetOf));
  const items = requireList(payload.items ?? [], 'items', MAX_ITEMS).map((item, index) => {
    const parsed = parseItem(item, `items[${index}]`, groupIds);
    if (!sees(parsed.home_id) || !state.home(parsed.home_id)) throw notFound('home_not_found');
    if (!held.has(targetOf(parsed))) requireTarget(parsed, state);
    return parsed;
  });
  requireDistinct(items.map(targetOf), 'items');
  return { groups, items };
}

/** The target of an item, regardless of its group. */
function targetOf(item: CollectionItem): string {
  const target = 'accessory_id' in item ? item.accessory_id : item.service_group_id;
  return `${item.home_id} ${target}`;
}

function requireTarget(item: CollectionItem, state: HomeState): void {
  if ('accessory_id' in item) {
    if (state.accessory(item.accessory_id)?.homeId !== item.home_id) throw notFound('accessory_not_found');
  } else if (state.serviceGroups.find(item.service_group_id)?.homeId !== item.home_id) {
    throw notFound('service_group_not_found');
  }
}

function parseGroup(input: unknown, index: number): CollectionGroup {
  const field = `groups[${index}]`;
  const { id, name } = requireObject(input, field);
  if (typeof id !== 'string' || !GROUP_ID.test(id)) {
    throw invalid(`${field}.id`, 'it takes up to 64 letters, digits, dashes and underscores');
  }
  return { id, name: parseName(name, 'Group name') };
}

function parseItem(input: unknown, field: string, groupIds: ReadonlySet<string>): CollectionItem {
  const item = requireObject(input, field);
  const home_id = requireId(item.home_id, `${field}.home_id`);
  const target = parseTarget(item, field);
  const { group_id } = item;
  if (group_id === undefined || group_id === null) return { home_id, ...target };
  if (typeof group_id !== 'string' || !groupIds.has(group_id)) {
    throw invalid(`${field}.group_id`, 'it takes the id of one of the groups');
  }
  return { home_id, ...target, group_id };
}

function parseTarget({ accessory_id, service_group_id }: JsonObject, field: string) {
  const isAccessory = accessory_id !== undefined && accessory_id !== null;
  const isGroup = service_group_id !== undefined && service_group_id !== null;
  if (isAccessory === isGroup) throw invalid(field, 'it takes either accessory_id or service_group_id');
  if (isAccessory) return { accessory_id: requireId(accessory_id, `${field}.accessory_id`) };
  return { service_group_id: requireId(service_group_id, `${field}.service_group_id`) };
}

function requireObject(input: unknown, field: string): JsonObject {
  if (isObject(input)) return input;
  throw invalid(field, 'it takes an object');
}

function requireList(input: unknown, field: string, atMost: number): readonly unknown[] {
  if (Array.isArray(input) && input.length <= atMost) return input;
  throw invalid(field, `it takes a list of at most ${atMost}`);
}

function requireId(input: unknown, field: string): string {
  if (typeof input === 'string' && input.length > 0) return input.toLowerCase();
  throw invalid(field, 'it takes an id');
}

function requireDistinct(ids: readonly string[], field: string): void {
  if (new Set(ids).size < ids.length) throw invalid(field, 'one is listed twice');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('payload', 'it takes an object, or a text that is one in JSON');
  }
}

function invalid(field: string, accepted: string): HearthError {
  return new HearthError('invalid_value', `Invalid value for ${field}: ${accepted}.`, { field });
}

function isObject(input: unknown): input is JsonObject {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

/** Stored payloads were validated when written; of a corrupted one, only the readable part is returned. */
export function readStoredPayload(text: string): CollectionPayload {
  try {
    const payload: unknown = JSON.parse(text);
    if (!isObject(payload) || !Array.isArray(payload.groups) || !Array.isArray(payload.items)) return EMPTY_PAYLOAD;
    return { groups: payload.groups.filter(isStoredGroup), items: payload.items.filter(isStoredItem) };
  } catch {
    return EMPTY_PAYLOAD;
  }
}

function isStoredGroup(input: unknown): input is CollectionGroup {
  return isObject(input) && typeof input.id === 'string' && typeof input.name === 'string';
}

function isStoredItem(input: unknown): input is CollectionItem {
  if (!isObject(input) || typeof input.home_id !== 'string') return false;
  return typeof input.accessory_id === 'string' || typeof input.service_group_id === 'string';
}
