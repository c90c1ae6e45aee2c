/**
 * One stream of server-sent events (WHATWG HTML §9.2) to one client. At most one piece waits to be read, so that a slow
 * or stalled client costs no memory. `onDrain` requests more when the client has read it; the supervisor decides when
 * it ends. The stream never errors: the code behind Node's sockets would print the error, and send it to the client.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { ApiEnv } from '../env.ts';
import { answer } from '../respond.ts';
import { BodySink, SocketSink, type SseSink } from './sse-sinks.ts';
import type { EndReason, WatchedStream, WatchSubject } from './stream-supervisor.ts';

/** Proxies and phones drop connections that are idle for half a minute. */
const HEARTBEAT_MS = 15_000;
/** How long browsers wait before they reconnect. */
const RETRY_MS = 3_000;

export const SSE_HEADERS = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' } as const;

/** The event with the reason for the end, so that the client knows whether to reconnect. */
export function endEvent(reason: string): string {
  return `event: end\ndata: ${JSON.stringify({ reason })}\n\n`;
}

export interface SseDeps {
  readonly clock: Clock;
  /** @throws `rate_limited` */
  readonly watch: (acts: Required<Pick<WatchSubject, 'onEnd' | 'onTick'>>) => WatchedStream;
  /** Called when the client reads more, and twice a second while it does: requests the next write. */
  readonly onDrain: () => void;
  /** Called once, however the stream ends. */
  readonly onClose: () => void;
  readonly onFailure: (error: unknown) => void;
  /** Of its request: with a socket, the server connects the stream with it. */
  readonly env: ApiEnv['Bindings'] | undefined;
  /** The last events for the client, with the reason for the end: whole events, none if empty. */
  readonly lastWords: (reason: EndReason) => string;
  /** Fields sent with the first piece and with each heartbeat: whole lines. */
  readonly fields?: (() => string) | undefined;
}

export class SseStream {
  readonly #deps: SseDeps;
  readonly #watched: WatchedStream;
  readonly #encoder = new TextEncoder();
  readonly #body: ReadableStream<Uint8Array> | null;
  /** `undefined` once it is over. */
  #sink: SseSink | undefined;
  /** By the monotonic clock. */
  #writtenAt = 0;

  /** @throws as `parts.watch` */
  constructor(deps: SseDeps) {
    this.#deps = deps;
    this.#watched = deps.watch({
      onEnd: (reason) => (reason === 'stalled' ? this.#drop() : this.end(reason)),
      onTick: () => this.#tick(),
    });
    const events = { onRead: () => this.#read(), onGone: () => void this.#letGo() };
    const { env } = deps;
    if (env?.outgoing && 'stream' in env) {
      const sink = new SocketSink(env.outgoing, events);
      env.stream = sink;
      this.#sink = sink;
      this.#body = null;
    } else {
      const sink = new BodySink(events);
      this.#sink = sink;
      this.#body = sink.body;
    }
    this.write(`retry: ${RETRY_MS}\n${this.#fields()}\n`);
  }

  answer(): Response {
    return answer(this.#body, 200, SSE_HEADERS);
  }

  /** Whether the client has read the last write: then it may get the next piece. */
  get takesMore(): boolean {
    return this.#sink?.takesMore === true;
  }

  /** @param piece whole events. Other streams may share the bytes: do not modify them. */
  write(piece: string | Uint8Array): void {
    if (!this.#sink) return;
    this.#writtenAt = this.#deps.clock.monotonic();
    this.#sink.write(typeof piece === 'string' ? this.#encoder.encode(piece) : piece);
    if (!this.takesMore) this.#watched.gave();
  }

  end(reason: EndReason): void {
    this.close(this.#deps.lastWords(reason));
  }

  /** @param last the last events, whole; none if empty */
  close(last: string): void {
    // Released before the write: during it, a waiting client requests more.
    const sink = this.#letGo();
    if (last !== '') sink?.write(this.#encoder.encode(last));
    sink?.close();
  }

  /** Timer callbacks have no caller: an error there ends only this stream. Clients reconnect. */
  attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#deps.onFailure(error);
      this.end('failed');
    }
  }

  #read(): void {
    if (!this.#sink) return;
    this.#watched.took();
    this.attempt(() => this.#deps.onDrain());
  }

  #tick(): void {
    if (!this.takesMore) return;
    const idleMs = this.#deps.clock.monotonic() - this.#writtenAt;
    if (idleMs >= HEARTBEAT_MS) this.write(`: still here\n${this.#fields()}\n`);
    this.#deps.onDrain();
  }

  #fields(): string {
    return this.#deps.fields?.() ?? '';
  }

  /** Drops unsent events and cuts the connection. */
  #drop(): void {
    this.#letGo()?.close();
    this.#deps.env?.outgoing?.destroy();
  }

  #letGo(): SseSink | undefined {
    const sink = this.#sink;
    if (!sink) return undefined;
    this.#sink = undefined;
    this.#watched.close();
    this.#deps.onClose();
    return sink;
  }
}
