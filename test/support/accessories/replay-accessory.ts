/**
 * An accessory server that serves any recorded database live over real HAP: HAP-NodeJS's own `HAPServer` does pairing,
 * encryption, framing, timed writes and event queues, and leaves every answer to us. Use it for whole products; where
 * ids above 2^53 or single bytes matter, use the raw accessory, for `HAPServer` reads ids as JavaScript numbers.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { AccessoryInfo, type Categories, type HAPConnection, HAPServer } from '@homebridge/hap-nodejs';
import { Advertiser } from './advertiser.ts';
import { createDeviceId, createSetupCode, type KnownController } from './identity.ts';
import { ReplayFaults } from './replay-faults.ts';
import { type AccessoryJson, type Failure, type Id, ServedDatabase, type WriteItem } from './served-database.ts';

export interface ReplayOptions {
  /** The array of a recorded `GET /accessories`. */
  readonly database: readonly AccessoryJson[];
  readonly name?: string;
  readonly model?: string;
  readonly deviceId?: string;
  /** `031-45-154`. */
  readonly setupCode?: string;
  /** HAP category number; 1 (other) by default. */
  readonly category?: number;
  /** 0 picks a free one. */
  readonly port?: number;
  /** Advertise over mDNS on loopback, which takes about a second. `true` by default. */
  readonly mdns?: boolean;
  /** Controllers that are paired already. */
  readonly paired?: readonly KnownController[];
}

/** A write from a controller, as it arrived. */
export interface ReceivedWrite {
  readonly aid: string;
  readonly iid: string;
  readonly value: unknown;
  /** `performance.now()`. */
  readonly at: number;
  /** It came with a valid prepare. */
  readonly timed: boolean;
}

const LOOPBACK = '127.0.0.1';

/** TLV error codes (HAP specification, table 5-5) and pairing permissions. */
const TLV_ERROR = { unknown: 1, authentication: 2 } as const;
const ADMIN = 1;

type RequestHandler = (
  connection: HAPConnection,
  url: URL,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
) => void;

/** What `HAPServer` keeps to itself and a test must reach: where requests pass with their bodies, and its sockets. */
interface HapServerInternals {
  getHandler(url: URL): RequestHandler | undefined;
  readonly httpServer: { readonly tcpServer: Server; readonly connections: Set<HAPConnection> };
}

/** Starts it and waits until it listens and, with mDNS, is announced. Stop it in `afterEach`. */
export async function startReplayAccessory(options: ReplayOptions): Promise<ReplayAccessory> {
  const accessory = new ReplayAccessory(options);
  await accessory.start();
  return accessory;
}

export class ReplayAccessory {
  readonly deviceId: string;
  readonly name: string;
  readonly setupCode: string;
  readonly faults = new ReplayFaults();
  /** In the order of arrival. */
  readonly writes: ReceivedWrite[] = [];
  /** Paths of all requests that were answered or swallowed, `GET /characteristics?id=1.2` as it came. */
  readonly requests: string[] = [];
  /** How often it was asked to identify itself while unpaired. */
  identified = 0;
  readonly #info: AccessoryInfo;
  readonly #advertise: boolean;
  readonly #writeListeners = new Set<(write: ReceivedWrite) => void>();
  #database: ServedDatabase;
  #configNumber = 1;
  #port: number;
  #server: HAPServer | undefined;
  #advertiser: Advertiser | undefined;

  constructor(options: ReplayOptions) {
    this.deviceId = options.deviceId ?? createDeviceId();
    this.name = options.name ?? `Replay ${this.deviceId.slice(-5).replace(':', '')}`;
    this.setupCode = options.setupCode ?? createSetupCode();
    this.#database = new ServedDatabase(options.database);
    this.#port = options.port ?? 0;
    this.#advertise = options.mdns ?? true;
    this.#info = AccessoryInfo.create(this.deviceId);
    this.#info.displayName = this.name;
    this.#info.model = options.model ?? 'Replay';
    this.#info.category = (options.category ?? 1) as Categories;
    this.#info.pincode = this.setupCode;
    for (const { id, publicKey, admin = true } of options.paired ?? []) {
      this.#info.addPairedClient(id, publicKey, admin ? ADMIN : 0);
    }
  }

  /** Where it listens, or listened last. */
  get port(): number {
    return this.#port;
  }

  /** Ed25519, 32 bytes: what a pre-shared pairing needs. */
  get publicKey(): Buffer {
    return this.#info.signPk;
  }

