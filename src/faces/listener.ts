/**
 * One listening socket with its limits. A peer may be slow, silent, garbled or many: it gets a plain 4xx or is cut off, and
 * the others are served (security checklist, rows 9 and 10).
 */
import type { IncomingMessage, RequestListener, ServerOptions, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { ListenOptions, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PROTECTIVE_HEADERS } from './respond.ts';

export interface ListenerLimits {
  /** A request's head must be complete by then, from the moment the connection opens. */
  readonly headersTimeoutMs: number;
  /** And the whole request by then. */
  readonly requestTimeoutMs: number;
  /** How long a connection may stay open between requests: longer than clients' polling of 30 s. */
  readonly keepAliveTimeoutMs: number;
  /** How often the two first ones are looked after. */
  readonly checkIntervalMs: number;
  /** Connections at a time; the one that has been idle longest makes room for a new one. */
  readonly maxConnections: number;
}

export const DEFAULT_LIMITS: ListenerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 75_000,
  checkIntervalMs: 2_000,
  maxConnections: 512,
};

const MAX_HEADER_BYTES = 16_384;
const MAX_HEADERS = 100;

/** What the parser refused, as an answer. */
const REFUSALS: Readonly<Record<string, { status: string; sentence: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    sentence: `The head of a request may have ${MAX_HEADER_BYTES} bytes at most.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', sentence: 'The request did not arrive in time.' },
};
const MALFORMED = { status: '400 Bad Request', sentence: 'This is not a well-formed HTTP request.' };

export interface TlsMaterial {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

export class Listener {
  readonly #server: ReturnType<typeof createHttpServer> | ReturnType<typeof createHttpsServer>;
  readonly #limits: ListenerLimits;
  /** Open connections, the least recently used first. */
  readonly #connections = new Set<Duplex>();
  readonly #answering = new Map<ServerResponse, Duplex>();
  #stopping = false;

  constructor(handle: RequestListener, limits: ListenerLimits, tls?: TlsMaterial) {
    this.#limits = limits;
    const options: ServerOptions = {
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: true,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      noDelay: true,
    };
    const listener: RequestListener = (request, response) => {
      this.#track(request, response);
      handle(request, response);
    };
    this.#server = tls ? createHttpsServer({ ...options, ...tls }, listener) : createHttpServer(options, listener);
    this.#server.maxHeadersCount = MAX_HEADERS;
    this.#server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => this.#admit(socket));
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket));
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
    for (const response of this.#answering.keys()) {
      if (!response.headersSent) response.shouldKeepAlive = false;
    }
    const answering = new Set(this.#answering.values());
    for (const connection of this.#connections) if (!answering.has(connection)) connection.destroy();
    const deadline = setTimeout(() => {
      for (const connection of this.#connections) connection.destroy();
    }, graceMs);
    await closed;
    clearTimeout(deadline);
  }

  #admit(connection: Duplex): void {
    this.#connections.add(connection);
    connection.once('close', () => this.#connections.delete(connection));
    if (this.#connections.size <= this.#limits.maxConnections) return;
    const busy = new Set(this.#answering.values());
    for (const candidate of this.#connections) {
      if (busy.has(candidate)) continue;
      candidate.destroy();
      this.#connections.delete(candidate);
      return;
    }
  }

  #track(request: IncomingMessage, response: ServerResponse): void {
    const connection = request.socket;
    this.#answering.set(response, connection);
    // To the end: it is the most recently used one now.
    this.#connections.delete(connection);
    this.#connections.add(connection);
    if (this.#stopping) response.shouldKeepAlive = false;
    response.once('close', () => {
      this.#answering.delete(response);
      if (this.#stopping) connection.end();
    });
  }
}

function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, sentence } = REFUSALS[error.code ?? ''] ?? MALFORMED;
  const body = JSON.stringify({ error: sentence, code: 'invalid_request' });
  const headers = { ...PROTECTIVE_HEADERS, 'Content-Type': 'application/json', Connection: 'close' };
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
