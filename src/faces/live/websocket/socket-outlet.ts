/** A session's connection: a `ws` WebSocket, and under it the socket that it came on, to which frames that are made already go as they are. */
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { CLOSE_CODES, type CloseReason, type Outlet } from './outlet.ts';
import type { Session } from './session.ts';

/** While so much waits for the client to take it, nothing more that it asks is read: it has its answers to take first. */
const PAUSE_BYTES = 262_144;
/** For a client that was told goodbye to say it back (RFC 6455 §7.1.1): honest ones do so at once. */
const GOODBYE_MS = 1_000;

export class SocketOutlet implements Outlet {
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;

  constructor(webSocket: WebSocket, socket: Duplex) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    // Too large, not UTF-8, no WebSocket frames: `ws` has closed it with the code that says so. Nobody listening would end the process.
    webSocket.on('error', () => {});
  }

  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  /** What comes goes to the session from here on, until the connection is gone. */
  serve(session: Session): void {
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

  /** Without compression `ws` hands each of its frames to the socket whole and at once: ours come between two of them. */
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

  /** Whether it was told goodbye, and is still connected. */
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
