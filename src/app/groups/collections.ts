/**
 * Collections as operations: named selections of accessories and service groups across homes, for a screen or for
 * sharing (API §2.5). They belong to no home but to their creator: a user, or `null` for the CLI and its tokens. Every
 * manager of a home can access collections without an owner.
 */

import type { Collection as CollectionFields } from '../../contract/collections.ts';
import {
  CollectionChanges,
  type CollectionItem,
  type CollectionPayload,
  NewCollection,
} from '../../contract/collections.ts';
import { type InMilliseconds, parseInput } from '../../contract/parse.ts';
import { compareNamed } from '../../home/collection.ts';
import type { HomeState } from '../../home/home-state.ts';
import { requireFreeName } from '../../home/names.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { type Access, insufficientPermissions, notFound } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import { EMPTY_PAYLOAD, requireTargets } from './collection-payload.ts';
import type { CollectionStore, StoredCollection } from './collection-store.ts';

const MAX_COLLECTIONS_PER_OWNER = 200;

/** A collection as one caller sees it: without items of homes that it may not view. */
export type Collection = InMilliseconds<CollectionFields, 'createdAt'>;

export class Collections {
  readonly #store: CollectionStore;
  readonly #state: HomeState;
  readonly #access: Access;
  readonly #clock: Clock;

  constructor(deps: { store: CollectionStore; state: HomeState; access: Access; clock: Clock }) {
    this.#store = deps.store;
    this.#state = deps.state;
    this.#access = deps.access;
    this.#clock = deps.clock;
  }

  /** The caller's own collections, and those without an owner if the caller manages a home; by name. */
  list(caller: Caller): readonly Collection[] {
    const owners = new Set<string | null>();
    const own = ownerOf(caller);
    if (own !== undefined && own !== null) owners.add(own);
    if (this.#access.mayManageAny(caller)) owners.add(null);
    return [...owners]
      .flatMap((owner) => this.#store.listOf(owner))
      .map((collection) => this.#shown(caller, collection))
      .sort(compareNamed);
  }

  /** Requires the owner. @throws `not_found` */
  get(caller: Caller, id: string): Collection {
    return this.#shown(caller, this.#visible(caller, id));
  }

  /**
   * Creates a collection, empty if no payload is given. Requires control access to any home; without a user, the right
   * to manage one.
   * @throws `insufficient_permissions` · `invalid_value` the name or the payload · `home_not_found`,
   *         `accessory_not_found`, `service_group_not_found` an item names nothing that the caller may view ·
   *         `conflict` the name is taken, or there are too many
   */
  create(caller: Caller, input: NewCollection): Collection {
    const ownerId = this.#requireOwner(caller);
    const { name, payload = EMPTY_PAYLOAD } = parseInput(NewCollection, input);
    this.#requireTargets(caller, payload, []);
    const others = this.#store.listOf(ownerId);
    requireFreeName(name, 'collection', others);
    if (others.length >= MAX_COLLECTIONS_PER_OWNER) {
      throw new HearthError(
        'conflict',
        `There may be ${MAX_COLLECTIONS_PER_OWNER} collections at most. Delete one first.`,
      );
    }
    return this.#save(caller, { id: newId(), ownerId, name, payload, createdAt: this.#clock.now() });
  }

  /**
   * Renames it and replaces its payload, atomically. Items that the caller may not view stay. Requires the owner, with
   * control access to any home.
   * @throws as `create`, and `not_found`
   */
  update(caller: Caller, id: string, input: CollectionChanges): Collection {
    const collection = this.#changeable(caller, id);
    const { ownerId } = collection;
    const { name = collection.name, payload: given } = parseInput(CollectionChanges, input);
    const payload = given ? this.#replace(caller, collection, given) : collection.payload;
    requireFreeName(name, 'collection', this.#store.listOf(ownerId), collection.id);
    return this.#save(caller, { ...collection, name, payload });
  }

  /**
   * Deletes the collection, not its contents. Requires the owner, with control access to any home.
   * @throws `not_found` · `insufficient_permissions`
   */
  delete(caller: Caller, id: string): void {
    this.#store.delete(this.#changeable(caller, id).id);
  }

  #replace(
    caller: Caller,
    { ownerId, payload }: StoredCollection,
    { groups, items }: CollectionPayload,
  ): CollectionPayload {
    this.#requireTargets(caller, { groups, items }, payload.items, ownerId === null ? 'manage' : 'view');
    const groupIds = new Set(groups.map(({ id }) => id));
    const unseen = payload.items
      .filter(({ home_id }) => this.#state.home(home_id) && !this.#sees(caller, home_id))
      .map((item) => (item.group_id !== undefined && groupIds.has(item.group_id) ? item : withoutGroup(item)));
    return { groups, items: [...items, ...unseen] };
  }

  /**
   * @param needed the right that the caller needs in the home of each item: the CLI may share a collection without an
   *   owner.
   */
  #requireTargets(
    caller: Caller,
    payload: CollectionPayload,
    known: readonly CollectionItem[],
    needed: 'view' | 'manage' = 'view',
  ): void {
    requireTargets(payload, this.#state, (homeId) => this.#access.mayIn(caller, needed, homeId), known);
  }

  /**
   * A collection without an owner requires the right to manage every home in it, because it may be shared as a whole.
   */
  #answersFor(caller: Caller, { ownerId, payload }: StoredCollection): boolean {
    const isManaged = ({ home_id }: CollectionItem): boolean =>
      !this.#state.home(home_id) || this.#access.mayIn(caller, 'manage', home_id);
    return ownerId !== null || payload.items.every(isManaged);
  }

  #sees(caller: Caller, homeId: string): boolean {
    return this.#access.mayIn(caller, 'view', homeId);
  }

  #shown(caller: Caller, { id, name, payload, createdAt }: StoredCollection): Collection {
    const items = payload.items.flatMap((item) => {
      const home = this.#state.home(item.home_id);
      return home && this.#sees(caller, home.id) ? [{ ...item, home_name: home.name }] : [];
    });
    return { id, name, payload: { groups: payload.groups, items }, createdAt };
  }

  #save(caller: Caller, collection: StoredCollection): Collection {
    this.#store.save(collection);
    return this.#shown(caller, collection);
  }

  #visible(caller: Caller, id: string): StoredCollection {
    const collection = this.#store.find(id);
    if (!collection || !this.#isOwner(caller, collection)) throw notFound('not_found');
    return collection;
  }

  #changeable(caller: Caller, id: string): StoredCollection {
    const collection = this.#visible(caller, id);
    if (!this.#mayControlAny(caller) || !this.#answersFor(caller, collection)) throw insufficientPermissions();
    return collection;
  }

  #isOwner(caller: Caller, { ownerId }: StoredCollection): boolean {
    return ownerId === null ? this.#access.mayManageAny(caller) : ownerId === ownerOf(caller);
  }

  /** The owner of a new collection. */
  #requireOwner(caller: Caller): string | null {
    const owner = ownerOf(caller);
    const may = owner === null ? this.#access.mayManageAny(caller) : this.#mayControlAny(caller);
    if (owner === undefined || !may) throw insufficientPermissions();
    return owner;
  }

  /** A role or a token with only view access changes nothing, not even its own collections (decisions §7). */
  #mayControlAny(caller: Caller): boolean {
    return (
      caller.principal.kind === 'system' ||
      this.#state.homes().some(({ id }) => this.#access.mayIn(caller, 'control', id))
    );
  }
}

function withoutGroup({ group_id: _, ...item }: CollectionItem): CollectionItem {
  return item as CollectionItem;
}
