/**
 * The GraphQL schema, code first: one file a subject, each of which adds its types and root fields to this builder; `schema.ts`
 * lists them. A resolver parses its arguments, calls one operation and presents what comes back; it holds no rules.
 *
 * Names, arguments and nullability are the API document's (§2.4, §4.2) where it has the thing, with the further names that
 * existing clients select beside them (wire-facts §4.2–4.4). What the document does not have follows two rules:
 * - a mutation that makes or changes a thing returns the thing, and fails in `errors`;
 * - a mutation that deletes or acts returns a result with `success`, `error` and `code`, and reports expected failures in it;
 *   who may not ask at all is told in `errors` there too (decisions §7). `result.ts` is where that line is drawn.
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

/** `[Thing]`, as the API document writes the lists that its root fields return. */
export const LIST = { list: true, items: true } as const;
