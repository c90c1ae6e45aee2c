/**
 * Operations on shares (API §2.4, §4.2, decisions §8): access to an entity by its link, without being a member of its
 * home. An entity has one link, however many rows. Owners and admins of the entity's home create, list and change rows;
 * for a collection, its owner does. Every holder of the link may open it (`share-openings.ts`).
 */
import { parseInput } from '../../contract/parse.ts';
import { NewShare, ShareChanges, type SharingInfo } from '../../contract/shares.ts';
import { zoneOf } from '../../home/schedule/time-zones.ts';
import { isGuarded } from '../../home/vocabulary/guarded.ts';
import type { ShareRole } from '../../home/vocabulary/sharing.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Attempts } from '../access/attempts.ts';
import { requireMaker } from '../access/authority.ts';
import { insufficientPermissions } from '../access/authorize.ts';
import { type Caller, ownerOf, type Principal } from '../access/caller.ts';
import type { Expiry } from '../access/expiry.ts';
import type { SecretHasher } from '../access/secret-hasher.ts';
import { UseNotes } from '../access/use-notes.ts';
import { invalid } from './invalid-field.ts';
import type { OpenShare, ShareDescription } from './open-share.ts';
import { bestRole, isStronger, type Share } from './share.ts';
import { ShareGrants } from './share-grants.ts';
import { ShareLinks } from './share-links.ts';
import { ShareManagers, type ShareManagersDeps } from './share-managers.ts';
import { ShareOpenings } from './share-openings.ts';
import { SharePasscodes } from './share-passcodes.ts';
import { isLongEnough, parsePasscode, requireFitting, shortPasscode } from './share-rules.ts';
import { parseSchedule } from './share-schedule.ts';
import type { StoredShare } from './share-store.ts';
import { SharedEntities } from './shared-entities.ts';

export type { OpenShare, ShareDescription } from './open-share.ts';
export type { Share } from './share.ts';

/** An attempt computes one hash for each row with a passcode. */
const MAX_PASSCODES_PER_ENTITY = 5;
/** More guests than a home has, and few enough that opening a link stays cheap. */
const MAX_SHARES_PER_ENTITY = 50;
const LINK_KEY = 'share_links';

/** The account operations that shares need. */
export interface ShareUsers {
  find(id: string): { readonly email: string } | undefined;
  findByEmail(email: string): { readonly id: string } | undefined;
}

type HashedPasscode = Pick<StoredShare, 'passcodeHash' | 'hasLongPasscode'>;
const NO_PASSCODE: HashedPasscode = { passcodeHash: null, hasLongPasscode: false };

export interface SharesDeps extends AppDeps<'clock' | 'logger'>, ShareManagersDeps {
  readonly users: ShareUsers;
  readonly signingKeys: { key(name: string): Uint8Array };
  readonly attempts: Attempts;
  readonly hasher: SecretHasher;
  readonly expiry: Expiry;
  /** Whether a principal's credential is still valid. */
  readonly isLive: (principal: Principal) => boolean;
  /** Whether share links of a home show its history. */
  readonly showsHistory: (homeId: string) => boolean;
}

export class Shares {
  readonly #deps: SharesDeps;
  readonly #links: ShareLinks;
  readonly #entities: SharedEntities;
  readonly #managers: ShareManagers;
  readonly #grants: ShareGrants;
  readonly #passcodes: SharePasscodes;
  readonly #openings: ShareOpenings;

