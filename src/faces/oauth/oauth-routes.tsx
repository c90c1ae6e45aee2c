/**
 * OAuth 2.1 on the wire (API §4.3): apps register, people allow them, tokens come of it. Before authentication, since it is a way to
 * come by it. Around a certified library (`provider.ts`), which answers through `provider-bridge.ts` only.
 *
 * Whoever the fault concerns hears of it: programs get JSON (RFC 6749), apps a redirect, and people a page, where there is no address
 * that could be trusted to send them to.
 */
import { Hono } from 'hono';
import { type Allowance, Allowances } from '../../app/access/allowances.ts';
import { addressKey } from '../../app/access/attempts.ts';
import { presentClientMetadata, RegistrationError } from '../../app/oauth/client-metadata.ts';
import type { Operations } from '../../app/operations.ts';
import { newId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import { callerOf } from '../authenticate.ts';
import { type FaceContext, type FaceEnv, headerOf } from '../env.ts';
import { internalError, methodNotAllowed } from '../error-table.ts';
import type { FailureLog } from '../failure-log.ts';
import { type GuardOptions, guardBody, guardJson, requestOrigin } from '../guards.ts';
import { ErrorPage, presentErrorPage } from '../html/error-page.tsx';
import { answerPage, seeOther } from '../html/page.tsx';
import type { PageSessions } from '../html/page-session.ts';
import { sentenceOf } from '../html/sentences.ts';
import { type PageTexts, textsOf } from '../html/texts/texts.ts';
import { languageOf } from '../language.ts';
import { answerJson } from '../respond.ts';
import { readJson } from '../rest/request.ts';
import { AuthorizationServers } from './authorization-server.ts';
import { interactionRoutes } from './interaction.tsx';
import { InteractionStore } from './interaction-store.ts';
import { metadataRoutes } from './metadata.ts';
import { presentOAuthError } from './oauth-errors.ts';
import { INTERACTION_COOKIES, PATHS } from './provider.ts';
import { askProvider, errorOf, type ProviderAnswer } from './provider-bridge.ts';
import { authorizeParameters } from './request-parameters.ts';
import { TokenEndpoint } from './token-endpoint.ts';

export interface OAuthFaceDeps extends Readonly<Operations> {
  readonly guards: GuardOptions;
  readonly pageSessions: PageSessions;
  readonly failures: FailureLog;
  readonly logger: Logger;
}

/** No request of an app comes near. */
const MAX_BODY_BYTES = 65_536;

/** Sign-ins that one address may begin: fewer in their half hour than are kept, so that nobody alone pushes others' out. */
const SIGN_INS_PER_ADDRESS: Allowance = { burst: 300, perSecond: 0.2 };

export function oauthRoutes(deps: OAuthFaceDeps): Hono<FaceEnv> {
  const originOf = requestOrigin(deps.guards);
  const servers = new AuthorizationServers({ ...deps, interactions: new InteractionStore(deps.clock) });
  return new Hono<FaceEnv>()
    .route('/', metadataRoutes(originOf))
    .route('/', programRoutes(deps, servers, originOf))
    .route('/', personRoutes(deps, servers, originOf));
}

type OriginOf = (c: FaceContext) => string;

/** Asked by programs, answered in JSON. */
function programRoutes(deps: OAuthFaceDeps, servers: AuthorizationServers, originOf: OriginOf): Hono<FaceEnv> {
  const tokens = new TokenEndpoint({ ...deps, servers, originOf });
  const app = new Hono<FaceEnv>();
  for (const path of [PATHS.register, '/register']) {
    app.post(path, guardBody(MAX_BODY_BYTES), guardJson(), async (c) => register(deps, c)).all(path, onlyPost);
  }
  app.post(PATHS.token, guardBody(MAX_BODY_BYTES), (c) => tokens.exchange(c)).all(PATHS.token, onlyPost);
  app.post(PATHS.revoke, guardBody(MAX_BODY_BYTES), (c) => tokens.revoke(c)).all(PATHS.revoke, onlyPost);
  app.onError((error, c) => presentOAuthError(error, note(deps, error, c)));
  return app;
}

/** Opened by people's browsers, answered with pages and redirects. */
function personRoutes(deps: OAuthFaceDeps, servers: AuthorizationServers, originOf: OriginOf): Hono<FaceEnv> {
  const allowances = new Allowances(deps.clock, 'Too many sign-ins were begun from here. Wait a minute and try again.');
  const app = new Hono<FaceEnv>()
    .get(PATHS.authorize, async (c) => {
      allowances.take(addressKey(c.get('address')), SIGN_INS_PER_ADDRESS);
      const origin = originOf(c);
      const query = authorizeParameters(new URL(c.req.url).searchParams, origin);
      return presentStep(c, await ask(servers, origin, `${PATHS.authorize}?${query}`));
    })
    .get(`${PATHS.authorize}/:uid`, async (c) => {
      const target = `${PATHS.authorize}/${encodeURIComponent(c.req.param('uid'))}`;
      return presentStep(c, await ask(servers, originOf(c), target, headerOf(c, 'cookie')));
    })
    .all(PATHS.authorize, onlyGet)
    .all(`${PATHS.authorize}/:uid`, onlyGet)
    .use(`${PATHS.interaction}/*`, guardBody(MAX_BODY_BYTES))
    .route('/', interactionRoutes({ ...deps, servers, originOf }));
  app.onError((error, c) => {
    return presentErrorPage(error, c, note(deps, error, c));
  });
  return app;
}

/** POST `/oauth/register` (RFC 7591). Anybody may ask. */
async function register({ oauthClients }: OAuthFaceDeps, c: FaceContext): Promise<Response> {
  const { client, secret } = oauthClients.register(callerOf(c, { kind: 'anonymous' }), await readJson(c));
  const body = {
    client_id: client.id,
    ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
    client_id_issued_at: Math.floor(client.createdAt / 1_000),
    ...presentClientMetadata(client.metadata),
  };
  return answerJson(body, 201);
}

async function ask(
  servers: AuthorizationServers,
  origin: string,
  target: string,
  cookie?: string,
): Promise<ProviderAnswer> {
  const server = await servers.at(origin);
  return askProvider(server.callback(), { method: 'GET', target, origin, cookie });
}

/** A step of the way: on to the next, with the cookies that tie it to this browser, or a page that says why it ends here. */
function presentStep(c: FaceContext, answered: ProviderAnswer): Response {
  const { status, location, cookies } = answered;
  for (const cookie of cookies.filter(isOfInteraction)) c.header('Set-Cookie', cookie, { append: true });
  if (location !== undefined) return seeOther(c, location);
  const { error, description } = errorOf(answered);
  const texts = textsOf(c);
  const message =
    error === 'server_error' ? sentenceOf(internalError(), languageOf(c)) : refusedIn(texts, error, description);
  return answerPage(c, <ErrorPage texts={texts} title={texts.appRefused.title} message={message} />, { status });
}

function refusedIn({ appRefused }: PageTexts, error: string, description: string | undefined): string {
  if (error === 'invalid_client' || error === 'invalid_redirect_uri') return appRefused[error];
  return appRefused.other(description ?? error);
}

function isOfInteraction(cookie: string): boolean {
  return Object.values(INTERACTION_COOKIES).some((name) => cookie.startsWith(`${name}=`));
}

function note({ failures }: OAuthFaceDeps, error: unknown, c: FaceContext): string {
  const requestId = newId();
  if (!(error instanceof RegistrationError))
    failures.note(error, { requestId, method: c.req.method, path: withoutUid(c.req.path) });
  return requestId;
}

/** What ties a sign-in to its browser is not for the log. */
function withoutUid(path: string): string {
  return path.replace(/^(\/oauth\/(?:authorize|interaction)\/).*/, '$1…');
}

function onlyPost(c: FaceContext): never {
  throw methodNotAllowed(c.req.method, ['POST']);
}

function onlyGet(c: FaceContext): never {
  throw methodNotAllowed(c.req.method, ['HEAD', 'GET']);
}
