/**
 * The port to a driver whose accessories need discovery and pairing. Implemented by the HAP driver and by the fake
 * driver of the tests.
 */
import type { AccessoryDriver } from './accessory-driver.ts';
import type { CameraDriver } from './camera-driver.ts';
import type { HapId, Service } from './model.ts';

/** An accessory server seen on the network, or added manually. */
export interface DiscoveredDevice {
  /** HAP device id, upper case: `AA:BB:CC:DD:EE:FF`. For a manual entry that is not identified yet: its `host:port`. */
  readonly deviceId: string;
  readonly name: string;
  readonly model: string;
  /** HAP category number. */
  readonly category: number;
  readonly configNumber: number;
  /** `false`: another controller has paired it (`sf` bit 0 is clear); remove that pairing before you pair it here. */
  readonly pairable: boolean;
  /** `true`: this relay holds a pairing with it. */
  readonly pairedHere: boolean;
  /** The home of the pairing, if it is paired here. */
  readonly homeId: string | null;
  readonly addresses: readonly string[];
  readonly port: number;
  readonly via: 'mdns' | 'manual';
  readonly lastSeenAt: number;
}

/**
 * `connecting`, `connected`, `offline` (backing off), `pairing_lost` (the device no longer accepts our pairing),
 * `pairing_incomplete` (the exchange stopped in the middle), `paused` (its home is paused).
 */
export type ConnectionStatus =
  | 'connecting'
  | 'connected'
  | 'offline'
  | 'pairing_lost'
  | 'pairing_incomplete'
  | 'paused';

/** Why a connection ended or failed. */
export const CONNECTION_TROUBLES = [
  /** Not seen on the network. */
  'not_seen',
  /** No address accepted a connection. */
  'unreachable',
  /** It accepted the connection and sent no response in time. */
  'timeout',
  'hang_up',
  /** Its data is corrupt. */
  'corrupt',
  /** It requires a new verification of the controller. */
  'unverified',
  /** Another device answers at its address. */
  'wrong_device',
  /** It rejects this relay: it was reset, or the pairing was removed on it. */
  'refused',
  /** It has too many other connections. */
  'busy',
  'other',
] as const;
export type ConnectionTrouble = (typeof CONNECTION_TROUBLES)[number];

export interface PairedDevice {
  readonly deviceId: string;
  readonly homeId: string;
  readonly name: string;
  readonly model: string;
  readonly category: number;
  readonly status: ConnectionStatus;
  /** The reason and what to do, as a sentence, if the status is not `connected`. */
  readonly statusDetail: string | null;
  readonly since: number;
  readonly address: string | null;
  readonly reconnects: number;
  readonly pairedAt: number;
  /** From the accessory information of the server; `null` before it was read. */
  readonly manufacturer: string | null;
  readonly serialNumber: string | null;
  readonly firmware: string | null;
  /** The number of accessories: more than one behind a bridge. */
  readonly accessoryCount: number;
  /** The last sign of life: a response, an event or an mDNS announcement; `null` if there was none since the start. */
  readonly lastSeenAt: number | null;
  /** The recent response time in milliseconds; `null` before the first response. */
  readonly latencyMs: number | null;
  /** Since the start: the number of events it sent, and the number of polls for characteristics without events. */
  readonly notifications: number;
  readonly polls: number;
  /**
   * The error that ended its last connection, as a sentence, and its time; `null` if there was none since the start.
   */
  readonly lastError: string | null;
  readonly lastErrorAt: number | null;
  /** The same error as a code. */
  readonly lastErrorReason?: ConnectionTrouble | null;
}

/** A change of a device's connection. `failed`: an attempt that did not lead to a verified connection. */
export interface ConnectionEvent {
  readonly at: number;
  readonly kind: 'connected' | 'ended' | 'failed';
  /** Why it ended or failed. */
  readonly reason: ConnectionTrouble | null;
  /** How long it was connected, if it ended. */
  readonly connectedMs: number | null;
}

export interface ResponseTimes {
  readonly count: number;
  /** `null` before the first response. */
  readonly averageMs: number | null;
  readonly maxMs: number | null;
  /** The newest ones, oldest first. */
  readonly recent: readonly { readonly at: number; readonly ms: number }[];
}

export type HapOperation = 'read' | 'write' | 'subscribe';

/** How often the device answered with a HAP status. */
export interface RequestStatus {
  readonly operation: HapOperation;
  readonly status: number;
  readonly count: number;
}

/** One answer with a status other than 0. The ids are `null` if the status was about a whole request. */
export interface RequestFailure {
  readonly at: number;
  readonly operation: HapOperation;
  readonly aid: HapId | null;
  readonly iid: HapId | null;
  readonly status: number;
}

