/**
 * What the home needs of a driver whose accessories must be found and paired first. Implemented by the HAP driver and by the
 * fake one of the tests.
 */
import type { AccessoryDriver } from './accessory-driver.ts';

/** An accessory server seen on the network, or entered by hand. */
export interface DiscoveredDevice {
  /** HAP device id, upper case: `AA:BB:CC:DD:EE:FF`. For a manual entry not identified yet: its `host:port`. */
  readonly deviceId: string;
  readonly name: string;
  readonly model: string;
  /** HAP category number. */
  readonly category: number;
  readonly configNumber: number;
  /** `false`: somebody else holds it (`sf` bit 0 is clear), so it can't be paired before it is released there. */
  readonly pairable: boolean;
  /** `true`: this relay holds a pairing with it. */
  readonly pairedHere: boolean;
  /** The pairing's home, where it is paired here. */
  readonly homeId: string | null;
  readonly addresses: readonly string[];
  readonly port: number;
  readonly via: 'mdns' | 'manual';
  readonly lastSeenAt: number;
}

/**
 * `connecting`, `connected`, `offline` (backing off), `pairing_lost` (the device no longer knows us), `pairing_incomplete`
 * (we stopped in the middle of the exchange), `paused` (its home is).
 */
export type ConnectionStatus =
  | 'connecting'
  | 'connected'
  | 'offline'
  | 'pairing_lost'
  | 'pairing_incomplete'
  | 'paused';

/** Why a connection ended or did not come about. */
export const CONNECTION_TROUBLES = [
  /** It has not been seen on the network. */
  'not_seen',
  /** No address accepted a connection. */
  'unreachable',
  /** It took the connection and gave no answer in time. */
  'timeout',
  'hang_up',
  /** What it sent can't be what it meant to send. */
  'corrupt',
  /** It wants to be proved again who asks. */
  'unverified',
  /** Another device answers at its address. */
  'wrong_device',
  /** It does not let this relay in: it was reset, or the pairing was removed on it. */
  'refused',
  /** It is talking with too many others. */
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
  /** Why, as a sentence that says what to do, where the status is not `connected`. */
  readonly statusDetail: string | null;
  readonly since: number;
  readonly address: string | null;
  readonly reconnects: number;
  readonly pairedAt: number;
  /** Of the server itself, as its accessory information says; `null` before it was read. */
  readonly manufacturer: string | null;
  readonly serialNumber: string | null;
  readonly firmware: string | null;
  /** How many accessories it has: more than one behind a bridge. */
  readonly accessoryCount: number;
  /** When it was heard last: an answer, a notification, or itself on mDNS; `null` if not since the start. */
  readonly lastSeenAt: number | null;
  /** How long it took to answer lately, in milliseconds; `null` before its first answer. */
  readonly latencyMs: number | null;
  /** Since the start: what it told by itself, and how often it was asked because it may not tell. */
  readonly notifications: number;
  readonly polls: number;
  /** Why its connection ended last, as a sentence, and when; `null` if it has not since the start. */
  readonly lastError: string | null;
  readonly lastErrorAt: number | null;
  /** The same as a word. */
  readonly lastErrorReason?: ConnectionTrouble | null;
}

/** What may be asked anew: the paired devices of a home, or what is on the network. */
export type PairingChange = { readonly of: 'pairings'; readonly homeId: string } | { readonly of: 'discovery' };

/** A controller registered on an accessory (HAP list-pairings). */
export interface RegisteredController {
  readonly id: string;
  readonly publicKey: string;
  readonly admin: boolean;
  /** `true` for this relay itself. */
  readonly self: boolean;
}

/** The steps of a pairing, as a person waits through them. */
export type PairingStep = 'connecting' | 'exchanging' | 'proving' | 'saving' | 'verifying' | 'reading' | 'done';

export interface PairingRequest {
  /** A device id as discovered, or `host:port`. */
  readonly device: string;
  readonly homeId: string;
  /** `031-45-154`, `03145154` or an `X-HM://…` payload. */
  readonly setupCode: string;
}

/** A pairing that another controller made, with that controller's identity on the device. Keys are raw bytes (Ed25519). */
export interface ForeignPairing {
  /** Upper case. */
  readonly deviceId: string;
  readonly name: string;
  /** Where it answered last, if that is known. */
  readonly address: { readonly host: string; readonly port: number } | null;
  readonly accessoryPublicKey: Uint8Array;
  readonly controllerId: string;
  readonly controllerPublicKey: Uint8Array;
  /** The seed, 32 bytes. */
  readonly controllerSecretKey: Uint8Array;
}

/** `unreachable`: kept, and connected when it answers · `refused`: the device does not know these keys, nothing is kept. */
export type AdoptionOutcome = 'connected' | 'unreachable' | 'refused';

export interface PairingDriver extends AccessoryDriver {
  /** Everything seen on the network, by name. */
  listDiscovered(): readonly DiscoveredDevice[];
  listPaired(): readonly PairedDevice[];
  /** Connections that came about anew since the start, of all devices that were ever paired. Only rises. */
  readonly reconnects: number;
  /** Called whenever what the lists say may have changed: often, and from within what changes it. @returns what ends it */
  onChange(listener: (change: PairingChange) => void): () => void;
  /** Asks the network anew. Returns at once; what answers shows up in `listDiscovered`. */
  refreshDiscovery(): void;
  /** Adds or removes a `host:port` that multicast does not reach. @throws `invalid_value` */
  addManual(hostPort: string): void;
  removeManual(hostPort: string): void;
  /**
   * Pairs, reads the accessory database and connects. The keys are on disk before the exchange completes.
   * @throws `pairing_failed` with what to do · `conflict` already paired here, or being so · `not_found` · `rate_limited` · `invalid_value`
   */
  pair(request: PairingRequest, onProgress: (step: PairingStep) => void): Promise<PairedDevice>;
  /**
   * Takes over a pairing that another controller made, and connects. The keys are on disk before that.
   * @throws `conflict` it is paired here already, or being so
   */
  adopt(pairing: ForeignPairing, homeId: string): Promise<AdoptionOutcome>;
  /**
   * Removes our pairing on the device, then our keys and its accessories.
   * @param force forget it here even though the device can't be told. @throws `not_found`, `accessory_unreachable`, `conflict`
   */
  unpair(deviceId: string, force: boolean): Promise<void>;
  /** Identifies an unpaired accessory (HAP POST /identify). @throws `not_found`, `accessory_unreachable`, `conflict` */
  identifyUnpaired(deviceId: string): Promise<void>;
  listControllers(deviceId: string): Promise<readonly RegisteredController[]>;
  /** @param publicKey Ed25519, 64 hex digits. */
  addController(deviceId: string, controller: { id: string; publicKey: string; admin: boolean }): Promise<void>;
  removeController(deviceId: string, controllerId: string): Promise<void>;
  /** Tells the driver that a home was paused, resumed, created or removed. */
  setHomePaused(homeId: string, paused: boolean): void;
}
