/**
 * Who may manage the shares of an entity: owners and admins of its home; of a collection, its owner, who needs that
 * role in each home that is in it.
 */
import { type Input, parseInput } from '../../contract/parse.ts';
import { type NewShare, ShareTarget } from '../../contract/shares.ts';
import type { EntityType } from '../../home/vocabulary/sharing.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { requireMaker } from '../access/authority.ts';
import { insufficientPermissions, notFound } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import type { CollectionStore } from '../groups/collection-store.ts';
import type { Collections } from '../groups/collections.ts';
import { invalid } from './invalid-field.ts';
import type { ShareStore, StoredShare } from './share-store.ts';
import { collectionGroupId, collectionIdOf, type SharedEntities, type SharedEntity } from './shared-entities.ts';

export interface ShareManagersDeps extends AppDeps<'state' | 'access' | 'makers'> {
  readonly store: ShareStore;
  readonly collections: Pick<Collections, 'get' | 'list'>;
  readonly collectionStore: Pick<CollectionStore, 'find'>;
}

const NOT_FOUND = {
  home: 'home_not_found',
  room: 'room_not_found',
  room_group: 'not_found',
  accessory: 'accessory_not_found',
  accessory_group: 'service_group_not_found',
  collection: 'not_found',
  collection_group: 'not_found',
} as const satisfies Record<EntityType, string>;

export class ShareManagers {
  readonly #deps: ShareManagersDeps & { readonly entities: SharedEntities };

  constructor(deps: ShareManagersDeps & { readonly entities: SharedEntities }) {
    this.#deps = deps;
  }

  authorized(caller: Caller, target: Input<typeof ShareTarget>): SharedEntity {
    const { entityType, entityId, homeId } = parseInput(ShareTarget, target);
    const entity = this.#deps.entities.find(entityType, this.#wholeId(caller, entityType, entityId));
    this.#authorizeEntity(caller, entityType, entity);
    const found = entity as SharedEntity;
    const isElsewhere = found.homeId !== null && homeId && homeId.toLowerCase() !== found.homeId;
    if (isElsewhere) throw notFound(NOT_FOUND[entityType]);
    return found;
  }

  authorizedToShare(caller: Caller, target: NewShare): SharedEntity {
    const entity = this.authorized(caller, target);
    const foreign = this.#deps.entities.itemsOf(entity).find(({ home_id }) => !this.mayManage(caller, home_id));
    if (!foreign) return entity;
    throw new HearthError(
      'insufficient_permissions',
      'Only owners and admins of a home share what is in it: take what is of other homes out of the collection first.',
    );
  }

  #authorizeEntity(caller: Caller, type: EntityType, entity: SharedEntity | undefined): void {
    const { access, collections } = this.#deps;
    if (type === 'collection' || type === 'collection_group') {
      if (!entity) throw notFound('not_found');
      collections.get(caller, collectionIdOf(entity.id));
      if (!this.#mayManageWhole(caller, entity)) throw insufficientPermissions();
      return;
    }
    const place = entity && { homeId: entity.homeId ?? '' };
    access.authorizeIn(caller, 'manage', place, NOT_FOUND[type]);
  }

  /** Completes the id of a collection's group, if only one of the caller's collections has it. */
  #wholeId(caller: Caller, type: EntityType, id: string): string {
    if (type !== 'collection_group' || id.includes(':')) return id;
    const owners = this.#deps.collections
      .list(caller)
      .filter(({ payload }) => payload.groups.some((one) => one.id === id));
    const [owner, ...others] = owners;
    if (!owner) throw notFound('not_found');
    if (others.length === 0) return collectionGroupId(owner.id, id);
    throw invalid('entityId', 'several collections have this group; write it as <collectionId>:<groupId>');
  }

  authorizedRow(caller: Caller, accessId: string): StoredShare {
    const row = this.#deps.store.find(accessId);
    if (!row) throw notFound('share_not_found');
    if (row.homeId !== null)
      return this.#deps.access.authorizeIn(caller, 'manage', { ...row, homeId: row.homeId }, 'share_not_found');
    if (!this.#ownsCollectionOf(caller, row)) throw notFound('share_not_found');
    if (!this.#mayManageWhole(caller, this.#deps.entities.ofRow(row))) throw insufficientPermissions();
    return row;
  }

  /** @throws also `insufficient_permissions` another maker's row, and the caller is only temporary */
  changeableRow(caller: Caller, accessId: string): StoredShare {
    const row = this.authorizedRow(caller, accessId);
    requireMaker(caller, 'share');
    this.#deps.makers.requireMayChange(caller, 'share', row.id);
    return row;
  }

  manages(caller: Caller, row: StoredShare): boolean {
    if (row.homeId !== null) return this.mayManage(caller, row.homeId);
    return this.#ownsCollectionOf(caller, row) && this.#mayManageWhole(caller, this.#deps.entities.ofRow(row));
  }

  /**
   * Whether the caller may manage shares at all and, for a collection without an owner, each home in it: rows of the
   * command line cover all of them. For a collection with an owner, the rows' makers limit what it reaches.
   */
  #mayManageWhole(caller: Caller, entity: SharedEntity | undefined): boolean {
    if (!this.#deps.access.mayManageAny(caller)) return false;
    if (!entity || this.#deps.entities.ownerOf(entity) !== null) return true;
    const homeIds = this.#deps.entities.itemsOf(entity).map(({ home_id }) => home_id);
    return homeIds.every((homeId) => !this.#deps.state.home(homeId) || this.mayManage(caller, homeId));
  }

  /**
   * Whether the caller owns the row's collection. If the collection no longer exists, the row's maker counts, so that
   * the row can still be listed and deleted.
   */
  #ownsCollectionOf(caller: Caller, { entityId, makerId }: StoredShare): boolean {
    const collection = this.#deps.collectionStore.find(collectionIdOf(entityId));
    const ownerId = collection ? collection.ownerId : makerId;
    return ownerId === null ? this.#deps.access.mayManageAny(caller) : ownerId === ownerOf(caller);
  }

  mayManage(caller: Caller, homeId: string): boolean {
    return this.#deps.access.mayIn(caller, 'manage', homeId);
  }
}
