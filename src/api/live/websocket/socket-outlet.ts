/** A session's connection: a `ws` WebSocket, and its socket, to which serialised frames go directly. */
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { CLOSE_CODES, type CloseReason, type Outlet } from './outlet.ts';
import type { SocketSession } from './session.ts';

/** The maximum of unsent bytes before requests are no longer read: the client has to read its responses first. */
const PAUSE_BYTES = 262_144;
/** The time for a client's close frame (RFC 6455 §7.1.1): correct clients send it at once. */
const GOODBYE_MS = 1_000;

export class SocketOutlet implements Outlet {
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;

  constructor(webSocket: WebSocket, socket: Duplex) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    // Too large, not UTF-8, no WebSocket frames: `ws` has closed it with the right code. Without a listener the error
    // would end the process.
    webSocket.on('error', () => {});
  }

  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  /** Passes messages to the session from here on, until the connection closes. */
  serve(session: SocketSession): void {
    const webSocket = this.#webSocket;
    webSocket.on('message', (data: RawData, isBinary: boolean) => {
      if (isBinary) session.receiveBinary();
      else session.receive(String(data));
      this.#pauseIfFull();
    });
    webSocket.on('pong', () => session.receivePong());
    webSocket.on('close', () => session.closed());
    this.#socket.on('drain', () => {
      if (webSocket.isPaused) webSocket.resume();
      session.drained();
    });
  }

  send(text: string): void {
    if (this.#isOpen) this.#webSocket.send(text);
    this.#pauseIfFull();
  }

  /**
   * Without compression `ws` writes each of its frames to the socket whole and at once: serialised frames come between
   * two of them.
   */
  write(frames: Buffer): void {
    if (this.#isOpen && this.#socket.writable) this.#socket.write(frames);
  }

  ping(): void {
    if (this.#isOpen) this.#webSocket.ping();
  }

  close(reason: CloseReason, sentence: string): void {
    if (this.#webSocket.isPaused) this.#webSocket.resume();
    this.#webSocket.close(CLOSE_CODES[reason], sentence);
    const timer = setTimeout(() => this.cut(), GOODBYE_MS).unref();
    this.#webSocket.once('close', () => clearTimeout(timer));
  }

  /** Whether the close has begun and it is still connected. */
  get isLeaving(): boolean {
    return this.#webSocket.readyState === this.#webSocket.CLOSING;
  }

  cut(): void {
    this.#webSocket.terminate();
  }

  get #isOpen(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  #pauseIfFull(): void {
    if (this.waitingBytes >= PAUSE_BYTES && this.#isOpen && !this.#webSocket.isPaused) this.#webSocket.pause();
  }
}
