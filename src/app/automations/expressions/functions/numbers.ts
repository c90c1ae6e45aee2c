import type { Json } from '../../../../kernel/json.ts';
import { ExpressionFault } from '../fault.ts';
import { finite } from '../operators.ts';
import { asNumber, isList, typeName } from '../values.ts';
import type { WorkBudget } from '../work.ts';
import { type FunctionDefinition, needNumber } from './function-row.ts';

/** A float has no more reliable digits. */
const MAX_DIGITS = 15;

/** The cost of formatting and parsing a number. */
const ROUNDING_STEPS = 5;

export const NUMBER_FUNCTIONS: readonly FunctionDefinition[] = [
  {
    signature: 'min(value, values…)',
    summary: 'The smallest of numbers, or of a list of numbers; null of none. What has no value does not count.',
    call: (args, { work }) => extreme(args, 'min', Math.min, work),
  },
  {
    signature: 'max(value, values…)',
    summary: 'The biggest of numbers, or of a list of numbers; null of none. What has no value does not count.',
    call: (args, { work }) => extreme(args, 'max', Math.max, work),
  },
  { signature: 'abs(number)', summary: 'Without its sign.', call: single('abs', Math.abs) },
  {
    signature: 'round(number, digits?)',
    summary: 'To the nearest whole number, or to so many digits after the point; a half goes away from zero.',
    call([value, digits], { work }) {
      work.spend(ROUNDING_STEPS);
      return round(needNumber(value, 'what round() rounds'), digits);
    },
  },
  { signature: 'floor(number)', summary: 'The whole number below.', call: single('floor', Math.floor) },
  { signature: 'ceil(number)', summary: 'The whole number above.', call: single('ceil', Math.ceil) },
  { signature: 'sqrt(number)', summary: 'The square root.', call: single('sqrt', Math.sqrt) },
  {
    signature: 'log(number, base?)',
    summary: 'The logarithm, natural where no base is given.',
    call([value, base]) {
      const logarithm = Math.log(needNumber(value, 'what log() takes'));
      return finite(base === undefined ? logarithm : logarithm / Math.log(needNumber(base, 'the base of log()')));
    },
  },
  {
    signature: 'int(value, default?)',
    summary: 'A whole number of a number (without its fraction), a text of digits, true or false; else the default.',
    call: ([value, fallback]) => convert('int', value, fallback, Math.trunc),
  },
  {
    signature: 'float(value, default?)',
    summary: 'A number of a text of digits, true or false; else the default.',
    call: ([value, fallback]) => convert('float', value, fallback, (number) => number),
  },
  {
    signature: 'is_number(value)',
    summary: 'Whether it is a number or a text that is one.',
    call: ([value = null]) => asNumber(value) !== undefined,
  },
];

function single(name: string, calculate: (value: number) => number): FunctionDefinition['call'] {
  return ([value]) => finite(calculate(needNumber(value, `what ${name}() takes`)));
}

function extreme(
  args: readonly Json[],
  name: string,
  choose: (a: number, b: number) => number,
  work: WorkBudget,
): Json {
  const [first] = args;
  const values = args.length === 1 && first !== undefined && isList(first) ? first : args;
  work.spend(values.length);
  let chosen: number | null = null;
  for (const value of values) {
    if (value === null) continue;
    const number = needNumber(value, `what ${name}() compares`);
    chosen = chosen === null ? number : choose(chosen, number);
  }
  return chosen;
}

/** Rounds the decimal form: 1.005 to two digits is 1.01, although its float is lower. */
function round(value: number, digits: Json | undefined): number {
  const places = digits === undefined ? 0 : needNumber(digits, 'the digits of round()');
  if (!Number.isInteger(places) || places < 0 || places > MAX_DIGITS) {
    throw new ExpressionFault(`the digits of round() are a whole number from 0 to ${MAX_DIGITS}`);
  }
  const [mantissa, exponent = '0'] = String(Math.abs(value)).split('e');
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + places}`));
  const [digitsOf, shift = '0'] = String(shifted).split('e');
  return finite(Math.sign(value) * Number(`${digitsOf}e${Number(shift) - places}`));
}

function convert(
  name: string,
  value: Json | undefined,
  fallback: Json | undefined,
  calculate: (value: number) => number,
): Json {
  const number = typeof value === 'boolean' ? Number(value) : asNumber(value ?? null);
  if (number !== undefined) return finite(calculate(number));
  if (fallback !== undefined) return fallback;
  throw new ExpressionFault(
    `${name}() can't make a number of ${typeName(value ?? null)}; give a fallback as second argument`,
  );
}
