/**
 * Where the bytes of an event stream go: to Node's response, or to the body of a response where there is no socket. At
 * most one piece waits to be read.
 */
import type { ServerResponse } from 'node:http';

export interface SseSink {
  /** Whether the client has read the last write. */
  readonly takesMore: boolean;
  write(bytes: Uint8Array): void;
  close(): void;
}

interface SinkEvents {
  /** The client has read everything: it may get the next piece. */
  onRead(): void;
  /** The client is gone. */
  onGone(): void;
}

/** A stream that the server connects with the client, once the head of the response is complete. */
export interface SocketStream {
  /** @param headers of the response, as all guards left them */
  begin(status: number, headers: Headers): void;
}

/** Nothing lies in between: a piece is on its way in the turn in which it is written. */
export class SocketSink implements SseSink, SocketStream {
  readonly #outgoing: ServerResponse;
  readonly #events: SinkEvents;
  /** What is written before the head; `undefined` afterwards. */
  #early: Uint8Array[] | undefined = [];
  #isClosed = false;

  constructor(outgoing: ServerResponse, events: SinkEvents) {
    this.#outgoing = outgoing;
    this.#events = events;
    outgoing.once('close', () => events.onGone());
    // What is written to a client that has just gone.
    outgoing.on('error', () => {});
  }

  get takesMore(): boolean {
    return !this.#early && !this.#isClosed && !this.#outgoing.destroyed && this.#outgoing.writableLength === 0;
  }

  begin(status: number, headers: Headers): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    // Gone before there was a stream: no event follows.
    if (this.#outgoing.destroyed) {
      this.#events.onGone();
      return;
    }
    this.#outgoing.writeHead(status, Object.fromEntries(headers));
    for (const bytes of early) this.#send(bytes);
    if (this.#isClosed) this.#outgoing.end();
  }

  write(bytes: Uint8Array): void {
    if (this.#early) this.#early.push(bytes);
    else this.#send(bytes);
  }

  close(): void {
    this.#isClosed = true;
    if (!this.#early) this.#outgoing.end();
  }

  #send(bytes: Uint8Array): void {
    const { socket, destroyed } = this.#outgoing;
    if (destroyed) return;
    // Node would uncork the socket only after everything else that this turn does.
    socket?.cork();
    this.#outgoing.write(bytes, () => {
      if (this.takesMore) this.#events.onRead();
    });
    socket?.uncork();
  }
}

/** For requests without a socket: from inside the process. */
export class BodySink implements SseSink {
  readonly body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor({ onRead, onGone }: SinkEvents) {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => onRead(),
        cancel: () => {
          this.#controller = undefined;
          onGone();
        },
      },
      { highWaterMark: 1 },
    );
  }

  get takesMore(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  write(bytes: Uint8Array): void {
    this.#controller?.enqueue(bytes);
  }

  close(): void {
    this.#controller?.close();
    this.#controller = undefined;
  }
}
