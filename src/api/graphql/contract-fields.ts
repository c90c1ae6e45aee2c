/** Derives the arguments and the fields of GraphQL types from a resource's schemas: names, types and descriptions. */
import type { z } from 'zod';
import { type DescribedField, describeFields, type JsonSchema } from '../../contract/json-schema.ts';
import type { builder } from './builder.ts';
import type { GraphqlContext } from './context.ts';

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;
type Scalar = 'String' | 'Int' | 'Float' | 'Boolean';
type FieldType = Scalar | readonly [Scalar];
type JsonType = 'JSON' | readonly ['JSON'];

type Argument<T> = PothosSchemaTypes.ArgumentRef<Types, undefined extends T ? T | null : T>;
/** Optional arguments may be `null`. */
type ArgumentRefs<S extends z.ZodType> = { [Key in keyof z.input<S> & string]-?: Argument<z.input<S>[Key]> };
type InputFields<S extends z.ZodType> = {
  [Key in keyof z.input<S> & string]-?: PothosSchemaTypes.InputFieldRef<
    Types,
    undefined extends z.input<S>[Key] ? z.input<S>[Key] | null : z.input<S>[Key]
  >;
};
type FieldRefs<S extends z.ZodType> = Record<keyof z.output<S> & string, PothosSchemaTypes.FieldRef<Types>>;

/** What this needs of the schema's builder; its own types can't follow names that are known at run time only. */
type MakeArgument = (options: { type: FieldType; description: string; required: boolean }) => unknown;
interface FieldMaker {
  field(options: {
    readonly type: FieldType | JsonType;
    readonly description: string;
    readonly nullable: boolean;
    readonly resolve: Resolver<never>;
  }): unknown;
}

type Resolver<Parent, Value = unknown> = (parent: Parent, args: object, context: GraphqlContext) => Value;

/**
 * An optional argument that is `null` counts as absent, unless the resolver passes it on.
 * @param types of the arguments that have another type in GraphQL (API §2.4)
 */
export function argumentsOf<S extends z.ZodObject>(
  arg: object,
  schema: S,
  types: { readonly [Key in keyof z.input<S>]?: Scalar } = {},
): ArgumentRefs<S> {
  const made = describeFields(schema).map((field) => {
    const { name, isRequired, isNullable } = field;
    const options = { required: isRequired && !isNullable, description: describeLimits(field) };
    return [name, (arg as MakeArgument)({ type: types[name] ?? typeOf(field), ...options })];
  });
  return Object.fromEntries(made) as ArgumentRefs<S>;
}

/** The same, as the fields of an input type. */
export function inputFieldsOf<S extends z.ZodObject>(t: { field: unknown }, schema: S): InputFields<S> {
  return argumentsOf((t.field as MakeArgument & object).bind(t), schema) as unknown as InputFields<S>;
}

/** Fields that resolve to the answer's own, for its scalars and lists of them. Others are the caller's to add. */
export function fieldsOf<S extends z.ZodObject, Parent>(
  t: object,
  schema: S,
  /** Fields that may be `null` in GraphQL (API §2.4), though they never are. */
  nullable: readonly (keyof z.output<S>)[] = [],
  /** Of the fields that the parent has not as they are. */
  resolvers: { readonly [Key in keyof z.output<S>]?: Resolver<Parent, z.output<S>[Key] | null | undefined> } = {},
): FieldRefs<S> {
  const made = describeFields(schema)
    .filter((field) => findType(field.schema) !== undefined)
    .map((field) => {
      const { name, isRequired, isNullable } = field;
      return [
        name,
        (t as FieldMaker).field({
          type: typeOf(field),
          nullable: isNullable || !isRequired || nullable.includes(name),
          description: describeValues(field),
          resolve: (resolvers as Record<string, Resolver<never>>)[name] ?? ((parent) => parent[name]),
        }),
      ];
    });
  return Object.fromEntries(made) as FieldRefs<S>;
}

/**
 * The fields that `fieldsOf` leaves out, as JSON. Lists name the fields of their entries.
 * @param type `['JSON']` for lists of which each entry is JSON
 */
