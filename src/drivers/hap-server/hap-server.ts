/**
 * One HAP accessory server: a bridge, or an accessory that stands alone. It accepts controllers, lets them pair,
 * answers from a `BridgeContent`, and sends events in the turn in which a value changes.
 */
import type { Socket } from 'node:net';
import { PRESS_TYPES } from '../../hap-spec/characteristics.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import type { CharacteristicValue, HapId } from '../../home/model.ts';
import type { BridgeConnection, BridgeServer, BridgeServerDeps } from '../../home/publication-port.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { TaskSlices } from '../../kernel/slices.ts';
import type { AdvertisedService } from '../discovery/advertised-records.ts';
import { Advertiser } from '../discovery/advertiser.ts';
import type { MulticastNetwork } from '../discovery/multicast-network.ts';
import { signingKeysOf } from '../hap/pairing/pairing-crypto.ts';
import { advertisedBridge } from './advertised-bridge.ts';
import { AttributeIndex } from './attribute-index.ts';
import { ControllerSession } from './controller-session.ts';
import { EventQueue } from './event-queue.ts';
import { PairingsServer } from './pairing/pairings-server.ts';
import { SetupServer } from './pairing/setup-server.ts';
import { type VerifiedController, VerifyServer } from './pairing/verify-server.ts';
import { presentValue } from './present-attributes.ts';
import { RequestHandler } from './request-handler.ts';
import { ServerConnection } from './server-connection.ts';
import { TcpListeners } from './tcp-listeners.ts';

export interface HapServerDeps extends BridgeServerDeps, HomeDeps<'clock' | 'logger'> {
  /** It advertises itself there; controllers reach it over the chosen interfaces only. */
  readonly network: MulticastNetwork;
  /** Addresses and names to listen on; empty means every address. */
  readonly hosts: readonly string[];
  /** Of the relay: eight hex digits. */
  readonly instanceId: string;
}

/** Homes have a few hubs and a phone for each person, and some apps. */
const MAX_CONNECTIONS = 64;
const SEEN_INTERVAL_MS = 60_000;

interface Client {
  readonly connection: ServerConnection;
  readonly session: ControllerSession;
  readonly events: EventQueue;
}

export class HapServer implements BridgeServer {
  readonly #deps: HapServerDeps;
  readonly #logger: Logger;
  readonly #index: AttributeIndex;
  readonly #setup: SetupServer;
  readonly #handler: RequestHandler;
  readonly #listeners: TcpListeners;
  readonly #advertiser: Advertiser;
  readonly #slices = new TaskSlices();
  readonly #keys;
  /** In the order in which they connected. */
  readonly #clients = new Map<ControllerSession, Client>();
  /** When each controller was last reported as seen, in monotonic time. */
  readonly #seenAt = new Map<string, number>();
  #port: number | undefined;
  #flushes = false;

