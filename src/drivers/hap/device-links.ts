/** The paired devices, a `DeviceLink` each: it runs unless the owner has paused the home of its device. */
import type { PairingChange } from '../../home/pairing-driver.ts';
import { HearthError } from '../../kernel/errors.ts';
import { canonicalDeviceId } from './pairing/device-id.ts';
import type { PairingRecord } from './pairing/pairing-store.ts';
import { DeviceLink, type DeviceLinkDeps } from './session/device-link.ts';

/** The minimum time between two reports of a returned device to the other sessions. */
const RETURN_MS = 10_000;

export interface DeviceLinksDeps extends Omit<DeviceLinkDeps, 'onReturned' | 'onChanged'> {
  /** All homes, with a flag for those whose driver the owner has paused. Called at the start. */
  readonly homes: () => readonly { readonly id: string; readonly paused: boolean }[];
}

export class DeviceLinks {
  readonly #deps: DeviceLinksDeps;
  readonly #changed: (change: PairingChange) => void;
  readonly #links = new Map<string, DeviceLink>();
  readonly #pausedHomes = new Set<string>();
  #running = false;
  /** Reconnects of devices that are no longer paired. */
  #formerReconnects = 0;
  /** When a return was last reported, in monotonic time. */
  #returnedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: DeviceLinksDeps, changed: (change: PairingChange) => void) {
    this.#deps = deps;
    this.#changed = changed;
  }

  get isRunning(): boolean {
    return this.#running;
  }

  get reconnects(): number {
    let reconnects = this.#formerReconnects;
    for (const { session } of this.#links.values()) reconnects += session.stats.reconnects;
    return reconnects;
  }

  start(): void {
    const { pairings, homes, sink } = this.#deps;
    this.#running = true;
    this.#pausedHomes.clear();
    for (const { id, paused } of homes()) if (paused) this.#pausedHomes.add(id);
    for (const record of pairings.list()) if (record.state === 'paired') this.attach(record).describeFromCache();
    for (const link of this.#links.values()) this.resume(link);
    for (const { id, paused } of homes()) sink.setConnected(id, !paused);
  }

  /** @param meanwhile what ends at the same time */
  async stop(meanwhile: Promise<void>): Promise<void> {
    this.#running = false;
    for (const { id } of this.#deps.homes()) this.#deps.sink.setConnected(id, false);
    const links = [...this.#links.values()];
    await Promise.all([meanwhile, ...links.map((link) => link.stop())]);
    this.#links.clear();
  }

  list(): readonly DeviceLink[] {
    return [...this.#links.values()];
  }

  find(deviceId: string): DeviceLink | undefined {
    return this.#links.get(deviceId);
  }

  /** @throws `not_found` */
  require(deviceId: string): DeviceLink {
    const link = this.#links.get(canonicalDeviceId(deviceId));
    if (!link) throw notPaired(deviceId);
    return link;
  }

  attach(record: PairingRecord): DeviceLink {
    const link = new DeviceLink(record, {
      ...this.#deps,
      onReturned: () => this.#returned(),
      onChanged: () => this.#changed({ of: 'pairings', homeId: record.homeId }),
    });
    this.#links.set(link.deviceId, link);
    return link;
  }

  /** Resolves when nothing of it runs any more. */
  async detach(deviceId: string): Promise<void> {
    const link = this.#links.get(deviceId);
    this.#formerReconnects += link?.session.stats.reconnects ?? 0;
    this.#links.delete(deviceId);
    await link?.stop();
  }

  /** Lets the device run again, unless its home is paused or the driver has stopped. */
  resume(link: DeviceLink): void {
    if (!this.#running) return;
    if (this.#pausedHomes.has(link.record.homeId)) link.pause();
    else link.start();
  }

  setHomePaused(homeId: string, paused: boolean): void {
    if (paused) this.#pausedHomes.add(homeId);
    else this.#pausedHomes.delete(homeId);
    if (!this.#running) return;
    this.#deps.sink.setConnected(homeId, !paused);
    for (const link of this.#links.values()) if (link.record.homeId === homeId) this.resume(link);
  }

  /** A device is reachable again: after a power cut or a router restart, others may be too. */
  #returned(): void {
    const now = this.#deps.clock.monotonic();
    if (now - this.#returnedAt < RETURN_MS) return;
    this.#returnedAt = now;
    for (const { session } of this.#links.values()) session.peerReconnected();
  }
}

export function notPaired(deviceId: string): HearthError {
  return new HearthError('not_found', `No device ${deviceId} is paired here.`);
}
