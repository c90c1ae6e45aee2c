import type { CharacteristicValue } from '../../../home/model.ts';
import { parseName } from '../../../home/names.ts';
import { parseValue } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { type KindInput, refusedField } from './fields.ts';
import { type CharacteristicShape, hold, type VirtualKind } from './kind.ts';
import { asCharacteristic } from './numbers.ts';
import { typesNamed } from './spec-types.ts';

const { serviceType, type } = typesNamed('virtual_mode');

const MIN_OPTIONS = 2;
const MAX_OPTIONS = 100;
const MAX_OPTION_LENGTH = 64;
const DEFAULT_OPTIONS = ['Home', 'Away'];

/** A mode: one of several options. */
export const inputSelect: VirtualKind<'input_select'> = {
  type: 'input_select',
  word: 'mode',
  noun: 'a mode',
  serviceType,
  category: 1,
  fields: ['options', 'initialValue'],
  operations: ['set'],
  parse(fields, current) {
    const options = parseOptions(fields, current?.options ?? DEFAULT_OPTIONS);
    return { options, initialValue: parseInitial(fields, options, current?.initialValue) };
  },
  characteristic: shapeOf,
  initialValue: ({ initialValue }) => initialValue,
  write: (_config, _held, value) => hold(value),
  operate: (config, { input }) => hold(parseOption(config, input, 'value')),
};

function shapeOf({ options }: { readonly options: readonly string[] }): CharacteristicShape {
  return { type, format: 'string', maxLength: MAX_OPTION_LENGTH * 2, textRule: { kind: 'options', options } };
}

function parseOption(
  config: { readonly options: readonly string[] },
  input: unknown,
  name: string,
): CharacteristicValue {
  return parseValue(asCharacteristic(shapeOf(config)), input, name);
}

function parseOptions(fields: KindInput, fallback: readonly string[]): readonly string[] {
  const given = fields.raw('options');
  // The current options were validated when they were set.
  if (given === undefined || given === null) return fallback;
  const isCount = Array.isArray(given) && given.length >= MIN_OPTIONS && given.length <= MAX_OPTIONS;
  if (!isCount) throw refusedField('options', `give ${MIN_OPTIONS} to ${MAX_OPTIONS} words to choose from`);
  const options = given.map((option: unknown, index) => parseWord(option, `options[${index}]`));
  const folded = options.map((option) => option.toLowerCase());
  const twin = options.find((_, index) => folded.indexOf(folded[index] ?? '') !== index);
  if (twin !== undefined) throw refusedField('options', `"${twin}" is among them twice, ignoring case`);
  return options;
}

/** A mode follows the same rules as every other name that a user sets. */
function parseWord(option: unknown, field: string): string {
  try {
    return parseName(option, `Invalid value for ${field}: it`, MAX_OPTION_LENGTH);
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    throw new HearthError(error.code, error.message, { ...error.details, field });
  }
}

/** The current value if it is still among the options, else the first option. */
function parseInitial(fields: KindInput, options: readonly string[], current: string | undefined): string {
  if (fields.has('initialValue')) return String(parseOption({ options }, fields.raw('initialValue'), 'initialValue'));
  const [first = ''] = options;
  return current !== undefined && options.includes(current) ? current : first;
}
