/** A virtual accessory as plain values: restored from storage, and described to the home model. */
import type { DescribedAccessory } from '../../home/accessory-driver.ts';
import type { Characteristic, HapId, Permission, VirtualConfig } from '../../home/model.ts';
import type { VirtualInput } from '../../home/virtual-driver.ts';
import { parseValue } from '../../home/vocabulary/values.ts';
import { HearthError } from '../../kernel/errors.ts';
import { kindOf, parseConfig } from './kinds/index.ts';
import type { Held } from './kinds/kind.ts';
import { holdRun } from './kinds/timer.ts';
import { boundRun, type TimerRun } from './kinds/timer-run.ts';
import type { LoadedVirtual, StoredVirtual } from './virtual-store.ts';

/** A virtual accessory is its own accessory server, with one service and one characteristic. */
export const AID: HapId = '1';
const SERVICE_IID: HapId = '1';
export const CHARACTERISTIC_IID: HapId = '2';

const READ: readonly Permission[] = ['pr', 'ev'];
const READ_WRITE: readonly Permission[] = ['pr', 'pw', 'ev'];

export function characteristicOf({ config, held }: Pick<StoredVirtual, 'config' | 'held'>): Characteristic {
  return {
    ...kindOf(config.virtualType).characteristic(config),
    iid: CHARACTERISTIC_IID,
    permissions: config.controllable ? READ_WRITE : READ,
    value: held.value,
  };
}

export function describeVirtual(item: StoredVirtual, firstRoomId?: string): DescribedAccessory {
  const { serviceType, category } = kindOf(item.config.virtualType);
  const service = { iid: SERVICE_IID, type: serviceType, primary: true, hidden: false, linked: [] };
  return {
    aid: AID,
    name: item.name,
    category,
    services: [{ ...service, characteristics: [characteristicOf(item)] }],
    virtual: item.config,
    ...(firstRoomId !== undefined && { firstRoomId }),
  };
}

/** The initial value, also used if the stored value no longer fits. */
export function initialHeld(config: VirtualConfig): Held {
  return { value: kindOf(config.virtualType).initialValue(config), run: null };
}

/** Keeps the value after a configuration change if it still fits. */
export function settleHeld(config: VirtualConfig, held: Held): Held {
  if (config.virtualType === 'timer') return held;
  try {
    return { value: parseValue(characteristicOf({ config, held }), held.value), run: null };
  } catch (error) {
    if (error instanceof HearthError) return initialHeld(config);
    throw error;
  }
}

/**
 * Restores an accessory as it was last stored. If the disk has corrupted a value, the initial value replaces it. A
 * corrupted run is over.
 * @param now wall time in milliseconds
 * @throws `HearthError` the configuration can't be read
 */
export function restoreVirtual({ value, run, ...item }: LoadedVirtual, now: number): StoredVirtual {
  const config = parseStoredConfig(item.config, now);
  if (config.virtualType === 'timer') {
    const held = isRun(run) ? holdRun(boundRun(run, now)) : initialHeld(config);
    return { ...item, config, held };
  }
  return { ...item, config, held: settleHeld(config, { value: value as Held['value'], run: null }) };
}

/** A stored config has the names of its input fields, so that the same rules validate it again. */
function parseStoredConfig(stored: unknown, now: number): VirtualConfig {
  const { virtualType, ...fields } = (stored ?? {}) as VirtualInput;
  return parseConfig({ ...fields, type: virtualType }, undefined, now);
}

function isRun(run: unknown): run is TimerRun {
  if (typeof run !== 'object' || run === null) return false;
  const { durationMs, startedAt, endsAt, remainingMs, finishedAt } = run as Partial<TimerRun>;
  const times = [startedAt, endsAt, remainingMs, finishedAt];
  return Number.isFinite(durationMs) && times.every((time) => time === null || Number.isFinite(time));
}
