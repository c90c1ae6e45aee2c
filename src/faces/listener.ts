/**
 * One listening socket with its limits. A peer may be slow, silent, garbled or many: it gets a plain 4xx or is cut off, and
 * the others are served (security checklist, rows 9 and 10).
 */
import type { IncomingMessage, RequestListener, ServerOptions, ServerResponse } from 'node:http';
import { createServer as createHttpServer, STATUS_CODES } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { ListenOptions, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PROTECTIVE_HEADERS } from './respond.ts';
import { requestClass, type UpgradeTest } from './upgrade.ts';

export interface ListenerLimits {
  /** A request's head must be complete by then, from the moment the connection opens. */
  readonly headersTimeoutMs: number;
  /** And the whole request by then. */
  readonly requestTimeoutMs: number;
  /** How long a connection may stay open between requests: longer than clients' polling of 30 s. */
  readonly keepAliveTimeoutMs: number;
  /** How often the two first ones are looked after. */
  readonly checkIntervalMs: number;
  /** Connections at a time; one that nobody waits on makes room for a new one. */
  readonly maxConnections: number;
  /** Requests on one connection that have no answer yet. Clients hardly ever send the next one before they have it. */
  readonly maxPipelined: number;
}

export const DEFAULT_LIMITS: ListenerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 75_000,
  checkIntervalMs: 2_000,
  maxConnections: 256,
  maxPipelined: 64,
};

const MAX_HEADER_BYTES = 16_384;

/** What is refused before the face sees it. */
interface Refusal {
  readonly status: number;
  readonly sentence: string;
}

/** What the parser refuses. */
const PARSER_REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, sentence: `The head of a request may have ${MAX_HEADER_BYTES} bytes at most.` },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, sentence: 'The request did not arrive in time.' },
};
const MALFORMED: Refusal = { status: 400, sentence: 'This is not a well-formed HTTP request.' };
/** RFC 9112 §3.2. */
const NO_HOST: Refusal = { status: 400, sentence: 'The Host header is missing.' };
const UNKNOWN_EXPECTATION: Refusal = { status: 417, sentence: 'Leave the Expect header out, or send 100-continue.' };
/** 400 and no 405: there is no method that would do on such a target. */
const NO_PROXY: Refusal = { status: 400, sentence: 'CONNECT is not possible here: this is no proxy.' };

