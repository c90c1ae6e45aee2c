/**
 * One listening socket with its limits. A peer may be slow, silent or malformed, and there may be many: it gets a plain
 * 4xx or is disconnected, and other peers are still served (security checklist, rows 9 and 10).
 */
import type { IncomingMessage, RequestListener, ServerOptions, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { ListenOptions, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { holdInput, stopAtUpgrades } from './held-input.ts';
import { answerRefusal, destroyThis, HttpConnection, peerOf, type Refusal, refuse } from './listener-connection.ts';
import type { RequestTurns } from './request-turns.ts';
import { requestClass, type UpgradeTest } from './upgrade.ts';

export interface ListenerLimits {
  /** The time limit for a request's head, from when the connection opens. */
  readonly headersTimeoutMs: number;
  /** The time limit for the whole request. */
  readonly requestTimeoutMs: number;
  /** How long a connection may stay open between requests: longer than clients' polling interval of 30 s. */
  readonly keepAliveTimeoutMs: number;
  /** How often the first two limits are checked. */
  readonly checkIntervalMs: number;
  /** The maximum number of connections; one with no request in progress is closed for a new one. */
  readonly maxConnections: number;
  /**
   * The maximum number of requests of one connection that are read but not answered. The relay handles one, the others
   * wait; the rest stays unread.
   */
  readonly maxPipelined: number;
}

export const DEFAULT_LIMITS: ListenerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 75_000,
  checkIntervalMs: 2_000,
  maxConnections: 256,
  maxPipelined: 4,
};

const MAX_HEADER_BYTES = 16_384;
/** Errors of the parser. */
const PARSER_REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, sentence: `The head of a request may have ${MAX_HEADER_BYTES} bytes at most.` },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, sentence: 'The request did not arrive in time.' },
};
const MALFORMED: Refusal = { status: 400, sentence: 'This is not a well-formed HTTP request.' };
/** RFC 9112 §3.2. */
const NO_HOST: Refusal = { status: 400, sentence: 'The Host header is missing.' };
const UNKNOWN_EXPECTATION: Refusal = {
  status: 417,
  sentence: 'Leave the Expect header out, or send 100-continue.',
};
/** 400, not 405: no method is possible on such a target. */
const NO_PROXY: Refusal = { status: 400, sentence: 'CONNECT is not possible here: this is no proxy.' };

export interface TlsMaterial {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/**
 * Fields that affect handling and have one value (RFC 9110 §5.3). Node keeps the first of some and joins others; a
 * proxy in front may take the last. So with duplicates two programs would understand two requests.
 */
const SINGLE_FIELDS: ReadonlySet<string> = new Set([
  'access-control-request-method',
  'authorization',
  'content-length',
  'content-type',
  'host',
  'last-event-id',
  'origin',
  'sec-websocket-key',
  'sec-websocket-version',
  'transfer-encoding',
]);

function refusalOf({ headers, rawHeaders, httpVersion, httpVersionMajor }: IncomingMessage): Refusal | undefined {
  if (httpVersionMajor < 1) return MALFORMED;
  if (headers.host === undefined && httpVersion === '1.1') return NO_HOST;
  const twice = fieldSentTwice(rawHeaders);
  return twice === undefined ? undefined : { status: 400, sentence: `The header ${twice} must be sent once only.` };
}

/** @returns its name as the client sent it */
function fieldSentTwice(rawHeaders: readonly string[]): string | undefined {
  let seen: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const key = name.toLowerCase();
    if (!SINGLE_FIELDS.has(key)) continue;
    if (seen?.includes(key)) return name;
    seen ??= [];
    seen.push(key);
  }
  return undefined;
}

