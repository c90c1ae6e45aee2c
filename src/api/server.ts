/**
 * The network side of the API: TCP (plain or TLS, one listener an address) and the Unix socket `hearthd.sock`, whose
 * file mode is its authentication. It knows nothing of the API behind it.
 */
import { lstatSync, readFileSync, unlinkSync, unwatchFile, watchFile } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { HearthError, messageOf } from '../kernel/errors.ts';
import type { Startable } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ApiEnv } from './env.ts';
import { presentError, presentErrorBody } from './error-table.ts';
import { DEFAULT_LIMITS, HttpListener, type ListenerLimits, type TlsMaterial, type Upgrades } from './listener.ts';
import { createTcpListener, openTcp, type PortFlag } from './open-tcp.ts';
import type { QuickRoutes } from './quick/quick-routes.ts';
import { RequestTurns } from './request-turns.ts';
import { PROTECTIVE_HEADERS } from './respond.ts';
import { asksForWebSocket, asksForWebSocketAtItsPath, Upgrade, upgradeRequired, WEB_SOCKET_PATH } from './upgrade.ts';

export interface HttpServerDeps {
  readonly fetch: (request: Request, env: ApiEnv['Bindings']) => Response | Promise<Response>;
  /** Answers some requests in front of `fetch`; all go there if left out. */
  readonly quick?: Pick<QuickRoutes, 'take'> | undefined;
  /** Addresses to listen on; empty = every address, IPv4 and IPv6. */
  readonly host: readonly string[];
  /** 0 = any free port, the same on every address. */
  readonly port: number;
  /** The port for WebSockets alone, on the same addresses; 0 = any free port, `null` or left out = none. */
  readonly wsPort?: number | null;
  readonly socketPath: string | null;
  /** Paths of PEM files; loaded again when they change. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly logger: Logger;
  readonly limits?: Partial<ListenerLimits>;
  /** How often the relay checks the TLS files for changes. */
  readonly tlsCheckMs?: number;
}

/** Renewals replace files by name and through symbolic links, which only polling by name detects reliably. */
const TLS_CHECK_MS = 10_000;
const STOP_GRACE_MS = 5_000;
/** How long to wait for a process behind a socket file that may be left over. */
const STALE_SOCKET_TIMEOUT_MS = 2_000;
/** Only the owner may connect (decisions §1). */
const SOCKET_UMASK = 0o177;

export class HttpServer implements Startable {
  readonly #deps: HttpServerDeps;
  readonly #limits: ListenerLimits;
  readonly #turns = new RequestTurns();
  #listeners: HttpListener[] = [];
  /** Those of the https port. */
  #secure: readonly HttpListener[] = [];
  #port = 0;
  #wsPort = 0;
  #securePort = 0;

  constructor(deps: HttpServerDeps) {
    this.#deps = deps;
    this.#limits = { ...DEFAULT_LIMITS, ...deps.limits };
  }

  /** The port on which it listens; 0 while it does not. */
  get port(): number {
    return this.#port;
  }

  /** The port on which it accepts WebSockets at any path; 0 while it does not. */
  get wsPort(): number {
    return this.#wsPort;
  }

  /** The port beside the others that speaks https; 0 while there is none. */
  get securePort(): number {
    return this.#securePort;
  }

  /** An address that reaches it from this machine. */
  get url(): string {
    const { host, tls } = this.#deps;
    const [first = '0.0.0.0'] = host;
    const name = first === '0.0.0.0' || first === '::' ? 'localhost' : first.includes(':') ? `[${first}]` : first;
    return `${tls ? 'https' : 'http'}://${name}:${this.#port}`;
  }

