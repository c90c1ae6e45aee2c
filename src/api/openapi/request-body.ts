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
  fields: Readonly<Record<string, string | z.ZodType | JsonSchema>> = {},
  required: readonly string[] = [],
): JsonSchema {
  if (!(schema instanceof z.ZodType)) return schema;
  const describe = (one: z.ZodType): JsonSchema => {
    const { schema: described, components: named } = describeSchema(one);
    Object.assign(components, named);
    return described;
  };
  const body = describe(schema);
  // A named schema stays a reference.
  if (Object.keys(fields).length === 0 && required.length === 0) return body;
  const properties: Record<string, unknown> = { ...(body.properties as object | undefined) };
  for (const [name, documented] of Object.entries(fields)) {
    const property = properties[name];
    if (property === undefined) throw new Error(`"${name}" is described, but no field of the body`);
    if (typeof documented === 'string') properties[name] = { ...(property as object), description: documented };
    else properties[name] = documented instanceof z.ZodType ? describe(documented) : documented;
  }
  const needed = [...((body.required as readonly string[] | undefined) ?? []), ...required];
  return { ...body, properties, ...(needed.length > 0 && { required: needed }) };
}
