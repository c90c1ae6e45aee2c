import type { PairingKeys } from '../wire/exchange.ts';

/** `exchanging` from just before M5 until M6 is verified: the device may know us although we do not know its key. */
export type PairingState = 'exchanging' | 'paired';

/** One stored pairing. */
export interface PairingRecord {
  /** `keys.deviceId` is the record's key: the device id, or `host:port` while the id is not proved yet. */
  readonly keys: PairingKeys;
  readonly state: PairingState;
  readonly homeId: string;
  /** The name that the device advertised when it was paired. */
  readonly name: string;
  readonly model: string;
  /** HAP category number. */
  readonly category: number;
  /** Milliseconds since the epoch. */
  readonly pairedAt: number;
}

/** The part of a home that is needed to restore its pairings. */
export interface PairingHome {
  readonly id: string;
  readonly name: string;
}

/** Everything about pairings that can't be recreated, at one moment. */
export interface PairingsSnapshot {
  /** The database that the generations belong to: generations of two databases can't be compared. */
  readonly lineage: string;
  /** Rises with every change. */
  readonly generation: number;
  readonly homes: readonly PairingHome[];
  readonly pairings: readonly PairingRecord[];
}
