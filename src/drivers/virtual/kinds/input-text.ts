import { applyTextRule, lengthOf } from '../../../home/vocabulary/text-rules.ts';
import { parseValue } from '../../../home/vocabulary/values.ts';
import { type KindInput, refusedField } from './fields.ts';
import { type CharacteristicShape, hold, type OwnConfig, type VirtualKind } from './kind.ts';
import { asCharacteristic } from './numbers.ts';
import { checkPattern } from './safe-pattern.ts';
import { typesNamed } from './spec-types.ts';

const { serviceType, type } = typesNamed('virtual_text');

const MAX_LENGTH = 1_024;
/** The maximum text length with a pattern: the cost of a match grows with the length of the text. */
const MAX_LENGTH_WITH_PATTERN = 128;
const DEFAULT_LENGTH = 255;
const MAX_PATTERN_LENGTH = 200;

/** A text, optionally with a pattern. */
export const inputText: VirtualKind<'input_text'> = {
  type: 'input_text',
  word: 'text',
  noun: 'a text',
  serviceType,
  category: 1,
  fields: ['minLength', 'maxLength', 'pattern', 'initialValue'],
  operations: ['set'],
  parse(fields, current) {
    const pattern = fields.optionalText('pattern', current?.pattern ?? null, MAX_PATTERN_LENGTH);
    const max = pattern === null ? MAX_LENGTH : MAX_LENGTH_WITH_PATTERN;
    const fallback = Math.min(current?.maxLength ?? DEFAULT_LENGTH, max);
    const maxLength = fields.number('maxLength', fallback, { min: 1, max, integer: true });
    const limits = { min: 0, max: maxLength, integer: true } as const;
    const minLength = fields.number('minLength', Math.min(current?.minLength ?? 0, maxLength), limits);
    if (pattern !== null) checkPattern(pattern, maxLength);
    const rule = { minLength, maxLength, pattern };
    return { ...rule, initialValue: parseInitial(fields, rule, current?.initialValue ?? '') };
  },
  characteristic: shapeOf,
  initialValue: ({ initialValue }) => initialValue,
  write: (_config, _held, value) => hold(value),
  operate: (config, { input }) => hold(parseValue(asCharacteristic(shapeOf(config)), input, 'value')),
};

type Rule = Pick<OwnConfig<'input_text'>, 'minLength' | 'maxLength' | 'pattern'>;

function shapeOf({ minLength, maxLength, pattern }: Rule): CharacteristicShape {
  return { type, format: 'string', maxLength, textRule: { kind: 'pattern', minLength, pattern } };
}

function parseInitial(fields: KindInput, rule: Rule, fallback: string): string {
  const shape = shapeOf(rule);
  if (fields.has('initialValue')) {
    return String(parseValue(asCharacteristic(shape), fields.raw('initialValue'), 'initialValue'));
  }
  const isFit =
    lengthOf(fallback) <= rule.maxLength && shape.textRule && applyTextRule(shape.textRule, fallback) !== undefined;
  if (isFit) return fallback;
  throw refusedField('initialValue', `"${fallback}" does not fit the form wanted; give one that does`);
}
