/**
 * Sessions: signed-in people (decisions §7). What a person holds is a JWT (RFC 7519) signed with a key of our own, HS256 and nothing
 * else; whether it counts is decided by the session's row, so that signing out, a new password and the end of an account act at once.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { HomeEvents } from '../../home/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import { addressKey } from '../access/attempts.ts';
import { insufficientPermissions, notFound, requireSession } from '../access/authorize.ts';
import type { Caller, Principal } from '../access/caller.ts';
import type { SessionSource } from '../access/credentials.ts';
import { Expiry } from '../access/expiry.ts';
import type { SigningKeys } from '../access/signing-keys.ts';
import { UseNotes } from '../access/use-notes.ts';
import type { SessionStore, StoredSession } from './session-store.ts';

/** decisions §7. */
const SESSION_MS = 7 * 24 * 60 * 60_000;
/** A client that renews at every request writes no more than this often. */
const RENEWAL_GAP_MS = 60_000;
const ALGORITHM = 'HS256';
const ISSUER = 'hearthd';
const SIGNING_KEY = 'sessions';
/** Ours have some 300 characters; nothing longer is worth a look. */
const MAX_JWT_LENGTH = 2_048;
/** More are a program that signs in at every request: the oldest one makes room. */
const MAX_PER_USER = 50;
const MAX_DEVICE_LENGTH = 200;

/** A tenth of a second on a small computer, which a house where nobody signs in need not spend. */
const loadJose = () => import('jose');

type UserPrincipal = Extract<Principal, { kind: 'user' }>;

/** A session as it may be listed. */
export interface Session extends Omit<StoredSession, 'expiredAt'> {
  /** Whether it is the one that asks. */
  readonly isCurrent: boolean;
}

interface Entry {
  session: StoredSession;
  readonly principal: UserPrincipal;
  /** Ends of JWTs from before a renewal that were used since: what `#expiry` watches them under. */
  readonly formerEnds: Set<string>;
}

interface Claims {
  readonly sid: string;
  readonly sub: string;
  /** In seconds. */
  readonly exp: number;
}

interface SessionParts {
  readonly store: SessionStore;
  readonly keys: SigningKeys;
  readonly bus: EventBus<HomeEvents>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class Sessions implements SessionSource {
  readonly #parts: SessionParts;
  readonly #expiry: Expiry;
  readonly #notes: UseNotes;
  #byId: Map<string, Entry> | undefined;
  #key: KeyObject | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#expiry = new Expiry(parts.clock);
    this.#notes = new UseNotes(parts, 'a session');
  }

  /**
   * Whom a session's JWT stands for.
   * @throws `invalid_token`: "Token expired" past its end, else "Invalid token", whatever is wrong with it.
   */
  async authenticate(jwt: string): Promise<UserPrincipal> {
    const claims = await this.#claimsOf(jwt);
    const entry = this.#entries().get(claims.sid);
    if (!entry || entry.session.userId !== claims.sub) throw invalidToken();
    if (this.#isPast(entry) || this.#isFormerAndPast(entry, claims)) {
      throw new HearthError('invalid_token', 'Token expired');
    }
    this.#noteUse(entry);
    return entry.principal;
  }

  /** Whether a session has neither ended nor expired. */
  isLive({ userId, sessionId }: UserPrincipal): boolean {
    const entry = this.#entries().get(sessionId);
    return entry !== undefined && entry.session.userId === userId && !this.#isPast(entry);
  }

  /**
   * Begins a session; whoever calls has made sure who it is.
   * @returns the JWT, and when it ends in milliseconds since the epoch.
   */
  async begin(userId: string, { address }: Pick<Caller, 'address'>, device?: unknown): Promise<BegunSession> {
    const now = this.#parts.clock.now();
    const session: StoredSession = {
      id: newId(),
      userId,
      createdAt: now,
      expiresAt: now + SESSION_MS,
      expiredAt: null,
      lastUsedAt: null,
      device: parseDevice(device),
      address: address ?? null,
    };
    const token = await this.#sign(session, now);
    // Nothing waits from here on: whoever looked that the account is there may rely on it.
    return {
      token,
      expiresAt: session.expiresAt,
      keep: () => {
        this.#makeRoom(userId);
        this.#parts.store.insert(session);
        this.#entries().set(session.id, entryOf(session));
        this.#expiry.track(session.id, session.expiresAt);
      },
    };
  }

