/**
 * One TCP connection to an accessory server, from the first byte to the last: plain until pair-verify has agreed on keys, encrypted
 * from then on. HTTP answers carry no number, so one request is in flight at a time and whatever breaks that order (a corrupt byte,
 * an answer nobody asked for, a request past its deadline) ends the connection: its counters can't be trusted any more. Every
 * request settles: with its answer, at its deadline, or when the connection ends. Knows no characteristics and never reconnects.
 */
import type { Socket } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { dial, type HostPort } from './dial.ts';
import type { SessionKeys, TlvExchange } from './exchange.ts';
import { FrameDecoder, FrameEncoder } from './frames.ts';
import { type Message, MessageReader } from './message-reader.ts';

export type ConnectionFault =
  /** No address accepted a connection. */
  | 'unreachable'
  /** No answer within the deadline. */
  | 'timeout'
  /** The other side hung up. */
  | 'hang_up'
  /** What came can't be what the device meant to send. */
  | 'corrupt'
  /** The device says that this connection is not verified (HTTP 470). It carried nothing out. */
  | 'unverified'
  /** The request waited too long behind others and was never sent. The connection lives. */
  | 'expired'
  /** We ended it. */
  | 'closed';

export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly fault: ConnectionFault;
  /** Whether the device may have carried the request out. */
  readonly maybeDone: boolean;
  /** Whether any part of an answer had come. */
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
  /** From the first address tried to a socket. */
  readonly connectMs?: number;
  /** From a request's last byte out to its answer's last byte in. */
  readonly requestMs?: number;
  readonly signal?: AbortSignal;
  /** Called with the body of each notification, in order. @returns milliseconds to read nothing more, usually 0. */
  readonly onEvent?: (body: Buffer) => number;
  /** Called with how long each answer took, in milliseconds. */
  readonly onAnswer?: (elapsedMs: number) => void;
}

export interface HapRequest {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly body?: string | Buffer;
  readonly contentType?: string;
  /** Goes before all requests that are not: a person is waiting. */
  readonly urgent?: boolean;
  /** Not sent after this moment of the monotonic clock. */
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
/** A pairing answer is a few hundred bytes; nobody who has not proved who he is may send much. */
const PLAIN_LIMITS = { response: 65_536, event: 0 };
/** A bridge of 149 children has 0.3 MB; a notification of all its characteristics 0.1 MB. */
const SECURE_LIMITS = { response: 8 * 1024 * 1024, event: 1024 * 1024 };
const NOT_VERIFIED = 470;

export class Connection {
  readonly address: HostPort;
  /** Resolves when the connection has ended, with why. */
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
  /** When the request in flight was sent, on the monotonic clock. */
  #sentAt = 0;
  #cancelDeadline: () => void = () => {};
  #cancelStall: (() => void) | undefined;
  #cancelPause: (() => void) | undefined;
  #ended: ConnectionError | undefined;
  #reportEnd: (reason: ConnectionError) => void = () => {};

