/**
 * How a simplified property is read from its characteristic and written to it. A conversion works both ways; which
 * properties use which is the table in `properties.ts`. What a device takes is checked by `values.ts`, never here.
 */
import type { Characteristic, CharacteristicValue, Service } from '../model.ts';
import { invalid, parseBoolean, parseNumber, parseValue, presentValue, takesNumber } from './values.ts';

export interface Conversion {
  /** @returns what to show; `null` for nothing. @param service the one that the characteristic is in. */
  read(characteristic: Characteristic, service: Service): CharacteristicValue;
  /** @param property what to call it in messages. @throws `invalid_value` */
  write(characteristic: Characteristic, input: unknown, property: string): CharacteristicValue;
}

/** As the device has it. */
export const plain: Conversion = { read: presentValue, write: parseValue };

/** true and false, whether the device keeps a bool or a number. */
export const flag: Conversion = {
  read: (characteristic) => mapNumber(characteristic, (value) => value !== 0),
  write: (characteristic, input, property) =>
    parseValue(characteristic, Number(parseBoolean(input, property)), property),
};

/** true for exactly one of the values: a lock is locked when secured (1), not when jammed or unknown. */
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

/** Words for 0, 1, 2 …; what has none is shown as `unknown_7`. Writing takes the number too, as the name-based form does. */
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
/** Opening, closing or stopped on the way: HAP does not say how far. */
const POSITION_BETWEEN = 50;

/**
 * A garage door as a position: HAP knows open (0) and closed (1), a position has 100 for open. Nothing in between is taken,
 * so that no door ever opens by rounding.
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

/** HAP 33, Target Heating Cooling State. */
const THERMOSTAT_TARGET = '33';
const THERMOSTAT_OFF = 0;
/** Tried in this order when a thermostat is switched on without saying to what: auto, heat, cool. */
const THERMOSTAT_MODES = [3, 1, 2];

/** A thermostat has no power switch: it is active while its mode is not off, and switching it on keeps the mode it has. */
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

/** What a thermostat does now, in a heater cooler's words: it neither heats nor cools when switched off, or when idle. */
export const thermostatState: Conversion = {
  read: (characteristic, service) =>
    mapNumber(characteristic, (state) => {
      const target = service.characteristics.find(({ type }) => type === THERMOSTAT_TARGET);
      const resting = target && presentValue(target) === THERMOSTAT_OFF ? 'inactive' : 'idle';
      return state === 0 ? resting : (THERMOSTAT_WORK[state] ?? `unknown_${state}`);
    }),
  write: parseValue,
};

/** A value that is no number, true or false where a number belongs is not shown. */
function mapNumber(
  characteristic: Characteristic,
  convert: (value: number) => CharacteristicValue,
): CharacteristicValue {
  const value = presentValue(characteristic);
  if (typeof value === 'boolean') return convert(Number(value));
  return typeof value === 'number' ? convert(value) : null;
}
