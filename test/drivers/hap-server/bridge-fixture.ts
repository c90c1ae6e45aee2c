/** A HAP server on loopback, with values and controllers in memory, and controllers that connect to it. */
import { HttpClient } from 'hap-controller';
import { MulticastNetwork } from '../../../src/drivers/discovery/multicast-network.ts';
import { parseAccessories } from '../../../src/drivers/hap/wire/accessory-database.ts';
import { keyOf } from '../../../src/drivers/hap/wire/characteristics-codec.ts';
import { createHapServers } from '../../../src/drivers/hap-server/create-hap-servers.ts';
import type { CharacteristicValue, HapId } from '../../../src/home/model.ts';
import type {
  BridgeContent,
  BridgeControllers,
  BridgeIdentity,
  BridgeServer,
  BridgeWrite,
  BridgeWriteResult,
  PairedController,
  PublishedAccessory,
  ReadResult,
} from '../../../src/home/publication-port.ts';
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import { type Logger, silentLogger } from '../../../src/kernel/logger.ts';
import { stringifyExact } from '../../support/accessories/exact-json.ts';
import {
  type ControllerKeys,
  createControllerKeys,
  createDeviceId,
  createSigningKeys,
  hapControllerPairing,
} from '../../support/accessories/identity.ts';
import { informationService, lampAccessory, timedLockAccessory } from '../../support/accessories/sample-databases.ts';
import type { AccessoryJson } from '../../support/accessories/served-database.ts';
import { RawClient } from '../../support-tests/raw-client.ts';
import { quickClock } from '../hap/session/session-fixture.ts';
// Not by name: it changes what hap-controller computes with.
import '../../support/accessories/quick-powers.ts';

const SETUP_CODE = '482-91-573';
/** Beyond 2^53: a JavaScript number would round it. */
export const LARGE_AID = '9007199254740995';

/** The bridge, a lamp (2), a lock with timed writes and a button (3), and a lamp whose aid is large. */
const ACCESSORIES: readonly AccessoryJson[] = [
  { aid: 1, services: [informationService('Bridge', 'B-1', 'Bridge')] },
  lampAccessory('Lamp', 2),
  timedLockAccessory('Lock', 3),
  lampAccessory('Far lamp', BigInt(LARGE_AID)),
];

const SILENT_SOCKET = { send: async () => {}, isJoined: () => true, close: () => {} };

export class MemoryControllers implements BridgeControllers {
  controllers: PairedController[] = [];
  readonly seenBy: string[] = [];
  /** Called when a controller has been stored. */
  onPut: () => void = () => {};
  /** Thrown by the next changes. */
  fault: Error | undefined;

  list(): readonly PairedController[] {
    return this.controllers;
  }

  put(controller: PairedController): void {
    if (this.fault) throw this.fault;
    this.controllers = [
      ...this.controllers.filter(({ identifier }) => identifier !== controller.identifier),
      controller,
    ];
    this.onPut();
  }

  remove(identifier: string): void {
    if (this.fault) throw this.fault;
    const left = this.controllers.filter((controller) => controller.identifier !== identifier);
    this.controllers = left.some(({ isAdmin }) => isAdmin) ? left : [];
  }

  seen(identifier: string): void {
    this.seenBy.push(identifier);
  }
}

export class MemoryContent implements BridgeContent {
  readonly values = new Map<string, CharacteristicValue>();
  readonly unreachable = new Set<HapId>();
  readonly writes: (BridgeWrite & { readonly controller: string })[] = [];
  readonly identified: HapId[] = [];
  /** Who has read something. */
  readonly readers = new Set<string | undefined>();
  configuration = 1;
  published: readonly PublishedAccessory[];
  /** A picture, or why there is none. */
  pictureAnswer: Buffer | number = -70409;
  /** Replaces what a write does. */
  onWrite: ((writes: readonly BridgeWrite[]) => Promise<readonly BridgeWriteResult[]>) | undefined;
  onChange: (aid: HapId, iid: HapId, value: CharacteristicValue) => void = () => {};

  constructor(accessories: readonly AccessoryJson[]) {
    const database = parseAccessories(stringifyExact({ accessories }));
    this.published = database;
    for (const { aid, services } of database) {
      for (const { iid, value } of services.flatMap(({ characteristics }) => characteristics)) {
        this.values.set(keyOf({ aid, iid }), value);
      }
    }
  }

  accessories(): readonly PublishedAccessory[] {
    return this.published;
  }

  configNumber(): number {
    return this.configuration;
  }

  read(aid: HapId, iid: HapId, controller?: string): ReadResult {
    this.readers.add(controller);
    if (this.unreachable.has(aid)) return { ok: false, status: -70402 };
    return { ok: true, value: this.values.get(keyOf({ aid, iid })) ?? null };
  }

