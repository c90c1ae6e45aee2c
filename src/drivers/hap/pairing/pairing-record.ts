import type { PairingKeys } from '../exchange.ts';

/** `exchanging` from just before M5 until M6 is verified: the device may know us although we do not know it. */
export type PairingState = 'exchanging' | 'paired';

/** One pairing, as it is kept. */
export interface PairingRecord {
  /** `keys.deviceId` is what it is kept under: the device id, or `host:port` while that is not proved yet. */
  readonly keys: PairingKeys;
  readonly state: PairingState;
  readonly homeId: string;
  /** What the device called itself when it was paired. */
  readonly name: string;
  readonly model: string;
  /** HAP category number. */
  readonly category: number;
  /** Milliseconds since the epoch. */
  readonly pairedAt: number;
}

/** A home as far as a pairing needs it to be found again. */
export interface PairingHome {
  readonly id: string;
  readonly name: string;
}

/** Everything about pairings that can't be had again, at one moment. */
export interface PairingsSnapshot {
  /** The database that the generations count in: two databases' generations can't be compared. */
  readonly lineage: string;
  /** Rises with every change. */
  readonly generation: number;
  readonly homes: readonly PairingHome[];
  readonly pairings: readonly PairingRecord[];
}
