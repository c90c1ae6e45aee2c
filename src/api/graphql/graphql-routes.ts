/**
 * The route `/graphql`, and the parts that work without graphql-js. The first request loads the rest (`graphql-api.ts`,
 * the schema): it takes a third of a second on a small computer and 25 MB, and many homes never use it.
 */
import { Hono } from 'hono';
import type { HearthError } from '../../kernel/errors.ts';
import { loadOnce } from '../../kernel/load-once.ts';
import { type ApiContext, type ApiEnv, type ApiMiddleware, headerOf } from '../env.ts';
import { answerHead } from '../error-table.ts';
import { guardBody, guardJson } from '../guards.ts';
import { wantsPage } from '../prefers-page.ts';
import { answer } from '../respond.ts';
import type { GraphqlApi, GraphqlFaceDeps } from './graphql-api.ts';
import { contentType, negotiate } from './media-type.ts';
import { presentRefusal } from './refusal.ts';

export const GRAPHQL_PATH = '/graphql';

/** Maximum bytes from a caller without a session: the longest possible document. */
const MAX_STRANGERS_BYTES = 16_384;

/** The page for people. */
const PAGE_PATH = '/graphiql';

async function loadApi(deps: GraphqlFaceDeps): Promise<GraphqlApi> {
  const [{ GraphqlApi }, { createSchema }] = await Promise.all([import('./graphql-api.ts'), import('./schema.ts')]);
  return new GraphqlApi(createSchema(), deps);
}

export function graphqlRoutes(deps: GraphqlFaceDeps, load = loadApi): Hono<ApiEnv> {
  const api = loadOnce(() => load(deps));
  const handle = async (c: ApiContext): Promise<Response> => (await api()).handle(c);
  return new Hono<ApiEnv>().get('/', handle).post('/', guardJson(), handle);
}

/** Before authentication: a person who opens the URL in a browser needs the page that asks for a token. */
export function redirectBrowsers(): ApiMiddleware {
  return (c, next) => {
    const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
    const isPage = reads && c.req.query('query') === undefined && wantsPage(c);
    return isPage ? Promise.resolve(answer(null, 303, { Location: PAGE_PATH, Vary: 'Accept' })) : next();
  };
}

/**
 * A caller without a session may use a few fields (`public-fields.ts`), and only a small body is read. @throws
 * `payload_too_large`
 */
export function guardGraphqlBody(): ApiMiddleware {
  const ofStrangers = guardBody(MAX_STRANGERS_BYTES);
  const ofOthers = guardBody();
  return (c, next) => (c.get('caller').principal.kind === 'anonymous' ? ofStrangers : ofOthers)(c, next);
}

/** Presents an error of a guard, of authentication or of this API in GraphQL's shape. */
export function presentGraphqlError(c: ApiContext, error: HearthError, requestId: string, origin: string): Response {
  const { status, headers } = answerHead(error, requestId, origin);
  const type = negotiate(headerOf(c, 'accept')) ?? 'application/json';
  return answer(JSON.stringify(presentRefusal(error, requestId)), status, { ...headers, ...contentType(type) });
}
