/**
 * Values as HomeKit accepts them: of the right type and within the range. One invalid value makes a controller reject
 * the whole accessory.
 */
import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import { INTEGER_LIMITS } from '../../../hap-spec/formats.ts';
import type { Characteristic, CharacteristicValue } from '../../../home/model.ts';
import type { PublishedCharacteristic } from '../../../home/publication-port.ts';
import { isInRange, rangeOf, snap } from '../../../home/vocabulary/ranges.ts';
import { presentValue } from '../../../home/vocabulary/values.ts';

/**
 * Where zero is wrong before the first report: the state of a lock is unknown, and its target is not to be unlocked.
 */
const UNKNOWN_VALUES: Readonly<Record<string, number>> = {
  [CHARACTERISTIC.lockCurrentState]: 3,
  [CHARACTERISTIC.lockTargetState]: 1,
};

/** @param value as the device reported it last; `null`: nothing yet */
export function publishedValue(published: PublishedCharacteristic, value: CharacteristicValue): CharacteristicValue {
  // Not a state: a press is an event, and a read answers null.
  if (published.type === CHARACTERISTIC.programmableSwitchEvent) return value;
  const characteristic: Characteristic = { ...published, value };
  const presented = presentValue(characteristic);
  switch (published.format) {
    case 'bool':
      return presented === true;
    case 'string':
    case 'tlv8':
    case 'data':
    case 'unknown':
      return typeof presented === 'string' ? presented : '';
    case 'uint64':
      return typeof presented === 'number' || typeof presented === 'string' ? presented : 0;
    default:
      return numberWithin(characteristic, typeof presented === 'number' ? presented : UNKNOWN_VALUES[published.type]);
  }
}

function numberWithin(characteristic: Characteristic, value: number | undefined): number {
  const range = rangeOf(characteristic, characteristic.format);
  const { min, max, only } = range;
  if (only) return value !== undefined && only.includes(value) ? value : (only[0] ?? 0);
  const wanted = value !== undefined && Number.isFinite(value) ? value : Math.max(0, min ?? 0);
  const bounded = Math.min(Math.max(wanted, min ?? wanted), max ?? wanted);
  // Devices report values between their own steps; HomeKit accepts them, except for fractions of whole numbers.
  if (!(characteristic.format in INTEGER_LIMITS) || Number.isInteger(bounded)) return bounded;
  const whole = Math.round(bounded);
  return isInRange(whole, range) ? whole : snap(bounded, range);
}
