/**
 * How the dashboard shows devices: one row for each device type of the API (`type` of an accessory) and each kind of
 * virtual accessory. To add one, add a file in `kinds/` and a row here. This code only presents data; the relay decides
 * who may set what.
 */
import type { VirtualType } from '../../../home/model.ts';
import type { DeviceTypeName } from '../../../home/vocabulary/device-kinds.ts';
import type { HomeAccessory } from '../home/home-document.ts';
import { asWanted } from '../home/wanted.ts';
import type { Format } from '../texts/format.ts';
import type { DeviceKind, DeviceTexts, MainAct, TileTone } from './kind.ts';
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
import type { DeviceLevel } from './level.ts';
import { lampLight } from './light-colours.ts';
import { anyFlag, serviceOf } from './reading.ts';

/** A type of `home/vocabulary/device-kinds.ts` without an entry does not compile. */
const KINDS: Readonly<Record<string, DeviceKind>> = {
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
} satisfies Readonly<Record<DeviceTypeName | VirtualType | 'other', DeviceKind>>;

/** For these the API's type names another of their services, such as the speaker or a thermometer. */
const KINDS_BY_SERVICE: readonly (readonly [string, DeviceKind])[] = [
  ['television', television],
  ['smart_speaker', speaker],
];

export function kindOf(accessory: HomeAccessory): DeviceKind {
  const reported = KINDS_BY_SERVICE.find(([service]) => serviceOf(accessory, service));
  return reported?.[1] ?? KINDS[accessory.type] ?? other;
}

/** Why no value can be set now, if so. */
export type Absence = 'vanished' | 'paused' | 'silent';

/** @param isPaused whether the home is paused: an accessory that does not answer then is normal */
export function absenceOf({ vanishedAt, isReachable }: HomeAccessory, isPaused = false): Absence | undefined {
  if (vanishedAt !== null) return 'vanished';
  if (isReachable) return undefined;
  return isPaused ? 'paused' : 'silent';
}

/**
 * One short line: "On · 40 %", "21.5 °C · heats to 22 °C", "Turning on …", "No response".
 * @param isBrief as on a tile: "21.5 °C · 54 %" without the word "humidity"
 */
export function describeState(
  accessory: HomeAccessory,
  t: DeviceTexts,
  format: Format,
  isPaused = false,
  isBrief = false,
): string {
  const absence = absenceOf(accessory, isPaused);
  if (absence) return t.absent[absence];
  if (accessory.isWaiting) return t.waiting;
  return accessory.wanted ? sentText(accessory, t) : kindOf(accessory).describe(accessory, t, format, isBrief);
}

/** Until the device confirms it, nothing is on or off. */
function sentText(accessory: HomeAccessory, t: DeviceTexts): string {
  const isOn = mainActOf(asWanted(accessory))?.isOn;
  if (isOn === undefined || isOn === mainActOf(accessory)?.isOn) return t.sending;
  return isOn ? t.turningOn : t.turningOff;
}

/** An absent accessory has no colour: its last value is out of date. */
export function deviceTone(accessory: HomeAccessory): TileTone {
  return absenceOf(accessory) ? 'off' : kindOf(accessory).look(accessory).tone;
}

/** The colour of the light that a lamp gives now; none if it is off, absent, or reports no colour. */
export function deviceLight(accessory: HomeAccessory): string | undefined {
  return absenceOf(accessory) ? undefined : lampLight(accessory);
}

/** The device is doing something, or needs attention. */
export function isActive(accessory: HomeAccessory): boolean {
  if (absenceOf(accessory)) return false;
  return kindOf(accessory).isActive?.(accessory) ?? deviceTone(accessory) !== 'off';
}

/** The action of a tap; none if the tap opens the sheet. */
export function mainActOf(accessory: HomeAccessory): MainAct | undefined {
  return absenceOf(accessory) ? undefined : kindOf(accessory).act?.(accessory);
}

/** The value that a drag along the tile sets; none if the accessory does not answer. */
export function deviceLevel(accessory: HomeAccessory): DeviceLevel | undefined {
  return absenceOf(accessory) ? undefined : kindOf(accessory).level?.(accessory);
}

export type Warning = 'batteryLow' | 'fault' | 'tampered' | 'filter';

const WARNINGS: readonly (readonly [Warning, string])[] = [
  ['fault', 'status_fault'],
  ['tampered', 'status_tampered'],
  ['batteryLow', 'status_low_battery'],
  ['filter', 'filter_change_indication'],
];

/** The warnings that an accessory reports, for every kind. */
export function warningsOf(accessory: HomeAccessory): readonly Warning[] {
  return WARNINGS.flatMap(([warning, characteristic]) => (anyFlag(accessory, characteristic) ? warning : []));
}