  constructor(deps: SharesDeps) {
    const { store, signingKeys } = deps;
    this.#deps = deps;
    this.#links = new ShareLinks({ key: () => signingKeys.key(LINK_KEY), epochOf: (target) => store.epochOf(target) });
    this.#entities = new SharedEntities({ state: deps.state, collections: deps.collectionStore });
    this.#managers = new ShareManagers({ ...deps, entities: this.#entities });
    const notes = new UseNotes(deps, 'a share');
    const noteEnd = (id: string, end: number) => notes.tryWrite(() => store.setExpiredEnd(id, end));
    this.#grants = new ShareGrants({ ...deps, entities: this.#entities, noteEnd });
    this.#passcodes = new SharePasscodes(deps);
    this.#openings = new ShareOpenings({
      ...deps,
      links: this.#links,
      entities: this.#entities,
      grants: this.#grants,
      passcodes: this.#passcodes,
    });
    deps.makers.register('share', {
      find: (id) => {
        const row = store.find(id);
        return row && { name: row.name ?? this.#entities.ofRow(row)?.name ?? '', homeId: row.homeId };
      },
      end: (id) => store.delete(id),
    });
  }

  // — for holders of the link —

  /**
   * Describes a share and how to open it, without its name and contents. For every caller.
   * @throws `share_not_found`
   */
  describe(caller: Caller, hash: string): ShareDescription {
    return this.#openings.describe(caller, hash);
  }

  /**
   * Opens a share with the strongest role that its rows grant the caller: `public` rows to every caller, `passcode`
   * rows with the correct passcode, `user` rows to that user, signed in. A wrong passcode does not reduce what the
   * share grants without one. For every caller.
   * @throws `share_not_found` unknown link, deleted, or empty · `passcode_required` missing or wrong ·
   *         `insufficient_permissions` not within its schedule, or not for this user · `rate_limited` too many wrong
   *         passcodes
   */
  open(caller: Caller, input: { readonly hash: string; readonly passcode?: string | undefined }): Promise<OpenShare> {
    return this.#openings.open(caller, input);
  }

  /**
   * Opens the same share for the same caller by the current rows, passcodes, schedules, roles and sign-in. Computes no
   * hash: for streams and pages that stay open.
   * @returns `undefined` once it is no longer open.
   */
  reopen(share: OpenShare): OpenShare | undefined {
    return this.#openings.reopen(share);
  }

  // — for the relay —

  /** What a link shares; `undefined` once it shares nothing. Checks no permission. */
  sharedThing(hash: string): { readonly id: string; readonly name: string } | undefined {
    return this.#openings.sharedThing(hash);
  }

  // — for managers —

  /**
   * Lists the rows of an entity, oldest first. For its managers.
   * @throws `…_not_found` by its type · `insufficient_permissions` · `invalid_value`
   */
  list(caller: Caller, entityType: string, entityId: string): readonly Share[] {
    const entity = this.#managers.authorized(caller, { entityType, entityId });
    return this.#rowsOf(entity).map((row) => this.#present(row));
  }

  /** Describes how an entity is shared. For its managers. @throws as `list` */
  info(caller: Caller, entityType: string, entityId: string): SharingInfo {
    const entity = this.#managers.authorized(caller, { entityType, entityId });
    const rows = this.#rowsOf(entity);
    const of = (type: StoredShare['accessType']) => rows.filter(({ accessType }) => accessType === type);
    const publicRows = of('public');
    const { accessories, groups } = this.#entities.contentsOf(entity, (homeId) =>
      this.#managers.mayManage(caller, homeId),
    );
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

  /**
   * Lists the shares that the caller created and may still manage, oldest first; for the CLI and its tokens, all
   * shares.
   */
  mine(caller: Caller): readonly Share[] {
    const owner = ownerOf(caller);
    if (owner === undefined) throw insufficientPermissions();
    const rows = owner === null ? this.#deps.store.all() : this.#deps.store.madeBy(owner);
    return rows.filter((row) => this.#managers.manages(caller, row)).map((row) => this.#present(row));
  }

  /**
   * Lists every share in a home, by any maker, oldest first, so that managers know all access to it. For its managers.
   * @throws `home_not_found` · `insufficient_permissions`
   */
  ofHome(caller: Caller, homeId: string): readonly Share[] {
    const { access, state, store } = this.#deps;
    const { id } = access.authorizeHome(caller, 'manage', state.home(homeId));
    const rows = store.all().filter((row) => row.homeId === id);
    return rows.map((row) => this.#present(row));
  }

  /**
   * Adds a share of an entity. For owners and admins of its home. A collection's owner needs that role in every home in
   * it.
   * @throws `…_not_found` by its type · `insufficient_permissions` · `invalid_value` · `user_not_found` no account has
   *         this address · `conflict` an equal share exists, or there are too many
   */
  async create(caller: Caller, input: NewShare): Promise<{ readonly share: Share; readonly shareHash: string }> {
    const makerId = ownerOf(caller);
    const entity = this.#managers.authorizedToShare(caller, input);
    requireMaker(caller, 'share');
    if (makerId === undefined) throw insufficientPermissions();
    const { accessType, role, name, passcode, userEmail, ...choices } = parseInput(NewShare, input);
    requireFitting(accessType, { passcode, userEmail });
    const row: StoredShare = {
      id: newId(),
      entityType: entity.entityType,
      linkId: entity.linkId,
      entityId: entity.id,
      homeId: entity.homeId,
      accessType,
      role,
      name: name ?? null,
      ...(accessType === 'passcode' ? await this.#hashed(passcode, role) : NO_PASSCODE),
      userId: accessType === 'user' ? this.#requireUser(userEmail) : null,
      schedule: parseSchedule(choices.accessSchedule ?? null, this.#zoneOf(entity.homeId)),
      ...postRule(choices.requirePost),
      expiredEnd: null,
      makerId,
      createdAt: this.#deps.clock.now(),
    };
    // Check again: hashing takes time.
    this.#managers.authorizedToShare(caller, input);
    this.#requireRoom(row);
    // Before saving: the first link creates the key that signs links, and that may fail.
    const shareHash = this.#links.hashOf(row);
    this.#deps.store.transaction(() => {
      this.#deps.store.save(row);
      this.#deps.makers.record(caller, 'share', row.id);
    });
    this.#grants.watchEnd(row);
    return { share: this.#present(row), shareHash };
  }

  /**
   * Changes the given fields and keeps the rest, in one transaction. As `list`, by the row's id.
   * @throws `share_not_found` · `insufficient_permissions` · `invalid_value` · `conflict` an equal row exists
   */
  async update(caller: Caller, accessId: string, changes: ShareChanges): Promise<Share> {
    const before = this.#managers.changeableRow(caller, accessId);
    const { role, name, accessSchedule, requirePost, ...given } = parseInput(ShareChanges, changes);
    const passcode = await this.#changedPasscode(before, role ?? before.role, given.passcode);
    // Check and read again: hashing takes time.
    const row = this.#managers.changeableRow(caller, accessId);
    const changed: StoredShare = {
      ...row,
      ...(role !== undefined && { role }),
      ...(name !== undefined && { name }),
      ...passcode,
      ...(accessSchedule !== undefined && { schedule: parseSchedule(accessSchedule, this.#zoneOf(row.homeId)) }),
      ...(requirePost !== undefined && postRule(requirePost)),
    };
    this.#requireDistinct(changed);
    this.#deps.store.transaction(() => {
      this.#deps.store.save(changed);
      this.#deps.makers.record(caller, 'share', changed.id);
    });
    this.#grants.watchEnd(changed);
    return this.#present(changed);
  }

  /**
   * Deletes one row at once; the last one ends the link for good. As `update`.
   * @throws `share_not_found` · `insufficient_permissions`
   */
  delete(caller: Caller, accessId: string): void {
    const { id } = this.#managers.authorizedRow(caller, accessId);
    this.#deps.store.delete(id);
    this.#deps.makers.forget('share', id);
  }

  /** Part of `AccessUpkeep`. */
  noteExpired(): void {
    for (const row of this.#deps.store.scheduled()) this.#grants.hasEnded(row);
  }

  /** Deletes rows whose entity no longer exists. Called every night. */
  sweep(): void {
    const { store } = this.#deps;
    const gone = store.all().filter((row) => this.#entities.ofRow(row) === undefined);
    store.transaction(() => {
      for (const { id } of gone) store.delete(id);
    });
  }

  /** @throws `invalid_value` too short for the role, or not known to be long enough for a stronger one */
  async #changedPasscode(
    row: StoredShare,
    role: ShareRole,
    passcode?: string | null,
  ): Promise<Partial<HashedPasscode>> {
    if (passcode === undefined || passcode === null) {
      const isRaised = row.accessType === 'passcode' && isStronger(role, row.role);
      if (isRaised && !row.hasLongPasscode) throw shortPasscode(role);
      return {};
    }
    requireFitting(row.accessType, { passcode });
    return this.#hashed(passcode, role);
  }

  async #hashed(input: string | null | undefined, role: ShareRole): Promise<HashedPasscode> {
    const passcode = parsePasscode(input, role);
    const hasLongPasscode = isLongEnough(passcode, 'control');
    return { passcodeHash: await this.#passcodes.hash(passcode), hasLongPasscode };
  }

  #requireUser(email: string | null | undefined): string {
    if (!email?.trim()) throw invalid('userEmail', 'it takes the address of an account');
    const user = this.#deps.users.findByEmail(email);
    if (user) return user.id;
    throw new HearthError('user_not_found', 'User not found: no account uses this address. Invite them first.', {
      reason: 'nobody_signs_in',
    });
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

  /**
   * Two rows of one kind may differ in role, such as view always and control at weekends; never in the schedule alone.
   */
  #requireDistinct({ id, accessType, role, userId, ...target }: StoredShare): void {
    if (accessType === 'passcode') return;
    const same = this.#rowsOf(target).some(
      (row) => row.id !== id && row.accessType === accessType && row.role === role && row.userId === userId,
    );
    if (!same) return;
    const whom = accessType === 'public' ? 'with everyone who has the link' : 'with this user';
    throw new HearthError('conflict', `It is shared ${whom} in this role already. Change that share instead.`, {
      reason: 'shared_already',
    });
  }

  #rowsOf({ entityType, linkId }: Pick<StoredShare, 'entityType' | 'linkId'>): readonly StoredShare[] {
    return this.#deps.store.listOf({ entityType, linkId });
  }

  #zoneOf(homeId: string | null): string {
    return zoneOf(homeId === null ? undefined : this.#deps.state.home(homeId));
  }

  #isGuarded(row: StoredShare): boolean {
    const entity = this.#entities.ofRow(row);
    return entity !== undefined && this.#grants.contentsOf(entity, [row]).accessories.some(isGuarded);
  }

  #present(row: StoredShare): Share {
    return {
      id: row.id,
      entityType: row.entityType,
      entityId: row.entityId,
      entityName: this.#entities.ofRow(row)?.name ?? null,
      homeId: row.homeId,
      accessType: row.accessType,
      role: row.role,
      name: row.name,
      hasPasscode: row.passcodeHash !== null,
      userId: row.userId,
      userEmail: row.userId === null ? null : (this.#deps.users.find(row.userId)?.email ?? null),
      accessSchedule: row.schedule,
      requirePost: row.requirePost || (!row.allowGet && this.#isGuarded(row)),
      createdAt: row.createdAt,
      shareHash: this.#links.hashOf(row),
    };
  }
}

/** The owner's rule for GET; unset if they give none. */
function postRule(requirePost: boolean | undefined): Pick<StoredShare, 'requirePost' | 'allowGet'> {
  return { requirePost: requirePost === true, allowGet: requirePost === false };
}
