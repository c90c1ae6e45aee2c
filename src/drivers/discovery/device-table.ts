/**
 * Devices by the id of their TXT record, and the sightings that follow from changes. It does not handle packets: the
 * caller passes the current appearances of an instance.
 *
 * One id belongs to one server: the first that claims it. Appearances with the same name, host and port are the same
 * server. Any other server is a rival (a cloned device, or the same one after a move). To settle the conflict, the
 * table probes the holder: if it answers, the rival is refused and logged; if it stays silent, the id passes to the
 * rival.
 */
import type { HomeDeps } from '../../home/home-deps.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import { type Appearance, serverAddresses } from './appearance.ts';
import type { Advertisement, Sighting, SightingKind } from './discovery.ts';

export interface DeviceTableDeps extends HomeDeps<'clock' | 'logger'> {
  readonly onSighting: (sighting: Sighting) => void;
  /** Asks whether this instance is still there; if so, its records arrive again. */
  readonly probe: (instance: string) => void;
  readonly maxDevices?: number;
}

interface Device {
  readonly id: string;
  readonly appearances: Appearance[];
  readonly manual: Map<string, Advertisement>;
  /** The server that holds the id; empty while only manual entries name the device. */
  holder: string;
  advertisement: Advertisement | undefined;
  /**
   * When the last conflict was settled. A rival is considered again only if it was received since, and not too often.
   */
  settledAt: number;
  refused: readonly string[];
  cancelProbe: (() => void) | undefined;
}

/** Far above any home; bounds the memory that a flood of forged devices can use. */
const MAX_DEVICES = 4_096;
/** One device on several of our interfaces, and one or two clones. Further claims to its id are ignored. */
const MAX_APPEARANCES = 32;
/**
 * Time for a holder to answer. Responders wait up to 120 ms (RFC 6762 §6), and Wi-Fi loses packets, so three probes are
 * sent.
 */
export const PROBE_MS = 2_000;
const PROBE_INTERVAL_MS = 60_000;

export class DeviceTable {
  readonly #deps: DeviceTableDeps;
  readonly #throttle: LogThrottle;
  readonly #devices = new Map<string, Device>();
  /** Device ids by the instance that advertises them. */
  readonly #idsByInstance = new Map<string, ReadonlySet<string>>();

  constructor(deps: DeviceTableDeps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
  }

