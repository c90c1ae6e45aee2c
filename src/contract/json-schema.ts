/** A resource's schema as JSON Schema (2020-12, for OpenAPI 3.1), with an example that its fields' examples make up. */
import { z } from 'zod';

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

type Components = Readonly<Record<string, JsonSchema>>;

export interface DescribedSchema {
  /** Refers to `components` by `#/components/schemas/…`. */
  readonly schema: JsonSchema;
  /** The schemas with a name (`id` of their `meta`) in it. */
  readonly components: Components;
}

const REFERENCE = '#/components/schemas/';
/** Of fields that need no example of their own. */
const EXAMPLES: Readonly<Record<string, unknown>> = { integer: 0, number: 0, boolean: false, object: {} };

export function describeSchema(schema: z.ZodType): DescribedSchema {
  const { $defs = {}, items } = raw(schema);
  const components = Object.fromEntries(Object.entries($defs).map(([name, one]) => [name, tidy(one)]));
  return { schema: tidy(items as JsonSchema), components };
}

export interface DescribedField {
  readonly name: string;
  readonly description: string;
  /** Without the description. */
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
}

/** The fields of an object. */
export function describeFields(object: z.ZodObject): readonly DescribedField[] {
  const { schema: described, components } = describeSchema(object);
  const { properties, required } = resolved(described, components);
  return Object.entries(properties as Components).map(([name, { description = '', ...schema }]) => ({
    name,
    description: String(description),
    schema,
    isRequired: Array.isArray(required) && required.includes(name),
    isNullable: JSON.stringify([schema.type, schema.anyOf]).includes('"null"'),
  }));
}

/** @throws if a required text has no example: a mistake in the resource's schema */
export function exampleOf(schema: z.ZodType): unknown {
  const { $defs = {}, items } = raw(schema);
  return exampleIn(items as JsonSchema, $defs as Components);
}

/** In an array, because zod writes the outermost schema without its name. */
function raw(schema: z.ZodType) {
  return z.toJSONSchema(z.array(schema), { io: 'input', target: 'draft-2020-12' });
}

function resolved(schema: JsonSchema, components: Components): JsonSchema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  return (name === undefined ? undefined : components[name]) ?? schema;
}

function exampleIn(given: JsonSchema, components: Components): unknown {
  const schema = resolved(given, components);
  const {
    examples,
    const: constant,
    enum: words,
    anyOf,
    type,
    items,
    properties,
    required,
    minimum,
    description,
  } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (constant !== undefined) return constant;
  if (Array.isArray(words)) return words[0];
  if (Array.isArray(anyOf)) return exampleOfUnion(anyOf, components);
  if (typeof minimum === 'number' && minimum > 0) return minimum;
  if (type === 'array') {
    const isBare = (items as JsonSchema | undefined)?.type === 'string' && !Object.hasOwn(items as object, 'examples');
    return isBare || items === undefined ? [] : [exampleIn(items as JsonSchema, components)];
  }
  if (typeof properties === 'object') {
    const needed = Array.isArray(required) ? required : [];
    const shown = Object.entries(properties as Components).filter(
      ([name, field]) => needed.includes(name) || Object.hasOwn(field, 'examples'),
    );
    return Object.fromEntries(shown.map(([name, field]) => [name, exampleIn(field, components)]));
  }
  const usual = typeof type === 'string' ? EXAMPLES[type] : null;
  if (usual === undefined) throw new Error(`A text has no example: ${String(description ?? JSON.stringify(schema))}`);
  return usual;
}

/** A field that may be `null` is shown with its value if it has an example. */
function exampleOfUnion(options: readonly JsonSchema[], components: Components): unknown {
  const nullable = options.some(({ type }) => type === 'null');
  const shown = nullable ? options.find((option) => Object.hasOwn(option, 'examples')) : options[0];
  return shown === undefined ? null : exampleIn(shown, components);
}

/** Without what is implied or shown elsewhere, and `null` in the short form. */
function tidy(schema: JsonSchema): JsonSchema {
  const { $ref, examples: _, minimum, maximum, anyOf, properties, items, additionalProperties, ...rest } = schema;
  const children = {
    ...(typeof $ref === 'string' && { $ref: `${REFERENCE}${$ref.split('/').at(-1)}` }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(typeof properties === 'object' && {
      properties: Object.fromEntries(
        Object.entries(properties as Components).map(([name, field]) => [name, tidy(field)]),
      ),
    }),
    ...(items !== undefined && { items: tidy(items as JsonSchema) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? tidy(additionalProperties as JsonSchema) : additionalProperties,
    }),
  };
  if (!Array.isArray(anyOf)) return { ...rest, ...children };
  const options = anyOf.map((option: JsonSchema) => tidy(option));
  const [only, ...others] = options.filter(({ type }) => type !== 'null');
  const isShort = options.length === 2 && others.length === 0 && typeof only?.type === 'string' && !only.enum;
  return isShort ? { ...only, ...rest, type: [only.type, 'null'] } : { ...rest, ...children, anyOf: options };
}
