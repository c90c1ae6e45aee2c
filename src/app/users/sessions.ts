/**
 * Sessions: signed-in users (decisions §7). A user holds a JWT (RFC 7519), signed with a key of the relay, HS256 only.
 * The session's row decides whether it is valid, so signing out, a new password and deleting an account take effect at
 * once.
 *
 * A JWT is for the API or for the server-rendered pages, by its type and its audience (RFC 8725 §3.11, §3.12). The
 * pages' JWT is in a cookie, which browsers send to every port of the host, so the API refuses it.
 *
 * While the disk is full, sessions begin and end in memory: an admin must be able to sign in to make room.
 * `saveUnsaved` writes them once there is room.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { HomeDeps } from '../../home/home-deps.ts';
import { HearthError, isDiskFailure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { loadOnce } from '../../kernel/load-once.ts';
import { addressKey } from '../access/attempts.ts';
import { insufficientPermissions, notFound, requireSession } from '../access/authorize.ts';
import type { Caller, Principal } from '../access/caller.ts';
import type { SessionSource } from '../access/credentials.ts';
import { Expiry } from '../access/expiry.ts';
import type { SigningKeys } from '../access/signing-keys.ts';
import { UseNotes } from '../access/use-notes.ts';
import type { SessionStore, StoredSession } from './session-store.ts';
import { VerifiedClaims } from './verified-claims.ts';

/** decisions §7. */
const SESSION_MS = 7 * 24 * 60 * 60_000;
/** The minimum time between two writes for a client that renews at every request. */
const RENEWAL_GAP_MS = 60_000;
/** How often a session records which JWTs from before its renewal have expired. */
const ENDED_BEFORE_GAP_MS = 60 * 60_000;
const ALGORITHM = 'HS256';
const ISSUER = 'hearthd';
/** The uses of a JWT: its `typ` and its `aud`. */
const USES = {
  api: { typ: 'JWT', aud: 'hearthd:api' },
  pages: { typ: 'hearthd-page+jwt', aud: 'hearthd:pages' },
} as const;
export type SessionUse = keyof typeof USES;
const SIGNING_KEY = 'sessions';
/** The relay's JWTs have some 300 characters; longer ones are refused. */
const MAX_JWT_LENGTH = 2_048;
/** More sessions indicate a program that signs in at every request: the oldest one makes room. */
const MAX_PER_USER = 50;
const MAX_DEVICE_LENGTH = 200;

/** Loading takes a tenth of a second on a small computer; a home without sign-ins need not spend it. */
const loadJose = loadOnce(() => import('jose'));

type UserPrincipal = Extract<Principal, { kind: 'user' | 'enrolling' }>;

/** A session without internal fields. */
export interface Session extends Omit<StoredSession, 'expiredAt' | 'endedBefore' | 'isEnrolling'> {
  /** Whether it is the caller's session. */
  readonly isCurrent: boolean;
}

interface Entry {
  session: StoredSession;
  principal: UserPrincipal;
  /** Expiries of JWTs from before a renewal, in seconds: those renewed or used since the start. */
  readonly formerEnds: Set<number>;
}

interface Claims {
  readonly sid: string;
  readonly sub: string;
  /** In seconds. */
  readonly exp: number;
}

interface SessionsDeps extends HomeDeps<'bus' | 'clock' | 'logger'> {
  readonly store: SessionStore;
  readonly keys: SigningKeys;
}

