import { z } from 'zod';
import type { ActionNode } from '../action-node.ts';
import { invalid } from '../parsing/faults.ts';
import type { PausingField } from '../parsing/field.ts';
import { countWords } from '../words.ts';
import { actionKind } from './action-kind.ts';
import { ACTIONS_SCHEMA } from './fields.ts';

const MAX_BRANCHES = 50;

const BRANCHES: PausingField<readonly (readonly ActionNode[])[]> = {
  schema: z.array(ACTIONS_SCHEMA).meta({ description: 'Lists of actions that are executed at the same time.' }),
  *readSteps(node, name) {
    const { fields } = node;
    const branches: (readonly ActionNode[])[] = [];
    for (const [index, branch] of fields.list(name, 'branches, each a list of actions', MAX_BRANCHES).entries()) {
      const path = `${fields.at(name)}[${index}]`;
      if (!Array.isArray(branch)) throw invalid(path, 'it must be a list of actions');
      branches.push(yield* node.nested(branch, path));
    }
    return branches;
  },
};

/**
 * Executes several sequences concurrently. Each sequence runs to its end even if another fails, so that none is left
 * half done after the run ends. The step then fails or stops with the first failure or stop, in the order of the
 * branches.
 */
export const parallel = actionKind({
  type: 'parallel',
  fields: { branches: BRANCHES },
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
});
