/**
 * The HTTP API: one Hono app over the operations. It parses a request, calls one operation and presents the result; it
 * holds no rules and no data. `createHttpApi` lists the steps of every request in order.
 */
import { Hono } from 'hono';
import type { EventReports } from '../home/event-reports.ts';
import type { HomeEvents } from '../home/events.ts';
import { HearthError } from '../kernel/errors.ts';
import type { EventBus } from '../kernel/event-bus.ts';
import { newId } from '../kernel/ids.ts';
import type { ApiDeps } from './api-deps.ts';
import { authenticate, authenticateIfGiven } from './authenticate.ts';
import type { ApiContext, ApiEnv } from './env.ts';
import { internalError, methodNotAllowed, presentError } from './error-table.ts';
import { FailureLog, isExpected } from './failure-log.ts';
import {
  GRAPHQL_PATH,
  graphqlRoutes,
  guardGraphqlBody,
  presentGraphqlError,
  redirectBrowsers,
} from './graphql/graphql-routes.ts';
import { guardBody, guardHost, guardOrigin, noteAddress, redirectToHttps, requestOrigin } from './guards.ts';
import { healthRoutes, type RelayInfo } from './health.ts';
import { presentErrorPage } from './html/error-page.tsx';
import { htmlRoutes } from './html/html-routes.tsx';
import { PageSessions } from './html/page-session.ts';
import { incomingWebhookRoutes, withoutWebhookId } from './incoming-webhook.ts';
import { EVENTS_PATH, eventsRoutes } from './live/events-route.ts';
import { LiveClients } from './live/live-clients.ts';
import { liveMetrics } from './live/live-metrics.ts';
import type { LiveRing } from './live/live-ring.ts';
import { webSocketRoutes, webSocketUpgrades } from './live/websocket/web-socket-routes.ts';
import { MCP_PATH, mcpRoutes } from './mcp/mcp-routes.ts';
import { METRICS_PATH, metricsRoutes } from './metrics/metrics-routes.ts';
import { RequestTimings } from './metrics/request-timings.ts';
import { notificationActionRoutes, withoutButtonToken } from './notification-action.ts';
import { oauthRoutes } from './oauth/oauth-routes.tsx';
import { openApiRoutes } from './openapi/openapi-routes.ts';
import { ownTracksRoutes } from './owntracks.ts';
import { dashboardFiles, dashboardPages } from './pages/dashboard.ts';
import { BUILT_PAGES, pageRoutes } from './pages/pages.ts';
import { wantsPage } from './prefers-page.ts';
import { QuickRoutes } from './quick/quick-routes.ts';
import { RememberingRouter } from './remembering-router.ts';
import { backupUpload } from './rest/backups.ts';
import { restRoutes } from './rest/routes.ts';
import { shareRoutes, withoutShareHash } from './share/share-routes.ts';
import { Strangers } from './strangers.ts';

export interface HttpApiDeps extends ApiDeps {
  readonly info: RelayInfo;
  /** The source of live responses. */
  readonly bus: EventBus<HomeEvents>;
  /** The same events in the API's format. */
  readonly reports: EventReports;
  /** The most recent events, for live clients. */
  readonly live: LiveRing;
  readonly isReady: () => boolean;
  /** The directory of the built pages, if not beside the daemon's own code. */
  readonly pagesDirectory?: string | undefined;
}

/** The server-rendered pages, OAuth, and buttons of notifications: they check no Authorization header. */
const OPEN_PATHS = [
  '/login',
  '/logout',
  '/setup',
  '/invite/*',
  '/account/*',
  '/trust/*',
  '/oauth/*',
  '/register',
  '/.well-known/*',
  '/notification-action/*',
  '/mcp/.well-known/*',
] as const;

export interface HttpApi {
  /** The long way: every request can take it. */
  readonly app: Hono<ApiEnv>;
  readonly quick: QuickRoutes;
}

