import { shorten } from '../../../home/vocabulary/values.ts';
import type { Json } from '../../../kernel/json.ts';
import type { ActionOf } from '../flow.ts';
import { accessoryWords, plainWords, templateDurationWords } from '../words.ts';
import type { ActionKind, RunContext } from './action-kind.ts';
import { renderDuration, renderNumber } from './rendered.ts';

/** The maximum duration of a timer. */
const MAX_TIMER_MS = 366 * 24 * 60 * 60_000;

/** Operates a virtual accessory, including those that people may only read. Output: the new value. */
export const virtual: ActionKind<'virtual'> = {
  type: 'virtual',
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
};

/** The operand of the operation: `start` takes a duration, `increment` and `decrement` a step, `set` a value. */
function inputOf({ operation, value, duration, step }: ActionOf<'virtual'>, run: RunContext): Json | undefined {
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
