/**
 * Operations on accounts: the first claim, sign-up by invitation, sign-in, and account changes by users and the
 * founder. `sign-in-limits.ts` limits password attempts, `sessions.ts` defines sessions, `members.ts` defines
 * membership.
 *
 * A caller without an account can't learn which accounts exist: a wrong password and an unknown address give the same
 * error after the same work.
 */
import { emailKey, isAddress, MAX_EMAIL_LENGTH, parseEmail, parsePassword } from '../../contract/account-fields.ts';
import { parseInput } from '../../contract/parse.ts';
import { NewPassword, NewUser, PasswordChange, ProfileChanges, UserChanges } from '../../contract/users.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { requireFreeName } from '../../home/names.ts';
import { HearthError, isDiskFailure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { AccessTokens } from '../access/access-tokens.ts';
import { requireMaker } from '../access/authority.ts';
import { insufficientPermissions, notFound } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import type { Makers } from '../access/makers.ts';
import type { Grants } from './grants.ts';
import type { Members } from './members.ts';
import type { Passwords } from './passwords.ts';
import type { Sessions } from './sessions.ts';
import type { SetupCodes } from './setup-codes.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { parseUserName, type SignedIn, type User } from './user.ts';
import { presentableUser, type StoredUser, type UserStore } from './user-store.ts';

/** A home has a family and guests. */
const MAX_USERS = 500;

interface UserDeps extends HomeDeps<'bus' | 'clock'> {
  readonly store: UserStore;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly setupCodes: SetupCodes;
  readonly members: Members;
  readonly grants: Grants;
  readonly tokens: Pick<AccessTokens, 'refresh'>;
  readonly makers: Pick<Makers, 'sweep'>;
  readonly limits: SignInLimits;
}

interface NewAccount {
  readonly email?: unknown;
  readonly password: unknown;
  /** The default is the part of the address before the @. */
  readonly name?: unknown;
  /** The User-Agent of the signing-in device, to distinguish sessions. */
  readonly device?: unknown;
}

export class Users {
  readonly #deps: UserDeps;

  constructor(deps: UserDeps) {
    this.#deps = deps;
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
    this.#requireUnclaimed();
    const account = readAccount(input);
    setupCodes.require(input.setupCode);
    const user = await this.#prepare(account, true);
    const signedIn = await this.#enter(user, caller, input.device, () => this.#insertFounder(user));
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
    const user = await this.#prepare(account, false);
    const signedIn = await this.#enter(user, caller, input.device, () => {
      // Check again: during hashing the invitation may have been used or revoked.
      const invitation = members.requireCode(input.invitationCode, account.email);
      this.#insert(user);
      members.redeemFor(invitation, user.id);
    });
    members.changed([homeId]);
    return signedIn;
  }

  /**
   * Signs a user in. For every caller.
   * @throws `invalid_credentials` one message for every cause, after the same work · `rate_limited` with the seconds to
   *         wait
   */
  async logIn(
    caller: Caller,
    input: { readonly email: unknown; readonly password: unknown; readonly device?: unknown },
  ): Promise<SignedIn> {
    const { store, clock } = this.#deps;
    const email = typeof input.email === 'string' ? input.email.slice(0, MAX_EMAIL_LENGTH) : '';
    const user = store.findByEmail(email);
    const isRight = await this.#isPassword(caller, emailKey(email), user, input.password);
    if (!isRight || !user) throw wrongCredentials();
    // The account may have been deleted, or its password changed, while the hash was computed.
    const requireUnchanged = (): void => {
      if (store.find(user.id)?.passwordHash !== user.passwordHash) throw wrongCredentials();
    };
    const write = (): void => {
      requireUnchanged();
      store.setLastLogin(user.id, clock.now());
    };
    return this.#enter(user, caller, input.device, write, requireUnchanged);
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
    const user = await this.#prepare(account, !this.isClaimed());
    const homeIds = this.#write(() => {
      if (user.isFounder) return this.#insertFounder(user);
      this.#insert(user);
      for (const homeId of grant.homeIds) members.give(homeId, user.id, grant.role);
      return grant.homeIds;
    });
    members.changed(homeIds);
    return presentableUser(user);
  }

  /**
   * Sets a new password for an account and ends its sessions. For the system and the founder. The founder changes the
   * own password with the old one.
   * @throws `insufficient_permissions` · `user_not_found` · `invalid_value` · `conflict` the founder's own ·
   *         `rate_limited`
   */
  async setPassword(caller: Caller, userId: string, given: string): Promise<User> {
    this.#requireHead(caller);
    const { store, sessions, passwords } = this.#deps;
    const user = this.#existing(userId);
    if (caller.principal.kind === 'user' && caller.principal.userId === user.id) {
      throw new HearthError('conflict', 'Change your own password with the one that you have.');
    }
    const { password } = parseInput(NewPassword, { password: given });
    const hash = await passwords.hash(password);
    this.#write(() => {
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
    if (!(await this.#isPassword(caller, emailKey(user.email), user, currentPassword))) throw wrongPassword();
    const passwordHash = await passwords.hash(password);
    const changed = { ...user, passwordHash };
    return this.#enter(changed, caller, device, () => {
      // Of two concurrent changes the second one's old password is no longer correct.
      if (store.find(user.id)?.passwordHash !== user.passwordHash) throw wrongPassword();
      store.setPassword(user.id, passwordHash);
      sessions.endOf(user.id);
    });
  }

  /**
   * Extends the caller's session to seven days from now. For signed-in users.
   * @throws `insufficient_permissions` · `invalid_token` it has ended
   */
  async renewSession(caller: Caller): Promise<SignedIn> {
    this.#signedIn(caller);
    const renewed = await this.#deps.sessions.renew(caller);
    return { ...renewed, user: presentableUser(this.#signedIn(caller)) };
  }

  /**
   * Whether it is the caller's password, to confirm an important operation. For signed-in users.
   * @throws `insufficient_permissions` · `rate_limited`
   */
  async verifyPassword(caller: Caller, password: unknown): Promise<boolean> {
    const user = this.#signedIn(caller);
    const isRight = await this.#isPassword(caller, emailKey(user.email), user, password);
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
    const user = this.#renamed(this.#existing(userId), parseInput(UserChanges, { name }).name);
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
      if (!(await this.#isPassword(caller, emailKey(user.email), user, currentPassword))) throw wrongPassword();
    }
    // Check again: while the password was compared, the account may have changed.
    const current = this.#signedIn(caller);
    const renamed = name === undefined ? current : this.#renamed(current, name);
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
    this.#write(() => {
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

  /** Counts the attempt, then does the same work whether or not the user exists. */
  async #isPassword(caller: Caller, key: string, user: StoredUser | undefined, password: unknown): Promise<boolean> {
    const { limits, passwords, sessions } = this.#deps;
    const isKnown = user !== undefined && sessions.isAt(user.id, caller.address);
    const attempt = limits.begin(caller, key, isKnown);
    let isRight: boolean;
    try {
      isRight = await passwords.verify(user?.passwordHash, password);
    } catch (error) {
      attempt.cancelled();
      throw error;
    }
    if (isRight) attempt.succeeded();
    return isRight;
  }

  async #prepare({ email, name, password }: Account, isFounder: boolean): Promise<StoredUser> {
    const passwordHash = await this.#deps.passwords.hash(password);
    const createdAt = this.#deps.clock.now();
    return { id: newId(), email, name, passwordHash, isFounder, createdAt, lastLoginAt: null };
  }

  /**
   * @param write must succeed when the session begins: both are written, or neither.
   * @param unwritten replaces `write` while the disk is full: the session is then in memory only. Without it, the
   * session does not begin.
   */
  async #enter(
    user: StoredUser,
    caller: Caller,
    device: unknown,
    write: () => unknown,
    unwritten?: () => void,
  ): Promise<SignedIn> {
    const begun = await this.#deps.sessions.begin(user.id, caller, device);
    try {
      this.#write(() => {
        write();
        begun.keep();
      });
    } catch (error) {
      if (!unwritten || !isDiskFailure(error)) throw error;
      unwritten();
      begun.keepInMemory();
    }
    return {
      sessionId: begun.sessionId,
      token: begun.token,
      user: this.find(user.id) ?? presentableUser(user),
      expiresAt: begun.expiresAt,
    };
  }

  /** Runs `write` in a transaction; a rollback also restores memory. */
  #write<T>(write: () => T): T {
    const { store, sessions, members } = this.#deps;
    const takeBack = sessions.savepoint();
    try {
      return store.transaction(write);
    } catch (error) {
      takeBack();
      members.changed([]);
      throw error;
    }
  }

  #insertFounder(user: StoredUser): readonly string[] {
    this.#requireUnclaimed();
    this.#insert(user);
    return this.#deps.grants.ownEverything(user.id);
  }

  #insert(user: StoredUser): void {
    const { store } = this.#deps;
    if (!isAddress(user.email)) this.#requireOwnName(user);
    if (store.findByEmail(user.email)) throw addressTaken();
    if (store.count() >= MAX_USERS)
      throw new HearthError('conflict', `A relay has at most ${MAX_USERS} accounts. Remove one first.`, {
        reason: 'limit_reached',
      });
    store.insert(user);
  }

  /**
   * Returns the user with another name; for an account without an address also with another sign-in name.
   * @throws `invalid_value` · `conflict`
   */
  #renamed(user: StoredUser, name: string): StoredUser {
    if (isAddress(user.email)) return { ...user, name };
    if (isAddress(name)) throw nameTaken(name);
    const renamed = { ...user, name, email: name };
    this.#requireOwnName(renamed);
    return renamed;
  }

  /** A sign-in name must be unique, and must not be another account's address. @throws `conflict` */
  #requireOwnName({ id, name }: StoredUser): void {
    requireFreeName(name, 'person', this.#deps.store.list(), id);
    const other = this.#deps.store.findByEmail(name);
    if (other && other.id !== id) throw nameTaken(name);
  }

  #requireUnclaimed(): void {
    if (this.isClaimed()) throw new HearthError('conflict', 'This relay already has an owner. Sign in instead.');
  }

  /** Only the relay's operator manages accounts: on the command line, or signed in as the founder. */
  #requireHead(caller: Caller): void {
    requireMaker(caller, 'account');
    const { principal } = caller;
    if (principal.kind === 'system') return;
    if (principal.kind !== 'user' || !this.find(principal.userId)?.isFounder) throw insufficientPermissions();
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

interface Account {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

function readAccount(input: NewAccount): Account {
  const email = parseEmail(input.email);
  return { email, name: parseUserName(input.name, email), password: parsePassword(input.password) };
}

/** Some clients of this API send a name, a password and a role, and no address; some send the address as the name. */
function accountOf({ email, name, password }: Pick<NewUser, 'email' | 'name' | 'password'>): Account {
  if (name === undefined || email) return readAccount({ email, name, password });
  return { email: isAddress(name) ? parseEmail(name) : name, name, password };
}

function nameTaken(name: string): HearthError {
  return new HearthError('conflict', `"${name}" is the address of another user. Choose another name.`, {
    reason: 'name_taken',
    field: 'name',
  });
}

function wrongCredentials(): HearthError {
  return new HearthError('invalid_credentials', 'Wrong e-mail address or password.');
}

function wrongPassword(): HearthError {
  return new HearthError('invalid_credentials', 'Wrong password.', {
    reason: 'wrong_password',
    field: 'currentPassword',
  });
}

function addressTaken(): HearthError {
  return new HearthError('conflict', 'This address has an account already. Sign in with it.', {
    reason: 'address_taken',
    field: 'email',
  });
}
