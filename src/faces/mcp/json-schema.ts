/**
 * Schemas as clients are shown them. A model reads those of all tools before its first word, so they say what they say in few: nothing
 * in them restates what holds anyway.
 */
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Without naming its dialect: older clients refuse one that they have not heard of, though they read all that is in it. */
export function presentSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => trim(jsonSchema) });
  return json;
}

/** Keys of JSON are texts, its objects are open unless closed, and its whole numbers are what JavaScript can count. */
function trim(schema: JsonSchema): void {
  const { propertyNames, additionalProperties, minimum, maximum } = schema;
  if (isEmpty(propertyNames, ['type'])) delete schema.propertyNames;
  if (isEmpty(additionalProperties)) delete schema.additionalProperties;
  if (minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function isEmpty(schema: JsonSchema | boolean | undefined, known: readonly string[] = []): boolean {
  return typeof schema === 'object' && Object.keys(schema).every((keyword) => known.includes(keyword));
}
