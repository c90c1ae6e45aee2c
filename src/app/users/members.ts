/**
 * The people of a home as operations: who belongs to it, as what, and who is invited. Owners and admins manage members; the roles admin
 * and owner are given, changed and taken by owners alone; a home never loses its last owner.
 *
 * An invitation of somebody without an account is its code, which the inviter hands over. Of somebody with one it is theirs by account
 * and not by address. It counts only as long as whoever made it may still give the role.
 */
import type { HomeEvents } from '../../home/events.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Home } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { randomToken, sha256Hex } from '../../kernel/secrets.ts';
import { type Access, notFound, requireSession } from '../access/authorize.ts';
import { type Caller, ownerOf, ROLES, type Role } from '../access/caller.ts';
import { Expiry } from '../access/expiry.ts';
import type { InvitationStore, StoredInvitation } from './invitation-store.ts';
import { activeMember, type Invitation, invitedMember, type Member, parseRole } from './member.ts';
import type { MemberRoles } from './member-roles.ts';
import type { MemberStore, Membership } from './member-store.ts';
import { emailKey, parseEmail, type User } from './user.ts';
import type { UserStore } from './user-store.ts';

const INVITATION_MS = 7 * 24 * 60 * 60_000;
/** 128 bits: nobody guesses it, however often they try. */
const CODE_BYTES = 16;
/** More is a program that has lost its way. */
const MAX_MEMBERS = 100;

interface MemberParts {
  readonly store: MemberStore;
  readonly invitations: InvitationStore;
  readonly users: UserStore;
  readonly roles: MemberRoles;
  readonly access: Access;
  readonly state: HomeState;
  readonly bus: EventBus<HomeEvents>;
  readonly clock: Clock;
}

export interface InvitedMember {
  readonly member: Member;
  /** What to hand over, this once only; `null` for somebody with an account, who finds the invitation when they sign in. */
  readonly invitation: { readonly code: string; readonly expiresAt: number } | null;
}

