/**
 * Operations on passkeys (WebAuthn): creating, naming and removing the caller's own, signing in with one, and proving
 * with one who asks. A passkey confirms who its person is (a fingerprint, a face, a PIN), so it counts as both steps of
 * a sign-in.
 *
 * A passkey belongs to the host name at which it was created. Sessions, the password and the authenticator app stay as
 * they are when passkeys change; a new password leaves passkeys as they are, like an authenticator app.
 */
import { emailKey } from '../../contract/account-fields.ts';
import { parseInput } from '../../contract/parse.ts';
import { NewPasskey, PasskeyChanges, PasskeyStart } from '../../contract/users.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { notFound, requirePerson, requireSession } from '../access/authorize.ts';
import { type Caller, sessionOf } from '../access/caller.ts';
import { type AccountDeps, AccountWrites, wrongPassword } from './account-writes.ts';
import {
  clientDataOf,
  creationOptions,
  credentialIdOf,
  invalidPasskey,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
  relyingPartyOf,
  requestOptions,
  userHandleOf,
  verifyCreation,
  verifyRequest,
} from './passkey-ceremonies.ts';
import { type ChallengeUse, PasskeyChallenges } from './passkey-challenges.ts';
import type { PasskeyStore, StoredPasskey } from './passkey-store.ts';
import type { PendingSignIns } from './pending-sign-ins.ts';
import { secondStepNeeded } from './second-factors.ts';
import type { SignedIn } from './user.ts';
import type { StoredUser } from './user-store.ts';

/** A person has a few devices. */
const MAX_PER_USER = 20;

/** A passkey without its key. Times in milliseconds since the epoch. */
export type Passkey = Pick<StoredPasskey, 'id' | 'name' | 'host' | 'isSynced' | 'createdAt' | 'lastUsedAt'>;

/** Where the browser reached the relay: scheme and host. */
export interface Reached {
  readonly origin: string;
}

/** A sign-in on a page of the relay. */
interface AtPage {
  /** Names the form: a challenge that it got is good there alone. */
  readonly form?: string | undefined;
  /** Of a sign-in that lacks its second step: the passkey must be the same person's. */
  readonly ticket?: string | undefined;
}

/** A valid answer of a passkey, not used yet. */
interface SignedAnswer {
  readonly passkey: StoredPasskey;
  readonly user: StoredUser;
  readonly counter: number;
  /** The attempt does not count. */
  readonly succeeded: () => void;
}

interface PasskeyDeps extends AccountDeps, HomeDeps<'logger'> {
  readonly passkeyStore: PasskeyStore;
  readonly pendingSignIns: PendingSignIns;
}

export class Passkeys {
  readonly #deps: PasskeyDeps;
  readonly #accounts: AccountWrites;
  readonly #challenges: PasskeyChallenges;
  /** By passkey: uses that are not in the database. */
  readonly #unsaved = new Map<string, { readonly counter: number; readonly at: number }>();

  constructor(deps: PasskeyDeps) {
    this.#deps = deps;
    this.#accounts = new AccountWrites(deps);
    this.#challenges = new PasskeyChallenges(deps.clock);
  }

  /** The caller's own, oldest first. For signed-in users. @throws `insufficient_permissions` */
  list(caller: Caller): readonly Passkey[] {
    const userId = requirePerson(caller);
    return this.#deps.passkeyStore.listOf(userId).map((passkey) => this.#presentable(passkey));
  }