export function createHttpApi(deps: HttpApiDeps): HttpApi {
  // Not strict: a trailing slash does not cause a 404.
  const app = new Hono<ApiEnv>({ strict: false, router: new RememberingRouter() });
  const { guards } = deps;
  const failures = new FailureLog(deps);
  const pageSessions = new PageSessions(deps);
  const originOf = requestOrigin(guards);
  const timings = new RequestTimings(deps);
  const clients = new LiveClients();
  const strangers = new Strangers(deps);
  const rest = restRoutes(deps);
  // It makes the same checks in the same order as what follows.
  const quick = new QuickRoutes({ ...deps, timings, strangers, failures }, rest.quick);

  app.use(timings.measure());
  app.use(guardHost(guards));
  app.use(redirectToHttps(guards));
  app.route('/', webSocketUpgrades({ ...deps, failures, clients, strangers }));
  app.use(guardOrigin(guards));
  app.use(noteAddress(guards));

  app.route('/', healthRoutes(deps));
  app.route('/', webSocketRoutes());
  app.route('/', openApiRoutes(deps.info.version));
  app.route('/', pageRoutes(deps.pagesDirectory ?? BUILT_PAGES));
  app.route('/', dashboardFiles(deps.pagesDirectory ?? BUILT_PAGES));
  app.use(GRAPHQL_PATH, redirectBrowsers());
  app.use(dashboardPages(deps.pagesDirectory ?? BUILT_PAGES));
  // It has a rate limit of its own: many kinds of devices call webhooks, maybe through one gateway.
  app.route('/', incomingWebhookRoutes(deps));
  // Files, pages and health above cost hardly more than an error response.
  app.use(strangers.limit());
  for (const path of OPEN_PATHS) app.use(path, strangers.limitAll());
  app.route('/', notificationActionRoutes(deps));
  app.route('/', htmlRoutes({ ...deps, pageSessions, failures, pagesDirectory: deps.pagesDirectory ?? BUILT_PAGES }));
  app.route('/', oauthRoutes({ ...deps, pageSessions, failures }));

  app.route('/', ownTracksRoutes(deps));
  const ofPages = { pageSessions, pagesDirectory: deps.pagesDirectory ?? BUILT_PAGES };
  app.route('/', shareRoutes({ ...deps, ...ofPages, failures, clients }));

  // GraphQL includes signing in: callers without a session may do that, and request public fields.
  app.use(GRAPHQL_PATH, authenticateIfGiven(deps.credentials), guardGraphqlBody());
  app.route(GRAPHQL_PATH, graphqlRoutes({ ...deps, failures, clients }));

  app.route(MCP_PATH, mcpRoutes({ ...deps, failures, clients }));

  app.use(authenticate(deps.credentials));
  // The only body with a limit of its own.
  app.route('/rest/backups', backupUpload(deps));
  // After authentication: the relay reads no body of an unauthenticated caller.
  app.use(guardBody());

  app.route('/rest', rest.routes);
  app.route(EVENTS_PATH, eventsRoutes({ ...deps, failures, clients }));
  const ofApi = () => [...timings.families(), ...liveMetrics({ ...deps, clients })];
  app.route(METRICS_PATH, metricsRoutes({ ...deps, ofApi }));

  app.notFound((c) => {
    throw noRoute(app, c);
  });
  app.onError((error, c) => {
    const { method, path } = c.req;
    const requestId = c.get('caller')?.requestId ?? newId();
    failures.note(error, { requestId, method, path: withoutShareHash(withoutWebhookId(withoutButtonToken(path))) });
    const expected = isExpected(error) ? error : internalError();
    if (path === GRAPHQL_PATH || path.startsWith(`${GRAPHQL_PATH}/`)) {
      return presentGraphqlError(c, expected, requestId, originOf(c));
    }
    // A person who opens a page gets an HTML error.
    if (expected.code === 'rate_limited' && wantsPage(c)) return presentErrorPage(expected, c, requestId);
    return presentError(expected, requestId, originOf(c));
  });

  return { app, quick };
}

/** 405 if the path exists under another method, else 404. */
function noRoute(app: Hono<ApiEnv>, c: ApiContext): HearthError {
  const { method, path } = c.req;
  const allow = METHODS.filter((other) =>
    // Middleware has a wildcard in its path; no route has.
    app.router.match(other, path)[0].some(([[, route]]) => route.method === other && !route.path.endsWith('*')),
  );
  if (allow.length === 0) return new HearthError('not_found', 'Not found: there is nothing at this address.');
  return methodNotAllowed(method, allow.includes('GET') ? ['HEAD', ...allow] : allow);
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
