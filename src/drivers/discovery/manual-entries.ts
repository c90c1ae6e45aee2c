/**
 * Accessory servers configured by `host:port`, for networks without multicast. Each is queried directly for its
 * identity, with back-off; until it answers, it is listed under its `host:port`.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { HomeDeps } from '../../home/home-deps.ts';
import type { Appearance } from './appearance.ts';
import type { Advertisement } from './discovery.ts';
import { type ManualHost, parseHostPort } from './host-port.ts';
import { MDNS_PORT } from './multicast-socket.ts';
import { askHost } from './unicast-query.ts';

export interface ManualEntriesDeps extends HomeDeps<'clock' | 'logger'> {
  /** The current advertisement of an entry; `undefined` when it was removed. */
  readonly onKnown: (entry: string, advertisement: Advertisement | undefined) => void;
  /** The port of the hosts' mDNS responders. */
  readonly port?: number;
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

interface Entry extends ManualHost {
  advertisement: Advertisement;
  identified: boolean;
  asking: boolean;
  intervalMs: number;
  cancel: (() => void) | undefined;
}

const FIRST_INTERVAL_MS = 1_000;
/** Also the interval at which an identified device is queried for changes. */
const MAX_INTERVAL_MS = 60_000;
/**
 * As in mDNS, an unpaired device has 1. A device that has not answered might be unpaired, so pairing is not refused.
 */
const STATUS_UNKNOWN = 1;

export class ManualEntries {
  readonly #deps: ManualEntriesDeps;
  readonly #entries = new Map<string, Entry>();
  #running = false;

  constructor(deps: ManualEntriesDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = true;
    for (const entry of this.#entries.values()) {
      this.#deps.onKnown(entry.text, entry.advertisement);
      this.#ask(entry);
    }
  }

  stop(): void {
    this.#running = false;
    for (const entry of this.#entries.values()) entry.cancel?.();
  }

  /** Adds an entry; an existing entry does not change. @throws `invalid_value` */
  add(input: string): void {
    const hostPort = parseHostPort(input);
    if (this.#entries.has(hostPort.text)) return;
    const addresses = isIP(hostPort.host) ? [hostPort.host] : [];
    const entry: Entry = {
      ...hostPort,
      advertisement: unidentified(hostPort, addresses, this.#deps.clock.now()),
      identified: false,
      asking: false,
      intervalMs: FIRST_INTERVAL_MS,
      cancel: undefined,
    };
    this.#entries.set(entry.text, entry);
    if (!this.#running) return;
    this.#deps.onKnown(entry.text, entry.advertisement);
    this.#ask(entry);
  }

  /** Removes an entry; a missing entry is no error. @throws `invalid_value` */
  remove(input: string): void {
    const { text } = parseHostPort(input);
    const entry = this.#entries.get(text);
    if (!entry) return;
    entry.cancel?.();
    this.#entries.delete(text);
    if (this.#running) this.#deps.onKnown(text, undefined);
  }

  /** Queries all entries now, or the one of this device. */
  refresh(deviceId?: string): void {
    for (const entry of this.#entries.values()) {
      if (deviceId !== undefined && entry.advertisement.deviceId.toUpperCase() !== deviceId.toUpperCase()) continue;
      entry.intervalMs = FIRST_INTERVAL_MS;
      this.#ask(entry);
    }
  }

  #ask(entry: Entry): void {
    if (!this.#running || entry.asking) return;
    entry.asking = true;
    entry.cancel?.();
    this.#identify(entry)
      .catch((error: unknown) =>
        this.#deps.logger.debug({ entry: entry.text, error: String(error) }, 'Could not query a manual entry'),
      )
      .finally(() => {
        entry.asking = false;
        if (!this.#isCurrent(entry)) return;
        entry.cancel = this.#deps.clock.after(entry.intervalMs, () => this.#ask(entry));
        entry.intervalMs = entry.identified ? MAX_INTERVAL_MS : Math.min(entry.intervalMs * 2, MAX_INTERVAL_MS);
      });
  }

  async #identify(entry: Entry): Promise<void> {
    const { clock, port = MDNS_PORT, resolve = resolveHost } = this.#deps;
    const addresses = isIP(entry.host) ? [entry.host] : await resolve(entry.host);
    if (!entry.identified && this.#isCurrent(entry)) {
      this.#learn(entry, unidentified(entry, addresses, entry.advertisement.firstSeenAt));
    }
    for (const address of addresses) {
      const found = await askHost({ address, port, servicePort: entry.port, clock });
      if (!this.#isCurrent(entry)) return;
      if (!found) continue;
      entry.identified = true;
      const others = addresses.filter((other) => other !== address);
      return this.#learn(entry, identified(entry, found, [address, ...others], clock.now()));
    }
  }

  #learn(entry: Entry, advertisement: Advertisement): void {
    entry.advertisement = advertisement;
    this.#deps.onKnown(entry.text, advertisement);
  }

  #isCurrent(entry: Entry): boolean {
    return this.#running && this.#entries.get(entry.text) === entry;
  }
}

async function resolveHost(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true, order: 'ipv4first' });
  return [...new Set(found.map(({ address }) => address))];
}

function unidentified({ text, host, port }: ManualHost, addresses: readonly string[], now: number): Advertisement {
  return {
    deviceId: text,
    name: text,
    model: '',
    category: 1,
    configNumber: null,
    stateNumber: null,
    statusFlags: STATUS_UNKNOWN,
    featureFlags: 0,
    protocolVersion: '',
    host,
    port,
    addresses,
    via: 'manual',
    firstSeenAt: now,
    lastSeenAt: now,
  };
}

function identified(entry: Entry, found: Appearance, addresses: readonly string[], now: number): Advertisement {
  return {
    ...found.txt,
    name: found.name,
    host: entry.host,
    port: entry.port,
    addresses,
    via: 'manual',
    firstSeenAt: entry.advertisement.firstSeenAt,
    lastSeenAt: now,
  };
}
