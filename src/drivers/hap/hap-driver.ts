/**
 * The HAP driver: one `DeviceLink` per paired device, fed by discovery's sightings, and the pairing of new ones. It holds no
 * protocol itself: sessions, pair-setup, stores and discovery are parts handed in, and what devices say goes to the sink.
 */
import type { DriverSink, DriverWrite, WriteOutcome } from '../../home/accessory-driver.ts';
import type { AccessoryAddress } from '../../home/model.ts';
import type {
  DiscoveredDevice,
  PairedDevice,
  PairingDriver,
  PairingRequest,
  PairingStep,
  RegisteredController,
} from '../../home/pairing-driver.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { type Advertisement, type Discovery, isUnpaired, type Sighting } from '../discovery/discovery.ts';
import type { AccessoryCache } from './accessory-cache.ts';
import type { DeviceLimitsStore } from './device-limits-store.ts';
import { addressesOf, DeviceLink } from './device-link.ts';
import type { ManualDevicesStore } from './manual-devices-store.ts';
import { addController, listControllers, removeController } from './pairing/controllers.ts';
import { canonicalDeviceId, isDeviceId } from './pairing/device-id.ts';
import type { DeviceToPair, Pairer } from './pairing/pairer.ts';
import type { ConnectForPairing } from './pairing/pairing-connection.ts';
import type { PairingRecord, PairingStore } from './pairing/pairing-store.ts';
import { INCOMPLETE_ADVICE } from './pairing/recover-pairing.ts';
import type { SessionEnvironment } from './session-host.ts';

const OTHER_CATEGORY = 1;

/** How long `pair` waits for the new device's first full read before it answers anyway. */
const FIRST_READ_MS = 15_000;

export interface HapDriverParts {
  readonly discovery: Discovery;
  readonly pairings: PairingStore;
  readonly pairer: Pairer;
  readonly cache: AccessoryCache;
  readonly limits: DeviceLimitsStore;
  readonly manual: ManualDevicesStore;
  readonly sink: DriverSink;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly environment: SessionEnvironment;
  /** Opens a plain connection to one of the addresses, for pairing and for identifying what is not paired. */
  readonly connect: (addresses: readonly { host: string; port: number }[]) => ReturnType<ConnectForPairing>;
  readonly identifyAt: (addresses: readonly { host: string; port: number }[]) => Promise<void>;
  /** The homes there are, with those whose driver its owner has paused. Asked at the start. */
  readonly homes: () => readonly { readonly id: string; readonly paused: boolean }[];
}

export class HapDriver implements PairingDriver {
  readonly #parts: HapDriverParts;
  readonly #links = new Map<string, DeviceLink>();
  readonly #pausedHomes = new Set<string>();
  /** Devices with a pairing under way, so that two people do not spoil each other's exchange. */
  readonly #pairing = new Set<string>();
  #unsubscribe: (() => void) | undefined;
  #running = false;

  constructor(parts: HapDriverParts) {
    this.#parts = parts;
  }

