/**
 * The values that an action replaced, so that they can be restored later ("turn off after"). `execute_scene` and
 * `set_characteristic` store them in their output and `restore_state` uses them. Both values, before and after, come
 * from the home state, so that they compare exactly. A device that did not answer may still follow: then the value
 * after is the one that was sent.
 */
import type { HomeState } from '../../../home/home-state.ts';
import type { Characteristic, CharacteristicValue, HapId, SceneAction } from '../../../home/model.ts';
import { resolveCharacteristic } from '../../../home/vocabulary/settings.ts';
import { parseValue, presentValue } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import type { CharacteristicOutcome } from '../../control/outcome.ts';
import { isObject } from '../expressions/values.ts';
import type { RunContext } from './action-kind.ts';

/** Longer texts (a playlist, a vendor's blob) are not settings that need to be restored. */
const MAX_TEXT_LENGTH = 512;

/** A characteristic and its previous value. */
interface FoundValue {
  readonly accessoryId: string;
  readonly serviceIid: HapId;
  readonly iid: HapId;
  /** Canonical characteristic type. */
  readonly type: string;
  readonly before: CharacteristicValue;
  /** What the action sends, in the form of `before`; absent if it is no valid value. */
  readonly sent?: CharacteristicValue;
}

export interface RestorableValue extends FoundValue {
  /** The value after the action. */
  readonly after: CharacteristicValue;
}

/** A characteristic that an action sets. */
type WrittenPlace = Pick<SceneAction, 'accessoryId' | 'type' | 'serviceIid'> & { readonly value: Json };

/** The actions whose values can be restored. */
export const RESTORABLE_ACTIONS = ['execute_scene', 'set_characteristic'];

/**
 * The values before the action, if a `restore_state` of the automation refers to it. Persisted before anything is
 * sent: a step repeated after a restart would otherwise read the values that it has set.
 */
export function foundBefore(
  run: RunContext,
  nodeId: string,
  settings: () => readonly WrittenPlace[],
): readonly FoundValue[] | undefined {
  if (!isPutBack(run, nodeId)) return undefined;
  return run.decide('found', () =>
    findValues(settings(), run.program.homeId, run.ports.state).map((value) => ({ ...value })),
  );
}

/** The part of the action's output for `restore_state`. */
export function restorableOutput(
  found: readonly FoundValue[] | undefined,
  outcomes: readonly CharacteristicOutcome[],
  state: HomeState,
): JsonObject {
  if (!found) return {};
  const silent = new Set(
    outcomes.flatMap((outcome) =>
      !outcome.ok && outcome.code === 'accessory_unreachable' ? [outcome.accessoryId] : [],
    ),
  );
  return { restorable: changedValues(found, silent, state).map((value) => ({ ...value })) };
}

/** By program, the steps whose values its `restore_state` actions put back. */
const PUT_BACK = new WeakMap<object, ReadonlySet<unknown>>();

function isPutBack(run: RunContext, nodeId: string): boolean {
  let nodes = PUT_BACK.get(run.program);
  if (!nodes) {
    nodes = new Set(
      [...run.allActions()].map((action) =>
        action.type === 'restore_state' && 'nodeId' in action ? action.nodeId : undefined,
      ),
    );
    PUT_BACK.set(run.program, nodes);
  }
  return nodes.has(nodeId);
}

/** The current values of the characteristics. Omits those without a value, including write-only ones. */
function findValues(actions: readonly WrittenPlace[], homeId: string, state: HomeState): readonly FoundValue[] {
  const found = actions.flatMap((action) => findValue(action, homeId, state));
  return [...new Map(found.map((value) => [`${value.accessoryId} ${value.iid}`, value])).values()];
}

/**
 * The values that the action changed, with their current values. Called when the action has ended.
 * @param silent accessories that did not answer
 */
function changedValues(
  found: readonly FoundValue[],
  silent: ReadonlySet<string>,
  state: HomeState,
): readonly RestorableValue[] {
  return found.flatMap(({ sent, ...value }) => {
    const now = valueNow(value, state);
    const mayFollow = silent.has(value.accessoryId) && sent !== undefined;
    const after = now === value.before && mayFollow ? sent : now;
    return after === null || after === value.before ? [] : [{ ...value, after }];
  });
}

/** `null` if the characteristic no longer exists or has no value. */
export function valueNow(ref: { readonly accessoryId: string; readonly iid: HapId }, state: HomeState) {
  const characteristic = state.characteristic(ref);
  return characteristic ? presentValue(characteristic) : null;
}

/** Parses an output that was stored on disk. */
export function readRestorable(data: JsonObject | undefined): readonly RestorableValue[] {
  const list = data?.restorable;
  return Array.isArray(list) ? list.filter(isRestorable) : [];
}

function findValue(
  { accessoryId, type, serviceIid, value }: WrittenPlace,
  homeId: string,
  state: HomeState,
): readonly FoundValue[] {
  const accessory = state.accessoryIn(homeId, accessoryId);
  if (!accessory) return [];
  try {
    const { service, characteristic } = resolveCharacteristic(accessory, type, serviceIid ?? undefined);
    const before = presentValue(characteristic);
    if (before === null || (typeof before === 'string' && before.length > MAX_TEXT_LENGTH)) return [];
    const found = { accessoryId, serviceIid: service.iid, iid: characteristic.iid, type: characteristic.type, before };
    const sent = valueSent(characteristic, value);
    return [sent === undefined ? found : { ...found, sent }];
  } catch (error) {
    // A service deleted since the scene was saved: the execution reports it.
    if (error instanceof HearthError) return [];
    throw error;
  }
}

function valueSent(characteristic: Characteristic, value: Json): CharacteristicValue | undefined {
  try {
    return presentValue({ ...characteristic, value: parseValue(characteristic, value) });
  } catch (error) {
    // The write reports it.
    if (error instanceof HearthError) return undefined;
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
