/**
 * Operations on accounts: the first claim, sign-up by invitation, sign-in, and account changes by users and the
 * founder. `account-writes.ts` checks and writes accounts, `sign-in-limits.ts` limits password attempts, `sessions.ts`
 * defines sessions, `members.ts` membership.
 *
 * A caller without an account can't learn which accounts exist: a wrong password and an unknown address give the same
 * error after the same work.
 */
import { emailKey, MAX_EMAIL_LENGTH } from '../../contract/account-fields.ts';
import { parseInput } from '../../contract/parse.ts';
import { NewPassword, NewUser, PasswordChange, ProfileChanges, UserChanges } from '../../contract/users.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { AccessTokens } from '../access/access-tokens.ts';
import { insufficientPermissions, notFound } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import type { Makers } from '../access/makers.ts';
import {
  type AccountDeps,
  AccountWrites,
  accountOf,
  addressTaken,
  type NewAccount,
  readAccount,
  requireHead,
  wrongPassword,
} from './account-writes.ts';
import { type PendingSignIns, SecondFactorRequired, signInOver } from './pending-sign-ins.ts';
import type { SecondFactorProof } from './second-factor-check.ts';
import type { SetupCodes } from './setup-codes.ts';
import type { SignedIn, User } from './user.ts';
import { presentableUser, type StoredUser } from './user-store.ts';

interface UserDeps extends AccountDeps {
  readonly setupCodes: SetupCodes;
  readonly tokens: Pick<AccessTokens, 'refresh'>;
  readonly makers: Pick<Makers, 'sweep'>;
  readonly pendingSignIns: PendingSignIns;
}

export class Users {
  readonly #deps: UserDeps;
  readonly #accounts: AccountWrites;

  constructor(deps: UserDeps) {
    this.#deps = deps;
    this.#accounts = new AccountWrites(deps);
  }

  /** Whether the relay has an owner. For every caller. */
  isClaimed(): boolean {
    return this.#deps.store.founder() !== undefined;
  }

  /**
   * Creates the first account, the founder's, who becomes owner of every existing home. For callers with the setup
   * code.
   * @throws `conflict` the relay is claimed already · `invalid_value` · `invalid_credentials` the code · `rate_limited`
   */
  async claim(caller: Caller, input: NewAccount & { readonly setupCode: unknown }): Promise<SignedIn> {
    const { setupCodes, members, grants } = this.#deps;
    this.#accounts.requireUnclaimed();
    const account = readAccount(input);
    setupCodes.require(input.setupCode);
    const user = await this.#accounts.prepare(account, true);
    const write = () => this.#accounts.insertFounder(user);
    const signedIn = await this.#accounts.enter(user, caller, input.device, write, undefined, false);
    setupCodes.void();
    members.changed(grants.homesOf(user.id));
    return signedIn;
  }

