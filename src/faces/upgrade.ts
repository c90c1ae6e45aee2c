/**
 * A connection that asks to go on as a WebSocket (RFC 9110 §7.8, RFC 6455 §4.1). It goes the way of every request, through the guards and
 * to a route, and whoever serves that route takes it over; if nobody does, what the face answered is written to it, and it closes.
 */
import { IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { HearthError } from '../kernel/errors.ts';
import { answer } from './respond.ts';

/** Where WebSockets are on the HTTP port; on their own port any path leads here. */
export const WEB_SOCKET_PATH = '/ws';

/** For the face's own bookkeeping: the client never sees this answer. */
const TAKEN = 204;

/** What Node says of a request's wish for another protocol. */
const ASKED = Symbol('upgrade');

/** Whose wish for a WebSocket is heard; everybody else gets a plain answer. */
export type UpgradeTest = (request: IncomingMessage) => boolean;

/**
 * Requests whose wish for any other protocol is passed over, as a server may (RFC 9110 §7.8): programs that offer HTTP/2 in this way
 * (Java's, curl's `--http2`) get their plain answer, bodies and all. Node hands a connection over, out of its parser, as soon as `upgrade`
 * is true.
 */
export function requestClass(isHeard: UpgradeTest): typeof IncomingMessage {
  return class extends IncomingMessage {
    // Set by the constructor above it, before fields of this class would be.
    declare [ASKED]: boolean | null;

    get upgrade(): boolean {
      return this[ASKED] === true && (this.method === 'CONNECT' || isHeard(this));
    }

    set upgrade(asked: boolean | null) {
      this[ASKED] = asked;
    }
  };
}

/** The connection, for whoever takes it over. */
export class Upgrade {
  readonly #socket: Duplex;
  readonly #head: Buffer;
  /** Whether it came in on the port that speaks nothing else. */
  readonly onOwnPort: boolean;
  #isTaken = false;

  constructor(socket: Duplex, head: Buffer, onOwnPort: boolean) {
    this.#socket = socket;
    this.#head = head;
    this.onOwnPort = onOwnPort;
  }

  /** From now on whoever called this answers on the connection. @returns what the route answers with, for nobody to see */
  take(serve: (socket: Duplex, head: Buffer) => void): Response {
    this.#isTaken = true;
    serve(this.#socket, this.#head);
    return answer(null, TAKEN, {});
  }

  /** For a connection that nobody took. */
  async refuse(response: Response): Promise<void> {
    if (this.#isTaken) return;
    const body = Buffer.from(await response.arrayBuffer());
    const headers = [...response.headers].filter(([name]) => name !== 'connection' && name !== 'content-length');
    const lines = [...headers, ['Connection', 'close'], ['Content-Length', body.byteLength]];
    const head = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}`;
    if (!this.#socket.writable) {
      this.#socket.destroy();
      return;
    }
    this.#socket.write(`${head}\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`);
    this.#socket.end(body, () => this.#socket.destroy());
  }
}

/** The rest of the handshake is looked at by whoever performs it. */
export const asksForWebSocket: UpgradeTest = ({ headers, method }) =>
  method === 'GET' && headers.upgrade?.trim().toLowerCase() === 'websocket';

export const asksForWebSocketAtItsPath: UpgradeTest = (request) =>
  asksForWebSocket(request) && /^\/ws\/?(\?|$)/.test(request.url ?? '');

/** For whoever speaks plain HTTP where only WebSockets are spoken (RFC 9110 §15.5.22). */
export function upgradeRequired(): { readonly error: HearthError; readonly status: 426 } {
  const sentence = 'This address speaks WebSocket only. Open it with a WebSocket client: ws:// or wss://.';
  return { error: new HearthError('invalid_request', sentence), status: 426 };
}
