/**
 * One connection to one of the addresses that were checked for it. It does no DNS lookup and never reconnects, so it
 * always leads to an allowed address, however long it is kept.
 */
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Client, Dispatcher } from 'undici';
import type { HttpAnswer } from '../../home/http-sender.ts';
import { loadOnce } from '../../kernel/load-once.ts';
import { readBody } from './answer-body.ts';
import type { CheckedRequest } from './request-rules.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Delay before the next address is tried in parallel (RFC 8305 recommends 250 ms; old devices are slower). */
const NEXT_ADDRESS_MS = 1_000;
/** The same as Node's limit for the whole header section. */
const MAX_HEADER_BYTES = 16 * 1_024;
/** Maximum idle time. Node's servers close after 5 s and announce it; a shorter time that the peer announces wins. */
const IDLE_MS = 4_000;

// Loaded with the first request: most homes never send one, and the module is large.
const loadUndici = loadOnce(() => import('undici'));

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface ConnectionTarget extends Pick<CheckedRequest, 'origin' | 'hostname' | 'port' | 'isTls'> {
  /** At least one. */
  readonly addresses: readonly ResolvedAddress[];
  /** PEM; Node's own list if left out. */
  readonly authorities: readonly string[] | undefined;
  /** Whether the connection may be reused; if not, the peer is asked to close it. */
  readonly isKept: boolean;
}

type Connector = Extract<NonNullable<Client.Options['connect']>, (...args: never[]) => void>;

export class PinnedConnection {
  readonly #client: Client;
  /** The only socket; empty before the connection opens. */
  readonly #sockets: readonly Socket[];

  private constructor(client: Client, sockets: readonly Socket[]) {
    this.#client = client;
    this.#sockets = sockets;
  }

  /** The connection opens with the first request. */
  static async to(target: ConnectionTarget, signal: AbortSignal): Promise<PinnedConnection> {
    const { Client } = await unlessAborted(loadUndici(), signal);
    const sockets: Socket[] = [];
    const client = new Client(target.origin, {
      connect: connectorTo(target, sockets),
      pipelining: target.isKept ? 1 : 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The signal is the only deadline, and it covers the whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return new PinnedConnection(client, sockets);
  }

  /** The peer's address while the connection is open and idle. */
  get idleTo(): string | undefined {
    const [socket] = this.#sockets;
    const isOpen = socket && !socket.connecting && !socket.destroyed && socket.writable && socket.readable;
    return isOpen && !this.#client.destroyed ? socket.remoteAddress : undefined;
  }

  /** @returns the response when its head has arrived, with a reader for the body */
  async send(
    checked: CheckedRequest,
    body: string | Uint8Array | undefined,
    signal: AbortSignal,
  ): Promise<() => Promise<HttpAnswer>> {
    // While it connects, the client ignores the signal.
    const answer = await unlessAborted(this.#client.request(optionsOf(checked, body, signal)), signal);
    return () => readAnswer(answer);
  }

  /** Closes immediately, connected or not. */
  close(): void {
    // Awaiting this would wait for a peer that does not close.
    this.#client.destroy().catch(() => {});
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Connects to the given addresses, once. @param sockets receives the sockets that it opens */
function connectorTo(
  { hostname, port, isTls, addresses, authorities }: ConnectionTarget,
  sockets: Socket[],
): Connector {
  const lookup: LookupFunction = (_, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family ?? 0);
  };
  const target = {
    host: hostname,
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    noDelay: true,
  };
  return (_, callback) => {
    if (sockets.length > 0) {
      callback(new Error('the connection was closed'), null);
      return;
    }
    const socket = isTls ? connectTls({ ...target, ...tlsOptions(hostname, authorities) }) : connectTcp(target);
    sockets.push(socket);
    let settled = false;
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      settled = true;
      callback(null, socket);
    });
    // This listener stays: an error after the client has finished with the socket does not matter, but must not be
    // unhandled.
    socket.on('error', (error) => {
      if (!settled) callback(error, null);
      settled = true;
    });
  };
}

/**
 * `rejectUnauthorized` is explicit, so that no environment variable overrides it. An IP address is not sent as SNI (RFC
 * 6066 §3).
 */
function tlsOptions(hostname: string, authorities: readonly string[] | undefined) {
  const servername = isIP(hostname) > 0 ? undefined : hostname.replace(/\.$/, '');
  return {
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(servername && { servername }),
    ...(authorities && { ca: [...authorities] }),
  };
}

function optionsOf(
  { path, method, headers }: CheckedRequest,
  body: string | Uint8Array | undefined,
  signal: AbortSignal,
): Dispatcher.RequestOptions {
  return { path, method: method as Dispatcher.HttpMethod, headers, body: body ?? null, signal };
}

async function readAnswer(answer: Dispatcher.ResponseData): Promise<HttpAnswer> {
  const headers = Object.fromEntries(
    Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
  const body = await readBody(answer.body, headers['content-type']);
  return { status: answer.statusCode, statusText: answer.statusText, headers, body };
}
