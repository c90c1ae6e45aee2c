/** Pairs devices, imports their pairings from other controllers, and removes them: one at a time for each device. */
import type { DriverSink } from '../../home/accessory-driver.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import type {
  AdoptionOutcome,
  ForeignPairing,
  PairedDevice,
  PairingChange,
  PairingRequest,
  PairingStep,
} from '../../home/pairing-driver.ts';
import { sleep } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { Discovery } from '../discovery/discovery.ts';
import type { AccessoryCache } from './accessory-cache.ts';
import type { DeviceLimitsStore } from './device-limits-store.ts';
import { type DeviceLinks, notPaired } from './device-links.ts';
import type { NearbyDevice, NearbyDevices } from './nearby-devices.ts';
import { isDeviceId } from './pairing/device-id.ts';
import type { Pairer } from './pairing/pairer.ts';
import type { PairingConnection } from './pairing/pairing-connection.ts';
import type { PairingRecord, PairingStore } from './pairing/pairing-store.ts';
import { recoverIncompletePairing } from './pairing/recover-pairing.ts';
import type { PairingChanges } from './pairing-changes.ts';
import type { PublishedServers } from './published-servers.ts';
import type { DeviceLink } from './session/device-link.ts';
import type { AccessorySessionDeps } from './session/session-host.ts';
import { trySave } from './session/try-save.ts';
import type { HostPort } from './wire/dial.ts';

/** How long `pair` waits for the new device's first full read before it returns anyway. */
const FIRST_READ_MS = 15_000;
/** HAP category Other, for a device that was never seen on mDNS. */
const OTHER_CATEGORY = 1;
/**
 * How long `untilIdle` waits for a pairing in progress: if cut off now, the device would hold a pairing that is
 * unusable.
 */
const PAIRING_GRACE_MS = 5_000;

export interface DevicePairingsDeps extends HomeDeps<'clock' | 'logger'> {
  readonly discovery: Discovery;
  readonly pairings: PairingStore;
  readonly pairer: Pairer;
  readonly cache: AccessoryCache;
  readonly limits: DeviceLimitsStore;
  readonly sink: DriverSink;
  readonly environment: AccessorySessionDeps;
  /** Opens a plain connection to one of the addresses, for pairing. */
  readonly connect: (addresses: readonly HostPort[]) => Promise<PairingConnection & { readonly address: HostPort }>;
  readonly published: PublishedServers;
}

interface Parts {
  readonly links: DeviceLinks;
  readonly nearby: NearbyDevices;
  readonly changes: PairingChanges;
  readonly changed: (change: PairingChange) => void;
}

export class DevicePairings {
  readonly #deps: DevicePairingsDeps & Parts;
  /** Devices with a pairing or unpairing in progress. */
  readonly #busy = new Map<string, Promise<unknown>>();

  constructor(deps: DevicePairingsDeps, parts: Parts) {
    this.#deps = { ...deps, ...parts };
  }

  isBusy(deviceId: string): boolean {
    return this.#busy.has(deviceId);
  }

  async untilIdle(): Promise<void> {
    if (this.#busy.size === 0) return;
    await Promise.race([Promise.allSettled(this.#busy.values()), sleep(this.#deps.clock, PAIRING_GRACE_MS)]);
  }

  async pair(request: PairingRequest, onProgress: (step: PairingStep) => void): Promise<PairedDevice> {
    this.#requireRunning();
    const device = this.#deps.nearby.find(request.device);
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

  #requireRunning(): void {
    if (!this.#deps.links.isRunning) throw new HearthError('relay_not_connected', 'Relay not connected');
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

  async #pair(
    device: NearbyDevice,
    { homeId, setupCode }: PairingRequest,
    onProgress: (step: PairingStep) => void,
  ): Promise<PairedDevice> {
    const { pairer, limits, clock, environment, logger, links, nearby } = this.#deps;
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
      if (!isDeviceId(device.deviceId)) nearby.addManual(device.deviceId);
      limits.savePairMethod(id, method, clock.now());
    });
    logger.info({ device: id, name: record.name }, 'Paired');
    this.#deps.changed({ of: 'discovery' });
    return this.#welcome(links.attach(record), onProgress);
  }

  /** Connects to the new device and waits for its values. */
  async #welcome(link: DeviceLink, onProgress: (step: PairingStep) => void): Promise<PairedDevice> {
    if (!this.#deps.links.isRunning) return link.present();
    onProgress('reading');
    this.#deps.links.resume(link);
    await link.settled(FIRST_READ_MS);
    onProgress('done');
    return link.present();
  }

  async #unpair(record: PairingRecord, force: boolean): Promise<void> {
    const { logger, links, changes } = this.#deps;
    const id = record.keys.deviceId;
    const link = links.find(id);
    const whyNot = link ? await changes.removeOwn(link, force) : await this.#removeHalfMade(record);
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
    const { pairings, cache, limits, sink, links } = this.#deps;
    pairings.remove(id);
    await links.detach(id);
    // After the stop, so that no pending operation restores the data.
    cache.remove(id);
    limits.remove(id);
    sink.forget(id);
    this.#deps.changed({ of: 'pairings', homeId });
    this.#deps.changed({ of: 'discovery' });
  }

  async #adopt({ deviceId, name, address, ...identity }: ForeignPairing, homeId: string): Promise<AdoptionOutcome> {
    const { pairings, discovery, clock, logger, published, links } = this.#deps;
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
    const link = links.attach(record);
    links.resume(link);
    this.#deps.changed({ of: 'pairings', homeId });
    this.#deps.changed({ of: 'discovery' });
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
      this.#deps.connect(this.#deps.nearby.find(record.keys.deviceId).addresses());
    const outcome = await recoverIncompletePairing(connect, record.keys);
    return outcome === 'unresolved' ? 'it does not answer, or not as itself. Bring it back.' : undefined;
  }
}
