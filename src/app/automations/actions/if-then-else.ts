import type { ActionKind } from './action-kind.ts';

/** One of two ways, by a condition that is looked at once. */
export const ifThenElse: ActionKind<'if_then_else'> = {
  type: 'if_then_else',
  effect: 'none',
  summarize: ({ condition }) => `If ${condition.conditions.length === 1 ? 'a condition holds' : 'conditions hold'}`,
  async execute(action, run) {
    const result = run.decide('result', () => run.check(action.condition));
    const branch = result ? 'then' : 'else';
    await run.sequence(action[branch], branch);
    return { branch, result };
  },
};
