import { countWords } from '../words.ts';
import type { ActionKind } from './action-kind.ts';

/**
 * Several sequences at the same time. Each goes to its end whatever becomes of the others, so that none is left half done behind a
 * run that is over; then the first failure or stop, in the order of the branches, is the step's.
 */
export const parallel: ActionKind<'parallel'> = {
  type: 'parallel',
  effect: 'none',
  summarize: ({ branches }) => `Run ${countWords(branches.length, 'sequence')} at the same time`,
  async execute({ branches }, run) {
    const ends = await Promise.allSettled(
      branches.map((actions, index) => run.sequence(actions, `branches[${index}]`)),
    );
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return { branches: branches.length };
  },
};
