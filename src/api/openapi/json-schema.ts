/**
 * Helpers for JSON Schema (2020-12, for OpenAPI 3.1). Objects list every field they have; `optional` ones may be
 * absent.
 */
import type { JsonSchema } from '../../contract/json-schema.ts';

type SchemaProperties = Readonly<Record<string, JsonSchema>>;

/** @param optional the names of fields that a response may omit. */
export function object(fields: SchemaProperties, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(fields).filter((name) => !optional.includes(name));
  return { type: 'object', properties: fields, ...(required.length > 0 && { required }) };
}

/** An object whose keys are data: slug keys, ids. */
export function mapOf(values: JsonSchema, description?: string): JsonSchema {
  return { type: 'object', additionalProperties: values, ...(description && { description }) };
}

export function arrayOf(items: JsonSchema, description?: string): JsonSchema {
  return { type: 'array', items, ...(description && { description }) };
}

export function text(description?: string): JsonSchema {
  return { type: 'string', ...(description && { description }) };
}

/** A UUID in lower case. */
export function id(description?: string): JsonSchema {
  return { type: 'string', format: 'uuid', ...(description && { description }) };
}

export function oneOf(values: readonly string[], description?: string): JsonSchema {
  return { type: 'string', enum: values, ...(description && { description }) };
}

/** A schema of the document's components, by name. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
