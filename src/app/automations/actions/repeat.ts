/** Repeats actions: a fixed number of times, for each item, while a condition holds, or until it holds. */
import { HearthError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/json.ts';
import type { ConditionBlock } from '../conditions/index.ts';
import type { TemplateValue } from '../field-types.ts';
import type { Action, ActionOf } from '../flow.ts';
import { MAX_ROUNDS } from '../limits.ts';
import type { RepeatScope } from '../scope.ts';
import { countWords, plainWords } from '../words.ts';
import type { ActionKind, RunContext } from './action-kind.ts';
import { described, renderWholeNumber } from './rendered.ts';

export const repeat: ActionKind<'repeat'> = {
  type: 'repeat',
  effect: 'none',
  summarize,
  async execute(action, run) {
    return { iterations: await rounds(action, run) };
  },
};

function rounds(action: ActionOf<'repeat'>, run: RunContext): Promise<number> {
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
  sequence: readonly Action[],
  count: number,
  itemOf: (index: number) => Json,
): Promise<number> {
  for (let index = 1; index <= count; index += 1) {
    const repeat = { index, first: index === 1, last: index === count, item: itemOf(index) };
    await run.sequence(sequence, 'sequence', { repeat });
  }
  return count;
}

async function repeatWhile(run: RunContext, sequence: readonly Action[], condition: ConditionBlock): Promise<number> {
  for (let index = 1; ; index += 1) {
    const round = roundOf(index);
    if (!run.decide(`while[${index}]`, () => run.check(condition, round))) return index - 1;
    requireFewRounds(index);
    await run.sequence(sequence, 'sequence', { repeat: round });
  }
}

async function repeatUntil(run: RunContext, sequence: readonly Action[], condition: ConditionBlock): Promise<number> {
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

function summarize(action: ActionOf<'repeat'>): string {
  const what = `Repeat ${countWords(action.sequence.length, 'action')}`;
  if (action.mode === 'count') return `${what} ${plainWords(action.count)} times`;
  if (action.mode === 'for_each') return `${what} for each of ${plainWords(action.forEachItems)}`;
  return `${what} ${action.mode} conditions hold`;
}
