/**
 * How accounts are created, changed and entered: the checks of names and addresses, the comparison of passwords, and
 * the transaction that an account, its memberships and its session share. The operations in `users.ts` authorize.
 */
import { isAddress, parseEmail, parsePassword } from '../../contract/account-fields.ts';
import type { NewUser } from '../../contract/users.ts';
import type { HomeEvents } from '../../home/events.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { requireFreeName } from '../../home/names.ts';
import { HearthError, isDiskFailure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { requireMaker } from '../access/authority.ts';
import { insufficientPermissions } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { FreshProofs } from './fresh-proofs.ts';
import type { Grants } from './grants.ts';
import type { KnownDevices } from './known-devices.ts';
import type { Members } from './members.ts';
import type { Passwords } from './passwords.ts';
import type { SecondFactorCheck } from './second-factor-check.ts';
import type { SecondStepRule } from './second-step-rule.ts';
import { parseDevice, type Sessions } from './sessions.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { parseUserName, type SignedIn } from './user.ts';
import { presentableUser, type StoredUser, type UserStore } from './user-store.ts';

/** A home has a family and guests. */
const MAX_USERS = 500;

export interface AccountDeps extends HomeDeps<'bus' | 'clock'> {
  readonly store: UserStore;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly members: Members;
  readonly grants: Grants;
  readonly limits: SignInLimits;
  readonly secondFactorCheck: SecondFactorCheck;
  readonly secondStepRule: SecondStepRule;
  readonly knownDevices: KnownDevices;
  readonly freshProofs: FreshProofs;
}

export interface NewAccount {
  readonly email?: unknown;
  readonly password: unknown;
  /** The default is the part of the address before the @. */
  readonly name?: unknown;
  /** The User-Agent of the signing-in device, to distinguish sessions. */
  readonly device?: unknown;
}

export class AccountWrites {
  readonly #deps: AccountDeps;

  constructor(deps: AccountDeps) {
    this.#deps = deps;
  }

  /**
   * Counts the attempt, then does the same work whether or not the user exists. The earlier failures of an account with
   * a second factor count until its code is right too.
   */
  async isPassword(caller: Caller, key: string, user: StoredUser | undefined, password: unknown): Promise<boolean> {
    const { limits, passwords, sessions, secondFactorCheck } = this.#deps;
    const isKnown = user !== undefined && sessions.isAt(user.id, caller.address);
    const attempt = limits.begin(caller, key, isKnown);
    let isRight: boolean;
    try {
      isRight = await passwords.verify(user?.passwordHash, password);
    } catch (error) {
      attempt.cancelled();
      throw error;
    }
    if (isRight && user && secondFactorCheck.isOn(user.id)) attempt.cancelled();
    else if (isRight) attempt.succeeded();
    return isRight;
  }

  async prepare({ email, name, password }: Account, isFounder: boolean): Promise<StoredUser> {
    const passwordHash = await this.#deps.passwords.hash(password);
    const createdAt = this.#deps.clock.now();
    return { id: newId(), email, name, passwordHash, isFounder, createdAt, lastLoginAt: null };
  }

  /**
   * @param write must succeed when the session begins: both are written, or neither.
   * @param unwritten replaces `write` while the disk is full: the session is then in memory only. Without it, the
   * session does not begin.
   * @param isSignIn only a sign-in asks for a second step that is due, and is announced if its device is new.
   */
  async enter(
    user: StoredUser,
    caller: Caller,
    device: unknown,
    write: () => unknown,
    unwritten?: () => void,
    isSignIn = true,
  ): Promise<SignedIn> {
    const { sessions, secondStepRule, knownDevices, freshProofs, bus, clock } = this.#deps;
    const { address } = caller;
    const at = clock.now();
    let isKnown = true;
    const begun = await sessions.begin(user.id, caller, device);
    let needsSecondStep = false;
    try {
      this.write(() => {
        write();
        needsSecondStep = isSignIn && secondStepRule.isDue(user.id);
        isKnown = knownDevices.note(user.id, { device, address }, at);
        begun.keep(needsSecondStep);
      });
    } catch (error) {
      if (!unwritten || !isDiskFailure(error)) throw error;
      unwritten();
      needsSecondStep = isSignIn && secondStepRule.isDue(user.id);
      begun.keepInMemory(needsSecondStep);
    }
    freshProofs.note(begun.sessionId);
    // After the very first sign-in there is no other device.
    if (isSignIn && !isKnown && user.lastLoginAt !== null) {
      bus.emit('session.new_device', { userId: user.id, device: parseDevice(device), address: address ?? null, at });
    }
    return {
      sessionId: begun.sessionId,
      token: begun.token,
      user: presentableUser(this.#deps.store.find(user.id) ?? user),
      expiresAt: begun.expiresAt,
      needsSecondStep,
    };
  }

  /** Announces to a person what changed about signing in. */
  secondStepChanged(
    { address }: Caller,
    userId: string,
    change: HomeEvents['account.second_step_changed']['change'],
    name: string | null = null,
  ): void {
    const { bus, clock } = this.#deps;
    bus.emit('account.second_step_changed', { userId, change, name, address: address ?? null, at: clock.now() });
  }

  /** Runs `write` in a transaction; a rollback also restores memory. */
  write<T>(write: () => T): T {
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

  insertFounder(user: StoredUser): readonly string[] {
    this.requireUnclaimed();
    this.insert(user);
    return this.#deps.grants.ownEverything(user.id);
  }

  insert(user: StoredUser): void {
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
  renamed(user: StoredUser, name: string): StoredUser {
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

  requireUnclaimed(): void {
    if (this.#deps.store.founder() !== undefined)
      throw new HearthError('conflict', 'This relay already has an owner. Sign in instead.');
  }
}

interface Account {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

export function readAccount(input: NewAccount): Account {
  const email = parseEmail(input.email);
  return { email, name: parseUserName(input.name, email), password: parsePassword(input.password) };
}

/** Some clients of this API send a name, a password and a role, and no address; some send the address as the name. */
export function accountOf({ email, name, password }: Pick<NewUser, 'email' | 'name' | 'password'>): Account {
  if (name === undefined || email) return readAccount({ email, name, password });
  return { email: isAddress(name) ? parseEmail(name) : name, name, password };
}

function nameTaken(name: string): HearthError {
  return new HearthError('conflict', `"${name}" is the address of another user. Choose another name.`, {
    reason: 'name_taken',
    field: 'name',
  });
}

export function addressTaken(): HearthError {
  return new HearthError('conflict', 'This address has an account already. Sign in with it.', {
    reason: 'address_taken',
    field: 'email',
  });
}

export function wrongPassword(): HearthError {
  return new HearthError('invalid_credentials', 'Wrong password.', {
    reason: 'wrong_password',
    field: 'currentPassword',
  });
}

/**
 * Only the relay's operator manages accounts: on the command line, or signed in as the founder. @throws
 * `insufficient_permissions`
 */
export function requireHead(caller: Caller, store: Pick<UserStore, 'find'>): void {
  requireMaker(caller, 'account');
  const { principal } = caller;
  if (principal.kind === 'system') return;
  if (principal.kind !== 'user' || !store.find(principal.userId)?.isFounder) throw insufficientPermissions();
}
