/**
 * `/s/{hash}/events`: the state of a share as server-sent events (WHATWG HTML §9.2), whole at first and again after each change. A
 * stream holds no list of what is to be sent: only that something is, so that a slow reader costs no memory and gets the newest state
 * when it takes the next. Twice a second it is asked whether the share is still open; with the share the stream ends.
 */
import type { OpenShare } from '../../app/sharing/open-share.ts';
import type { Shares } from '../../app/sharing/shares.ts';
import type { HomeEvents } from '../../home/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import { answer } from '../respond.ts';

/** A scene that switches twenty lamps is one change to look at. */
const COALESCE_MS = 150;
/** How soon a share that was closed or taken back ends its streams. */
const RECHECK_MS = 500;
/** Proxies and phones drop connections on which nothing moves for half a minute. */
const HEARTBEAT_MS = 15_000;
/** Whoever took nothing for so long is gone, whatever its network says. */
const STALLED_MS = 60_000;
/** How long browsers wait before they connect again. */
const RETRY_MS = 3_000;

/** A stream is a connection, and the listener has 256 of them for everybody. */
const MOST_STREAMS = 64;
const MOST_PER_SHARE = 24;
const MOST_PER_ADDRESS = 8;
const RETRY_AFTER_S = 15;

/** After these something on a page may be different. */
const CHANGES = [
  'state.changed',
  'accessory.reachability_changed',
  'accessory.added',
  'accessory.removed',
  'layout.changed',
  'home.connection_changed',
] as const satisfies readonly (keyof HomeEvents)[];

export interface LiveStreamsDeps {
  readonly shares: Pick<Shares, 'reopen'>;
  readonly bus: EventBus<HomeEvents>;
  readonly clock: Clock;
  /** `false` again once the daemon stops: then streams end, and their readers come back to the next one. */
  readonly isReady: () => boolean;
  /** Told what went wrong where nobody else hears of it. */
  readonly onFailure: (error: unknown) => void;
}

export interface StreamRequest {
  readonly share: OpenShare;
  readonly address: string;
  /** What is sent of the share: JSON. */
  readonly present: (share: OpenShare) => object;
  /** Cuts the connection. */
  readonly cut: () => void;
}

export class LiveStreams {
  readonly #deps: LiveStreamsDeps;
  readonly #open = new Set<LiveStream>();

  constructor(deps: LiveStreamsDeps) {
    this.#deps = deps;
  }

