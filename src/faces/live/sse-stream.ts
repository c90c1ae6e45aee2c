/**
 * One stream of server-sent events (WHATWG HTML §9.2) to one client: at most one piece of it waits to be taken, so that a client that
 * reads slowly, or not at all, costs no memory. Whoever fills it is asked for more when the client took what there was; the watch says
 * when it ends. It never errors: what is behind Node's sockets would print that, and say it to the client.
 */
import type { Clock } from '../../kernel/clock.ts';
import { answer } from '../respond.ts';
import type { EndReason, WatchedStream, WatchSubject } from './watch.ts';

/** Proxies and phones drop connections on which nothing moves for half a minute. */
const HEARTBEAT_MS = 15_000;
/** How long browsers wait before they connect again. */
const RETRY_MS = 3_000;

export const SSE_HEADERS = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' } as const;

/** Says why a stream ends, so that its client knows whether to come back. */
export function endEvent(reason: string): string {
  return `event: end\ndata: ${JSON.stringify({ reason })}\n\n`;
}

export interface SseParts {
  readonly clock: Clock;
  /** @throws `rate_limited` */
  readonly watch: (acts: Required<Pick<WatchSubject, 'onEnd' | 'onTick'>>) => WatchedStream;
  /** Asked when the client takes more, and twice a second while it does: for what there is to write. */
  readonly onDrain: () => void;
  /** Called once, however the stream ends. */
  readonly onClose: () => void;
  readonly onFailure: (error: unknown) => void;
  /** Cuts the connection. */
  readonly cut: () => void;
  /** What its client is told of why it ends: whole events, none if empty. */
  readonly lastWords: (reason: EndReason) => string;
  /** Fields that go with the first piece and with each heartbeat: whole lines. */
  readonly fields?: (() => string) | undefined;
}

export class SseStream {
  readonly #parts: SseParts;
  readonly #watched: WatchedStream;
  readonly #encoder = new TextEncoder();
  readonly #body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** By the monotonic clock. */
  #writtenAt = 0;

  /** @throws as `parts.watch` */
  constructor(parts: SseParts) {
    this.#parts = parts;
    this.#watched = parts.watch({
      onEnd: (reason) => (reason === 'stalled' ? this.#drop() : this.end(reason)),
      onTick: () => this.#tick(),
    });
    this.#body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          this.write(`retry: ${RETRY_MS}\n${this.#fields()}\n`);
        },
        pull: () => {
          if (!this.#controller) return;
          this.#watched.took();
          this.attempt(() => this.#parts.onDrain());
        },
        cancel: () => void this.#letGo(),
      },
      { highWaterMark: 1 },
    );
  }

  answer(): Response {
    return answer(this.#body, 200, SSE_HEADERS);
  }

  /** Whether the client has taken what was written: then it may be given the next piece. */
  get takesMore(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  /** @param piece whole events. Bytes may be shared with other streams: nobody changes them. */
  write(piece: string | Uint8Array): void {
    if (!this.#controller) return;
    this.#writtenAt = this.#parts.clock.monotonic();
    this.#controller.enqueue(typeof piece === 'string' ? this.#encoder.encode(piece) : piece);
    if (!this.takesMore) this.#watched.gave();
  }

  end(reason: EndReason): void {
    this.close(this.#parts.lastWords(reason));
  }

  /** @param last whole events, after which nothing comes; none if empty */
  close(last: string): void {
    // Let go of before it is told: a client that waits asks for more while it is.
    const controller = this.#letGo();
    if (last !== '') controller?.enqueue(this.#encoder.encode(last));
    controller?.close();
  }

  /** Nobody waits for what timers do: what fails there ends the stream, and nothing else. Clients connect again. */
  attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#parts.onFailure(error);
      this.end('failed');
    }
  }

  #tick(): void {
    if (!this.takesMore) return;
    const idleMs = this.#parts.clock.monotonic() - this.#writtenAt;
    if (idleMs >= HEARTBEAT_MS) this.write(`: still here\n${this.#fields()}\n`);
    this.#parts.onDrain();
  }

  #fields(): string {
    return this.#parts.fields?.() ?? '';
  }

  /** What is left is not worth sending: the connection goes with it. */
  #drop(): void {
    this.#letGo()?.close();
    this.#parts.cut();
  }

  #letGo(): ReadableStreamDefaultController<Uint8Array> | undefined {
    const controller = this.#controller;
    if (!controller) return undefined;
    this.#controller = undefined;
    this.#watched.close();
    this.#parts.onClose();
    return controller;
  }
}
