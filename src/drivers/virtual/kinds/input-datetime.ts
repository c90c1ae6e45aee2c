import { applyTextRule } from '../../../home/vocabulary/text-rules.ts';
import { parseValue } from '../../../home/vocabulary/values.ts';
import { type KindInput, refusedField } from './fields.ts';
import { type CharacteristicShape, hold, type VirtualKind } from './kind.ts';
import { asCharacteristic } from './numbers.ts';
import { typesNamed } from './spec-types.ts';

const { serviceType, type } = typesNamed('virtual_datetime');

interface Parts {
  readonly hasDate: boolean;
  readonly hasTime: boolean;
}

/** A local date, time of day, or both, without a time zone. */
export const inputDatetime: VirtualKind<'input_datetime'> = {
  type: 'input_datetime',
  word: 'date',
  noun: 'a date',
  serviceType,
  category: 1,
  fields: ['hasDate', 'hasTime', 'initialValue'],
  operations: ['set'],
  parse(fields, current, now) {
    const parts = {
      hasDate: fields.boolean('hasDate', current?.hasDate ?? true),
      hasTime: fields.boolean('hasTime', current?.hasTime ?? true),
    };
    if (!parts.hasDate && !parts.hasTime) throw refusedField('hasTime', 'it needs a date, a time or both');
    return { ...parts, initialValue: parseInitial(fields, parts, current?.initialValue, now) };
  },
  characteristic: shapeOf,
  initialValue: ({ initialValue }) => initialValue,
  write: (_config, _held, value) => hold(value),
  operate: (config, { input }) => hold(parseValue(asCharacteristic(shapeOf(config)), input, 'value')),
};

function shapeOf({ hasDate, hasTime }: Parts): CharacteristicShape {
  return { type, format: 'string', textRule: { kind: 'moment', hasDate, hasTime } };
}

/** The current value if it still fits, else the start of today. */
function parseInitial(fields: KindInput, parts: Parts, current: string | undefined, now: number): string {
  const shape = shapeOf(parts);
  if (fields.has('initialValue')) {
    return String(parseValue(asCharacteristic(shape), fields.raw('initialValue'), 'initialValue'));
  }
  const kept = current !== undefined && shape.textRule && applyTextRule(shape.textRule, current);
  return kept || beginningOfDay(parts, now);
}

function beginningOfDay({ hasDate, hasTime }: Parts, now: number): string {
  const today = new Date(now);
  const two = (number: number): string => String(number).padStart(2, '0');
  const date = `${String(today.getFullYear()).padStart(4, '0')}-${two(today.getMonth() + 1)}-${two(today.getDate())}`;
  return [hasDate ? date : undefined, hasTime ? '00:00' : undefined].filter((part) => part !== undefined).join('T');
}
