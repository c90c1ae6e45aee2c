/**
 * Operations on the members of a home and its invitations. Owners and admins manage members. Only owners grant, change
 * and remove the roles admin and owner. A home never loses its last owner. Apps and access tokens only list members: a
 * caller that acts for a user makes no members.
 *
 * An invitation of a person without an account is its code, which the inviter hands over. An invitation of an existing
 * user belongs to the account, not to the address. It is valid only while its inviter may still grant the role.
 */
import { emailKey, isAddress, parseEmail } from '../../contract/account-fields.ts';
import { MemberChanges, NewMember } from '../../contract/members.ts';
import { parseInput } from '../../contract/parse.ts';
import type { Home } from '../../home/model.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { randomToken, sha256Hex } from '../../kernel/secrets.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { requireMaker } from '../access/authority.ts';
import { notFound, requireSession } from '../access/authorize.ts';
import { type Caller, ownerOf, ROLES, type Role } from '../access/caller.ts';
import { Expiry } from '../access/expiry.ts';
import { UseNotes } from '../access/use-notes.ts';
import type { InvitationStore, StoredInvitation } from './invitation-store.ts';
import { activeMember, type Invitation, invitedMember, type Member } from './member.ts';
import type { MemberRoles } from './member-roles.ts';
import type { MemberStore, Membership } from './member-store.ts';
import type { User } from './user.ts';
import type { UserStore } from './user-store.ts';

const INVITATION_MS = 7 * 24 * 60 * 60_000;
/** 128 bits: no number of attempts guesses it. */
const CODE_BYTES = 16;
/** More members indicate a faulty client. */
const MAX_MEMBERS = 100;

interface MemberDeps extends AppDeps<'state' | 'access' | 'bus' | 'clock' | 'logger'> {
  readonly store: MemberStore;
  readonly invitations: InvitationStore;
  readonly users: UserStore;
  readonly roles: MemberRoles;
}

export interface InvitedMember {
  readonly member: Member;
  /** The code to hand over, shown only once; `null` for an existing user, who finds the invitation after signing in. */
  readonly invitation: { readonly code: string; readonly expiresAt: number } | null;
}

export class Members implements Startable {
  readonly #deps: MemberDeps;
  readonly #expiry: Expiry;
  readonly #notes: UseNotes;
  #unsubscribe: (() => void) | undefined;

  constructor(deps: MemberDeps) {
    this.#deps = deps;
    this.#expiry = new Expiry(deps.clock);
    this.#notes = new UseNotes(deps, 'an invitation');
  }

