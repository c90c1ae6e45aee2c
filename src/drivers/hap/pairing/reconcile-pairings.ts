/** Which pairings hold when the database and `pairings.json` disagree. Pure: the store reads both and writes what comes out. */
import type { PairingKeys } from '../exchange.ts';
import type { PairingRecord, PairingsSnapshot } from './pairing-record.ts';

/** The database's side; `lineage` is `null` for one that never held a pairing. */
export interface DatabaseSide {
  readonly lineage: string | null;
  readonly generation: number;
  readonly pairings: readonly PairingRecord[];
}

export interface Reconciled {
  readonly generation: number;
  /** `null` as long as neither side ever held a pairing. */
  readonly lineage: string | null;
  /** What the database lacks, holds in an older version, or holds damaged. */
  readonly restored: readonly PairingRecord[];
}

/**
 * The database is written first, so with the later generation it knows better: what only the copy has was removed. In every other
 * case the database is not the one that the copy was made from (new, an older backup, another one) or has lost rows, and the union
 * holds: a pairing too many is a line in a list, one too few is a device to reset. At the same generation both once held the same;
 * where they no longer do, the copy is right: it has a checksum, and SQLite does not notice a key that has rotted on the disk.
 */
export function reconcilePairings(database: DatabaseSide, copy: PairingsSnapshot | null): Reconciled {
  if (!copy) return { lineage: database.lineage, generation: database.generation, restored: [] };
  const sameLineage = database.lineage === null || database.lineage === copy.lineage;
  if (sameLineage && database.generation > copy.generation) {
    return { lineage: database.lineage, generation: database.generation, restored: [] };
  }
  const inDatabase = new Map(database.pairings.map((record) => [record.keys.deviceId, record]));
  const restored = copy.pairings.filter((record) => {
    const known = inDatabase.get(record.keys.deviceId);
    return !known || (sameLineage && !samePairing(known, record));
  });
  return {
    lineage: database.lineage ?? copy.lineage,
    generation: Math.max(database.generation, copy.generation),
    restored,
  };
}

function samePairing(a: PairingRecord, b: PairingRecord): boolean {
  return a.state === b.state && a.homeId === b.homeId && keysAsText(a.keys) === keysAsText(b.keys);
}

function keysAsText(keys: PairingKeys): string {
  const { controllerId, controllerPublicKey, controllerSecretKey, accessoryPublicKey } = keys;
  const hex = [controllerPublicKey, controllerSecretKey, accessoryPublicKey].map((key) => key?.toString('hex') ?? '');
  return [controllerId, ...hex].join(' ');
}
