/**
 * GraphQL documents, typed by the relay's own schema: a field that it does not have, or a variable of the wrong type, does not compile.
 * At run time a document is its text and nothing more; `graphql-env.d.ts` is printed from the schema by `npm run schema`.
 */
import type { initGraphQLTada, ResultOf, VariablesOf } from 'gql.tada';
import type { introspection } from './graphql-env.d.ts';

type Graphql = ReturnType<
  typeof initGraphQLTada<{ introspection: introspection; disableMasking: true; scalars: { JSON: unknown } }>
>;

export type { ResultOf, VariablesOf };

/** Fragments that documents use are written behind them, each once. */
export const graphql = ((text: string, fragments: readonly string[] = []): string =>
  [...new Set([text, ...fragments.flatMap((fragment) => fragment.split(FRAGMENT_GAP))])].join(
    FRAGMENT_GAP,
  )) as unknown as Graphql;

/** Between a document and the fragments behind it; no document of ours has it inside. */
const FRAGMENT_GAP = '\n\u2063\n';

export function textOf(document: unknown): string {
  return String(document).replaceAll(FRAGMENT_GAP, '\n');
}

/** Lists of the API may be null, or hold null, by their types; what is there is what counts. */
export function present<T>(list: readonly T[] | null | undefined): readonly NonNullable<T>[] {
  return (list ?? []).filter((item) => item != null);
}