  constructor(deps: HapServerDeps) {
    const { identity, controllers, content, clock } = deps;
    this.#deps = deps;
    this.#logger = deps.logger.child({ part: 'hap-server', bridge: identity.deviceId });
    this.#index = new AttributeIndex(content);
    this.#keys = signingKeysOf(identity.secretKey);
    const logger = this.#logger;
    const onChanged = () => this.controllersChanged();
    this.#setup = new SetupServer({ identity, keys: this.#keys, controllers, clock, logger, onPaired: onChanged });
    this.#handler = new RequestHandler({
      ...{ content, controllers, clock, index: this.#index, setup: this.#setup },
      pairings: new PairingsServer({ controllers, logger, onRemoved: onChanged }),
      onVerified: (session, controller) => this.#onVerified(session, controller),
      onRequest: (identifier) => this.#noteSeen(identifier),
    });
    const { network, hosts } = deps;
    this.#listeners = new TcpListeners({ hosts, onConnection: (socket) => this.#accept(socket) });
    this.#advertiser = new Advertiser({ network, clock, logger, host: hosts, service: () => this.#advertised() });
  }

  get port(): number | undefined {
    return this.#port;
  }

  /** @throws `Error` if a host is no address of this machine */
  async start(): Promise<void> {
    if (this.#port !== undefined) return;
    const { preferredPort } = this.#deps;
    this.#port = await this.#listeners.open(preferredPort);
    if (preferredPort !== undefined && preferredPort !== this.#port) {
      this.#logger.warn({ port: this.#port, taken: preferredPort }, 'The port is taken; the bridge uses another one');
    }
    await this.#advertiser.start();
  }

  /** Sends goodbyes. */
  async stop(): Promise<void> {
    const withdrawn = this.#advertiser.stop();
    this.#port = undefined;
    const closed = this.#listeners.close();
    for (const { connection } of [...this.#clients.values()]) connection.close('the server stopped');
    await Promise.all([withdrawn, closed]);
  }

  connections(): readonly BridgeConnection[] {
    return [...this.#clients.values()].flatMap(({ connection: { address, since }, session: { identifier } }) =>
      identifier === undefined ? [] : [{ identifier, address, since }],
    );
  }

  valueChanged(aid: HapId, iid: HapId, value: CharacteristicValue): void {
    const attribute = this.#index.find(aid, iid);
    if (!attribute) return;
    const { key, characteristic } = attribute;
    const text = presentValue(characteristic, value);
    const event = {
      key,
      element: `{"aid":${aid},"iid":${iid},"value":${text}}`,
      isPress: PRESS_TYPES.has(characteristic.type),
    };
    for (const { session, events, connection } of [...this.#clients.values()]) {
      // Asked first: any change ends an own write, subscribed or not.
      if (session.isOwnWrite(key, text) || !session.subscriptions.has(key)) continue;
      if (events.add(event)) this.#flushSoon();
      else connection.close('the controller does not read its events');
    }
  }

  databaseChanged(): void {
    this.#index.invalidate();
    this.#advertiser.refresh();
  }

  controllersChanged(): void {
    this.#advertiser.refresh();
    const known = new Set(this.#deps.controllers.list().map(({ identifier }) => identifier));
    for (const { connection, session } of [...this.#clients.values()]) {
      if (session.identifier === undefined || known.has(session.identifier)) continue;
      connection.closeAfterAnswer('the controller was removed');
    }
    for (const identifier of this.#seenAt.keys()) if (!known.has(identifier)) this.#seenAt.delete(identifier);
  }

  #accept(socket: Socket): void {
    const { clock, network, identity, controllers } = this.#deps;
    if (this.#port === undefined || !network.isChosen(plainAddress(socket.localAddress ?? ''))) {
      socket.destroy();
      return;
    }
    if (this.#clients.size >= MAX_CONNECTIONS) this.#makeRoom();
    const session = new ControllerSession(new VerifyServer({ identity, keys: this.#keys, controllers }), clock);
    const events = new EventQueue();
    const connection = new ServerConnection(socket, {
      ...{ clock, logger: this.#logger, slices: this.#slices },
      answer: (request) => this.#handler.handle(session, request),
      takeEvents: () => events.take((key) => session.subscriptions.has(key)),
      onEnd: (reason) => this.#onEnd(session, reason),
    });
    this.#clients.set(session, { connection, session, events });
  }

  #advertised(): AdvertisedService {
    const { identity, content, controllers, instanceId } = this.#deps;
    const isPaired = controllers.list().length > 0;
    return advertisedBridge({
      ...{ identity, isPaired, instanceId },
      port: this.#port ?? 0,
      configNumber: content.configNumber(),
    });
  }

  /** Ends the oldest connection that is not verified; if all are, the one that was silent the longest. */
  #makeRoom(): void {
    const clients = [...this.#clients.values()];
    const silence = (a: Client, b: Client): number => a.connection.lastActiveAt - b.connection.lastActiveAt;
    const victim = clients.find(({ connection }) => !connection.isVerified) ?? clients.sort(silence)[0];
    victim?.connection.close('there are too many connections');
  }

  #onVerified(session: ControllerSession, { identifier, keys }: VerifiedController): void {
    const client = this.#clients.get(session);
    if (!client) return;
    session.identifier = identifier;
    session.subscriptions.clear();
    client.connection.secure(keys);
    this.#logger.debug({ controller: identifier, address: client.connection.address }, 'A controller connected');
    this.#noteSeen(identifier);
  }

  #onEnd(session: ControllerSession, reason: string): void {
    const client = this.#clients.get(session);
    this.#clients.delete(session);
    this.#setup.forget(session);
    const { identifier } = session;
    this.#logger.debug({ controller: identifier, address: client?.connection.address, reason }, 'A connection closed');
  }

  #noteSeen(identifier: string): void {
    const now = this.#deps.clock.monotonic();
    const before = this.#seenAt.get(identifier);
    if (before !== undefined && now - before < SEEN_INTERVAL_MS) return;
    this.#seenAt.set(identifier, now);
    try {
      this.#deps.controllers.seen(identifier);
    } catch (error) {
      this.#logger.warn({ error: messageOf(error) }, 'Could not store when a controller was seen');
    }
  }

  /** What changes in one turn leaves together. */
  #flushSoon(): void {
    if (this.#flushes) return;
    this.#flushes = true;
    queueMicrotask(() => {
      this.#flushes = false;
      for (const { connection, events } of [...this.#clients.values()]) {
        if (!events.isEmpty) connection.flushEvents();
      }
    });
  }
}

/** Without a zone, and without the IPv6 form of an IPv4 address. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}
