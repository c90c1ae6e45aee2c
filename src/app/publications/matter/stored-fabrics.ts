/** The fabrics that a bridge is a part of, as they are stored: with the times when they came and were seen last. */
import { isDeepStrictEqual } from 'node:util';
import type { MatterBridgeStatus, MatterFabric } from '../../../home/matter-port.ts';
import type { ShownController } from '../publication-kind.ts';
import { ecosystemOf } from './ecosystems.ts';

export interface StoredFabric extends Omit<MatterFabric, 'isConnected'> {
  readonly pairedAt: number;
}

/** A bridge that is in use is seen every few seconds. */
const SEEN_MS = 60_000;

/** Leaves out what rotted: the bridge reports it again, with the time of then. */
export function parseFabrics(text: string): readonly StoredFabric[] {
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored.filter(isFabric) : [];
  } catch {
    return [];
  }
}

function isFabric(stored: unknown): stored is StoredFabric {
  const { index, label, vendorId, fabricId, nodeId, pairedAt, lastSeenAt } = (stored ?? {}) as Record<string, unknown>;
  return (
    [index, vendorId, pairedAt, lastSeenAt ?? 0].every(Number.isFinite) &&
    [label, fabricId, nodeId].every((one) => typeof one === 'string')
  );
}

/** @returns what to store of the fabrics that the bridge reports; `undefined` if it is stored already */
export function changedFabrics(
  stored: readonly StoredFabric[],
  reported: readonly MatterFabric[],
  now: number,
): readonly StoredFabric[] | undefined {
  const before = new Map(stored.map((fabric) => [`${fabric.index} ${fabric.fabricId}`, fabric]));
  const fabrics = reported.map(({ index, label, vendorId, fabricId, nodeId, lastSeenAt }): StoredFabric => {
    const known = before.get(`${index} ${fabricId}`);
    const seenBefore = known?.lastSeenAt ?? null;
    const isOld = lastSeenAt === null || (seenBefore !== null && lastSeenAt - seenBefore < SEEN_MS);
    const pairedAt = known?.pairedAt ?? now;
    return { index, label, vendorId, fabricId, nodeId, pairedAt, lastSeenAt: isOld ? seenBefore : lastSeenAt };
  });
  return isDeepStrictEqual(fabrics, stored) ? undefined : fabrics;
}

export function showFabrics(
  stored: readonly StoredFabric[],
  bridgeId: string,
  status: MatterBridgeStatus | undefined,
): readonly ShownController[] {
  const live = new Map(status?.state === 'open' ? status.fabrics.map((fabric) => [fabric.index, fabric]) : []);
  return stored.map(({ index, label, vendorId, pairedAt, lastSeenAt }) => ({
    identifier: String(index),
    bridgeId,
    name: ecosystemOf({ label, vendorId }),
    isAdmin: true,
    pairedAt,
    lastSeenAt: live.get(index)?.lastSeenAt ?? lastSeenAt,
    isConnected: live.get(index)?.isConnected === true,
    address: null,
  }));
}
