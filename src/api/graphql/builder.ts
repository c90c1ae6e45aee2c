/**
 * The GraphQL schema, code first: one file a subject, each of which adds its types and root fields to this builder;
 * `schema.ts` lists them. A resolver parses its arguments, calls one operation and presents the result; it holds no
 * rules.
 *
 * Names, arguments and nullability are the API document's (§2.4, §4.2) where it defines them, with the further names
 * that existing clients select beside them (wire-facts §4.2–4.4). Everything else follows two rules:
 * - a mutation that creates or changes an object returns the object, and fails in `errors`;
 * - a mutation that deletes or acts returns a result with `success`, `error` and `code`, and reports expected errors in
 * it; missing permissions are reported in `errors` there too (decisions §7). `result.ts` draws that line.
 *
 * Descriptions are the reference that people read in GraphiQL: shapes, units, errors.
 */
import SchemaBuilder from '@pothos/core';
import type { GraphqlContext } from './context.ts';
import { jsonScalar } from './scalars.ts';

interface SchemaTypes {
  Context: GraphqlContext;
  Scalars: { JSON: { Input: unknown; Output: unknown } };
}

export const builder = new SchemaBuilder<SchemaTypes>({});

builder.addScalarType('JSON', jsonScalar);

builder.queryType({
  description: 'What can be asked. Answers come from what the relay knows; only `controllers` asks a device.',
});
builder.mutationType({
  description: 'What can be changed or done. Mutations of one document run one after the other.',
});

/** `[Thing]`, the API document's type for lists of root fields. */
export const LIST = { list: true, items: true } as const;
