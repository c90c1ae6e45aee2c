/** The one scalar beside GraphQL's own, and the decoding of string arguments that hold values or JSON. */
import { type GraphQLArgument, GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import { HearthError } from '../../kernel/errors.ts';

export const jsonScalar = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description:
    'Any JSON value: true, false, a number, text, a list or an object. As an argument it takes the value itself or a text that holds it in JSON.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables ?? undefined),
});

/**
 * A value to write: existing clients send it as a string that holds JSON (`"true"`, `"42"`, `"\"heat\""`), others as it
 * is (`true`, `heat`). A number is decoded only without loss: ids beyond 2^53 and codes such as `1e3` or `007` stay
 * strings, and the characteristic's format decides.
 */
export function decodeValue(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  const text = input.trim();
  if (text === 'true' || text === 'false') return text === 'true';
  if (text.startsWith('"')) return parseQuoted(text) ?? input;
  return text !== '' && String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : input;
}

/**
 * Options of an argument that is a JSON string, as in the API document (§4.2). Older clients declare `JSON` for it and
 * send objects: `loose-variables.ts` permits that, and `decodeJson` accepts both.
 */
export const JSON_TEXT = { extensions: { isJsonText: true } } as const;

export function isJsonText(argument: GraphQLArgument): boolean {
  return argument.extensions.isJsonText === true;
}

/** A list or an object, directly or as a JSON string. @throws `invalid_value` the string is not JSON */
export function decodeJson(input: unknown, field: string): unknown {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input);
  } catch {
    throw new HearthError('invalid_value', `Invalid value for ${field}: the text is not JSON.`, { field });
  }
}

function parseQuoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
