/**
 * What all streams that stay open have in common, whatever flows in them: how many there may be, and when one must end. Twice a second
 * each is asked whether its credentials still count, whether the relay stops, and whether anybody takes what it gives. One timer looks
 * after all streams of a kind. It knows nothing of what is sent, nor how.
 */
import { addressKey } from '../../app/access/attempts.ts';
import type { Caller, Principal } from '../../app/access/caller.ts';
import type { Credentials } from '../../app/access/credentials.ts';
import type { HomeEvents } from '../../home/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';

/** How soon a token that was revoked, a share that was closed or an account that is gone ends its streams. */
const RECHECK_MS = 500;
/** Whoever took nothing for so long is gone, whatever its network says. */
const STALLED_MS = 60_000;
const RETRY_AFTER_S = 15;

/**
 * revoked: the credentials count no more (revoked, expired, signed out, account or share gone) · stopping: the relay stops, come back ·
 * stalled: nobody takes what was sent · failed: it could not be found out.
 */
export type EndReason = 'revoked' | 'stopping' | 'stalled' | 'failed';

export interface WatchDeps {
  readonly bus: EventBus<HomeEvents>;
  readonly clock: Clock;
  /** `false` again once the daemon stops: then streams end, and their clients come back to the next one. */
  readonly isReady: () => boolean;
  /** Told what went wrong where nobody else hears of it. */
  readonly onFailure: (error: unknown) => void;
}

/** A stream is a connection, and a listener has only so many for everybody. */
export interface WatchLimits {
  readonly inAll: number;
  readonly perOwner: number;
  readonly perAddress: number;
  /** What somebody is told who comes when there are as many as there may be. */
  readonly sentence: string;
}

export interface WatchSubject {
  /** Who shares one allowance of streams. */
  readonly owner: string;
  /** As `addressKey` gives it. */
  readonly address: string;
  /** Whether what it came in with still counts. What throws here ends the stream as `failed`. */
  readonly isLive: () => boolean;
  /** Called once, when the stream must end; not after `close`. */
  readonly onEnd: (reason: EndReason) => void;
  /** Called after each look that found nothing wrong: for heartbeats, and what else a stream asks itself regularly. */
  readonly onTick?: (() => void) | undefined;
}

export class Watch {
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

  /** How many streams are open. */
  get size(): number {
    return this.#streams.size;
  }

  /** @throws `rate_limited` there are as many as there may be: in all, of this owner or for this address */
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
    // The next look is not waited for, but what ended is no longer known only when whoever tells of it is done.
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

  /** A disk that fails must end the stream that needs it, and nothing else. */
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

/** One stream's side of the watch. */
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

  /** How long something has been lying there for the client to take; 0 if nothing does. */
  get waitsMs(): number {
    return this.#waitingSince === undefined ? 0 : this.#clock.monotonic() - this.#waitingSince;
  }

  /** Something was given that the client has not taken yet. */
  gave(): void {
    this.#waitingSince ??= this.#clock.monotonic();
  }

  /** The client has taken all that was given. */
  took(): void {
    this.#waitingSince = undefined;
  }

  /** The stream is over; `onEnd` is not called any more. */
  close(): void {
    this.#onClose();
  }
}

/** The same for a stream that somebody opened with credentials of the API. @throws as `Watch.open` */
export function watchCaller(
  { watch, credentials }: { readonly watch: Watch; readonly credentials: Pick<Credentials, 'isLive'> },
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

/** A person with ten tabs is one, whatever session each has; each of its tokens and apps is another. */
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
