import { word } from '../../../contract/fields.ts';
import { VIRTUAL_OPERATIONS } from '../../../home/virtual-driver.ts';
import { parseValue, shorten } from '../../../home/vocabulary/values.ts';
import type { Json } from '../../../kernel/json.ts';
import { nearest } from '../../../kernel/nearest.ts';
import { MAX_HOLD_MS } from '../parsing/durations.ts';
import { at, invalid, missing } from '../parsing/faults.ts';
import { type Field, field, optional, type ValuesOf } from '../parsing/field.ts';
import { ACCESSORY, VALUE } from '../parsing/field-kinds.ts';
import { parseText } from '../parsing/fields.ts';
import { hasTemplate } from '../parsing/parsing.ts';
import { accessoryWords, plainWords, templateDurationWords } from '../words.ts';
import { actionKind, type RunContext } from './action-kind.ts';
import { templateDuration, templateNumber } from './fields.ts';
import { renderDuration, renderNumber } from './rendered.ts';

/** The maximum duration of a timer. */
const MAX_TIMER_MS = 366 * 24 * 60 * 60_000;

const OPERATION = field(
  'the name of an operation',
  word(VIRTUAL_OPERATIONS, 'One that the accessory has.'),
  (value, path, { accessory: { accessory }, fields, parsing }) => {
    const operation = parseText(value, path);
    if (!accessory) return operation;
    if (accessory.virtual === null) {
      throw invalid(fields.at('accessoryId'), `'${accessory.name}' is no virtual accessory`);
    }
    const operations = parsing.context.virtuals?.describe(accessory)?.operations;
    if (operations === undefined || operations.some((one) => one === operation)) return operation;
    const meant = nearest(operation, operations);
    const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
    throw invalid(path, `'${accessory.name}' can ${operations.join(', ')}${advice}`);
  },
);

const OPERAND: Field<Json | undefined> = {
  schema: VALUE.optional().meta({ description: 'Of `set`: the value; may hold templates.' }),
  read({ accessory: { accessory }, fields, parsing }, name) {
    const [value, path, isSet] = [fields.raw(name), fields.at(name), fields.raw('operation') === 'set'];
    if (value === undefined && isSet) throw missing(path, 'the value to set');
    if (value === undefined) return undefined;
    // A virtual accessory has one characteristic, which defines its operations; automations may operate it even if
    // people may only read it.
    const [characteristic] = accessory?.services[0]?.characteristics ?? [];
    if (!isSet || hasTemplate(value) || !characteristic) return parsing.templates(value, path) ?? '';
    return at(path, () => parseValue(characteristic, value, name)) ?? '';
  },
};

const FIELDS = {
  accessoryId: ACCESSORY,
  operation: OPERATION,
  value: OPERAND,
  duration: optional(templateDuration('Of `start`: of a timer, if not its own.', MAX_HOLD_MS)),
  step: optional(templateNumber('Of `increment` and `decrement`.')),
};

/** Operates a virtual accessory, including those that people may only read. Output: the new value. */
export const virtual = actionKind({
  type: 'virtual',
  fields: FIELDS,
  effect: 'atomic',
  summarize: (action, state) => {
    const { operation, accessoryId, value, duration, step } = action;
    const given = duration !== undefined ? templateDurationWords(duration) : (step ?? value);
    const what = given === undefined ? '' : ` (${plainWords(given)})`;
    return `${sentenceCase(operation)} ${accessoryWords(state, accessoryId)}${what}`;
  },
  execute(action, run) {
    const { accessoryId, operation } = action;
    const { value, timer } = run.ports.virtuals.operate(run.caller, accessoryId, operation, inputOf(action, run));
    return { accessoryId, operation, state: value, timer: timer && { ...timer }, success: true };
  },
});

/** The operand of the operation: `start` takes a duration, `increment` and `decrement` a step, `set` a value. */
function inputOf({ operation, value, duration, step }: ValuesOf<typeof FIELDS>, run: RunContext): Json | undefined {
  switch (operation) {
    case 'start': {
      if (duration !== undefined) return renderDuration(run, duration, 'duration', MAX_TIMER_MS) / 1_000;
      return value === undefined ? undefined : run.render(value);
    }
    case 'increment':
    case 'decrement':
      if (step !== undefined) return renderNumber(run, step, 'step');
      return value === undefined ? undefined : run.render(value);
    case 'set':
      return run.render(value ?? null);
    default:
      // The others take no operand; an editor may have left a field of another operation.
      return undefined;
  }
}

function sentenceCase(operation: string): string {
  return shorten((operation.charAt(0).toUpperCase() + operation.slice(1)).replaceAll('_', ' '));
}
