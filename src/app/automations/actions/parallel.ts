import { countWords } from '../words.ts';
import type { ActionKind } from './action-kind.ts';

/**
 * Executes several sequences concurrently. Each sequence runs to its end even if another fails, so that none is left
 * half done after the run ends. The step then fails or stops with the first failure or stop, in the order of the
 * branches.
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
