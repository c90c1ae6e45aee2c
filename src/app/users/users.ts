/**
 * Accounts as operations: the first claim, signing up by invitation, signing in, and what people and the founder do with accounts.
 * Which password is tried how often is `sign-in-limits.ts`, what a session is `sessions.ts`, who belongs to which home `members.ts`.
 *
 * Nothing here tells anybody without an account who has one: a wrong password and an unknown address are one answer after one work.
 */
import type { HomeEvents } from '../../home/events.ts';
import { parseName } from '../../home/names.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { AccessTokens } from '../access/access-tokens.ts';
import { insufficientPermissions, notFound } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import type { Grants } from './grants.ts';
import type { Members } from './members.ts';
import { type Passwords, parsePassword } from './passwords.ts';
import type { Sessions } from './sessions.ts';
import type { SetupCodes } from './setup-codes.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { emailKey, MAX_EMAIL_LENGTH, parseEmail, parseUserName, type SignedIn, type User } from './user.ts';
import { presentableUser, type StoredUser, type UserStore } from './user-store.ts';

/** A house has a family and guests. */
const MAX_USERS = 500;

interface UserParts {
  readonly store: UserStore;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly setupCodes: SetupCodes;
  readonly members: Members;
  readonly grants: Grants;
  readonly tokens: Pick<AccessTokens, 'refresh'>;
  readonly limits: SignInLimits;
  readonly bus: EventBus<HomeEvents>;
  readonly clock: Clock;
}

interface NewAccount {
  readonly email: unknown;
  readonly password: unknown;
  /** The part of the address before the @ where left out. */
  readonly name?: unknown;
  /** What signs in, to tell sessions apart: User-Agent. */
  readonly device?: unknown;
}

export class Users {
  readonly #parts: UserParts;

  constructor(parts: UserParts) {
    this.#parts = parts;
  }

  /** Whether the relay has an owner. For everybody. */
  isClaimed(): boolean {
    return this.#parts.store.founder() !== undefined;
  }

