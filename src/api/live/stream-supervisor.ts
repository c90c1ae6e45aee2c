/**
 * Supervises all long-lived streams of any protocol: how many may be open, and when one must end. Twice a second it
 * checks each stream for valid credentials, for the shutdown of the relay, and for a stalled client. One timer serves
 * all streams of a kind. It does not depend on the content.
 */
import { addressKey } from '../../app/access/attempts.ts';
import type { Caller, Principal } from '../../app/access/caller.ts';
import type { Credentials } from '../../app/access/credentials.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';

/** How soon a revoked token, a closed share or a deleted account ends its streams. */
const RECHECK_MS = 500;
/** A client that reads nothing for so long is gone, even if its connection is still open. */
const STALLED_MS = 60_000;
const RETRY_AFTER_S = 15;

/**
 * revoked: the credentials are no longer valid (revoked, expired, signed out, account or share deleted) · stopping: the
 * relay stops, reconnect later · stalled: the client does not read · failed: the check failed.
 */
export type EndReason = 'revoked' | 'stopping' | 'stalled' | 'failed';

export interface WatchDeps extends HomeDeps<'bus' | 'clock'> {
  /** `false` again once the daemon stops: then streams end, and their clients reconnect to the next process. */
  readonly isReady: () => boolean;
  /** Called with errors that have no other receiver. */
  readonly onFailure: (error: unknown) => void;
}

/** A stream is a connection, and a listener has a limited number for all clients. */
export interface WatchLimits {
  readonly inAll: number;
  readonly perOwner: number;
  readonly perAddress: number;
  /** The message for a client over the limit. */
  readonly sentence: string;
}

export interface WatchSubject {
  /** The owner whose streams share one allowance. */
  readonly owner: string;
  /** As `addressKey` returns it. */
  readonly address: string;
  /** Whether its credentials are still valid. An error thrown here ends the stream as `failed`. */
  readonly isLive: () => boolean;
  /** Called once, when the stream must end; not after `close`. */
  readonly onEnd: (reason: EndReason) => void;
  /** Called after each check without findings: for heartbeats, and for other periodic checks of a stream. */
  readonly onTick?: (() => void) | undefined;
}

export class StreamSupervisor {
  readonly #deps: WatchDeps;
  readonly #limits: WatchLimits;
  readonly #streams = new Set<WatchedStream>();
  #cancel: (() => void)[] = [];
  #cancelTimer: (() => void) | undefined;
  #wasReady = false;

  constructor(deps: WatchDeps, limits: WatchLimits) {
    this.#deps = deps;
    this.#limits = limits;
  }

  /** The number of open streams. */
  get size(): number {
    return this.#streams.size;
  }

  /** @throws `rate_limited` the limit is reached: in total, of this owner or for this address */
  open(subject: WatchSubject): WatchedStream {
    this.#requireRoom(subject);
    const stream = new WatchedStream(this.#deps.clock, subject, () => this.#forget(stream));
    this.#streams.add(stream);
    if (this.#streams.size === 1) this.#begin();
    return stream;
  }

  #requireRoom({ owner, address }: WatchSubject): void {
    const { inAll, perOwner, perAddress, sentence } = this.#limits;
    let ofOwner = 0;
    let ofAddress = 0;
    for (const { subject } of this.#streams) {
      if (subject.owner === owner) ofOwner += 1;
      if (subject.address === address) ofAddress += 1;
    }
    if (this.#streams.size < inAll && ofOwner < perOwner && ofAddress < perAddress) return;
    throw new HearthError('rate_limited', sentence, { retryAfterSeconds: RETRY_AFTER_S });
  }

  #begin(): void {
    const { bus, isReady } = this.#deps;
    this.#wasReady = isReady();
    // Checks without waiting for the next tick, but after the event's other listeners have finished.
    const lookAtOnce = (): void => this.#lookAfter(0);
    this.#cancel = [bus.on('session.ended', lookAtOnce), bus.on('user.removed', lookAtOnce)];
    this.#lookAfter(RECHECK_MS);
  }

  #lookAfter(delayMs: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.clock.after(delayMs, () => this.#look());
  }

  #look(): void {
    this.#cancelTimer = undefined;
    const isReady = this.#deps.isReady();
    this.#wasReady ||= isReady;
    for (const stream of [...this.#streams]) this.#lookAt(stream, this.#wasReady && !isReady);
    if (this.#streams.size > 0) this.#lookAfter(RECHECK_MS);
  }

  /** A disk error must end only the stream that needs the disk. */
  #lookAt(stream: WatchedStream, isStopping: boolean): void {
    if (!this.#streams.has(stream)) return;
    try {
      if (!stream.subject.isLive()) this.#end(stream, 'revoked');
      else if (isStopping) this.#end(stream, 'stopping');
      else if (stream.waitsMs >= STALLED_MS) this.#end(stream, 'stalled');
      else stream.subject.onTick?.();
    } catch (error) {
      this.#deps.onFailure(error);
      if (this.#streams.has(stream)) this.#end(stream, 'failed');
    }
  }

  #end(stream: WatchedStream, reason: EndReason): void {
    stream.close();
    stream.subject.onEnd(reason);
  }

  #forget(stream: WatchedStream): void {
    if (!this.#streams.delete(stream) || this.#streams.size > 0) return;
    for (const cancel of this.#cancel) cancel();
    this.#cancel = [];
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}

/** One supervised stream. */
export class WatchedStream {
  readonly subject: WatchSubject;
  readonly #clock: Clock;
  readonly #onClose: () => void;
  /** By the monotonic clock. */
  #waitingSince: number | undefined;

  constructor(clock: Clock, subject: WatchSubject, onClose: () => void) {
    this.#clock = clock;
    this.subject = subject;
    this.#onClose = onClose;
  }

  /** How long data has been waiting for the client to read it; 0 if none waits. */
  get waitsMs(): number {
    return this.#waitingSince === undefined ? 0 : this.#clock.monotonic() - this.#waitingSince;
  }

  /** Marks data as written but not yet read. */
  gave(): void {
    this.#waitingSince ??= this.#clock.monotonic();
  }

  /** The client has read all data. */
  took(): void {
    this.#waitingSince = undefined;
  }

  /** The stream is over; `onEnd` is not called any more. */
  close(): void {
    this.#onClose();
  }
}

/** Like `StreamSupervisor.open`, for a stream opened with API credentials. @throws as `StreamSupervisor.open` */
export function watchCaller(
  { watch, credentials }: { readonly watch: StreamSupervisor; readonly credentials: Pick<Credentials, 'isLive'> },
  { principal, address }: Caller,
  acts: Pick<WatchSubject, 'onEnd' | 'onTick'>,
): WatchedStream {
  return watch.open({
    owner: ownerKey(principal),
    address: addressKey(address),
    isLive: () => credentials.isLive(principal),
    ...acts,
  });
}

/** A person with ten tabs is one owner, across all their sessions; each of their tokens and apps is another. */
function ownerKey(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return `user ${principal.userId}`;
    case 'access_token':
      return `token ${principal.tokenId}`;
    case 'oauth_client':
      return `app ${principal.clientId} ${principal.userId}`;
    default:
      return principal.kind;
  }
}
