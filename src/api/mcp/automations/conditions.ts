/** Conditions of flows in the tools' format (wire-facts §11.2). A list of them is `and`; a block within is a `nest`. */

import { z } from 'zod';
import type { Condition, ConditionBlock } from '../../../app/automations/conditions/index.ts';
import { COMPARISONS } from '../../../app/automations/conditions/state.ts';
import { sun } from '../../../app/automations/conditions/sun.ts';
import { template } from '../../../app/automations/conditions/template.ts';
import { time } from '../../../app/automations/conditions/time.ts';
import { invalid } from '../../../app/automations/parsing/faults.ts';
import { given } from '../../../app/automations/parsing/fields.ts';
import type { HomeWords } from './home-words.ts';
import { type Node, presentTarget, presentUnsupported, type WireNode } from './node.ts';
import { plainRow } from './plain-row.ts';
import { presentNumeric, presentReading, requireNumeric } from './settings.ts';
import { bound, isVirtual, readVirtual } from './triggers.ts';
import { ACCESSORY, CHARACTERISTIC, SERVICE_GROUP, VALUE } from './vocabulary.ts';

/** Beside `nest`, which is a block. */
export const CONDITION_TYPES = ['device', 'numeric', 'virtual', 'time', 'sun', 'template'] as const;
type WireType = (typeof CONDITION_TYPES)[number];

interface Row {
  /** For clients that write one; `read` does the actual checks. */
  readonly schema: z.ZodRawShape;
  read(node: Node): WireNode;
}

const PLAIN = {
  time: plainRow(time, { after: 'HH:MM', before: 'HH:MM' }),
  sun: plainRow(sun, { after: '', before: '' }),
  template: plainRow(template, { expression: 'CEL, with or without {{ }}' }),
};
const OPERATOR = z.enum(COMPARISONS).optional().describe('eq where left out');

export const CONDITIONS: Readonly<Record<WireType, Row>> = {
  device: {
    schema: {
      accessory: ACCESSORY.optional(),
      service_group: SERVICE_GROUP.optional(),
      characteristic: CHARACTERISTIC,
      value: VALUE,
      operator: OPERATOR,
    },
    read(node) {
      const { target, accessory } = node.target();
      const characteristicType = node.property(accessory);
      return {
        type: 'state',
        ...target,
        characteristicType,
        value: node.value(accessory, characteristicType, 'value'),
        operator: node.take('operator'),
      };
    },
  },

  numeric: {
    schema: {
      accessory: ACCESSORY.optional(),
      service_group: SERVICE_GROUP.optional(),
      characteristic: CHARACTERISTIC,
      above: z.number().optional(),
      below: z.number().optional(),
    },
    read(node) {
      const { target, accessory } = node.target();
      const characteristicType = requireNumeric(accessory, node.property(accessory), node.fields.at('characteristic'));
      return { type: 'numeric_state', ...target, characteristicType, ...bound(node) };
    },
  },

  virtual: {
    schema: {
      virtual: ACCESSORY.describe('Key or name of a virtual accessory'),
      equals: VALUE.optional(),
      operator: OPERATOR,
      above: z.number().optional(),
      below: z.number().optional(),
    },
    read(node) {
      const place = readVirtual(node);
      const { fields } = node;
      if (!fields.has('above') && !fields.has('below')) {
        return { type: 'state', ...place, value: node.take('value', 'equals'), operator: node.take('operator') };
      }
      for (const name of ['equals', 'operator']) {
        if (fields.has(name)) throw invalid(fields.at(name), 'give it, or above and below, not both');
      }
      return { type: 'numeric_state', ...place, ...bound(node) };
    },
  },

  ...PLAIN,
};

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
    case 'state': {
      const { wire, accessory } = presentTarget(condition, words);
      const { characteristicType, value: wanted, operator } = condition;
      const {
        characteristic,
        values: [value],
      } = presentReading(accessory, characteristicType, [wanted]);
      return isVirtual(accessory, characteristic)
        ? { type: 'virtual', virtual: wire.accessory, equals: value, operator }
        : { type: 'device', ...wire, characteristic, value, operator };
    }
    case 'numeric_state': {
      const { wire, accessory } = presentTarget(condition, words);
      const { characteristicType, above, below } = condition;
      const characteristic = presentNumeric(accessory, characteristicType);
      return isVirtual(accessory, characteristic)
        ? { type: 'virtual', virtual: wire.accessory, above, below }
        : { type: 'numeric', ...wire, characteristic, above, below };
    }
    case 'time':
    case 'sun':
    case 'template':
      return PLAIN[condition.type].present(condition);
    default:
      return undefined;
  }
}