  /**
   * Makes the first account, the founder's, who becomes owner of every home there is. For whoever has the setup code.
   * @throws `conflict` somebody was first · `invalid_value` · `invalid_credentials` the code · `rate_limited`
   */
  async claim(caller: Caller, input: NewAccount & { readonly setupCode: unknown }): Promise<SignedIn> {
    const { setupCodes, members, grants } = this.#parts;
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
   * Makes an account for somebody who was invited, and a member of the home that they were invited to. For whoever has the code.
   * @throws `insufficient_permissions` no code · `invalid_credentials` the code is not for this address or no longer valid ·
   *         `invalid_value` · `conflict` the address has an account already · `rate_limited`
   */
  async signUp(caller: Caller, input: NewAccount & { readonly invitationCode: unknown }): Promise<SignedIn> {
    const { members } = this.#parts;
    if (input.invitationCode === undefined || input.invitationCode === null || input.invitationCode === '') {
      throw new HearthError('insufficient_permissions', 'Registration is disabled. Ask an admin to invite you.');
    }
    const account = readAccount(input);
    const { homeId } = members.requireCode(input.invitationCode, account.email);
    const user = await this.#prepare(account, false);
    const signedIn = await this.#enter(user, caller, input.device, () => {
      // Again: hashing took a while, in which the invitation may have been used or taken back.
      const invitation = members.requireCode(input.invitationCode, account.email);
      this.#insert(user);
      members.redeemFor(invitation, user.id);
    });
    members.changed([homeId]);
    return signedIn;
  }

  /**
   * Signs somebody in. For everybody.
   * @throws `invalid_credentials` whatever is wrong, in one sentence after the same work · `rate_limited` with the seconds to wait
   */
  async logIn(
    caller: Caller,
    input: { readonly email: unknown; readonly password: unknown; readonly device?: unknown },
  ): Promise<SignedIn> {
    const { store, clock } = this.#parts;
    const email = typeof input.email === 'string' ? input.email.slice(0, MAX_EMAIL_LENGTH) : '';
    const user = store.findByEmail(email);
    const isRight = await this.#isPassword(caller, emailKey(email), user, input.password);
    if (!isRight || !user) throw wrongCredentials();
    return this.#enter(user, caller, input.device, () => {
      // The account may have gone, or its password changed, while the hash was computed.
      if (store.find(user.id)?.passwordHash !== user.passwordHash) throw wrongCredentials();
      store.setLastLogin(user.id, clock.now());
    });
  }

  /** Whom the caller acts for. @throws `insufficient_permissions` nobody: the system, tokens of the CLI, share links */
  me(caller: Caller): User {
    const id = ownerOf(caller);
    const user = typeof id === 'string' ? this.find(id) : undefined;
    if (!user) throw insufficientPermissions();
    return user;
  }

  /** An account by its id. For those that have authorized what they want it for. */
  find(id: string): User | undefined {
    const user = this.#parts.store.find(id.toLowerCase());
    return user && presentableUser(user);
  }

  /** An account by its address, in any case. For those that have authorized what they want it for. */
  findByEmail(email: string): User | undefined {
    const user = this.#parts.store.findByEmail(email);
    return user && presentableUser(user);
  }

  /** All accounts, oldest first. For the system and the founder. @throws `insufficient_permissions` */
  list(caller: Caller): readonly User[] {
    this.#requireHead(caller);
    return this.#parts.store.list().map(presentableUser);
  }

  /**
   * Makes an account with a password that its person may change, and a member of homes. The first one is the founder's. For the system
   * and the founder.
   * @param input.role where left out: `control` if homes are given, else nothing.
   * @param input.homeIds where left out: with a role, every home in which the caller may give it.
   * @throws `insufficient_permissions` · `invalid_value` · `home_not_found` · `conflict` the address is taken · `rate_limited`
   */
  async create(
    caller: Caller,
    input: NewAccount & { readonly role?: unknown; readonly homeIds?: readonly string[] | null | undefined },
  ): Promise<User> {
    this.#requireHead(caller);
    const { grants, members } = this.#parts;
    const account = readAccount(input);
    const grant = grants.read(caller, input);
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
   * Gives an account a new password and ends its sessions. For the system, and the founder, who changes the own with the old one.
   * @throws `insufficient_permissions` · `user_not_found` · `invalid_value` · `conflict` the founder's own · `rate_limited`
   */
  async setPassword(caller: Caller, userId: string, password: unknown): Promise<User> {
    this.#requireHead(caller);
    const { store, sessions, passwords } = this.#parts;
    const user = this.#existing(userId);
    if (caller.principal.kind === 'user' && caller.principal.userId === user.id) {
      throw new HearthError('conflict', 'Change your own password with the one that you have.');
    }
    const hash = await passwords.hash(parsePassword(password));
    this.#write(() => {
      store.setPassword(this.#existing(user.id).id, hash);
      sessions.endOf(user.id);
    });
    return presentableUser(user);
  }

  /**
   * Changes the caller's own password and ends all its sessions, this one too; access tokens and apps stay, each has its own end. For
   * whoever is signed in.
   * @returns a new session. @throws `insufficient_permissions` · `invalid_credentials` · `invalid_value` · `rate_limited`
   */
  async changePassword(
    caller: Caller,
    input: { readonly currentPassword: unknown; readonly newPassword: unknown; readonly device?: unknown },
  ): Promise<SignedIn> {
    const user = this.#signedIn(caller);
    const { store, passwords, sessions } = this.#parts;
    const password = parsePassword(input.newPassword, 'newPassword');
    if (!(await this.#isPassword(caller, emailKey(user.email), user, input.currentPassword))) throw wrongPassword();
    const passwordHash = await passwords.hash(password);
    const changed = { ...user, passwordHash };
    return this.#enter(changed, caller, input.device, () => {
      // Of two changes at the same moment the second does not know the password any more.
      if (store.find(user.id)?.passwordHash !== user.passwordHash) throw wrongPassword();
      store.setPassword(user.id, passwordHash);
      sessions.endOf(user.id);
    });
  }

  /** Gives the caller's session seven days from now. For whoever is signed in. @throws `insufficient_permissions` · `invalid_token` it has ended */
  async renewSession(caller: Caller): Promise<SignedIn> {
    this.#signedIn(caller);
    const renewed = await this.#parts.sessions.renew(caller);
    return { ...renewed, user: presentableUser(this.#signedIn(caller)) };
  }

  /** Whether it is the caller's password: fresh approval of something that matters. For whoever is signed in. @throws `insufficient_permissions` · `rate_limited` */
  async verifyPassword(caller: Caller, password: unknown): Promise<boolean> {
    const user = this.#signedIn(caller);
    const isRight = await this.#isPassword(caller, emailKey(user.email), user, password);
    // Comparing took a while, in which it may have been changed, or the session ended.
    return isRight && this.#parts.store.find(user.id)?.passwordHash === user.passwordHash && this.#isLive(caller);
  }

  /**
   * Gives somebody another name. For the system and the founder.
   * @throws `insufficient_permissions` · `user_not_found` · `invalid_value`
   */
  rename(caller: Caller, userId: string, name: unknown): User {
    this.#requireHead(caller);
    const user = { ...this.#existing(userId), name: parseName(name, 'Name') };
    this.#parts.store.setNameAndEmail(user.id, user.name, user.email);
    return presentableUser(user);
  }

  /**
   * Changes the caller's own name; the founder's address too, with the password. Others ask the founder for a new account: invitations
   * go by address, and nobody is to come by somebody else's by taking the address. For whoever is signed in.
   * @throws `insufficient_permissions` · `invalid_value` · `invalid_credentials` · `conflict` the address is taken · `rate_limited`
   */
  async update(
    caller: Caller,
    changes: { readonly name?: unknown; readonly email?: unknown; readonly currentPassword?: unknown },
  ): Promise<User> {
    const user = this.#signedIn(caller);
    const { store } = this.#parts;
    const name = changes.name === undefined ? undefined : parseName(changes.name, 'Name');
    const email = changes.email === undefined ? undefined : parseEmail(changes.email);
    if (email !== undefined && email !== user.email) {
      if (!user.isFounder) {
        throw new HearthError(
          'insufficient_permissions',
          'Only the founder of this relay changes the own address. Ask them for an account with the new one.',
          { reason: 'founder_only' },
        );
      }
      if (!(await this.#isPassword(caller, emailKey(user.email), user, changes.currentPassword))) throw wrongPassword();
    }
    // Again: comparing the password took a while, in which the account may have changed.
    const current = this.#signedIn(caller);
    const changed = { ...current, name: name ?? current.name, email: email ?? current.email };
    const taken = store.findByEmail(changed.email);
    if (taken && taken.id !== user.id) throw addressTaken();
    store.setNameAndEmail(user.id, changed.name, changed.email);
    return presentableUser(changed);
  }

  /**
   * Deletes an account with its sessions, memberships, consents, shares and settings; its access tokens are revoked. Homes that it
   * alone owned are the founder's. For the system and the founder, whose own account stays.
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
    const { store, members, sessions, tokens, bus, clock, grants } = this.#parts;
    const homeIds = grants.homesOf(user.id);
    this.#write(() => {
      for (const homeId of members.ownedAlone(user.id)) members.adopt(homeId, null);
      store.delete(user.id, clock.now());
    });
    sessions.endOf(user.id);
    tokens.refresh();
    members.changed(homeIds);
    bus.emit('user.removed', { userId: user.id });
  }

  // — inside —

  /** Counts the try, then does the same work whether there is such a user or not. */
  async #isPassword(caller: Caller, key: string, user: StoredUser | undefined, password: unknown): Promise<boolean> {
    const { limits, passwords, sessions } = this.#parts;
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
    const passwordHash = await this.#parts.passwords.hash(password);
    const createdAt = this.#parts.clock.now();
    return { id: newId(), email, name, passwordHash, isFounder, createdAt, lastLoginAt: null };
  }

  /** @param write what must hold at the moment that the session begins: both are written, or neither. */
  async #enter(user: StoredUser, caller: Caller, device: unknown, write: () => unknown): Promise<SignedIn> {
    const begun = await this.#parts.sessions.begin(user.id, caller, device);
    this.#write(() => {
      write();
      begun.keep();
    });
    return { token: begun.token, user: this.find(user.id) ?? presentableUser(user), expiresAt: begun.expiresAt };
  }

  /** Runs `write` whole or not at all: where the database takes it back, what memory has of it goes, too. */
  #write<T>(write: () => T): T {
    const { store, sessions, members } = this.#parts;
    try {
      return store.transaction(write);
    } catch (error) {
      sessions.refresh();
      members.changed([]);
      throw error;
    }
  }

  #insertFounder(user: StoredUser): readonly string[] {
    this.#requireUnclaimed();
    this.#insert(user);
    return this.#parts.grants.ownEverything(user.id);
  }

  #insert(user: StoredUser): void {
    const { store } = this.#parts;
    if (store.findByEmail(user.email)) throw addressTaken();
    if (store.count() >= MAX_USERS)
      throw new HearthError('conflict', `A relay has at most ${MAX_USERS} accounts. Remove one first.`, {
        reason: 'limit_reached',
      });
    store.insert(user);
  }

  #requireUnclaimed(): void {
    if (this.isClaimed()) throw new HearthError('conflict', 'This relay already has an owner. Sign in instead.');
  }

  /** Accounts are the business of whoever runs the relay: at its command line, or signed in as its founder. */
  #requireHead({ principal }: Caller): void {
    if (principal.kind === 'system') return;
    if (principal.kind !== 'user' || !this.find(principal.userId)?.isFounder) throw insufficientPermissions();
  }

  #signedIn({ principal }: Caller): StoredUser {
    const user = principal.kind === 'user' ? this.#parts.store.find(principal.userId) : undefined;
    if (!user) throw insufficientPermissions();
    return user;
  }

  #isLive({ principal }: Caller): boolean {
    return principal.kind === 'user' && this.#parts.sessions.isLive(principal);
  }

  #existing(id: string): StoredUser {
    const user = this.#parts.store.find(id.toLowerCase());
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
