/** The Matter node: its root, the aggregator and the bridged endpoints. */
import { createSocket, type SocketType } from 'node:dgram';
import { once } from 'node:events';
import {
  Endpoint,
  Environment,
  LogFormat,
  Logger,
  LogLevel,
  Network,
  ServerNode,
  StorageService,
  VendorId,
} from '@matter/main';
import { BasicInformationServer } from '@matter/main/behaviors/basic-information';
import { AggregatorEndpoint } from '@matter/main/endpoints/aggregator';
import { DeviceAdvertiser, FabricManager } from '@matter/main/protocol';
import type { MatterClusters, MatterEndpoint, MatterPress } from '../../../home/matter-port.ts';
import type { ToChild } from '../messages.ts';
import { BridgeEvents } from './bridge-events.ts';
import {
  createEndpoint,
  describeEndpoint,
  hasFeaturesOf,
  press,
  setValues,
  watchEndpoint,
} from './bridged-endpoint.ts';
import { Commissioning } from './commissioning.ts';
import { describeError } from './describe-error.ts';
import { JoinedGroups } from './joined-groups.ts';
import type { ParentLink } from './parent-link.ts';
import { RelayStorage } from './relay-storage.ts';

type OpenMessage = Extract<ToChild, { readonly type: 'open' }>;

/** The vendor id of the specification for tests: a bridge without a certificate has no other. */
const VENDOR_ID = 0xfff1;
const PRODUCT_ID = 0x8000;
const VENDOR_NAME = 'hearthd';

export class Bridge {
  readonly commissioning: Commissioning;
  readonly #node: ServerNode;
  readonly #aggregator: Endpoint;
  readonly #groups: JoinedGroups;
  readonly #link: ParentLink;
  readonly #queues = new Map<string, Promise<void>>();

  private constructor(node: ServerNode, aggregator: Endpoint, groups: JoinedGroups, link: ParentLink) {
    this.#node = node;
    this.#aggregator = aggregator;
    this.#groups = groups;
    this.#link = link;
    this.commissioning = new Commissioning(node, link);
  }

  /** Everything is in place before it goes online: controllers drop what they do not find. */
  static async open(message: OpenMessage, link: ParentLink): Promise<Bridge> {
    logTo(link);
    const environment = Environment.default;
    const storage = environment.get(StorageService);
    storage.registerDriver({ id: RelayStorage.id, create: () => new RelayStorage(link, message.stored) });
    storage.configuredDriver = RelayStorage.id;
    if (message.networkInterface !== null) environment.vars.set('mdns.networkInterface', message.networkInterface);
    environment.set(BridgeEvents, new BridgeEvents(link));
    const groups = new JoinedGroups(environment.get(Network));
    const port = await freePort(message.ports);
    const node = await ServerNode.create(nodeOptions(message, port));
    const aggregator = new Endpoint(AggregatorEndpoint, { id: 'aggregator', number: 1 });
    await node.add(aggregator);
    const bridge = new Bridge(node, aggregator, groups, link);
    await bridge.put(message.endpoints, message.configurationVersion);
    bridge.commissioning.watch();
    await node.start();
    const { manualPairingCode, qrPairingCode } = node.state.commissioning.pairingCodes;
    const codes = { manualCode: manualPairingCode, qrCode: qrPairingCode };
    link.send({ type: 'online', port, ...codes, ...bridge.commissioning.status() });
    return bridge;
  }

  /** Adds endpoints, or brings known ones up to date. */
  async put(things: readonly MatterEndpoint[], configurationVersion: number): Promise<void> {
    const before = this.#node.stateOf(BasicInformationServer).configurationVersion;
    await Promise.all(
      things.map(async (thing) => {
        try {
          await this.#putOne(thing, configurationVersion);
        } catch (error) {
          this.#link.send({ type: 'refused', key: thing.key, error: describeError(error), isMissing: true });
        }
      }),
    );
    // Once all of it has the version's features.
    if (configurationVersion > before) await this.#node.setStateOf(BasicInformationServer, { configurationVersion });
  }

