/** The characteristic that an event or a condition reads. */
import type { HomeState } from '../../../home/home-state.ts';
import type { Characteristic, CharacteristicValue } from '../../../home/model.ts';
import { resolveCharacteristic } from '../../../home/vocabulary/settings.ts';
import { formatOf, parseValue } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { actionOn, nameOfAction } from '../../scenes/scene-actions.ts';
import { fault, type NativeFields } from './fields.ts';

export interface CheckedCharacteristic {
  readonly accessoryId: string;
  /** In snake_case, numbered if the accessory has several. */
  readonly characteristicType: string;
  readonly characteristic: Characteristic;
}

const NUMBERS: ReadonlySet<string> = new Set(['uint8', 'uint16', 'uint32', 'uint64', 'int', 'float', 'unknown']);

/**
 * @throws `invalid_request` · `accessory_not_found` · `characteristic_not_found` · `invalid_value` it has no readable
 * value or event
 */
export function parseCharacteristic(fields: NativeFields, homeId: string, state: HomeState): CheckedCharacteristic {
  const accessory = state.accessoryIn(homeId, fields.text('accessoryId'));
  if (!accessory) throw fault(fields.at('accessoryId'), 'Accessory not found', 'accessory_not_found');
  const field = fields.at('characteristicType');
  const spelling = fields.text('characteristicType');
  const place = located(field, () => resolveCharacteristic(accessory, spelling));
  const characteristicType = nameOfAction(actionOn(accessory, place, null), accessory);
  const { permissions } = place.characteristic;
  if (!permissions.includes('pr') && !permissions.includes('ev')) {
    throw fault(field, `${characteristicType} of '${accessory.name}' can only be written`);
  }
  return { accessoryId: accessory.id, characteristicType, characteristic: place.characteristic };
}

/** @throws `invalid_value` the device never has this value */
export function parseCharacteristicValue(
  fields: NativeFields,
  name: string,
  characteristic: Characteristic,
): CharacteristicValue {
  const input = fields.required(name, 'a value');
  return located(fields.at(name), () => parseValue(characteristic, input));
}

/** @throws `invalid_value` its values have no order */
export function requireNumbers(characteristic: Characteristic, field: string): void {
  if (!NUMBERS.has(formatOf(characteristic))) throw fault(field, 'only numbers can be compared like that');
}

function located<T>(field: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof HearthError) throw fault(field, error.message, error.code);
    throw error;
  }
}
