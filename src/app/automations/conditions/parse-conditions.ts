/**
 * Parses conditions from client input to stored form. A client may send a block as a list, which means `and`, or as a
 * single condition; the stored form is always a block.
 */

import { nearest } from '../../../kernel/nearest.ts';
import { atOnce } from '../../../kernel/slices.ts';
import { invalid } from '../parsing/faults.ts';
import { NodeInput, readFields, unknownType } from '../parsing/field.ts';
import { Fields } from '../parsing/fields.ts';
import type { Parsing } from '../parsing/parsing.ts';
import {
  CONDITION_TYPES,
  type Condition,
  type ConditionBlock,
  type ConditionType,
  kindOf,
  OPERATORS,
} from './index.ts';

const MAX_CONDITIONS = 100;
const NO_CONDITIONS: ConditionBlock = { operator: 'and', conditions: [] };

/** @throws `invalid_request` · `invalid_value` · `accessory_not_found` …, each with the path of the field */
export function parseConditionBlock(input: unknown, path: string, parsing: Parsing): ConditionBlock {
  if (input === undefined || input === null) return NO_CONDITIONS;
  if (Array.isArray(input)) return { operator: 'and', conditions: parseList(input, path, parsing) };
  const fields = new Fields(input, path, 'conditions');
  if (fields.has('type')) return { operator: 'and', conditions: [parseCondition(fields, parsing)] };
  return parseBlock(fields, parsing);
}

function parseBlock(fields: Fields, parsing: Parsing): ConditionBlock {
  const operator = fields.optionalOneOf('operator', OPERATORS) ?? 'and';
  const conditions = fields.list('conditions', 'conditions', MAX_CONDITIONS);
  fields.done();
  return { operator, conditions: parseList(conditions, fields.at('conditions'), parsing) };
}

function parseList(list: readonly unknown[], path: string, parsing: Parsing): ConditionBlock['conditions'] {
  if (list.length > MAX_CONDITIONS) {
    throw invalid(path, `there may be at most ${MAX_CONDITIONS} conditions; these are ${list.length}`);
  }
  return parsing.nested(path, () =>
    list.map((item, index) => {
      const fields = new Fields(item, `${path}[${index}]`, 'condition');
      return fields.has('conditions') && !fields.has('type')
        ? parseBlock(fields, parsing)
        : parseCondition(fields, parsing);
    }),
  );
}

function parseCondition(fields: Fields, parsing: Parsing): Condition {
  const type = parseType(fields);
  const kind = kindOf({ type });
  const own = atOnce(readFields(kind.fields, new NodeInput(fields, parsing)));
  kind.check?.(own, fields);
  fields.done();
  return { type, ...own } as Condition;
}

function parseType(fields: Fields): ConditionType {
  const given = fields.text('type', 'the type of the condition');
  const type = CONDITION_TYPES.find((one) => one === given);
  if (type !== undefined) return type;
  throw unknownType(fields, 'condition', CONDITION_TYPES, nearest(given, CONDITION_TYPES));
}
