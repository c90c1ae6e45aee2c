/** Parses input by a resource's schema. A schema's message is a whole sentence, so it becomes the error's message. */
import type { z } from 'zod';
import { HearthError } from '../kernel/errors.ts';

/** A value that a schema accepts, or answers with: read-only at every depth. */
type ReadonlyDeep<T> = T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T;

/** Without `undefined` in optional fields. */
type Given<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Key in keyof T]: undefined extends T[Key] ? Exclude<T[Key], undefined> : T[Key] }
    : T;

/** What callers give. */
export type Input<S extends z.ZodType> = ReadonlyDeep<z.input<S>>;
/** What an operation works with, or a client gets. */
export type Output<S extends z.ZodType> = ReadonlyDeep<z.output<S>>;

/** An answer as operations return it: these times in milliseconds since the epoch. */
export type InMilliseconds<T, Times extends keyof T> = {
  readonly [Key in keyof T]: Key extends Times ? Exclude<T[Key], string> | number : T[Key];
};

/** The sentence of a field: `Invalid value for timeoutMs: it takes …`. `accepted` may depend on the input. */
export function invalidValue(accepted: string | ((input: unknown) => string)): z.core.$ZodErrorMap {
  return ({ path, input }) => {
    const reason = typeof accepted === 'string' ? accepted : accepted(input);
    return `Invalid value for ${pathOf(path ?? [])}: ${reason}${/[.?]$/.test(reason) ? '' : '.'}`;
  };
}

/** @throws `invalid_value` naming the field · `invalid_request` it is missing or unknown · what a parser throws */
export function parseInput<S extends z.ZodObject>(schema: S, input: unknown): Given<Output<S>> {
  const result = schema.safeParse(input, {
    reportInput: true,
    error: (issue) => typeError(issue, 'The input').message,
  });
  if (result.success) return withoutUndefined(result.data) as Given<Output<S>>;
  const [issue] = result.error.issues;
  throw issue ? errorOf(issue) : new HearthError('invalid_request', 'The input has an unexpected shape.');
}

/** An absent field and one that is `undefined` are the same. */
function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function errorOf(issue: z.core.$ZodIssue): HearthError {
  const thrown: unknown = issue.code === 'custom' ? issue.params?.error : undefined;
  if (thrown instanceof HearthError) return thrown;
  const error = typeError(issue, 'The input');
  if (issue.code === 'unrecognized_keys' || issue.message === error.message) return error;
  return new HearthError('invalid_value', issue.message, { field: pathOf(issue.path) });
}

/** Readable names for zod's types. */
const EXPECTATIONS: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

/**
 * The error of a field that is missing, unknown or of the wrong type.
 * @param whole the subject of the sentence where the input itself is wrong: `The body`.
 */
export function typeError(issue: z.core.$ZodIssue | z.core.$ZodRawIssue, whole: string): HearthError {
  const field = pathOf(issue.path ?? []);
  const subject = field === '' ? whole : `"${field}"`;
  if (issue.code === 'unrecognized_keys') {
    const unknown = [field, String(issue.keys[0]).slice(0, MAX_KEY)].filter((part) => part !== '').join('.');
    return new HearthError('invalid_request', `Unknown field "${unknown}".`, { field: unknown });
  }
  const expected = issue.code === 'invalid_type' ? (EXPECTATIONS[issue.expected] ?? `of type ${issue.expected}`) : null;
  if (issue.code === 'invalid_type' && issue.input === undefined) {
    // `nonoptional`: any value, if it is present.
    const form = issue.expected === 'nonoptional' ? '' : `: it must be ${expected}`;
    return new HearthError('invalid_request', `${subject} is missing${form}.`, { field });
  }
  const code = field === '' ? 'invalid_request' : 'invalid_value';
  return new HearthError(code, `${subject} must be ${expected ?? 'valid'}.`, { field });
}

/** Whether the value, not its type, is wrong: the operation reports that, after it has authorized the caller. */
export function isValueIssue(issue: z.core.$ZodIssue): boolean {
  switch (issue.code) {
    case 'custom':
    case 'too_small':
    case 'too_big':
    case 'not_multiple_of':
    case 'invalid_format':
    case 'invalid_value':
      return true;
    case 'invalid_type':
      return issue.expected === 'int';
    default:
      return false;
  }
}

/** Of a key in an error, which a caller may have made up. */
const MAX_KEY = 80;

/** `actions[2].value` */
export function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = String(part).slice(0, MAX_KEY);
    return text === '' ? name : `${text}.${name}`;
  }, '');
}
