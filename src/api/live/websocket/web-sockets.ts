/**
 * WebSockets in the protocol of existing clients (wire-facts §11.1): at `/ws` on the HTTP port, and at any path on the
 * port after it. Like every API it passes requests to the operations that REST calls, and reads events from the ring
 * that `/events` reads. `session.ts` is the protocol, `feed.ts` sends updates to a client, `actions/` are the requests;
 * this file tracks the connections and their limits.
 */
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import { addressKey } from '../../../app/access/attempts.ts';
import type { Caller } from '../../../app/access/caller.ts';
import { ShareRateLimits } from '../../../app/sharing/request-limits.ts';
import type { HomeEvents } from '../../../home/events.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { EventBus } from '../../../kernel/event-bus.ts';
import { newId } from '../../../kernel/ids.ts';
import { loadOnce } from '../../../kernel/load-once.ts';
import type { ApiDeps } from '../../api-deps.ts';
import type { ApiContext } from '../../env.ts';
import type { FailureLog } from '../../failure-log.ts';
import { type Upgrade, WEB_SOCKET_PATH } from '../../upgrade.ts';
import type { LiveClients } from '../live-clients.ts';
import type { LiveRing } from '../live-ring.ts';
import { StreamSupervisor, type WatchedStream, type WatchSubject, watchCaller } from '../stream-supervisor.ts';
import { Broadcasts } from './broadcasts.ts';
import type { Outlet } from './outlet.ts';
import { SocketSession } from './session.ts';
import type { SessionDeps } from './session-deps.ts';
import { SocketOutlet } from './socket-outlet.ts';

/** `characteristics.set` for every accessory of a large home. */
export const MAX_MESSAGE_BYTES = 262_144;

const SENTENCE = 'Too many WebSockets are open. Close one and try again.';
/** For authenticated clients; behind an untrusted proxy all of them have one address. */
const KNOWN = { inAll: 160, perOwner: 64, perAddress: 96, sentence: SENTENCE };
/**
 * Existing clients connect unauthenticated and authenticate a moment later; the others follow a share, or do nothing.
 */
const STRANGERS = { inAll: 64, perOwner: 64, perAddress: 64, sentence: SENTENCE };
/**
 * For clients that are being closed and do not disconnect; only clients that hold connections open on purpose are so
 * many.
 */
const MAX_LEAVING = 256;

export interface WebSocketDeps extends ApiDeps {
  readonly info: { readonly name: string };
  readonly live: LiveRing;
  readonly clients?: LiveClients | undefined;
  readonly bus: EventBus<HomeEvents>;
  readonly isReady: () => boolean;
  readonly failures: FailureLog;
}

export class WebSockets {
  readonly #deps: WebSocketDeps;
  readonly #sessionDeps: Omit<SessionDeps, 'onClosed'>;
  readonly #known: StreamSupervisor;
  readonly #strangers: StreamSupervisor;
  /** Oldest first. */
  readonly #open = new Set<SocketSession>();
  /** Connections of the sessions, and those being closed; oldest first. */
  readonly #outlets = new Set<SocketOutlet>();
  readonly #broadcasts: Broadcasts;
  /** Imported when the first client connects. */
  readonly #server = loadOnce(async (): Promise<WebSocketServer> => {
    const { WebSocketServer } = await import('ws');
    return new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // A client could spend the relay's memory and time on it, for messages of a hundred bytes.
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
      // One message in each turn of the loop: a write may wait for the disk, and one packet may contain a hundred of
      // them.
      allowSynchronousEvents: false,
    });
  });

  constructor(deps: WebSocketDeps) {
    this.#deps = deps;
    const onFailure = (error: unknown): void =>
      deps.failures.note(error, { requestId: newId(), method: 'GET', path: WEB_SOCKET_PATH });
    this.#known = new StreamSupervisor({ ...deps, onFailure }, KNOWN);
    this.#strangers = new StreamSupervisor({ ...deps, onFailure }, STRANGERS);
    for (const watch of [this.#known, this.#strangers]) deps.clients?.add('websocket', watch);
    this.#broadcasts = new Broadcasts(deps.state);
    this.#sessionDeps = {
      ...deps,
      name: deps.info.name,
      broadcasts: this.#broadcasts,
      shareLimits: new ShareRateLimits(deps),
      watch: (caller, acts) => this.#watch(caller, acts),
      counts: (caller) => ({ webClientCount: this.size, webhookCount: deps.webhooks.countOf(caller) }),
      onFailure,
    };
  }

  /** The number of connected clients. */
  get size(): number {
    return this.#open.size;
  }

  /** Takes a connection over. @throws `invalid_request` the handshake is invalid (RFC 6455 §4.2.1) · `rate_limited` */
  async accept(c: ApiContext, upgrade: Upgrade, caller: Caller): Promise<Response> {
    const request = c.env?.incoming;
    if (!request) throw new Error('An upgrade has no request');
    requireHandshake(request.headers);
    const server = await this.#server();
    return upgrade.take((socket: Duplex, head) => {
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const outlet = new SocketOutlet(webSocket, socket);
        this.#outlets.add(outlet);
        socket.once('close', () => this.#outlets.delete(outlet));
        const session = this.open(caller, outlet);
        if (session) outlet.serve(session);
        this.#cutLeaving();
      });
    });
  }

  /** Begins a session. @returns `undefined` if there are too many, after an error to the client */
  open(caller: Caller, outlet: Outlet): SocketSession | undefined {
    if (this.#open.size === 0) this.#broadcasts.forget();
    const onClosed = (): void => void this.#open.delete(session);
    const session = new SocketSession({ ...this.#sessionDeps, onClosed }, caller, outlet);
    try {
      session.open();
    } catch (error) {
      if (!(error instanceof HearthError)) throw error;
      outlet.close('later', error.message);
      return undefined;
    }
    this.#open.add(session);
    return session;
  }

  /** The limits apply to sessions; a client that never completes the close has no session, but still a connection. */
  #cutLeaving(): void {
    if (this.#outlets.size - this.#open.size <= MAX_LEAVING) return;
    for (const outlet of this.#outlets) {
      if (!outlet.isLeaving) continue;
      outlet.cut();
      return;
    }
  }

  #watch(caller: Caller, acts: Pick<WatchSubject, 'onEnd' | 'onTick'>): WatchedStream {
    if (caller.principal.kind !== 'anonymous') {
      return watchCaller({ watch: this.#known, credentials: this.#deps.credentials }, caller, acts);
    }
    this.#makeRoom();
    const address = addressKey(caller.address);
    return this.#strangers.open({ owner: `anonymous ${address}`, address, isLive: () => true, ...acts });
  }

  /** Closes the oldest idle unauthenticated session, so that such clients do not keep others out. */
  #makeRoom(): void {
    if (this.#strangers.size < STRANGERS.inAll) return;
    for (const session of this.#open) {
      if (!session.isDispensable) continue;
      session.end('later', SENTENCE);
      return;
    }
  }
}

/** Checks that `ws` would fail with its own messages. */
function requireHandshake(headers: NodeJS.Dict<string | string[]>): void {
  const key = headers['sec-websocket-key'];
  if (typeof key !== 'string' || !/^[+/0-9A-Za-z]{22}==$/.test(key)) {
    throw new HearthError('invalid_request', 'The header Sec-WebSocket-Key is missing or malformed (RFC 6455 §4.1).');
  }
  if (headers['sec-websocket-version'] !== '13' && headers['sec-websocket-version'] !== '8') {
    throw new HearthError('invalid_request', 'Only version 13 of the WebSocket protocol is spoken here (RFC 6455).');
  }
}
