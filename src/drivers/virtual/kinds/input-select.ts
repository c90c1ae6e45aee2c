import type { CharacteristicValue } from '../../../home/model.ts';
import { lengthOf } from '../../../home/vocabulary/text-rules.ts';
import { parseValue } from '../../../home/vocabulary/values.ts';
import { type Fields, refusedField } from './fields.ts';
import { type CharacteristicShape, hold, type VirtualKind } from './kind.ts';
import { asCharacteristic } from './numbers.ts';
import { typesNamed } from './spec-types.ts';

const { serviceType, type } = typesNamed('virtual_mode');

const FEWEST_OPTIONS = 2;
const MOST_OPTIONS = 100;
const MAX_OPTION_LENGTH = 64;
const DEFAULT_OPTIONS = ['Home', 'Away'];

/** A mode: one of several words. */
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

function parseOptions(fields: Fields, fallback: readonly string[]): readonly string[] {
  const given = fields.raw('options') ?? fallback;
  const isCount = Array.isArray(given) && given.length >= FEWEST_OPTIONS && given.length <= MOST_OPTIONS;
  if (!isCount) throw refusedField('options', `give ${FEWEST_OPTIONS} to ${MOST_OPTIONS} words to choose from`);
  const options = given.map((option: unknown, index) => parseWord(option, `options[${index}]`));
  const folded = options.map((option) => option.toLowerCase());
  const twin = options.find((_, index) => folded.indexOf(folded[index] ?? '') !== index);
  if (twin !== undefined) throw refusedField('options', `"${twin}" is among them twice, ignoring case`);
  return options;
}

function parseWord(option: unknown, field: string): string {
  const word = typeof option === 'string' ? option.trim() : '';
  if (word !== '' && lengthOf(word) <= MAX_OPTION_LENGTH) return word;
  throw refusedField(field, `give a text of 1 to ${MAX_OPTION_LENGTH} characters`);
}

/** The one it has where that is still among the options, else the first. */
function parseInitial(fields: Fields, options: readonly string[], current: string | undefined): string {
  if (fields.has('initialValue')) return String(parseOption({ options }, fields.raw('initialValue'), 'initialValue'));
  const [first = ''] = options;
  return current !== undefined && options.includes(current) ? current : first;
}
