/**
 * Values on brokers: by simplified property name, but raw as on the device (wire-facts §11.3). A mode is a number, and
 * a bool in HAP is true or false. There are two exceptions without a raw value, shown as in other APIs. One is a garage
 * door as a position (100 is open; raw, 0 would be). The other is whether a thermostat is active. So a command accepts
 * every value that a state contains.
 */
import type { CharacteristicValue } from '../../home/model.ts';
import type { Binding } from '../../home/vocabulary/bindings.ts';
import { doorPosition, thermostatActive } from '../../home/vocabulary/conversions.ts';
import { presentValue } from '../../home/vocabulary/values.ts';

/** @returns `null` without a value, and for buttons: a press is an event. */
export function publishedValue({ characteristic, conversion, service, isButton }: Binding): CharacteristicValue {
  if (isButton || characteristic.value === null) return null;
  const isDerived = conversion === doorPosition || conversion === thermostatActive;
  return isDerived ? conversion.read(characteristic, service) : presentValue(characteristic);
}
