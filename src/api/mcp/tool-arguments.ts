/** Parses the arguments of a call for a tool; an error is one sentence that names the argument and its valid values. */
import type { z } from 'zod';
import { shorten } from '../../home/vocabulary/values.ts';
import { HearthError } from '../../kernel/errors.ts';
import { nearest } from '../../kernel/nearest.ts';
import { listed } from './tools/places.ts';

type Issue = z.core.$ZodIssue;

/**
 * @throws `invalid_request` an argument is missing or unknown · `invalid_value` one is of the wrong kind or out of
 * range
 */
export function parseArguments<T extends z.ZodObject>(input: unknown, schema: T): z.output<T> {
  const result = schema.safeParse(input ?? {}, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw issue ? faultOf(issue, schema) : new HearthError('invalid_request', 'The arguments have an unexpected shape.');
}

function faultOf(issue: Issue, schema: z.ZodObject): HearthError {
  const field = pathOf(issue.path);
  if (issue.code === 'unrecognized_keys') return unknownArgument(field, issue.keys[0] ?? '', schema);
  const subject = field === '' ? 'The arguments' : `"${field}"`;
  const expected = expectationOf(issue);
  if (issue.input === undefined) {
    const what = expected === undefined ? '' : `: it must be ${expected}`;
    return new HearthError('invalid_request', `${subject} is missing${what}.`, { field });
  }
  return new HearthError('invalid_value', `${subject} must be ${expected ?? 'as the tool describes it'}.`, { field });
}

function unknownArgument(parent: string, key: string, schema: z.ZodObject): HearthError {
  const field = parent === '' ? shorten(key) : `${parent}.${shorten(key)}`;
  if (parent !== '') return new HearthError('invalid_request', `Unknown argument "${field}".`, { field });
  const known = Object.keys(schema.shape);
  const near = nearest(key, known);
  const guess = near === undefined ? '' : ` Did you mean "${near}"?`;
  const there = known.length === 0 ? 'There are none.' : `There are: ${listed(known)}.`;
  return new HearthError('invalid_request', `Unknown argument "${field}".${guess} ${there}`, { field });
}

/** Readable names for zod's types. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

function expectationOf(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `one of ${listed(issue.values.map(String))}`;
    case 'too_small':
      return `${issue.inclusive ? 'at least' : 'more than'} ${amount(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `${issue.inclusive ? 'at most' : 'less than'} ${amount(issue.maximum, issue.origin)}`;
    case 'invalid_union': {
      const kinds = issue.errors.flatMap(([first]) => (first ? (expectationOf(first) ?? []) : []));
      return kinds.length === 0 ? undefined : [...new Set(kinds)].join(' or ');
    }
    default:
      return undefined;
  }
}

function amount(count: number | bigint, origin: string): string {
  if (origin === 'string') return `${count} characters long`;
  return origin === 'array' || origin === 'set' ? `${count} items long` : String(count);
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? shorten(String(part)) : `${text}.${shorten(String(part))}`;
  }, '');
}
