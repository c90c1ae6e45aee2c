/**
 * The discovery port: HAP accessory servers on the network (`_hap._tcp`), as typed advertisements keyed by the TXT
 * `id`. `mdns-discovery.ts` and a scripted test version implement it. Only the HAP driver uses it.
 */
import type { Startable } from '../../kernel/lifecycle.ts';

export interface Advertisement {
  /** TXT `id`, upper case: `AA:BB:CC:DD:EE:FF`. */
  readonly deviceId: string;
  /** Service instance name, complete (dots, emoji and all). */
  readonly name: string;
  /** TXT `md`, empty if absent. */
  readonly model: string;
  /** TXT `ci`, HAP category number; 1 (other) if absent or malformed. */
  readonly category: number;
  /** TXT `c#`; `null` if absent or malformed. */
  readonly configNumber: number | null;
  /** TXT `s#`. */
  readonly stateNumber: number | null;
  /** TXT `sf`: bit 0 set = not paired, bit 1 = Wi-Fi not configured, bit 2 = problem. */
  readonly statusFlags: number;
  /** TXT `ff`: bit 0 = Apple authentication coprocessor, bit 1 = software authentication. */
  readonly featureFlags: number;
  /** TXT `pv`, e.g. `1.1`. */
  readonly protocolVersion: string;
  /** TXT `hd`, our own key: the instance id of the hearthd that publishes a home there. */
  readonly publishedBy?: string;
  /** SRV target. */
  readonly host: string;
  readonly port: number;
  /**
   * Every known address of the host, the likeliest to work first: IPv4, then global and unique-local IPv6, then
   * link-local with its zone (`fe80::1%eth0`). Empty until one is known.
   */
  readonly addresses: readonly string[];
  readonly via: 'mdns' | 'manual';
  /**
   * Other servers that claim this device id (a cloned device) and were refused: the first server keeps the id while it
   * answers.
   */
  readonly refusedServers?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

/** TXT `sf` bit 0: the accessory is not paired. */
const UNPAIRED = 1;

/** Whether the accessory advertises that it is not paired. */
export function isUnpaired({ statusFlags }: Pick<Advertisement, 'statusFlags'>): boolean {
  return (statusFlags & UNPAIRED) !== 0;
}

export type SightingKind =
  /** New in the table. */
  | 'found'
  /** Something in the advertisement changed. */
  | 'changed'
  /** Received again without a change: the device is alive. */
  | 'seen'
  /** A goodbye arrived, or its records expired. The advertisement is the last known one. */
  | 'lost';

export interface Sighting {
  readonly kind: SightingKind;
  readonly advertisement: Advertisement;
}

export interface Discovery extends Startable {
  /** All devices in the table, by name then device id. */
  list(): readonly Advertisement[];
  find(deviceId: string): Advertisement | undefined;
  /** @returns the function that ends the subscription */
  onSighting(listener: (sighting: Sighting) => void): () => void;
  /** Queries now (for one device if given), unless a query was sent within the last second. */
  refresh(deviceId?: string): void;
  /** Adds `host:port`, for networks without multicast. @throws `invalid_value` */
  addManual(hostPort: string): void;
  removeManual(hostPort: string): void;
}
