/**
 * Every characteristic type of the HAP specification, Eve's vendor types and our own, with lookups. Unknown types are
 * not an error: they pass through by their UUID.
 */
import type { CharacteristicSpec } from './characteristic-row.ts';
import { CLIMATE } from './characteristics/climate.ts';
import { EVE } from './characteristics/eve.ts';
import { INFORMATION } from './characteristics/information.ts';
import { LIGHT_AND_POWER } from './characteristics/light-and-power.ts';
import { MEDIA } from './characteristics/media.ts';
import { NETWORK } from './characteristics/network.ts';
import { OPENINGS } from './characteristics/openings.ts';
import { OWN } from './characteristics/own.ts';
import { SENSORS } from './characteristics/sensors.ts';
import { canonicalType, fullUuid } from './uuid.ts';
import { foldWord, indexWords, typesByName } from './words.ts';

export type { CharacteristicSpec } from './characteristic-row.ts';

const ROWS = [
  ...LIGHT_AND_POWER,
  ...CLIMATE,
  ...OPENINGS,
  ...SENSORS,
  ...INFORMATION,
  ...MEDIA,
  ...NETWORK,
  ...EVE,
  ...OWN,
] as const;

export const CHARACTERISTICS: readonly CharacteristicSpec[] = ROWS;

/** `power_state`, and all others. */
export type CharacteristicName = (typeof ROWS)[number]['name'];

/** Canonical types by our names in camelCase: `CHARACTERISTIC.lockTargetState` is `1E`. */
export const CHARACTERISTIC = typesByName(ROWS);

/** Programmable Switch Event and Button Event: a press, not a state. A read would replay it. */
export const PRESS_TYPES: ReadonlySet<string> = new Set([
  CHARACTERISTIC.programmableSwitchEvent,
  CHARACTERISTIC.buttonEvent,
]);

/** API documents write characteristic types with this prefix (API §4.1, scene rules). */
const HAP_PREFIX = 'public.hap.characteristic.';

const byType: ReadonlyMap<string, CharacteristicSpec> = new Map(CHARACTERISTICS.map((spec) => [spec.type, spec]));
const byWord = indexWords(CHARACTERISTICS, ({ name, hapName, aliases }) => [name, hapName, ...aliases]);

/** @param type canonical. */
export function characteristicByType(type: string): CharacteristicSpec | undefined {
  return byType.get(type);
}

/**
 * @param spelling snake_case, camelCase, CamelCase, HAP's own name with or without `public.hap.characteristic.` (dashes
 *        or dots), short or long UUID; any case.
 */
export function characteristicByName(spelling: string): CharacteristicSpec | undefined {
  const trimmed = spelling.trim();
  const isPrefixed = trimmed.slice(0, HAP_PREFIX.length).toLowerCase() === HAP_PREFIX;
  const word = isPrefixed ? trimmed.slice(HAP_PREFIX.length) : trimmed;
  return byWord.get(foldWord(word)) ?? byType.get(canonicalType(word));
}

/** Canonical types in the order of the names. */
export function characteristicTypesNamed(...names: readonly CharacteristicName[]): readonly string[] {
  return names.flatMap((name) => ROWS.filter((spec) => spec.name === name).map(({ type }) => type));
}

/** Our name for a canonical type; the full UUID for an unknown type. */
export function characteristicName(type: string): string {
  return byType.get(type)?.name ?? fullUuid(type);
}
