/** The condition kinds and condition blocks. Evaluates and summarizes blocks for all kinds alike. */
import type { HomeState } from '../../../home/home-state.ts';
import type { Json } from '../../../kernel/json.ts';
import type { ValuesOf } from '../parsing/field.ts';
import type { ConditionContext, ConditionKind } from './condition-kind.ts';
import { numericState } from './numeric-state.ts';
import { presence } from './presence.ts';
import { state } from './state.ts';
import { sun } from './sun.ts';
import { template } from './template.ts';
import { time } from './time.ts';
import { trigger } from './trigger.ts';

export const CONDITION_KINDS = {
  state,
  numeric_state: numericState,
  time,
  sun,
  template,
  trigger,
  presence,
} as const;

type ConditionKinds = typeof CONDITION_KINDS;
export type ConditionType = keyof ConditionKinds;
export const CONDITION_TYPES = Object.keys(CONDITION_KINDS) as readonly ConditionType[];

export type ConditionOf<T extends ConditionType> = {
  [K in T]: { readonly type: K } & ValuesOf<ConditionKinds[K]['fields']>;
}[T];
export type Condition = ConditionOf<ConditionType>;

/** An empty block holds. `not` holds if none of its children does. */
export interface ConditionBlock {
  readonly operator: (typeof OPERATORS)[number];
  readonly conditions: readonly (Condition | ConditionBlock)[];
}
export const OPERATORS = ['and', 'or', 'not'] as const;

export interface Evaluated {
  readonly passed: boolean;
  /**
   * The result of each condition, in the structure of the block, for the trace. Omits conditions that were not
   * evaluated.
   */
  readonly results: Json;
}

/**
 * Whether a block holds now. Evaluates conditions in order and stops as soon as the result is known: `and` stops at
 * the first that fails, `or` and `not` at the first that holds.
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

/**
 * One line for people: `Motion detected of Hall is on and after sunset`. Never throws, even if referenced objects no
 * longer exist.
 */
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

/** The table maps each type to its own kind; TypeScript cannot follow that through a union. */
export function kindOf(condition: Pick<Condition, 'type'>): ConditionKind {
  return CONDITION_KINDS[condition.type] as unknown as ConditionKind;
}

function isBlock(one: Condition | ConditionBlock): one is ConditionBlock {
  return 'conditions' in one;
}