  /**
   * Creates an account for an invited person, and makes it a member of the invitation's home. For callers with the
   * code.
   * @throws `insufficient_permissions` no code · `invalid_credentials` the code is not for this address or no longer
   *         valid · `invalid_value` · `conflict` the address has an account already · `rate_limited`
   */
  async signUp(caller: Caller, input: NewAccount & { readonly invitationCode: unknown }): Promise<SignedIn> {
    const { members } = this.#deps;
    if (input.invitationCode === undefined || input.invitationCode === null || input.invitationCode === '') {
      throw new HearthError('insufficient_permissions', 'Registration is disabled. Ask an admin to invite you.');
    }
    const account = readAccount(input);
    const { homeId } = members.requireCode(input.invitationCode, account.email);
    const user = await this.#accounts.prepare(account, false);
    const signedIn = await this.#accounts.enter(user, caller, input.device, () => {
      // Check again: during hashing the invitation may have been used or revoked.
      const invitation = members.requireCode(input.invitationCode, account.email);
      this.#accounts.insert(user);
      members.redeemFor(invitation, user.id);
    });
    members.changed([homeId]);
    return signedIn;
  }

  /**
   * Signs a user in. For every caller.
   * @param input.code of the authenticator app, or a recovery code; for accounts with a second factor.
   * @throws `invalid_credentials` one message for every cause, after the same work; a `SecondFactorRequired` if the
   *         password is correct and the code is missing; `passkey_required` if the account must use its passkey ·
   *         `rate_limited` with the seconds to wait
   */
  async logIn(
    caller: Caller,
    input: {
      readonly email: unknown;
      readonly password: unknown;
      readonly code?: unknown;
      readonly device?: unknown;
    },
  ): Promise<SignedIn> {
    const { store, secondFactorCheck, pendingSignIns } = this.#deps;
    const email = typeof input.email === 'string' ? input.email.slice(0, MAX_EMAIL_LENGTH) : '';
    const user = store.findByEmail(email);
    const isRight = await this.#accounts.isPassword(caller, emailKey(email), user, input.password);
    if (!isRight || !user) throw wrongCredentials();
    if (this.#deps.secondStepRule.needsPasskey(user.id)) throw passkeyRequired();
    if (!secondFactorCheck.isOn(user.id)) return this.#enter(caller, user, input.device);
    if (isMissing(input.code)) throw new SecondFactorRequired(pendingSignIns.begin(user));
    return this.#enter(caller, user, input.device, secondFactorCheck.require(caller, user, input.code));
  }

  /**
   * Continues a sign-in that lacks only the code. For callers with its ticket.
   * @throws `invalid_credentials` the code is wrong, or the sign-in has ended · `rate_limited`
   */
  async logInWithCode(
    caller: Caller,
    { ticket, code, device }: { readonly ticket: unknown; readonly code: unknown; readonly device?: unknown },
  ): Promise<SignedIn> {
    const { store, secondFactorCheck, pendingSignIns } = this.#deps;
    const pending = pendingSignIns.require(ticket);
    const user = store.find(pending.userId);
    if (!user || user.passwordHash !== pending.passwordHash || !secondFactorCheck.isOn(user.id)) throw signInOver();
    const signedIn = await this.#enter(caller, user, device, secondFactorCheck.require(caller, user, code));
    pendingSignIns.end(ticket);
    return signedIn;
  }

  /**
   * Returns the user that the caller acts for. CLI tokens without home limits act for the whole relay, so they act for
   * the founder.
   * @throws `insufficient_permissions` no user: the system, other CLI tokens, share links
   */
  me(caller: Caller): User {
    const { principal } = caller;
    const actsForRelay =
      principal.kind === 'access_token' && principal.makerId === null && principal.homePermissions === null;
    const id = actsForRelay ? this.#deps.store.founder()?.id : ownerOf(caller);
    const user = typeof id === 'string' ? this.find(id) : undefined;
    if (!user) throw insufficientPermissions();
    return user;
  }

  /** Finds an account by its id. For callers that have authorized the access. */
  find(id: string): User | undefined {
    const user = this.#deps.store.find(id.toLowerCase());
    return user && presentableUser(user);
  }

  /** Finds an account by its address, ignoring case. For callers that have authorized the access. */
  findByEmail(email: string): User | undefined {
    const user = this.#deps.store.findByEmail(email);
    return user && presentableUser(user);
  }

  /** Lists all accounts, oldest first. For the system and the founder. @throws `insufficient_permissions` */
  list(caller: Caller): readonly User[] {
    this.#requireHead(caller);
    return this.#deps.store.list().map(presentableUser);
  }

  /**
   * Creates an account with a password that its user may change, and makes it a member of homes. The first account is
   * the founder's. Without an address, the user signs in with the name, which must then be unique. For the system and
   * the founder.
   * @param input.role default: `control` if homes are given, else none.
   * @param input.homeIds default: with a role, every home in which the caller may grant it.
   * @throws `insufficient_permissions` · `invalid_value` · `home_not_found` · `conflict` the address or name is taken ·
   *         `rate_limited`
   */
  async create(caller: Caller, input: NewUser): Promise<User> {
    this.#requireHead(caller);
    const { grants, members } = this.#deps;
    const given = parseInput(NewUser, input);
    const account = accountOf(given);
    const grant = grants.read(caller, given);
    const user = await this.#accounts.prepare(account, !this.isClaimed());
    const homeIds = this.#accounts.write(() => {
      if (user.isFounder) return this.#accounts.insertFounder(user);
      this.#accounts.insert(user);
      for (const homeId of grant.homeIds) members.give(homeId, user.id, grant.role);
      return grant.homeIds;
    });
    members.changed(homeIds);
    return presentableUser(user);
  }

  /**
   * Sets a new password for an account and ends its sessions. For the system and the founder. The founder changes the
   * own password with the old one.
   * @throws `insufficient_permissions` also without a fresh proof · `user_not_found` · `invalid_value` · `conflict` the
   *         founder's own · `rate_limited`
   */
  async setPassword(caller: Caller, userId: string, given: string): Promise<User> {
    this.#requireHead(caller);
    const { store, sessions, passwords } = this.#deps;
    const user = this.#existing(userId);
    if (caller.principal.kind === 'user' && caller.principal.userId === user.id) {
      throw new HearthError('conflict', 'Change your own password with the one that you have.');
    }
    const { password } = parseInput(NewPassword, { password: given });
    this.#deps.freshProofs.require(caller);
    const hash = await passwords.hash(password);
    this.#accounts.write(() => {
      store.setPassword(this.#existing(user.id).id, hash);
      sessions.endOf(user.id);
    });
    return presentableUser(user);
  }

  /**
   * Changes the caller's own password and ends all its sessions, including the current one. Access tokens and apps
   * stay; each ends separately. For signed-in users.
   * @returns a new session.
   * @throws `insufficient_permissions` · `invalid_credentials` · `invalid_value` · `rate_limited`
   */
  async changePassword(
    caller: Caller,
    { device, ...input }: PasswordChange & { readonly device?: unknown },
  ): Promise<SignedIn> {
    const user = this.#signedIn(caller);
    const { store, passwords, sessions } = this.#deps;
    const { currentPassword, newPassword: password } = parseInput(PasswordChange, input);
    if (!(await this.#accounts.isPassword(caller, emailKey(user.email), user, currentPassword))) throw wrongPassword();
    const passwordHash = await passwords.hash(password);
    const changed = { ...user, passwordHash };
    const write = (): void => {
      // Of two concurrent changes the second one's old password is no longer correct.
      if (store.find(user.id)?.passwordHash !== user.passwordHash) throw wrongPassword();
      store.setPassword(user.id, passwordHash);
      sessions.endOf(user.id);
    };
    return this.#accounts.enter(changed, caller, device, write, undefined, false);
  }

  /**
   * Extends the caller's session to seven days from now. For signed-in users.
   * @throws `insufficient_permissions` · `invalid_token` it has ended
   */
  async renewSession(caller: Caller): Promise<SignedIn> {
    this.#signedIn(caller);
    const renewed = await this.#deps.sessions.renew(caller);
    return { ...renewed, needsSecondStep: false, user: presentableUser(this.#signedIn(caller)) };
  }

  /**
   * Whether it is the caller's password, to confirm an important operation. For signed-in users.
   * @throws `insufficient_permissions` · `rate_limited`
   */
  async verifyPassword(caller: Caller, password: unknown): Promise<boolean> {
    const user = this.#signedIn(caller);
    const isRight = await this.#accounts.isPassword(caller, emailKey(user.email), user, password);
    // During the comparison the password may have changed, or the session ended.
    return isRight && this.#deps.store.find(user.id)?.passwordHash === user.passwordHash && this.#isLive(caller);
  }

  /**
   * Renames a user. An account without an address signs in with the new name from then on. For the system and the
   * founder.
   * @throws `insufficient_permissions` · `user_not_found` · `invalid_value` · `conflict` the name is taken
   */
  rename(caller: Caller, userId: string, name: string): User {
    this.#requireHead(caller);
    const user = this.#accounts.renamed(this.#existing(userId), parseInput(UserChanges, { name }).name);
    this.#deps.store.setNameAndEmail(user.id, user.name, user.email);
    return presentableUser(user);
  }

  /**
   * Changes the caller's own name; for the founder also the address, with the password. Other users ask the founder for
   * a new account: invitations go by address, and a user must not get another person's invitation by taking the
   * address. For signed-in users.
   * @throws `insufficient_permissions` · `invalid_value` · `invalid_credentials` · `conflict` the address is taken ·
   *         `rate_limited`
   */
  async update(caller: Caller, input: ProfileChanges): Promise<User> {
    const user = this.#signedIn(caller);
    const { store } = this.#deps;
    const { name, email, currentPassword } = parseInput(ProfileChanges, input);
    if (email !== undefined && email !== user.email) {
      if (!user.isFounder) {
        throw new HearthError(
          'insufficient_permissions',
          'Only the founder of this relay changes the own address. Ask them for an account with the new one.',
          { reason: 'founder_only' },
        );
      }
      if (!(await this.#accounts.isPassword(caller, emailKey(user.email), user, currentPassword)))
        throw wrongPassword();
    }
    // Check again: while the password was compared, the account may have changed.
    const current = this.#signedIn(caller);
    const renamed = name === undefined ? current : this.#accounts.renamed(current, name);
    const changed = { ...renamed, email: email ?? renamed.email };
    const taken = store.findByEmail(changed.email);
    if (taken && taken.id !== user.id) throw addressTaken();
    store.setNameAndEmail(user.id, changed.name, changed.email);
    return presentableUser(changed);
  }

  /**
   * Deletes an account with its sessions, memberships, consents, shares and settings; revokes its access tokens. Homes
   * that it alone owned go to the founder. For the system and the founder, whose own account stays.
   * @throws `insufficient_permissions` · `user_not_found` · `conflict` it is the founder's
   */
  delete(caller: Caller, userId: string): void {
    this.#requireHead(caller);
    const user = this.#existing(userId);
    if (user.isFounder) {
      throw new HearthError('conflict', 'The founder’s account stays: change its name, address or password instead.', {
        reason: 'founder_stays',
      });
    }
    const { store, members, sessions, tokens, bus, clock, grants } = this.#deps;
    const homeIds = grants.homesOf(user.id);
    this.#accounts.write(() => {
      for (const homeId of members.ownedAlone(user.id)) members.assignOwner(homeId, null);
      store.delete(user.id, clock.now());
    });
    sessions.endOf(user.id);
    tokens.refresh();
    this.#deps.makers.sweep();
    members.changed(homeIds);
    bus.emit('user.removed', { userId: user.id });
  }

  // — inside —

  #enter(caller: Caller, user: StoredUser, device: unknown, proof?: SecondFactorProof): Promise<SignedIn> {
    const { store, clock, secondFactorCheck, secondStepRule } = this.#deps;
    // The account may have been deleted, or its password or second factor changed, while the hash was computed.
    const requireUnchanged = (): void => {
      const isOn = secondFactorCheck.isOn(user.id);
      if (store.find(user.id)?.passwordHash !== user.passwordHash || (isOn && !proof)) throw wrongCredentials();
      if (secondStepRule.needsPasskey(user.id)) throw passkeyRequired();
    };
    const write = (): void => {
      requireUnchanged();
      if (proof) secondFactorCheck.use(user.id, proof);
      store.setLastLogin(user.id, clock.now());
    };
    const unwritten = (): void => {
      requireUnchanged();
      if (proof?.kind === 'code') secondFactorCheck.useInMemory(user.id, proof);
    };
    return this.#accounts.enter(user, caller, device, write, proof?.kind === 'recovery_code' ? undefined : unwritten);
  }

  #requireHead(caller: Caller): void {
    requireHead(caller, this.#deps.store);
  }

  #signedIn({ principal }: Caller): StoredUser {
    const user = principal.kind === 'user' ? this.#deps.store.find(principal.userId) : undefined;
    if (!user) throw insufficientPermissions();
    return user;
  }

  #isLive({ principal }: Caller): boolean {
    return principal.kind === 'user' && this.#deps.sessions.isLive(principal);
  }

  #existing(id: string): StoredUser {
    const user = this.#deps.store.find(id.toLowerCase());
    if (!user) throw notFound('user_not_found');
    return user;
  }
}

function isMissing(code: unknown): boolean {
  return typeof code !== 'string' || code.trim() === '';
}

function wrongCredentials(): HearthError {
  return new HearthError('invalid_credentials', 'Wrong e-mail address or password.');
}

function passkeyRequired(): HearthError {
  return new HearthError(
    'invalid_credentials',
    'Your role needs a second step: sign in with your passkey, at the address where you created it.',
    { reason: 'passkey_required' },
  );
}
