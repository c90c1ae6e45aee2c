import { countWords } from '../words.ts';
import type { ActionKind } from './action-kind.ts';

/**
 * Executes the first choice whose conditions hold, else the default. Output: `choices[1]`, `default`, or `null` for
 * neither.
 */
export const choose: ActionKind<'choose'> = {
  type: 'choose',
  effect: 'none',
  summarize: ({ choices }) => `Choose among ${countWords(choices.length, 'choice')}`,
  async execute({ choices, default: otherwise }, run) {
    const index = run.decide('choice', () => choices.findIndex(({ conditions }) => run.check(conditions)));
    const choice = choices[index];
    const branch = choice ? `choices[${index}]` : otherwise ? 'default' : null;
    if (branch !== null) await run.sequence(choice?.actions ?? otherwise ?? [], branch);
    return { branch, alias: choice?.alias ?? null };
  },
};
