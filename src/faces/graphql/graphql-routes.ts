/**
 * Where `/graphql` is: what of it works without graphql-js. The rest (`graphql-face.ts`, the schema) is loaded at the first request:
 * it takes a third of a second on a small computer and 25 MB, and many houses never ask.
 */
import { Hono } from 'hono';
import type { HearthError } from '../../kernel/errors.ts';
import { loadOnce } from '../../kernel/load-once.ts';
import { type FaceContext, type FaceEnv, type FaceMiddleware, headerOf } from '../env.ts';
import { answerHead } from '../error-table.ts';
import { guardBody, guardJson } from '../guards.ts';
import { wantsPage } from '../prefers-page.ts';
import { answer } from '../respond.ts';
import type { GraphqlFace, GraphqlFaceDeps } from './graphql-face.ts';
import { contentType, negotiate } from './media-type.ts';
import { presentRefusal } from './refusal.ts';

export const GRAPHQL_PATH = '/graphql';

/** Bytes that somebody who has not signed in may send: the longest document that there may be, and nothing more. */
const MAX_STRANGERS_BYTES = 16_384;

/** Where a person looks around. */
const PAGE_PATH = '/graphiql';

async function loadFace(deps: GraphqlFaceDeps): Promise<GraphqlFace> {
  const [{ GraphqlFace }, { createSchema }] = await Promise.all([import('./graphql-face.ts'), import('./schema.ts')]);
  return new GraphqlFace(createSchema(), deps);
}

export function graphqlRoutes(deps: GraphqlFaceDeps, load = loadFace): Hono<FaceEnv> {
  const face = loadOnce(() => load(deps));
  const handle = async (c: FaceContext): Promise<Response> => (await face()).handle(c);
  return new Hono<FaceEnv>().get('/', handle).post('/', guardJson(), handle);
}

/** Before authentication: a person who opens the address in a browser wants the page that asks for a token. */
export function redirectBrowsers(): FaceMiddleware {
  return (c, next) => {
    const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
    const isPage = reads && c.req.query('query') === undefined && wantsPage(c);
    return isPage ? Promise.resolve(answer(null, 303, { Location: PAGE_PATH, Vary: 'Accept' })) : next();
  };
}

/** Whoever has not signed in may ask a little (`public-fields.ts`), and gets little read. @throws `payload_too_large` */
export function guardGraphqlBody(): FaceMiddleware {
  const ofStrangers = guardBody(MAX_STRANGERS_BYTES);
  const ofOthers = guardBody();
  return (c, next) => (c.get('caller').principal.kind === 'anonymous' ? ofStrangers : ofOthers)(c, next);
}

/** What a guard, the authentication or this face refused, in GraphQL's shape. */
export function presentGraphqlError(c: FaceContext, error: HearthError, requestId: string, origin: string): Response {
  const { status, headers } = answerHead(error, requestId, origin);
  const type = negotiate(headerOf(c, 'accept')) ?? 'application/json';
  return answer(JSON.stringify(presentRefusal(error, requestId)), status, { ...headers, ...contentType(type) });
}
