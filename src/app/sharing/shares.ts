/**
 * Shares as operations (API §2.4, §4.2, decisions §8): who may reach an entity by its link, without being a member of its home. An
 * entity has one link, whatever its rows. Rows are made, seen and changed by owners and admins of the entity's home, those of
 * collections by the collection's owner; opening is for anybody who has the link (`share-openings.ts`).
 */
import type { HomeState } from '../../home/home-state.ts';
import { zoneOf } from '../../home/schedule/time-zones.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Attempts } from '../access/attempts.ts';
import { type Access, insufficientPermissions, notFound } from '../access/authorize.ts';
import { type Caller, ownerOf, type Principal } from '../access/caller.ts';
import type { Expiry } from '../access/expiry.ts';
import type { CollectionStore } from '../groups/collection-store.ts';
import type { Collections } from '../groups/collections.ts';
import type { OpenShare, ShareDescription } from './open-share.ts';
import { bestRole, type EntityType, type Share, type SharingInfo } from './share.ts';
import { ShareGrants } from './share-grants.ts';
import {
  invalid,
  type NewShare,
  parseAccessType,
  parseEntityType,
  parseFlag,
  parseId,
  parsePasscode,
  parseRole,
  parseShareName,
  requireFitting,
  type ShareChanges,
} from './share-input.ts';
import { ShareLinks } from './share-links.ts';
import { ShareOpenings } from './share-openings.ts';
import { type SecretHasher, SharePasscodes } from './share-passcodes.ts';
import { parseSchedule } from './share-schedule.ts';
import type { ShareStore, StoredShare } from './share-store.ts';
import { collectionGroupId, collectionIdOf, SharedEntities, type SharedEntity } from './shared-entities.ts';

export type { OpenShare, ShareDescription } from './open-share.ts';
export type { Share, SharingInfo } from './share.ts';

/** A try of a passcode is computed for each row that has one. */
const MAX_PASSCODES_PER_ENTITY = 5;
/** More guests than a house has, and few enough that opening a link stays cheap. */
const MAX_SHARES_PER_ENTITY = 50;
const LINK_KEY = 'share_links';

/** Accounts, as far as shares speak of them. */
export interface ShareUsers {
  find(id: string): { readonly email: string } | undefined;
  findByEmail(email: string): { readonly id: string } | undefined;
}

export interface SharesParts {
  readonly store: ShareStore;
  readonly state: HomeState;
  readonly access: Access;
  readonly collections: Pick<Collections, 'get' | 'list'>;
  readonly collectionStore: Pick<CollectionStore, 'find'>;
  readonly users: ShareUsers;
  readonly signingKeys: { key(name: string): Uint8Array };
  readonly attempts: Attempts;
  readonly hasher: SecretHasher;
  readonly expiry: Expiry;
  readonly clock: Clock;
  /** Whether what somebody came in with still counts. */
  readonly isLive: (principal: Principal) => boolean;
  /** Whether share links of a home show its history. */
  readonly showsHistory: (homeId: string) => boolean;
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

export class Shares {
  readonly #parts: SharesParts;
  readonly #links: ShareLinks;
  readonly #entities: SharedEntities;
  readonly #grants: ShareGrants;
  readonly #passcodes: SharePasscodes;
  readonly #openings: ShareOpenings;

