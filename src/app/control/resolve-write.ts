/**
 * Resolves a setting to a characteristic and its value: one rule for all writers, and for scenes, which write later.
 */
import type { Accessory, HapId } from '../../home/model.ts';
import {
  type CharacteristicSetting,
  requireWritable,
  resolveCharacteristic,
  resolveSetting,
} from '../../home/vocabulary/settings.ts';
import { parseValue } from '../../home/vocabulary/values.ts';

export interface WantedSetting {
  /** Any spelling. */
  readonly property: string;
  /** Selects one of several services that have it. */
  readonly serviceIid?: HapId | undefined;
  readonly input: unknown;
}

/**
 * Resolves the characteristic and the value that its device accepts. Property names accept their own words
 * (`hvac_mode`: `heat`), characteristic names plain values; `power_state_2` or a service selects one of several.
 * @throws `characteristic_not_found` · `characteristic_not_writable` · `invalid_value` naming the range
 */
export function resolveWrite(
  accessory: Accessory,
  { property, serviceIid, input }: WantedSetting,
): CharacteristicSetting {
  if (serviceIid === undefined) return resolveSetting(accessory, property, input);
  const place = resolveCharacteristic(accessory, property, serviceIid);
  requireWritable(accessory, place.characteristic, property);
  return { ...place, value: parseValue(place.characteristic, input, property) };
}