  /** @throws `rate_limited` there are as many as there may be: in all, of this share or for this address */
  answer(request: StreamRequest): Response {
    this.#requireRoom(request);
    const stream = new LiveStream(this.#deps, request, () => this.#open.delete(stream));
    this.#open.add(stream);
    return answer(stream.body, 200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
  }

  #requireRoom({ share, address }: StreamRequest): void {
    const all = [...this.#open];
    const ofShare = all.filter((stream) => stream.hash === share.hash).length;
    const ofAddress = all.filter((stream) => stream.address === address).length;
    if (all.length < MOST_STREAMS && ofShare < MOST_PER_SHARE && ofAddress < MOST_PER_ADDRESS) return;
    throw new HearthError('rate_limited', 'Too many pages of this kind are open. Close one and try again.', {
      retryAfterSeconds: RETRY_AFTER_S,
    });
  }
}

class LiveStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly hash: string;
  readonly address: string;
  readonly #deps: LiveStreamsDeps;
  readonly #present: StreamRequest['present'];
  readonly #cut: StreamRequest['cut'];
  readonly #onEnd: () => void;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #share: OpenShare;
  #cancel: (() => void)[] = [];
  #cancelTimers = new Map<'recheck' | 'send', () => void>();
  #sent = '';
  #isDirty = true;
  #wasReady = false;
  /** By the monotonic clock. */
  #sentAt: number;

  constructor(deps: LiveStreamsDeps, { share, address, present, cut }: StreamRequest, onEnd: () => void) {
    this.#deps = deps;
    this.#share = share;
    this.hash = share.hash;
    this.address = address;
    this.#present = present;
    this.#cut = cut;
    this.#onEnd = onEnd;
    this.#sentAt = deps.clock.monotonic();
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => this.#start(controller),
        pull: () => this.#attempt(() => this.#flush()),
        cancel: () => this.#stop(),
      },
      // One piece on its way, and no second before it is taken.
      { highWaterMark: 1 },
    );
  }

  #start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    this.#cancel = CHANGES.map((name) =>
      this.#deps.bus.on(name, ({ homeId }) => {
        if (this.#share.homeIds.has(homeId)) this.#sendSoon();
      }),
    );
    this.#write(`retry: ${RETRY_MS}\n\n`);
    this.#recheckLater();
  }

  #sendSoon(): void {
    this.#isDirty = true;
    if (!this.#cancelTimers.has('send')) this.#after('send', COALESCE_MS, () => this.#flush());
  }

  /** Sends the state if it is another than was sent last, and the reader takes it. */
  #flush(): void {
    if (!this.#isDirty || !this.#takesMore || this.#cancelTimers.has('send')) return;
    const share = this.#deps.shares.reopen(this.#share);
    if (!share) {
      this.#end('closed');
      return;
    }
    this.#share = share;
    this.#isDirty = false;
    const data = JSON.stringify(this.#present(share));
    if (data === this.#sent) return;
    this.#sent = data;
    this.#write(`event: state\ndata: ${data}\n\n`);
  }

  #recheckLater(): void {
    this.#after('recheck', RECHECK_MS, () => this.#recheck());
  }

  #recheck(): void {
    const share = this.#deps.shares.reopen(this.#share);
    if (!share) this.#end('closed');
    else if (this.#isStopping()) this.#end('stopping');
    else if (this.#isStalled()) this.#drop();
    else this.#goOn(share);
  }

  /** The best that its rows give may have changed with the hour, and what is in it without a change of any accessory. */
  #goOn(share: OpenShare): void {
    if (reachOf(share) !== reachOf(this.#share)) this.#isDirty = true;
    this.#share = share;
    if (this.#takesMore && this.#idleMs >= HEARTBEAT_MS) this.#write(': still here\n\n');
    this.#flush();
    if (this.#controller) this.#recheckLater();
  }

  get #takesMore(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  get #idleMs(): number {
    return this.#deps.clock.monotonic() - this.#sentAt;
  }

  #isStalled(): boolean {
    return !this.#takesMore && this.#idleMs >= STALLED_MS;
  }

  #isStopping(): boolean {
    const isReady = this.#deps.isReady();
    this.#wasReady ||= isReady;
    return this.#wasReady && !isReady;
  }

  #write(text: string): void {
    this.#sentAt = this.#deps.clock.monotonic();
    this.#controller?.enqueue(this.#encoder.encode(text));
  }

  /** Says why, so that a page knows whether to look again. */
  #end(reason: 'closed' | 'stopping'): void {
    // A reader that waits asks for more while it is being told.
    this.#isDirty = false;
    this.#write(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    this.#controller?.close();
    this.#stop();
  }

  /** Nobody waits for what timers do: a disk that fails must end the stream, and nothing else. Readers connect again. */
  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#deps.onFailure(error);
      this.#end('stopping');
    }
  }

  /** What is left is not worth sending: the connection goes with it. */
  #drop(): void {
    this.#controller?.close();
    this.#stop();
    this.#cut();
  }

  #stop(): void {
    this.#controller = undefined;
    for (const cancel of [...this.#cancel, ...this.#cancelTimers.values()]) cancel();
    this.#cancel = [];
    this.#cancelTimers.clear();
    this.#onEnd();
  }

  #after(name: 'recheck' | 'send', delayMs: number, act: () => void): void {
    this.#cancelTimers.set(
      name,
      this.#deps.clock.after(delayMs, () => {
        this.#cancelTimers.delete(name);
        this.#attempt(act);
      }),
    );
  }
}

/** The role, and over what. */
function reachOf({ role, caller: { principal } }: OpenShare): string {
  return principal.kind === 'share_link' ? `${role} ${[...principal.accessoryIds].join()}` : role;
}
