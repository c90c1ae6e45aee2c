/**
 * The HAP driver: one `DeviceLink` per paired device, updated by discovery's sightings, and the pairing of new devices.
 * It contains no protocol: sessions, pair-setup, stores and discovery are dependencies. Reports from devices go to the
 * sink.
 */
import type { DriverSink, DriverWrite, WriteOutcome } from '../../home/accessory-driver.ts';
import type { PictureSize } from '../../home/camera-driver.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import type { AccessoryAddress, HapId } from '../../home/model.ts';
import { showableName } from '../../home/names.ts';
import type {
  AdoptionOutcome,
  DeviceTrace,
  DiscoveredDevice,
  ForeignPairing,
  PairedDevice,
  PairingChange,
  PairingDriver,
  PairingRequest,
  PairingStep,
  RegisteredController,
} from '../../home/pairing-driver.ts';
import { sleep } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { type Advertisement, type Discovery, isUnpaired, type Sighting } from '../discovery/discovery.ts';
import type { AccessoryCache } from './accessory-cache.ts';
import type { DeviceLimitsStore } from './device-limits-store.ts';
import type { ManualDevicesStore } from './manual-devices-store.ts';
import { type NearbyDevice, NearbyDevices } from './nearby-devices.ts';
import { listControllers } from './pairing/controllers.ts';
import { canonicalDeviceId, isDeviceId } from './pairing/device-id.ts';
import type { Pairer } from './pairing/pairer.ts';
import type { PairingConnection } from './pairing/pairing-connection.ts';
import type { PairingRecord, PairingStore } from './pairing/pairing-store.ts';
import { INCOMPLETE_ADVICE, recoverIncompletePairing } from './pairing/recover-pairing.ts';
import { PairingChanges } from './pairing-changes.ts';
import type { PublishedServers } from './published-servers.ts';
import { DeviceLink } from './session/device-link.ts';
import type { AccessorySessionDeps } from './session/session-host.ts';
import { trySave } from './session/try-save.ts';
import type { RequestedWrite } from './values/write-item.ts';
import type { HostPort } from './wire/dial.ts';

/** How long `pair` waits for the new device's first full read before it returns anyway. */
const FIRST_READ_MS = 15_000;
/** HAP category Other, for a device that was never seen on mDNS. */
const OTHER_CATEGORY = 1;
/**
 * How long `stop` waits for a pairing in progress: if cut off now, the device would hold a pairing that is unusable.
 */
const PAIRING_GRACE_MS = 5_000;

/** The minimum time between two reports of a returned device to the other sessions. */
const RETURN_MS = 10_000;

export interface HapDriverDeps extends HomeDeps<'clock' | 'logger'> {
  readonly discovery: Discovery;
  readonly pairings: PairingStore;
  readonly pairer: Pairer;
  readonly cache: AccessoryCache;
  readonly limits: DeviceLimitsStore;
  readonly manual: ManualDevicesStore;
  readonly sink: DriverSink;
  readonly environment: AccessorySessionDeps;
  /** Opens a plain connection to one of the addresses, for pairing. */
  readonly connect: (addresses: readonly HostPort[]) => Promise<PairingConnection & { readonly address: HostPort }>;
  /** Makes an unpaired accessory identify itself. */
  readonly identifyAt: (addresses: readonly HostPort[]) => Promise<void>;
  /** All homes, with a flag for those whose driver the owner has paused. Called at the start. */
  readonly homes: () => readonly { readonly id: string; readonly paused: boolean }[];
  readonly published: PublishedServers;
}

