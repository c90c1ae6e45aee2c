/**
 * A connection that asks for an upgrade to WebSocket (RFC 9110 §7.8, RFC 6455 §4.1). Like every request it passes the
 * guards and reaches a route, which takes the connection over. If no route does, the API's response is written to it,
 * and it closes.
 */
import { IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { HearthError } from '../kernel/errors.ts';
import { answer } from './respond.ts';

/** The path of WebSockets on the HTTP port; their own port accepts any path. */
export const WEB_SOCKET_PATH = '/ws';

/** For the API's own accounting: the client never sees this response. */
const TAKEN = 204;

/** The value that Node sets for a request's upgrade. */
const ASKED = Symbol('upgrade');
/** Whether the request has to wait. Decided once: Node reads it several times. */
const WAITS = Symbol('waits');

/** Decides which upgrade requests are accepted; every other request gets a plain response. */
export type UpgradeTest = (request: IncomingMessage) => boolean;

/**
 * Ignores upgrades to any other protocol, as a server may (RFC 9110 §7.8). Programs that offer HTTP/2 in this way
 * (Java's, curl's `--http2`) get their plain response, bodies and all. Node hands a connection over, out of its parser,
 * as soon as `upgrade` is true. It is also true of a request that has to wait: so the parser stops there.
 */
export function requestClass(accepts: UpgradeTest, hasToWait: UpgradeTest): typeof IncomingMessage {
  return class extends IncomingMessage {
    // The base constructor sets it, before fields of this class would be initialised.
    declare [ASKED]: boolean | null;
    declare [WAITS]: boolean | undefined;

    get upgrade(): boolean {
      if (this[ASKED] === null) return false;
      this[WAITS] ??= hasToWait(this);
      return this[WAITS] || (this[ASKED] && (this.method === 'CONNECT' || accepts(this)));
    }

    set upgrade(asked: boolean | null) {
      this[ASKED] = asked;
    }
  };
}

/** The connection, for the route that takes it over. */
export class Upgrade {
  readonly #socket: Duplex;
  readonly #head: Buffer;
  /** Whether it came in on the WebSocket port. */
  readonly onOwnPort: boolean;
  #isTaken = false;

  constructor(socket: Duplex, head: Buffer, onOwnPort: boolean) {
    this.#socket = socket;
    this.#head = head;
    this.onOwnPort = onOwnPort;
  }

  /** From now on the caller writes to the connection. @returns the route's response, which no client sees */
  take(serve: (socket: Duplex, head: Buffer) => void): Response {
    this.#isTaken = true;
    serve(this.#socket, this.#head);
    return answer(null, TAKEN, {});
  }

  /** For a connection that no route took over. */
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

/** The WebSocket library checks the rest of the handshake. */
export const asksForWebSocket: UpgradeTest = ({ headers, method }) =>
  method === 'GET' && headers.upgrade?.trim().toLowerCase() === 'websocket';

export const asksForWebSocketAtItsPath: UpgradeTest = (request) =>
  asksForWebSocket(request) && /^\/ws\/?(\?|$)/.test(request.url ?? '');

/** For plain HTTP on the WebSocket port (RFC 9110 §15.5.22). */
export function upgradeRequired(): { readonly error: HearthError; readonly status: 426 } {
  const sentence = 'This address speaks WebSocket only. Open it with a WebSocket client: ws:// or wss://.';
  return { error: new HearthError('invalid_request', sentence), status: 426 };
}