  /**
   * @throws `conflict` in one line with the remedy: port or socket taken, address not of this machine, TLS files
   * unusable.
   */
  async start(): Promise<void> {
    const { port, wsPort, socketPath, tls } = this.#deps;
    const shared = { limits: this.#limits, turns: this.#turns, tls: tls ? readTls(tls) : undefined };
    try {
      const upgrade = this.#upgrade({ viaSocket: false, onOwnPort: false });
      const own = this.#upgrade({ viaSocket: false, onOwnPort: true });
      this.#port = await this.#openPort('port', port, this.#listeners, () =>
        createTcpListener({ ...shared, handle: this.#listen(false), upgrades: upgrade }),
      );
      if (typeof wsPort === 'number') {
        this.#wsPort = await this.#openPort('ws-port', wsPort, this.#listeners, () =>
          createTcpListener({ ...shared, handle: answerUpgradeRequired, upgrades: own }),
        );
      }
      if (socketPath !== null) await this.#openSocket(socketPath);
    } catch (error) {
      await this.stop();
      throw error;
    }
    if (tls) this.#watchTls(tls);
  }

  /**
   * Opens a further port for https, with all that the first one serves.
   * @param port 0 = any free one
   * @returns the port. @throws `conflict` in one line with the remedy
   */
  async openSecure(port: number, tls: TlsMaterial): Promise<number> {
    await this.closeSecure();
    const upgrades = this.#upgrade({ viaSocket: false, onOwnPort: false });
    const shared = { limits: this.#limits, turns: this.#turns, tls };
    const opened: HttpListener[] = [];
    try {
      this.#securePort = await this.#openPort('https-port', port, opened, () =>
        createTcpListener({ ...shared, handle: this.#listen(false), upgrades }),
      );
    } catch (error) {
      await Promise.all(opened.map((listener) => listener.stop(0)));
      throw error;
    }
    this.#secure = opened;
    return this.#securePort;
  }

  /** New connections get the other certificate; open ones go on. @throws if certificate and key do not match */
  replaceSecure(tls: TlsMaterial): void {
    for (const listener of this.#secure) listener.setTls(tls);
  }

  async closeSecure(): Promise<void> {
    const listeners = this.#secure;
    this.#secure = [];
    this.#securePort = 0;
    await Promise.all(listeners.map((listener) => listener.stop(STOP_GRACE_MS)));
  }

  /** Responses in progress finish within five seconds. */
  async stop(): Promise<void> {
    const { tls } = this.#deps;
    if (tls) for (const path of [tls.cert, tls.key]) unwatchFile(path);
    const listeners = this.#listeners;
    this.#listeners = [];
    await Promise.all([this.closeSecure(), ...listeners.map((listener) => listener.stop(STOP_GRACE_MS))]);
    this.#port = 0;
    this.#wsPort = 0;
  }

  /** Opens the same port on every address. @returns the port */
  async #openPort(flag: PortFlag, wanted: number, opened: HttpListener[], create: () => HttpListener): Promise<number> {
    const { host } = this.#deps;
    let port = wanted;
    for (const address of host.length > 0 ? host : [undefined]) {
      const listener = create();
      await openTcp(listener, { host: address, port, ipv6Only: host.length > 1 }, flag);
      opened.push(listener);
      port = listener.port ?? port;
    }
    return port;
  }

  /** An upgrade request is handled like any other request; on the WebSocket port its path has no effect. */
  #upgrade({ viaSocket, onOwnPort }: { readonly viaSocket: boolean; readonly onOwnPort: boolean }): Upgrades {
    const { fetch, logger } = this.#deps;
    const answerTo = async (incoming: IncomingMessage, upgrade: Upgrade): Promise<Response> => {
      const request = requestOf(incoming, onOwnPort);
      if (!request) return presentError(invalidTarget(), '-', '');
      return fetch(request, { incoming, viaSocket, upgrade });
    };
    return {
      accepts: onOwnPort ? asksForWebSocket : asksForWebSocketAtItsPath,
      take(incoming, socket: Duplex, head) {
        const upgrade = new Upgrade(socket, head, onOwnPort);
        answerTo(incoming, upgrade)
          .then((response) => upgrade.refuse(response))
          .catch((error: unknown) => {
            logger.error({ error: messageOf(error) }, 'Could not upgrade a connection');
            socket.destroy();
          });
      },
    };
  }

  #listen(viaSocket: boolean): RequestListener {
    const { fetch, quick, logger } = this.#deps;
    const turns = this.#turns;
    const answerTo = (request: Request, env: unknown): Response | Promise<Response> => {
      const { incoming, outgoing } = env as HttpBindings;
      const bindings = { incoming, outgoing, viaSocket, turns, stream: undefined };
      const response = fetch(request, bindings);
      return response instanceof Promise
        ? response.then((known) => connectStream(known, bindings))
        : connectStream(response, bindings);
    };
    const listener = getRequestListener(answerTo, {
      // HTTP/1.0 has no Host; the guards check the name.
      hostname: 'localhost',
      errorHandler: (error) => {
        // The target or Host does not form a URL; every other error is handled inside the API.
        logger.debug({ error: messageOf(error) }, 'Could not read a request');
        return presentError(invalidTarget(), '-', '');
      },
    });
    return (incoming, outgoing) => {
      if (quick?.take({ incoming, outgoing, viaSocket, turns })) return;
      void listener(incoming, outgoing);
    };
  }

  async #openSocket(path: string): Promise<void> {
    await removeStaleSocket(path);
    const upgrades = this.#upgrade({ viaSocket: true, onOwnPort: false });
    const listener = new HttpListener({
      handle: this.#listen(true),
      limits: this.#limits,
      turns: this.#turns,
      upgrades,
    });
    // `listen` creates the file, so that its mode is never wider, not even for a moment.
    const previous = process.umask(SOCKET_UMASK);
    let listening: Promise<void>;
    try {
      listening = listener.listen({ path });
    } finally {
      process.umask(previous);
    }
    try {
      await listening;
    } catch (error) {
      throw new HearthError('conflict', `Can't open the socket ${path}: ${messageOf(error)}`, {}, { cause: error });
    }
    this.#listeners.push(listener);
  }

