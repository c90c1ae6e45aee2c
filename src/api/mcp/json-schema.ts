/**
 * Presents schemas for clients. A model reads the schemas of all tools first, so they are short: they omit what is
 * implied.
 */
import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Without its dialect: older clients reject an unknown dialect, though they can read the whole schema. Results are
 * described before transformation, which leaves them as they are, and have no fields besides the listed ones. Those of
 * a resource have a name and a type only.
 */
export function presentSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    metadata: new ShortMetadata(),
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      const isClosed = io === 'output' && def.type === 'object' && (def as z.core.$ZodObjectDef).catchall === undefined;
      if (isClosed) jsonSchema.additionalProperties = false;
      if (io === 'output' && z.globalRegistry.get(zodSchema)?.id !== undefined) {
        for (const field of Object.values(jsonSchema.properties ?? {})) simplify(field as JsonSchema);
      }
      trim(jsonSchema);
    },
  });
  return json;
}

/** Without names, so that each schema stands where it is used, and without examples. */
class ShortMetadata extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType) {
    const { id: _id, examples: _examples, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  }
}

function simplify(field: JsonSchema): void {
  const { anyOf = [], additionalProperties: entries, properties = {} } = field;
  const inside = [...anyOf, ...Object.values(properties), ...(typeof entries === 'object' ? [entries] : [])];
  for (const inner of inside) simplify(inner as JsonSchema);
  for (const keyword of ['description', 'format', 'maxLength', 'enum'] as const) delete field[keyword];
  if (Array.isArray(field.type) && field.type.length > 2) delete field.type;
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
  if (schema.description === '') delete schema.description;
}

function isEmpty(schema: JsonSchema | boolean | undefined, known: readonly string[] = []): boolean {
  return typeof schema === 'object' && Object.keys(schema).every((keyword) => known.includes(keyword));
}
