/**
 * Grants, codes and tokens of the authorization server, found by the value that a client holds; only its hash is
 * stored. The relay's clock decides: an expired artifact is not found, and a clock set back revives nothing.
 *
 * An exchange (of a code, or of a refresh token) uses one artifact and issues others. `exchange` writes it in one
 * transaction when its answer is ready. A crash or a full disk in between leaves the earlier state, and of two
 * concurrent exchanges only one is saved.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../kernel/clock.ts';
import { runInContext } from '../../kernel/run-in-context.ts';
import { sha256Hex } from '../../kernel/secrets.ts';
import { Expiry } from '../access/expiry.ts';
import type { Makers } from '../access/makers.ts';
import type { Artifact, ArtifactKey, ArtifactKind, ArtifactStore } from './artifact-store.ts';
import { openReplay, sealReplay } from './replay.ts';

/** Expired artifacts are kept for a day, so that the error states that they expired. */
const KEPT_AFTER_END_MS = 86_400_000;
/** Concurrent sign-ins of one user with one app; the oldest makes room. */
const MAX_GRANTS = 20;
/**
 * The maximum number of tracked expiries. More belong to an app that renews its tokens without end; what is in the
 * database still expires.
 */
const MAX_WATCHED = 10_000;

/** An artifact to save. */
export interface NewArtifact {
  readonly kind: ArtifactKind;
  /** The value that the client holds. */
  readonly value: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly clientId: string;
  readonly userId: string;
  /** The grant that it is issued from; for a grant, its own id. */
  readonly grantId: string;
  readonly ttlMs: number;
}

interface Exchange {
  readonly used: ArtifactKey[];
  readonly issued: Artifact[];
}

interface ArtifactsDeps {
  readonly store: ArtifactStore;
  readonly clock: Clock;
  readonly makers: Pick<Makers, 'endGrant'>;
  /** How long a repeated refresh gets the same answer; 0 = a refresh token works once. */
  readonly refreshGraceMs: () => number;
}

export class Artifacts {
  readonly #deps: ArtifactsDeps;
  readonly #expiry: Expiry;
  /** The keys that `#expiry` tracks, with their expiry. */
  readonly #watched = new Map<string, number>();
  readonly #exchanges = new AsyncLocalStorage<Exchange>();

  constructor(deps: ArtifactsDeps) {
    const { clock } = deps;
    this.#deps = deps;
    this.#expiry = new Expiry(clock);
  }

  /**
   * Finds the artifact of a value; `undefined` if it is unknown or expired. Also finds used artifacts, so that reuse is
   * detected.
   */
  find(kind: ArtifactKind, value: string): Artifact | undefined {
    const artifact = this.#deps.store.find(keyOf(kind, value));
    return artifact && (artifact.consumedAt !== null || !this.isPast(artifact)) ? artifact : undefined;
  }