  list(): Advertisement[] {
    const all = [...this.#devices.values()].flatMap(({ advertisement }) => advertisement ?? []);
    return all.sort((a, b) => compare(a.name, b.name) || compare(a.deviceId, b.deviceId));
  }

  find(deviceId: string): Advertisement | undefined {
    return this.#devices.get(deviceId.toUpperCase())?.advertisement;
  }

  /** The instances that advertise this device. */
  instancesOf(deviceId: string): readonly string[] {
    return [...new Set(this.#devices.get(deviceId.toUpperCase())?.appearances.map(({ instance }) => instance))];
  }

  /**
   * Sets the current appearances of an instance.
   * @param received whether the instance was received just now, rather than expired
   */
  update(instance: string, appearances: readonly Appearance[], received: boolean): void {
    const before = this.#idsByInstance.get(instance) ?? new Set<string>();
    const ids = new Set<string>();
    const touched = new Set(before);
    for (const device of this.#devicesOf(before)) removeAll(device.appearances, (other) => other.instance === instance);
    for (const appearance of appearances) {
      const device = this.#deviceFor(appearance.txt.deviceId);
      if (!device || device.appearances.length >= MAX_APPEARANCES) continue;
      device.appearances.push(appearance);
      ids.add(device.id);
      touched.add(device.id);
    }
    if (ids.size > 0) this.#idsByInstance.set(instance, ids);
    else this.#idsByInstance.delete(instance);
    for (const device of this.#devicesOf(touched)) this.#settle(device, received && ids.has(device.id));
  }

  /** Sets the advertisement of a manual entry; `undefined` removes it. */
  setManual(entry: string, advertisement: Advertisement | undefined): void {
    for (const device of [...this.#devices.values()]) {
      if (device.id === deviceKey(advertisement) || !device.manual.delete(entry)) continue;
      this.#settle(device, false);
    }
    const device = advertisement && this.#deviceFor(deviceKey(advertisement) ?? '');
    if (!device) return;
    device.manual.set(entry, advertisement);
    // While it is listed under its `host:port`, no server has answered for the entry.
    this.#settle(device, advertisement.deviceId !== entry);
  }

  /** Removes everything without notifying subscribers. */
  clear(): void {
    for (const device of this.#devices.values()) device.cancelProbe?.();
    this.#devices.clear();
    this.#idsByInstance.clear();
  }

  #devicesOf(ids: ReadonlySet<string>): readonly Device[] {
    return [...ids].flatMap((id) => this.#devices.get(id) ?? []);
  }

  #deviceFor(deviceId: string): Device | undefined {
    const id = deviceId.toUpperCase();
    const known = this.#devices.get(id);
    if (known) return known;
    const max = this.#deps.maxDevices ?? MAX_DEVICES;
    if (this.#devices.size >= max) {
      this.#throttle.once('full', (skipped) =>
        this.#deps.logger.warn({ devices: max, ...skipped }, 'Too many accessory servers advertise on the network'),
      );
      return undefined;
    }
    const device: Device = {
      id,
      appearances: [],
      manual: new Map(),
      holder: '',
      advertisement: undefined,
      settledAt: Number.NEGATIVE_INFINITY,
      refused: [],
      cancelProbe: undefined,
    };
    this.#devices.set(id, device);
    return device;
  }

  /** Decides which server holds the id, and reports the result. */
  #settle(device: Device, received: boolean): void {
    const servers = serversOf(device);
    if (!servers.has(device.holder)) {
      device.cancelProbe?.();
      device.cancelProbe = undefined;
      this.#handOver(device, newest(servers));
    }
    device.refused = device.refused.filter((server) => servers.has(server));
    this.#challenge(device, servers);
    this.#present(device, servers.get(device.holder) ?? [], received);
  }

  #handOver(device: Device, server: string | undefined): void {
    // After a hand-over, earlier appearances of the rivals no longer count. Before the first holder there were no
    // rivals.
    if (device.holder) device.settledAt = this.#deps.clock.monotonic();
    device.holder = server ?? '';
    device.refused = [];
  }

  /** Probes the holder if another server claims its id. */
  #challenge(device: Device, servers: ReadonlyMap<string, Appearance[]>): void {
    const holder = servers.get(device.holder)?.[0];
    if (!holder || device.cancelProbe) return;
    const rivals = rivalsOf(device, servers);
    const now = this.#deps.clock.monotonic();
    const isNew = [...rivals.keys()].some((server) => !device.refused.includes(server));
    if (rivals.size === 0 || (!isNew && now - device.settledAt < PROBE_INTERVAL_MS)) return;
    device.cancelProbe = this.#deps.clock.after(PROBE_MS, () => {
      device.cancelProbe = undefined;
      this.#judge(device, now);
    });
    this.#deps.probe(holder.instance);
  }

