/**
 * Collections as operations: named picks of accessories and service groups across homes, made for a screen or for sharing
 * (API §2.5). They belong to no home but to whoever made them: a user, or `null`, which is the CLI and the tokens it made; those
 * are everybody's who may manage a home.
 */
import { compareNamed } from '../../home/collection.ts';
import type { HomeState } from '../../home/home-state.ts';
import { parseName, requireFreeName } from '../../home/names.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { type Access, insufficientPermissions, notFound } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import { type CollectionItem, type CollectionPayload, EMPTY_PAYLOAD, parsePayload } from './collection-payload.ts';
import type { CollectionStore, StoredCollection } from './collection-store.ts';

const MAX_COLLECTIONS_PER_OWNER = 200;

/** A collection as one caller sees it: without the items of homes that it may not see. */
export interface Collection {
  /** UUID, lower case. */
  readonly id: string;
  readonly name: string;
  readonly payload: CollectionPayload;
  readonly createdAt: number;
}

export class Collections {
  readonly #store: CollectionStore;
  readonly #state: HomeState;
  readonly #access: Access;
  readonly #clock: Clock;

  constructor(parts: { store: CollectionStore; state: HomeState; access: Access; clock: Clock }) {
    this.#store = parts.store;
    this.#state = parts.state;
    this.#access = parts.access;
    this.#clock = parts.clock;
  }

  /** The caller's own, and those of nobody for whoever manages a home; by name. */
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

  /** For its owner. @throws `not_found` */
  get(caller: Caller, id: string): Collection {
    return this.#shown(caller, this.#visible(caller, id));
  }

  /**
   * Makes a collection, empty if no payload is given. For whoever may control a home; without a user, for whoever manages one.
   * @param input.payload an object, or a text that is one in JSON.
   * @throws `insufficient_permissions` · `invalid_value` the name or the payload · `home_not_found`, `accessory_not_found`,
   *         `service_group_not_found` an item names nothing that the caller may see · `conflict` the name is taken, or too many
   */
  create(caller: Caller, input: { readonly name: unknown; readonly payload?: unknown }): Collection {
    const ownerId = this.#requireOwner(caller);
    const name = parseName(input.name, 'Collection name');
    const payload = input.payload === undefined ? EMPTY_PAYLOAD : this.#parsePayload(caller, input.payload, []);
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
   * Renames it and replaces what is in it; both or neither. What the caller does not see of it stays. For its owner, while they may
   * control a home.
   * @throws as `create`, and `not_found`
   */
  update(caller: Caller, id: string, changes: { readonly name?: unknown; readonly payload?: unknown }): Collection {
    const collection = this.#changeable(caller, id);
    const { ownerId } = collection;
    const name = changes.name === undefined ? collection.name : parseName(changes.name, 'Collection name');
    const payload =
      changes.payload === undefined ? collection.payload : this.#replace(caller, collection, changes.payload);
    requireFreeName(name, 'collection', this.#store.listOf(ownerId), collection.id);
    return this.#save(caller, { ...collection, name, payload });
  }

  /** What is in it stays. For its owner, while they may control a home. @throws `not_found` · `insufficient_permissions` */
  delete(caller: Caller, id: string): void {
    this.#store.delete(this.#changeable(caller, id).id);
  }

  #replace(caller: Caller, { ownerId, payload }: StoredCollection, input: unknown): CollectionPayload {
    const { groups, items } = this.#parsePayload(caller, input, payload.items, ownerId === null ? 'manage' : 'view');
    const groupIds = new Set(groups.map(({ id }) => id));
    const unseen = payload.items
      .filter(({ home_id }) => this.#state.home(home_id) && !this.#sees(caller, home_id))
      .map((item) => (item.group_id !== undefined && groupIds.has(item.group_id) ? item : withoutGroup(item)));
    return { groups, items: [...items, ...unseen] };
  }

  /** @param needed what the caller must be allowed to in the home of each item: what is nobody's may be shared by the command line. */
  #parsePayload(
    caller: Caller,
    input: unknown,
    known: readonly CollectionItem[],
    needed: 'view' | 'manage' = 'view',
  ): CollectionPayload {
    return parsePayload(input, this.#state, (homeId) => this.#access.mayIn(caller, needed, homeId), known);
  }

  /** Of what is nobody's, whoever manages each home that is in it: it may be shared as a whole. */
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

  /** Whose a new collection is. */
  #requireOwner(caller: Caller): string | null {
    const owner = ownerOf(caller);
    const may = owner === null ? this.#access.mayManageAny(caller) : this.#mayControlAny(caller);
    if (owner === undefined || !may) throw insufficientPermissions();
    return owner;
  }

  /** A role or a token that only views changes nothing, not even what is its own (decisions §7). */
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