  /**
   * Begins to create a passkey; `create` follows within five minutes, in the same session. For signed-in users.
   * @returns what the browser's `navigator.credentials.create` takes.
   * @throws `insufficient_permissions` · `invalid_credentials` the password · `conflict` there are many, or browsers
   *         have no passkeys at this address · `rate_limited`
   */
  async begin(caller: Caller, input: PasskeyStart, { origin }: Reached): Promise<PasskeyCreationOptions> {
    const user = this.#signedIn(caller);
    const { currentPassword } = parseInput(PasskeyStart, input);
    const party = relyingPartyOf(origin);
    this.#requireRoom(user.id);
    if (!(await this.#accounts.isPassword(caller, emailKey(user.email), user, currentPassword))) throw wrongPassword();
    const known = this.#deps.passkeyStore.listOf(user.id).filter(({ host }) => host === party.host);
    const challenge = this.#challenges.issue({ purpose: 'create', origin, askedBy: sessionOf(caller) });
    return creationOptions(party, user, challenge, known);
  }

  /**
   * Creates a passkey from the browser's answer. For signed-in users, with the session that began.
   * @throws `insufficient_permissions` · `invalid_value` · `invalid_credentials` the answer is not valid, or too late ·
   *         `conflict` there are many, or it exists
   */
  async create(caller: Caller, input: NewPasskey, { origin }: Reached): Promise<Passkey> {
    const user = this.#signedIn(caller);
    const { name, response } = parseInput(NewPasskey, input);
    const party = relyingPartyOf(origin);
    const use = { purpose: 'create', origin, askedBy: sessionOf(caller) } as const;
    const data = clientDataOf(party, response);
    this.#challenges.require(data.challenge, use);
    const credential = await verifyCreation(party, data, response);
    const { passkeyStore, sessions, clock } = this.#deps;
    // During the verification the session may have ended.
    const { principal } = caller;
    const isPerson = principal.kind === 'user' || principal.kind === 'enrolling';
    if (!isPerson || !sessions.isLive(principal)) throw invalidPasskey();
    this.#signedIn(caller);
    this.#requireRoom(user.id);
    if (passkeyStore.findByCredential(credential.credentialId)) throw existsAlready();
    this.#challenges.use(data.challenge, use);
    const passkey: StoredPasskey = {
      ...credential,
      id: newId(),
      userId: user.id,
      host: party.host,
      name,
      createdAt: clock.now(),
      lastUsedAt: null,
    };
    passkeyStore.insert(passkey);
    sessions.enrolled(caller);
    this.#accounts.secondStepChanged(caller, user.id, 'passkey_added', name);
    return this.#presentable(passkey);
  }

  /** For signed-in users, their own. @throws `insufficient_permissions` · `not_found` · `invalid_value` */
  rename(caller: Caller, id: string, input: PasskeyChanges): Passkey {
    const userId = requireSession(caller);
    const { name } = parseInput(PasskeyChanges, input);
    const passkey = this.#find(userId, id);
    this.#deps.passkeyStore.rename(passkey.id, name);
    return this.#presentable({ ...passkey, name });
  }

  /**
   * Removes a passkey at once; the device that has it keeps a key that opens nothing. For signed-in users, their own.
   * @throws `insufficient_permissions` also without a fresh proof · `not_found` · `conflict` the account must have a
   *         second step, and this is the last
   */
  remove(caller: Caller, id: string): Passkey {
    const passkey = this.#find(requireSession(caller), id);
    if (!this.#deps.secondStepRule.mayRemovePasskey(passkey.userId)) throw secondStepNeeded();
    this.#deps.freshProofs.require(caller);
    this.#deps.passkeyStore.delete(passkey.id);
    this.#unsaved.delete(passkey.id);
    this.#accounts.secondStepChanged(caller, passkey.userId, 'passkey_removed', passkey.name);
    return this.#presentable(passkey);
  }

  /**
   * Begins a sign-in with a passkey; `signIn` follows within five minutes. For every caller.
   * @returns what the browser's `navigator.credentials.get` takes.
   * @throws `conflict` browsers have no passkeys at this address
   */
  beginSignIn(_caller: Caller, { origin, ...page }: Reached & AtPage): Promise<PasskeyRequestOptions> {
    const party = relyingPartyOf(origin);
    return requestOptions(party, this.#challenges.issue(signInUse(origin, page)));
  }

  /**
   * Signs a user in with the browser's answer. For every caller.
   * @throws `invalid_credentials` the answer is not valid, too late or used, the passkey is unknown, or not that of
   *         the password's person · `conflict` as `beginSignIn` · `rate_limited`
   */
  async signIn(
    caller: Caller,
    { response, device, origin, ...page }: Reached & AtPage & { readonly response: unknown; readonly device?: unknown },
  ): Promise<SignedIn> {
    const { passkeyStore, store, clock, pendingSignIns } = this.#deps;
    const pending = page.ticket === undefined ? undefined : pendingSignIns.require(page.ticket);
    const signed = await this.#verify(caller, signInUse(origin, page), response);
    const { passkey, user, counter } = signed;
    if (pending && pending.userId !== user.id) throw otherPerson();
    signed.succeeded();
    // Until the session begins, the passkey may be removed, or used with a higher counter.
    const write = (): void => {
      this.#requireUnchanged(signed);
      passkeyStore.setUsed(passkey.id, counter, clock.now());
      store.setLastLogin(user.id, clock.now());
    };
    const unwritten = (): void => {
      this.#requireUnchanged(signed);
      this.#unsaved.set(passkey.id, { counter, at: clock.now() });
    };
    const signedIn = await this.#accounts.enter(user, caller, device, write, unwritten);
    pendingSignIns.end(page.ticket);
    return signedIn;
  }

  /** As `Proofs.begin`, which authorizes. */
  beginProof(caller: Caller, { origin }: Reached): Promise<PasskeyRequestOptions> {
    const party = relyingPartyOf(origin);
    return requestOptions(party, this.#challenges.issue({ purpose: 'prove', origin, askedBy: sessionOf(caller) }));
  }

  /**
   * As `Proofs.give`, which authorizes.
   * @throws `invalid_credentials` the answer is not valid, too late or used, or the passkey is not the caller's ·
   *         `conflict` browsers have no passkeys at this address · `rate_limited`
   */
  async prove(caller: Caller, { response, origin }: Reached & { readonly response: unknown }): Promise<void> {
    const signed = await this.#verify(caller, { purpose: 'prove', origin, askedBy: sessionOf(caller) }, response);
    if (signed.user.id !== requireSession(caller)) throw otherPerson();
    signed.succeeded();
    this.#requireUnchanged(signed);
    this.#deps.passkeyStore.setUsed(signed.passkey.id, signed.counter, this.#deps.clock.now());
  }

  /** People whose password does not sign them in, since they have passkeys alone. For callers that own every home. */
  people(): readonly { readonly name: string; readonly hosts: readonly string[] }[] {
    const { store, secondStepRule, passkeyStore } = this.#deps;
    return store
      .list()
      .filter(({ id }) => secondStepRule.needsPasskey(id))
      .map(({ id, name }) => ({ name, hosts: passkeyStore.listOf(id).map(({ host }) => host) }));
  }

  /** Part of `AccessUpkeep`. */
  saveUnsaved(): void {
    for (const [id, { counter, at }] of this.#unsaved) {
      this.#deps.passkeyStore.setUsed(id, counter, at);
      this.#unsaved.delete(id);
    }
  }

  // — inside —

  /** Counts the attempt, and verifies the browser's answer to a challenge of this use. */
  async #verify(caller: Caller, use: ChallengeUse, response: unknown): Promise<SignedAnswer> {
    const { passkeyStore, store, limits } = this.#deps;
    const party = relyingPartyOf(use.origin);
    const { succeeded } = limits.beginPasskey(caller);
    const data = clientDataOf(party, response);
    this.#challenges.require(data.challenge, use);
    const passkey = passkeyStore.findByCredential(credentialIdOf(response) ?? '');
    const user = passkey && store.find(passkey.userId);
    if (!passkey || !user || passkey.host !== party.host || userHandleOf(response) !== user.id) throw unknownPasskey();
    const counter = await verifyRequest(party, data, passkey, response);
    this.#challenges.use(data.challenge, use);
    return { passkey, user, counter, succeeded };
  }

  #requireUnchanged({ passkey, user, counter }: SignedAnswer): void {
    const current = this.#deps.passkeyStore.findByCredential(passkey.credentialId);
    if (current?.id !== passkey.id || !this.#deps.store.find(user.id)) throw unknownPasskey();
    this.#requireHigher(current, counter);
  }

  /** A counter that does not rise means a copy (WebAuthn §6.1.1); 0 means that the authenticator does not count. */
  #requireHigher(passkey: StoredPasskey, counter: number): void {
    const last = Math.max(passkey.counter, this.#unsaved.get(passkey.id)?.counter ?? 0);
    if (counter > last || (counter === 0 && last === 0)) return;
    const { id: passkeyId, userId } = passkey;
    this.#deps.logger.warn({ passkeyId, userId, counter, last }, 'Refused a passkey that may have been copied');
    throw new HearthError(
      'invalid_credentials',
      'This passkey may have been copied: its counter went back. Sign in with your password, remove the passkey and create another one.',
      { reason: 'passkey_copied' },
    );
  }

  #find(userId: string, id: string): StoredPasskey {
    const passkey = this.#deps.passkeyStore.listOf(userId).find((one) => one.id === id.toLowerCase());
    if (!passkey) throw notFound('not_found');
    return passkey;
  }

  #signedIn(caller: Caller): StoredUser {
    const user = this.#deps.store.find(requirePerson(caller));
    if (!user) throw notFound('user_not_found');
    return user;
  }

  #requireRoom(userId: string): void {
    if (this.#deps.passkeyStore.listOf(userId).length < MAX_PER_USER) return;
    throw new HearthError('conflict', `An account has at most ${MAX_PER_USER} passkeys. Remove one first.`, {
      reason: 'limit_reached',
    });
  }

  #presentable({ id, name, host, isSynced, createdAt, lastUsedAt }: StoredPasskey): Passkey {
    return { id, name, host, isSynced, createdAt, lastUsedAt: this.#unsaved.get(id)?.at ?? lastUsedAt };
  }
}

function signInUse(origin: string, { form, ticket }: AtPage): ChallengeUse {
  const askedBy = form === undefined ? null : JSON.stringify([form, ticket ?? null]);
  return { purpose: 'sign_in', origin, askedBy };
}

function otherPerson(): HearthError {
  return new HearthError(
    'invalid_credentials',
    'This passkey is another person’s. Use one of the account whose password you entered, or start again.',
    { reason: 'passkey_of_other' },
  );
}

function unknownPasskey(): HearthError {
  return new HearthError(
    'invalid_credentials',
    'This relay does not know this passkey; it may have been removed. Sign in with your password.',
    { reason: 'passkey_unknown' },
  );
}

function existsAlready(): HearthError {
  return new HearthError('conflict', 'This passkey exists already.', { reason: 'passkey_exists' });
}
