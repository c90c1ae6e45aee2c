/** Conditions that must hold when a native automation fires. One entry per kind, as for events. */
import { CONDITION_OPERATORS, SIGNIFICANT_EVENTS } from '../../../contract/automations.ts';
import type { NativeCondition } from './automation.ts';
import { fault, NativeFields } from './fields.ts';
import type { NativeContext } from './native-context.ts';
import { parseCharacteristic, parseCharacteristicValue, requireNumbers } from './parse-characteristic.ts';
import { parseClockTime } from './parse-components.ts';
import { parseWho, WHO_FIELDS } from './parse-who.ts';

const MAX_CONDITIONS = 50;

const UNORDERED: ReadonlySet<string> = new Set(['equalTo', 'notEqualTo']);

interface ConditionParser {
  readonly fields: readonly string[];
  parse(fields: NativeFields, context: NativeContext): NativeCondition;
}

const PARSERS: Readonly<Record<NativeCondition['type'], ConditionParser>> = {
  characteristic: {
    fields: ['accessoryId', 'accessoryName', 'characteristicType', 'operator', 'value'],
    parse: parseCharacteristicCondition,
  },
  time: {
    fields: ['afterTime', 'beforeTime'],
    parse(fields) {
      const time = (name: string) => (fields.has(name) ? parseClockTime(fields.raw(name), fields.at(name)) : undefined);
      return { type: 'time', ...between(fields, 'Time', time('afterTime'), time('beforeTime')) };
    },
  },
  significantEvent: {
    fields: ['afterEvent', 'beforeEvent'],
    parse(fields) {
      const after = fields.optionalOneOf('afterEvent', SIGNIFICANT_EVENTS);
      const before = fields.optionalOneOf('beforeEvent', SIGNIFICANT_EVENTS);
      return { type: 'significantEvent', ...between(fields, 'Event', after, before) };
    },
  },
  presence: {
    fields: ['presenceEvent', ...WHO_FIELDS],
    parse: (fields, context) => ({
      type: 'presence',
      presenceEvent: fields.oneOf('presenceEvent', ['atHome', 'notAtHome']),
      who: parseWho(fields, context),
    }),
  },
};

const TYPES = Object.keys(PARSERS) as NativeCondition['type'][];
const ALL_FIELDS = Object.values(PARSERS).flatMap(({ fields }) => fields);

/** A trigger's `conditions`. @throws as `parseTrigger` */
export function parseConditions(trigger: NativeFields, context: NativeContext): readonly NativeCondition[] {
  return trigger.entries('conditions', MAX_CONDITIONS).map((input, index) => {
    const fields = new NativeFields(input, `${trigger.at('conditions')}[${index}]`, 'a condition');
    if (fields.raw('type') === 'unknown' || fields.has('predicateFormat')) {
      throw fault(fields.path, 'predicates of the home platform are not supported; use the other types');
    }
    const type = fields.oneOf('type', TYPES);
    const { fields: own, parse } = PARSERS[type];
    fields.allow(['type', ...own], `a condition of type ${type}`, ALL_FIELDS);
    return parse(fields, context);
  });
}

function parseCharacteristicCondition(fields: NativeFields, { home, state }: NativeContext): NativeCondition {
  const { accessoryId, characteristicType, characteristic } = parseCharacteristic(fields, home.id, state);
  const operator = fields.optionalOneOf('operator', CONDITION_OPERATORS) ?? 'equalTo';
  if (!UNORDERED.has(operator)) requireNumbers(characteristic, fields.at('operator'));
  const value = parseCharacteristicValue(fields, 'value', characteristic);
  return { type: 'characteristic', accessoryId, characteristicType, operator, value };
}

function between<T>(fields: NativeFields, what: string, after: T | undefined, before: T | undefined) {
  if (after === undefined && before === undefined) {
    throw fault(fields.path, `needs after${what}, before${what} or both`);
  }
  return { ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
}
