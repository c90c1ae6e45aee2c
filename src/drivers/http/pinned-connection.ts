/**
 * One connection to one of the addresses that were judged for it. It looks nothing up and never connects a second time, so that
 * however long it is kept, it leads where it was allowed to lead.
 */
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Client, Dispatcher } from 'undici';
import type { HttpAnswer } from '../../home/http-sender.ts';
import { loadOnce } from '../../kernel/load-once.ts';
import { readBody } from './answer-body.ts';
import type { CheckedRequest } from './request-rules.ts';
import { unlessAborted } from './unless-aborted.ts';

/** How long one of several addresses is tried before the next one is as well (RFC 8305 says 250 ms; old devices are slower). */
const NEXT_ADDRESS_MS = 1_000;
/** As Node's own limit for a whole head. */
const MOST_HEADER_BYTES = 16 * 1_024;
/** How long it may lie idle: Node's own servers close after five seconds, and say so; whoever says a shorter time is heard. */
const IDLE_MS = 4_000;

// Loaded with the first request: most houses never send one, and it is not small.
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
  /** Whether it may be used again; if not, the peer is told to close it. */
  readonly isKept: boolean;
}

type Connector = Extract<NonNullable<Client.Options['connect']>, (...args: never[]) => void>;

export class PinnedConnection {
  readonly #client: Client;
  /** The one; before it is connected there is none. */
  readonly #sockets: readonly Socket[];

  private constructor(client: Client, sockets: readonly Socket[]) {
    this.#client = client;
    this.#sockets = sockets;
  }

  /** It is connected with the first request. */
  static async to(target: ConnectionTarget, signal: AbortSignal): Promise<PinnedConnection> {
    const { Client } = await unlessAborted(loadUndici(), signal);
    const sockets: Socket[] = [];
    const client = new Client(target.origin, {
      connect: connectorTo(target, sockets),
      pipelining: target.isKept ? 1 : 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      maxHeaderSize: MOST_HEADER_BYTES,
      // The signal is the one deadline, over all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return new PinnedConnection(client, sockets);
  }

  /** Where it leads, while it is open and nothing is on its way. */
  get idleTo(): string | undefined {
    const [socket] = this.#sockets;
    const isOpen = socket && !socket.connecting && !socket.destroyed && socket.writable && socket.readable;
    return isOpen && !this.#client.destroyed ? socket.remoteAddress : undefined;
  }

  /** @returns once the answer begins, with what reads the rest of it */
  async send(
    checked: CheckedRequest,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<() => Promise<HttpAnswer>> {
    // While it still connects, the client does not listen to the signal.
    const answer = await unlessAborted(this.#client.request(optionsOf(checked, body, signal)), signal);
    return () => readAnswer(answer);
  }

  /** At once, connected or not yet. */
  close(): void {
    // Awaiting this would wait for a peer that does not close.
    this.#client.destroy().catch(() => {});
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Connects to the addresses given, once. @param sockets gets what it opens */
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
    // It stays: what fails after the client is through with the socket is nobody's business, but must not be unheard.
    socket.on('error', (error) => {
      if (!settled) callback(error, null);
      settled = true;
    });
  };
}

/** `rejectUnauthorized` is said so that no environment variable says otherwise; an address is no name to ask for (RFC 6066 §3). */
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
  body: string | undefined,
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
