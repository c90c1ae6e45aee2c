import type { Json } from '../../../../kernel/json.ts';
import { ExpressionFault } from '../fault.ts';
import { isIn, keysOf, spendSearch } from '../operators.ts';
import { asText, isList, isObject, isTruthy, typeName } from '../values.ts';
import { measure, type WorkBudget } from '../work.ts';
import { type FunctionDefinition, needList, needNumber, needText } from './function-row.ts';

export const TEXT_FUNCTIONS: readonly FunctionDefinition[] = [
  {
    signature: 'str(value)',
    summary: "As text; '' of null, JSON of lists and objects.",
    call: ([value = null], { work }) => textOf(value, work),
  },
  {
    signature: 'bool(value)',
    summary: "Whether it counts as true: all but false, null, 0, '', 'false', '0', 'off', 'no' and [].",
    call: ([value = null]) => isTruthy(value),
  },
  {
    signature: 'len(value)',
    summary: 'How many characters, elements or fields it has; 0 of null.',
    call: ([value = null], { work }) => lengthOf(value, work),
  },
  {
    signature: 'size(value)',
    summary: 'The same as len.',
    call: ([value = null], { work }) => lengthOf(value, work),
  },
  {
    signature: 'upper(text)',
    summary: 'In capitals.',
    call: ([value], { work }) => changed(value, 'upper', work, (text) => text.toUpperCase()),
  },
  {
    signature: 'lower(text)',
    summary: 'In small letters.',
    call: ([value], { work }) => changed(value, 'lower', work, (text) => text.toLowerCase()),
  },
  {
    signature: 'trim(text)',
    summary: 'Without blanks around it.',
    call: ([value], { work }) => changed(value, 'trim', work, (text) => text.trim()),
  },
  {
    signature: 'contains(value, item)',
    summary: 'Whether a text has a text in it, a list an element, an object a field; the same as item in value.',
    call: ([value = null, item = null], { work }) => isIn(value, item, work),
  },
  {
    signature: 'startsWith(text, start)',
    summary: 'Whether it begins so.',
    call: ([text, start], { work }) => needText(text, 'the text').startsWith(counted(start, 'its start', work)),
  },
  {
    signature: 'endsWith(text, end)',
    summary: 'Whether it ends so.',
    call: ([text, end], { work }) => needText(text, 'the text').endsWith(counted(end, 'its end', work)),
  },
  {
    signature: 'replace(text, old, new)',
    summary: 'With every old replaced by new.',
    call: ([text, old, replacement], { work }) => {
      const parts = splitText(needText(text, 'the text'), needText(old, 'what replace() looks for'), work);
      return joinTexts(parts, needText(replacement, 'what replace() puts there'), work);
    },
  },
  {
    signature: 'split(text, separator)',
    summary: 'The list of what stands between the separators.',
    call: ([text, separator], { work }) =>
      splitText(needText(text, 'the text'), needText(separator, 'the separator'), work),
  },
  {
    signature: 'join(list, separator?)',
    summary: 'The elements as one text.',
    call: ([list, separator = ''], { work }) => {
      const texts = needList(list, 'what join() joins').map((item) => textOf(item, work));
      return joinTexts(texts, needText(separator, 'the separator'), work);
    },
  },
  {
    signature: 'substring(text, start, end?)',
    summary: 'The characters from start (the first is 0) up to, not including, end.',
    call([value, start, end], { work }) {
      const text = needText(value, 'the text');
      work.spendText(text.length);
      const last = end === undefined ? text.length : needNumber(end, 'the end');
      return text.slice(needNumber(start, 'the start'), last);
    },
  },
  {
    signature: 'iif(condition, then, else)',
    summary: 'then where the condition counts as true, else else; the same as condition ? then : else.',
    call: ([condition = null, then = null, otherwise = null]) => (isTruthy(condition) ? then : otherwise),
  },
  {
    signature: 'range(start, end?, step?)',
    summary: 'The numbers from start up to, not including, end; range(3) is [0, 1, 2].',
    call: (args, { work }) => range(args, work),
  },
];

function textOf(value: Json, work: WorkBudget): string {
  if (typeof value === 'string') return value;
  work.spend(1 + measure(value));
  return asText(value);
}

function lengthOf(value: Json, work: WorkBudget): number {
  if (value === null) return 0;
  if (typeof value === 'string' || isList(value)) return value.length;
  if (isObject(value)) return keysOf(value, work).length;
  throw new ExpressionFault(`len() takes a text, a list or an object, not ${typeName(value)}`);
}

function changed(value: Json | undefined, name: string, work: WorkBudget, change: (text: string) => string): string {
  const text = needText(value, `what ${name}() takes`);
  work.makeText(text.length);
  return change(text);
}

function counted(value: Json | undefined, what: string, work: WorkBudget): string {
  const text = needText(value, what);
  work.spendText(text.length);
  return text;
}

function splitText(text: string, separator: string, work: WorkBudget): readonly string[] {
  if (separator === '') throw new ExpressionFault('the separator must not be empty');
  spendSearch(text, separator, work);
  const parts = text.split(separator);
  work.spend(parts.length);
  return parts;
}

function joinTexts(texts: readonly string[], separator: string, work: WorkBudget): string {
  const separators = separator.length * Math.max(0, texts.length - 1);
  work.spend(texts.length);
  work.makeText(texts.reduce((sum, text) => sum + text.length, separators));
  return texts.join(separator);
}

function range(args: readonly Json[], work: WorkBudget): Json {
  const [first, second, third] = args.map((arg) => needNumber(arg, 'what range() counts with')) as [
    number,
    number?,
    number?,
  ];
  const [start, end, step] = second === undefined ? [0, first, 1] : [first, second, third ?? 1];
  if (step === 0) throw new ExpressionFault('range() needs a step other than 0');
  const count = Math.max(0, Math.ceil((end - start) / step));
  work.spend(count);
  return Array.from({ length: count }, (_, index) => start + index * step);
}
