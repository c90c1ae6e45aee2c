/**
 * What a native automation's scene found, so that it can be put back when the automation ends ("turn off after"): kept in the output
 * of `execute_scene`, used by `restore_state`. Values are the state's own, before and after, so that they compare as they are.
 */
import type { HomeState } from '../../../home/home-state.ts';
import type { CharacteristicValue, HapId, SceneAction } from '../../../home/model.ts';
import { resolveCharacteristic } from '../../../home/vocabulary/settings.ts';
import { presentValue } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { isObject } from '../expressions/values.ts';
import type { Json, JsonObject } from '../flow.ts';

/** Longer texts (a playlist, a blob of a vendor's own) are no setting that anybody misses. */
const LONGEST_TEXT = 512;

/** Where a value was, and what it was. */
export interface FoundValue {
  readonly accessoryId: string;
  readonly serviceIid: HapId;
  readonly iid: HapId;
  /** Canonical characteristic type. */
  readonly type: string;
  readonly before: CharacteristicValue;
}

export interface RestorableValue extends FoundValue {
  /** What the scene left. */
  readonly after: CharacteristicValue;
}

/** What the characteristics of a scene have now. Those without a value, write-only ones among them, are left out. */
export function findValues(actions: readonly SceneAction[], homeId: string, state: HomeState): readonly FoundValue[] {
  const found = actions.flatMap((action) => findValue(action, homeId, state));
  return [...new Map(found.map((value) => [`${value.accessoryId} ${value.iid}`, value])).values()];
}

/** Those that the scene changed, with what they are now. Asked when it is through. */
export function changedValues(found: readonly FoundValue[], state: HomeState): readonly RestorableValue[] {
  return found.flatMap((value) => {
    const after = valueNow(value, state);
    return after === null || after === value.before ? [] : [{ ...value, after }];
  });
}

/** `null` for what is gone or has no value. */
export function valueNow(ref: { readonly accessoryId: string; readonly iid: HapId }, state: HomeState) {
  const characteristic = state.characteristic(ref);
  return characteristic ? presentValue(characteristic) : null;
}

/** From an output, which has been to the disk and back. */
export function readRestorable(data: JsonObject | undefined): readonly RestorableValue[] {
  const list = data?.restorable;
  return Array.isArray(list) ? list.filter(isRestorable) : [];
}

function findValue({ accessoryId, type, serviceIid }: SceneAction, homeId: string, state: HomeState) {
  const accessory = state.accessoryIn(homeId, accessoryId);
  if (!accessory) return [];
  try {
    const { service, characteristic } = resolveCharacteristic(accessory, type, serviceIid ?? undefined);
    const before = presentValue(characteristic);
    if (before === null || (typeof before === 'string' && before.length > LONGEST_TEXT)) return [];
    return [{ accessoryId, serviceIid: service.iid, iid: characteristic.iid, type: characteristic.type, before }];
  } catch (error) {
    // A service that is gone since the scene was made: the execution says so.
    if (error instanceof HearthError) return [];
    throw error;
  }
}

function isRestorable(value: Json): value is JsonObject & RestorableValue {
  if (!isObject(value)) return false;
  const { accessoryId, serviceIid, iid, type, before, after } = value;
  const isNamed = [accessoryId, serviceIid, iid, type].every((part) => typeof part === 'string');
  return isNamed && isValue(before) && isValue(after);
}

function isValue(value: Json | undefined): boolean {
  return value !== undefined && (value === null || typeof value !== 'object');
}