  #watchTls(tls: { cert: string; key: string }): void {
    const { logger, tlsCheckMs = TLS_CHECK_MS } = this.#deps;
    const reload = (): void => {
      try {
        const material = readTls(tls);
        for (const listener of this.#listeners) listener.setTls(material);
        logger.info({ cert: tls.cert }, 'Reloaded the TLS certificate');
      } catch (error) {
        // The files don't match between the replacement of one and of the other; the second change calls this again.
        logger.warn({ error: messageOf(error) }, 'The changed TLS files are not usable yet; the old ones stay in use');
      }
    };
    for (const path of [tls.cert, tls.key]) watchFile(path, { interval: tlsCheckMs, persistent: false }, reload);
  }
}

/** @returns what is left to answer */
function connectStream(response: Response, { stream }: ApiEnv['Bindings']): Response {
  if (!stream) return response;
  stream.begin(response.status, response.headers);
  return RESPONSE_ALREADY_SENT;
}

function readTls({ cert, key }: { cert: string; key: string }): TlsMaterial {
  try {
    return { cert: readFileSync(cert), key: readFileSync(key) };
  } catch (error) {
    throw new HearthError('conflict', `Can't read the TLS files: ${messageOf(error)}`, {}, { cause: error });
  }
}

function invalidTarget(): HearthError {
  return new HearthError('invalid_request', 'The request target is not a valid URL.');
}

/** @returns `undefined` for a target or Host that does not form a URL. */
function requestOf(incoming: IncomingMessage, anyPath: boolean): Request | undefined {
  const { headers, rawHeaders, url = '/', socket } = incoming;
  try {
    const scheme = 'encrypted' in socket ? 'https' : 'http';
    const target = new URL(url, `${scheme}://${headers.host ?? 'localhost'}`);
    if (anyPath) target.pathname = WEB_SOCKET_PATH;
    const pairs = rawHeaders.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
    );
    return new Request(target, { headers: pairs });
  } catch {
    return undefined;
  }
}

const answerUpgradeRequired: RequestListener = (request, response) => {
  const { error, status } = upgradeRequired();
  const body = JSON.stringify(presentErrorBody(error));
  const headers = { ...PROTECTIVE_HEADERS, 'Content-Type': 'application/json', Upgrade: 'websocket' };
  response.writeHead(status, { ...headers, Connection: 'close', 'Content-Length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
};

/** A crash leaves the file behind. It is removed only if it is a socket and no process accepts on it. */
async function removeStaleSocket(path: string): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isSocket()) throw new HearthError('conflict', `${path} is in the way: it is no socket. Remove it.`);
  if (await isSocketInUse(path)) {
    throw new HearthError('conflict', `Another hearthd answers on ${path}. Stop that one first.`);
  }
  unlinkSync(path);
}

function isSocketInUse(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path, timeout: STALE_SOCKET_TIMEOUT_MS });
    const settle = (answers: boolean): void => {
      socket.destroy();
      resolve(answers);
    };
    socket.once('connect', () => settle(true));
    // A full backlog means a process listens too.
    socket.once('timeout', () => settle(true));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      settle(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}
