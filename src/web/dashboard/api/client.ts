/**
 * The only way to the relay: GraphQL for almost everything, REST for files and streams. The dashboard is an API client
 * like any other; it uses nothing that the API reference does not document.
 */
import { ApiError } from './api-error.ts';
import type { ResultOf, VariablesOf } from './graphql.ts';
import { ANSWER_MS, graphqlRequest, takeFirst } from './graphql-request.ts';
import { askForProof } from './proof.ts';
import { sessionHolder } from './session.ts';

/** Of 64 KiB for all such requests together (Fetch, §HTTP-network-or-cache fetch): room for two, of letters alone. */
const MAX_OUTLIVING_CHARS = 30_000;

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Sends the request without the session, for operations that need no sign-in. */
  readonly anonymous?: boolean;
  /** The browser sends it to the end, even if the page closes meanwhile. */
  readonly outlivesPage?: boolean;
  /** Of a session that has just begun, in place of the browser's own. */
  readonly token?: string;
}

/**
 * Executes one document.
 * @throws `ApiError` the relay's error; code `offline` if the relay did not answer
 */
export async function ask<const Doc>(
  document: Doc,
  variables: VariablesOf<Doc>,
  { signal, token, anonymous = token !== undefined, outlivesPage = false }: AskOptions = {},
): Promise<ResultOf<Doc>> {
  const request = graphqlRequest(document, variables);
  // Browsers refuse larger ones.
  const keepalive = outlivesPage && request.body.length <= MAX_OUTLIVING_CHARS;
  const first = anonymous ? undefined : await takeFirst(sessionHolder.get()?.token, request.body);
  const response =
    first ??
    (await send('/graphql', { ...request, keepalive, signal, anonymous, ...(token !== undefined && { token }) }));
  const body: GraphqlBody = await readJson(response);
  const [error] = body.errors ?? [];
  if (error) throw endingSession(graphqlError(error, response), anonymous);
  if (!response.ok || !body.data) throw endingSession(restError(response, body), anonymous);
  return body.data as ResultOf<Doc>;
}

/**
 * Executes a mutation whose result has `success` and `error`. An error in the result is thrown too, so callers handle
 * errors in one place. Where the relay needs a proof of who asks, a dialog asks for one.
 * @throws `ApiError`
 */
export async function act<const Doc>(
  document: Doc,
  variables: VariablesOf<Doc>,
  options?: AskOptions,
): Promise<ResultOf<Doc>> {
  try {
    return await actOnce(document, variables, options);
  } catch (error) {
    // The person signed in long ago: a proof, then once more.
    if (!(error instanceof ApiError && error.reason === 'proof_needed') || !(await askForProof())) throw error;
    return actOnce(document, variables, options);
  }
}

async function actOnce<const Doc>(
  document: Doc,
  variables: VariablesOf<Doc>,
  options?: AskOptions,
): Promise<ResultOf<Doc>> {
  const result = await ask(document, variables, options);
  for (const value of Object.values(result as Record<string, unknown>)) {
    if (isFailure(value))
      throw new ApiError(value.code ?? 'failed', value.error ?? 'It did not work.', {
        status: 200,
        reason: value.reason ?? undefined,
        clockDifferenceS: value.clockDifferenceSeconds ?? undefined,
      });
  }
  return result;
}

/**
 * A REST request with a JSON body or none. @returns the JSON response, `undefined` for an empty one. @throws `ApiError`
 */
export async function callRest(
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  { signal, anonymous = false }: AskOptions = {},
): Promise<unknown> {
  const response = await send(path, {
    method,
    headers: { Accept: 'application/json', ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
    anonymous,
  });
  if (response.status === 204) return undefined;
  const answer = await readJson(response);
  if (!response.ok) throw endingSession(restError(response, answer), anonymous);
  return answer;
}

/** The raw response, for files and streams; throws the same errors as `callRest`. */
export async function fetchRest(path: string, init: RequestInit & AskOptions = {}): Promise<Response> {
  const response = await send(path, { ...init, patient: true });
  if (response.ok) return response;
  throw endingSession(restError(response, await readJson(response)), init.anonymous ?? false);
}

type SendOptions = Omit<RequestInit, 'signal'> & AskOptions & { readonly patient?: boolean };

async function send(
  path: string,
  { anonymous = false, token: given, signal, patient = false, ...init }: SendOptions,
): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = given ?? (anonymous ? undefined : sessionHolder.get()?.token);
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  const signals = [signal, patient ? undefined : AbortSignal.timeout(ANSWER_MS)].filter((each) => each != null);
  try {
    return await fetch(path, { cache: 'no-store', ...init, headers, signal: AbortSignal.any(signals) });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError('offline', 'The relay does not answer.', { cause });
  }
}

interface GraphqlBody {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlErrorBody[];
}

interface GraphqlErrorBody {
  readonly message: string;
  /** `reason` is REST's code, `cause` is REST's reason; `code` is one of GraphQL's twelve. */
  readonly extensions?: {
    readonly code?: string;
    readonly reason?: string;
    readonly cause?: string;
    readonly field?: string;
  };
}

async function readJson(response: Response): Promise<Record<string, unknown>> {
  try {
    return await response.json();
  } catch (cause) {
    // A proxy's error page, or an incomplete response.
    if (response.ok) throw new ApiError('offline', 'The answer broke off.', { cause, status: response.status });
    return {};
  }
}

function graphqlError({ message, extensions }: GraphqlErrorBody, response: Response): ApiError {
  const code = (extensions?.reason ?? extensions?.code ?? 'failed').toLowerCase();
  return new ApiError(code, message, {
    status: response.status,
    reason: extensions?.cause,
    field: extensions?.field,
    ...retryOf(response),
  });
}

function restError(response: Response, body: unknown): ApiError {
  const { error, code, reason, message, field } = body as Record<string, string | undefined>;
  const isGateway = response.status === 502 || response.status === 504;
  if (isGateway && !code) return new ApiError('offline', 'The relay does not answer.', { status: response.status });
  return new ApiError(code ?? `http_${response.status}`, message ?? error ?? `The relay answered ${response.status}.`, {
    status: response.status,
    reason,
    field,
    ...retryOf(response),
  });
}

function retryOf(response: Response): { retryAfterS?: number } {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) ? { retryAfterS: seconds } : {};
}

/** Ends the local session if the relay no longer knows it; the sign-in page then appears. */
function endingSession(error: ApiError, anonymous: boolean): ApiError {
  // A wrong password has another code, so a mistyped password does not end the session.
  if (error.code === 'invalid_token' && !anonymous && sessionHolder.get()) sessionHolder.end('refused');
  return error;
}

/** The error inside a mutation result. */
interface RefusedResult {
  readonly code?: string | null;
  readonly reason?: string | null;
  readonly error?: string | null;
  readonly clockDifferenceSeconds?: number | null;
}

function isFailure(value: unknown): value is RefusedResult {
  return typeof value === 'object' && value !== null && (value as { success?: unknown }).success === false;
}