  /**
   * Gives a session seven days from now, for a screen on the wall that nobody signs in at every week. The same session goes on; JWTs from
   * before are good until their own ends. For whoever is signed in, with the session that asks.
   * @returns a JWT, and when it ends in milliseconds since the epoch. @throws `insufficient_permissions` no session asks · `invalid_token` it has ended
   */
  async renew(caller: Caller): Promise<Pick<BegunSession, 'token' | 'expiresAt'>> {
    requireSession(caller);
    const { principal } = caller;
    const now = this.#parts.clock.now();
    const find = (): Entry => {
      const entry = principal.kind === 'user' ? this.#entries().get(principal.sessionId) : undefined;
      if (!entry || this.#isPast(entry)) throw invalidToken();
      return entry;
    };
    const { session } = find();
    const wanted = now + SESSION_MS;
    const expiresAt = wanted - session.expiresAt < RENEWAL_GAP_MS ? session.expiresAt : wanted;
    const token = await this.#sign({ ...session, expiresAt }, now);
    // It may have ended while that was signed.
    const entry = find();
    if (expiresAt > entry.session.expiresAt) {
      this.#parts.store.setExpiry(session.id, expiresAt);
      entry.session = { ...entry.session, expiresAt };
      this.#expiry.forget(session.id);
      this.#expiry.track(session.id, expiresAt);
    }
    return { token, expiresAt };
  }

  /** The caller's own, newest first; all of everybody for the system. @throws `insufficient_permissions` no session asks */
  list(caller: Caller): readonly Session[] {
    const reach = reachOf(caller);
    return [...this.#entries().values()]
      .filter((entry) => reach(entry) && !this.#isPast(entry))
      .map((entry) => presentable(entry, caller))
      .reverse();
  }

  /** One of them. @throws `insufficient_permissions` · `not_found` */
  get(caller: Caller, id: string): Session {
    return presentable(this.#reached(caller, id), caller);
  }

  /** Ends one of them at once, the current one too. @throws `insufficient_permissions` · `not_found` */
  end(caller: Caller, id: string): Session {
    const entry = this.#reached(caller, id);
    this.#end(entry);
    return presentable(entry, caller);
  }

  /**
   * Ends the caller's own; the system says whose with `userId`.
   * @returns how many. @throws `insufficient_permissions`
   */
  endAll(caller: Caller, { exceptCurrent = false, userId }: { exceptCurrent?: boolean; userId?: string } = {}): number {
    const reach = reachOf(caller);
    const ended = [...this.#entries().values()].filter(
      (entry) =>
        reach(entry) &&
        (userId === undefined || entry.session.userId === userId) &&
        !(exceptCurrent && isCurrent(entry, caller)),
    );
    for (const entry of ended) this.#end(entry);
    return ended.length;
  }

  /** Whether a user is signed in at a network address now. For counting tries, never for rights. */
  isAt(userId: string, address: string | undefined): boolean {
    if (address === undefined) return false;
    const from = addressKey(address);
    return [...this.#entries().values()].some(
      (entry) =>
        entry.session.userId === userId &&
        entry.session.address !== null &&
        addressKey(entry.session.address) === from &&
        !this.#isPast(entry),
    );
  }

  /** Ends all of a user's, for whoever has authorized it or has deleted the account. */
  endOf(userId: string): void {
    this.#parts.store.deleteOf(userId);
    for (const entry of [...this.#entries().values()]) if (entry.session.userId === userId) this.#drop(entry);
  }

  /** Forgets what is in memory, for whoever took back what was written. */
  refresh(): void {
    this.#byId = undefined;
  }

  /** Deletes what has expired. Called every night. */
  prune(): void {
    for (const entry of [...this.#entries().values()]) if (this.#isPast(entry)) this.#end(entry);
  }

  async #sign({ id, userId, expiresAt }: StoredSession, now: number): Promise<string> {
    const { SignJWT } = await loadJose();
    return new SignJWT({ sid: id })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setSubject(userId)
      .setIssuedAt(Math.floor(now / 1000))
      .setExpirationTime(Math.floor(expiresAt / 1000))
      .sign(this.#signingKey());
  }

  async #claimsOf(jwt: string): Promise<Claims> {
    if (jwt.length > MAX_JWT_LENGTH) throw invalidToken();
    const { compactVerify } = await loadJose();
    let claims: unknown;
    try {
      // The algorithm is ours to choose: neither "none" nor another that the header names is looked at.
      const { payload } = await compactVerify(jwt, this.#signingKey(), { algorithms: [ALGORITHM] });
      claims = JSON.parse(new TextDecoder().decode(payload));
    } catch {
      throw invalidToken();
    }
    const { iss, sid, sub, exp } = (claims ?? {}) as Record<string, unknown>;
    if (iss !== ISSUER || typeof sid !== 'string' || typeof sub !== 'string' || typeof exp !== 'number') {
      throw invalidToken();
    }
    return { sid, sub, exp };
  }

  #signingKey(): KeyObject {
    this.#key ??= createSecretKey(this.#parts.keys.key(SIGNING_KEY));
    return this.#key;
  }

  #entries(): Map<string, Entry> {
    this.#byId ??= new Map(
      this.#parts.store.load().map((session) => {
        this.#expiry.track(session.id, session.expiresAt);
        return [session.id, entryOf(session)];
      }),
    );
    return this.#byId;
  }

  #reached(caller: Caller, id: string): Entry {
    const reach = reachOf(caller);
    const entry = this.#entries().get(id.toLowerCase());
    if (!entry || !reach(entry) || this.#isPast(entry)) throw notFound('not_found');
    return entry;
  }

  #isPast(entry: Entry): boolean {
    const { id, expiresAt, expiredAt } = entry.session;
    if (expiredAt !== null) return true;
    if (!this.#expiry.isPast(id, expiresAt)) return false;
    const at = this.#parts.clock.now();
    entry.session = { ...entry.session, expiredAt: at };
    this.#notes.tryWrite(() => this.#parts.store.setExpired(id, at));
    this.#announce(entry);
    return true;
  }

  /** Of a JWT from before the session was renewed, which has an end of its own. */
  #isFormerAndPast({ session, formerEnds }: Entry, { exp }: Claims): boolean {
    if (exp >= Math.floor(session.expiresAt / 1000)) return false;
    const key = `${session.id} ${exp}`;
    formerEnds.add(key);
    return this.#expiry.isPast(key, exp * 1000);
  }

  #noteUse(entry: Entry): void {
    this.#notes.note(entry, (lastUsedAt) => {
      entry.session = { ...entry.session, lastUsedAt };
      this.#parts.store.setLastUsed(entry.session.id, lastUsedAt);
    });
  }

  #makeRoom(userId: string): void {
    const own = [...this.#entries().values()].filter(({ session }) => session.userId === userId);
    for (const entry of own.slice(0, Math.max(0, own.length - MAX_PER_USER + 1))) this.#end(entry);
  }

  #end(entry: Entry): void {
    this.#parts.store.delete(entry.session.id);
    this.#drop(entry);
  }

  #drop(entry: Entry): void {
    this.#entries().delete(entry.session.id);
    for (const key of [entry.session.id, ...entry.formerEnds]) this.#expiry.forget(key);
    if (entry.session.expiredAt === null) this.#announce(entry);
  }

  #announce({ session: { id: sessionId, userId } }: Entry): void {
    this.#parts.bus.emit('session.ended', { sessionId, userId });
  }
}

