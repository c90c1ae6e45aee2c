/**
 * Entities that can be shared, and their current contents: resolves an entity to the accessories and services that a
 * link reaches. Resolved each time, so that a lamp moved out of a shared room leaves the share.
 */
import type { CollectionItem } from '../../contract/collections.ts';
import { membersOf } from '../../home/group-accessory.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, AccessoryAddress, HapId, Service, ServiceGroup } from '../../home/model.ts';
import { SKIPPED_SERVICES } from '../../home/vocabulary/properties.ts';
import type { EntityType } from '../../home/vocabulary/sharing.ts';
import { uuidV5 } from '../../kernel/ids.ts';
import type { CollectionStore } from '../groups/collection-store.ts';
import type { LinkTarget } from './share-links.ts';
import type { StoredShare } from './share-store.ts';

/** A shareable entity in its current state. */
export interface SharedEntity extends LinkTarget {
  /** Its id as stored and shown. */
  readonly id: string;
  readonly name: string;
  /** `null` for collections. */
  readonly homeId: string | null;
}

/** The contents of an entity. */
export interface SharedContents {
  /**
   * Without what identifies the device: addresses, serial numbers. A group's members contain only their services in the
   * group: the other outlets of a power strip are not shared with it.
   */
  readonly accessories: readonly Accessory[];
  readonly groups: readonly ServiceGroup[];
  /** The homes that may contain any of them. */
  readonly homeIds: readonly string[];
  /** Whether it contains only whole accessories, not single services. */
  readonly isWhole: boolean;
}

/** The services of an accessory: all, or these. */
type Scope = Map<string, ReadonlySet<HapId> | 'all'>;

const COLON = ':';
const NO_ADDRESS: AccessoryAddress = { source: '', aid: '' };

/** By the accessory's own list, so that caches keyed by a list of services also work for these. */
const shownOf = new WeakMap<readonly Service[], readonly Service[]>();

function shownServices(services: readonly Service[]): readonly Service[] {
  let shown = shownOf.get(services);
  if (!shown) {
    shown = services.filter(({ type }) => !SKIPPED_SERVICES.has(type));
    shownOf.set(services, shown);
  }
  return shown;
}

export class SharedEntities {
  readonly #state: HomeState;
  readonly #collections: Pick<CollectionStore, 'find'>;

  constructor(deps: { state: HomeState; collections: Pick<CollectionStore, 'find'> }) {
    this.#state = deps.state;
    this.#collections = deps.collections;
  }

  /** @param id for a group inside a collection: `<collectionId>:<groupId>` */
  find(entityType: EntityType, id: string): SharedEntity | undefined {
    if (entityType === 'collection') return this.#findCollection(id);
    if (entityType === 'collection_group') return this.#findCollectionGroup(id);
    const found = this.#findInHome(entityType, id);
    return found && { entityType, linkId: found.id, ...found };
  }

  /** The entity of a share, if it is still in the home where it was shared. */
  ofRow({
    entityType,
    entityId,
    homeId,
  }: Pick<StoredShare, 'entityType' | 'entityId' | 'homeId'>): SharedEntity | undefined {
    const entity = this.find(entityType, entityId);
    return entity?.homeId === homeId ? entity : undefined;
  }

  /** The items of a collection, or of a group in it; empty for other entities. */
  itemsOf({ entityType, id }: SharedEntity): readonly CollectionItem[] {
    const [collectionId = '', groupId] = splitId(id);
    if (entityType !== 'collection' && entityType !== 'collection_group') return [];
    const items = this.#collections.find(collectionId)?.payload.items ?? [];
    return entityType === 'collection' ? items : items.filter(({ group_id }) => group_id === groupId);
  }

  /** The owner of the collection: a user, or `null` for none. */
  ownerOf({ id }: SharedEntity): string | null | undefined {
    return this.#collections.find(splitId(id)[0])?.ownerId;
  }

