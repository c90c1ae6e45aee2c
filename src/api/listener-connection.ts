/** One connection of the listener: its unanswered requests in order, and the answers to requests that it refuses. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressKey } from '../app/access/attempts.ts';
import type { RequestTurns } from './request-turns.ts';
import { PROTECTIVE_HEADERS } from './respond.ts';

/** A request that is rejected before it reaches the API. */
export interface Refusal {
  readonly status: number;
  readonly sentence: string;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  begin(): void;
}

/** One connection and its unanswered requests, oldest first. The relay handles one of them at a time. */
export class HttpConnection {
  readonly socket: Socket;
  /** By the monotonic clock. */
  usedAt = performance.now();
  readonly #turns: RequestTurns;
  readonly #exchanges: Exchange[] = [];
  #hasBegun = false;
  #retired = false;
  #closed = false;
  #whenIdle: (() => void) | undefined;
  #key: string | undefined;

  constructor(socket: Socket, turns: RequestTurns) {
    this.socket = socket;
    this.#turns = turns;
  }

  /** The key for its turns: connections of the same address share them. */
  get key(): string {
    this.#key ??= addressKey(this.socket.remoteAddress);
    return this.#key;
  }

  /** The number of requests without a response. */
  get pending(): number {
    return this.#exchanges.length;
  }

  /**
   * The next step: the peer sends (more of) a request, a request waits to begin, the relay responds, or the peer reads
   * the response.
   */
  get phase(): 'receiving' | 'waiting' | 'answering' | 'sending' {
    if (this.#exchanges.at(-1)?.request.complete !== true) return 'receiving';
    if (!this.#hasBegun) return 'waiting';
    return this.hasBegunToAnswer ? 'sending' : 'answering';
  }

  get hasBegunToAnswer(): boolean {
    return this.#exchanges[0]?.response.headersSent === true;
  }

  answer(exchange: Exchange): void {
    this.#exchanges.push(exchange);
    if (this.#exchanges.length === 1) this.#takeTurn();
  }

  /** Calls the callback as soon as every request read has its response. */
  onceIdle(callback: () => void): void {
    this.#whenIdle = callback;
    this.#goOn();
  }

  /**
   * Closes the connection once it is idle: now, or after the responses in progress, the last of which has `Connection:
   * close`.
   */
  retire(): void {
    this.#retired = true;
    const last = this.#exchanges.at(-1)?.response;
    if (!last) this.socket.destroy();
    else if (!last.headersSent) last.shouldKeepAlive = false;
  }

  /** Requests that have not begun never begin. */
  close(): void {
    this.#closed = true;
  }

  #takeTurn(): void {
    this.#turns.take(this.key, () => this.#begin());
  }

  #begin(): void {
    const [exchange] = this.#exchanges;
    if (!exchange || this.#closed) return;
    this.#hasBegun = true;
    exchange.response.once('close', () => {
      this.#exchanges.shift();
      this.#hasBegun = false;
      this.usedAt = performance.now();
      if (this.#closed) return;
      if (this.#exchanges.length > 0) this.#takeTurn();
      else if (this.#retired) this.socket.end();
      else this.#goOn();
    });
    exchange.begin();
  }

  #goOn(): void {
    const callback = this.#whenIdle;
    if (!callback || this.#exchanges.length > 0) return;
    this.#whenIdle = undefined;
    callback();
  }
}

export function destroyThis(this: Duplex): void {
  this.destroy();
}

export function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

const REFUSAL_HEADERS = { ...PROTECTIVE_HEADERS, 'Content-Type': 'application/json', Connection: 'close' };

function bodyOf({ sentence }: Refusal): string {
  return JSON.stringify({ error: sentence, code: 'invalid_request' });
}

/** For a request that was read. */
export function answerRefusal(response: ServerResponse, refusal: Refusal): void {
  const body = bodyOf(refusal);
  response.writeHead(refusal.status, { ...REFUSAL_HEADERS, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

/** For a connection on which no request was read, so that there is no response object. */
export function refuse(socket: Duplex, refusal: Refusal): void {
  // Node has removed its listeners: a connection reset must not end the process.
  socket.on('error', () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = bodyOf(refusal);
  const headers = { ...REFUSAL_HEADERS, 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`;
  socket.end(`${head}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
