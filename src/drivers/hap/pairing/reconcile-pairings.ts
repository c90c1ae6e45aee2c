/**
 * Decides which pairings are valid if the database and `pairings.json` disagree. Pure: the store reads both and writes
 * the result.
 */
import type { PairingKeys } from '../wire/exchange.ts';
import type { PairingRecord, PairingsSnapshot } from './pairing-record.ts';

/** The content of the database; `lineage` is `null` if it never held a pairing. */
export interface DatabaseSide {
  readonly lineage: string | null;
  readonly generation: number;
  readonly pairings: readonly PairingRecord[];
}

export interface Reconciled {
  readonly generation: number;
  /** `null` as long as neither side ever held a pairing. */
  readonly lineage: string | null;
  /** Pairings that the database lacks, or holds in an older version or damaged. */
  readonly restored: readonly PairingRecord[];
}

/**
 * The database is written first, so with a later generation it is right: pairings that only the copy has were removed.
 * In every other case the database is not the source of the copy (new, an older backup, another one) or has lost rows,
 * and the union is valid: an extra pairing is a line in a list, a missing one is a device to reset. At the same
 * generation both once held the same data. If they now differ, the copy is right: it has a checksum, and SQLite does
 * not detect a key that was corrupted on the disk.
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