export class HapDriver implements PairingDriver {
  readonly #deps: HapDriverDeps;
  readonly #nearby: NearbyDevices;
  readonly #changes: PairingChanges;
  readonly #links = new Map<string, DeviceLink>();
  readonly #pausedHomes = new Set<string>();
  readonly #listeners = new Set<(change: PairingChange) => void>();
  /** Devices with a pairing or unpairing in progress. */
  readonly #busy = new Map<string, Promise<unknown>>();
  #unsubscribe: (() => void) | undefined;
  #running = false;
  /** Reconnects of devices that are no longer paired. */
  #formerReconnects = 0;
  /** When a return was last reported, in monotonic time. */
  #returnedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: HapDriverDeps) {
    this.#deps = deps;
    this.#nearby = new NearbyDevices(deps);
    this.#changes = new PairingChanges({ ...deps, resume: (link) => this.#resume(link) });
  }

  start(): void {
    const { discovery, pairings, homes, sink } = this.#deps;
    this.#running = true;
    this.#pausedHomes.clear();
    for (const { id, paused } of homes()) if (paused) this.#pausedHomes.add(id);
    this.#nearby.restoreManual();
    this.#unsubscribe = discovery.onSighting((sighting) => this.#applySighting(sighting));
    for (const record of pairings.list()) if (record.state === 'paired') this.#attach(record).describeFromCache();
    for (const link of this.#links.values()) this.#startUnlessPaused(link);
    for (const { id, paused } of homes()) sink.setConnected(id, !paused);
  }

  /** Ends all connections and everything that waits for them. */
  async stop(): Promise<void> {
    if (!this.#running) return;
    this.#running = false;
    this.#unsubscribe?.();
    for (const { id } of this.#deps.homes()) this.#deps.sink.setConnected(id, false);
    const links = [...this.#links.values()];
    await Promise.all([this.#untilIdle(), ...links.map((link) => link.stop())]);
    this.#links.clear();
  }

  write(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
    const [first] = writes;
    const source = first?.address.source;
    // Most commands are for one device: its answer is the answer.
    const isOne = source !== undefined && writes.every(({ address }) => address.source === source);
    const session = isOne ? this.#links.get(source)?.session : undefined;
    return session ? session.write(writes.map(requestedOf)) : this.#writeToEach(writes);
  }

  async #writeToEach(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
    const outcomes: WriteOutcome[] = writes.map(() => NOT_PAIRED_OUTCOME);
    const groups = [...groupBySource(writes)].map(async ([source, own]) => {
      const results = (await this.#links.get(source)?.session.write(own)) ?? [];
      for (const [at, { place }] of own.entries()) outcomes[place] = results[at] ?? NOT_PAIRED_OUTCOME;
    });
    await Promise.all(groups);
    return outcomes;
  }

  async identify(address: AccessoryAddress): Promise<void> {
    await this.#requireLink(address.source).session.device.identify(address.aid);
  }

  async takePicture({ source, aid }: AccessoryAddress, size: PictureSize): Promise<Buffer> {
    return this.#requireLink(source).session.device.takePicture(aid, size);
  }

  async negotiate({ source, aid }: AccessoryAddress, iid: HapId, value: string): Promise<string> {
    return this.#requireLink(source).session.device.negotiate({ aid, iid }, value);
  }

  listDiscovered(): readonly DiscoveredDevice[] {
    const { discovery, published } = this.#deps;
    const devices = discovery.list().filter(({ deviceId }) => !published.has(deviceId));
    return devices.map((advertisement) => this.#present(advertisement));
  }

  isPublished(deviceId: string): boolean {
    return this.#deps.published.has(deviceId);
  }

  listPaired(): readonly PairedDevice[] {
    const unfinished = this.#deps.pairings
      .list()
      .filter(({ state, keys }) => state === 'exchanging' && !this.#busy.has(keys.deviceId));
    return [...[...this.#links.values()].map((link) => link.present()), ...unfinished.map(presentUnfinished)];
  }

  trace(deviceId: string): DeviceTrace {
    return this.#requireLink(deviceId).trace();
  }

  get reconnects(): number {
    let reconnects = this.#formerReconnects;
    for (const { session } of this.#links.values()) reconnects += session.stats.reconnects;
    return reconnects;
  }

  onChange(listener: (change: PairingChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(change: PairingChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  refreshDiscovery(): void {
    this.#deps.discovery.refresh();
  }

  addManual(hostPort: string): void {
    this.#nearby.addManual(hostPort);
  }

  removeManual(hostPort: string): void {
    this.#nearby.removeManual(hostPort);
  }

  async pair(request: PairingRequest, onProgress: (step: PairingStep) => void): Promise<PairedDevice> {
    this.#requireRunning();
    const device = this.#nearby.find(request.device);
    return this.#alone(device.deviceId, device.name, () => this.#pair(device, request, onProgress));
  }

  async adopt(pairing: ForeignPairing, homeId: string): Promise<AdoptionOutcome> {
    this.#requireRunning();
    return this.#alone(pairing.deviceId, pairing.name, () => this.#adopt(pairing, homeId));
  }

  async unpair(deviceId: string, force: boolean): Promise<void> {
    this.#requireRunning();
    const record = this.#deps.pairings.find(deviceId);
    if (!record) throw notPaired(deviceId);
    await this.#alone(record.keys.deviceId, record.name, () => this.#unpair(record, force));
  }

  async identifyUnpaired(deviceId: string): Promise<void> {
    const device = this.#nearby.find(deviceId);
    if (this.#links.has(device.deviceId)) {
      throw new HearthError('conflict', `“${device.name}” is paired here: identify its accessory instead.`, {
        reason: 'paired_here',
      });
    }
    await this.#deps.identifyAt(device.addresses());
  }

  async listControllers(deviceId: string): Promise<readonly RegisteredController[]> {
    const { session, keys } = this.#requireLink(deviceId);
    return listControllers((body) => session.device.pairingsExchange(body), keys.controllerId);
  }

  async addController(deviceId: string, controller: { id: string; publicKey: string; admin: boolean }): Promise<void> {
    await this.#changes.add(this.#requireLink(deviceId), controller);
  }

  async removeController(deviceId: string, controllerId: string): Promise<void> {
    const link = this.#requireLink(deviceId);
    if (controllerId === link.keys.controllerId) {
      throw new HearthError('conflict', 'This is the relay itself. To remove it from the device, unpair the device.');
    }
    await this.#changes.remove(link, controllerId);
  }

  setHomePaused(homeId: string, paused: boolean): void {
    if (paused) this.#pausedHomes.add(homeId);
    else this.#pausedHomes.delete(homeId);
    if (!this.#running) return;
    this.#deps.sink.setConnected(homeId, !paused);
    for (const link of this.#links.values()) if (link.record.homeId === homeId) this.#startUnlessPaused(link);
  }

  /** A device is reachable again: after a power cut or a router restart, others may be too. */
  #returned(): void {
    const now = this.#deps.clock.monotonic();
    if (now - this.#returnedAt < RETURN_MS) return;
    this.#returnedAt = now;
    for (const { session } of this.#links.values()) session.peerReconnected();
  }

  #attach(record: PairingRecord): DeviceLink {
    const link = new DeviceLink(record, {
      ...this.#deps,
      onReturned: () => this.#returned(),
      onChanged: () => this.#changed({ of: 'pairings', homeId: record.homeId }),
    });
    this.#links.set(link.deviceId, link);
    return link;
  }

  #resume(link: DeviceLink): void {
    if (this.#running) this.#startUnlessPaused(link);
  }

  #startUnlessPaused(link: DeviceLink): void {
    if (this.#pausedHomes.has(link.record.homeId)) link.pause();
    else link.start();
  }

  #applySighting({ kind, advertisement }: Sighting): void {
    if (kind !== 'seen') this.#changed({ of: 'discovery' });
    const link = this.#links.get(advertisement.deviceId);
    if (!link || kind === 'lost') return;
    if (kind === 'seen') link.session.discovered();
    else link.session.advertisementChanged();
  }

  #requireLink(deviceId: string): DeviceLink {
    const link = this.#links.get(canonicalDeviceId(deviceId));
    if (!link) throw notPaired(deviceId);
    return link;
  }

  // Pairing and unpairing.

  #requireRunning(): void {
    if (!this.#running) throw new HearthError('relay_not_connected', 'Relay not connected');
  }

  /** Runs one pairing operation per device at a time, so that two users do not interfere. */
  async #alone<T>(deviceId: string, name: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy.has(deviceId)) {
      throw new HearthError(
        'conflict',
        `“${name}” is being paired or unpaired at this moment. Wait for that to finish.`,
        { reason: 'in_progress' },
      );
    }
    const done = work();
    this.#busy.set(deviceId, done);
    try {
      return await done;
    } finally {
      this.#busy.delete(deviceId);
    }
  }

  async #untilIdle(): Promise<void> {
    if (this.#busy.size === 0) return;
    await Promise.race([Promise.allSettled(this.#busy.values()), sleep(this.#deps.clock, PAIRING_GRACE_MS)]);
  }

  async #pair(
    device: NearbyDevice,
    { homeId, setupCode }: PairingRequest,
    onProgress: (step: PairingStep) => void,
  ): Promise<PairedDevice> {
    const { pairer, limits, clock, environment, logger } = this.#deps;
    let address: HostPort | undefined;
    const connect = async (): Promise<PairingConnection> => {
      const connection = await this.#deps.connect(device.addresses());
      address = connection.address;
      return connection;
    };
    const rememberedMethod = limits.loadPairMethod(device.deviceId) ?? null;
    const { record, method } = await pairer.pair(
      { ...device, rememberedMethod, lastAddress: () => address },
      homeId,
      setupCode,
      connect,
      onProgress,
    );
    const id = record.keys.deviceId;
    trySave(environment, { deviceId: id, name: record.name }, () => {
      // A device paired by host:port may never appear on mDNS.
      if (!isDeviceId(device.deviceId)) this.#nearby.addManual(device.deviceId);
      limits.savePairMethod(id, method, clock.now());
    });
    logger.info({ device: id, name: record.name }, 'Paired');
    this.#changed({ of: 'discovery' });
    return this.#welcome(this.#attach(record), onProgress);
  }

  /** Connects to the new device and waits for its values. */
  async #welcome(link: DeviceLink, onProgress: (step: PairingStep) => void): Promise<PairedDevice> {
    if (!this.#running) return link.present();
    onProgress('reading');
    this.#startUnlessPaused(link);
    await link.settled(FIRST_READ_MS);
    onProgress('done');
    return link.present();
  }

  async #unpair(record: PairingRecord, force: boolean): Promise<void> {
    const { logger } = this.#deps;
    const id = record.keys.deviceId;
    const link = this.#links.get(id);
    const whyNot = link ? await this.#changes.removeOwn(link, force) : await this.#removeHalfMade(record);
    if (whyNot !== undefined && !force) {
      throw new HearthError(
        'accessory_unreachable',
        `“${record.name}” stays paired here: ${whyNot} Then try again, or forget it here with force; it must then be reset before it can be paired again.`,
      );
    }
    await this.#forget(record);
    logger.info({ device: id, name: record.name, forced: force }, 'Unpaired');
  }

  /** Deletes a pairing and its data, on the relay only. */
  async #forget({ keys: { deviceId: id }, homeId }: PairingRecord): Promise<void> {
    const { pairings, cache, limits, sink } = this.#deps;
    const link = this.#links.get(id);
    pairings.remove(id);
    this.#formerReconnects += link?.session.stats.reconnects ?? 0;
    this.#links.delete(id);
    await link?.stop();
    // After the stop, so that no pending operation restores the data.
    cache.remove(id);
    limits.remove(id);
    sink.forget(id);
    this.#changed({ of: 'pairings', homeId });
    this.#changed({ of: 'discovery' });
  }

  async #adopt({ deviceId, name, address, ...identity }: ForeignPairing, homeId: string): Promise<AdoptionOutcome> {
    const { pairings, discovery, clock, logger, published } = this.#deps;
    if (published.has(deviceId)) return 'published';
    const { model = '', category = OTHER_CATEGORY } = discovery.find(deviceId) ?? {};
    const keys = {
      deviceId,
      controllerId: identity.controllerId,
      accessoryPublicKey: Buffer.from(identity.accessoryPublicKey),
      controllerPublicKey: Buffer.from(identity.controllerPublicKey),
      controllerSecretKey: Buffer.from(identity.controllerSecretKey),
    };
    pairings.begin({ keys, homeId, name, model, category, pairedAt: clock.now() });
    const record = pairings.complete(deviceId, keys, address ?? undefined);
    const link = this.#attach(record);
    this.#startUnlessPaused(link);
    this.#changed({ of: 'pairings', homeId });
    this.#changed({ of: 'discovery' });
    await link.settled(FIRST_READ_MS);
    // It may have announced itself only now.
    if (published.has(deviceId)) {
      await this.#forget(record);
      return 'published';
    }
    const { status } = link.present();
    logger.info({ device: deviceId, name, status }, 'Imported a pairing of another controller');
    if (status === 'connected') return 'connected';
    if (status !== 'pairing_lost') return 'unreachable';
    await this.#forget(record);
    return 'refused';
  }

  /** Removes an incomplete pairing from its device. @returns why this is not possible now */
  async #removeHalfMade(record: PairingRecord): Promise<string | undefined> {
    const connect = async (): Promise<PairingConnection> =>
      this.#deps.connect(this.#nearby.find(record.keys.deviceId).addresses());
    const outcome = await recoverIncompletePairing(connect, record.keys);
    return outcome === 'unresolved' ? 'it does not answer, or not as itself. Bring it back.' : undefined;
  }

  #present(advertisement: Advertisement): DiscoveredDevice {
    const link = this.#links.get(advertisement.deviceId);
    return {
      deviceId: advertisement.deviceId,
      name: showableName(advertisement.name),
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

interface PlacedWrite extends RequestedWrite {
  /** The index among all writes of the call. */
  readonly place: number;
}

function groupBySource(writes: readonly DriverWrite[]): ReadonlyMap<string, readonly PlacedWrite[]> {
  const groups = new Map<string, PlacedWrite[]>();
  for (const [place, write] of writes.entries()) {
    const { source } = write.address;
    const placed = { place, ...requestedOf(write) };
    const group = groups.get(source);
    if (group) group.push(placed);
    else groups.set(source, [placed]);
  }
  return groups;
}

function requestedOf({ address, iid, value }: DriverWrite): RequestedWrite {
  return { aid: address.aid, iid, value };
}

const NOT_PAIRED_OUTCOME: WriteOutcome = { ok: false, reason: 'unreachable', detail: 'The device is not paired here.' };

function notPaired(deviceId: string): HearthError {
  return new HearthError('not_found', `No device ${deviceId} is paired here.`);
}

const NOTHING_KNOWN = {
  manufacturer: null,
  serialNumber: null,
  firmware: null,
  accessoryCount: 0,
  lastSeenAt: null,
  latencyMs: null,
  notifications: 0,
  polls: 0,
  lastError: null,
  lastErrorAt: null,
} as const satisfies Partial<PairedDevice>;

function presentUnfinished({ keys, homeId, name, model, category, pairedAt }: PairingRecord): PairedDevice {
  return {
    deviceId: keys.deviceId,
    homeId,
    name,
    model,
    category,
    status: 'pairing_incomplete',
    statusDetail: INCOMPLETE_ADVICE,
    since: pairedAt,
    address: null,
    reconnects: 0,
    pairedAt,
    ...NOTHING_KNOWN,
  };
}