  get configNumber(): number {
    return this.#configNumber;
  }

  /** Pairing ids of the controllers that it knows. */
  get controllers(): readonly string[] {
    return this.#info.listPairings().map(({ username }) => username);
  }

  async start(): Promise<void> {
    await this.#listen();
    if (!this.#advertise) return;
    this.#advertiser = await Advertiser.start({
      name: this.name,
      deviceId: this.deviceId,
      port: this.#port,
      model: this.#info.model,
      category: this.#info.category,
      configNumber: this.#configNumber,
      paired: this.#info.paired(),
      featureFlags: 0,
    });
  }

  get(aid: Id, iid: Id): unknown {
    return this.#database.get(aid, iid);
  }

  /**
   * Changes a value from the accessory's side and sends the event, even if it is the same value (a button pressed
   * twice).
   * @param coalesce wait 250 ms and send it with others, newest first, as HAP-NodeJS does for most types.
   */
  set(aid: Id, iid: Id, value: unknown, { coalesce = false } = {}): void {
    this.#database.set(aid, iid, value);
    this.#notify(aid, iid, value, undefined, !coalesce);
  }

  /** Changes a value and keeps quiet about it. */
  setSilently(aid: Id, iid: Id, value: unknown): void {
    this.#database.set(aid, iid, value);
  }

  /** Makes reads or writes answer with a HAP status. @returns the function that ends it. */
  fail(failure: Failure): () => void {
    return this.#database.fail(failure);
  }

  /** @returns the function that ends the subscription. */
  onWrite(listener: (write: ReceivedWrite) => void): () => void {
    this.#writeListeners.add(listener);
    return () => this.#writeListeners.delete(listener);
  }

  /** Resolves with the first write from now on that `matches`. */
  nextWrite(matches: (write: ReceivedWrite) => boolean = () => true): Promise<ReceivedWrite> {
    return new Promise((resolve) => {
      const end = this.onWrite((write) => {
        if (!matches(write)) return;
        end();
        resolve(write);
      });
    });
  }

  /** Open TCP connections, verified or not. */
  connections(): number {
    return this.#connections().size;
  }

  /** `aid.iid` of everything that some connection is subscribed to. */
  subscriptions(): ReadonlySet<string> {
    return new Set([...this.#connections()].flatMap((connection) => [...connection.getRegisteredEvents()]));
  }

  /** Closes all connections; it keeps listening. */
  disconnectAll(): void {
    for (const connection of this.#connections()) connection.close();
  }

  /** Answers 470 on all sessions that are open now. */
  forgetSessions(): void {
    this.faults.forgetSessions(this.#connections());
  }

  /** Serves another database. Sessions stay, as in a bridge that gains a child. */
  async setDatabase(database: readonly AccessoryJson[], configNumber = this.#configNumber + 1): Promise<void> {
    this.#database = new ServedDatabase(database);
    this.#configNumber = configNumber;
    await this.#advertiser?.update({ configNumber });
  }

  /** As after a factory reset: knows no controller, and all connections are gone. */
  async forgetPairings(): Promise<void> {
    this.#info.pairedClients = {};
    this.#info.pairedAdminClients = 0;
    this.disconnectAll();
    await this.#advertiser?.update({ paired: false });
  }

  /** Stops listening and drops all connections. The advertisement stays, as after a power cut. `restart` ends it. */
  async goOffline(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const { tcpServer } = internalsOf(server).httpServer;
    const closed = once(tcpServer, 'close');
    server.destroy();
    await closed;
  }

  /** Comes back on the same port, or on `port` (0 picks a free one), with its pairings and without its sessions. */
  async restart({ port = this.#port } = {}): Promise<void> {
    await this.goOffline();
    this.#port = port;
    await this.#listen();
    await this.#advertiser?.update({ port: this.#port });
  }

  /** Sends a goodbye and closes everything. */
  async stop(): Promise<void> {
    await this.goOffline();
    await this.#advertiser?.stop();
    this.#advertiser = undefined;
  }

  #connections(): Set<HAPConnection> {
    return this.#server ? internalsOf(this.#server).httpServer.connections : new Set();
  }

  async #listen(): Promise<void> {
    const server = new HAPServer(this.#info);
    const internals = internalsOf(server);
    this.#passFaults(internals);
    this.#answerPairing(server);
    this.#answerRequests(server);
    server.listen(this.#port, LOOPBACK);
    const { tcpServer } = internals.httpServer;
    await once(tcpServer, 'listening');
    this.#port = (tcpServer.address() as AddressInfo).port;
    this.#server = server;
  }

  #passFaults(internals: HapServerInternals): void {
    const original = internals.getHandler.bind(internals);
    internals.getHandler = (url) => {
      const handler = original(url);
      if (!handler) return undefined;
      return (connection, _url, request, body, response) => {
        this.requests.push(`${request.method} ${request.url}`);
        this.faults.play({ connection, request, body, response }, () =>
          handler(connection, url, request, body, response),
        );
      };
    };
  }

  #answerPairing(server: HAPServer): void {
    const info = this.#info;
    server.on('identify', (callback) => {
      this.identified += 1;
      callback();
    });
    server.on('pair', (controllerId, publicKey, callback) => {
      info.addPairedClient(controllerId, publicKey, ADMIN);
      void this.#advertiser?.update({ paired: true });
      callback();
    });
    server.on('add-pairing', (connection, controllerId, publicKey, permission, callback) => {
      const known = info.getClientPublicKey(controllerId);
      if (!info.hasAdminPermissions(connection.username ?? '')) return callback(TLV_ERROR.authentication);
      if (known && !known.equals(publicKey)) return callback(TLV_ERROR.unknown);
      if (known) info.updatePermission(controllerId, permission);
      else info.addPairedClient(controllerId, publicKey, permission);
      callback(0);
    });
    server.on('remove-pairing', (connection, controllerId, callback) => {
      if (!info.hasAdminPermissions(connection.username ?? '')) return callback(TLV_ERROR.authentication);
      info.removePairedClient(connection, controllerId);
      void this.#advertiser?.update({ paired: info.paired() });
      callback(0);
    });
    server.on('list-pairings', (connection, callback) => {
      if (!info.hasAdminPermissions(connection.username ?? '')) return callback(TLV_ERROR.authentication);
      callback(0, info.listPairings());
    });
  }

  #answerRequests(server: HAPServer): void {
    server.on('accessories', (_connection, callback) => {
      callback(undefined, { accessories: this.#database.accessories as never });
    });
    server.on(
      'get-characteristics',
      (connection, { ids, includeMeta, includePerms, includeType, includeEvent }, callback) => {
        const flags = { meta: !!includeMeta, perms: !!includePerms, type: !!includeType, ev: !!includeEvent };
        const characteristics = ids.map(({ aid, iid }) =>
          this.#database.read(aid, iid, flags, connection.hasEventNotifications(aid, iid)),
        );
        callback(undefined, { characteristics: characteristics as never });
      },
    );
    server.on('set-characteristics', (connection, { characteristics, pid }, callback) => {
      const timed = pid !== undefined && takePrepared(connection, pid);
      const results = (characteristics as unknown as WriteItem[]).map((item) => this.#write(connection, item, timed));
      callback(undefined, { characteristics: results as never });
    });
  }

  #write(connection: HAPConnection, item: WriteItem, timed: boolean) {
    const aid = Number(item.aid);
    const iid = Number(item.iid);
    const before = this.#database.find(aid, iid)?.value;
    const result = this.#database.write(item, timed);
    if (result.status) return result;
    if (item.ev === true) connection.enableEventNotifications(aid, iid);
    if (item.ev === false) connection.disableEventNotifications(aid, iid);
    if (item.value === undefined) return result;
    const write = { aid: String(aid), iid: String(iid), value: item.value, at: performance.now(), timed };
    this.writes.push(write);
    for (const listener of this.#writeListeners) listener(write);
    const after = this.#database.get(aid, iid);
    if (after !== before) this.#notify(aid, iid, after, connection, true);
    return result;
  }

  #notify(aid: Id, iid: Id, value: unknown, originator: HAPConnection | undefined, immediate: boolean): void {
    if (this.faults.mute) return;
    this.#server?.sendEventNotifications(Number(aid), Number(iid), value as never, originator, immediate);
  }
}

function internalsOf(server: HAPServer): HapServerInternals {
  return server as unknown as HapServerInternals;
}

/** A prepare is good for one write (HAP specification §6.7.2.4). */
function takePrepared(connection: HAPConnection, pid: number): boolean {
  const prepared = connection.timedWritePid === pid;
  clearTimeout(connection.timedWriteTimeout);
  delete connection.timedWritePid;
  delete connection.timedWriteTimeout;
  return prepared;
}
