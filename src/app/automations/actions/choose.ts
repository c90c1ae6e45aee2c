import { z } from 'zod';
import type { SlicedWork } from '../../../kernel/slices.ts';
import type { ActionNode } from '../action-node.ts';
import type { ConditionBlock } from '../conditions/index.ts';
import { parseConditionBlock } from '../conditions/parse-conditions.ts';
import { invalid } from '../parsing/faults.ts';
import type { NodeInput, PausingField } from '../parsing/field.ts';
import { Fields, given } from '../parsing/fields.ts';
import { countWords } from '../words.ts';
import { actionKind } from './action-kind.ts';
import { ACTIONS_SCHEMA, CHOICE_SCHEMA, nestedActions } from './fields.ts';

const MAX_CHOICES = 50;

interface ChooseBranch {
  readonly alias?: string;
  readonly conditions: ConditionBlock;
  readonly actions: readonly ActionNode[];
}

const CHOICES: PausingField<readonly ChooseBranch[]> = {
  schema: z.array(CHOICE_SCHEMA).meta({ description: 'The first whose conditions hold is executed.' }),
  *readSteps(node, name) {
    const { fields } = node;
    const list = fields.list(name, 'choices', MAX_CHOICES);
    if (list.length === 0) throw invalid(fields.at(name), 'it must have at least one choice');
    const choices: ChooseBranch[] = [];
    for (const [index, item] of list.entries())
      choices.push(yield* parseChoice(node, item, `${fields.at(name)}[${index}]`));
    return choices;
  },
};

const DEFAULT: PausingField<readonly ActionNode[] | undefined> = {
  schema: ACTIONS_SCHEMA.meta({ description: 'Executed where the conditions of no choice hold.' }),
  *readSteps(node, name) {
    return node.fields.has(name) ? yield* nestedActions(node, node.fields, name) : undefined;
  },
};

/**
 * Executes the first choice whose conditions hold, else the default. Output: `choices[1]`, `default`, or `null` for
 * neither.
 */
export const choose = actionKind({
  type: 'choose',
  fields: { choices: CHOICES, default: DEFAULT },
  effect: 'none',
  summarize: ({ choices }) => `Choose among ${countWords(choices.length, 'choice')}`,
  async execute({ choices, default: otherwise }, run) {
    const index = run.decide('choice', () => choices.findIndex(({ conditions }) => run.check(conditions)));
    const choice = choices[index];
    const branch = choice ? `choices[${index}]` : otherwise ? 'default' : null;
    if (branch !== null) await run.sequence(choice?.actions ?? otherwise ?? [], branch);
    return { branch, alias: choice?.alias ?? null };
  },
});

function* parseChoice(node: NodeInput, input: unknown, path: string): SlicedWork<ChooseBranch> {
  const fields = new Fields(input, path, 'choice');
  const choice = given({
    alias: fields.optionalText('alias'),
    conditions: parseConditionBlock(fields.raw('conditions'), fields.at('conditions'), node.parsing),
    actions: yield* nestedActions(node, fields, 'actions'),
  });
  fields.done();
  return choice;
}
