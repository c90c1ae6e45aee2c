/**
 * Where the face meets the network: TCP (plain or TLS, one listener an address) and the Unix socket `hearthd.sock`, whose
 * file mode is its authentication. Knows nothing of what is served.
 */
import { lstatSync, readFileSync, unlinkSync, unwatchFile, watchFile } from 'node:fs';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { HearthError, messageOf } from '../kernel/errors.ts';
import type { Startable } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/logger.ts';
import type { FaceEnv } from './env.ts';
import { presentError } from './error-table.ts';
import { DEFAULT_LIMITS, Listener, type ListenerLimits, type TlsMaterial } from './listener.ts';

export interface HttpServerOptions {
  readonly fetch: (request: Request, env: FaceEnv['Bindings']) => Response | Promise<Response>;
  /** Addresses to listen on; empty = every address, IPv4 and IPv6. */
  readonly host: readonly string[];
  /** 0 = any free port, the same on every address. */
  readonly port: number;
  readonly socketPath: string | null;
  /** Paths of PEM files; read again when they change. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly logger: Logger;
  readonly limits?: Partial<ListenerLimits>;
  /** How often changed TLS files are looked for. */
  readonly tlsCheckMs?: number;
}

/** Renewals replace files by name and through symbolic links, which only asking by name finds reliably. */
const TLS_CHECK_MS = 10_000;
const STOP_GRACE_MS = 5_000;
/** How long to wait for somebody behind a socket file that may be left over. */
const STALE_SOCKET_TIMEOUT_MS = 2_000;
/** Only the owner may connect (decisions §1). */
const SOCKET_UMASK = 0o177;

export class HttpServer implements Startable {
  readonly #options: HttpServerOptions;
  readonly #limits: ListenerLimits;
  #listeners: Listener[] = [];
  #port = 0;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  /** The port on which it listens; 0 while it does not. */
  get port(): number {
    return this.#port;
  }

  /** An address that reaches it from this machine. */
  get url(): string {
    const { host, tls } = this.#options;
    const [first = '0.0.0.0'] = host;
    const name = first === '0.0.0.0' || first === '::' ? 'localhost' : first.includes(':') ? `[${first}]` : first;
    return `${tls ? 'https' : 'http'}://${name}:${this.#port}`;
  }

  /** @throws `conflict` in one line that says what to do: port or socket taken, address not ours, TLS files unusable. */
  async start(): Promise<void> {
    const { host, port, socketPath, tls } = this.#options;
    const material = tls ? readTls(tls) : undefined;
    try {
      this.#port = port;
      for (const address of host.length > 0 ? host : [undefined]) {
        const listener = createTcpListener(this.#listen(false), this.#limits, material);
        await openTcp(listener, address, this.#port, host.length > 1);
        this.#listeners.push(listener);
        this.#port = listener.port ?? this.#port;
      }
      if (socketPath !== null) await this.#openSocket(socketPath);
    } catch (error) {
      await this.stop();
      throw error;
    }
    if (tls) this.#watchTls(tls);
  }

  /** Answers under way finish within five seconds. */
  async stop(): Promise<void> {
    const { tls } = this.#options;
    if (tls) for (const path of [tls.cert, tls.key]) unwatchFile(path);
    const listeners = this.#listeners;
    this.#listeners = [];
    await Promise.all(listeners.map((listener) => listener.stop(STOP_GRACE_MS)));
    this.#port = 0;
  }

  #listen(viaSocket: boolean): RequestListener {
    const { fetch, logger } = this.#options;
    const answerTo = (request: Request, env: unknown): Response | Promise<Response> => {
      const { incoming, outgoing } = env as HttpBindings;
      return fetch(request, { incoming, outgoing, viaSocket });
    };
    const listener = getRequestListener(answerTo, {
      // HTTP/1.0 asks without a Host; the guards decide about the name.
      hostname: 'localhost',
      errorHandler: (error) => {
        // A target or Host that no URL can be made of; everything else is answered inside the face.
        logger.debug({ error: messageOf(error) }, 'A request could not be read');
        return presentError(new HearthError('invalid_request', 'The request target is not a valid URL.'), '-', '');
      },
    });
    return (request, response) => void listener(request, response);
  }

  async #openSocket(path: string): Promise<void> {
    await removeStaleSocket(path);
    const listener = new Listener(this.#listen(true), this.#limits);
    // The file is made while `listen` runs, so that it never has a wider mode, not even for a moment.
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
    const { logger, tlsCheckMs = TLS_CHECK_MS } = this.#options;
    const reload = (): void => {
      try {
        const material = readTls(tls);
        for (const listener of this.#listeners) listener.setTls(material);
        logger.info({ cert: tls.cert }, 'The TLS certificate was read again');
      } catch (error) {
        // Between the replacement of one file and of the other they don't match; the second change brings us back here.
        logger.warn({ error: messageOf(error) }, 'The changed TLS files are not usable yet; the old ones stay in use');
      }
    };
    for (const path of [tls.cert, tls.key]) watchFile(path, { interval: tlsCheckMs, persistent: false }, reload);
  }
}

function readTls({ cert, key }: { cert: string; key: string }): TlsMaterial {
  try {
    return { cert: readFileSync(cert), key: readFileSync(key) };
  } catch (error) {
    throw new HearthError('conflict', `Can't read the TLS files: ${messageOf(error)}`, {}, { cause: error });
  }
}

function createTcpListener(handle: RequestListener, limits: ListenerLimits, tls: TlsMaterial | undefined): Listener {
  try {
    return new Listener(handle, limits, tls);
  } catch (error) {
    throw new HearthError(
      'conflict',
      `The TLS files are not usable (${messageOf(error)}). Give a certificate chain with --tls-cert and its private key with --tls-key, both PEM.`,
      {},
      { cause: error },
    );
  }
}

/** @param besideOthers then `::` means IPv6 alone: taking IPv4 as well, it would be in the way of `0.0.0.0` or `127.0.0.1`. */
async function openTcp(
  listener: Listener,
  host: string | undefined,
  port: number,
  besideOthers: boolean,
): Promise<void> {
  try {
    await listener.listen(host === undefined ? { port } : { host, port, ipv6Only: besideOthers });
  } catch (error) {
    throw new HearthError('conflict', describeListenError(error, host, port), {}, { cause: error });
  }
}

function describeListenError(error: unknown, host: string | undefined, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program. Stop that one, or choose another port with --port.`;
  }
  if (code === 'EACCES') return `Port ${port} may not be used without privileges. Choose one above 1023 with --port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${host} is not an address of this machine. Correct --host, or leave it out to listen everywhere.`;
  }
  return `Can't listen on port ${port}: ${messageOf(error)}`;
}

/** A crash leaves the file behind. It is removed only if it is a socket and nobody answers on it. */
async function removeStaleSocket(path: string): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isSocket()) throw new HearthError('conflict', `${path} is in the way: it is no socket. Remove it.`);
  if (await somebodyAnswers(path)) {
    throw new HearthError('conflict', `Another hearthd answers on ${path}. Stop that one first.`);
  }
  unlinkSync(path);
}

function somebodyAnswers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path, timeout: STALE_SOCKET_TIMEOUT_MS });
    const settle = (answers: boolean): void => {
      socket.destroy();
      resolve(answers);
    };
    socket.once('connect', () => settle(true));
    // A full backlog is somebody too.
    socket.once('timeout', () => settle(true));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      settle(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}