  start(): void {
    const { discovery, pairings, manual, homes, sink } = this.#parts;
    this.#running = true;
    for (const { id, paused } of homes()) if (paused) this.#pausedHomes.add(id);
    for (const hostPort of manual.list()) discovery.addManual(hostPort);
    this.#unsubscribe = discovery.onSighting((sighting) => this.#sighted(sighting));
    for (const record of pairings.list()) if (record.state === 'paired') this.#attach(record).describeFromCache();
    for (const link of this.#links.values()) {
      if (this.#pausedHomes.has(link.record.homeId)) link.pause();
      else link.start();
    }
    for (const { id, paused } of homes()) sink.setConnected(id, !paused);
  }

  async stop(): Promise<void> {
    if (!this.#running) return;
    this.#running = false;
    this.#unsubscribe?.();
    for (const { id } of this.#parts.homes()) this.#parts.sink.setConnected(id, false);
    await Promise.all([...this.#links.values()].map((link) => link.stop()));
    this.#links.clear();
  }

  async write(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
    const byDevice = groupBySource(writes);
    if (byDevice.size === 1) {
      const [entry] = byDevice;
      return entry ? this.#writeTo(entry[0], entry[1]) : [];
    }
    const outcomes = new Map<DriverWrite, WriteOutcome>();
    await Promise.all(
      [...byDevice].map(async ([source, own]) => {
        const results = await this.#writeTo(source, own);
        own.forEach((write, index) => {
          const outcome = results[index];
          if (outcome) outcomes.set(write, outcome);
        });
      }),
    );
    return writes.map((write) => outcomes.get(write) ?? NOT_PAIRED_OUTCOME);
  }

  async identify(address: AccessoryAddress): Promise<void> {
    await this.#requireLink(address.source).session.identify(address.aid);
  }

  listDiscovered(): readonly DiscoveredDevice[] {
    return this.#parts.discovery.list().map((advertisement) => this.#present(advertisement));
  }

  listPaired(): readonly PairedDevice[] {
    const unfinished = this.#parts.pairings.list().filter(({ state }) => state === 'exchanging');
    return [...[...this.#links.values()].map((link) => link.present()), ...unfinished.map(presentUnfinished)];
  }

  refreshDiscovery(): void {
    this.#parts.discovery.refresh();
  }

  addManual(hostPort: string): void {
    this.#parts.discovery.addManual(hostPort);
    this.#parts.manual.add(hostPort, this.#parts.clock.now());
  }

  removeManual(hostPort: string): void {
    this.#parts.discovery.removeManual(hostPort);
    this.#parts.manual.remove(hostPort);
  }

  async pair(request: PairingRequest, onProgress: (step: PairingStep) => void): Promise<PairedDevice> {
    const device = this.#deviceToPair(request.device);
    const key = device.deviceId;
    if (this.#pairing.has(key)) {
      throw new HearthError('conflict', `“${device.name}” is being paired at this moment. Wait for it to finish.`);
    }
    this.#pairing.add(key);
    try {
      const connect: ConnectForPairing = () => this.#parts.connect(this.#addressesOf(device));
      const { record, method } = await this.#parts.pairer.pair(
        device,
        request.homeId,
        request.setupCode,
        connect,
        onProgress,
      );
      this.#parts.limits.savePairMethod(record.keys.deviceId, method, this.#parts.clock.now());
      return await this.#welcome(record, device, onProgress);
    } finally {
      this.#pairing.delete(key);
    }
  }

  async unpair(deviceId: string, force: boolean): Promise<void> {
    const id = canonicalDeviceId(deviceId);
    const { pairings, logger } = this.#parts;
    const record = pairings.find(id);
    if (!record) throw new HearthError('not_found', `No device ${deviceId} is paired here.`);
    const link = this.#links.get(id);
    if (link) await this.#removeOurselves(link, force);
    this.#links.delete(id);
    await link?.stop();
    pairings.remove(id);
    this.#parts.cache.remove(id);
    this.#parts.limits.remove(id);
    this.#parts.sink.forget(id);
    logger.info({ device: id, name: record.name, forced: force }, 'Unpaired');
  }

  async identifyUnpaired(deviceId: string): Promise<void> {
    const device = this.#deviceToPair(deviceId);
    if (this.#links.has(device.deviceId)) {
      throw new HearthError('conflict', `“${device.name}” is paired here: identify its accessory instead.`);
    }
    await this.#parts.identifyAt(this.#addressesOf(device));
  }

  async listControllers(deviceId: string): Promise<readonly RegisteredController[]> {
    const { session, keys } = this.#requireLink(deviceId);
    return listControllers((body) => session.pairingsExchange(body), keys.controllerId);
  }

  async addController(deviceId: string, controller: { id: string; publicKey: string; admin: boolean }): Promise<void> {
    const { session } = this.#requireLink(deviceId);
    await addController((body) => session.pairingsExchange(body), controller);
  }

  async removeController(deviceId: string, controllerId: string): Promise<void> {
    const { session, keys } = this.#requireLink(deviceId);
    if (controllerId === keys.controllerId) {
      throw new HearthError('conflict', 'This is the relay itself. To remove it from the device, unpair the device.');
    }
    await removeController((body) => session.pairingsExchange(body), controllerId);
  }

  setHomePaused(homeId: string, paused: boolean): void {
    if (paused) this.#pausedHomes.add(homeId);
    else this.#pausedHomes.delete(homeId);
    if (!this.#running) return;
    this.#parts.sink.setConnected(homeId, !paused);
    for (const link of this.#links.values()) {
      if (link.record.homeId !== homeId) continue;
      if (paused) link.pause();
      else link.start();
    }
  }

  #attach(record: PairingRecord): DeviceLink {
    const link = new DeviceLink(record, this.#parts);
    this.#links.set(link.deviceId, link);
    return link;
  }

  async #welcome(
    record: PairingRecord,
    device: DeviceToPair,
    onProgress: (step: PairingStep) => void,
  ): Promise<PairedDevice> {
    const [first] = this.#addressesOf(device);
    // A device paired by host:port may never be seen on mDNS; this is the only address there is.
    if (first && !this.#parts.pairings.lastAddress(record.keys.deviceId)) {
      this.#parts.pairings.saveAddress(record.keys.deviceId, first);
    }
    const link = this.#attach(record);
    onProgress('reading');
    link.start();
    await link.settled(FIRST_READ_MS);
    onProgress('done');
    this.#parts.logger.info({ device: link.deviceId, name: record.name }, 'Paired');
    return link.present();
  }

  async #removeOurselves(link: DeviceLink, force: boolean): Promise<void> {
    if (link.present().status === 'pairing_lost') return;
    try {
      await removeController((body) => link.session.pairingsExchange(body), link.keys.controllerId);
    } catch (error) {
      if (force) return;
      throw new HearthError(
        'accessory_unreachable',
        `“${link.record.name}” can't be told (${messageOf(error)}). Bring it back and try again, or forget it here with force; it must then be reset before it can be paired anew.`,
        {},
        { cause: error },
      );
    }
  }

  #writeTo(source: string, writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
    const link = this.#links.get(source);
    if (!link) return Promise.resolve(writes.map(() => NOT_PAIRED_OUTCOME));
    return link.session.write(writes.map(({ address, iid, value }) => ({ aid: address.aid, iid, value })));
  }

  #requireLink(deviceId: string): DeviceLink {
    const link = this.#links.get(canonicalDeviceId(deviceId));
    if (!link) throw new HearthError('not_found', `No device ${deviceId} is paired here.`);
    return link;
  }

  #sighted({ kind, advertisement }: Sighting): void {
    const link = this.#links.get(advertisement.deviceId);
    if (!link || kind === 'lost') return;
    if (kind === 'seen') link.session.sighted();
    else link.session.advertisementChanged();
  }

  #deviceToPair(device: string): DeviceToPair {
    const id = canonicalDeviceId(device.trim());
    const advertisement = this.#parts.discovery.find(id) ?? this.#manualDevice(id);
    if (!advertisement) {
      throw new HearthError(
        'not_found',
        `No accessory ${device} has been seen on the network. See what is there with: hearthd discover`,
      );
    }
    const hostPort =
      advertisement.via === 'manual' && !isDeviceId(advertisement.deviceId) ? advertisement.deviceId : null;
    return {
      deviceId: advertisement.deviceId,
      hostPort: hostPort ?? (isDeviceId(id) ? null : id),
      name: advertisement.name,
      model: advertisement.model,
      category: advertisement.category,
      featureFlags: advertisement.featureFlags,
      rememberedMethod: this.#parts.limits.loadPairMethod(advertisement.deviceId) ?? null,
    };
  }

  /** `host:port` that was not entered before becomes a manual entry by being paired. */
  #manualDevice(id: string): Advertisement | undefined {
    if (isDeviceId(id) || !id.includes(':')) return undefined;
    this.addManual(id);
    return this.#parts.discovery.find(id);
  }

