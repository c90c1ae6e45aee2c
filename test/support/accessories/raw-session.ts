/**
 * One TCP connection to the raw accessory: plain requests until pair-verify, encrypted ones from then on, one at a
 * time.
 */
import type { Socket } from 'node:net';
import { type PairingBook, PairingTalk, type VerifiedSession } from './raw-pairing.ts';
import { type Trick, writeWithTrick } from './raw-tricks.ts';
import { encodeEvent, FrameCoder, MAX_FRAME_BYTES, type RawRequest, RequestReader } from './raw-wire.ts';

export class RawSession {
  readonly socket: Socket;
  readonly talk: PairingTalk;
  /** `aid.iid` of what the controller subscribed to. */
  readonly subscriptions = new Set<string>();
  /** The controller's pairing id, once verified. */
  controllerId: string | undefined;
  /** A prepared write: good once, until this moment of `performance.now()`. */
  prepared: { pid: string; until: number } | undefined;
  /** Answers 470 to everything from now on. */
  forgotten = false;
  readonly #reader = new RequestReader();
  #coder: FrameCoder | undefined;
  /** Keys of a verify whose last answer is still to leave in plain text. */
  #pendingCoder: FrameCoder | undefined;
  #work: Promise<void> = Promise.resolve();
  /** What is being written. Frames are numbered as they are encrypted, so they must leave in that order. */
  #output: Promise<void> = Promise.resolve();

  constructor(
    socket: Socket,
    book: PairingBook,
    onRequest: (session: RawSession, request: RawRequest) => Promise<void>,
  ) {
    this.socket = socket;
    this.talk = new PairingTalk(book, (session) => this.#onVerified(session));
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => {
      for (const request of this.#read(bytes)) {
        // In order, as replies differ by their order alone. A request that breaks us ends its connection.
        this.#work = this.#work.then(() => onRequest(this, request)).catch(() => this.close());
      }
    });
  }

  get isVerified(): boolean {
    return this.#coder !== undefined;
  }

  /** Writes a plain message, encrypted if the session is, and bent as the trick has it. */
  send(message: Buffer, trick: Trick = {}): Promise<void> {
    this.#output = this.#output.then(async () => {
      const wire = this.#encode(message, trick);
      if (this.#pendingCoder) {
        this.#coder = this.#pendingCoder;
        this.#pendingCoder = undefined;
      }
      if (!this.socket.destroyed) await writeWithTrick(this.socket, wire, trick);
    });
    return this.#output;
  }

  /** Sends an event as soon as no reply is halfway out, whether or not one is owed. */
  sendEvent(message: Buffer, frameBytes = MAX_FRAME_BYTES): void {
    this.#output = this.#output.then(() => {
      if (this.#coder && !this.socket.destroyed) this.socket.write(this.#coder.encrypt(message, frameBytes));
    });
  }

  close(): void {
    this.socket.destroy();
  }

  #encode(message: Buffer, { eventBefore, eventAfter, chunkBytes, frameBytes = MAX_FRAME_BYTES }: Trick): Buffer {
    const messages = [
      eventBefore && encodeEvent(eventBefore, chunkBytes),
      message,
      eventAfter && encodeEvent(eventAfter, chunkBytes),
    ].filter((part) => part !== undefined);
    return Buffer.concat(messages.map((part) => this.#coder?.encrypt(part, frameBytes) ?? part));
  }

  #read(bytes: Buffer): readonly RawRequest[] {
    if (!this.#coder) return this.#reader.push(bytes, false);
    try {
      return this.#coder.decrypt(bytes).flatMap((text) => this.#reader.push(text, true));
    } catch {
      this.close();
      return [];
    }
  }

  #onVerified({ controllerId, readKey, writeKey }: VerifiedSession): void {
    this.controllerId = controllerId;
    this.#pendingCoder = new FrameCoder(readKey, writeKey);
  }
}