  #judge(device: Device, askedAt: number): void {
    const servers = serversOf(device);
    const rivals = rivalsOf(device, servers);
    if (rivals.size === 0) return;
    if (receivedAt(servers.get(device.holder) ?? []) <= askedAt) {
      this.#handOver(device, newest(rivals));
    } else {
      device.settledAt = this.#deps.clock.monotonic();
      device.refused = [...rivals.keys()];
      this.#warnOfClone(device, [...rivals.values()]);
    }
    this.#settle(device, false);
  }

  #warnOfClone(device: Device, rivals: readonly (readonly Appearance[])[]): void {
    this.#throttle.once(device.id, (skipped) => {
      const describe = ({ name, host, port }: Pick<Appearance, 'name' | 'host' | 'port'>): string =>
        `${name} (${host}:${port})`;
      const kept = device.advertisement && describe(device.advertisement);
      const refused = rivals.flatMap((group) => (group[0] ? describe(group[0]) : []));
      this.#deps.logger.warn(
        { deviceId: device.id, kept, refused, ...skipped },
        'Two accessory servers use the same device id; the relay keeps the first. Reset the other one so that it gets a new id',
      );
    });
  }

  /** Builds the advertisement and reports the change. */
  #present(device: Device, group: readonly Appearance[], received: boolean): void {
    const before = device.advertisement;
    const now = this.#deps.clock.now();
    const reported = fromServer(device, group) ?? fromManual(device);
    if (!reported) {
      this.#devices.delete(device.id);
      device.cancelProbe?.();
      if (before) this.#notify('lost', before);
      return;
    }
    const after: Advertisement = {
      ...reported,
      firstSeenAt: before?.firstSeenAt ?? now,
      lastSeenAt: received || !before ? now : before.lastSeenAt,
    };
    device.advertisement = after;
    const changed = before !== undefined && !sameAdvertisement(before, after);
    if (!before) this.#notify('found', after);
    else if (changed) this.#notify('changed', after);
    else if (received) this.#notify('seen', after);
  }

  #notify(kind: SightingKind, advertisement: Advertisement): void {
    this.#deps.onSighting({ kind, advertisement });
  }
}

type Announced = Omit<Advertisement, 'firstSeenAt' | 'lastSeenAt'>;

/** The device as mDNS advertises it. A manual entry for the same port adds its addresses, to be tried last. */
function fromServer(device: Device, group: readonly Appearance[]): Announced | undefined {
  const newestFirst = [...group].sort((a, b) => b.receivedAt - a.receivedAt);
  const latest = newestFirst[0];
  if (!latest) return undefined;
  const extra = [...device.manual.values()].filter(({ port }) => port === latest.port);
  return {
    ...latest.txt,
    name: latest.name,
    host: latest.host,
    port: latest.port,
    addresses: [...new Set([...serverAddresses(newestFirst), ...extra.flatMap(({ addresses }) => addresses)])],
    ...(device.refused.length > 0 && { refusedServers: device.refused.map(describeServer) }),
    via: 'mdns',
  };
}

function fromManual(device: Device): Announced | undefined {
  return device.manual.values().next().value;
}

/** Servers that claim the id, by name, host and port. */
function serversOf({ appearances }: Device): Map<string, Appearance[]> {
  const servers = new Map<string, Appearance[]>();
  for (const appearance of appearances) {
    const group = servers.get(appearance.server);
    if (group) group.push(appearance);
    else servers.set(appearance.server, [appearance]);
  }
  return servers;
}

/** Servers other than the holder that were received since the last decision. */
function rivalsOf(device: Device, servers: ReadonlyMap<string, Appearance[]>): Map<string, Appearance[]> {
  return new Map(
    [...servers].filter(([server, group]) => server !== device.holder && receivedAt(group) > device.settledAt),
  );
}

function describeServer(server: string): string {
  const [instance, host, port] = JSON.parse(server) as [string, string, number];
  return `${instance} at ${host}:${port}`;
}

function receivedAt(group: readonly Appearance[]): number {
  return group.reduce((latest, appearance) => Math.max(latest, appearance.receivedAt), Number.NEGATIVE_INFINITY);
}

function newest(servers: ReadonlyMap<string, readonly Appearance[]>): string | undefined {
  return [...servers].sort(([, a], [, b]) => receivedAt(b) - receivedAt(a))[0]?.[0];
}

function sameAdvertisement(a: Advertisement, b: Advertisement): boolean {
  const comparable = (advertisement: Advertisement): string =>
    JSON.stringify({ ...advertisement, firstSeenAt: 0, lastSeenAt: 0 });
  return comparable(a) === comparable(b);
}

function deviceKey(advertisement: Advertisement | undefined): string | undefined {
  return advertisement?.deviceId.toUpperCase();
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function removeAll<T>(list: T[], matches: (item: T) => boolean): void {
  for (let at = list.length - 1; at >= 0; at -= 1) if (matches(list[at] as T)) list.splice(at, 1);
}