  private constructor(socket: Socket, address: HostPort, options: ConnectionOptions) {
    this.address = address;
    this.#socket = socket;
    this.#options = options;
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

  /** Connects to whichever address answers first. @throws ConnectionError `unreachable` */
  static async open(addresses: readonly HostPort[], options: ConnectionOptions): Promise<Connection> {
    const { clock, connectMs: deadlineMs = CONNECT_MS, signal } = options;
    const { socket, address } = await dial(addresses, { clock, deadlineMs, signal }).catch((error: unknown) => {
      throw new ConnectionError('unreachable', messageOf(error));
    });
    return new Connection(socket, address, options);
  }

  /** Pair-setup and pair-verify in plain text; `/pairings`, once secured, encrypted. */
  readonly exchange: TlvExchange = async (path, body) => {
    const answer = await this.request({ method: 'POST', path, body, contentType: TLV8, urgent: true });
    // Errors of pairing are inside the TLV, whatever the HTTP status: devices answer them with 200 and with 400.
    if (answer.body.length > 0 || answer.status < 300) return answer.body;
    throw new ConnectionError('corrupt', `The device refused ${path} with HTTP status ${answer.status}`);
  };

  /** Encrypts from the next byte on, in both directions. */
  secure(keys: SessionKeys): void {
    this.#encoder = new FrameEncoder(keys.write);
    this.#decoder = new FrameDecoder(keys.read);
    this.#reader = new MessageReader(SECURE_LIMITS);
  }

  /** Makes an accessory that is not paired show itself. @returns the HTTP status: 204, or 400 if it is paired. */
  async identify(): Promise<number> {
    return (await this.request({ method: 'POST', path: '/identify', body: '' })).status;
  }

  /** Sends a request once those before it are answered. @throws ConnectionError */
  request(request: HapRequest): Promise<Message> {
    if (this.#ended) return Promise.reject(new ConnectionError(this.#ended.fault, this.#ended.message));
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
      if (next.request.sendBy !== undefined && this.#options.clock.monotonic() > next.request.sendBy) {
        next.reject(new ConnectionError('expired', 'The device was too busy with other requests to be asked in time'));
      } else this.#send(next);
    }
  }

  #send(pending: Pending): void {
    const { clock, requestMs = REQUEST_MS } = this.#options;
    this.#inFlight = pending;
    this.#partly = false;
    this.#sentAt = clock.monotonic();
    this.#cancelDeadline = clock.after(requestMs, () =>
      this.#end('timeout', `The device did not answer within ${Math.round(requestMs / 1000)} s`),
    );
    const plain = encodeRequest(pending.request, this.#host);
    // One write, hence one segment: some devices read no further than that.
    this.#socket.write(this.#encoder ? this.#encoder.encode(plain) : plain);
  }

  #receive(chunk: Buffer): void {
    if (this.#ended) return;
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
      if (pauseMs > 0) this.#pause(pauseMs);
      return;
    }
    const answered = this.#inFlight;
    if (!answered) throw new Error('An answer came that nobody asked for');
    if (message.status === NOT_VERIFIED && this.#decoder) {
      this.#end('unverified', 'The device wants the connection verified again');
      return;
    }
    this.#inFlight = undefined;
    this.#cancelDeadline();
    this.#options.onAnswer?.(this.#options.clock.monotonic() - this.#sentAt);
    answered.resolve(message);
    this.#sendNext();
  };

  /** A notification that begins and never ends would make us deaf to all others, without anybody waiting for it. */
  #watchStall(): void {
    // While we do not listen ourselves the device can't go on.
    if (this.#reader.unfinished && !this.#ended && !this.#cancelPause) {
      const { clock, requestMs = REQUEST_MS } = this.#options;
      this.#cancelStall ??= clock.after(requestMs, () => this.#end('timeout', 'The device stopped in mid-sentence'));
    } else this.#endStall();
  }

  #endStall(): void {
    this.#cancelStall?.();
    this.#cancelStall = undefined;
  }

  /** Stops reading for a while: TCP makes the device wait. */
  #pause(ms: number): void {
    this.#cancelPause?.();
    this.#socket.pause();
    this.#cancelPause = this.#options.clock.after(ms, () => {
      this.#cancelPause = undefined;
      this.#watchStall();
      this.#socket.resume();
    });
  }

  #end(fault: ConnectionFault, message: string): void {
    if (this.#ended) return;
    this.#ended = new ConnectionError(fault, message);
    this.#cancelDeadline();
    this.#endStall();
    this.#cancelPause?.();
    // Not a half-close: a device that hangs would keep the socket for ever.
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

function encodeRequest({ method, path, body, contentType = HAP_JSON }: HapRequest, host: string): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n`;
  if (body === undefined) return Buffer.from(`${head}\r\n`);
  const type = body.length > 0 ? `Content-Type: ${contentType}\r\n` : '';
  const bytes = Buffer.byteLength(body);
  const whole = `${head}${type}Content-Length: ${bytes}\r\n\r\n`;
  return typeof body === 'string' ? Buffer.from(whole + body) : Buffer.concat([Buffer.from(whole), body]);
}

/** The address alone: a port, a zone or an mDNS name overflow buffers in some devices. */
function hostHeader(address: string): string {
  const [bare = address] = address.split('%');
  return bare.includes(':') ? `[${bare}]` : bare;
}
