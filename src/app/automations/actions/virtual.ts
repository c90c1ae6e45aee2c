import { shorten } from '../../../home/vocabulary/values.ts';
import type { ActionOf, Json } from '../flow.ts';
import { accessoryWords, plainWords, templateDurationWords } from '../words.ts';
import type { ActionKind, RunContext } from './action-kind.ts';
import { renderDuration, renderNumber } from './rendered.ts';

/** The longest that a timer runs. */
const LONGEST_TIMER_MS = 366 * 24 * 60 * 60_000;

/** Operates a virtual accessory, those that people may only read too. Output: the value that it has then. */
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

/** What the operation takes: for `start` how long, for `increment` and `decrement` by how much, for `set` the value. */
function inputOf({ operation, value, duration, step }: ActionOf<'virtual'>, run: RunContext): Json | undefined {
  switch (operation) {
    case 'start': {
      if (duration !== undefined) return renderDuration(run, duration, 'duration', LONGEST_TIMER_MS) / 1_000;
      return value === undefined ? undefined : run.render(value);
    }
    case 'increment':
    case 'decrement':
      if (step !== undefined) return renderNumber(run, step, 'step');
      return value === undefined ? undefined : run.render(value);
    case 'set':
      return run.render(value ?? null);
    default:
      // The others take nothing, and an editor may have left a field of another operation behind.
      return undefined;
  }
}

function sentenceCase(operation: string): string {
  return shorten((operation.charAt(0).toUpperCase() + operation.slice(1)).replaceAll('_', ' '));
}
