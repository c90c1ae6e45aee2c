/**
 * One TCP connection to an accessory server: plain until pair-verify has agreed on keys, then encrypted. HTTP responses
 * carry no number, so one request is in flight at a time. Anything that breaks this order (a corrupt byte, an
 * unexpected response, a request past its deadline) ends the connection, because its frame counters can't be trusted
 * any more. Every request settles: with its response, at its deadline, or when the connection ends. It knows no
 * characteristics and never reconnects.
 */
import type { Socket } from 'node:net';
import type { Clock } from '../../../kernel/clock.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { dial, type HostPort } from './dial.ts';
import type { SessionKeys, TlvExchange } from './exchange.ts';
import { FrameDecoder, FrameEncoder } from './frames.ts';
import { type Message, MessageReader } from './message-reader.ts';
import { readPairingAnswer } from './pairing-answer.ts';

export type ConnectionFault =
  /** No address accepted a connection. */
  | 'unreachable'
  /** No response within the deadline. */
  | 'timeout'
  /** The device closed the connection. */
  | 'hang_up'
  /** The received bytes are invalid. */
  | 'corrupt'
  /** The device reports that this connection is not verified (HTTP 470). It did not execute the request. */
  | 'unverified'
  /** The request waited too long in the queue and was never sent. The connection stays open. */
  | 'expired'
  /** The relay closed the connection. */
  | 'closed';

export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly fault: ConnectionFault;
  /** Whether the device may have executed the request. */
  readonly maybeDone: boolean;
  /** Whether part of a response arrived. */
  readonly partly: boolean;

  constructor(fault: ConnectionFault, message: string, sent: { maybeDone?: boolean; partly?: boolean } = {}) {
    super(message);
    this.fault = fault;
    this.maybeDone = sent.maybeDone ?? false;
    this.partly = sent.partly ?? false;
  }
}

export interface ConnectionOptions {
  readonly clock: Clock;
  /** The limit from the first address to an open socket. */
  readonly connectMs?: number;
  /** The limit from the last byte of a request to the last byte of its response. */
  readonly requestMs?: number;
  readonly signal?: AbortSignal;
  /** Called with the body of each event, in order. @returns milliseconds to pause reading, usually 0 */
  readonly onEvent?: (body: Buffer) => number;
  /** Called with the latency of each response, in milliseconds. */
  readonly onAnswer?: (elapsedMs: number) => void;
}

export interface HapRequest {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  /** A function is called when the request is sent, with the monotonic time. */
  readonly body?: string | Buffer | ((now: number) => string);
  readonly contentType?: string;
  /** Sent before all requests that are not urgent: a user is waiting. */
  readonly urgent?: boolean;
  /** Not sent after this monotonic time. */
  readonly sendBy?: number;
}

interface Pending {
  readonly request: HapRequest;
  readonly resolve: (answer: Message) => void;
  readonly reject: (error: ConnectionError) => void;
}

const REQUEST_MS = 10_000;
const CONNECT_MS = 10_000;
export const HAP_JSON = 'application/hap+json';
const TLV8 = 'application/pairing+tlv8';
/** A pairing response is a few hundred bytes; an unverified peer may not send much more. */
const PLAIN_LIMITS = { response: 65_536, event: 0 };
/** The database of a bridge with 149 children has 0.3 MB; an event with all its characteristics has 0.1 MB. */
const SECURE_LIMITS = { response: 8 * 1024 * 1024, event: 1024 * 1024 };
const NOT_VERIFIED = 470;
/**
 * The last part of a deadline, which begins when the rest has passed. After this process stalls, Node runs timers
 * before it reads sockets, and a response that has arrived meanwhile must still count.
 */
const LAST_CALL_MS = 500;

export class Connection {
  readonly address: HostPort;
  /** Resolves with the reason when the connection has ended. */
  readonly closed: Promise<ConnectionError>;
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #host: string;
  readonly #urgent: Pending[] = [];
  readonly #ordinary: Pending[] = [];
  #reader = new MessageReader(PLAIN_LIMITS);
  #encoder: FrameEncoder | undefined;
  #decoder: FrameDecoder | undefined;
  #inFlight: Pending | undefined;
  #partly = false;
  /** When the request in flight was sent, in monotonic time. */
  #sentAt = 0;
  #cancelDeadline: () => void = () => {};
  #cancelStall: (() => void) | undefined;
  #cancelPause: (() => void) | undefined;
  #ended: ConnectionError | undefined;
  /** When a byte last arrived, in monotonic time; initially the time of the connect. */
  #receivedAt: number;
  #reportEnd: (reason: ConnectionError) => void = () => {};

