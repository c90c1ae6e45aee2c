/**
 * A `Discovery` whose network is the test: `announce` and `remove` play the part of the accessories. Nothing is sent
 * and nothing is timed; refreshes and manual entries are recorded for the test to look at.
 */
import type { Advertisement, Discovery, Sighting, SightingKind } from '../../src/drivers/discovery/discovery.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { systemClock } from '../../src/kernel/clock.ts';

export class ScriptedDiscovery implements Discovery {
  /** The argument of every `refresh` call, in order. */
  readonly refreshes: (string | undefined)[] = [];
  readonly manual = new Set<string>();
  started = false;
  readonly #clock: Clock;
  readonly #devices = new Map<string, Advertisement>();
  readonly #listeners = new Set<(sighting: Sighting) => void>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  start(): void {
    this.started = true;
  }

  stop(): void {
    this.started = false;
  }

  list(): readonly Advertisement[] {
    return [...this.#devices.values()].sort(
      (a, b) => a.name.localeCompare(b.name) || a.deviceId.localeCompare(b.deviceId),
    );
  }

  find(deviceId: string): Advertisement | undefined {
    return this.#devices.get(deviceId);
  }

  onSighting(listener: (sighting: Sighting) => void): () => void {
    const entry = (sighting: Sighting): void => listener(sighting);
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  refresh(deviceId?: string): void {
    this.refreshes.push(deviceId);
  }

  addManual(hostPort: string): void {
    this.manual.add(hostPort);
  }

  removeManual(hostPort: string): void {
    this.manual.delete(hostPort);
  }

  /** A device announces itself or a change: what is not given keeps its last value, or a plain default. */
  announce(device: Partial<Advertisement> & { readonly deviceId: string }): Advertisement {
    const known = this.#devices.get(device.deviceId);
    const now = this.#clock.now();
    const advertisement: Advertisement = { ...(known ?? plainAdvertisement(now)), lastSeenAt: now, ...device };
    this.#devices.set(device.deviceId, advertisement);
    this.#notify(known ? (same(known, advertisement) ? 'seen' : 'changed') : 'found', advertisement);
    return advertisement;
  }

  /** A device sends a goodbye, or its records expire. */
  remove(deviceId: string): void {
    const advertisement = this.#devices.get(deviceId);
    if (!advertisement) return;
    this.#devices.delete(deviceId);
    this.#notify('lost', advertisement);
  }

  #notify(kind: SightingKind, advertisement: Advertisement): void {
    for (const listener of [...this.#listeners]) listener({ kind, advertisement });
  }
}

function plainAdvertisement(now: number): Omit<Advertisement, 'deviceId'> {
  return {
    name: 'Accessory',
    model: 'Model',
    category: 1,
    configNumber: 1,
    stateNumber: 1,
    statusFlags: 1,
    featureFlags: 0,
    protocolVersion: '1.1',
    host: 'accessory.local',
    port: 51826,
    addresses: ['127.0.0.1'],
    via: 'mdns',
    firstSeenAt: now,
    lastSeenAt: now,
  };
}

function same(a: Advertisement, b: Advertisement): boolean {
  return JSON.stringify({ ...a, lastSeenAt: 0 }) === JSON.stringify({ ...b, lastSeenAt: 0 });
}