  /**
   * Whether it has expired, which is recorded. A grant has no expiry of its own: it ends with the last artifact issued
   * from it.
   */
  isPast({ kind, idHash, expiresAt, expiredAt }: Artifact): boolean {
    if (kind === 'Grant') return false;
    if (expiredAt !== null) return true;
    const key = watchKey(kind, idHash);
    this.#watch(key, expiresAt);
    if (!this.#expiry.isPast(key, expiresAt)) return false;
    try {
      this.#deps.store.setExpired({ kind, idHash }, this.#deps.clock.now());
    } catch {
      // A disk that is full revives nothing: while we run, it is remembered here.
    }
    return true;
  }

  /** The remaining lifetime in milliseconds. */
  remainingMs({ expiresAt }: Artifact): number {
    return Math.max(0, expiresAt - this.#deps.clock.now());
  }

  /** Saves an artifact; within an exchange, when that ends. */
  save(input: NewArtifact): void {
    const createdAt = this.#deps.clock.now();
    const artifact: Artifact = {
      ...keyOf(input.kind, input.value),
      payload: input.payload,
      clientId: input.clientId,
      userId: input.userId,
      grantHash: sha256Hex(input.grantId),
      createdAt,
      expiresAt: createdAt + input.ttlMs,
      expiredAt: null,
      consumedAt: null,
      replay: null,
    };
    const exchange = this.#exchanges.getStore();
    if (exchange) exchange.issued.push(artifact);
    else this.#deps.store.save(artifact);
    if (input.kind === 'Grant') this.#endOldest(input.clientId, input.userId);
    else this.#trackEnd(artifact);
  }

  /** Marks an artifact as used. Only within an exchange. */
  use(kind: ArtifactKind, value: string): void {
    const exchange = this.#exchanges.getStore();
    if (!exchange) throw new Error('Codes and refresh tokens are used up within an exchange only');
    exchange.used.push(keyOf(kind, value));
  }

  delete(kind: ArtifactKind, value: string): void {
    this.#deps.store.delete(keyOf(kind, value));
  }

  /**
   * Revokes a grant, everything issued from it, and what the app made through it: the client returned it, or it is
   * stolen.
   */
  revokeGrant(grantId: string): void {
    this.#revoke(sha256Hex(grantId));
  }

  /**
   * Runs `work`, which uses and issues artifacts, and saves the result if `accept` accepts it.
   * @param accept returns nothing for an error; else the answer, and the refresh token that may get it again.
   * @returns not saved, with the grant revoked, if another exchange used the same artifact meanwhile: one of the two
   * clients has stolen it.
   */
  async exchange<T>(
    work: () => Promise<T>,
    accept: (result: T) => { readonly refreshToken?: string | undefined; readonly answer: string } | undefined,
  ): Promise<{ readonly result: T; readonly isKept: boolean }> {
    const exchange: Exchange = { used: [], issued: [] };
    const result = await runInContext(this.#exchanges, exchange, work);
    const accepted = accept(result);
    if (!accepted) return { result, isKept: true };
    const { refreshToken, answer } = accepted;
    const isRepeatable = refreshToken !== undefined && this.#deps.refreshGraceMs() > 0;
    const replay = isRepeatable ? sealReplay(refreshToken, answer) : null;
    const isKept = this.#deps.store.exchange(exchange.used, exchange.issued, this.#deps.clock.now(), replay);
    if (!isKept) for (const { grantHash } of exchange.issued) this.#revoke(grantHash);
    return { result, isKept };
  }

  /** The stored answer for a refresh token, within the retry window and until its successor is used. */
  findReplay(refreshToken: string): { readonly clientId: string; readonly answer: string } | undefined {
    const graceMs = this.#deps.refreshGraceMs();
    const artifact = graceMs > 0 ? this.find('RefreshToken', refreshToken) : undefined;
    // The second check is for the types: an answer is stored as the token is used.
    if (!artifact?.replay || artifact.consumedAt === null) return undefined;
    const end = artifact.consumedAt + graceMs;
    const key = `replay ${artifact.idHash} ${end}`;
    this.#watch(key, end);
    const isPast = this.#deps.clock.now() < artifact.consumedAt || this.#expiry.isPast(key, end);
    if (isPast) return undefined;
    const answer = openReplay(refreshToken, artifact.replay);
    return answer === undefined ? undefined : { clientId: artifact.clientId, answer };
  }

  /** Part of `AccessUpkeep`. */
  noteExpired(): void {
    const now = this.#deps.clock.now();
    this.#deps.store.noteExpired(now, now - this.#deps.refreshGraceMs());
  }

  /** Deletes what has expired. Called every night. */
  prune(): void {
    const endedBefore = this.#deps.clock.now() - KEPT_AFTER_END_MS;
    this.#deps.store.prune(endedBefore);
    for (const [key, expiresAt] of this.#watched) {
      if (expiresAt >= endedBefore) continue;
      this.#watched.delete(key);
      this.#expiry.forget(key);
    }
  }

  #revoke(grantHash: string): void {
    this.#deps.store.deleteGrant(grantHash);
    this.#deps.makers.endGrant(grantHash);
  }

  /** Tracks an expiry. The least recently checked one makes room. */
  #watch(key: string, endsAt: number): void {
    this.#watched.delete(key);
    this.#watched.set(key, endsAt);
    const [longest] = this.#watched.keys();
    if (this.#watched.size <= MAX_WATCHED || longest === undefined) return;
    this.#watched.delete(longest);
    this.#expiry.forget(longest);
  }

  /** Tracks from creation, not from first use: a clock set back in between extends nothing. */
  #trackEnd({ kind, idHash, expiresAt }: Artifact): void {
    const key = watchKey(kind, idHash);
    this.#watch(key, expiresAt);
    this.#expiry.track(key, expiresAt);
  }

  #endOldest(clientId: string, userId: string): void {
    for (const grantHash of this.#deps.store.grantsOf(clientId, userId).slice(MAX_GRANTS)) {
      this.#deps.store.deleteGrant(grantHash);
    }
  }
}

const watchKey = (kind: ArtifactKind, idHash: string): string => `${kind} ${idHash}`;

function keyOf(kind: ArtifactKind, value: string): ArtifactKey {
  return { kind, idHash: sha256Hex(value) };
}