  async write(controller: string, writes: readonly BridgeWrite[]): Promise<readonly BridgeWriteResult[]> {
    this.writes.push(...writes.map((write) => ({ ...write, controller })));
    if (this.onWrite) return this.onWrite(writes);
    for (const { aid, iid, value } of writes) this.set(aid, iid, value as CharacteristicValue);
    return writes.map(() => 0);
  }

  async picture(): Promise<Buffer | number> {
    return this.pictureAnswer;
  }

  async identify(aid: HapId): Promise<void> {
    this.identified.push(aid);
  }

  set(aid: HapId, iid: HapId, value: CharacteristicValue): void {
    this.values.set(keyOf({ aid, iid }), value);
    this.onChange(aid, iid, value);
  }
}

/** A clock that a test can put forward. Timers run in real time. */
export class LeapingClock implements Clock {
  #leaptMs = 0;

  leap(ms: number): void {
    this.#leaptMs += ms;
  }

  now = (): number => systemClock.now() + this.#leaptMs;
  monotonic = (): number => systemClock.monotonic() + this.#leaptMs;
  after = systemClock.after;
}

export interface BridgeOptions {
  readonly accessories?: readonly AccessoryJson[];
  readonly identity?: BridgeIdentity;
  readonly clock?: Clock;
  /** Deadlines end so many times as fast. */
  readonly timersByFactor?: number;
  readonly logger?: Logger;
  /** Over mDNS on loopback. */
  readonly advertises?: boolean;
  readonly preferredPort?: number;
  readonly hosts?: readonly string[];
  readonly interfaces?: readonly string[];
}

export class BridgeFixture {
  readonly identity: BridgeIdentity;
  readonly controllers = new MemoryControllers();
  readonly content: MemoryContent;
  readonly server: BridgeServer;
  readonly #closers: (() => unknown)[] = [];

  constructor(options: BridgeOptions = {}) {
    const {
      timersByFactor = 1,
      clock = quickClock(timersByFactor),
      logger = silentLogger,
      hosts = ['127.0.0.1'],
      preferredPort,
    } = options;
    this.identity = options.identity ?? {
      ...{ deviceId: createDeviceId(), name: 'Home', model: 'hearthd', category: 2 },
      ...{ setupCode: SETUP_CODE, setupId: 'H3AR', secretKey: createSigningKeys().seed },
    };
    this.content = new MemoryContent(options.accessories ?? ACCESSORIES);
    const network = new MulticastNetwork({
      ...{ interfaces: options.interfaces ?? ['lo'], clock, logger },
      // Tests run side by side on one loopback interface.
      ...(!options.advertises && { openSocket: () => SILENT_SOCKET }),
    });
    const { openBridge } = createHapServers({ network, hosts, clock, logger, instanceId: '0badcafe' });
    const { identity, controllers, content } = this;
    this.server = openBridge({ identity, controllers, content, preferredPort });
    content.onChange = (aid, iid, value) => this.server.valueChanged(aid, iid, value);
  }

  static async start(options: BridgeOptions = {}): Promise<BridgeFixture> {
    const fixture = new BridgeFixture(options);
    await fixture.server.start();
    return fixture;
  }

  get port(): number {
    const { port } = this.server;
    if (port === undefined) throw new Error('The server does not run');
    return port;
  }

  /** Ed25519. */
  get publicKey(): Buffer {
    return createSigningKeys(Buffer.from(this.identity.secretKey)).publicKey;
  }

  /** hap-controller's client, of another author than we. */
  client(pairing?: ConstructorParameters<typeof HttpClient>[3]): HttpClient {
    const client = new HttpClient(this.identity.deviceId, '127.0.0.1', this.port, pairing, {
      usePersistentConnections: true,
      subscriptionsUseSameConnection: true,
    });
    this.#closers.push(() => client.close());
    return client;
  }

  async pairedClient(): Promise<HttpClient> {
    const client = this.client();
    await client.pairSetup(SETUP_CODE);
    return client;
  }

  /** A controller that is stored already, with its client. */
  knownClient(controller: ControllerKeys): HttpClient {
    const { publicKey } = this;
    return this.client(hapControllerPairing(controller, { deviceId: this.identity.deviceId, publicKey }));
  }

  addController({ isAdmin = true, id }: { readonly isAdmin?: boolean; readonly id?: string } = {}): ControllerKeys {
    const controller = createControllerKeys(id);
    this.controllers.controllers.push({ identifier: controller.id, publicKey: controller.publicKey, isAdmin });
    return controller;
  }

  /** A verified connection that shows what came over the wire. */
  async raw(controller = this.addController()): Promise<RawClient> {
    const client = await RawClient.open(this.port, controller);
    this.#closers.push(() => client.close());
    return client;
  }

  /** A connection that is not verified. */
  async plain(): Promise<RawClient> {
    const client = await RawClient.connect(this.port);
    this.#closers.push(() => client.close());
    return client;
  }

  onClose(close: () => unknown): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    await Promise.all(this.#closers.map((close) => close()));
    await this.server.stop();
  }
}