export interface TlsMaterial {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** What becomes of connections that ask to go on as WebSockets. */
export interface Upgrades {
  readonly isHeard: UpgradeTest;
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export class Listener {
  readonly #server: ReturnType<typeof createHttpServer> | ReturnType<typeof createHttpsServer>;
  readonly #limits: ListenerLimits;
  readonly #connections = new Map<Duplex, Connection>();
  /** Those that speak HTTP no more: none of the limits here is about them, only the stop. */
  readonly #upgraded = new Set<Duplex>();
  /** TCP connections that have not agreed on TLS yet, oldest first, by peer address. */
  readonly #handshakes = new Map<string, Socket>();
  #stopping = false;

  constructor(handle: RequestListener, limits: ListenerLimits, tls?: TlsMaterial, upgrades?: Upgrades) {
    this.#limits = limits;
    const options: ServerOptions = {
      ...(upgrades && { IncomingMessage: requestClass(upgrades.isHeard) }),
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Node's own refusals have no body: those of what it would ask for are ours, below.
      requireHostHeader: false,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      noDelay: true,
    };
    const listener: RequestListener = (request, response) => {
      if (!this.#track(request, response)) return;
      if (request.httpVersionMajor < 1) answerRefusal(response, MALFORMED);
      else if (request.headers.host === undefined && request.httpVersion === '1.1') answerRefusal(response, NO_HOST);
      else handle(request, response);
    };
    if (tls) {
      const secure = { ...options, ...tls, handshakeTimeout: limits.headersTimeoutMs };
      this.#server = createHttpsServer(secure, listener);
      this.#server.on('connection', (socket: Socket) => this.#awaitHandshake(socket));
    } else {
      this.#server = createHttpServer(options, listener);
    }
    // Their bytes are limited. A limit on their number would not refuse the rest but drop it, an Origin or a token among it.
    this.#server.maxHeadersCount = 0;
    this.#server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      if (this.#track(request, response)) answerRefusal(response, UNKNOWN_EXPECTATION);
    });
    if (upgrades) this.#server.on('upgrade', (...upgrade) => this.#release(upgrades, ...upgrade));
    this.#server.on('connect', (_request, socket) => refuse(socket, NO_PROXY));
    this.#server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => this.#admit(socket));
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      // Into the middle of an answer there is nothing to be said.
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
        // Such as running out of file handles: what is open goes on.
        server.on('error', () => {});
        resolve();
      });
    });
  }

  /** The port that was picked; `null` on a Unix socket. */
  get port(): number | null {
    const address = this.#server.address();
    return typeof address === 'object' ? (address?.port ?? null) : null;
  }

  /** @throws if certificate and key do not belong together; the old ones then stay. */
  setTls(material: TlsMaterial): void {
    if ('setSecureContext' in this.#server) this.#server.setSecureContext({ ...material });
  }

  /** Accepts nobody new, lets answers under way finish, and cuts what is left after `graceMs`. */
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

  /** From here on it is somebody else's, who counts and watches over what it took. */
  #release(upgrades: Upgrades, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const connection = this.#connections.get(socket);
    // Dropped meanwhile, or still owed answers to requests that were sent before this one.
    if (!connection || connection.pending > 0 || this.#stopping) {
      socket.destroy();
      return;
    }
    this.#connections.delete(socket);
    this.#upgraded.add(socket);
    socket.once('close', () => this.#upgraded.delete(socket));
    // Node listens no more, and a connection that fails must not end the process.
    socket.on('error', () => socket.destroy());
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
    this.#handshakes.delete(peerOf(socket));
    const connection = new Connection(socket);
    this.#connections.set(socket, connection);
    socket.once('close', () => this.#connections.delete(socket));
    if (this.#connections.size > this.#limits.maxConnections) this.#drop(this.#chooseToDrop(connection));
  }

  /**
   * Silent and slow peers make room first, then those that do not take their answers: nobody who holds connections open keeps
   * others out. One that waits for its answer is never cut off.
   */
  #chooseToDrop(newcomer: Connection): Connection {
    const others = [...this.#connections.values()].filter((connection) => connection !== newcomer);
    const longestIn = (phase: Connection['phase']): Connection | undefined =>
      others
        .filter((connection) => connection.phase === phase)
        .reduce<Connection | undefined>((a, b) => (a && a.usedAt <= b.usedAt ? a : b), undefined);
    return longestIn('receiving') ?? longestIn('sending') ?? newcomer;
  }

  #drop({ socket }: Connection): void {
    this.#connections.delete(socket);
    socket.destroy();
  }

  /** @returns whether the request is to be answered. */
  #track(request: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.#connections.get(request.socket);
    // Dropped, while the parser goes on through what had arrived.
    if (!connection) return false;
    connection.answer(request, response);
    if (connection.pending > this.#limits.maxPipelined) {
      this.#drop(connection);
      return false;
    }
    if (this.#stopping) connection.retire();
    return true;
  }
}

/** One connection and the answers that are under way on it. */
class Connection {
  readonly socket: Duplex;
  /** By the monotonic clock. */
  usedAt = performance.now();
  #request: IncomingMessage | undefined;
  #answering: ServerResponse | undefined;
  #count = 0;
  #retired = false;
  readonly #answered = (): void => {
    this.#count -= 1;
    this.usedAt = performance.now();
    if (this.#retired && this.#isIdle) this.socket.end();
  };

  constructor(socket: Duplex) {
    this.socket = socket;
  }

  /** Answers under way. */
  get pending(): number {
    return this.#count;
  }

  /** Whose turn it is: the peer's to send (more of) a request, ours to answer, or the peer's to take the answer. */
  get phase(): 'receiving' | 'answering' | 'sending' {
    if (this.#isIdle || this.#request?.complete !== true) return 'receiving';
    return this.hasBegunToAnswer ? 'sending' : 'answering';
  }

  get hasBegunToAnswer(): boolean {
    return !this.#isIdle && this.#answering?.headersSent === true;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    this.#request = request;
    this.#answering = response;
    this.#count += 1;
    response.once('close', this.#answered);
  }

  /** Ends it as soon as it owes nothing: now, or after the answers under way, of which the last one says so. */
  retire(): void {
    this.#retired = true;
    if (this.#isIdle) this.socket.destroy();
    else if (this.#answering && !this.#answering.headersSent) this.#answering.shouldKeepAlive = false;
  }

  get #isIdle(): boolean {
    return this.#count === 0;
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

const REFUSAL_HEADERS = { ...PROTECTIVE_HEADERS, 'Content-Type': 'application/json', Connection: 'close' };

function bodyOf({ sentence }: Refusal): string {
  return JSON.stringify({ error: sentence, code: 'invalid_request' });
}

/** For a request that was read. */
function answerRefusal(response: ServerResponse, refusal: Refusal): void {
  const body = bodyOf(refusal);
  response.writeHead(refusal.status, { ...REFUSAL_HEADERS, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

/** For a connection on which no request was read, so that there is no response to speak through. */
function refuse(socket: Duplex, refusal: Refusal): void {
  // Node has handed it over and listens no more: a peer that resets it must not end the process.
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
