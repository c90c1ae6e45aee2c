/**
 * The steps of an automation that ends: it acts, waits for an end, and restores the earlier values. While a duration
 * runs, a further trigger acts again and restarts the duration, as a light with a motion sensor requires.
 */
import type { Action } from '../actions/index.ts';
import type { Condition, ConditionBlock } from '../conditions/index.ts';
import type { Trigger } from '../triggers/index.ts';

export interface UntilEndParts {
  readonly acts: readonly Action[];
  /** The same with other ids, for a further trigger. */
  readonly actsAgain: readonly Action[];
  readonly restores: readonly Action[];
  readonly triggers: readonly Trigger[];
  readonly conditions: ConditionBlock;
  readonly ends: readonly Trigger[];
  /** An automation that acts once is disabled by then: it cannot be triggered again. */
  readonly executeOnce: boolean;
  /** The id of a step with this name. */
  readonly idOf: (name: string) => string;
}

/** The id of the wait for an end event. */
const WAIT_ID = 'endEvents';

export function untilEnd(ending: UntilEndParts): readonly Action[] {
  const { acts, restores, ends, executeOnce } = ending;
  const isExtended = !executeOnce && ends.some(({ type }) => type === 'duration');
  return [...acts, isExtended ? extendable(ending) : waitFor(ends, ending), ...restores];
}

function waitFor(triggers: readonly Trigger[], { idOf }: UntilEndParts): Action {
  const common = { id: idOf(WAIT_ID), enabled: true, onError: 'stop' } as const;
  return { ...common, type: 'wait_for_trigger', triggers, continueOnTimeout: true };
}

/** Exceeding the maximum of repeat iterations is an error; it counts as the end too. */
function extendable(ending: UntilEndParts): Action {
  const { actsAgain, triggers, conditions, ends, idOf } = ending;
  const ended: Condition = {
    type: 'template',
    expression: `wait.trigger.id in [${ends.map(({ id }) => JSON.stringify(id)).join(', ')}]`,
  };
  const again: ConditionBlock = {
    operator: 'and',
    conditions: [{ operator: 'not', conditions: [ended] }, conditions],
  };
  const repeated: Action = {
    id: idOf('again'),
    enabled: true,
    onError: 'continue',
    type: 'choose',
    choices: [{ conditions: again, actions: actsAgain }],
  };
  return {
    id: idOf('active'),
    enabled: true,
    onError: 'continue',
    type: 'repeat',
    mode: 'until',
    untilCondition: { operator: 'and', conditions: [ended] },
    sequence: [waitFor([...ends, ...triggers], ending), repeated],
  };
}
