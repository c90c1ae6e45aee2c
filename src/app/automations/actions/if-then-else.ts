import { actionKind } from './action-kind.ts';
import { actionList, conditionBlock } from './fields.ts';

/** Executes one of two branches, by a condition that is evaluated once. */
export const ifThenElse = actionKind({
  type: 'if_then_else',
  fields: {
    condition: conditionBlock('What must hold for `then`.'),
    // biome-ignore lint/suspicious/noThenProperty: the record's name (wire-facts §6.2) for a list, never awaited
    then: actionList('Executed if it holds.'),
    else: actionList('Executed if it does not hold.'),
  },
  effect: 'none',
  summarize: ({ condition }) => `If ${condition.conditions.length === 1 ? 'a condition holds' : 'conditions hold'}`,
  async execute(action, run) {
    const result = run.decide('result', () => run.check(action.condition));
    const branch = result ? 'then' : 'else';
    await run.sequence(action[branch], branch);
    return { branch, result };
  },
});