  async remove(keys: readonly string[]): Promise<void> {
    await Promise.all(keys.map((key) => this.#find(key)?.delete()));
  }

  setValues(key: string, clusters: MatterClusters): void {
    this.#queue(key, (endpoint) => setValues(endpoint, clusters));
  }

  press(key: string, kind: MatterPress): void {
    this.#queue(key, (endpoint) => press(endpoint, kind));
  }

  /**
   * An interface came up, or has other addresses: controllers find the bridge there again. Sessions and subscriptions
   * stay, as nothing of them depends on an address of ours.
   */
  async networkChanged(): Promise<void> {
    await this.#groups.joinAgain();
    const advertiser = this.#node.env.get(DeviceAdvertiser);
    // The library keeps its records for a quarter of an hour, unless a service is advertised again.
    for (const fabric of this.#node.env.get(FabricManager)) await advertiser.refreshOperationalAdvertisement(fabric);
    advertiser.restartAdvertisement();
  }

  async close(): Promise<void> {
    await this.#node.close();
  }

  async #putOne(thing: MatterEndpoint, configurationVersion: number): Promise<void> {
    const known = this.#find(thing.key);
    if (known && hasFeaturesOf(known, thing)) {
      this.#queue(thing.key, (found) => describeEndpoint(found, thing));
      return;
    }
    // What it stored stays.
    await known?.close();
    const endpoint = createEndpoint(thing, configurationVersion);
    try {
      await this.#aggregator.add(endpoint);
    } catch (error) {
      // It is only half made.
      await endpoint.close().catch(() => {});
      throw error;
    }
    watchEndpoint(endpoint);
  }

  /** An endpoint waits while a controller writes to it; the others do not wait for it. */
  #queue(key: string, change: (endpoint: Endpoint) => Promise<void>): void {
    const before = this.#queues.get(key) ?? Promise.resolve();
    const after = before.then(async () => {
      const endpoint = this.#find(key);
      if (endpoint) await change(endpoint);
    });
    const done = after
      .catch((error: unknown) =>
        this.#link.send({ type: 'refused', key, error: describeError(error), isMissing: false }),
      )
      .finally(() => {
        if (this.#queues.get(key) === done) this.#queues.delete(key);
      });
    this.#queues.set(key, done);
  }

  #find(key: string): Endpoint | undefined {
    return this.#aggregator.parts.get(key);
  }
}

function logTo(link: ParentLink): void {
  // At lower levels the library logs the fields of commands: the PIN of a lock would be among them.
  Logger.level = LogLevel.WARN;
  Logger.format = LogFormat.PLAIN;
  const { default: destination } = Logger.destinations;
  if (!destination) return;
  destination.write = (message, { level }) =>
    link.send({ type: 'log', level: level >= LogLevel.ERROR ? 'error' : 'warn', message });
}

function nodeOptions({ identity, version }: OpenMessage, port: number) {
  const { name, uniqueId, serialNumber, passcode, discriminator } = identity;
  return {
    id: 'bridge',
    network: { port, ble: false },
    commissioning: { passcode, discriminator },
    productDescription: { name, deviceType: AggregatorEndpoint.deviceType },
    basicInformation: {
      vendorName: VENDOR_NAME,
      vendorId: VendorId(VENDOR_ID),
      nodeLabel: name,
      productName: VENDOR_NAME,
      productLabel: 'Matter bridge',
      productId: PRODUCT_ID,
      serialNumber,
      uniqueId,
      hardwareVersion: 1,
      softwareVersion: numberOf(version),
      softwareVersionString: version,
    },
  };
}

/** `1.2.3` is 10203: controllers compare versions as numbers. */
function numberOf(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  return Math.max(1, major * 10_000 + minor * 100 + patch || 1);
}

/** The first port that is free for both families. The library ends the process over one that is taken. */
async function freePort(ports: readonly number[]): Promise<number> {
  for (const port of ports) {
    const found = await tryPort('udp6', port).catch(() => undefined);
    if (found !== undefined && (await tryPort('udp4', found).catch(() => undefined)) !== undefined) return found;
  }
  throw new Error('No UDP port is free, or IPv6 is switched off. Matter needs IPv6.');
}

async function tryPort(type: SocketType, port: number): Promise<number> {
  const socket = createSocket({ type, ipv6Only: type === 'udp6' });
  try {
    socket.bind(port);
    await once(socket, 'listening');
    return socket.address().port;
  } finally {
    socket.close();
  }
}
