/**
 * Presents schemas for clients. A model reads the schemas of all tools first, so they are short: they omit what is
 * implied.
 */
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Without its dialect: older clients reject an unknown dialect, though they can read the whole schema. */
export function presentSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => trim(jsonSchema) });
  return json;
}

/**
 * Removes what is implied: JSON keys are strings, its objects are open unless closed, and its integers are within
 * JavaScript's safe range.
 */
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
