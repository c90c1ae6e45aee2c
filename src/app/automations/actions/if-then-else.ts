import type { ActionKind } from './action-kind.ts';

/** Executes one of two branches, by a condition that is evaluated once. */
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
