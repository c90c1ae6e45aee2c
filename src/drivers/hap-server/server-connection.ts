/**
 * One TCP connection of a controller: plain until pair-verify, then encrypted. It answers requests one by one, in
 * order, and sends events in between. Everything is bounded: requests that wait, a request that does not end, a
 * controller that does not read, a connection that is never verified. It knows no HAP paths.
 */
import type { Socket } from 'node:net';
import type { HomeDeps } from '../../home/home-deps.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { TaskSlices } from '../../kernel/slices.ts';
import { STATUS } from '../hap/wire/characteristics-codec.ts';
import type { SessionKeys } from '../hap/wire/exchange.ts';
import { FrameDecoder, FrameEncoder } from '../hap/wire/frames.ts';
import { type ReceivedRequest, RequestError, RequestReader, type RequestSizes } from './request-reader.ts';
import { encodeRejection, encodeResponse, failure, type HapResponse } from './response.ts';

export interface ServerConnectionDeps extends HomeDeps<'clock' | 'logger'> {
  /** Shared by all connections of a server, so that none keeps the others waiting. */
  readonly slices: TaskSlices;
  readonly answer: (request: ReceivedRequest) => HapResponse | Promise<HapResponse>;
  /** The messages of all pending events; empty if there are none. */
  readonly takeEvents: () => Buffer;
  /** Called once. */
  readonly onEnd: (reason: string) => void;
}

/** Pairing messages have some 500 bytes. */
const PLAIN_LIMITS: RequestSizes = { headBytes: 8_192, bodyBytes: 8_192 };
/** A read of each characteristic of a large bridge; a scene for all its accessories. */
const SECURE_LIMITS: RequestSizes = { headBytes: 65_536, bodyBytes: 524_288 };
/** Requests that wait before the connection is not read any more. */
const MAX_WAITING = 32;
/** From the first byte of a request to its last. */
const MAX_REQUEST_MS = 30_000;
/** How long a controller may not read while output waits. */
const MAX_STALL_MS = 30_000;
/** A user may type the setup code meanwhile. */
const MAX_UNVERIFIED_MS = 600_000;
const MAX_UNVERIFIED_IDLE_MS = 180_000;
/**
 * Events wait for the answer that is owed, as HAP-NodeJS does it, because some controllers expect nothing else. They do
 * not wait for a slow accessory.
 */
const MAX_EVENT_WAIT_MS = 1_000;
/** After the last answer, the controller may still read it. */
const CLOSE_GRACE_MS = 1_000;
const KEEP_ALIVE_MS = 20_000;

type DeadlineKind = 'request' | 'stall' | 'verify' | 'idle' | 'events' | 'close';

export class ServerConnection {
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** When a byte last arrived, in monotonic time. */
  lastActiveAt: number;
  readonly #socket: Socket;
  readonly #deps: ServerConnectionDeps;
  readonly #waiting: ReceivedRequest[] = [];
  #reader = new RequestReader(PLAIN_LIMITS);
  #decoder: FrameDecoder | undefined;
  #encoder: FrameEncoder | undefined;
  #phase: 'open' | 'closing' | 'ended' = 'open';
  /** A request is being answered. */
  #isAnswering = false;
  #isTakingTurns = false;
  /** Output waits for the controller. */
  #isStalled = false;
  #eventsMayPass = false;
  /** One deadline for each name. */
  readonly #deadlines = new Map<DeadlineKind, () => void>();

