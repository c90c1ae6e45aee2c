/** From a request's text to checked envelopes. What a value means is the operations' business, not this file's. */
import type { z } from 'zod';
import { HearthError } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { FaceContext } from '../env.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws `invalid_request` no body, broken off, not UTF-8 or not JSON */
export async function readJson(c: FaceContext): Promise<unknown> {
  const bytes = await readBytes(c);
  if (bytes.byteLength === 0) throw new HearthError('invalid_request', 'The body is missing: send JSON.');
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const position = error instanceof SyntaxError ? /position \d+/.exec(error.message)?.[0] : undefined;
    const where = position ? ` (see ${position})` : '';
    throw new HearthError('invalid_request', `The body is not valid JSON in UTF-8${where}.`);
  }
}

/** The body as it is. @throws `invalid_request` it broke off, or is not UTF-8 */
export async function readText(c: FaceContext): Promise<string> {
  const bytes = await readBytes(c);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new HearthError('invalid_request', 'The body is not text in UTF-8.');
  }
}

/** It is read once and then kept by the request. */
async function readBytes(c: FaceContext): Promise<ArrayBuffer> {
  try {
    return await c.req.arrayBuffer();
  } catch (cause) {
    throw new HearthError('invalid_request', 'The body ended before its announced end.', {}, { cause });
  }
}

/** Any JSON; `null` where there is no body. @throws as `readJson` */
export async function readOptionalJson(c: FaceContext): Promise<unknown> {
  return (await readBytes(c)).byteLength === 0 ? null : readJson(c);
}

/** `readBody` where there may be none: then as if it were `{}`. */
export async function readOptionalBody<T extends z.ZodType>(c: FaceContext, schema: T): Promise<z.output<T>> {
  return (await readBytes(c)).byteLength === 0 ? checkEnvelope({}, schema) : readBody(c, schema);
}

/** @throws `invalid_request` a field is missing or unknown · `invalid_value` one has the wrong type */
export async function readBody<T extends z.ZodType>(c: FaceContext, schema: T): Promise<z.output<T>> {
  return checkEnvelope(await readJson(c), schema);
}

/** @throws `invalid_request`, `invalid_value`, naming the field */
export function checkEnvelope<T extends z.ZodType>(input: unknown, schema: T): z.output<T> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw issue ? envelopeError(issue) : new HearthError('invalid_request', 'The body has an unexpected shape.');
}

/** An id in the query; absent and empty are the same. @throws `invalid_request` it is no UUID */
export function queryId(c: FaceContext, name: string): string | undefined {
  const value = c.req.query(name);
  if (value === undefined || value === '') return undefined;
  if (isUuid(value)) return value.toLowerCase();
  throw new HearthError('invalid_request', `Query parameter "${name}" must be an id (a UUID).`, { field: name });
}

/** A text in the query; absent and empty are the same. */
export function queryText(c: FaceContext, name: string): string | undefined {
  return c.req.query(name) || undefined;
}

/** Text that is no number is left to the operation, which says what it wants. */
export function queryWhole(c: FaceContext, name: string): number | undefined {
  const text = queryText(c, name);
  return text === undefined ? undefined : Number(text);
}

/** How many are wanted at most, from 1. @throws `invalid_value` */
export function queryCount(c: FaceContext, name: string, most: number): number | undefined {
  const text = queryText(c, name);
  const count = text === undefined ? undefined : Number(text);
  if (count === undefined || (Number.isInteger(count) && count >= 1 && count <= most)) return count;
  throw new HearthError('invalid_value', `Invalid value for ${name}: give a whole number from 1 to ${most}.`, {
    field: name,
  });
}

/** `true`/`1` and `false`/`0`. @throws `invalid_request` */
export function queryFlag(c: FaceContext, name: string): boolean {
  const value = queryText(c, name)?.toLowerCase();
  if (value === undefined || value === 'false' || value === '0') return false;
  if (value === 'true' || value === '1') return true;
  throw new HearthError('invalid_request', `Query parameter "${name}" must be true or false.`, { field: name });
}

/** What zod calls things, as a person would. */
const EXPECTATIONS: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

function envelopeError(issue: z.core.$ZodIssue): HearthError {
  const field = pathOf(issue.path);
  const subject = field === '' ? 'The body' : `"${field}"`;
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const unknown = [field, key.slice(0, 80)].filter((part) => part !== '').join('.');
    return new HearthError('invalid_request', `Unknown field "${unknown}".`, { field: unknown });
  }
  // What may be anything, so long as it is there.
  if (issue.code === 'invalid_type' && issue.expected === 'nonoptional') {
    return new HearthError('invalid_request', `${subject} is missing.`, { field });
  }
  const expected = issue.code === 'invalid_type' ? (EXPECTATIONS[issue.expected] ?? `of type ${issue.expected}`) : null;
  if (issue.code === 'invalid_type' && issue.input === undefined) {
    return new HearthError('invalid_request', `${subject} is missing: it must be ${expected}.`, { field });
  }
  const code = field === '' ? 'invalid_request' : 'invalid_value';
  return new HearthError(code, `${subject} must be ${expected ?? 'valid'}.`, { field });
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}
