import { ResultStream } from './result-stream.ts';

/** The relay streams only subscriptions, and only if the request accepts both formats. */
const ACCEPT = 'application/graphql-response+json, application/json, text/event-stream';

interface GraphqlRequest {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: unknown;
}

/**
 * Sends GraphiQL's requests. A subscription's results arrive one by one. Responses that are not GraphQL, such as a
 * refused token, become errors that GraphiQL shows.
 */
export function createFetcher(token: string): (request: GraphqlRequest) => Promise<unknown> {
  return async ({ query, operationName, variables }) => {
    const response = await fetch('/graphql', {
      method: 'POST',
      credentials: 'omit',
      headers: {
        Accept: ACCEPT,
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ query, operationName, variables }),
    });
    if (response.body && response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
      return new ResultStream(response.body);
    }
    const answer: unknown = await response.json();
    return isGraphql(answer) ? answer : { errors: [{ message: sentenceOf(answer, response.status) }] };
  };
}

function isGraphql(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && ('data' in answer || 'errors' in answer);
}

/** The relay's REST errors have a code in `error` and the message in `message`, or only the message in `error`. */
function sentenceOf(answer: unknown, status: number): string {
  const { message, error } = (answer ?? {}) as { message?: unknown; error?: unknown };
  return String(message ?? error ?? `The relay answered ${status}.`);
}
