import { fault, invalid } from '../../../app/automations/parsing/faults.ts';
import { hasTemplate } from '../../../app/automations/parsing/parsing.ts';
import type { Accessory, CharacteristicValue } from '../../../home/model.ts';
import { type Binding, bindingsOf, type ServiceCharacteristic } from '../../../home/vocabulary/bindings.ts';
import {
  type Conversion,
  flag,
  plain,
  tenths,
  thermostatActive,
  thermostatState,
  whole,
} from '../../../home/vocabulary/conversions.ts';
import { findBinding } from '../../../home/vocabulary/find-binding.ts';
import { resolveCharacteristic } from '../../../home/vocabulary/settings.ts';
import { parseValue, shorten } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/json.ts';
import { nearest } from '../../../kernel/nearest.ts';

/**
 * A thermostat's activity, in the words of its state. They distinguish idle from switched off, which this
 * characteristic does not: both are `idle` here, and both are accepted.
 */
const WORK: readonly CharacteristicValue[] = ['idle', 'heating', 'cooling'];
const work: Conversion = {
  read: ({ value }) => (typeof value === 'number' ? (WORK[value] ?? null) : null),
  write(characteristic, input, property) {
    return parseValue(characteristic, workNumber(input) ?? input, property);
  },
};

/** Conversions whose numbers are the characteristic's own, so that bounds of one are bounds of the other. */
const SAME_NUMBERS: ReadonlySet<Conversion> = new Set([plain, whole, tenths]);

interface WireReading {
  readonly characteristic: string;
  /** In the given order. */
  readonly values: readonly CharacteristicValue[];
}

/**
 * A characteristic in a trigger or a condition.
 * @param name the characteristic as records have it. @param values of it, in the device's format.
 */
export function presentReading(
  accessory: Accessory | undefined,
  name: string,
  values: readonly CharacteristicValue[],
): WireReading {
  const place = accessory && findPlace(accessory, name);
  for (const { property, conversion } of place ? bindingsFor(accessory, place) : []) {
    const spoken = conversion === thermostatState ? work : conversion;
    const wire = values.map((value) => inWords(place as ServiceCharacteristic, spoken, value, property));
    if (wire.every((value) => value !== undefined)) return { characteristic: property, values: wire };
  }
  return { characteristic: name, values };
}

/** A characteristic that is compared with bounds. */
export function presentNumeric(accessory: Accessory | undefined, name: string): string {
  const place = accessory && findPlace(accessory, name);
  const bindings = place ? bindingsFor(accessory, place) : [];
  return bindings.find(({ conversion }) => SAME_NUMBERS.has(conversion))?.property ?? name;
}

export interface WireSetting {
  readonly property: string;
  readonly value: Json;
}

/** @param isGroup groups accept the characteristics' own values, which differ from a property's words for few */
export function presentSetting(
  accessory: Accessory | undefined,
  name: string,
  value: Json,
  isGroup: boolean,
): WireSetting {
  const place = accessory && findPlace(accessory, name);
  for (const { property, conversion } of accessory && place ? bindingsFor(accessory, place) : []) {
    const ownWords = conversion.write !== parseValue && conversion.write !== flag.write;
    if (hasTemplate(value)) {
      // If a property has its own words, a template has to return them: the record keeps the property's name only then.
      if (ownWords && !isGroup ? property === name : !hasOwnWords(accessory as Accessory, name))
        return { property, value };
    } else if (isScalar(value)) {
      const written = isGroup ? { ...conversion, write: parseValue } : conversion;
      const wire = inWords(place as ServiceCharacteristic, written, value, property);
      if (wire !== undefined) return { property, value: wire };
    }
  }
  return { property: name, value };
}

/**
 * The spelling of a property that the accessory has.
 * @throws `characteristic_not_found` listing the accessory's properties
 */
