/**
 * `/s/{hash}/events`: the state of a share as server-sent events, whole at first and again after each change. A stream
 * stores no queue, only a flag that there is a change, so that a slow reader costs no memory and gets the newest state
 * with its next read. `live/` has the common part of all streams. The stream ends with the share, or with the visitor's
 * right to it.
 */
import { type OpenShare, reachOf } from '../../app/sharing/open-share.ts';
import type { Shares } from '../../app/sharing/shares.ts';
import type { HomeEvents } from '../../home/events.ts';
import type { LiveClients } from '../live/live-clients.ts';
import { endEvent, type SseDeps, SseStream } from '../live/sse-stream.ts';
import { StreamSupervisor, type WatchDeps, type WatchLimits } from '../live/stream-supervisor.ts';

/** A scene that switches twenty lamps is one update. */
const COALESCE_MS = 150;

/** One share may have as many as it may have pages. */
const LIMITS: WatchLimits = {
  inAll: 64,
  perOwner: 24,
  perAddress: 8,
  sentence: 'Too many pages of this kind are open. Close one and try again.',
};

/** Events after which a page may have changed. */
const CHANGES = [
  'state.changed',
  'accessory.reachability_changed',
  'accessory.added',
  'accessory.removed',
  'layout.changed',
  'home.connection_changed',
] as const satisfies readonly (keyof HomeEvents)[];

export interface LiveStreamsDeps extends WatchDeps {
  readonly clients?: LiveClients | undefined;
  readonly shares: Pick<Shares, 'reopen'>;
}

export interface ShareStream {
  readonly share: OpenShare;
  readonly address: string;
  /** Presents the share: JSON. */
  readonly present: (share: OpenShare) => object;
  readonly env: SseDeps['env'];
}

export class LiveStreams {
  readonly #deps: LiveStreamsDeps;
  readonly #watch: StreamSupervisor;

  constructor(deps: LiveStreamsDeps) {
    this.#deps = deps;
    this.#watch = new StreamSupervisor(deps, LIMITS);
    deps.clients?.add('share', this.#watch);
  }

  /** @throws `rate_limited` the limit is reached: in total, of this share or for this address */
  answer(request: ShareStream): Response {
    return new LiveStream(this.#deps, this.#watch, request).answer();
  }
}

class LiveStream {
  readonly #deps: LiveStreamsDeps;
  readonly #present: ShareStream['present'];
  readonly #stream: SseStream;
  readonly #cancel: (() => void)[];
  #cancelSend: (() => void) | undefined;
  #share: OpenShare;
  #sent = '';
  #isDirty = true;

  constructor(deps: LiveStreamsDeps, watch: StreamSupervisor, { share, address, present, env }: ShareStream) {
    this.#deps = deps;
    this.#share = share;
    this.#present = present;
    this.#stream = new SseStream({
      ...deps,
      env,
      watch: (acts) => watch.open({ owner: share.hash, address, isLive: () => this.#isOpen(), ...acts }),
      onDrain: () => this.#flush(),
      onClose: () => this.#stop(),
      lastWords: (reason) => endEvent(reason === 'revoked' ? 'closed' : 'stopping'),
    });
    this.#cancel = CHANGES.map((name) =>
      deps.bus.on(name, ({ homeId }) => {
        if (this.#share.homeIds.has(homeId)) this.#sendSoon();
      }),
    );
  }

  answer(): Response {
    return this.#stream.answer();
  }

  /**
   * The permissions of its rows may change with the time of day, and its contents without a change of any accessory.
   */
  #isOpen(): boolean {
    const share = this.#deps.shares.reopen(this.#share);
    if (!share) return false;
    if (reachOf(share) !== reachOf(this.#share)) this.#isDirty = true;
    this.#share = share;
    return true;
  }

  #sendSoon(): void {
    this.#isDirty = true;
    this.#cancelSend ??= this.#deps.clock.after(COALESCE_MS, () => {
      this.#cancelSend = undefined;
      this.#stream.attempt(() => this.#flush());
    });
  }

  /** Sends the state if it differs from the last one sent and the reader has read that. */
  #flush(): void {
    if (!this.#isDirty || !this.#stream.takesMore || this.#cancelSend) return;
    if (!this.#isOpen()) {
      this.#stream.end('revoked');
      return;
    }
    this.#isDirty = false;
    const data = JSON.stringify(this.#present(this.#share));
    if (data === this.#sent) return;
    this.#sent = data;
    this.#stream.write(`event: state\ndata: ${data}\n\n`);
  }

  #stop(): void {
    for (const cancel of this.#cancel) cancel();
    this.#cancelSend?.();
  }
}
