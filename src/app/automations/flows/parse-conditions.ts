/**
 * Parses conditions from client input to stored form. One parser per kind. A client may send a block as a list, which
 * means `and`, or as a single condition; the stored form is always a block.
 */

import { nearest } from '../../../kernel/nearest.ts';
import { COMPARISONS, type Condition, type ConditionBlock, type ConditionOf, type ConditionType } from '../flow.ts';
import { MAX_OFFSET_MS, optionalDuration } from '../parsing/durations.ts';
import { invalid, missing } from '../parsing/faults.ts';
import { Fields, given } from '../parsing/fields.ts';
import type { Parsing } from '../parsing/parsing.ts';
import { parsePersonIds } from '../parsing/people.ts';
import { resolveNumeric, resolveReading, resolveTarget } from '../parsing/targets.ts';
import { optionalAt, optionalWeekdays } from '../parsing/times.ts';
import { numericRange } from './parse-triggers.ts';

const MAX_CONDITIONS = 100;
const WHO = ['anyone', 'everyone'] as const;
const NO_CONDITIONS: ConditionBlock = { operator: 'and', conditions: [] };

type Own<T> = T extends unknown ? Omit<T, 'type'> : never;
type Parsers = { readonly [T in ConditionType]: (fields: Fields, parsing: Parsing) => Own<ConditionOf<T>> };

const PARSERS: Parsers = {
  state(fields, parsing) {
    const resolved = resolveTarget(fields, parsing);
    const { name, value: parse } = resolveReading(resolved, fields, parsing);
    const operator = fields.optionalOneOf('operator', COMPARISONS);
    const value = parse(fields.required('value', 'the value to compare with'), fields.at('value'));
    if (operator !== undefined && operator !== 'eq' && operator !== 'neq' && typeof value !== 'number') {
      throw invalid(fields.at('operator'), 'only numbers are above or below; use eq or neq');
    }
    return given({ ...resolved.target, characteristicType: name, value, operator });
  },

  numeric_state(fields, parsing) {
    const resolved = resolveTarget(fields, parsing);
    const { name } = resolveNumeric(resolved, fields, parsing);
    return { ...resolved.target, characteristicType: name, ...numericRange(fields) };
  },

  time(fields) {
    const [after, before] = [optionalAt(fields, 'after'), optionalAt(fields, 'before')];
    const weekdays = optionalWeekdays(fields);
    if (after === undefined && before === undefined && weekdays === undefined) {
      throw missing(fields.at('after'), 'a time as HH:MM, unless before or weekdays is given');
    }
    if (after !== undefined && after === before) {
      throw invalid(fields.at('before'), 'it must differ from after; leave both out for the whole day');
    }
    return given({ after, before, weekdays });
  },

  sun(fields) {
    const after = fields.optionalOneOf('after', ['sunrise', 'sunset']);
    const before = fields.optionalOneOf('before', ['sunrise', 'sunset']);
    if (after === undefined && before === undefined) {
      throw missing(fields.at('after'), 'sunrise or sunset, unless before is');
    }
    const offset = (name: 'after' | 'before') => {
      const field = `${name}Offset`;
      const duration = optionalDuration(fields, field, { maxMs: MAX_OFFSET_MS, signed: true });
      if (duration === undefined || fields.has(name)) return duration;
      throw missing(fields.at(name), `sunrise or sunset, for ${field} to count from`);
    };
    return given({ after, afterOffset: offset('after'), before, beforeOffset: offset('before') });
  },

  template: (fields, parsing) => ({ expression: parsing.expression(fields, 'expression') }),

  trigger(fields, parsing) {
    const triggerId = fields.text('triggerId', "a trigger's id");
    const path = fields.at('triggerId');
    parsing.afterwards(() => {
      if (!parsing.hasTrigger(triggerId)) throw invalid(path, 'the automation has no trigger with this id');
    });
    return { triggerId };
  },

  presence(fields, parsing) {
    const event = fields.oneOf('event', ['atHome', 'notAtHome']);
    const who = fields.required('who', 'anyone, everyone or a list of ids of people');
    const isList = Array.isArray(who);
    return {
      event,
      who: isList ? parsePersonIds(who, fields.at('who'), parsing) : fields.oneOf('who', WHO),
    };
  },
};

export const CONDITION_TYPES = Object.keys(PARSERS) as readonly ConditionType[];

/** @throws `invalid_request` · `invalid_value` · `accessory_not_found` …, each with the path of the field */
export function parseConditionBlock(input: unknown, path: string, parsing: Parsing): ConditionBlock {
  if (input === undefined || input === null) return NO_CONDITIONS;
  if (Array.isArray(input)) return { operator: 'and', conditions: parseList(input, path, parsing) };
  const fields = new Fields(input, path, 'conditions');
  if (fields.has('type')) return { operator: 'and', conditions: [parseCondition(fields, parsing)] };
  return parseBlock(fields, parsing);
}

function parseBlock(fields: Fields, parsing: Parsing): ConditionBlock {
  const operator = fields.optionalOneOf('operator', ['and', 'or', 'not']) ?? 'and';
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
  const condition = { type, ...PARSERS[type](fields, parsing) };
  fields.done();
  return condition as Condition;
}

function parseType(fields: Fields): ConditionType {
  const given = fields.text('type', 'the type of the condition');
  const type = CONDITION_TYPES.find((one) => one === given);
  if (type !== undefined) return type;
  const meant = nearest(given, CONDITION_TYPES);
  const advice = meant === undefined ? `they are ${CONDITION_TYPES.join(', ')}` : `did you mean ${meant}?`;
  throw invalid(fields.at('type'), `there is no such condition; ${advice}`);
}
