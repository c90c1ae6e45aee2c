/**
 * OAuth 2.1 over HTTP (API §4.3): apps register, users authorize them, and they get tokens. Before authentication,
 * since it is a way to authenticate. It wraps a certified library (`provider.ts`), which responds only through
 * `provider-bridge.ts`.
 *
 * Errors go to the party that caused them: programs get JSON (RFC 6749), apps a redirect, and people a page if there is
 * no trusted redirect URI.
 */
import { Hono } from 'hono';
import { type Allowance, Allowances } from '../../app/access/allowances.ts';
import { addressKey } from '../../app/access/attempts.ts';
import type { Operations } from '../../app/operations.ts';
import { presentClientMetadata, type RegisteredApp, RegistrationError } from '../../contract/oauth-clients.ts';
import { newId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import { parseUrl } from '../../kernel/parse-url.ts';
import { callerOf } from '../authenticate.ts';
import { Cookies } from '../cookies.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { internalError, methodNotAllowed } from '../error-table.ts';
import type { FailureLog } from '../failure-log.ts';
import { type GuardOptions, guardBody, guardJson, requestOrigin } from '../guards.ts';
import { ErrorPage, presentErrorPage } from '../html/error-page.tsx';
import { answerPage, seeOther } from '../html/page.tsx';
import type { PageSessions } from '../html/page-session.ts';
import { sentenceOf } from '../html/sentences.ts';
import { type PageTexts, textsOf } from '../html/texts.ts';
import { languageOf } from '../language.ts';
import { readJson } from '../read-body.ts';
import { answerJson } from '../respond.ts';
import { AuthorizationServers } from './authorization-server.ts';
import { interactionRoutes } from './interaction.tsx';
import { interactionCookies, keepInteraction } from './interaction-cookie.ts';
import { InteractionStore } from './interaction-store.ts';
import { metadataRoutes } from './metadata.ts';
import { presentOAuthError } from './oauth-errors.ts';
import { PATHS } from './provider.ts';
import { askProvider, errorOf, type ProviderAnswer } from './provider-bridge.ts';
import { authorizeParameters } from './request-parameters.ts';
import { TokenEndpoint } from './token-endpoint.ts';

export interface OAuthFaceDeps extends Readonly<Operations> {
  readonly guards: GuardOptions;
  readonly pageSessions: PageSessions;
  readonly failures: FailureLog;
  readonly logger: Logger;
}

/** No request of an app is this large. */
const MAX_BODY_BYTES = 65_536;

/** Not a real origin: the base for resolving a location without an origin. */
const ORIGIN_OF_PATHS = 'https://path.invalid';

/**
 * Sign-ins that one address may begin: fewer in their half hour than the store holds, so that one address cannot evict
 * all others.
 */
const SIGN_INS_PER_ADDRESS: Allowance = { burst: 300, perSecond: 0.2 };

export function oauthRoutes(deps: OAuthFaceDeps): Hono<ApiEnv> {
  const originOf = requestOrigin(deps.guards);
  const servers = new AuthorizationServers({ ...deps, interactions: new InteractionStore(deps.clock) });
  return new Hono<ApiEnv>()
    .route('/', metadataRoutes(originOf))
    .route('/', programRoutes(deps, servers, originOf))
    .route('/', personRoutes(deps, servers, originOf));
}

type OriginOf = (c: ApiContext) => string;

/** For programs; responses are JSON. */
function programRoutes(deps: OAuthFaceDeps, servers: AuthorizationServers, originOf: OriginOf): Hono<ApiEnv> {
  const tokens = new TokenEndpoint({ ...deps, servers, originOf });
  const app = new Hono<ApiEnv>();
  for (const path of [PATHS.register, '/register']) {
    app.post(path, guardBody(MAX_BODY_BYTES), guardJson(), async (c) => register(deps, c)).all(path, onlyPost);
  }
  app.post(PATHS.token, guardBody(MAX_BODY_BYTES), (c) => tokens.exchange(c)).all(PATHS.token, onlyPost);
  app.post(PATHS.revoke, guardBody(MAX_BODY_BYTES), (c) => tokens.revoke(c)).all(PATHS.revoke, onlyPost);
  app.onError((error, c) => presentOAuthError(error, note(deps, error, c)));
  return app;
}

/** For people's browsers; responses are pages and redirects. */
function personRoutes(deps: OAuthFaceDeps, servers: AuthorizationServers, originOf: OriginOf): Hono<ApiEnv> {
  const cookies = new Cookies(deps.guards);
  const allowances = new Allowances(deps.clock, 'Too many sign-ins were begun from here. Wait a minute and try again.');
  const app = new Hono<ApiEnv>()
    .get(PATHS.authorize, async (c) => {
      allowances.take(addressKey(c.get('address')), SIGN_INS_PER_ADDRESS);
      const origin = originOf(c);
      const query = authorizeParameters(new URL(c.req.url).searchParams, origin);
      const answered = await ask(servers, origin, `${PATHS.authorize}?${query}`);
      return presentStep(cookies, c, isTrusted(deps, query.get('client_id')) ? answered : withoutRedirect(answered));
    })
    .get(`${PATHS.authorize}/:uid`, async (c) => {
      const uid = c.req.param('uid');
      const target = `${PATHS.authorize}/${encodeURIComponent(uid)}`;
      const answered = await ask(servers, originOf(c), target, interactionCookies(cookies, c, uid));
      return presentStep(cookies, c, answered, uid);
    })
    .all(PATHS.authorize, onlyGet)
    .all(`${PATHS.authorize}/:uid`, onlyGet)
    .use(`${PATHS.interaction}/*`, guardBody(MAX_BODY_BYTES))
    .route('/', interactionRoutes({ ...deps, cookies, servers, originOf }));
  app.onError((error, c) => {
    return presentErrorPage(error, c, note(deps, error, c));
  });
  return app;
}

/** POST `/oauth/register` (RFC 7591). Public. */
async function register({ oauthClients }: OAuthFaceDeps, c: ApiContext): Promise<Response> {
  const { client, secret } = oauthClients.register(callerOf(c, { kind: 'anonymous' }), await readJson(c));
  const body: RegisteredApp = {
    client_id: client.id,
    ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 as const }),
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

/** Whether a user has ever authorized the app. */
function isTrusted({ oauthClients }: OAuthFaceDeps, clientId: string | null): boolean {
  return typeof oauthClients.find(clientId ?? '')?.lastUsedAt === 'number';
}

/**
 * Any client may register an app. If errors were redirected to the app's URI, every link of the relay could lead there:
 * an open redirector (RFC 9700 §4.11.2). So the relay shows the error on its own page, until a user has authorized the
 * app.
 */
function withoutRedirect(answered: ProviderAnswer): ProviderAnswer {
  const { location } = answered;
  const target = location === undefined ? undefined : parseUrl(location, ORIGIN_OF_PATHS);
  // The relay's own next step is a path.
  if (!target || target.origin === ORIGIN_OF_PATHS) return answered;
  const fields = new URLSearchParams(target.search || target.hash.slice(1));
  const body = JSON.stringify({ error: fields.get('error'), error_description: fields.get('error_description') });
  return { ...answered, status: 400, location: undefined, body };
}

/**
 * One step of a sign-in: a redirect to the next, with the cookie that ties it to this browser, or a page with the
 * error.
 */
function presentStep(cookies: Cookies, c: ApiContext, answered: ProviderAnswer, uid?: string): Response {
  const { status, location } = answered;
  keepInteraction(cookies, c, answered.cookies, uid);
  if (location !== undefined) return seeOther(c, location);
  const { error, description } = errorOf(answered);
  const texts = textsOf(c);
  const message =
    error === 'server_error' ? sentenceOf(internalError(), languageOf(c)) : refusedIn(texts, error, description);
  return answerPage(c, <ErrorPage texts={texts} title={texts.appRefused.title} message={message} />, { status });
}

function refusedIn({ appRefused }: PageTexts, error: string, description: string | undefined): string {
  if (error === 'invalid_client' || error === 'invalid_redirect_uri') return appRefused[error];
  return appRefused.other({ what: description ?? error });
}

function note({ failures }: OAuthFaceDeps, error: unknown, c: ApiContext): string {
  const requestId = newId();
  if (!(error instanceof RegistrationError))
    failures.note(error, { requestId, method: c.req.method, path: withoutUid(c.req.path) });
  return requestId;
}

/** The id of a sign-in is a secret: no log may contain it. */
function withoutUid(path: string): string {
  return path.replace(/^(\/oauth\/(?:authorize|interaction)\/).*/, '$1…');
}

function onlyPost(c: ApiContext): never {
  throw methodNotAllowed(c.req.method, ['POST']);
}

function onlyGet(c: ApiContext): never {
  throw methodNotAllowed(c.req.method, ['HEAD', 'GET']);
}
