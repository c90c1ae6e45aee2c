/**
 * Results of a subscription on their way to one client, as the protocol of graphql-sse has it ("distinct connections mode"): an event
 * `next` for each, `complete` where no more will come. A result is made when the client has taken the one before, so that a client that
 * is slow costs no memory. Where the stream ends without `complete`, clients of the protocol connect again: that is what they shall do
 * when the relay is started anew.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { EndReason, WatchedStream, WatchSubject } from '../live/watch.ts';
import { answer } from '../respond.ts';

/** Proxies and phones drop connections on which nothing moves for half a minute. */
const HEARTBEAT_MS = 12_000;
const HEARTBEAT = ':\n\n';
const HEADERS = { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' } as const;
/** The protocol wants the empty field: browsers' own EventSource drops an event without data. */
const COMPLETE = 'event: complete\ndata:\n\n';

/** @param result as JSON, in one line. */
function next(result: string): string {
  return `event: next\ndata: ${result}\n\n`;
}

/** What has its results at once: one, and the end. */
export function answerOnce(result: string): Response {
  return answer(next(result) + COMPLETE, 200, HEADERS);
}

export interface ResultStreamParts {
  /** Each result as JSON. */
  readonly results: AsyncIterator<string>;
  readonly clock: Clock;
  /** @throws `rate_limited` */
  readonly watch: (acts: Required<Pick<WatchSubject, 'onEnd' | 'onTick'>>) => WatchedStream;
  /** The result that says that the credentials count no more. */
  readonly revoked: () => string;
  readonly onFailure: (error: unknown) => void;
  /** Cuts the connection. */
  readonly cut: () => void;
}

export class ResultStream {
  readonly #parts: ResultStreamParts;
  readonly #watched: WatchedStream;
  readonly #encoder = new TextEncoder();
  readonly #body: ReadableStream<Uint8Array<ArrayBuffer>>;
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  /** By the monotonic clock. */
  #writtenAt = 0;

  /** @throws as `parts.watch` */
  constructor(parts: ResultStreamParts) {
    this.#parts = parts;
    this.#watched = parts.watch({ onEnd: (reason) => this.#end(reason), onTick: () => this.#tick() });
    this.#body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
        // The head alone would wait for the first event in some proxies.
        this.#write(HEARTBEAT);
      },
      pull: () => this.#pull(),
      cancel: () => void this.#letGo(),
    });
  }

  answer(): Response {
    return answer(this.#body, 200, HEADERS);
  }

  /** The client has taken everything. @returns once there is something for it again */
  async #pull(): Promise<void> {
    this.#watched.took();
    try {
      const { value, done } = await this.#parts.results.next();
      if (done) this.#close(COMPLETE);
      else this.#write(next(value));
    } catch (error) {
      this.#parts.onFailure(error);
      this.#close('');
    }
  }

  #write(text: string): void {
    if (!this.#controller) return;
    this.#writtenAt = this.#parts.clock.monotonic();
    this.#controller.enqueue(this.#encoder.encode(text));
    if (!this.#takesMore) this.#watched.gave();
  }

  get #takesMore(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  #tick(): void {
    if (!this.#takesMore) return;
    // It may have taken a heartbeat while a result is waited for: nobody else says so.
    this.#watched.took();
    if (this.#parts.clock.monotonic() - this.#writtenAt >= HEARTBEAT_MS) this.#write(HEARTBEAT);
  }

  #end(reason: EndReason): void {
    this.#close(reason === 'revoked' ? next(this.#parts.revoked()) + COMPLETE : '');
    if (reason === 'stalled') this.#parts.cut();
  }

  #close(last: string): void {
    const controller = this.#letGo();
    if (last !== '') controller?.enqueue(this.#encoder.encode(last));
    controller?.close();
  }

  #letGo(): ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined {
    const controller = this.#controller;
    if (!controller) return undefined;
    this.#controller = undefined;
    this.#watched.close();
    this.#parts.results.return?.().catch((error: unknown) => this.#parts.onFailure(error));
    return controller;
  }
}