/** Handles connections that ask for an upgrade to WebSocket. */
export interface Upgrades {
  readonly accepts: UpgradeTest;
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface ListenerDeps {
  readonly handle: RequestListener;
  readonly limits: ListenerLimits;
  /** Shared by all listeners of the process, since they share its event loop. */
  readonly turns: RequestTurns;
  readonly tls?: TlsMaterial | undefined;
  readonly upgrades?: Upgrades;
}

export class HttpListener {
  readonly #server: ReturnType<typeof createHttpServer> | ReturnType<typeof createHttpsServer>;
  readonly #limits: ListenerLimits;
  readonly #turns: RequestTurns;
  readonly #upgrades: Upgrades | undefined;
  /** The event with which Node accepts a connection. */
  readonly #connectionEvent: 'connection' | 'secureConnection';
  readonly #connections = new Map<Duplex, HttpConnection>();
  /** Upgraded connections: no limit here applies to them, only the stop. */
  readonly #upgraded = new Set<Duplex>();
  /** TCP connections that have not agreed on TLS yet, oldest first, by peer address. */
  readonly #handshakes = new Map<string, Socket>();
  #stopping = false;

  constructor({ handle, limits, turns, tls, upgrades }: ListenerDeps) {
    this.#limits = limits;
    this.#turns = turns;
    this.#upgrades = upgrades;
    this.#connectionEvent = tls ? 'secureConnection' : 'connection';
    const options: ServerOptions = {
      IncomingMessage: requestClass(
        (request) => upgrades?.accepts(request) === true,
        (request) => this.#hasToWait(request),
      ),
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Node's own error responses have no body: the listener makes the same checks below.
      requireHostHeader: false,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      noDelay: true,
    };
    const listener: RequestListener = (request, response) => {
      const refusal = refusalOf(request);
      this.#track(request, response, () => {
        if (refusal) answerRefusal(response, refusal);
        else handle(request, response);
      });
    };
    if (tls) {
      const secure = { ...options, ...tls, handshakeTimeout: limits.headersTimeoutMs };
      this.#server = createHttpsServer(secure, listener);
      this.#server.on('connection', (socket: Socket) => this.#awaitHandshake(socket));
    } else {
      this.#server = createHttpServer(options, listener);
    }
    // The size of headers is limited. A limit on their number would not reject the rest but drop it, an Origin or a
    // token among it.
    this.#server.maxHeadersCount = 0;
    this.#server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      this.#track(request, response, () => answerRefusal(response, UNKNOWN_EXPECTATION));
    });
    this.#server.on('upgrade', (...upgrade) => this.#handOver(...upgrade));
    this.#server.on('connect', (_request, socket) => refuse(socket, NO_PROXY));
    this.#server.on(this.#connectionEvent, (socket: Socket) => this.#admit(socket));
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      // No error can be sent in the middle of a response.
      const begun = this.#connections.get(socket)?.hasBegunToAnswer;
      if (begun || error.code === 'ECONNRESET') socket.destroy();
      else refuse(socket, PARSER_REFUSALS[error.code ?? ''] ?? MALFORMED);
    });
  }

  /** Listens, or rejects with the system's error. */
  async listen(options: ListenOptions): Promise<void> {
    const server: Server = this.#server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options, () => {
        server.off('error', reject);
        // Such as running out of file handles: open connections continue.
        server.on('error', () => {});
        resolve();
      });
    });
  }

  /** The chosen port; `null` on a Unix socket. */
  get port(): number | null {
    const address = this.#server.address();
    return typeof address === 'object' ? (address?.port ?? null) : null;
  }

  /** @throws if certificate and key do not belong together; the old ones then stay in use. */
  setTls(material: TlsMaterial): void {
    if ('setSecureContext' in this.#server) this.#server.setSecureContext({ ...material });
  }

  /** Stops accepting connections, lets responses in progress finish, and closes the rest after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    if (!this.#server.listening) return;
    this.#stopping = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of this.#connections.values()) connection.retire();
    const deadline = setTimeout(() => {
      for (const socket of [...this.#connections.keys(), ...this.#upgraded]) socket.destroy();
    }, graceMs);
    await closed;
    clearTimeout(deadline);
    this.#stopping = false;
  }

  /** Whether a request stays unread until earlier ones are answered. */
  #hasToWait(request: IncomingMessage): boolean {
    const connection = this.#connections.get(request.socket);
    if (!connection) return false;
    if (connection.pending >= this.#limits.maxPipelined) return true;
    return connection.pending > 0 && this.#upgrades?.accepts(request) === true;
  }

  /** The parser has stopped at a request that has to wait, or at one that becomes a WebSocket. */
  #handOver(request: IncomingMessage, socket: Duplex, rest: Buffer): void {
    // Node has removed its listeners, and a connection error must not end the process.
    socket.on('error', destroyThis);
    const connection = this.#connections.get(socket);
    const upgrades = this.#upgrades;
    // Closed in the meantime.
    if (!connection) socket.destroy();
    else if (connection.pending === 0 && upgrades?.accepts(request)) {
      const refusal = refusalOf(request);
      if (refusal) refuse(socket, refusal);
      else this.#turns.take(connection.key, () => this.#release(upgrades, request, socket, rest));
    } else {
      const release = holdInput(socket, request, rest);
      connection.onceIdle(() => {
        release();
        socket.off('error', destroyThis);
        connection.socket.setTimeout(0);
        this.#server.emit(this.#connectionEvent, socket);
      });
    }
  }

  /** From here on another part counts and supervises the connection. */
  #release(upgrades: Upgrades, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!this.#connections.delete(socket)) return;
    this.#upgraded.add(socket);
    socket.once('close', () => this.#upgraded.delete(socket));
    upgrades.take(request, socket, head);
  }

  #awaitHandshake(socket: Socket): void {
    const peer = peerOf(socket);
    this.#handshakes.set(peer, socket);
    socket.once('close', () => this.#handshakes.delete(peer));
    const [oldest] = this.#handshakes.values();
    if (this.#handshakes.size > this.#limits.maxConnections) oldest?.destroy();
  }

  #admit(socket: Socket): void {
    stopAtUpgrades(socket);
    this.#handshakes.delete(peerOf(socket));
    // The connection was paused, and its next request can now be read.
    if (this.#connections.has(socket)) return;
    const connection = new HttpConnection(socket, this.#turns);
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      this.#connections.delete(socket);
      connection.close();
    });
    if (this.#connections.size > this.#limits.maxConnections) this.#drop(this.#chooseToDrop(connection));
  }

  /**
   * Chooses the connection to close for a new one. Silent and slow peers come first, then those that do not read their
   * responses: a peer that holds connections open keeps no other out. Then the address with the most connections loses
   * one whose request has not begun. A response in progress is never cut off.
   */
  #chooseToDrop(newcomer: HttpConnection): HttpConnection {
    const others = [...this.#connections.values()].filter((connection) => connection !== newcomer);
    const longestIn = (phase: HttpConnection['phase']): HttpConnection | undefined =>
      others
        .filter((connection) => connection.phase === phase)
        .reduce<HttpConnection | undefined>((a, b) => (a && a.usedAt <= b.usedAt ? a : b), undefined);
    return longestIn('receiving') ?? longestIn('sending') ?? waitingOfBusiest(others, newcomer.key) ?? newcomer;
  }

  #drop({ socket }: HttpConnection): void {
    this.#connections.get(socket)?.close();
    this.#connections.delete(socket);
    socket.destroy();
  }

  #track(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const connection = this.#connections.get(request.socket);
    // The connection is closed, but the parser still reads what had arrived.
    if (!connection) return;
    connection.answer({ request, response, begin });
    if (this.#stopping) connection.retire();
  }
}

/**
 * A connection whose request has not begun, of the address with the most connections, if that is more than `key` has.
 */
function waitingOfBusiest(connections: readonly HttpConnection[], key: string): HttpConnection | undefined {
  const counts = new Map<string, number>();
  for (const connection of connections) counts.set(connection.key, (counts.get(connection.key) ?? 0) + 1);
  const [busiest] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [key, counts.get(key) ?? 0]);
  if (busiest === key) return undefined;
  return connections.find((connection) => connection.key === busiest && connection.phase === 'waiting');
}
