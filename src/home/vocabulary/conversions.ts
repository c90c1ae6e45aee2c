/**
 * How to read a simplified property from its characteristic and write it to it. A conversion works in both directions;
 * the table in `properties.ts` assigns conversions to properties. `values.ts` checks the range of the device, never
 * this file.
 */
import { CHARACTERISTIC } from '../../hap-spec/characteristics.ts';
import type { Characteristic, CharacteristicValue, Service } from '../model.ts';
import { invalid, parseBoolean, parseNumber, parseValue, presentValue, takesNumber } from './values.ts';

export interface Conversion {
  /** @returns the value to show; `null` for none. @param service the service of the characteristic. */
  read(characteristic: Characteristic, service: Service): CharacteristicValue;
  /** @param property its name in messages. @throws `invalid_value` */
  write(characteristic: Characteristic, input: unknown, property: string): CharacteristicValue;
}

/** The device's own value. */
export const plain: Conversion = { read: presentValue, write: parseValue };

/** true and false, for a bool or a number on the device. */
export const flag: Conversion = {
  read: (characteristic) => mapNumber(characteristic, (value) => value !== 0),
  write: (characteristic, input, property) =>
    parseValue(characteristic, Number(parseBoolean(input, property)), property),
};

/** true for exactly one value: a lock is locked if secured (1), not if jammed or unknown. */
export function flagWhen(meaning: number): Conversion {
  return {
    read: (characteristic) => mapNumber(characteristic, (value) => value === meaning),
    write: flag.write,
  };
}

export const whole: Conversion = {
  read: (characteristic) => mapNumber(characteristic, Math.round),
  write: parseValue,
};

/** One decimal. */
export const tenths: Conversion = {
  read: (characteristic) => mapNumber(characteristic, (value) => Math.round(value * 10) / 10),
  write: parseValue,
};

/**
 * Words for 0, 1, 2 …; a value without a word is shown as `unknown_7`. Writing accepts the number too, like the
 * name-based form.
 */
export function words(...list: readonly string[]): Conversion {
  const wordOf = (value: number): string => list[value] ?? `unknown_${value}`;
  return {
    read: (characteristic) => mapNumber(characteristic, wordOf),
    write(characteristic, input, property) {
      const wanted = typeof input === 'string' ? input.trim().toLowerCase() : undefined;
      const value = list.findIndex((word, number) => word === wanted || number === input || String(number) === wanted);
      if (value < 0 || !takesNumber(characteristic, value)) {
        const taken = list.filter((_, number) => takesNumber(characteristic, number));
        throw invalid(input, property, `one of ${taken.join(', ')}`);
      }
      return value;
    },
  };
}

const DOOR_OPEN = 0;
const DOOR_CLOSED = 1;
const POSITION_OPEN = 100;
const POSITION_CLOSED = 0;
/** Opening, closing or stopped halfway: HAP does not report the position. */
const POSITION_BETWEEN = 50;

/**
 * A garage door as a position: HAP has open (0) and closed (1), a position has 100 for open. Values in between are
 * rejected, so that rounding never opens a door.
 */
export const doorPosition: Conversion = {
  read: (characteristic) =>
    mapNumber(characteristic, (state) => {
      if (state === DOOR_OPEN) return POSITION_OPEN;
      return state === DOOR_CLOSED ? POSITION_CLOSED : POSITION_BETWEEN;
    }),
  write(characteristic, input, property) {
    const position = typeof input === 'string' && input.trim() !== '' ? Number(input) : input;
    if (position === POSITION_OPEN) return parseNumber(characteristic, DOOR_OPEN, property);
    if (position === POSITION_CLOSED) return parseNumber(characteristic, DOOR_CLOSED, property);
    throw invalid(input, property, `${POSITION_CLOSED} (closed) or ${POSITION_OPEN} (open)`);
  },
};
const THERMOSTAT_OFF = 0;
/** The order of modes when a client switches on a thermostat without a mode: auto, heat, cool. */
const THERMOSTAT_MODES = [3, 1, 2];

/** A thermostat has no power switch: it is active while its mode is not off. Switching it on keeps its mode. */
export const thermostatActive: Conversion = {
  read: (characteristic) => mapNumber(characteristic, (mode) => mode !== THERMOSTAT_OFF),
  write(characteristic, input, property) {
    if (!parseBoolean(input, property)) return parseNumber(characteristic, THERMOSTAT_OFF, property);
    const present = presentValue(characteristic);
    if (typeof present === 'number' && present !== THERMOSTAT_OFF) return present;
    const mode = THERMOSTAT_MODES.find((candidate) => takesNumber(characteristic, candidate));
    if (mode === undefined) throw invalid(input, property, 'false only: the device has no mode but off');
    return mode;
  },
};

const THERMOSTAT_WORK: readonly (string | undefined)[] = [undefined, 'heating', 'cooling'];

/** The current state of a thermostat, in the terms of a heater cooler: neither heating nor cooling if off or idle. */
export const thermostatState: Conversion = {
  read: (characteristic, service) =>
    mapNumber(characteristic, (state) => {
      const target = service.characteristics.find(({ type }) => type === CHARACTERISTIC.heatingCoolingTarget);
      const resting = target && presentValue(target) === THERMOSTAT_OFF ? 'inactive' : 'idle';
      return state === 0 ? resting : (THERMOSTAT_WORK[state] ?? `unknown_${state}`);
    }),
  write: parseValue,
};

/** Converts a number or a boolean (as 0 or 1); any other value is not shown. */
function mapNumber(
  characteristic: Characteristic,
  convert: (value: number) => CharacteristicValue,
): CharacteristicValue {
  const value = presentValue(characteristic);
  if (typeof value === 'boolean') return convert(Number(value));
  return typeof value === 'number' ? convert(value) : null;
}
