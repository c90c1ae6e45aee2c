import { z } from 'zod';
import { describeSchema, type JsonSchema } from '../../contract/json-schema.ts';

/**
 * A request body's schema: from the zod schema that the route parses with, so that the two cannot differ, plus the
 * meaning of each field.
 * @param components gets the named schemas that the body refers to.
 * @param fields by name; a string is a description, a schema replaces a field that the route leaves open (`unknown`).
 * @param required fields that the route requires although its schema, for a better message, does not.
 * @throws if a described field is not in the body: a mistake in the table
 */
export function describeBody(
  schema: z.ZodType | JsonSchema,
  components: Record<string, JsonSchema>,
  fields: Readonly<Record<string, string | JsonSchema>> = {},
  required: readonly string[] = [],
): JsonSchema {
  if (!(schema instanceof z.ZodType)) return schema;
  const { schema: body, components: named } = describeSchema(schema);
  Object.assign(components, named);
  const properties: Record<string, unknown> = { ...(body.properties as object | undefined) };
  for (const [name, documented] of Object.entries(fields)) {
    const property = properties[name];
    if (property === undefined) throw new Error(`"${name}" is described, but no field of the body`);
    properties[name] =
      typeof documented === 'string' ? { ...(property as object), description: documented } : documented;
  }
  const needed = [...((body.required as readonly string[] | undefined) ?? []), ...required];
  return { ...body, properties, ...(needed.length > 0 && { required: needed }) };
}
