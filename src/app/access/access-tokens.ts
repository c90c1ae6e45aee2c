/**
 * Personal access tokens (API §5.1): creates, lists, revokes and authenticates them.
 *
 * All tokens are in memory, keyed by the SHA-256 of their text. Timing the look-up reveals something about a hash that
 * an attacker can't choose freely, and nothing about a token.
 */
import { NewToken } from '../../contract/access-tokens.ts';
import type { MadeThing } from '../../contract/made-things.ts';
import { parseInput } from '../../contract/parse.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { sha256Hex } from '../../kernel/secrets.ts';
import {
  type AccessToken,
  type AccessTokenInfo,
  generateToken,
  looksLikeToken,
  parseExpiry,
  parseHomePermissions,
  prefixOf,
  presentableInfo,
} from './access-token.ts';
import type { AccessTokenStore } from './access-token-store.ts';
import type { AppDeps } from './app-deps.ts';
import { requireMaker } from './authority.ts';
import { insufficientPermissions, notFound } from './authorize.ts';
import { type Caller, ownerOf, type Principal } from './caller.ts';
import { Expiry } from './expiry.ts';
import { UseNotes } from './use-notes.ts';

interface Entry {
  token: AccessToken;
  readonly principal: Principal;
}

/** A token as listed. */
export interface ListedToken extends AccessTokenInfo {
  /** What it made, and what of its user's it changed; oldest first. */
  readonly made: readonly MadeThing[];
}

export interface RevokedToken extends ListedToken {
  /** Whether everything that it made has ended. */
  readonly hasEndedWhatItMade: boolean;
}

/** Which accounts have Developer Mode on. */
export interface Developers {
  isDeveloper(userId: string): boolean;
}

interface AccessTokensDeps extends AppDeps<'state' | 'access' | 'makers' | 'clock' | 'logger'> {
  readonly store: AccessTokenStore;
  readonly developers: Developers;
}

export class AccessTokens {
  readonly #deps: AccessTokensDeps;
  readonly #notes: UseNotes;
  readonly #expiry: Expiry;
  #byHash: Map<string, Entry> | undefined;

  constructor(deps: AccessTokensDeps) {
    this.#deps = deps;
    this.#notes = new UseNotes(deps, 'an access token');
    this.#expiry = new Expiry(deps.clock);
    deps.makers.register('access_token', {
      find: (id) => {
        const token = this.#find(id)?.token;
        return token && token.revokedAt === null ? { name: token.name, homeId: null } : undefined;
      },
      end: (id) => this.#end(id, true),
    });
  }

