/** Conditions of flows in the tools' format (wire-facts §11.2). A list of them is `and`; a block within is a `nest`. */

import type { z } from 'zod';
import type { Condition, ConditionBlock } from '../../../app/automations/conditions/index.ts';
import { numericState } from '../../../app/automations/conditions/numeric-state.ts';
import { state } from '../../../app/automations/conditions/state.ts';
import { sun } from '../../../app/automations/conditions/sun.ts';
import { template } from '../../../app/automations/conditions/template.ts';
import { time } from '../../../app/automations/conditions/time.ts';
import { given } from '../../../app/automations/parsing/fields.ts';
import type { HomeWords } from './home-words.ts';
import { plainRow } from './kind-fields.ts';
import { type Node, presentUnsupported, type WireNode } from './node.ts';
import { valueRows } from './value-rows.ts';

/** Beside `nest`, which is a block. */
export const CONDITION_TYPES = ['device', 'numeric', 'virtual', 'time', 'sun', 'template'] as const;
type WireType = (typeof CONDITION_TYPES)[number];

interface Row {
  /** For clients that write one; `read` does the actual checks. */
  readonly schema: z.ZodRawShape;
  read(node: Node): WireNode;
}

const PLAIN = { time: plainRow(time), sun: plainRow(sun), template: plainRow(template) };
const VALUES = valueRows(state, numericState, { value: 'equals' });

export const CONDITIONS: Readonly<Record<WireType, Row>> = { ...VALUES.rows, ...PLAIN };

export function isBlock(condition: Condition | ConditionBlock): condition is ConditionBlock {
  return 'conditions' in condition;
}

/** A list: for a block that is not `and`, that one alone. */
export function presentConditions(block: ConditionBlock, words: HomeWords): readonly WireNode[] {
  if (block.operator !== 'and') return [presentBlock(block, words)];
  return block.conditions.map((one) => presentAny(one, words));
}

export function presentAny(condition: Condition | ConditionBlock, words: HomeWords): WireNode {
  if (isBlock(condition)) return presentBlock(condition, words);
  const own = presentOwn(condition, words);
  return own ? given(own) : presentUnsupported(condition);
}

function presentBlock({ operator, conditions }: ConditionBlock, words: HomeWords): WireNode {
  return { type: 'nest', operator, conditions: conditions.map((one) => presentAny(one, words)) };
}

function presentOwn(condition: Condition, words: HomeWords): WireNode | undefined {
  switch (condition.type) {
    case 'state':
      return VALUES.presentState(condition, words);
    case 'numeric_state':
      return VALUES.presentNumeric(condition, words);
    case 'time':
    case 'sun':
    case 'template':
      return PLAIN[condition.type].present(condition);
    default:
      return undefined;
  }
}