/** A session that is made, and kept once the caller has made sure that its account still is what it was. */
export interface BegunSession {
  readonly token: string;
  readonly expiresAt: number;
  /** Stores it; the JWT counts from now on. Where that is taken back, `Sessions.refresh` follows. */
  keep(): void;
}

/** What somebody may see and end: sessions are their person's business, and not that of tokens and apps which act for them. */
function reachOf({ principal }: Caller): (entry: Entry) => boolean {
  if (principal.kind === 'system') return () => true;
  if (principal.kind === 'user') return ({ session }) => session.userId === principal.userId;
  throw insufficientPermissions();
}

function isCurrent({ session }: Entry, { principal }: Caller): boolean {
  return principal.kind === 'user' && principal.sessionId === session.id;
}

function presentable(entry: Entry, caller: Caller): Session {
  const { expiredAt: _, ...session } = entry.session;
  return { ...session, isCurrent: isCurrent(entry, caller) };
}

function entryOf(session: StoredSession): Entry {
  const principal: UserPrincipal = { kind: 'user', userId: session.userId, sessionId: session.id };
  return { session, principal: Object.freeze(principal), formerEnds: new Set() };
}

function parseDevice(input: unknown): string | null {
  if (typeof input !== 'string') return null;
  const device = input.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
  return device === '' ? null : [...device].slice(0, MAX_DEVICE_LENGTH).join('');
}

function invalidToken(): HearthError {
  return new HearthError('invalid_token', 'Invalid token');
}