export function jsonFieldsOf<S extends z.ZodObject>(t: object, schema: S, type: JsonType = 'JSON'): FieldRefs<S> {
  const made = describeFields(schema)
    .filter((field) => findType(field.schema) === undefined)
    .map(({ name, isRequired, isNullable, description, schema: { items } }) => {
      const { properties } = (items ?? {}) as JsonSchema;
      const entries = properties === undefined ? '' : ` \`{${Object.keys(properties as object).join(', ')}}\`.`;
      const nullable = isNullable || !isRequired;
      const resolve: Resolver<never> = (parent) => parent[name];
      return [name, (t as FieldMaker).field({ type, nullable, description: `${description}${entries}`, resolve })];
    });
  return Object.fromEntries(made) as FieldRefs<S>;
}

type TimeName<Name> = Name extends 'at' ? 'ts' : Name extends `${infer Start}At` ? `${Start}Ts` : never;
type TimeRefs<S extends z.ZodObject> = {
  [Name in keyof S['shape'] as TimeName<Name>]: PothosSchemaTypes.FieldRef<Types>;
};

/** Times in milliseconds since the epoch: `at` as `ts`, `firstAt` as `firstTs`. */
export function timesOf<S extends z.ZodObject>(t: object, schema: S): TimeRefs<S> {
  const made = describeFields(schema)
    .filter(({ name }) => /^at$|At$/.test(name))
    .map(({ name, description, isNullable: nullable }) => {
      const options = { type: 'Float', description, nullable } as const;
      const resolve: Resolver<never> = (parent) => parent[name];
      return [
        name.replace(/at$/i, (end) => (end === 'at' ? 'ts' : 'Ts')),
        (t as FieldMaker).field({ ...options, resolve }),
      ];
    });
  return Object.fromEntries(made) as TimeRefs<S>;
}

/** The description of a field that the caller adds. */
export function meaningOf({ description = '' }: z.ZodType): string {
  return description;
}

/** @throws for an argument that is an object: the caller's to add */
function typeOf({ name, schema }: DescribedField): FieldType {
  const type = findType(schema);
  if (type === undefined) throw new Error(`"${name}" is no scalar and no list of scalars.`);
  return type;
}

const SCALARS: Readonly<Record<string, Scalar>> = {
  string: 'String',
  integer: 'Int',
  number: 'Float',
  boolean: 'Boolean',
};

function findType({ type, items, anyOf }: JsonSchema): FieldType | undefined {
  if (Array.isArray(anyOf)) return findType((anyOf as readonly JsonSchema[]).find((one) => one.type !== 'null') ?? {});
  const [word, ...others] = [type].flat().filter((one) => one !== 'null');
  if (others.length > 0) return undefined;
  if (word !== 'array') return SCALARS[String(word)];
  const item = findType((items ?? {}) as JsonSchema);
  return typeof item === 'string' ? [item] : undefined;
}

/** The description with the values of an enumeration, which are texts in GraphQL. */
function describeValues({ description, schema }: DescribedField): string {
  const options = [schema, ...((schema.anyOf as readonly JsonSchema[] | undefined) ?? [])];
  const words = options.flatMap((option) => (option.enum as readonly string[] | undefined) ?? []);
  return words.length === 0 ? description : `${words.map((word) => `\`${word}\``).join(', ')}. ${description}`.trim();
}

/** The description with the limits and the default, which REST has as keywords. */
function describeLimits(field: DescribedField): string {
  const { schema } = field;
  const { minimum, maximum, default: usual } = schema;
  const range = minimum !== undefined && maximum !== undefined ? `${minimum}–${maximum}` : undefined;
  const hasDefault = usual !== undefined && !(Array.isArray(usual) && usual.length === 0);
  const limits = [range, hasDefault ? `${JSON.stringify(usual)} if left out` : undefined].filter((part) => part);
  return [describeValues(field), limits.length > 0 ? `${limits.join('; ')}.` : '']
    .filter((part) => part !== '')
    .join(' ');
}