  /**
   * Lists tokens, oldest first, including revoked and expired ones. For admins of any home. The system and its tokens
   * see all; users and what acts for them see those that the user created.
   * @throws `insufficient_permissions` · `developer_mode_required` a session of an account with Developer Mode off
   */
  list(caller: Caller): readonly ListedToken[] {
    const maker = this.#authorize(caller);
    return [...this.#entries().values()]
      .filter(({ token }) => isVisible(token, maker))
      .map((entry) => this.#listed(entry.token));
  }

  /**
   * Creates a token that can do at most what its maker can, now and later. For admins of any home. A token made with an
   * expiring token can't outlive it. Apps can't create tokens: a token would outlive what the user allowed the app.
   * @param input `expiresAt` in milliseconds since the epoch.
   * @returns the whole token, shown only once.
   * @throws `insufficient_permissions` · `developer_mode_required` · `invalid_value` · `home_not_found` a permission
   *         for a home that the caller can't see
   */
  create(caller: Caller, input: NewToken): { token: string; info: ListedToken } {
    const makerId = this.#authorize(caller);
    requireMaker(caller, 'access_token');
    const now = this.#deps.clock.now();
    const { name } = parseInput(NewToken, input);
    const homePermissions = parseHomePermissions(
      input.homePermissions,
      (id) => this.#deps.state.home(id) !== undefined && this.#deps.access.roleIn(caller, id) !== undefined,
    );
    const expiresAt = this.#boundExpiry(caller, parseExpiry(input.expiresAt, now));
    const text = generateToken();
    const token: AccessToken = {
      id: newId(),
      name,
      hash: sha256Hex(text),
      tokenPrefix: prefixOf(text),
      homePermissions,
      makerId,
      createdAt: now,
      expiresAt,
      expiredAt: null,
      lastUsedAt: null,
      revokedAt: null,
      madeEndedAt: null,
    };
    const entries = this.#entries();
    this.#deps.store.insert(token);
    entries.set(token.hash, this.#watch(token));
    this.#deps.makers.record(caller, 'access_token', token.id);
    return { token: text, info: this.#listed(token) };
  }

  /**
   * Revokes a token at once. For callers that may list it. Revoking twice changes nothing.
   * @param options.endWhatItMade also ends what the token made, even for a token that is already revoked.
   * @returns the token with what it made, including what has just ended.
   * @throws `insufficient_permissions` · `developer_mode_required` · `not_found`
   */
  revoke(caller: Caller, id: string, options: { readonly endWhatItMade?: boolean } = {}): RevokedToken {
    const maker = this.#authorize(caller);
    const entry = this.#find(id);
    if (!entry || !isVisible(entry.token, maker)) throw notFound('not_found');
    const { made } = this.#listed(entry.token);
    this.#end(entry.token.id, options.endWhatItMade === true);
    this.#deps.makers.sweep();
    return { ...presentableInfo(entry.token), made, hasEndedWhatItMade: entry.token.madeEndedAt !== null };
  }

  /**
   * Resolves a token to its principal.
   * @throws `invalid_token`: "Token expired" past its expiry, "Token revoked", or "Invalid token".
   */
  authenticate(text: string): Principal {
    const entry = looksLikeToken(text) ? this.#entries().get(sha256Hex(text)) : undefined;
    if (!entry) throw new HearthError('invalid_token', 'Invalid token');
    if (entry.token.revokedAt !== null) throw new HearthError('invalid_token', 'Token revoked');
    if (this.#isExpired(entry)) throw new HearthError('invalid_token', 'Token expired');
    this.#noteUse(entry);
    return entry.principal;
  }

  /** Whether an authenticated token is still valid. Does not record a use. */
  isLive({ tokenId }: Pick<Extract<Principal, { kind: 'access_token' }>, 'tokenId'>): boolean {
    const entry = this.#find(tokenId);
    return entry !== undefined && entry.token.revokedAt === null && !this.#isExpired(entry);
  }

  /** Part of `AccessUpkeep`. */
  noteExpired(): void {
    for (const entry of this.#entries().values()) this.#isExpired(entry);
  }

  /** Discards the cached tokens, for code that changed the table itself: deleting an account revokes its tokens. */
  refresh(): void {
    this.#byHash = undefined;
  }

  #entries(): Map<string, Entry> {
    this.#byHash ??= new Map(this.#deps.store.load().map((token) => [token.hash, this.#watch(token)]));
    return this.#byHash;
  }

  #watch(token: AccessToken): Entry {
    if (token.expiresAt !== null) this.#expiry.track(token.id, token.expiresAt);
    return entryOf(token);
  }

  #listed(token: AccessToken): ListedToken {
    return { ...presentableInfo(token), made: this.#deps.makers.ofToken(token.id) };
  }

  #end(id: string, endsWhatItMade: boolean): void {
    const entry = this.#find(id);
    if (!entry) return;
    const now = this.#deps.clock.now();
    if (entry.token.revokedAt === null) {
      this.#deps.store.setRevoked(entry.token.id, now);
      entry.token = { ...entry.token, revokedAt: now };
    }
    if (endsWhatItMade && entry.token.madeEndedAt === null) {
      this.#deps.store.setMadeEnded(entry.token.id, now);
      entry.token = { ...entry.token, madeEndedAt: now };
    }
  }

  /** The name of a token, revoked or not. Checks no permission. */
  nameOf(id: string): string | undefined {
    return this.#find(id)?.token.name;
  }

  #find(id: string): Entry | undefined {
    const wanted = id.toLowerCase();
    return [...this.#entries().values()].find(({ token }) => token.id === wanted);
  }

  /** @returns the user that the caller acts for; `null` for the system and for tokens it made. */
  #authorize(caller: Caller): string | null {
    this.#deps.access.authorizeAny(caller, 'manage');
    const owner = ownerOf(caller);
    if (owner === undefined) throw insufficientPermissions();
    requireDeveloper(caller, this.#deps.developers);
    return owner;
  }

  #boundExpiry({ principal }: Caller, expiresAt: number | null): number | null {
    const limit = principal.kind === 'access_token' ? (this.#find(principal.tokenId)?.token.expiresAt ?? null) : null;
    if (limit === null || expiresAt === null) return expiresAt ?? limit;
    if (expiresAt <= limit) return expiresAt;
    throw new HearthError(
      'invalid_value',
      'Invalid value for expiresAt: a token can’t outlive the one that makes it.',
      {
        field: 'expiresAt',
      },
    );
  }

  #isExpired(entry: Entry): boolean {
    const { id, expiresAt, expiredAt } = entry.token;
    if (expiresAt === null) return false;
    if (expiredAt !== null) return true;
    if (!this.#expiry.isPast(id, expiresAt)) return false;
    const now = this.#deps.clock.now();
    entry.token = { ...entry.token, expiredAt: now };
    this.#notes.tryWrite(() => this.#deps.store.setExpired(id, now));
    return true;
  }

  #noteUse(entry: Entry): void {
    this.#notes.note(entry, (lastUsedAt) => {
      entry.token = { ...entry.token, lastUsedAt };
      this.#deps.store.setLastUsed(entry.token.id, lastUsedAt);
    });
  }
}

/**
 * A session may use developer operations only while its account has Developer Mode on (decisions §7). Other kinds of
 * callers need no Developer Mode.
 * @throws `developer_mode_required`
 */
export function requireDeveloper({ principal }: Caller, developers: Developers): void {
  if (principal.kind !== 'user' || developers.isDeveloper(principal.userId)) return;
  throw new HearthError('developer_mode_required', 'Turn on Developer Mode in the settings of your account first.');
}

/** The system and its tokens (`null`) see every token; a user sees their own. */
function isVisible(token: AccessToken, maker: string | null): boolean {
  return maker === null || token.makerId === maker;
}

function entryOf(token: AccessToken): Entry {
  const { id, homePermissions, makerId, expiresAt } = token;
  const principal: Principal = { kind: 'access_token', tokenId: id, homePermissions, makerId, expiresAt };
  return { token, principal: Object.freeze(principal) };
}
