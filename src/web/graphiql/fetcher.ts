interface GraphqlRequest {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: unknown;
}

/** Sends what GraphiQL asks. Answers that are no GraphQL, such as a refused token, become errors that it shows. */
export function createFetcher(token: string): (request: GraphqlRequest) => Promise<unknown> {
  return async ({ query, operationName, variables }) => {
    const response = await fetch('/graphql', {
      method: 'POST',
      credentials: 'omit',
      headers: {
        Accept: 'application/graphql-response+json, application/json',
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ query, operationName, variables }),
    });
    const answer: unknown = await response.json();
    return isGraphql(answer) ? answer : { errors: [{ message: sentenceOf(answer, response.status) }] };
  };
}

function isGraphql(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && ('data' in answer || 'errors' in answer);
}

/** The relay's REST errors have a word in `error` and the sentence in `message`, or the sentence in `error` alone. */
function sentenceOf(answer: unknown, status: number): string {
  const { message, error } = (answer ?? {}) as { message?: unknown; error?: unknown };
  return String(message ?? error ?? `The relay answered ${status}.`);
}
