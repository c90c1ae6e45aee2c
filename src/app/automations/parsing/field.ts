/**
 * Fields of triggers, conditions and actions: each kind declares its own once. The declaration parses input, gives the
 * stored form its type, and describes the field in the reference of the API.
 */

import type { z } from 'zod';
import type { SlicedWork } from '../../../kernel/slices.ts';
import type { ActionNode } from '../action-node.ts';
import { invalid } from './faults.ts';
import type { Fields, Given } from './fields.ts';
import type { Parsing } from './parsing.ts';
import {
  type ResolvedCharacteristic,
  type ResolvedTarget,
  resolveAccessory,
  resolveReading,
  resolveTarget,
} from './targets.ts';

type ParseNested = (list: readonly unknown[], path: string) => SlicedWork<readonly ActionNode[]>;

/** The input of one node. What several of its fields depend on is resolved once. */
export class NodeInput {
  readonly fields: Fields;
  readonly parsing: Parsing;
  #accessory: ReturnType<typeof resolveAccessory> | undefined;
  #target: ResolvedTarget | undefined;
  #reading: ResolvedCharacteristic | undefined;

  readonly #nested: ParseNested | undefined;

  /** @param nested for nodes that hold actions */
  constructor(fields: Fields, parsing: Parsing, nested?: ParseNested) {
    this.fields = fields;
    this.parsing = parsing;
    this.#nested = nested;
  }

  /** Parses nested actions; may pause before each. */
  nested(list: readonly unknown[], path: string): SlicedWork<readonly ActionNode[]> {
    if (!this.#nested) throw new Error(`${path} holds no actions`);
    return this.#nested(list, path);
  }

  /** @throws as `resolveAccessory` */
  get accessory(): ReturnType<typeof resolveAccessory> {
    this.#accessory ??= resolveAccessory(this.fields, this.parsing);
    return this.#accessory;
  }

  /** @throws as `resolveTarget` */
  get target(): ResolvedTarget {
    this.#target ??= resolveTarget(this.fields, this.parsing);
    return this.#target;
  }

  /** The characteristic that the node reads. @throws as `resolveReading` */
  get reading(): ResolvedCharacteristic {
    this.#reading ??= resolveReading(this.target, this.fields, this.parsing);
    return this.#reading;
  }
}

/** One field. */
export interface Field<T> {
  /** For the reference of the API; `read` does the checks. */
  readonly schema: z.ZodType;
  /** @throws `invalid_request` it is missing · `invalid_value` … */
  read(node: NodeInput, name: string): T;
}

export interface RequiredField<T> extends Field<T> {
  parse(value: unknown, path: string, node: NodeInput): T;
}

/** A field with nested actions, which may be many: reading it may pause. */
export interface PausingField<T> {
  readonly schema: z.ZodType;
  readSteps(node: NodeInput, name: string): SlicedWork<T>;
}

/** Fields that are read together, because they depend on each other. */
export interface FieldGroup<T extends object> {
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  readGroup(node: NodeInput): T;
}

/** The fields of a kind, by name. The name of a group is not part of the record. */
export type FieldSet = Readonly<Record<string, Field<unknown> | PausingField<unknown> | FieldGroup<object>>>;

/** The stored form of these fields. */
export type ValuesOf<F extends FieldSet> = string extends keyof F ? object : Readonly<Given<Singles<F>>> & Groups<F>;

type Singles<F> = {
  -readonly [K in keyof F as F[K] extends FieldGroup<object> ? never : K]: F[K] extends
    | Field<infer T>
    | PausingField<infer T>
    ? T
    : never;
};
/** The intersection of all groups' forms. */
type Groups<F> = {
  [K in keyof F]: F[K] extends FieldGroup<infer T> ? (value: { readonly is: T }) => void : never;
}[keyof F] extends infer Each
  ? [Each] extends [never]
    ? unknown
    : (Each extends unknown ? Each : never) extends (value: infer All) => void
      ? All extends { readonly is: infer T }
        ? T
        : never
      : never
  : never;

/** @param what completes `it must be …` where the field is missing */
export function field<T>(what: string, schema: z.ZodType, parse: RequiredField<T>['parse']): RequiredField<T> {
  return {
    schema,
    parse,
    read: (node, name) => parse(node.fields.required(name, what), node.fields.at(name), node),
  };
}

export function optional<T>({ schema, parse }: RequiredField<T>): Field<T | undefined> {
  return {
    schema: schema.optional(),
    read(node, name) {
      const value = node.fields.raw(name);
      return value === undefined ? undefined : parse(value, node.fields.at(name), node);
    },
  };
}

/** @param fallback the value of an omitted field */
export function withDefault<T>(of: RequiredField<T>, fallback: T): Field<T> {
  const { schema, read } = optional(of);
  return { schema, read: (node, name) => read(node, name) ?? fallback };
}

/** In the order of the set. Omitted fields do not exist in the result. */
export function* readFields<F extends FieldSet>(set: F, node: NodeInput): SlicedWork<ValuesOf<F>> {
  const values: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(set)) {
    if ('readGroup' in one) {
      Object.assign(values, one.readGroup(node));
    } else {
      const value = 'readSteps' in one ? yield* one.readSteps(node, name) : one.read(node, name);
      if (value !== undefined) values[name] = value;
    }
  }
  return values as ValuesOf<F>;
}

/** The description of each field, groups' fields among them. */
export function schemasOf(set: FieldSet): readonly (readonly [name: string, schema: z.ZodType])[] {
  return Object.entries(set).flatMap(([name, one]) =>
    'readGroup' in one ? Object.entries(one.schemas) : [[name, one.schema] as const],
  );
}

/** @throws `invalid_value` with the names of all kinds, or the nearest */
export function unknownType(fields: Fields, what: string, types: readonly string[], meant: string | undefined): Error {
  const advice = meant === undefined ? `they are ${types.join(', ')}` : `did you mean ${meant}?`;
  return invalid(fields.at('type'), `there is no such ${what}; ${advice}`);
}