export class Sessions implements SessionSource {
  readonly #deps: SessionsDeps;
  readonly #expiry: Expiry;
  readonly #notes: UseNotes;
  readonly #verified = new VerifiedClaims<Claims>();
  #byId: Map<string, Entry> | undefined;
  /** Begun, and not yet in the database. */
  #unsaved: ReadonlyMap<string, StoredSession> = new Map();
  /** Ended, and still in the database. */
  #unsavedEnds: ReadonlySet<string> = new Set();
  #key: KeyObject | undefined;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#expiry = new Expiry(deps.clock);
    this.#notes = new UseNotes(deps, 'a session');
  }

  /**
   * Resolves a session's JWT to its user.
   * @throws `invalid_token`: "Token expired" past its expiry, "Invalid token" for any other reason.
   */
  async authenticate(jwt: string, use: SessionUse = 'api'): Promise<UserPrincipal> {
    return this.known(jwt, use) ?? this.#principalOf(await this.#claimsOf(jwt, use));
  }

  /** As `authenticate`, at once; `undefined` if the signature has not been checked yet. @throws `invalid_token` */
  known(jwt: string, use: SessionUse = 'api'): UserPrincipal | undefined {
    const claims = this.#verified.find(jwt, use);
    return claims && this.#principalOf(claims);
  }

  /** Everything that can change is checked here, at each use. */
  #principalOf(claims: Claims): UserPrincipal {
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
   * Begins a session; the caller has authenticated the user.
   * @returns the JWT, and its expiry in milliseconds since the epoch.
   */
  async begin(userId: string, { address }: Pick<Caller, 'address'>, device?: unknown): Promise<BegunSession> {
    const now = this.#deps.clock.now();
    const session: StoredSession = {
      id: newId(),
      userId,
      createdAt: now,
      expiresAt: now + SESSION_MS,
      expiredAt: null,
      endedBefore: null,
      lastUsedAt: null,
      device: parseDevice(device),
      address: address ?? null,
      isEnrolling: false,
    };
    const token = await this.#sign(session, now, 'api');
    const enter = (entered: StoredSession): void => {
      this.#entries().set(session.id, entryOf(entered));
      this.#expiry.track(session.id, session.expiresAt);
    };
    // No `await` from here on: a caller that checked the account may rely on it.
    return {
      sessionId: session.id,
      token,
      expiresAt: session.expiresAt,
      keep: (isEnrolling) => {
        this.#makeRoom(userId);
        const entered = { ...session, isEnrolling };
        this.#deps.store.insert(entered);
        enter(entered);
      },
      keepInMemory: (isEnrolling) => {
        this.#makeRoom(userId);
        const entered = { ...session, isEnrolling };
        this.#unsaved = new Map([...this.#unsaved, [session.id, entered]]);
        enter(entered);
      },
    };
  }

  /**
   * Extends a session to seven days from now, for a wall screen that should not need a sign-in every week. The session
   * stays the same; earlier JWTs stay valid until their own expiry. For signed-in users, with the calling session.
   * @returns a JWT, and its expiry in milliseconds since the epoch.
   * @throws `insufficient_permissions` the caller has no session · `invalid_token` it has ended
   */
  async renew(caller: Caller): Promise<Pick<BegunSession, 'sessionId' | 'token' | 'expiresAt'>> {
    requireSession(caller);
    const { principal } = caller;
    const now = this.#deps.clock.now();
    const find = (): Entry => {
      const entry = principal.kind === 'user' ? this.#entries().get(principal.sessionId) : undefined;
      if (!entry || this.#isPast(entry)) throw invalidToken();
      return entry;
    };
    const { session } = find();
    const wanted = now + SESSION_MS;
    const expiresAt = wanted - session.expiresAt < RENEWAL_GAP_MS ? session.expiresAt : wanted;
    const token = await this.#sign({ ...session, expiresAt }, now, 'api');
    // The session may have ended while the JWT was signed.
    const entry = find();
    if (expiresAt > entry.session.expiresAt) {
      this.#deps.store.setExpiry(session.id, expiresAt);
      this.#watchFormer(entry, Math.floor(entry.session.expiresAt / 1000));
      entry.session = { ...entry.session, expiresAt };
      this.#expiry.forget(session.id);
      this.#expiry.track(session.id, expiresAt);
    }
    return { sessionId: session.id, token, expiresAt };
  }

  /** A JWT for the pages of a session that has just begun. @throws `invalid_token` it has ended */
  async pageToken(sessionId: string): Promise<string> {
    const entry = this.#entries().get(sessionId);
    if (!entry || this.#isPast(entry)) throw invalidToken();
    return this.#sign(entry.session, this.#deps.clock.now(), 'pages');
  }

  /**
   * Lists the caller's own sessions, newest first; all sessions for the system. @throws `insufficient_permissions` the
   * caller has no session
   */
  list(caller: Caller): readonly Session[] {
    const reach = reachOf(caller);
    return [...this.#entries().values()]
      .filter((entry) => reach(entry) && !this.#isPast(entry))
      .map((entry) => presentable(entry, caller))
      .reverse();
  }

  /** Returns one of the listed sessions. @throws `insufficient_permissions` · `not_found` */
  get(caller: Caller, id: string): Session {
    return presentable(this.#reached(caller, id), caller);
  }

  /**
   * Ends one of the listed sessions at once, including the current one.
   * @throws `insufficient_permissions` · `not_found` · `storage_unavailable` another session has ended, but is not
   *         saved: a restart before that revives it
   */
  end(caller: Caller, id: string): Session {
    const entry = this.#reached(caller, id);
    this.#endAll([entry], caller);
    return presentable(entry, caller);
  }

  /**
   * Ends the caller's own sessions; the system names the user with `userId`.
   * @returns how many.
   * @throws `insufficient_permissions` · `storage_unavailable` as `end`
   */
  endAll(caller: Caller, { exceptCurrent = false, userId }: { exceptCurrent?: boolean; userId?: string } = {}): number {
    const reach = reachOf(caller);
    const ended = [...this.#entries().values()].filter(
      (entry) =>
        reach(entry) &&
        (userId === undefined || entry.session.userId === userId) &&
        !(exceptCurrent && isCurrent(entry, caller)),
    );
    this.#endAll(ended, caller);
    return ended.length;
  }

  /** Whether a user is signed in at a network address now. For counting attempts, never for rights. */
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

  /**
   * The user has a second step from now on: the session that set it up reaches everything. Others that wait for one
   * end, since who began them may know the password alone.
   */
  enrolled({ principal }: Caller): void {
    if (principal.kind !== 'user' && principal.kind !== 'enrolling') return;
    for (const entry of [...this.#entries().values()]) {
      const { id, userId, isEnrolling } = entry.session;
      if (userId !== principal.userId || !isEnrolling) continue;
      if (id !== principal.sessionId) {
        this.#end(entry);
        continue;
      }
      this.#deps.store.setEnrolled(id);
      entry.session = { ...entry.session, isEnrolling: false };
      entry.principal = entryOf(entry.session).principal;
    }
  }

  /** Ends all sessions of a user, for code that has authorized it or has deleted the account. */
  endOf(userId: string): void {
    this.#deps.store.deleteOf(userId);
    this.#unsaved = new Map([...this.#unsaved].filter(([, session]) => session.userId !== userId));
    for (const entry of [...this.#entries().values()]) if (entry.session.userId === userId) this.#drop(entry);
    this.#deps.bus.emit('sessions.revoked', { userId });
  }

  /** @returns a function that restores memory to this moment, for a write that is rolled back. */
  savepoint(): () => void {
    const [unsaved, unsavedEnds] = [this.#unsaved, this.#unsavedEnds];
    return () => {
      this.#unsaved = unsaved;
      this.#unsavedEnds = unsavedEnds;
      this.#byId = undefined;
    };
  }

  /** Part of `AccessUpkeep`. */
  saveUnsaved(): void {
    if (this.#unsaved.size === 0 && this.#unsavedEnds.size === 0) return;
    const begun = [...this.#unsaved.keys()].flatMap((id) => this.#entries().get(id)?.session ?? []);
    this.#deps.store.saveAll(begun, this.#unsavedEnds);
    this.#unsaved = new Map();
    this.#unsavedEnds = new Set();
  }

  /** Deletes sessions recorded as expired: a clock that is ahead for a while deletes nothing. Called every night. */
  prune(): void {
    for (const entry of [...this.#entries().values()]) if (entry.session.expiredAt !== null) this.#end(entry);
  }

  /** Part of `AccessUpkeep`. */
  noteExpired(isLast: boolean): void {
    const now = this.#deps.clock.now();
    for (const entry of this.#entries().values()) {
      const { createdAt, expiresAt, endedBefore } = entry.session;
      if (this.#isPast(entry) || expiresAt <= createdAt + SESSION_MS) continue;
      const isDue = isLast || now - (endedBefore ?? 0) >= ENDED_BEFORE_GAP_MS;
      const ended = [...entry.formerEnds].filter((exp) => this.#expiry.isPast(formerKey(entry, exp), exp * 1000));
      this.#noteEndedBefore(entry, Math.max(...ended.map((exp) => exp * 1000), isDue ? now : 0));
    }
  }

  async #sign({ id, userId, expiresAt }: StoredSession, now: number, use: SessionUse): Promise<string> {
    const { SignJWT } = await loadJose();
    const { typ, aud } = USES[use];
    return new SignJWT({ sid: id })
      .setProtectedHeader({ alg: ALGORITHM, typ })
      .setIssuer(ISSUER)
      .setAudience(aud)
      .setSubject(userId)
      .setIssuedAt(Math.floor(now / 1000))
      .setExpirationTime(Math.floor(expiresAt / 1000))
      .sign(this.#signingKey());
  }

  async #claimsOf(jwt: string, use: SessionUse): Promise<Claims> {
    if (jwt.length > MAX_JWT_LENGTH) throw invalidToken();
    const { compactVerify } = await loadJose();
    let claims: unknown;
    let typ: unknown;
    try {
      // Only the relay's algorithm is accepted: neither "none" nor another one in the header.
      const { payload, protectedHeader } = await compactVerify(jwt, this.#signingKey(), { algorithms: [ALGORITHM] });
      typ = protectedHeader.typ;
      claims = JSON.parse(new TextDecoder().decode(payload));
    } catch {
      throw invalidToken();
    }
    const { iss, aud, sid, sub, exp } = (claims ?? {}) as Record<string, unknown>;
    if (typ !== USES[use].typ || aud !== USES[use].aud) throw invalidToken();
    if (iss !== ISSUER || typeof sid !== 'string' || typeof sub !== 'string' || typeof exp !== 'number') {
      throw invalidToken();
    }
    const verified = { sid, sub, exp };
    this.#verified.keep(jwt, use, verified);
    return verified;
  }

  #signingKey(): KeyObject {
    this.#key ??= createSecretKey(this.#deps.keys.key(SIGNING_KEY, { mayWait: true }));
    return this.#key;
  }

  #entries(): Map<string, Entry> {
    if (this.#byId) return this.#byId;
    const saved = this.#deps.store.load().filter(({ id }) => !this.#unsavedEnds.has(id));
    this.#byId = new Map([...saved, ...this.#unsaved.values()].map((session) => [session.id, entryOf(session)]));
    for (const { session } of this.#byId.values()) this.#expiry.track(session.id, session.expiresAt);
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
    const at = this.#deps.clock.now();
    entry.session = { ...entry.session, expiredAt: at };
    this.#notes.tryWrite(() => this.#deps.store.setExpired(id, at));
    this.#announce(entry, true);
    return true;
  }

  /** Whether this JWT is from before a renewal and past its own expiry. */
  #isFormerAndPast(entry: Entry, { exp }: Claims): boolean {
    const { session } = entry;
    if (exp >= Math.floor(session.expiresAt / 1000)) return false;
    if (session.endedBefore !== null && exp * 1000 <= session.endedBefore) return true;
    this.#watchFormer(entry, exp);
    if (!this.#expiry.isPast(formerKey(entry, exp), exp * 1000)) return false;
    this.#noteEndedBefore(entry, exp * 1000);
    return true;
  }

  #watchFormer(entry: Entry, exp: number): void {
    entry.formerEnds.add(exp);
    this.#expiry.track(formerKey(entry, exp), exp * 1000);
  }

  #noteEndedBefore(entry: Entry, at: number): void {
    const { id, endedBefore } = entry.session;
    if ((endedBefore ?? 0) >= at) return;
    entry.session = { ...entry.session, endedBefore: at };
    this.#notes.tryWrite(() => this.#deps.store.setEndedBefore(id, at));
    for (const exp of [...entry.formerEnds].filter((one) => one * 1000 <= at)) {
      entry.formerEnds.delete(exp);
      this.#expiry.forget(formerKey(entry, exp));
    }
  }

  #noteUse(entry: Entry): void {
    this.#notes.note(entry, (lastUsedAt) => {
      entry.session = { ...entry.session, lastUsedAt };
      this.#deps.store.setLastUsed(entry.session.id, lastUsedAt);
    });
  }

  #makeRoom(userId: string): void {
    const own = [...this.#entries().values()].filter(({ session }) => session.userId === userId);
    for (const entry of own.slice(0, Math.max(0, own.length - MAX_PER_USER + 1))) this.#end(entry);
  }

  /** Ends all sessions in memory, even if the disk fails; then reports what is not saved. */
  #endAll(entries: readonly Entry[], caller: Caller): void {
    const failures = entries.map((entry) => ({ failure: this.#end(entry), isOwn: isCurrent(entry, caller) }));
    // A user who signs out discards the token, so a restart can revive nothing.
    const failed = failures.find(({ failure, isOwn }) => failure !== undefined && !isOwn);
    if (failed) throw failed.failure;
  }

  /** @returns the error if it is not saved. */
  #end(entry: Entry): unknown {
    const { id } = entry.session;
    let failure: unknown;
    if (this.#unsaved.has(id)) this.#unsaved = new Map([...this.#unsaved].filter(([one]) => one !== id));
    else {
      try {
        this.#deps.store.delete(id);
      } catch (error) {
        if (!isDiskFailure(error)) throw error;
        this.#unsavedEnds = new Set([...this.#unsavedEnds, id]);
        failure = error;
      }
    }
    this.#drop(entry);
    return failure;
  }

  #drop(entry: Entry): void {
    this.#entries().delete(entry.session.id);
    const formerKeys = [...entry.formerEnds].map((exp) => formerKey(entry, exp));
    for (const key of [entry.session.id, ...formerKeys]) this.#expiry.forget(key);
    if (entry.session.expiredAt === null) this.#announce(entry, false);
  }

  #announce({ session: { id: sessionId, userId } }: Entry, hasExpired: boolean): void {
    this.#deps.bus.emit('session.ended', { sessionId, userId, hasExpired });
  }
}

/** A created session, stored once the caller has checked that its account is unchanged. */
export interface BegunSession {
  readonly sessionId: string;
  readonly token: string;
  readonly expiresAt: number;
  /**
   * Stores it; the JWT is valid from now on. If the write is rolled back, `Sessions.savepoint` restores memory.
   * @param isEnrolling it does nothing but set a second step up.
   */
  keep(isEnrolling: boolean): void;
  /** As `keep` while the disk is full: stored later. */
  keepInMemory(isEnrolling: boolean): void;
}

const formerKey = ({ session }: Entry, exp: number): string => `${session.id} ${exp}`;

/**
 * The sessions that a caller may see and end. Only a session of the user may, not the tokens and apps that act for
 * them.
 */
function reachOf({ principal }: Caller): (entry: Entry) => boolean {
  if (principal.kind === 'system') return () => true;
  if (principal.kind === 'user') return ({ session }) => session.userId === principal.userId;
  // It signs itself out, and sees no other.
  if (principal.kind === 'enrolling') return ({ session }) => session.id === principal.sessionId;
  throw insufficientPermissions();
}

function isCurrent({ session }: Entry, { principal }: Caller): boolean {
  return (principal.kind === 'user' || principal.kind === 'enrolling') && principal.sessionId === session.id;
}

function presentable(entry: Entry, caller: Caller): Session {
  const { expiredAt: _, endedBefore: __, isEnrolling: ___, ...session } = entry.session;
  return { ...session, isCurrent: isCurrent(entry, caller) };
}

function entryOf(session: StoredSession): Entry {
  const kind = session.isEnrolling ? 'enrolling' : 'user';
  const principal: UserPrincipal = { kind, userId: session.userId, sessionId: session.id };
  return { session, principal: Object.freeze(principal), formerEnds: new Set() };
}

/** Without what would break a line, and cut: a client may send anything. */
export function parseDevice(input: unknown): string | null {
  if (typeof input !== 'string') return null;
  const device = input.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
  return device === '' ? null : [...device].slice(0, MAX_DEVICE_LENGTH).join('');
}

function invalidToken(): HearthError {
  return new HearthError('invalid_token', 'Invalid token');
}