  /**
   * Call after the layout has loaded. Homes without an owner (created without a caller, or whose owner's account was
   * deleted) go to the founder.
   */
  start(): void {
    for (const { id, expiresAt } of this.#deps.invitations.list()) this.#expiry.track(id, expiresAt);
    const { users, state } = this.#deps;
    users.transaction(() => {
      for (const { id } of state.homes()) if (this.#owners(id).length === 0) this.assignOwner(id, null);
    });
    this.#unsubscribe = this.#deps.bus.on('layout.changed', ({ homeId }) => this.#forgetHome(homeId));
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /**
   * Lists members and invited people, oldest first. For admins of the home. @throws `home_not_found` ·
   * `insufficient_permissions`
   */
  list(caller: Caller, homeId: string): readonly Member[] {
    const { id } = this.#authorizedHome(caller, homeId);
    const { roles, invitations, users } = this.#deps;
    const active = roles.of(id).flatMap((membership) => {
      const user = users.find(membership.userId);
      return user ? activeMember(membership, user) : [];
    });
    const invited = invitations.listOfHome(id).filter((one) => this.#counts(one));
    return [...active, ...invited.map((one) => this.#invited(one))];
  }

  /** The number of members of a home. For callers that have authorized the access. */
  count(homeId: string): number {
    return this.#deps.roles.of(homeId).length;
  }

  /**
   * The strongest role that a user has in any home; `null` if they belong to none. For callers that have authorized the
   * access.
   */
  strongestRole(userId: string): Role | null {
    const { roles } = this.#deps;
    const held = new Set(roles.homesOf(userId).map((homeId) => roles.roleOf(userId, homeId)));
    return ROLES.findLast((role) => held.has(role)) ?? null;
  }

  /** The oldest owner of a home. For callers that have authorized the access. */
  ownerOf(homeId: string): User | undefined {
    const [owner] = this.#owners(homeId);
    return owner && this.#deps.users.find(owner.userId);
  }

  /**
   * Invites a person to a home, for seven days; replaces another invitation for the same address. For admins; only
   * owners invite to the roles admin and owner.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` · `conflict` they are a member already, or
   *         there are too many
   */
  invite(
    caller: Caller,
    input: { readonly homeId: string; readonly email: string; readonly role: string },
  ): InvitedMember {
    const { email: given, role } = parseInput(NewMember, { email: input.email, role: input.role });
    const { id: homeId } = this.requireCanGrant(caller, input.homeId, role);
    const { users, roles, invitations, clock } = this.#deps;
    // A user whose account has no address is invited by name.
    const user = users.findByEmail(given);
    const email = user && !isAddress(user.email) ? user.email : parseEmail(given);
    if (user && roles.roleOf(user.id, homeId))
      throw new HearthError('conflict', `${email} belongs to this home already. Change their role instead.`, {
        reason: 'already_member',
      });
    const known = invitations.listOfHome(homeId);
    const before = known.find((one) => emailKey(one.email) === emailKey(email));
    if (before) this.#requireMayTake(caller, before);
    if (!before && this.count(homeId) + known.length >= MAX_MEMBERS) {
      throw new HearthError(
        'conflict',
        `A home has at most ${MAX_MEMBERS} members and invitations. Remove one first.`,
        { reason: 'limit_reached' },
      );
    }
    const code = user ? null : randomToken(CODE_BYTES);
    const now = clock.now();
    const invitation: StoredInvitation = {
      id: newId(),
      homeId,
      email,
      role,
      userId: user?.id ?? null,
      codeHash: code === null ? null : sha256Hex(code),
      inviterId: this.#inviter(caller),
      createdAt: now,
      expiresAt: now + INVITATION_MS,
      expiredAt: null,
    };
    invitations.save(invitation);
    if (before) this.#expiry.forget(before.id);
    this.#expiry.track(invitation.id, invitation.expiresAt);
    this.#announce(homeId);
    const { expiresAt } = invitation;
    return { member: this.#invited(invitation), invitation: code === null ? null : { code, expiresAt } };
  }

  /**
   * Changes the role of a member or an invitation. For admins; only owners change from and to admin and owner.
   * @param input.memberId the user's id or the invitation's.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` · `user_not_found` · `conflict` the last
   *         owner
   */
  setRole(
    caller: Caller,
    input: { readonly homeId: string; readonly memberId: string; readonly role: string },
  ): Member {
    const { role } = parseInput(MemberChanges, { role: input.role });
    const home = this.#authorizedHome(caller, input.homeId);
    requireMaker(caller, 'membership');
    const { invitation, membership } = this.#find(home.id, input.memberId);
    this.#requireMayTake(caller, invitation ?? membership);
    this.requireCanGrant(caller, home.id, role);
    if (invitation) {
      this.#deps.invitations.setRole(invitation.id, role, this.#inviter(caller));
      this.#announce(home.id);
      return this.#invited({ ...invitation, role });
    }
    if (role !== 'owner') this.#requireAnotherOwner(membership);
    const changed = { ...membership, role };
    this.#write(home.id, () => this.#deps.store.save(changed));
    return activeMember(changed, this.#user(membership.userId));
  }

  /**
   * Sets one role for a user in every home that they belong to: in all of them or in none. As `setRole`.
   * @throws as `setRole` · `conflict` they belong to no home
   */
  setRoleEverywhere(caller: Caller, input: { readonly userId: string; readonly role: string }): void {
    const { access, roles, users } = this.#deps;
    access.authorizeAny(caller, 'manage');
    requireMaker(caller, 'membership');
    const memberId = input.userId.toLowerCase();
    const homeIds = roles.homesOf(memberId);
    if (homeIds.length === 0) {
      throw new HearthError('conflict', 'They are a member of no home yet: invite them into one.', {
        reason: 'no_home_yet',
        field: 'userId',
      });
    }
    try {
      users.transaction(() => {
        for (const homeId of homeIds) this.setRole(caller, { homeId, memberId, role: input.role });
      });
    } finally {
      // Also for homes whose change was rolled back.
      this.changed(homeIds);
    }
  }

  /**
   * Removes a member, or revokes an invitation. For admins; only owners remove admins and owners; signed-in users may
   * remove themselves.
   * @param input.memberId the user's id or the invitation's.
   * @throws `home_not_found` · `insufficient_permissions` · `user_not_found` · `conflict` the last owner
   */
  remove(caller: Caller, input: { readonly homeId: string; readonly memberId: string }): void {
    const { access, state, store } = this.#deps;
    const leaves = caller.principal.kind === 'user' && caller.principal.userId === input.memberId.toLowerCase();
    const home = access.authorizeHome(caller, leaves ? 'view' : 'manage', state.home(input.homeId));
    requireMaker(caller, 'membership');
    const { invitation, membership } = this.#find(home.id, input.memberId);
    if (!leaves) this.#requireMayTake(caller, invitation ?? membership);
    if (invitation) {
      this.#withdraw(invitation);
      this.#announce(home.id);
      return;
    }
    this.#requireAnotherOwner(membership);
    this.#write(home.id, () => store.delete(home.id, membership.userId));
  }

  /**
   * Lists the invitations of the caller's user, oldest first. For every caller; empty if the caller acts for no user.
   */
  pending(caller: Caller): readonly Invitation[] {
    const userId = ownerOf(caller);
    if (typeof userId !== 'string') return [];
    return this.#deps.invitations
      .listOfUser(userId)
      .filter((one) => this.#counts(one))
      .map((one) => this.#present(one));
  }

  /**
   * Accepts an invitation. For signed-in users. @throws `insufficient_permissions` the caller has no session ·
   * `not_found`
   */
  accept(caller: Caller, homeId: string): Member {
    const userId = requireSession(caller);
    return this.#redeem(this.#pendingFor(userId, homeId), userId);
  }

  /**
   * Declines an invitation. For signed-in users. @throws `insufficient_permissions` the caller has no session ·
   * `not_found`
   */
  reject(caller: Caller, homeId: string): void {
    const invitation = this.#pendingFor(requireSession(caller), homeId);
    this.#withdraw(invitation);
    this.#announce(invitation.homeId);
  }

  /**
   * Accepts an invitation by the code in its link, for a person who has got an account since. For signed-in users.
   * @throws `insufficient_permissions` the caller has no session · `invalid_credentials` unknown, used, expired, or for
   *         another address
   */
  acceptCode(caller: Caller, code: unknown): Member {
    const user = this.#user(requireSession(caller));
    return this.#redeem(this.requireCode(code, user.email), user.id);
  }

  /** Finds the invitation of a code. For any holder of the code: its 128 bits are the right. */
  findInvitation(code: unknown): (Invitation & { readonly email: string }) | undefined {
    const invitation = this.#byCode(code);
    return invitation && { ...this.#present(invitation), email: invitation.email };
  }

  // — for the other operations of this folder —

  /** @throws `invalid_credentials` unknown, used, expired, or for another address: one message for all */
  requireCode(code: unknown, email: string): StoredInvitation {
    const invitation = this.#byCode(code);
    if (invitation && emailKey(invitation.email) === emailKey(email)) return invitation;
    throw new HearthError(
      'invalid_credentials',
      'This invitation is not for this address or no longer valid. Ask for a new one.',
    );
  }

  /**
   * Makes the user a member and deletes the invitation. Call within a transaction. @throws `invalid_credentials` it no
   * longer exists
   */
  redeemFor(invitation: StoredInvitation, userId: string): void {
    const { store, clock } = this.#deps;
    if (!this.#withdraw(invitation)) {
      throw new HearthError('invalid_credentials', 'This invitation was used a moment ago. Ask for a new one.');
    }
    store.save({ homeId: invitation.homeId, userId, role: invitation.role, createdAt: clock.now() });
  }

  /**
   * Returns the home, if the caller may grant this role in it. @throws `home_not_found` · `insufficient_permissions`
   */
  requireCanGrant(caller: Caller, homeId: string, role: Role): Home {
    const { access, state } = this.#deps;
    const home = access.authorizeHome(caller, neededFor(role), state.home(homeId));
    requireMaker(caller, 'membership');
    return home;
  }

  /** Sets the owner of a new home: its creator, else the founder if the relay has one. Call within a transaction. */
  assignOwner(homeId: string, userId: string | null): void {
    const { users } = this.#deps;
    const owner = (userId === null ? undefined : users.find(userId)) ?? users.founder();
    if (owner) this.give(homeId, owner.id, 'owner');
  }

  /** Saves a role without checking whether the caller may grant it. Call within a transaction, then call `changed`. */
  give(homeId: string, userId: string, role: Role): void {
    this.#deps.store.save({ homeId, userId, role, createdAt: this.#deps.clock.now() });
    this.#deps.roles.refresh();
  }

  /** Call after changing memberships of these homes. */
  changed(homeIds: Iterable<string>): void {
    this.#deps.roles.refresh();
    for (const homeId of homeIds) this.#announce(homeId);
  }

  /** Homes of which this user is the only owner. */
  ownedAlone(userId: string): readonly string[] {
    const { roles } = this.#deps;
    return roles.homesOf(userId).filter((homeId) => {
      const owners = this.#owners(homeId);
      return owners.length === 1 && owners[0]?.userId === userId;
    });
  }

  /** Deletes invitations recorded as expired, and those whose inviter may no longer make them. Called every night. */
  prune(): void {
    for (const invitation of this.#deps.invitations.list()) {
      if (invitation.expiredAt !== null || !this.#isGivable(invitation)) this.#withdraw(invitation);
    }
  }

  /** Part of `AccessUpkeep`. */
  noteExpired(): void {
    for (const invitation of this.#deps.invitations.list()) this.#isPast(invitation);
  }

  // — inside —

  #owners(homeId: string): readonly Membership[] {
    return this.#deps.roles.of(homeId).filter(({ role }) => role === 'owner');
  }

  /** The inviter's user id; `null` for the command line. */
  #inviter(caller: Caller): string | null {
    return this.#deps.users.find(ownerOf(caller) ?? '')?.id ?? null;
  }

  /** Whether an invitation has not expired and its inviter may still make it. */
  #counts(invitation: StoredInvitation): boolean {
    return !this.#isPast(invitation) && this.#isGivable(invitation);
  }

  /** Whether the inviter could make the invitation now. */
  #isGivable({ homeId, role, inviterId }: StoredInvitation): boolean {
    if (inviterId === null) return true;
    const invitersRole = this.#deps.roles.roleOf(inviterId, homeId);
    return invitersRole === 'owner' || (invitersRole === 'admin' && neededFor(role) === 'manage');
  }

  #isPast({ id, expiresAt, expiredAt }: StoredInvitation): boolean {
    if (expiredAt !== null) return true;
    if (!this.#expiry.isPast(id, expiresAt)) return false;
    const { invitations, clock } = this.#deps;
    this.#notes.tryWrite(() => invitations.setExpired(id, clock.now()));
    return true;
  }

  /** @returns whether it existed: of two concurrent uses only the first succeeds. */
  #withdraw({ id }: StoredInvitation): boolean {
    this.#expiry.forget(id);
    return this.#deps.invitations.delete(id);
  }

  #byCode(code: unknown): StoredInvitation | undefined {
    if (typeof code !== 'string' || code.length > 100) return undefined;
    const invitation = this.#deps.invitations.findByCode(sha256Hex(code));
    return invitation && this.#counts(invitation) ? invitation : undefined;
  }

  #pendingFor(userId: string, homeId: string): StoredInvitation {
    const id = homeId.toLowerCase();
    const found = this.#deps.invitations.listOfUser(userId).find((one) => one.homeId === id && this.#counts(one));
    if (!found) throw notFound('not_found');
    return found;
  }

  #redeem(invitation: StoredInvitation, userId: string): Member {
    const { roles, users } = this.#deps;
    const { homeId } = invitation;
    // An invitation does not change the role of a person who has become a member in another way meanwhile.
    if (roles.roleOf(userId, homeId))
      throw new HearthError('conflict', 'You belong to this home already.', { reason: 'already_member' });
    users.transaction(() => this.redeemFor(invitation, userId));
    this.changed([homeId]);
    const membership = roles.of(homeId).find((one) => one.userId === userId);
    if (!membership) throw notFound('user_not_found');
    return activeMember(membership, this.#user(userId));
  }

  #find(
    homeId: string,
    memberId: string,
  ): { invitation: StoredInvitation; membership?: never } | { invitation?: never; membership: Membership } {
    const id = memberId.toLowerCase();
    const membership = this.#deps.roles.of(homeId).find((one) => one.userId === id);
    if (membership) return { membership };
    const invitation = this.#deps.invitations.listOfHome(homeId).find((one) => one.id === id);
    if (invitation) return { invitation };
    throw notFound('user_not_found');
  }

  /** Only owners change a member whose role only owners grant. */
  #requireMayTake(caller: Caller, { homeId, role }: { homeId: string; role: Role }): void {
    this.requireCanGrant(caller, homeId, role);
  }

  #requireAnotherOwner({ homeId, userId }: Membership): void {
    if (this.#owners(homeId).some((owner) => owner.userId !== userId)) return;
    if (this.#deps.roles.roleOf(userId, homeId) !== 'owner') return;
    throw new HearthError('conflict', 'A home needs an owner. Make another member an owner first.', {
      reason: 'last_owner',
    });
  }

  #write(homeId: string, write: () => void): void {
    write();
    this.changed([homeId]);
  }

  #announce(homeId: string): void {
    this.#deps.bus.emit('members.changed', { homeId });
  }

  #forgetHome(homeId: string): void {
    if (!this.#deps.state.home(homeId)) this.#deps.roles.refresh();
  }

  #user(id: string): User {
    const user = this.#deps.users.find(id);
    if (!user) throw notFound('user_not_found');
    return user;
  }

  #invited(invitation: StoredInvitation): Member {
    return invitedMember(invitation, invitation.userId === null ? undefined : this.#deps.users.find(invitation.userId));
  }

  #present({ id, homeId, role, inviterId, createdAt, expiresAt }: StoredInvitation): Invitation {
    const { state, users } = this.#deps;
    const inviterName = inviterId === null ? null : (users.find(inviterId)?.name ?? null);
    return { id, homeId, homeName: state.home(homeId)?.name ?? '', role, inviterName, createdAt, expiresAt };
  }

  #authorizedHome(caller: Caller, homeId: string): Home {
    return this.#deps.access.authorizeHome(caller, 'manage', this.#deps.state.home(homeId));
  }
}

/** The action that a caller must be allowed to grant or revoke a role. */
function neededFor(role: Role): 'manage' | 'own' {
  return role === 'admin' || role === 'owner' ? 'own' : 'manage';
}
