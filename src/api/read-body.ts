/** Parses a request's text and checks its envelope. The operations check the values. */
import type { z } from 'zod';
import { type Input, isValueIssue, typeError } from '../contract/parse.ts';
import { HearthError } from '../kernel/errors.ts';
import type { ApiContext } from './env.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws `invalid_request` no body, incomplete, not UTF-8 or not JSON */
export async function readJson(c: ApiContext): Promise<unknown> {
  return parseJson(await readBytes(c));
}

/** @throws `invalid_request` empty, not UTF-8 or not JSON */
export function parseJson(bytes: ArrayBuffer | Uint8Array): unknown {
  if (bytes.byteLength === 0) throw new HearthError('invalid_request', 'The body is missing: send JSON.');
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const position = error instanceof SyntaxError ? /position \d+/.exec(error.message)?.[0] : undefined;
    const where = position ? ` (see ${position})` : '';
    throw new HearthError('invalid_request', `The body is not valid JSON in UTF-8${where}.`);
  }
}

/** The body as text. @throws `invalid_request` it is incomplete, or not UTF-8 */
export async function readText(c: ApiContext): Promise<string> {
  const bytes = await readBytes(c);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new HearthError('invalid_request', 'The body is not text in UTF-8.');
  }
}

/** The request reads the body once and then caches it. @throws `invalid_request` it is incomplete */
export async function readBytes(c: ApiContext): Promise<ArrayBuffer> {
  try {
    return await c.req.arrayBuffer();
  } catch (cause) {
    throw endedEarly(cause);
  }
}

export function endedEarly(cause?: unknown): HearthError {
  return new HearthError('invalid_request', 'The body ended before its announced end.', {}, { cause });
}

/** Any JSON; `null` if there is no body. @throws as `readJson` */
export async function readOptionalJson(c: ApiContext): Promise<unknown> {
  return (await readBytes(c)).byteLength === 0 ? null : readJson(c);
}

/** Like `readBody`, but a missing body counts as `{}`. */
export async function readOptionalBody<T extends z.ZodType>(c: ApiContext, schema: T): Promise<z.output<T>> {
  return (await readBytes(c)).byteLength === 0 ? checkEnvelope({}, schema) : readBody(c, schema);
}

/** @throws `invalid_request` a field is missing or unknown · `invalid_value` one has the wrong type */
export async function readBody<T extends z.ZodType>(c: ApiContext, schema: T): Promise<z.output<T>> {
  return checkEnvelope(await readJson(c), schema);
}

/** @throws `invalid_request`, `invalid_value`, naming the field */
export function checkEnvelope<T extends z.ZodType>(input: unknown, schema: T): z.output<T> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw issue ? typeError(issue, 'The body') : new HearthError('invalid_request', 'The body has an unexpected shape.');
}

/** Reads a body by a schema of the contract. @throws as `checkTypes` */
export async function readInput<T extends z.ZodType>(c: ApiContext, schema: T): Promise<Input<T>> {
  return checkTypes(await readJson(c), schema);
}

/**
 * Checks the types alone: the operation parses the values by the same schema, after it has authorized the caller.
 * @throws `invalid_request` a field is missing or unknown · `invalid_value` one has the wrong type
 */
export function checkTypes<T extends z.ZodType>(input: unknown, schema: T): Input<T> {
  const { error } = schema.safeParse(input, { reportInput: true });
  const issue = error?.issues.find((one) => !isValueIssue(one));
  if (issue) throw typeError(issue, 'The body');
  return input as Input<T>;
}
