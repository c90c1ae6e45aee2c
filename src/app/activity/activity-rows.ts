/**
 * The characteristics whose changes are activity, one row each. Measurements and levels, such as temperatures, power or
 * brightness, are not: the history records these.
 */

import { CHARACTERISTIC, characteristicByName } from '../../hap-spec/characteristics.ts';
import type { CharacteristicValue } from '../../home/model.ts';
import type { ActivityKind } from '../../home/vocabulary/activity-words.ts';
import { recordable, stateWord } from '../history/catalog.ts';

export interface ActivityRow {
  readonly kind: ActivityKind;
  /** The type of the characteristic that commands this one: its writer is the actor, however long the device takes. */
  readonly target?: string | undefined;
  /** Only these values are activity; all if absent. */
  readonly only?: ReadonlySet<CharacteristicValue> | undefined;
  /** The value as a word or a number. */
  readonly present: (value: CharacteristicValue) => string;
}

type Row = readonly [name: string, kind: ActivityKind, more?: Pick<ActivityRow, 'target' | 'only'>];

/** Without opening and closing. */
const DOOR_AT_REST = new Set([0, 1, 4]);
/** A motion sensor is clear again after each motion. */
const DETECTED = new Set([1, true]);

// biome-ignore format: one row, one line
const ROWS: readonly Row[] = [
  ['power_state', 'power'],
  ['active', 'power'],
  ['lock_current_state', 'lock', { target: CHARACTERISTIC.lockTargetState }],
  ['contact_state', 'door'],
  ['current_door_state', 'door', { target: CHARACTERISTIC.targetDoorState, only: DOOR_AT_REST }],
  ['target_position', 'cover'],
  ['motion_detected', 'motion', { only: DETECTED }],
  ['occupancy_detected', 'motion'],
  ['security_system_current_state', 'security', { target: CHARACTERISTIC.securitySystemTargetState }],
  ['smoke_detected', 'hazard'],
  ['carbon_monoxide_detected', 'hazard'],
  ['carbon_dioxide_detected', 'hazard'],
  ['leak_detected', 'hazard'],
  ['target_temperature', 'climate'],
  ['heating_threshold', 'climate'],
  ['cooling_threshold', 'climate'],
  ['heating_cooling_target', 'climate'],
  ['target_heater_cooler_state', 'climate'],
  ['virtual_mode', 'mode'],
];

const BY_TYPE: ReadonlyMap<string, ActivityRow> = new Map(
  ROWS.map(([name, kind, more]) => [typeOf(name), { kind, ...more, present: presenterOf(name) }]),
);

/** The characteristics that command others. */
const TARGETS: ReadonlySet<string> = new Set([...BY_TYPE.values()].flatMap(({ target }) => target ?? []));

/** @param type canonical. */
export function activityRow(type: string): ActivityRow | undefined {
  return BY_TYPE.get(type);
}

/** Whether the characteristic commands another one. @param type canonical. */
export function isTarget(type: string): boolean {
  return TARGETS.has(type);
}

/** Presses of buttons, by the values of HAP 73. */
export const PRESSES: ReadonlyMap<number, string> = new Map([
  [0, 'single'],
  [1, 'double'],
  [2, 'long'],
]);

function typeOf(name: string): string {
  const known = characteristicByName(name);
  if (!known) throw new Error(`There is no characteristic ${name}`);
  return known.type;
}

function presenterOf(name: string): ActivityRow['present'] {
  const row = recordable(name);
  if (row && (row.kind === 'bool' || row.kind === 'enum')) return (value) => stateWord(row, Number(value));
  return (value) => (typeof value === 'number' ? String(Math.round(value * 100) / 100) : String(value ?? ''));
}
