/** The current value of the characteristic of a condition's accessory or service group. */

import type { CharacteristicValue } from '../../../home/model.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { readThing, thingById } from '../expressions/accessory-lookup.ts';
import type { Target } from '../field-types.ts';
import type { ConditionContext } from './condition-kind.ts';

/**
 * `null` if it no longer exists or has no value yet; an unreachable accessory has its last value.
 * @returns also the text for the trace
 */
export function readTarget(
  target: Target & { readonly characteristicType: string },
  { state, homeId }: Pick<ConditionContext, 'state' | 'homeId'>,
): { readonly value: CharacteristicValue; readonly found: JsonObject } {
  const thing = thingById(state, homeId, target.accessoryId ?? target.serviceGroupId);
  if (!thing) return { value: null, found: { value: null, error: 'It is not in this home any more' } };
  try {
    const { value } = readThing(state, thing, target.characteristicType);
    return { value, found: thing.accessory.reachable ? { value } : { value, reachable: false } };
  } catch (error) {
    return { value: null, found: { value: null, error: messageOf(error) } };
  }
}