export class Members implements Startable {
  readonly #parts: MemberParts;
  readonly #expiry: Expiry;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: MemberParts) {
    this.#parts = parts;
    this.#expiry = new Expiry(parts.clock);
  }

  /** After the layout. Homes that came without anybody asking, or lost their owner with a deleted account, are the founder's. */
  start(): void {
    for (const { id, expiresAt } of this.#parts.invitations.list()) this.#expiry.track(id, expiresAt);
    const { users, state } = this.#parts;
    users.transaction(() => {
      for (const { id } of state.homes()) if (this.#owners(id).length === 0) this.adopt(id, null);
    });
    this.#unsubscribe = this.#parts.bus.on('layout.changed', ({ homeId }) => this.#forgetHome(homeId));
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** Members and those invited, oldest first. For admins of the home. @throws `home_not_found` · `insufficient_permissions` */
  list(caller: Caller, homeId: string): readonly Member[] {
    const { id } = this.#authorizedHome(caller, homeId);
    const { roles, invitations, users } = this.#parts;
    const active = roles.of(id).flatMap((membership) => {
      const user = users.find(membership.userId);
      return user ? activeMember(membership, user) : [];
    });
    const invited = invitations.listOfHome(id).filter((one) => this.#counts(one));
    return [...active, ...invited.map((one) => this.#invited(one))];
  }

  /** How many belong to a home. For those that have authorized it. */
  count(homeId: string): number {
    return this.#parts.roles.of(homeId).length;
  }

  /** The strongest role that somebody has in any home; `null` where they belong to none. For those that have authorized it. */
  strongestRole(userId: string): Role | null {
    const { roles } = this.#parts;
    const held = new Set(roles.homesOf(userId).map((homeId) => roles.roleOf(userId, homeId)));
    return ROLES.findLast((role) => held.has(role)) ?? null;
  }

  /** The oldest owner of a home. For those that have authorized it. */
  ownerOf(homeId: string): User | undefined {
    const [owner] = this.#owners(homeId);
    return owner && this.#parts.users.find(owner.userId);
  }

  /**
   * Invites somebody into a home, for seven days; another invitation for the same address is replaced. For admins, the roles admin
   * and owner for owners.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` · `conflict` they belong to it, or there are too many
   */
  invite(
    caller: Caller,
    input: { readonly homeId: string; readonly email: unknown; readonly role: unknown },
  ): InvitedMember {
    const role = parseRole(input.role);
    const { id: homeId } = this.requireMayGive(caller, input.homeId, role);
    const email = parseEmail(input.email);
    const { users, roles, invitations, clock } = this.#parts;
    const user = users.findByEmail(email);
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
    };
    invitations.save(invitation);
    if (before) this.#expiry.forget(before.id);
    this.#expiry.track(invitation.id, invitation.expiresAt);
    this.#announce(homeId);
    const { expiresAt } = invitation;
    return { member: this.#invited(invitation), invitation: code === null ? null : { code, expiresAt } };
  }

  /**
   * Changes what a member may do, or somebody invited. For admins; from and to admin and owner for owners.
   * @param input.memberId the user's id or the invitation's.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` · `user_not_found` · `conflict` the last owner
   */
  setRole(
    caller: Caller,
    input: { readonly homeId: string; readonly memberId: string; readonly role: unknown },
  ): Member {
    const role = parseRole(input.role);
    const home = this.#authorizedHome(caller, input.homeId);
    const { invitation, membership } = this.#find(home.id, input.memberId);
    this.#requireMayTake(caller, invitation ?? membership);
    this.requireMayGive(caller, home.id, role);
    if (invitation) {
      this.#parts.invitations.setRole(invitation.id, role, this.#inviter(caller));
      this.#announce(home.id);
      return this.#invited({ ...invitation, role });
    }
    if (role !== 'owner') this.#requireAnotherOwner(membership);
    const changed = { ...membership, role };
    this.#write(home.id, () => this.#parts.store.save(changed));
    return activeMember(changed, this.#user(membership.userId));
  }

  /**
   * Gives somebody one role in every home that they belong to: in all of them or in none. As `setRole`.
   * @throws as `setRole` · `conflict` they belong to no home
   */
  setRoleEverywhere(caller: Caller, input: { readonly userId: string; readonly role: unknown }): void {
    const { access, roles, users } = this.#parts;
    access.authorizeAny(caller, 'manage');
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
      // Of some that were changed and then were not after all, too.
      this.changed(homeIds);
    }
  }

  /**
   * Removes a member, or takes an invitation back. For admins; of admins and owners for owners; oneself for whoever is signed in.
   * @param input.memberId the user's id or the invitation's.
   * @throws `home_not_found` · `insufficient_permissions` · `user_not_found` · `conflict` the last owner
   */
  remove(caller: Caller, input: { readonly homeId: string; readonly memberId: string }): void {
    const { access, state, store } = this.#parts;
    const leaves = caller.principal.kind === 'user' && caller.principal.userId === input.memberId.toLowerCase();
    const home = access.authorizeHome(caller, leaves ? 'view' : 'manage', state.home(input.homeId));
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

  /** What the caller's person is invited to, oldest first. For everybody; empty for who acts for nobody. */
  pending(caller: Caller): readonly Invitation[] {
    const userId = ownerOf(caller);
    if (typeof userId !== 'string') return [];
    return this.#parts.invitations
      .listOfUser(userId)
      .filter((one) => this.#counts(one))
      .map((one) => this.#present(one));
  }

  /** Takes an invitation. For whoever is signed in. @throws `insufficient_permissions` no session asks · `not_found` */
  accept(caller: Caller, homeId: string): Member {
    const userId = requireSession(caller);
    return this.#redeem(this.#pendingFor(userId, homeId), userId);
  }

  /** Turns an invitation down. For whoever is signed in. @throws `insufficient_permissions` no session asks · `not_found` */
  reject(caller: Caller, homeId: string): void {
    const invitation = this.#pendingFor(requireSession(caller), homeId);
    this.#withdraw(invitation);
    this.#announce(invitation.homeId);
  }

  /**
   * Takes an invitation by the code in its link, for somebody who has come by an account since. For whoever is signed in.
   * @throws `insufficient_permissions` no session asks · `invalid_credentials` unknown, used, over, or for another address
   */
  acceptCode(caller: Caller, code: unknown): Member {
    const user = this.#user(requireSession(caller));
    return this.#redeem(this.requireCode(code, user.email), user.id);
  }

  /** What a code invites to. For whoever holds it: its 128 bits are the right. */
  findInvitation(code: unknown): (Invitation & { readonly email: string }) | undefined {
    const invitation = this.#byCode(code);
    return invitation && { ...this.#present(invitation), email: invitation.email };
  }

  // — for the other operations of this folder —

  /** @throws `invalid_credentials` unknown, used, over, or for another address: one sentence */
  requireCode(code: unknown, email: string): StoredInvitation {
    const invitation = this.#byCode(code);
    if (invitation && emailKey(invitation.email) === emailKey(email)) return invitation;
    throw new HearthError(
      'invalid_credentials',
      'This invitation is not for this address or no longer valid. Ask for a new one.',
    );
  }

  /** Makes the user a member in the transaction under way, and the invitation void. @throws `invalid_credentials` it is gone */
  redeemFor(invitation: StoredInvitation, userId: string): void {
    const { store, clock } = this.#parts;
    if (!this.#withdraw(invitation)) {
      throw new HearthError('invalid_credentials', 'This invitation was used a moment ago. Ask for a new one.');
    }
    store.save({ homeId: invitation.homeId, userId, role: invitation.role, createdAt: clock.now() });
  }

  /** The home, if the caller may give this role in it. @throws `home_not_found` · `insufficient_permissions` */
  requireMayGive(caller: Caller, homeId: string, role: Role): Home {
    const { access, state } = this.#parts;
    return access.authorizeHome(caller, neededFor(role), state.home(homeId));
  }

  /** Gives a new home its owner: who made it, else the founder, if the relay has one. Part of a transaction under way. */
  adopt(homeId: string, userId: string | null): void {
    const { users } = this.#parts;
    const owner = (userId === null ? undefined : users.find(userId)) ?? users.founder();
    if (owner) this.give(homeId, owner.id, 'owner');
  }

  /** Writes a role without asking whether it may be given. Part of a transaction under way; `changed` follows it. */
  give(homeId: string, userId: string, role: Role): void {
    this.#parts.store.save({ homeId, userId, role, createdAt: this.#parts.clock.now() });
    this.#parts.roles.refresh();
  }

  /** After memberships of these homes were written. */
  changed(homeIds: Iterable<string>): void {
    this.#parts.roles.refresh();
    for (const homeId of homeIds) this.#announce(homeId);
  }

  /** Homes of which this user is the only owner. */
  ownedAlone(userId: string): readonly string[] {
    const { roles } = this.#parts;
    return roles.homesOf(userId).filter((homeId) => {
      const owners = this.#owners(homeId);
      return owners.length === 1 && owners[0]?.userId === userId;
    });
  }

  /** Deletes invitations that are over. Called every night. */
  prune(): void {
    for (const invitation of this.#parts.invitations.list()) {
      if (!this.#counts(invitation)) this.#withdraw(invitation);
    }
  }

  // — inside —

  #owners(homeId: string): readonly Membership[] {
    return this.#parts.roles.of(homeId).filter(({ role }) => role === 'owner');
  }

  /** Whose invitation it becomes; `null` for the command line's. */
  #inviter(caller: Caller): string | null {
    return this.#parts.users.find(ownerOf(caller) ?? '')?.id ?? null;
  }

  /** Whether an invitation is neither over nor made by somebody who could not make it any more. */
  #counts({ id, homeId, role, inviterId, expiresAt }: StoredInvitation): boolean {
    if (this.#expiry.isPast(id, expiresAt)) return false;
    if (inviterId === null) return true;
    const invitersRole = this.#parts.roles.roleOf(inviterId, homeId);
    return invitersRole === 'owner' || (invitersRole === 'admin' && neededFor(role) === 'manage');
  }

  /** @returns whether it was there: of two who use it at the same moment one is first. */
  #withdraw({ id }: StoredInvitation): boolean {
    this.#expiry.forget(id);
    return this.#parts.invitations.delete(id);
  }

  #byCode(code: unknown): StoredInvitation | undefined {
    if (typeof code !== 'string' || code.length > 100) return undefined;
    const invitation = this.#parts.invitations.findByCode(sha256Hex(code));
    return invitation && this.#counts(invitation) ? invitation : undefined;
  }

  #pendingFor(userId: string, homeId: string): StoredInvitation {
    const id = homeId.toLowerCase();
    const found = this.#parts.invitations.listOfUser(userId).find((one) => one.homeId === id && this.#counts(one));
    if (!found) throw notFound('not_found');
    return found;
  }

  #redeem(invitation: StoredInvitation, userId: string): Member {
    const { roles, users } = this.#parts;
    const { homeId } = invitation;
    // An invitation raises nobody who has come in by another way meanwhile, and lowers nobody.
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
    const membership = this.#parts.roles.of(homeId).find((one) => one.userId === id);
    if (membership) return { membership };
    const invitation = this.#parts.invitations.listOfHome(homeId).find((one) => one.id === id);
    if (invitation) return { invitation };
    throw notFound('user_not_found');
  }

  /** Who has a role that owners alone give is touched by owners alone. */
  #requireMayTake(caller: Caller, { homeId, role }: { homeId: string; role: Role }): void {
    this.requireMayGive(caller, homeId, role);
  }

  #requireAnotherOwner({ homeId, userId }: Membership): void {
    if (this.#owners(homeId).some((owner) => owner.userId !== userId)) return;
    if (this.#parts.roles.roleOf(userId, homeId) !== 'owner') return;
    throw new HearthError('conflict', 'A home needs an owner. Make somebody else one first.', { reason: 'last_owner' });
  }

  #write(homeId: string, write: () => void): void {
    write();
    this.changed([homeId]);
  }

  #announce(homeId: string): void {
    this.#parts.bus.emit('members.changed', { homeId });
  }

  #forgetHome(homeId: string): void {
    if (!this.#parts.state.home(homeId)) this.#parts.roles.refresh();
  }

  #user(id: string): User {
    const user = this.#parts.users.find(id);
    if (!user) throw notFound('user_not_found');
    return user;
  }

  #invited(invitation: StoredInvitation): Member {
    return invitedMember(
      invitation,
      invitation.userId === null ? undefined : this.#parts.users.find(invitation.userId),
    );
  }

  #present({ id, homeId, role, inviterId, createdAt, expiresAt }: StoredInvitation): Invitation {
    const { state, users } = this.#parts;
    const inviterName = inviterId === null ? null : (users.find(inviterId)?.name ?? null);
    return { id, homeId, homeName: state.home(homeId)?.name ?? '', role, inviterName, createdAt, expiresAt };
  }

  #authorizedHome(caller: Caller, homeId: string): Home {
    return this.#parts.access.authorizeHome(caller, 'manage', this.#parts.state.home(homeId));
  }
}

/** What one must be allowed to, to give or take a role. */
function neededFor(role: Role): 'manage' | 'own' {
  return role === 'admin' || role === 'owner' ? 'own' : 'manage';
}