  constructor(parts: SharesParts) {
    const { store, signingKeys } = parts;
    this.#parts = parts;
    this.#links = new ShareLinks({ key: () => signingKeys.key(LINK_KEY), epochOf: (target) => store.epochOf(target) });
    this.#entities = new SharedEntities({ state: parts.state, collections: parts.collectionStore });
    this.#grants = new ShareGrants({ ...parts, entities: this.#entities });
    this.#passcodes = new SharePasscodes(parts);
    this.#openings = new ShareOpenings({
      ...parts,
      links: this.#links,
      entities: this.#entities,
      grants: this.#grants,
      passcodes: this.#passcodes,
    });
  }

  // — for whoever has the link —

  /**
   * What a link leads to and what it takes to open it; no name and nothing that is in it. For anybody.
   * @throws `share_not_found`
   */
  describe(caller: Caller, hash: string): ShareDescription {
    return this.#openings.describe(caller, hash);
  }

  /**
   * Opens a share with the best role that its rows give to whoever asks: `public` rows to anybody, `passcode` rows to whoever gives the
   * right one, `user` rows to that user, signed in. A wrong passcode takes nothing away that is given without. For anybody.
   * @throws `share_not_found` no link of ours, deleted, or nothing of it is left · `passcode_required` none was given, or a wrong one ·
   *         `insufficient_permissions` not within its schedule, or not for this user · `rate_limited` too many wrong passcodes
   */
  open(caller: Caller, input: { readonly hash: string; readonly passcode?: string | undefined }): Promise<OpenShare> {
    return this.#openings.open(caller, input);
  }

  /**
   * The same share, for the same person, by what is true now: rows, passcodes, schedules, roles, sign-in. Computes no hash: for streams
   * and pages that stay open.
   * @returns `undefined` once it is over.
   */
  reopen(share: OpenShare): OpenShare | undefined {
    return this.#openings.reopen(share);
  }

  // — for whoever manages it —

  /** The rows of an entity, oldest first. For its managers. @throws `…_not_found` by its type · `insufficient_permissions` · `invalid_value` */
  list(caller: Caller, entityType: unknown, entityId: unknown): readonly Share[] {
    const entity = this.#authorized(caller, entityType, entityId);
    return this.#rowsOf(entity).map((row) => this.#present(row));
  }

  /** How an entity is shared. For its managers. @throws as `list` */
  info(caller: Caller, entityType: unknown, entityId: unknown): SharingInfo {
    const entity = this.#authorized(caller, entityType, entityId);
    const rows = this.#rowsOf(entity);
    const of = (type: StoredShare['accessType']) => rows.filter(({ accessType }) => accessType === type);
    const publicRows = of('public');
    const { accessories, groups } = this.#entities.contentsOf(entity, (homeId) => this.#mayManage(caller, homeId));
    return {
      isShared: rows.length > 0,
      hasPublic: publicRows.length > 0,
      publicRole: bestRole(publicRows.map(({ role }) => role)),
      passcodeCount: of('passcode').length,
      userCount: of('user').length,
      shareHash: rows.length > 0 ? this.#links.hashOf(entity) : null,
      roomCount: new Set(accessories.map(({ roomId }) => roomId)).size,
      accessoryCount: accessories.length,
      groupCount: groups.length,
    };
  }

  /** What the caller has shared and may still manage, oldest first; the CLI and its tokens see everybody's. */
  mine(caller: Caller): readonly Share[] {
    const owner = ownerOf(caller);
    if (owner === undefined) throw insufficientPermissions();
    const rows = owner === null ? this.#parts.store.all() : this.#parts.store.madeBy(owner);
    return rows.filter((row) => this.#manages(caller, row)).map((row) => this.#present(row));
  }

  /**
   * Everything in a home that is shared, by whomever, oldest first: who manages it must know which doors are open. For its managers.
   * @throws `home_not_found` · `insufficient_permissions`
   */
  ofHome(caller: Caller, homeId: string): readonly Share[] {
    const { access, state, store } = this.#parts;
    const { id } = access.authorizeHome(caller, 'manage', state.home(homeId));
    const rows = store.all().filter((row) => row.homeId === id);
    return rows.map((row) => this.#present(row));
  }

  /**
   * Shares an entity in one more way. For owners and admins of its home; a collection for its owner, who is that of every home in it.
   * @throws `…_not_found` by its type · `insufficient_permissions` · `invalid_value` · `user_not_found` nobody has this address ·
   *         `conflict` it is shared so already, or in too many ways
   */
  async create(caller: Caller, input: NewShare): Promise<{ readonly share: Share; readonly shareHash: string }> {
    const makerId = ownerOf(caller);
    const entity = this.#authorizedToShare(caller, input);
    if (makerId === undefined) throw insufficientPermissions();
    const accessType = parseAccessType(input.accessType);
    requireFitting(accessType, input);
    const row: StoredShare = {
      id: newId(),
      entityType: entity.entityType,
      linkId: entity.linkId,
      entityId: entity.id,
      homeId: entity.homeId,
      accessType,
      role: parseRole(input.role),
      name: parseShareName(input.name),
      passcodeHash: accessType === 'passcode' ? await this.#passcodes.hash(parsePasscode(input.passcode)) : null,
      userId: accessType === 'user' ? this.#requireUser(input.userEmail) : null,
      schedule: parseSchedule(input.accessSchedule ?? null, this.#zoneOf(entity.homeId)),
      requirePost: parseFlag(input.requirePost ?? false, 'requirePost'),
      makerId,
      createdAt: this.#parts.clock.now(),
    };
    // Once more: hashing takes its time.
    this.#authorizedToShare(caller, input);
    this.#requireRoom(row);
    // Before it is kept: the first link of all makes the key that links are signed with, and that may fail.
    const shareHash = this.#links.hashOf(row);
    this.#parts.store.save(row);
    this.#grants.watchEnd(row);
    return { share: this.#present(row), shareHash };
  }

  /**
   * Changes what is given and keeps the rest; all of it or nothing. As `list`, by the row's id.
   * @throws `share_not_found` · `insufficient_permissions` · `invalid_value` · `conflict` another row says the same
   */
  async update(caller: Caller, accessId: string, changes: ShareChanges): Promise<Share> {
    const before = this.#authorizedRow(caller, accessId);
    const { role, name, accessSchedule, requirePost } = changes;
    const passcodeHash = await this.#changedPasscode(before, changes.passcode);
    // Once more, and what is true by now: hashing takes its time.
    const row = this.#authorizedRow(caller, accessId);
    const changed: StoredShare = {
      ...row,
      ...(role !== undefined && role !== null && { role: parseRole(role) }),
      ...(name !== undefined && { name: parseShareName(name) }),
      ...(passcodeHash !== undefined && { passcodeHash }),
      ...(accessSchedule !== undefined && { schedule: parseSchedule(accessSchedule, this.#zoneOf(row.homeId)) }),
      ...(requirePost !== undefined && requirePost !== null && { requirePost: parseFlag(requirePost, 'requirePost') }),
    };
    this.#requireDistinct(changed);
    this.#parts.store.save(changed);
    this.#grants.watchEnd(changed);
    return this.#present(changed);
  }

  /** Ends one row at once; with the last one the link, for good. As `update`. @throws `share_not_found` · `insufficient_permissions` */
  delete(caller: Caller, accessId: string): void {
    this.#parts.store.delete(this.#authorizedRow(caller, accessId).id);
  }

  /** Deletes the rows of what is no more. Called every night. */
  sweep(): void {
    const { store } = this.#parts;
    const gone = store.all().filter((row) => this.#entityOf(row) === undefined);
    store.transaction(() => {
      for (const { id } of gone) store.delete(id);
    });
  }

  #authorized(caller: Caller, entityType: unknown, entityId: unknown): SharedEntity {
    const type = parseEntityType(entityType);
    const id = this.#wholeId(caller, type, parseId(entityId, 'entityId'));
    const entity = this.#entities.find(type, id);
    this.#authorizeEntity(caller, type, entity);
    return entity as SharedEntity;
  }

  #authorizedToShare(caller: Caller, { entityType, entityId, homeId }: NewShare): SharedEntity {
    const entity = this.#authorized(caller, entityType, entityId);
    if (homeId !== undefined && homeId !== null && entity.homeId !== null) {
      if (parseId(homeId, 'homeId').toLowerCase() !== entity.homeId) throw notFound(NOT_FOUND[entity.entityType]);
    }
    const foreign = this.#entities.itemsOf(entity).find(({ home_id }) => !this.#mayManage(caller, home_id));
    if (!foreign) return entity;
    throw new HearthError(
      'insufficient_permissions',
      'Only owners and admins of a home share what is in it: take what is of other homes out of the collection first.',
    );
  }

  #authorizeEntity(caller: Caller, type: EntityType, entity: SharedEntity | undefined): void {
    const { access, collections } = this.#parts;
    if (type === 'collection' || type === 'collection_group') {
      if (!entity) throw notFound('not_found');
      collections.get(caller, collectionIdOf(entity.id));
      if (!this.#mayManageWhole(caller, entity)) throw insufficientPermissions();
      return;
    }
    const place = entity && { homeId: entity.homeId ?? '' };
    access.authorizeIn(caller, 'manage', place, NOT_FOUND[type]);
  }

  /** A group of a collection by its own id, where only one collection of the caller's has it. */
  #wholeId(caller: Caller, type: EntityType, id: string): string {
    if (type !== 'collection_group' || id.includes(':')) return id;
    const owners = this.#parts.collections
      .list(caller)
      .filter(({ payload }) => payload.groups.some((one) => one.id === id));
    const [owner, ...others] = owners;
    if (!owner) throw notFound('not_found');
    if (others.length === 0) return collectionGroupId(owner.id, id);
    throw invalid('entityId', 'several collections have this group; write it as <collectionId>:<groupId>');
  }

  #authorizedRow(caller: Caller, accessId: string): StoredShare {
    const row = this.#parts.store.find(accessId);
    if (!row) throw notFound('share_not_found');
    if (row.homeId !== null)
      return this.#parts.access.authorizeIn(caller, 'manage', { ...row, homeId: row.homeId }, 'share_not_found');
    if (!this.#ownsCollectionOf(caller, row)) throw notFound('share_not_found');
    if (!this.#mayManageWhole(caller, this.#entityOf(row))) throw insufficientPermissions();
    return row;
  }

  #manages(caller: Caller, row: StoredShare): boolean {
    if (row.homeId !== null) return this.#mayManage(caller, row.homeId);
    return this.#ownsCollectionOf(caller, row) && this.#mayManageWhole(caller, this.#entityOf(row));
  }

  /**
   * Whether the caller may manage shares at all and, of what belongs to nobody, each home that is in it: rows of the command line
   * reach into all of them. What somebody's own rows reach, they answer for themselves.
   */
  #mayManageWhole(caller: Caller, entity: SharedEntity | undefined): boolean {
    if (!this.#parts.access.mayManageAny(caller)) return false;
    if (!entity || this.#entities.ownerOf(entity) !== null) return true;
    const homeIds = this.#entities.itemsOf(entity).map(({ home_id }) => home_id);
    return homeIds.every((homeId) => !this.#parts.state.home(homeId) || this.#mayManage(caller, homeId));
  }

  /** Of a collection that is gone, whoever made the row: it can still be seen and deleted. */
  #ownsCollectionOf(caller: Caller, { entityId, makerId }: StoredShare): boolean {
    const collection = this.#parts.collectionStore.find(collectionIdOf(entityId));
    const ownerId = collection ? collection.ownerId : makerId;
    return ownerId === null ? this.#parts.access.mayManageAny(caller) : ownerId === ownerOf(caller);
  }

  #mayManage(caller: Caller, homeId: string): boolean {
    return this.#parts.access.mayIn(caller, 'manage', homeId);
  }

  async #changedPasscode(row: StoredShare, passcode: unknown): Promise<string | undefined> {
    if (passcode === undefined || passcode === null) return undefined;
    requireFitting(row.accessType, { passcode } as NewShare);
    return this.#passcodes.hash(parsePasscode(passcode));
  }

  #requireUser(email: unknown): string {
    if (typeof email !== 'string' || email.trim() === '')
      throw invalid('userEmail', 'it takes the address of an account');
    const user = this.#parts.users.findByEmail(email);
    if (user) return user.id;
    throw new HearthError(
      'user_not_found',
      'User not found: nobody here signs in with this address. Invite them first.',
      { reason: 'nobody_signs_in' },
    );
  }

  #requireRoom(row: StoredShare): void {
    this.#requireDistinct(row);
    const rows = this.#rowsOf(row);
    const passcodes = rows.filter(({ accessType }) => accessType === 'passcode').length;
    if (row.accessType === 'passcode' && passcodes >= MAX_PASSCODES_PER_ENTITY) {
      throw new HearthError(
        'conflict',
        `There may be ${MAX_PASSCODES_PER_ENTITY} passcodes at most. Delete one first.`,
        { reason: 'limit_reached' },
      );
    }
    if (rows.length >= MAX_SHARES_PER_ENTITY) {
      throw new HearthError(
        'conflict',
        `It may be shared in ${MAX_SHARES_PER_ENTITY} ways at most. Delete one first.`,
        { reason: 'limit_reached' },
      );
    }
  }

  /** Two rows of one kind may differ in role, such as to view always and to control at weekends; never in the schedule alone. */
  #requireDistinct({ id, accessType, role, userId, ...target }: StoredShare): void {
    if (accessType === 'passcode') return;
    const same = this.#rowsOf(target).some(
      (row) => row.id !== id && row.accessType === accessType && row.role === role && row.userId === userId,
    );
    if (!same) return;
    const whom = accessType === 'public' ? 'with everybody who has the link' : 'with this user';
    throw new HearthError('conflict', `It is shared ${whom} in this role already. Change that share instead.`, {
      reason: 'shared_already',
    });
  }

  #rowsOf({ entityType, linkId }: Pick<StoredShare, 'entityType' | 'linkId'>): readonly StoredShare[] {
    return this.#parts.store.listOf({ entityType, linkId });
  }

  /** As long as it is where it was when it was shared. */
  #entityOf({ entityType, entityId, homeId }: StoredShare): SharedEntity | undefined {
    const entity = this.#entities.find(entityType, entityId);
    return entity?.homeId === homeId ? entity : undefined;
  }

  #zoneOf(homeId: string | null): string {
    return zoneOf(homeId === null ? undefined : this.#parts.state.home(homeId));
  }

  #present(row: StoredShare): Share {
    return {
      id: row.id,
      entityType: row.entityType,
      entityId: row.entityId,
      entityName: this.#entityOf(row)?.name ?? null,
      homeId: row.homeId,
      accessType: row.accessType,
      role: row.role,
      name: row.name,
      hasPasscode: row.passcodeHash !== null,
      userId: row.userId,
      userEmail: row.userId === null ? null : (this.#parts.users.find(row.userId)?.email ?? null),
      accessSchedule: row.schedule,
      requirePost: row.requirePost,
      createdAt: row.createdAt,
      shareHash: this.#links.hashOf(row),
    };
  }
}
