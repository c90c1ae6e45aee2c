/**
 * GraphQL documents, typed by the relay's own schema: an unknown field or a variable of the wrong type does not
 * compile. At run time a document is only its text. Build and type check print `graphql-env.d.ts` from the schema.
 */
import type { initGraphQLTada, ResultOf, VariablesOf } from 'gql.tada';
import type { introspection } from './graphql-env.d.ts';

type Graphql = ReturnType<
  typeof initGraphQLTada<{ introspection: introspection; disableMasking: true; scalars: { JSON: unknown } }>
>;

export type { ResultOf, VariablesOf };

/** Appends the fragments that a document uses, each once. */
export const graphql = ((text: string, fragments: readonly string[] = []): string =>
  [...new Set([text, ...fragments.flatMap((fragment) => fragment.split(FRAGMENT_GAP))])].join(
    FRAGMENT_GAP,
  )) as unknown as Graphql;

/** Separates a document from its fragments; no document contains it. */
const FRAGMENT_GAP = '\n\u2063\n';

export function textOf(document: unknown): string {
  return String(document).replaceAll(FRAGMENT_GAP, '\n');
}

/** By their types, lists of the API may be null or contain null; this returns the entries that exist. */
export function present<T>(list: readonly T[] | null | undefined): readonly NonNullable<T>[] {
  return (list ?? []).filter((item) => item != null);
}
