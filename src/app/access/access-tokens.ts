/**
 * Personal access tokens (API §5.1): made, listed and revoked as operations, and checked at every request.
 *
 * All tokens are in memory by the SHA-256 of their text. Whoever times the look-up learns something of a hash that they
 * can't choose freely, and nothing of any token.
 */
import type { HomeState } from '../../home/home-state.ts';
import { parseName } from '../../home/names.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
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
import { type Access, insufficientPermissions, notFound } from './authorize.ts';
import { type Caller, ownerOf, type Principal } from './caller.ts';
import { Expiry } from './expiry.ts';
import { UseNotes } from './use-notes.ts';

interface Entry {
  token: AccessToken;
  readonly principal: Principal;
}

export interface NewAccessToken {
  readonly name: unknown;
  /** Home UUID → `control` | `view`; nothing for no limit beyond the maker's own. */
  readonly homePermissions?: unknown;
  /** Milliseconds since the epoch; nothing for never. */
  readonly expiresAt?: unknown;
}

/** Whose account has Developer Mode on. */
export interface Developers {
  isDeveloper(userId: string): boolean;
}

export class AccessTokens {
  readonly #store: AccessTokenStore;
  readonly #access: Access;
  readonly #developers: Developers;
  readonly #state: HomeState;
  readonly #clock: Clock;
  readonly #notes: UseNotes;
  readonly #expiry: Expiry;
  #byHash: Map<string, Entry> | undefined;

  constructor(parts: {
    store: AccessTokenStore;
    access: Access;
    developers: Developers;
    state: HomeState;
    clock: Clock;
    logger: Logger;
  }) {
    this.#store = parts.store;
    this.#access = parts.access;
    this.#developers = parts.developers;
    this.#state = parts.state;
    this.#clock = parts.clock;
    this.#notes = new UseNotes(parts, 'an access token');
    this.#expiry = new Expiry(parts.clock);
  }

  /**
   * Tokens, oldest first, revoked and expired ones too. For admins of any home: the system and the tokens it made see all,
   * users and what acts for them those that the user made.
   * @throws `insufficient_permissions` · `developer_mode_required` a session of an account with Developer Mode off
   */
  list(caller: Caller): readonly AccessTokenInfo[] {
    const maker = this.#authorize(caller);
    return [...this.#entries().values()]
      .filter(({ token }) => isVisible(token, maker))
      .map((entry) => presentableInfo(entry.token));
  }

  /**
   * Makes a token that can do at most what its maker can, now and later. For admins of any home. A token made with a token
   * that expires can't outlive it. Apps make none: a token would outlive what its person allowed the app.
   * @returns the whole token, this once only.
   * @throws `insufficient_permissions` · `developer_mode_required` · `invalid_value` · `home_not_found` a permission for a home that the caller can't see
   */
  create(caller: Caller, input: NewAccessToken): { token: string; info: AccessTokenInfo } {
    const makerId = this.#authorize(caller);
    if (caller.principal.kind === 'oauth_client') throw insufficientPermissions();
    const now = this.#clock.now();
    const name = parseName(input.name, 'Token name');
    const homePermissions = parseHomePermissions(
      input.homePermissions,
      (id) => this.#state.home(id) !== undefined && this.#access.roleIn(caller, id) !== undefined,
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
    };
    const entries = this.#entries();
    this.#store.insert(token);
    entries.set(token.hash, this.#watch(token));
    return { token: text, info: presentableInfo(token) };
  }

  /**
   * Ends a token at once. For whoever may list it. Revoking twice changes nothing.
   * @throws `insufficient_permissions` · `developer_mode_required` · `not_found`
   */
  revoke(caller: Caller, id: string): AccessTokenInfo {
    const maker = this.#authorize(caller);
    const entry = this.#find(id);
    if (!entry || !isVisible(entry.token, maker)) throw notFound('not_found');
    if (entry.token.revokedAt === null) {
      const revokedAt = this.#clock.now();
      this.#store.setRevoked(entry.token.id, revokedAt);
      entry.token = { ...entry.token, revokedAt };
    }
    return presentableInfo(entry.token);
  }

  /**
   * Who a token stands for.
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

  /** Whether a token that somebody came in with counts still. Notes no use of it. */
  isLive({ tokenId }: Pick<Extract<Principal, { kind: 'access_token' }>, 'tokenId'>): boolean {
    const entry = this.#find(tokenId);
    return entry !== undefined && entry.token.revokedAt === null && !this.#isExpired(entry);
  }

  /** Forgets what is in memory, for whoever has changed the table itself: with an account its tokens are revoked. */
  refresh(): void {
    this.#byHash = undefined;
  }

  #entries(): Map<string, Entry> {
    this.#byHash ??= new Map(this.#store.load().map((token) => [token.hash, this.#watch(token)]));
    return this.#byHash;
  }

  #watch(token: AccessToken): Entry {
    if (token.expiresAt !== null) this.#expiry.track(token.id, token.expiresAt);
    return entryOf(token);
  }

  #find(id: string): Entry | undefined {
    const wanted = id.toLowerCase();
    return [...this.#entries().values()].find(({ token }) => token.id === wanted);
  }

  /** @returns the user that the caller acts for; `null` for the system and for tokens it made. */
  #authorize(caller: Caller): string | null {
    this.#access.authorizeAny(caller, 'manage');
    const owner = ownerOf(caller);
    if (owner === undefined) throw insufficientPermissions();
    requireDeveloper(caller, this.#developers);
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
    const now = this.#clock.now();
    entry.token = { ...entry.token, expiredAt: now };
    this.#notes.tryWrite(() => this.#store.setExpired(id, now));
    return true;
  }

  #noteUse(entry: Entry): void {
    this.#notes.note(entry, (lastUsedAt) => {
      entry.token = { ...entry.token, lastUsedAt };
      this.#store.setLastUsed(entry.token.id, lastUsedAt);
    });
  }
}

/**
 * A session does what developers do only while its account has Developer Mode on (decisions §7); other kinds of callers are not asked.
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
  const { id, homePermissions, makerId } = token;
  const principal: Principal = { kind: 'access_token', tokenId: id, homePermissions, makerId };
  return { token, principal: Object.freeze(principal) };
}
