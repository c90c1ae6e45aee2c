/**
 * How a document is sent, and the responses to requests that were sent while the scripts of the page were still loading
 * (`first-requests.ts`).
 */
import { textOf, type VariablesOf } from './graphql.ts';

/**
 * The relay answers at once or with an error; a proxy in between may not. Pairing takes 30 s at most (decisions §6).
 */
export const ANSWER_MS = 45_000;

/** A response that has waited longer is not taken: the home may have changed. */
const FRESH_MS = 10_000;

export interface DocumentRequest {
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function graphqlRequest<const Doc>(document: Doc, variables: VariablesOf<Doc>): DocumentRequest {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json, application/json' },
    body: JSON.stringify({ query: textOf(document), variables }),
  };
}

interface FirstResponse {
  readonly token: string;
  readonly sentAt: number;
  readonly response: Promise<Response | undefined>;
}

const first = new Map<string, FirstResponse>();
let isOver = false;
let isAnyTaken = false;

/**
 * @returns the response, which `takeFirst` reads; `undefined` if the relay does not answer, or it is too late: a page
 * that has taken one asks for the others itself
 */
export function sendFirst<const Doc>(
  token: string,
  document: Doc,
  variables: VariablesOf<Doc>,
): Promise<Response | undefined> {
  if (isOver || isAnyTaken) return Promise.resolve(undefined);
  const { headers, ...request } = graphqlRequest(document, variables);
  const response = fetch('/graphql', {
    cache: 'no-store',
    ...request,
    headers: { ...headers, Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => undefined);
  first.set(request.body, { token, sentAt: Date.now(), response });
  return response;
}

/** Each response is taken once, by the session that it was sent for. */
export async function takeFirst(token: string | undefined, body: string): Promise<Response | undefined> {
  const found = first.get(body);
  first.delete(body);
  if (!found || found.token !== token || Date.now() - found.sentAt > FRESH_MS) return undefined;
  isAnyTaken = true;
  return found.response;
}

/** From now on every request is sent when it is made. */
export function endFirst(): void {
  isOver = true;
  first.clear();
}

/** Whether something of this page was asked for long before it could listen for events. */
export function hasTakenFirst(): boolean {
  return isAnyTaken;
}