  #addressesOf({ deviceId, hostPort }: DeviceToPair): readonly { host: string; port: number }[] {
    const { discovery } = this.#parts;
    const advertisement = discovery.find(deviceId) ?? (hostPort === null ? undefined : discovery.find(hostPort));
    return advertisement ? addressesOf(advertisement) : [];
  }

  #present(advertisement: Advertisement): DiscoveredDevice {
    const link = this.#links.get(advertisement.deviceId);
    return {
      deviceId: advertisement.deviceId,
      name: advertisement.name,
      model: advertisement.model,
      category: advertisement.category,
      configNumber: advertisement.configNumber ?? 0,
      pairable: isUnpaired(advertisement),
      pairedHere: link !== undefined,
      homeId: link?.record.homeId ?? null,
      addresses: advertisement.addresses,
      port: advertisement.port,
      via: advertisement.via,
      lastSeenAt: advertisement.lastSeenAt,
    };
  }
}

function groupBySource(writes: readonly DriverWrite[]): ReadonlyMap<string, readonly DriverWrite[]> {
  const groups = new Map<string, DriverWrite[]>();
  for (const write of writes) {
    const group = groups.get(write.address.source);
    if (group) group.push(write);
    else groups.set(write.address.source, [write]);
  }
  return groups;
}

const NOT_PAIRED_OUTCOME: WriteOutcome = { ok: false, reason: 'unreachable', detail: 'The device is not paired here.' };

function presentUnfinished(record: PairingRecord): PairedDevice {
  return {
    deviceId: record.keys.deviceId,
    homeId: record.homeId,
    name: record.name,
    model: record.model,
    category: record.category || OTHER_CATEGORY,
    status: 'pairing_incomplete',
    statusDetail: INCOMPLETE_ADVICE,
    since: record.pairedAt,
    address: null,
    reconnects: 0,
    pairedAt: record.pairedAt,
  };
}
