/**
 * How the dashboard shows devices: one row for each device type of the API (`type` of an accessory) and each kind of virtual accessory.
 * To add one, add a file in `kinds/` and a row here. It shows what it is told and decides nothing about who may set what.
 */
import type { LucideIcon } from 'lucide-react';
import type { HouseAccessory } from '../house/house-document.ts';
import type { Format } from '../texts/format.ts';
import type { DeviceKind, DeviceTexts, MainAct, Tone } from './kind.ts';
import { fan, humidifier, purifier } from './kinds/air.ts';
import { alarm } from './kinds/alarm.ts';
import { doorbell, pushButton } from './kinds/button.ts';
import { camera } from './kinds/camera.ts';
import { climate } from './kinds/climate.ts';
import { light } from './kinds/light.ts';
import { lock } from './kinds/lock.ts';
import { opening } from './kinds/opening.ts';
import { other } from './kinds/other.ts';
import { outlet, switched, virtualSwitch } from './kinds/power.ts';
import { sensor } from './kinds/sensors.ts';
import { speaker } from './kinds/speaker.ts';
import { television } from './kinds/television.ts';
import { valve } from './kinds/valve.ts';
import { counter, mode, timer, virtualMoment, virtualNumber, virtualText } from './kinds/virtual.ts';
import type { Level } from './level.ts';
import { anyFlag, serviceOf } from './reading.ts';

export const DEVICE_KINDS: Readonly<Record<string, DeviceKind>> = {
  light,
  switch: switched,
  outlet,
  climate,
  lock,
  alarm,
  doorbell,
  camera,
  purifier,
  humidifier,
  blind: opening,
  motion: sensor,
  contact: sensor,
  temperature: sensor,
  light_sensor: sensor,
  sensor,
  fan,
  valve,
  speaker,
  button: pushButton,
  input_boolean: virtualSwitch,
  input_select: mode,
  input_number: virtualNumber,
  input_text: virtualText,
  input_datetime: virtualMoment,
  counter,
  timer,
  other,
};

/** To the API these are whatever else is in them, a speaker or a thermometer. */
const KINDS_BY_SERVICE: readonly (readonly [string, DeviceKind])[] = [
  ['television', television],
  ['smart_speaker', speaker],
];

export function kindOf(accessory: HouseAccessory): DeviceKind {
  const told = KINDS_BY_SERVICE.find(([service]) => serviceOf(accessory, service));
  return told?.[1] ?? DEVICE_KINDS[accessory.type] ?? other;
}

/** Why nothing can be set now, if so. */
export type Absence = 'vanished' | 'paused' | 'silent';

/** @param isPaused whether the home is: what does not answer then is all right */
export function absenceOf({ vanishedAt, isReachable }: HouseAccessory, isPaused = false): Absence | undefined {
  if (vanishedAt !== null) return 'vanished';
  if (isReachable) return undefined;
  return isPaused ? 'paused' : 'silent';
}

/** One short line: "On · 40 %", "21.5 °C · heats to 22 °C", "Locked", "Open". */
export function describeState(accessory: HouseAccessory, t: DeviceTexts, format: Format, isPaused = false): string {
  const absence = absenceOf(accessory, isPaused);
  return absence ? t.absent[absence] : kindOf(accessory).describe(accessory, t, format);
}

export function deviceIcon(accessory: HouseAccessory): LucideIcon {
  return kindOf(accessory).look(accessory).icon;
}

/** What is not there has no colour: what it said last is no news. */
export function deviceTone(accessory: HouseAccessory): Tone {
  return absenceOf(accessory) ? 'off' : kindOf(accessory).look(accessory).tone;
}

/** Does something now, or asks for attention. */
export function isActive(accessory: HouseAccessory): boolean {
  if (absenceOf(accessory)) return false;
  return kindOf(accessory).isActive?.(accessory) ?? deviceTone(accessory) !== 'off';
}

/** What a tap does; none where it opens the sheet. */
export function mainActOf(accessory: HouseAccessory): MainAct | undefined {
  return absenceOf(accessory) ? undefined : kindOf(accessory).act?.(accessory);
}

/** What a finger along the tile sets; none where nothing answers. */
export function deviceLevel(accessory: HouseAccessory): Level | undefined {
  return absenceOf(accessory) ? undefined : kindOf(accessory).level?.(accessory);
}

export type Warning = 'batteryLow' | 'fault' | 'tampered' | 'filter';

const WARNINGS: readonly (readonly [Warning, string])[] = [
  ['fault', 'status_fault'],
  ['tampered', 'status_tampered'],
  ['batteryLow', 'status_low_battery'],
  ['filter', 'filter_change_indication'],
];

/** What an accessory complains about, whatever it is. */
export function warningsOf(accessory: HouseAccessory): readonly Warning[] {
  return WARNINGS.flatMap(([warning, characteristic]) => (anyFlag(accessory, characteristic) ? warning : []));
}