export function requireProperty(accessory: Accessory, spelling: string, path: string): string {
  if (spelling.trim() !== '' && findPlace(accessory, spelling)) return spelling;
  const known = propertiesOf(accessory);
  const meant = nearest(spelling, known);
  const advice = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  const sentence = `'${accessory.name}' has no '${shorten(spelling)}'; it has ${known.join(', ') || 'no properties'}.${advice}`;
  throw fault('characteristic_not_found', path, sentence);
}

/**
 * Like `requireProperty`, for a property whose bounds are its own numbers. @throws `invalid_value` it has words instead
 */
export function requireNumeric(accessory: Accessory, spelling: string, path: string): string {
  requireProperty(accessory, spelling, path);
  const conversion = findBinding(accessory, spelling)?.conversion;
  if (conversion === undefined || conversion === flag || SAME_NUMBERS.has(conversion)) return spelling;
  throw invalid(path, `'${shorten(spelling)}' has no numbers to compare; compare its values instead`);
}

/**
 * Parses a value to the device's format.
 * @throws `invalid_value` the characteristic never has it
 */
export function readValue(accessory: Accessory, spelling: string, input: unknown, path: string): CharacteristicValue {
  const { characteristic } = resolveCharacteristic(accessory, spelling);
  const bound = findBinding(accessory, spelling);
  const conversion = bound?.characteristic === characteristic ? bound.conversion : plain;
  if (conversion === thermostatActive) {
    throw invalid(path, `'${shorten(spelling)}' has no value of its own here; compare hvac_mode instead`);
  }
  try {
    return (conversion === thermostatState ? work : conversion).write(characteristic, input, spelling);
  } catch (error) {
    if (error instanceof HearthError) throw fault(error.code, path, error.message);
    throw error;
  }
}

/** Converts a value for the characteristic's parser, which checks it: it has other words for few. */
export function toParserWords(accessory: Accessory, spelling: string, input: unknown): unknown {
  const binding = findBinding(accessory, spelling);
  return binding?.conversion === thermostatState ? (workNumber(input) ?? input) : input;
}

/** The canonical spelling, if it is a property in another spelling. */
export function canonicalProperty(accessory: Accessory, spelling: string): string {
  return findBinding(accessory, spelling)?.property ?? spelling;
}

/** The one property of a virtual accessory. */
export function propertyOfVirtual(accessory: Accessory): string {
  return bindingsOf(accessory.services).list[0]?.property ?? '';
}

export function propertiesOf(accessory: Accessory): readonly string[] {
  return bindingsOf(accessory.services).list.map(({ property }) => property);
}

/** @param name in any spelling */
export function findPlace(accessory: Accessory, name: string): ServiceCharacteristic | undefined {
  try {
    return resolveCharacteristic(accessory, name);
  } catch (error) {
    if (error instanceof HearthError) return undefined;
    throw error;
  }
}

function workNumber(word: unknown): number | undefined {
  if (typeof word !== 'string') return undefined;
  const number = word === 'inactive' ? 0 : WORK.indexOf(word);
  return number < 0 ? undefined : number;
}

function bindingsFor(accessory: Accessory, { characteristic }: ServiceCharacteristic): readonly Binding[] {
  return bindingsOf(accessory.services).list.filter(
    (binding) => binding.characteristic === characteristic && binding.conversion !== thermostatActive,
  );
}

function hasOwnWords(accessory: Accessory, name: string): boolean {
  const write = findBinding(accessory, name)?.conversion.write;
  return write !== undefined && write !== parseValue && write !== flag.write;
}

/** The value in the property's words, if they parse back to it. */
function inWords(
  { characteristic, service }: ServiceCharacteristic,
  { read, write }: Conversion,
  value: CharacteristicValue,
  property: string,
): CharacteristicValue | undefined {
  const wire = read({ ...characteristic, value }, service);
  if (wire === null) return undefined;
  try {
    return write(characteristic, wire, property) === value ? wire : undefined;
  } catch (error) {
    if (error instanceof HearthError) return undefined;
    throw error;
  }
}

function isScalar(value: Json): value is boolean | number | string {
  return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string';
}