  constructor(socket: Socket, deps: ServerConnectionDeps) {
    this.#socket = socket;
    this.#deps = deps;
    this.address = socket.remoteAddress ?? '';
    this.since = deps.clock.now();
    this.lastActiveAt = deps.clock.monotonic();
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('drain', () => this.#onDrain());
    socket.on('error', (error) => this.close(messageOf(error)));
    socket.on('close', () => this.close('the controller closed it'));
    this.#deadline('verify', MAX_UNVERIFIED_MS, () => this.close('the controller was not verified in time'));
    this.#restartIdle();
  }

  get isVerified(): boolean {
    return this.#encoder !== undefined;
  }

  /** Encrypts everything from the next byte on, in both directions. */
  secure(keys: SessionKeys): void {
    this.#cancel('verify');
    this.#cancel('idle');
    // Bytes that came too early were not encrypted.
    if (this.#reader.unfinished || this.#waiting.length > 0) {
      this.close('the controller did not wait for its verification');
      return;
    }
    this.#encoder = new FrameEncoder(keys.read);
    this.#decoder = new FrameDecoder(keys.write);
    this.#reader = new RequestReader(SECURE_LIMITS);
  }

  /** Sends pending events, unless an answer is owed. */
  flushEvents(): void {
    const owesAnswer = (this.#isAnswering && !this.#eventsMayPass) || this.#waiting.length > 0;
    if (this.#phase !== 'open' || this.#isStalled || owesAnswer) return;
    const messages = this.#deps.takeEvents();
    if (messages.length > 0) this.#write(messages);
  }

  /** Closes when the answer in progress is written, at once if there is none. */
  closeAfterAnswer(reason: string): void {
    if (!this.#isAnswering) this.close(reason);
    else if (this.#phase === 'open') this.#phase = 'closing';
  }

  close(reason: string): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    for (const cancel of this.#deadlines.values()) cancel();
    this.#deadlines.clear();
    this.#waiting.length = 0;
    this.#socket.destroy();
    this.#deps.onEnd(reason);
  }

  #receive(chunk: Buffer): void {
    if (this.#phase !== 'open') return;
    this.lastActiveAt = this.#deps.clock.monotonic();
    if (!this.isVerified) this.#restartIdle();
    try {
      if (this.#decoder) this.#decoder.push(chunk, this.#onPlain);
      else this.#onPlain(chunk);
    } catch (error) {
      this.#reject(error);
      return;
    }
    if (this.#waiting.length > MAX_WAITING) this.#socket.pause();
    this.#watchRequest();
    this.#takeTurns();
  }

  readonly #onPlain = (bytes: Buffer): void => {
    this.#reader.push(bytes, (request) => {
      this.#cancel('request');
      this.#waiting.push(request);
    });
  };

  /** The stream is not valid HTTP: nothing after this can be read. */
  #reject(error: unknown): void {
    if (error instanceof RequestError && this.#isAnswering) this.closeAfterAnswer(error.message);
    else if (error instanceof RequestError) {
      const rejection = encodeRejection(error.status);
      this.#socket.write(this.#encoder ? this.#encoder.encode(rejection) : rejection);
      this.#finish(error.message);
    } else this.close(messageOf(error));
  }

  #takeTurns(): void {
    if (this.#isTakingTurns) return;
    this.#isTakingTurns = true;
    for (;;) {
      const request = this.#phase === 'open' && !this.#isAnswering && !this.#isStalled && this.#waiting.shift();
      if (!request) break;
      this.#isAnswering = true;
      this.#deps.slices.run(() => this.#answer(request));
    }
    this.#isTakingTurns = false;
    if (this.#phase !== 'open' || this.#isAnswering || this.#isStalled) return;
    if (this.#socket.isPaused()) {
      this.#socket.resume();
      this.#watchRequest();
    }
    this.flushEvents();
  }

  #answer(request: ReceivedRequest): void {
    if (this.#phase === 'ended') return;
    const response = this.#attempt(request);
    if (response instanceof Promise) void this.#sendLater(response);
    else this.#send(response);
  }

  #attempt(request: ReceivedRequest): HapResponse | Promise<HapResponse> {
    try {
      return this.#deps.answer(request);
    } catch (error) {
      return this.#onFailed(error);
    }
  }

  async #sendLater(response: Promise<HapResponse>): Promise<void> {
    this.#deadline('events', MAX_EVENT_WAIT_MS, () => {
      this.#eventsMayPass = true;
      this.flushEvents();
    });
    this.#send(await response.catch((error: unknown) => this.#onFailed(error)));
  }

  #onFailed(error: unknown): HapResponse {
    this.#deps.logger.error({ error: messageOf(error) }, 'Could not answer a controller');
    return failure(500, STATUS.busy);
  }

  #send(response: HapResponse): void {
    if (this.#phase === 'ended') return;
    this.#cancel('events');
    this.#eventsMayPass = false;
    this.#isAnswering = false;
    this.#write(encodeResponse(response, this.#deps.clock.now()));
    response.onWritten?.();
    if (this.#phase === 'closing') this.#finish('the controller was removed');
    else this.#takeTurns();
  }

  #write(plain: Buffer): void {
    const isTaken = this.#socket.write(this.#encoder ? this.#encoder.encode(plain) : plain);
    if (isTaken || this.#isStalled) return;
    this.#isStalled = true;
    this.#socket.pause();
    this.#cancel('request');
    this.#deadline('stall', MAX_STALL_MS, () => this.close('the controller does not read'));
  }

  #onDrain(): void {
    if (!this.#isStalled) return;
    this.#isStalled = false;
    this.#cancel('stall');
    this.#takeTurns();
  }

  /** Lets the last answer leave. */
  #finish(reason: string): void {
    this.#phase = 'closing';
    this.#socket.end();
    this.#deadline('close', CLOSE_GRACE_MS, () => this.close(reason));
  }

  /** While we do not read, the controller can't continue its request. */
  #watchRequest(): void {
    const isUnfinished = this.#reader.unfinished || this.#decoder?.unfinished === true;
    if (!isUnfinished || this.#socket.isPaused()) this.#cancel('request');
    else if (!this.#deadlines.has('request')) {
      this.#deadline('request', MAX_REQUEST_MS, () => this.close('a request did not end'));
    }
  }

  #restartIdle(): void {
    this.#deadline('idle', MAX_UNVERIFIED_IDLE_MS, () => this.close('the controller sent nothing'));
  }

  #deadline(name: DeadlineKind, ms: number, onOver: () => void): void {
    this.#cancel(name);
    this.#deadlines.set(name, this.#deps.clock.after(ms, onOver));
  }

  #cancel(name: DeadlineKind): void {
    this.#deadlines.get(name)?.();
    this.#deadlines.delete(name);
  }
}
