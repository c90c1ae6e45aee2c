/** Repeats actions: a fixed number of times, for each item, while a condition holds, or until it holds. */

import { z } from 'zod';
import { MAX_ROUNDS } from '../../../home/vocabulary/limits.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/json.ts';
import type { ActionNode } from '../action-node.ts';
import type { ConditionBlock } from '../conditions/index.ts';
import type { TemplateNumber, TemplateValue } from '../field-types.ts';
import { invalid } from '../parsing/faults.ts';
import type { FieldGroup, NodeInput } from '../parsing/field.ts';
import { hasTemplate } from '../parsing/parsing.ts';
import type { RepeatScope } from '../scope.ts';
import { countWords, plainWords } from '../words.ts';
import { actionKind, type RunContext } from './action-kind.ts';
import { actionList, conditionBlock, templateNumber, templates } from './fields.ts';
import { described, renderWholeNumber } from './rendered.ts';

const MODES = ['count', 'while', 'until', 'for_each'] as const;
const COUNT = templateNumber('Of the mode `count`: a whole number, or a template.');
const ITEMS = templates('Of the mode `for_each`: a list, or a template of one.');
const BLOCK = conditionBlock('What decides about each iteration, in the mode of the same name.');

type Rounds =
  | { readonly mode: 'count'; readonly count: TemplateNumber }
  | { readonly mode: 'while'; readonly whileCondition: ConditionBlock }
  | { readonly mode: 'until'; readonly untilCondition: ConditionBlock }
  | { readonly mode: 'for_each'; readonly forEachItems: TemplateValue };

const MODE: FieldGroup<Rounds> = {
  schemas: {
    mode: z.enum(MODES).meta({ description: 'How often.' }),
    count: COUNT.schema,
    whileCondition: BLOCK.schema,
    untilCondition: BLOCK.schema,
    forEachItems: ITEMS.schema,
  },
  readGroup(node) {
    const mode = node.fields.oneOf('mode', MODES);
    switch (mode) {
      case 'count':
        return { mode, count: readCount(node) };
      case 'while':
        return { mode, whileCondition: BLOCK.read(node, 'whileCondition') };
      case 'until':
        return { mode, untilCondition: BLOCK.read(node, 'untilCondition') };
      case 'for_each':
        return { mode, forEachItems: readItems(node) };
    }
  },
};

type Repeat = Rounds & { readonly sequence: readonly ActionNode[] };

export const repeat = actionKind({
  type: 'repeat',
  fields: { mode: MODE, sequence: actionList('At most 1,000 times.') },
  effect: 'none',
  summarize,
  async execute(action, run) {
    return { iterations: await rounds(action, run) };
  },
});

function rounds(action: Repeat, run: RunContext): Promise<number> {
  if (action.mode === 'while') return repeatWhile(run, action.sequence, action.whileCondition);
  if (action.mode === 'until') return repeatUntil(run, action.sequence, action.untilCondition);
  if (action.mode === 'for_each') {
    const items = run.decide('items', () => itemsOf(run, action.forEachItems));
    return repeatKnown(run, action.sequence, items.length, (index) => items[index - 1] ?? null);
  }
  const count = run.decide('count', () => requireFewRounds(renderWholeNumber(run, action.count, 'count')));
  return repeatKnown(run, action.sequence, count, () => null);
}

async function repeatKnown(
  run: RunContext,
  sequence: readonly ActionNode[],
  count: number,
  itemOf: (index: number) => Json,
): Promise<number> {
  for (let index = 1; index <= count; index += 1) {
    const repeat = { index, first: index === 1, last: index === count, item: itemOf(index) };
    await run.sequence(sequence, 'sequence', { repeat });
  }
  return count;
}

async function repeatWhile(
  run: RunContext,
  sequence: readonly ActionNode[],
  condition: ConditionBlock,
): Promise<number> {
  for (let index = 1; ; index += 1) {
    const round = roundOf(index);
    if (!run.decide(`while[${index}]`, () => run.check(condition, round))) return index - 1;
    requireFewRounds(index);
    await run.sequence(sequence, 'sequence', { repeat: round });
  }
}

async function repeatUntil(
  run: RunContext,
  sequence: readonly ActionNode[],
  condition: ConditionBlock,
): Promise<number> {
  for (let index = 1; ; index += 1) {
    const round = roundOf(requireFewRounds(index));
    await run.sequence(sequence, 'sequence', { repeat: round });
    if (run.decide(`until[${index}]`, () => run.check(condition, round))) return index;
  }
}

/** An iteration that is not known to be the last. */
function roundOf(index: number): RepeatScope {
  return { index, first: index === 1, last: null, item: null };
}

function requireFewRounds(count: number): number {
  if (count <= MAX_ROUNDS) return count;
  throw new HearthError('invalid_value', `A repeat has at most ${MAX_ROUNDS} rounds; this one would have more`);
}

/** A list, or text that contains a JSON list. */
function itemsOf(run: RunContext, template: TemplateValue): readonly Json[] {
  const value = run.render(template);
  const items = typeof value === 'string' ? parseList(value) : value;
  if (!Array.isArray(items)) {
    throw new HearthError('invalid_value', `forEachItems came to ${described(value)}; give a list`, {
      reason: 'wrong_result',
      field: 'forEachItems',
    });
  }
  requireFewRounds(items.length);
  return items;
}

function parseList(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function summarize(action: Repeat): string {
  const what = `Repeat ${countWords(action.sequence.length, 'action')}`;
  if (action.mode === 'count') return `${what} ${plainWords(action.count)} times`;
  if (action.mode === 'for_each') return `${what} for each of ${plainWords(action.forEachItems)}`;
  return `${what} ${action.mode} conditions hold`;
}

function readCount(node: NodeInput): TemplateNumber {
  const { fields } = node;
  const count = fields.raw('count');
  if (typeof count === 'string' && hasTemplate(count)) return COUNT.read(node, 'count');
  return fields.number('count', { min: 0, max: MAX_ROUNDS, integer: true });
}

/** A list, a text that contains a JSON list, or an expression that yields one. */
function readItems(node: NodeInput): TemplateValue {
  const { fields } = node;
  const input = fields.required('forEachItems', 'a list, or an expression in {{ }} that gives one');
  const path = fields.at('forEachItems');
  if (Array.isArray(input) && input.length > MAX_ROUNDS) {
    throw invalid(path, `there may be at most ${MAX_ROUNDS}; these are ${input.length}`);
  }
  if (
    !Array.isArray(input) &&
    !(typeof input === 'string' && (hasTemplate(input) || Array.isArray(parseList(input))))
  ) {
    throw invalid(path, 'it must be a list, also as JSON text, or an expression in {{ }} that gives one');
  }
  return ITEMS.parse(input, path, node);
}
