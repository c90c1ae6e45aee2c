/** A virtual accessory as plain values: restored from what was stored, and described to the home. */
import type { DescribedAccessory } from '../../home/accessory-driver.ts';
import type { Characteristic, HapId, Permission, VirtualConfig } from '../../home/model.ts';
import type { VirtualFields } from '../../home/virtual-driver.ts';
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

/** What it holds at first, or when what it held no longer fits. */
export function initialHeld(config: VirtualConfig): Held {
  return { value: kindOf(config.virtualType).initialValue(config), run: null };
}

/** What it held, if that still fits, after a change of how it is set up. */
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
 * One accessory as it was when it was stored last. A value that a failing disk has spoiled is the initial one, a run that it has
 * spoiled is over.
 * @param now wall time in milliseconds
 * @throws `HearthError` how it was set up can't be read
 */
export function restoreVirtual({ value, run, ...item }: LoadedVirtual, now: number): StoredVirtual {
  const config = parseStoredConfig(item.config, now);
  if (config.virtualType === 'timer') {
    const held = isRun(run) ? holdRun(boundRun(run, now)) : initialHeld(config);
    return { ...item, config, held };
  }
  return { ...item, config, held: settleHeld(config, { value: value as Held['value'], run: null }) };
}

/** A config is kept with the names of its fields, so that what was accepted once is checked by the same rules again. */
function parseStoredConfig(stored: unknown, now: number): VirtualConfig {
  const { virtualType, ...fields } = (stored ?? {}) as VirtualFields;
  return parseConfig({ ...fields, type: virtualType }, undefined, now);
}

function isRun(run: unknown): run is TimerRun {
  if (typeof run !== 'object' || run === null) return false;
  const { durationMs, startedAt, endsAt, remainingMs, finishedAt } = run as Partial<TimerRun>;
  const times = [startedAt, endsAt, remainingMs, finishedAt];
  return Number.isFinite(durationMs) && times.every((time) => time === null || Number.isFinite(time));
}
