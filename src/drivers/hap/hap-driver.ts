/**
 * The HAP driver, for what is above it: commands and questions for paired devices, discovery, and pairing. It contains
 * no protocol: sessions, pair-setup, stores and discovery are dependencies. Reports from devices go to the sink.
 */
import type { DriverWrite, WriteOutcome } from '../../home/accessory-driver.ts';
import type { PictureSize } from '../../home/camera-driver.ts';
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
import { HearthError } from '../../kernel/errors.ts';
import { type Advertisement, isUnpaired, type Sighting } from '../discovery/discovery.ts';
import { DeviceLinks, type DeviceLinksDeps } from './device-links.ts';
import { DevicePairings, type DevicePairingsDeps } from './device-pairings.ts';
import type { ManualDevicesStore } from './manual-devices-store.ts';
import { NearbyDevices } from './nearby-devices.ts';
import { listControllers } from './pairing/controllers.ts';
import type { PairingRecord } from './pairing/pairing-store.ts';
import { INCOMPLETE_ADVICE } from './pairing/recover-pairing.ts';
import { PairingChanges } from './pairing-changes.ts';
import type { RequestedWrite } from './values/write-item.ts';
import type { HostPort } from './wire/dial.ts';

/** How long a requested connection is waited for. */
const RECONNECT_MS = 10_000;

export interface HapDriverDeps extends DeviceLinksDeps, DevicePairingsDeps {
  readonly manual: ManualDevicesStore;
  /** Makes an unpaired accessory identify itself. */
  readonly identifyAt: (addresses: readonly HostPort[]) => Promise<void>;
}

export class HapDriver implements PairingDriver {
  readonly #deps: HapDriverDeps;
  readonly #nearby: NearbyDevices;
  readonly #links: DeviceLinks;
  readonly #changes: PairingChanges;
  readonly #pairings: DevicePairings;
  readonly #listeners = new Set<(change: PairingChange) => void>();
  #unsubscribe: (() => void) | undefined;

  constructor(deps: HapDriverDeps) {
    const changed = (change: PairingChange): void => this.#changed(change);
    const nearby = new NearbyDevices(deps);
    const links = new DeviceLinks(deps, changed);
    const changes = new PairingChanges({ ...deps, resume: (link) => links.resume(link) });
    this.#deps = deps;
    this.#nearby = nearby;
    this.#links = links;
    this.#changes = changes;
    this.#pairings = new DevicePairings(deps, { links, nearby, changes, changed });
  }

  start(): void {
    this.#nearby.restoreManual();
    this.#unsubscribe = this.#deps.discovery.onSighting((sighting) => this.#applySighting(sighting));
    this.#links.start();
  }

  /** Ends all connections and everything that waits for them. */
  async stop(): Promise<void> {
    if (!this.#links.isRunning) return;
    this.#unsubscribe?.();
    await this.#links.stop(this.#pairings.untilIdle());
  }

  write(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
    const [first] = writes;
    const source = first?.address.source;
    // Most commands are for one device: its answer is the answer.
    const isOne = source !== undefined && writes.every(({ address }) => address.source === source);
    const session = isOne ? this.#links.find(source)?.session : undefined;
    return session ? session.write(writes.map(requestedOf)) : this.#writeToEach(writes);
  }

  async #writeToEach(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
    const outcomes: WriteOutcome[] = writes.map(() => NOT_PAIRED_OUTCOME);
    const groups = [...groupBySource(writes)].map(async ([source, own]) => {
      const results = (await this.#links.find(source)?.session.write(own)) ?? [];
      for (const [at, { place }] of own.entries()) outcomes[place] = results[at] ?? NOT_PAIRED_OUTCOME;
    });
    await Promise.all(groups);
    return outcomes;
  }

  async identify(address: AccessoryAddress): Promise<void> {
    await this.#links.require(address.source).session.device.identify(address.aid);
  }

  async takePicture({ source, aid }: AccessoryAddress, size: PictureSize): Promise<Buffer> {
    return this.#links.require(source).session.device.takePicture(aid, size);
  }

  async negotiate({ source, aid }: AccessoryAddress, iid: HapId, value: string): Promise<string> {
    return this.#links.require(source).session.device.negotiate({ aid, iid }, value);
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
      .filter(({ state, keys }) => state === 'exchanging' && !this.#pairings.isBusy(keys.deviceId));
    return [...this.#links.list().map((link) => link.present()), ...unfinished.map(presentUnfinished)];
  }

  async reconnect(deviceId: string): Promise<PairedDevice> {
    const link = this.#links.require(deviceId);
    await link.reconnect(RECONNECT_MS);
    const device = link.present();
    if (device.status === 'connected') return device;
    const detail = device.statusDetail ?? 'The device did not answer within 10 s. The relay goes on trying.';
    if (device.status === 'paused') throw new HearthError('conflict', `${detail}.`, { reason: 'home_paused' });
    throw new HearthError('accessory_unreachable', detail);
  }

  trace(deviceId: string): DeviceTrace {
    return this.#links.require(deviceId).trace();
  }

  get reconnects(): number {
    return this.#links.reconnects;
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

  pair(request: PairingRequest, onProgress: (step: PairingStep) => void): Promise<PairedDevice> {
    return this.#pairings.pair(request, onProgress);
  }

  adopt(pairing: ForeignPairing, homeId: string): Promise<AdoptionOutcome> {
    return this.#pairings.adopt(pairing, homeId);
  }

  unpair(deviceId: string, force: boolean): Promise<void> {
    return this.#pairings.unpair(deviceId, force);
  }

  async identifyUnpaired(deviceId: string): Promise<void> {
    const device = this.#nearby.find(deviceId);
    if (this.#links.find(device.deviceId)) {
      throw new HearthError('conflict', `“${device.name}” is paired here: identify its accessory instead.`, {
        reason: 'paired_here',
      });
    }
    await this.#deps.identifyAt(device.addresses());
  }

  async listControllers(deviceId: string): Promise<readonly RegisteredController[]> {
    const { session, keys } = this.#links.require(deviceId);
    return listControllers((body) => session.device.pairingsExchange(body), keys.controllerId);
  }

  async addController(deviceId: string, controller: { id: string; publicKey: string; admin: boolean }): Promise<void> {
    await this.#changes.add(this.#links.require(deviceId), controller);
  }

  async removeController(deviceId: string, controllerId: string): Promise<void> {
    const link = this.#links.require(deviceId);
    if (controllerId === link.keys.controllerId) {
      throw new HearthError('conflict', 'This is the relay itself. To remove it from the device, unpair the device.');
    }
    await this.#changes.remove(link, controllerId);
  }

  setHomePaused(homeId: string, paused: boolean): void {
    this.#links.setHomePaused(homeId, paused);
  }

  #applySighting({ kind, advertisement }: Sighting): void {
    if (kind !== 'seen') this.#changed({ of: 'discovery' });
    const link = this.#links.find(advertisement.deviceId);
    if (!link || kind === 'lost') return;
    if (kind === 'seen') link.session.discovered();
    else link.session.advertisementChanged();
  }

  #present(advertisement: Advertisement): DiscoveredDevice {
    const link = this.#links.find(advertisement.deviceId);
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