/** What is known about a device and its connections since the start. Contains names, ids and addresses. */
export interface DeviceTrace {
  /** `c#` of the database; `null` if it was not advertised. */
  readonly configNumber: number | null;
  /** As the device described itself, with the values it had then. */
  readonly accessories: readonly { readonly aid: HapId; readonly services: readonly Service[] }[];
  readonly events: readonly ConnectionEvent[];
  readonly responses: ResponseTimes;
  readonly statuses: readonly RequestStatus[];
  readonly failures: readonly RequestFailure[];
}

/** The list that changed: the paired devices of a home, or the devices on the network. */
export type PairingChange = { readonly of: 'pairings'; readonly homeId: string } | { readonly of: 'discovery' };

/** A controller registered on an accessory (HAP list-pairings). */
export interface RegisteredController {
  readonly id: string;
  readonly publicKey: string;
  readonly admin: boolean;
  /** `true` for this relay itself. */
  readonly self: boolean;
}

/** The steps of a pairing, as shown to the user. */
export type PairingStep = 'connecting' | 'exchanging' | 'proving' | 'saving' | 'verifying' | 'reading' | 'done';

export interface PairingRequest {
  /** A device id as discovered, or `host:port`. */
  readonly device: string;
  readonly homeId: string;
  /** `031-45-154`, `03145154` or an `X-HM://…` payload. */
  readonly setupCode: string;
}

/**
 * A pairing made by another controller, with that controller's identity on the device. Keys are raw bytes (Ed25519).
 */
export interface ForeignPairing {
  /** Upper case. */
  readonly deviceId: string;
  readonly name: string;
  /** Its last known address. */
  readonly address: { readonly host: string; readonly port: number } | null;
  readonly accessoryPublicKey: Uint8Array;
  readonly controllerId: string;
  readonly controllerPublicKey: Uint8Array;
  /** The seed, 32 bytes. */
  readonly controllerSecretKey: Uint8Array;
}

/**
 * `unreachable`: kept, and connected when it answers · `refused`: the device rejects these keys, so nothing is kept ·
 * `published`: it is a server that publishes a home, so nothing is kept.
 */
export type AdoptionOutcome = 'connected' | 'unreachable' | 'refused' | 'published';

export interface PairingDriver extends AccessoryDriver, CameraDriver {
  /** All devices on the network, by name, except servers that publish a home. */
  listDiscovered(): readonly DiscoveredDevice[];
  /** Whether this is a server that publishes a home, ours or another relay's: `pair` and `adopt` refuse it. */
  isPublished(deviceId: string): boolean;
  listPaired(): readonly PairedDevice[];
  /** The number of reconnects since the start, over all devices that were ever paired. Only increases. */
  readonly reconnects: number;
  /**
   * Called on every possible change of the lists: often, and synchronously from the code that makes the change.
   * @returns a function that ends the subscription
   */
  onChange(listener: (change: PairingChange) => void): () => void;
  /** Queries the network again. Returns at once; responses appear in `listDiscovered`. */
  refreshDiscovery(): void;
  /** Adds or removes a `host:port` that multicast does not reach. @throws `invalid_value` */
  addManual(hostPort: string): void;
  removeManual(hostPort: string): void;
  /**
   * Pairs, reads the accessory database and connects. The keys are on disk before the exchange completes.
   * @throws `pairing_failed` with instructions · `conflict` paired here already, published, or in progress ·
   * `not_found` ·
   * `rate_limited` · `invalid_value`
   */
  pair(request: PairingRequest, onProgress: (step: PairingStep) => void): Promise<PairedDevice>;
  /**
   * Takes over a pairing that another controller made, and connects. Saves the keys to disk first.
   * @throws `conflict` it is paired here already, or in progress
   */
  adopt(pairing: ForeignPairing, homeId: string): Promise<AdoptionOutcome>;
  /**
   * Removes our pairing on the device, then our keys and its accessories.
   * @param force delete it here even if the device is unreachable. @throws `not_found`, `accessory_unreachable`,
   * `conflict`
   */
  unpair(deviceId: string, force: boolean): Promise<void>;
  /**
   * Drops the connection to a paired device, or the wait for the next attempt, and connects at once.
   * @returns the device, connected
   * @throws `not_found` · `conflict` its home is paused · `accessory_unreachable` it does not connect within 10 s; the
   * attempts go on
   */
  reconnect(deviceId: string): Promise<PairedDevice>;
  /** Looks up what is known about a paired device; does not contact it. @throws `not_found` */
  trace(deviceId: string): DeviceTrace;
  /** Identifies an unpaired accessory (HAP POST /identify). @throws `not_found`, `accessory_unreachable`, `conflict` */
  identifyUnpaired(deviceId: string): Promise<void>;
  listControllers(deviceId: string): Promise<readonly RegisteredController[]>;
  /** @param publicKey Ed25519, 64 hex digits. */
  addController(deviceId: string, controller: { id: string; publicKey: string; admin: boolean }): Promise<void>;
  removeController(deviceId: string, controllerId: string): Promise<void>;
  /** Notifies the driver that a home was paused, resumed, created or removed. */
  setHomePaused(homeId: string, paused: boolean): void;
}
