/** Resources that can be shared: resolves a typed text such as `room "Living Room"` to the API's form. */

import type { Collection } from '../contract/collections.ts';
import type { RoomSet } from '../contract/rooms.ts';
import type { ServiceGroup } from '../contract/service-groups.ts';
import type { Share } from '../contract/shares.ts';
import type { ApiClient } from './api-client.ts';
import { CliError, EXIT, usageError } from './exit-codes.ts';
import { type Inventory, loadInventory } from './inventory.ts';
import { requireOne } from './require-one.ts';
import type { ResourceRow } from './resource-commands.ts';
import { didYouMean } from './suggestions.ts';

export interface SharedThing {
  readonly entityType: string;
  readonly entityId: string;
  readonly name: string;
}

interface Kind {
  readonly entityType: string;
  find(text: string, api: ApiClient, inventory: Inventory): Promise<{ readonly id: string; readonly name: string }>;
}

/** By the word on the command line. */
const KINDS: Readonly<Record<string, Kind>> = {
  accessory: { entityType: 'accessory', find: async (text, _, inventory) => inventory.accessory(text) },
  group: { entityType: 'accessory_group', find: findGroup },
  room: { entityType: 'room', find: async (text, _, inventory) => inventory.room(text) },
  'room-group': {
    entityType: 'room_group',
    find: async (text, api, inventory) =>
      inventory.thing('room-group', text, await api.get<RoomSet[]>('/rest/room-groups')),
  },
  home: { entityType: 'home', find: async (text, _, inventory) => inventory.home(text) },
  collection: { entityType: 'collection', find: (text, api) => COLLECTION.find(api, text) },
  'collection-group': { entityType: 'collection_group', find: (text, api) => findCollectionGroup(text, api) },
};

export const THING_KINDS = Object.keys(KINDS).join(', ');

/** @throws `CliError` unknown kind · not found · ambiguous */
export async function findThing(kind: string, text: string, api: ApiClient): Promise<SharedThing> {
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (!known) throw usageError(`Cannot share "${kind}". Use one of: ${THING_KINDS}.`);
  const { id, name } = await known.find(text, api, await loadInventory(api));
  return { entityType: known.entityType, entityId: id, name };
}

/** The word on the command line for the API's entity type. */
export function kindOf({ entityType }: Pick<Share, 'entityType'>): string {
  return Object.keys(KINDS).find((word) => KINDS[word]?.entityType === entityType) ?? entityType;
}

export async function findGroup(text: string, api: ApiClient, inventory: Inventory): Promise<ServiceGroup> {
  return inventory.thing('group', text, await api.get<ServiceGroup[]>('/rest/service-groups'));
}

/** Collections belong to no home, so only a name or an id identifies them. */
export const COLLECTION: ResourceRow<Collection> = {
  argument: ['<collection>', 'name or id'],
  async find(api, text) {
    const wanted = text.trim().toLowerCase();
    const collections = await api.get<Collection[]>('/rest/collections');
    const found = collections.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
    if (found) return found;
    const names = collections.map(({ name }) => name);
    const help = didYouMean(text, names, ' hearthd collection list lists them.');
    throw new CliError(EXIT.notFound, 'collection_not_found', `No collection "${text}".${help}`);
  },
  path: ({ id }) => `/rest/collections/${id}`,
};

/** Written as "Collection/Group", by names or ids. */
async function findCollectionGroup(text: string, api: ApiClient): Promise<{ id: string; name: string }> {
  const slash = text.indexOf('/');
  if (slash < 0) throw usageError('For a group in a collection, use "Collection/Group".');
  const collection = await COLLECTION.find(api, text.slice(0, slash));
  const wanted = text.slice(slash + 1).trim();
  const group = collection.payload.groups.find(
    ({ id, name }) => id === wanted || name.toLowerCase() === wanted.toLowerCase(),
  );
  if (group) return { id: `${collection.id}:${group.id}`, name: group.name };
  const names = collection.payload.groups.map(({ name }) => name);
  throw notThere(`The collection ${collection.name} has no group "${wanted}".${didYouMean(wanted, names, '')}`);
}

export const SHARE: ResourceRow<Share> = {
  argument: ['<share>', 'id or name'],
  async find(api, text) {
    const shares = await api.get<Share[]>('/rest/shares');
    const wanted = text.trim().toLowerCase();
    const byId = shares.find(({ id }) => id === wanted);
    if (byId) return byId;
    const namesakes = shares.filter(({ name }) => name?.toLowerCase() === wanted);
    return requireOne(namesakes, text, {
      noun: 'share',
      none: `No share "${text}".`,
      shownBy: 'hearthd share list lists them.',
      names: shares.map(({ name }) => name),
      lineOf: (share) => `${share.id}   (${kindOf(share)} ${share.entityName ?? '(deleted)'})`,
    });
  },
  path: ({ id }) => `/rest/shares/${id}`,
};

function notThere(message: string): CliError {
  return new CliError(EXIT.notFound, 'not_found', message);
}
