/** Every kind of condition, and blocks of them: what a block finds, and what it says, is put together here for all kinds alike. */
import type { HomeState } from '../../../home/home-state.ts';
import type { Condition, ConditionBlock, ConditionType, Json } from '../flow.ts';
import type { ConditionContext, ConditionKind } from './condition-kind.ts';
import { numericState } from './numeric-state.ts';
import { presence } from './presence.ts';
import { state } from './state.ts';
import { sun } from './sun.ts';
import { template } from './template.ts';
import { time } from './time.ts';
import { trigger } from './trigger.ts';

export const CONDITION_KINDS: { readonly [T in ConditionType]: ConditionKind<T> } = {
  state,
  numeric_state: numericState,
  time,
  sun,
  template,
  trigger,
  presence,
};

export interface Evaluated {
  readonly passed: boolean;
  /** What each condition found, nested as they are, for the trace. What was not needed for the answer is not in it. */
  readonly results: Json;
}

/**
 * Whether a block holds now. Conditions are looked at in their order, until the answer is clear: `and` ends at the first that does not
 * hold, `or` and `not` at the first that does.
 */
export function evaluateConditions(block: ConditionBlock, context: ConditionContext): Evaluated {
  const { operator, conditions } = block;
  const isDecidedBy = operator !== 'and';
  const results: Json[] = [];
  let isDecided = false;
  for (const one of conditions) {
    const { passed, results: found } = isBlock(one) ? evaluateConditions(one, context) : evaluateOne(one, context);
    results.push(found);
    isDecided = passed === isDecidedBy;
    if (isDecided) break;
  }
  const passed = conditions.length === 0 || (operator === 'or' ? isDecided : !isDecided);
  return { passed, results: { operator, passed, conditions: results } };
}

/** One line for people: `Motion detected of Hall is on and after sunset`. Never throws, whatever is gone by now. */
export function summarizeConditions({ operator, conditions }: ConditionBlock, homeState: HomeState): string {
  if (conditions.length === 0) return 'No conditions';
  const texts = conditions.map((one) =>
    isBlock(one) ? `(${summarizeConditions(one, homeState)})` : summarizeOne(one, homeState),
  );
  if (operator === 'not') return `Not ${texts.length === 1 ? texts[0] : `any of: ${texts.join(', ')}`}`;
  return texts.join(operator === 'and' ? ' and ' : ' or ');
}

function evaluateOne(condition: Condition, context: ConditionContext): Evaluated {
  const { passed, found } = kindOf(condition).evaluate(condition, context);
  const summary = summarizeOne(condition, context.state);
  return { passed, results: { type: condition.type, summary, passed, found } };
}

function summarizeOne(condition: Condition, homeState: HomeState): string {
  return kindOf(condition).summarize(condition, homeState);
}

/** The table has for every type the kind of that very type, which the compiler can't follow through a union. */
function kindOf(condition: Condition): ConditionKind {
  return CONDITION_KINDS[condition.type] as ConditionKind;
}

function isBlock(one: Condition | ConditionBlock): one is ConditionBlock {
  return 'conditions' in one;
}