  private constructor(socket: Socket, address: HostPort, options: ConnectionOptions) {
    this.address = address;
    this.#socket = socket;
    this.#options = options;
    this.#receivedAt = options.clock.monotonic();
    this.#host = hostHeader(socket.remoteAddress ?? address.host);
    this.closed = new Promise((resolve) => {
      this.#reportEnd = resolve;
    });
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('end', () => this.#end('hang_up', 'The device closed the connection'));
    socket.on('error', (error) => this.#end('hang_up', `The connection broke (${messageOf(error)})`));
    socket.on('close', () => this.#end('hang_up', 'The connection closed'));
  }

  get isOpen(): boolean {
    return this.#ended === undefined;
  }

  /** Milliseconds since the device last sent a byte. */
  get quietMs(): number {
    return this.#options.clock.monotonic() - this.#receivedAt;
  }

  /** Connects to the address that answers first. @throws ConnectionError `unreachable` */
  static async open(addresses: readonly HostPort[], options: ConnectionOptions): Promise<Connection> {
    const { clock, connectMs: deadlineMs = CONNECT_MS, signal } = options;
    const { socket, address } = await dial(addresses, { clock, deadlineMs, signal }).catch((error: unknown) => {
      throw new ConnectionError('unreachable', messageOf(error));
    });
    return new Connection(socket, address, options);
  }

  /** Pair-setup and pair-verify in plain text; `/pairings` encrypted, once secured. */
  readonly exchange: TlvExchange = async (path, body) => {
    const answer = await this.request({ method: 'POST', path, body, contentType: TLV8, urgent: true });
    return readPairingAnswer(path, answer.status, answer.body);
  };

  /** Encrypts everything from the next byte on, in both directions. */
  secure(keys: SessionKeys): void {
    this.#encoder = new FrameEncoder(keys.write);
    this.#decoder = new FrameDecoder(keys.read);
    this.#reader = new MessageReader(SECURE_LIMITS);
  }

  /** Makes an unpaired accessory identify itself. @returns the response: 204, or 400 if it is paired */
  identify(): Promise<Message> {
    return this.request({ method: 'POST', path: '/identify', body: '' });
  }

  /** Queues a request behind earlier ones. @throws ConnectionError */
  request(request: HapRequest): Promise<Message> {
    if (this.#ended) return Promise.reject(new ConnectionError(this.#ended.fault, this.#ended.message));
    if (request.urgent) this.#endPause();
    return new Promise((resolve, reject) => {
      (request.urgent ? this.#urgent : this.#ordinary).push({ request, resolve, reject });
      this.#sendNext();
    });
  }

  close(): void {
    this.#end('closed', 'The connection was closed here');
  }

  #sendNext(): void {
    while (!this.#inFlight && !this.#ended) {
      const next = this.#urgent.shift() ?? this.#ordinary.shift();
      if (!next) return;
      const now = this.#options.clock.monotonic();
      if (next.request.sendBy !== undefined && now > next.request.sendBy) {
        next.reject(new ConnectionError('expired', 'The device was too busy with other requests to be asked in time'));
      } else this.#send(next, now);
    }
  }

  /** @param now the time by which it is not too late: a body that depends on the time must agree */
  #send(pending: Pending, now: number): void {
    const { clock, requestMs = REQUEST_MS } = this.#options;
    this.#inFlight = pending;
    this.#partly = false;
    this.#sentAt = now;
    this.#cancelDeadline = deadline(clock, requestMs, () =>
      this.#end('timeout', `The device did not answer within ${Math.round(requestMs / 1000)} s`),
    );
    const { body } = pending.request;
    const content = typeof body === 'function' ? body(now) : body;
    const plain = encodeRequest(pending.request, content, this.#host);
    // One write, hence one segment: some devices read only the first one.
    this.#socket.write(this.#encoder ? this.#encoder.encode(plain) : plain);
  }

  #receive(chunk: Buffer): void {
    if (this.#ended) return;
    this.#receivedAt = this.#options.clock.monotonic();
    if (this.#inFlight) this.#partly = true;
    try {
      if (this.#decoder) this.#decoder.push(chunk, this.#onPlain);
      else this.#onPlain(chunk);
    } catch (error) {
      this.#end('corrupt', messageOf(error));
    }
    this.#watchStall();
  }

  readonly #onPlain = (bytes: Buffer): void => {
    if (!this.#ended) this.#reader.push(bytes, this.#onMessage);
  };

  readonly #onMessage = (message: Message): void => {
    if (this.#ended) return;
    this.#endStall();
    if (message.kind === 'event') {
      if (!this.#decoder) throw new Error('A notification came before the connection was verified');
      const pauseMs = this.#options.onEvent?.(message.body) ?? 0;
      // The response to a command is behind the events in the same stream, and so is the one that it waits for.
      const isAwaited = this.#inFlight?.request.urgent === true || this.#urgent.length > 0;
      if (pauseMs > 0 && !isAwaited) this.#pause(pauseMs);
      return;
    }
    const answered = this.#inFlight;
    if (!answered) throw new Error('A response came without a request');
    if (message.status === NOT_VERIFIED && this.#decoder) {
      this.#end('unverified', 'The device wants the connection verified again (HTTP status 470)');
      return;
    }
    this.#inFlight = undefined;
    this.#cancelDeadline();
    this.#options.onAnswer?.(this.#options.clock.monotonic() - this.#sentAt);
    answered.resolve(message);
    this.#sendNext();
  };

  /** Ends a connection on which an event began and never ends: it would block all others, and no deadline covers it. */
  #watchStall(): void {
    // While we pause reading, the device can't continue.
    if (this.#reader.unfinished && !this.#ended && !this.#cancelPause) {
      const { clock, requestMs = REQUEST_MS } = this.#options;
      this.#cancelStall ??= deadline(clock, requestMs, () =>
        this.#end('timeout', 'The device stopped in mid-sentence'),
      );
    } else this.#endStall();
  }

  #endStall(): void {
    this.#cancelStall?.();
    this.#cancelStall = undefined;
  }

  /** Pauses reading: TCP flow control makes the device wait. */
  #pause(ms: number): void {
    this.#cancelPause?.();
    this.#socket.pause();
    this.#cancelPause = this.#options.clock.after(ms, () => this.#endPause());
  }

  #endPause(): void {
    if (!this.#cancelPause) return;
    this.#cancelPause();
    this.#cancelPause = undefined;
    this.#watchStall();
    this.#socket.resume();
  }

  #end(fault: ConnectionFault, message: string): void {
    if (this.#ended) return;
    this.#ended = new ConnectionError(fault, message);
    this.#cancelDeadline();
    this.#endStall();
    this.#cancelPause?.();
    // Not a half-close: a device that hangs would keep the socket open for ever.
    this.#socket.destroy();
    this.#inFlight?.reject(
      new ConnectionError(fault, message, { maybeDone: fault !== 'unverified', partly: this.#partly }),
    );
    this.#inFlight = undefined;
    for (const waiting of [...this.#urgent.splice(0), ...this.#ordinary.splice(0)]) {
      waiting.reject(new ConnectionError(fault, message));
    }
    this.#reportEnd(this.#ended);
  }
}

/** @returns the function that cancels it. */
function deadline(clock: Clock, ms: number, onOver: () => void): () => void {
  const lastCallMs = Math.min(LAST_CALL_MS, ms / 2);
  let cancel = clock.after(ms - lastCallMs, () => {
    cancel = clock.after(lastCallMs, onOver);
  });
  return () => cancel();
}

function encodeRequest(
  { method, path, contentType = HAP_JSON }: HapRequest,
  body: string | Buffer | undefined,
  host: string,
): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n`;
  if (body === undefined) return Buffer.from(`${head}\r\n`);
  const type = body.length > 0 ? `Content-Type: ${contentType}\r\n` : '';
  const bytes = Buffer.byteLength(body);
  const whole = `${head}${type}Content-Length: ${bytes}\r\n\r\n`;
  return typeof body === 'string' ? Buffer.from(whole + body) : Buffer.concat([Buffer.from(whole), body]);
}

/** The address only: a port, a zone or an mDNS name overflows buffers in some devices. */
function hostHeader(address: string): string {
  const [bare = address] = address.split('%');
  return bare.includes(':') ? `[${bare}]` : bare;
}
