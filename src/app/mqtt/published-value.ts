/**
 * Values as brokers get them: under the simplified names, raw, as the device has them (wire-facts §11.3): a mode is a number, and what
 * is a bool in HAP is true or false. Two are no raw values of anything and are shown as everywhere else: a garage door as a position
 * (100 is open; raw, 0 would be) and whether a thermostat is active. So whatever a state says, a command may say back.
 */
import type { CharacteristicValue } from '../../home/model.ts';
import type { Binding } from '../../home/vocabulary/bindings.ts';
import { doorPosition, thermostatActive } from '../../home/vocabulary/conversions.ts';
import { presentValue } from '../../home/vocabulary/values.ts';

/** @returns `null` for what has no value now, and for buttons: a press is an event. */
export function publishedValue({ characteristic, conversion, service, isButton }: Binding): CharacteristicValue {
  if (isButton || characteristic.value === null) return null;
  const isDerived = conversion === doorPosition || conversion === thermostatActive;
  return isDerived ? conversion.read(characteristic, service) : presentValue(characteristic);
}
