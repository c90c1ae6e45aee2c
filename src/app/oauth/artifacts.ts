/**
 * Grants, codes and tokens as the authorization server uses them: by the value that a client holds, of which only the hash is kept.
 * Ours is the clock: what is past its end is not found, and a clock set back brings nothing back.
 *
 * An exchange (of a code, or of a refresh token) uses one thing up and issues others. It is written in one piece when its answer is
 * ready (`exchange`): a crash or a full disk in between leaves what was there, and of two exchanges at once only one is kept.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/secrets.ts';
import { Expiry } from '../access/expiry.ts';
import type { Artifact, ArtifactKey, ArtifactKind, ArtifactStore } from './artifact-store.ts';
import { openReplay, sealReplay } from './replay.ts';

/** How long a client that lost the answer to a refresh gets the same one again (decisions §7: a network that fails ends no session). */
const REPLAY_MS = 30_000;
/** What has ended is kept for a day, so that it is answered as ended. */
const KEPT_AFTER_END_MS = 86_400_000;
/** Sign-ins of one person with one app that stand side by side; the oldest makes room. */
const MOST_GRANTS = 20;
/** Ends that are kept in mind. More are of an app that lets its tokens be renewed without end; what is in the database ends all the same. */
const MOST_WATCHED = 10_000;

/** What is to be kept. */
export interface NewArtifact {
  readonly kind: ArtifactKind;
  /** The value that the client holds. */
  readonly value: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly clientId: string;
  readonly userId: string;
  /** Of the grant that it is issued from; its own for a grant. */
  readonly grantId: string;
  readonly ttlMs: number;
}

interface Exchange {
  readonly used: ArtifactKey[];
  readonly issued: Artifact[];
}

export class Artifacts {
  readonly #store: ArtifactStore;
  readonly #clock: Clock;
  readonly #expiry: Expiry;
  /** What `#expiry` keeps in mind, with its end. */
  readonly #watched = new Map<string, number>();
  readonly #exchanges = new AsyncLocalStorage<Exchange>();

  constructor({ store, clock }: { store: ArtifactStore; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
    this.#expiry = new Expiry(clock);
  }

  /**
   * What this value stands for; `undefined` if it is unknown or past its end. What is used up is found all the same, so that whoever
   * comes with it again is seen for what it is.
   */
  find(kind: ArtifactKind, value: string): Artifact | undefined {
    const artifact = this.#store.find(keyOf(kind, value));
    return artifact && (artifact.consumedAt !== null || !this.isPast(artifact)) ? artifact : undefined;
  }

  /** Whether it is past its end, which is noted. A grant has no end of its own: it goes with the last that was issued from it. */
  isPast({ kind, idHash, expiresAt, expiredAt }: Artifact): boolean {
    if (kind === 'Grant') return false;
    if (expiredAt !== null) return true;
    const key = watchKey(kind, idHash);
    this.#watch(key, expiresAt);
    if (!this.#expiry.isPast(key, expiresAt)) return false;
    try {
      this.#store.setExpired({ kind, idHash }, this.#clock.now());
    } catch {
      // A disk that is full revives nothing: while we run, it is remembered here.
    }
    return true;
  }

  /** How much longer it is good, in milliseconds. */
  remainingMs({ expiresAt }: Artifact): number {
    return Math.max(0, expiresAt - this.#clock.now());
  }

  /** Within an exchange it is kept when that ends. */
  save(input: NewArtifact): void {
    const createdAt = this.#clock.now();
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
    else this.#store.save(artifact);
    if (input.kind === 'Grant') this.#endOldest(input.clientId, input.userId);
    else this.#trackEnd(artifact);
  }

  /** Only within an exchange. */
  use(kind: ArtifactKind, value: string): void {
    const exchange = this.#exchanges.getStore();
    if (!exchange) throw new Error('Codes and refresh tokens are used up within an exchange only');
    exchange.used.push(keyOf(kind, value));
  }

  delete(kind: ArtifactKind, value: string): void {
    this.#store.delete(keyOf(kind, value));
  }

  /** Ends a grant and whatever was issued from it. */
  revokeGrant(grantId: string): void {
    this.#store.deleteGrant(sha256Hex(grantId));
  }

  /**
   * Runs `work`, in which things are used up and issued, and keeps what it did if `accept` says so of its result.
   * @param accept nothing for a result that is a refusal; else its answer, and the refresh token for which it is to be given again.
   * @returns not kept, and the grant ended, if somebody else had used the same up meanwhile: one of the two has stolen it.
   */
  async exchange<T>(
    work: () => Promise<T>,
    accept: (result: T) => { readonly refreshToken?: string | undefined; readonly answer: string } | undefined,
  ): Promise<{ readonly result: T; readonly isKept: boolean }> {
    const exchange: Exchange = { used: [], issued: [] };
    const result = await this.#exchanges.run(exchange, work);
    const accepted = accept(result);
    if (!accepted) return { result, isKept: true };
    const replay = accepted.refreshToken === undefined ? null : sealReplay(accepted.refreshToken, accepted.answer);
    const isKept = this.#store.exchange(exchange.used, exchange.issued, this.#clock.now(), replay);
    if (!isKept) for (const { grantHash } of exchange.issued) this.#store.deleteGrant(grantHash);
    return { result, isKept };
  }

  /** The answer that a refresh token has got, if that was a moment ago and what it got has not been used. */
  findReplay(refreshToken: string): { readonly clientId: string; readonly answer: string } | undefined {
    const artifact = this.find('RefreshToken', refreshToken);
    if (!artifact?.replay || artifact.consumedAt === null) return undefined;
    const key = `replay ${artifact.idHash}`;
    this.#watch(key, artifact.consumedAt);
    const isPast = this.#clock.now() < artifact.consumedAt || this.#expiry.isPast(key, artifact.consumedAt + REPLAY_MS);
    if (isPast) return undefined;
    const answer = openReplay(refreshToken, artifact.replay);
    return answer === undefined ? undefined : { clientId: artifact.clientId, answer };
  }

  /** Forgets what has ended. Called every night. */
  prune(): void {
    const endedBefore = this.#clock.now() - KEPT_AFTER_END_MS;
    this.#store.prune(endedBefore);
    for (const [key, expiresAt] of this.#watched) {
      if (expiresAt >= endedBefore) continue;
      this.#watched.delete(key);
      this.#expiry.forget(key);
    }
  }

  /** The one that was not asked about for longest makes room. */
  #watch(key: string, endsAt: number): void {
    this.#watched.delete(key);
    this.#watched.set(key, endsAt);
    const [longest] = this.#watched.keys();
    if (this.#watched.size <= MOST_WATCHED || longest === undefined) return;
    this.#watched.delete(longest);
    this.#expiry.forget(longest);
  }

  /** From when it is made, not from its first use: a clock that is set back in between extends nothing. */
  #trackEnd({ kind, idHash, expiresAt }: Artifact): void {
    const key = watchKey(kind, idHash);
    this.#watch(key, expiresAt);
    this.#expiry.track(key, expiresAt);
  }

  #endOldest(clientId: string, userId: string): void {
    for (const grantHash of this.#store.grantsOf(clientId, userId).slice(MOST_GRANTS)) {
      this.#store.deleteGrant(grantHash);
    }
  }
}

const watchKey = (kind: ArtifactKind, idHash: string): string => `${kind} ${idHash}`;

function keyOf(kind: ArtifactKind, value: string): ArtifactKey {
  return { kind, idHash: sha256Hex(value) };
}
