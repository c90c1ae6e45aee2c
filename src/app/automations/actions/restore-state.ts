import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import { SERVICE } from '../../../hap-spec/services.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { CharacteristicValue } from '../../../home/model.ts';
import { characteristicName } from '../../../home/vocabulary/hap-names.ts';
import { invalid } from '../parsing/faults.ts';
import { field } from '../parsing/field.ts';
import { text } from '../parsing/field-kinds.ts';
import { parseText } from '../parsing/fields.ts';
import { countWords } from '../words.ts';
import { ActionFailure, actionKind, type RunContext, refusalsIn } from './action-kind.ts';
import { RESTORABLE_ACTIONS, type RestorableValue, readRestorable, valueNow } from './restorable.ts';

/** Services whose target position opens an entrance to the home: door, window. Blinds do not. */
const WAYS_IN: readonly string[] = [SERVICE.door, SERVICE.window];

const LOCK_SECURED = 1;
const DOOR_CLOSED = 1;
const ALARM_DISARMED = 3;

const UNSAFE = 'it is left as it is: nothing is unlocked, opened or disarmed by itself';
const CHANGED = 'its value was changed since';
const NOT_SET = 'it has its earlier value';
const GONE = 'it is gone or has no value';

const NODE_ID = field(
  'the id of an action that executes a scene or sets a device',
  text('An `execute_scene` or `set_characteristic` before it.').schema,
  (value, path, { parsing }) => {
    const nodeId = parseText(value, path);
    parsing.afterwards(() => {
      if (RESTORABLE_ACTIONS.includes(parsing.actionType(nodeId) ?? '')) return;
      throw invalid(path, 'no action with this id executes a scene or sets a device');
    });
    return nodeId;
  },
);

/**
 * Restores, in one request, the values that an `execute_scene` or a `set_characteristic` replaced, where its values
 * are still set.
 * Values that would unlock, open or disarm are skipped, and the output lists them: no person may be present to notice.
 */
export const restoreState = actionKind({
  type: 'restore_state',
  fields: { nodeId: NODE_ID },
  effect: 'repeatable',
  summarize: () => 'Put back what was there before',
  async execute({ nodeId }, run) {
    const { restore, left } = plan(run, nodeId);
    const writes = restore.map(({ accessoryId, type, serviceIid, before }) => ({
      accessoryId,
      characteristicType: type,
      serviceIid,
      value: before,
    }));
    const outcomes = writes.length > 0 ? await run.ports.control.writeCharacteristics(run.caller, writes) : [];
    const errors = outcomes.flatMap((outcome, index) => {
      const value = restore[index];
      return outcome.ok || !value ? [] : [`${nameOf(value, run.ports.state)}: ${outcome.message}`];
    });
    const success = errors.length === 0;
    const output = { nodeId, success, restored: restore.length - errors.length, left, failed: errors.length, errors };
    if (success) return output;
    const failures = countWords(errors.length, 'value');
    throw new ActionFailure('accessory_error', `${failures} could not be put back: ${errors.join('; ')}`, output, {
      reason: 'not_all_done',
      refusals: refusalsIn(outcomes),
    });
  },
});

/** Decided once: values restored before a restart no longer match the scene's values. */
function plan(run: RunContext, nodeId: string) {
  const { state } = run.ports;
  const values = readRestorable(run.scope.nodes[nodeId]?.data);
  const judged = values.map((value) => ({ value, reason: reasonToLeave(value, state) }));
  const wanted = run.decide('restore', () => judged.flatMap(({ reason }, index) => (reason === null ? [index] : [])));
  return {
    restore: wanted.flatMap((index) => values[index] ?? []),
    left: judged.flatMap(({ value, reason }, index) =>
      reason === null || wanted.includes(index) ? [] : [{ what: nameOf(value, state), reason }],
    ),
  };
}

function reasonToLeave(value: RestorableValue, state: HomeState): string | null {
  const now = valueNow(value, state);
  if (now === null) return GONE;
  if (now !== value.after) return now === value.before ? NOT_SET : CHANGED;
  return isUnsafe(value, now, state) ? UNSAFE : null;
}

function isUnsafe(
  { accessoryId, serviceIid, type, before }: RestorableValue,
  now: CharacteristicValue,
  state: HomeState,
) {
  if (type === CHARACTERISTIC.lockTargetState) return before !== LOCK_SECURED;
  if (type === CHARACTERISTIC.targetDoorState) return before !== DOOR_CLOSED;
  if (type === CHARACTERISTIC.securitySystemTargetState) return before === ALARM_DISARMED;
  if (type !== CHARACTERISTIC.targetPosition) return false;
  const service = state.accessory(accessoryId)?.services.find(({ iid }) => iid === serviceIid);
  return service !== undefined && WAYS_IN.includes(service.type) && Number(before) > Number(now);
}

function nameOf({ accessoryId, type }: RestorableValue, state: HomeState): string {
  return `${state.accessory(accessoryId)?.name ?? accessoryId}.${characteristicName(type)}`;
}