  /** @param mayShare whether a home may be shared: checked for collections, which span several. */
  contentsOf(entity: SharedEntity, mayShare: (homeId: string) => boolean): SharedContents {
    if (entity.homeId === null) return this.#collectionContents(this.itemsOf(entity), mayShare);
    const { homeId } = entity;
    if (entity.entityType === 'accessory_group') {
      const group = this.#state.serviceGroups.find(entity.id);
      const groups = group ? [group] : [];
      return { accessories: this.#narrowed(this.#scopeOf(groups)), groups, homeIds: [homeId], isWhole: false };
    }
    const accessories = this.#present(homeId).filter(this.#filterOf(entity));
    const scope: Scope = new Map(accessories.map(({ id }) => [id, 'all']));
    const groups = entity.entityType === 'accessory' ? [] : this.#groupsWithin(homeId, scope);
    return { accessories: this.#narrowed(scope), groups, homeIds: [homeId], isWhole: true };
  }

  #findInHome(entityType: EntityType, id: string): { id: string; name: string; homeId: string } | undefined {
    switch (entityType) {
      case 'home': {
        const home = this.#state.home(id);
        return home && { id: home.id, name: home.name, homeId: home.id };
      }
      case 'room':
        return placeOf(this.#state.room(id));
      case 'room_group':
        return placeOf(this.#state.roomGroups.find(id));
      case 'accessory_group':
        return placeOf(this.#state.serviceGroups.find(id));
      case 'accessory': {
        const accessory = this.#state.accessory(id);
        return accessory?.vanishedAt === null ? placeOf(accessory) : undefined;
      }
      case 'collection':
      case 'collection_group':
        return undefined;
    }
  }

  #findCollection(id: string): SharedEntity | undefined {
    const collection = this.#collections.find(id);
    if (!collection) return undefined;
    return { entityType: 'collection', id: collection.id, linkId: collection.id, name: collection.name, homeId: null };
  }

  #findCollectionGroup(id: string): SharedEntity | undefined {
    const [collectionId, groupId] = splitId(id);
    const collection = this.#collections.find(collectionId);
    const group = collection?.payload.groups.find((one) => one.id === groupId);
    if (!collection || !group) return undefined;
    return {
      entityType: 'collection_group',
      id: collectionGroupId(collection.id, group.id),
      // Clients choose the ids of groups; links identify a group by a UUID.
      linkId: uuidV5(collection.id, group.id),
      name: group.name,
      homeId: null,
    };
  }

  #filterOf({ entityType, id }: SharedEntity): (accessory: Accessory) => boolean {
    if (entityType === 'home') return () => true;
    if (entityType === 'accessory') return (accessory) => accessory.id === id;
    if (entityType === 'room') return ({ roomId }) => roomId === id;
    const rooms = new Set(this.#state.roomGroups.find(id)?.roomIds);
    return ({ roomId }) => rooms.has(roomId);
  }

  #collectionContents(items: readonly CollectionItem[], mayShare: (homeId: string) => boolean): SharedContents {
    const shared = items.filter(({ home_id }) => this.#state.home(home_id) && mayShare(home_id));
    const groups = shared.flatMap((item) => {
      const group = 'service_group_id' in item ? this.#state.serviceGroups.find(item.service_group_id) : undefined;
      return group?.homeId === item.home_id ? [group] : [];
    });
    const scope = this.#scopeOf(groups);
    for (const item of shared) {
      if (!('accessory_id' in item)) continue;
      if (this.#state.accessoryIn(item.home_id, item.accessory_id)) scope.set(item.accessory_id, 'all');
    }
    const homeIds = [...new Set(shared.map(({ home_id }) => home_id))];
    const isWhole = [...scope.values()].every((services) => services === 'all');
    return { accessories: this.#narrowed(scope), groups, homeIds, isWhole };
  }

  #scopeOf(groups: readonly ServiceGroup[]): Scope {
    const scope = new Map<string, Set<HapId>>();
    for (const { accessory, service } of groups.flatMap((group) => membersOf(group, this.#state))) {
      const services = scope.get(accessory.id) ?? new Set();
      scope.set(accessory.id, services.add(service.iid));
    }
    return scope;
  }

  /** Groups that act only within the scope. */
  #groupsWithin(homeId: string, scope: Scope): readonly ServiceGroup[] {
    return this.#state.serviceGroups.list(homeId).filter((group) => {
      const members = membersOf(group, this.#state);
      return members.length > 0 && members.every(({ accessory }) => scope.has(accessory.id));
    });
  }

  #narrowed(scope: Scope): readonly Accessory[] {
    return [...scope].flatMap(([id, services]) => {
      const accessory = this.#state.accessory(id);
      if (!accessory || accessory.vanishedAt !== null) return [];
      const shown = shownServices(accessory.services);
      const reached = services === 'all' ? shown : shown.filter(({ iid }) => services.has(iid));
      return [{ ...accessory, address: NO_ADDRESS, services: reached }];
    });
  }

  #present(homeId: string): readonly Accessory[] {
    return this.#state.accessories(homeId).filter(({ vanishedAt }) => vanishedAt === null);
  }
}

export function collectionGroupId(collectionId: string, groupId: string): string {
  return `${collectionId}${COLON}${groupId}`;
}

/** The collection id in the id of a collection, or of a group in it. */
export function collectionIdOf(id: string): string {
  return splitId(id)[0];
}

function splitId(id: string): [collectionId: string, groupId: string | undefined] {
  const at = id.indexOf(COLON);
  return at < 0 ? [id, undefined] : [id.slice(0, at), id.slice(at + 1)];
}

function placeOf(thing: { id: string; name: string; homeId: string } | undefined) {
  return thing && { id: thing.id, name: thing.name, homeId: thing.homeId };
}
