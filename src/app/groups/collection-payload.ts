/** The payload of a collection (wire-facts §4.4): looks up what its items refer to, and reads stored ones. */
import { type CollectionItem, type CollectionPayload, targetOf } from '../../contract/collections.ts';
import type { HomeState } from '../../home/home-state.ts';
import { HearthError } from '../../kernel/errors.ts';
import { notFound } from '../access/authorize.ts';

export const EMPTY_PAYLOAD: CollectionPayload = { groups: [], items: [] };

/**
 * @param sees whether the caller may view a home; things of other homes are not found.
 * @param known items already in the collection: they stay valid while their target is absent.
 * @throws `invalid_value` an item is in an unknown group · `home_not_found`, `accessory_not_found`,
 *         `service_group_not_found`
 */
export function requireTargets(
  { groups, items }: CollectionPayload,
  state: HomeState,
  sees: (homeId: string) => boolean,
  known: readonly CollectionItem[],
): void {
  const groupIds = new Set(groups.map(({ id }) => id));
  const held = new Set(known.map(targetOf));
  items.forEach((item, index) => {
    if (item.group_id !== undefined && !groupIds.has(item.group_id)) {
      const field = `items[${index}].group_id`;
      const sentence = `Invalid value for ${field}: it takes the id of one of the groups.`;
      throw new HearthError('invalid_value', sentence, { field });
    }
    if (!sees(item.home_id) || !state.home(item.home_id)) throw notFound('home_not_found');
    if (!held.has(targetOf(item))) requireTarget(item, state);
  });
}

function requireTarget(item: CollectionItem, state: HomeState): void {
  if ('accessory_id' in item) {
    if (state.accessory(item.accessory_id)?.homeId !== item.home_id) throw notFound('accessory_not_found');
  } else if (state.serviceGroups.find(item.service_group_id)?.homeId !== item.home_id) {
    throw notFound('service_group_not_found');
  }
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

function isStoredGroup(input: unknown): input is CollectionPayload['groups'][number] {
  return isObject(input) && typeof input.id === 'string' && typeof input.name === 'string';
}

function isStoredItem(input: unknown): input is CollectionItem {
  if (!isObject(input) || typeof input.home_id !== 'string') return false;
  return typeof input.accessory_id === 'string' || typeof input.service_group_id === 'string';
}

function isObject(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}
