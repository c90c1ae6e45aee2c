/**
 * The HTTP face: one Hono app over the operations. It parses a request, calls one operation and presents what comes back;
 * it holds no rules and no data. Read `createHttpFace` from top to bottom: that is the way of every request.
 */
import { Hono } from 'hono';
import type { EventReports } from '../home/event-reports.ts';
import type { HomeEvents } from '../home/events.ts';
import { HearthError } from '../kernel/errors.ts';
import type { EventBus } from '../kernel/event-bus.ts';
import { newId } from '../kernel/ids.ts';
import { authenticate, authenticateIfGiven } from './authenticate.ts';
import type { FaceContext, FaceEnv } from './env.ts';
import { internalError, methodNotAllowed, presentError } from './error-table.ts';
import { FailureLog, isExpected } from './failure-log.ts';
import {
  GRAPHQL_PATH,
  graphqlRoutes,
  guardGraphqlBody,
  presentGraphqlError,
  redirectBrowsers,
} from './graphql/graphql-routes.ts';
import { guardBody, guardHost, guardOrigin, noteAddress, requestOrigin } from './guards.ts';
import { healthRoutes, type RelayInfo } from './health.ts';
import { htmlRoutes } from './html/html-routes.tsx';
import { PageSessions } from './html/page-session.ts';
import { incomingWebhookRoutes, withoutWebhookId } from './incoming-webhook.ts';
import { EVENTS_PATH, eventsRoutes } from './live/events-route.ts';
import { LiveClients } from './live/live-clients.ts';
import { liveFigures } from './live/live-figures.ts';
import type { LiveRing } from './live/live-ring.ts';
import { webSocketRoutes, webSocketUpgrades } from './live/websocket/web-socket-routes.ts';
import { MCP_PATH, mcpRoutes } from './mcp/mcp-routes.ts';
import { METRICS_PATH, metricsRoutes } from './metrics/metrics-routes.ts';
import { RequestTimings } from './metrics/request-timings.ts';
import { oauthRoutes } from './oauth/oauth-routes.tsx';
import { openApiRoutes } from './openapi/openapi.ts';
import { ownTracksRoutes } from './owntracks.ts';
import { dashboardFiles, dashboardPages } from './pages/dashboard.ts';
import { BUILT_PAGES, pageRoutes } from './pages/pages.ts';
import { RememberingRouter } from './remembering-router.ts';
import { backupUpload } from './rest/backups.ts';
import { type RestDeps, restRoutes } from './rest/routes.ts';
import { shareRoutes, withoutShareHash } from './share/share-routes.ts';

export interface FaceDeps extends RestDeps {
  readonly info: RelayInfo;
  /** What live answers listen to. */
  readonly bus: EventBus<HomeEvents>;
  /** The same in the words of the API. */
  readonly reports: EventReports;
  /** The last of them, for those who look on. */
  readonly live: LiveRing;
  readonly isReady: () => boolean;
  /** Where the built pages are, if not beside the daemon's own code. */
  readonly pagesDirectory?: string | undefined;
}

export function createHttpFace(deps: FaceDeps): Hono<FaceEnv> {
  // Not strict: a slash too many at the end of a path is no reason for a 404.
  const app = new Hono<FaceEnv>({ strict: false, router: new RememberingRouter() });
  const { guards } = deps;
  const failures = new FailureLog(deps);
  const pageSessions = new PageSessions(deps);
  const originOf = requestOrigin(guards);
  const timings = new RequestTimings(deps);
  const clients = new LiveClients();

  app.use(timings.measure());
  app.use(guardHost(guards));
  app.route('/', webSocketUpgrades({ ...deps, failures, clients }));
  app.use(guardOrigin(guards));
  app.use(noteAddress(guards));

  app.route('/', healthRoutes(deps));
  app.route('/', webSocketRoutes());
  app.route('/', openApiRoutes(deps.info.version));
  app.route('/', pageRoutes(deps.pagesDirectory ?? BUILT_PAGES));
  app.route('/', dashboardFiles(deps.pagesDirectory ?? BUILT_PAGES));
  app.use(GRAPHQL_PATH, redirectBrowsers());
  app.use(dashboardPages(deps.pagesDirectory ?? BUILT_PAGES));
  app.route('/', htmlRoutes({ ...deps, pageSessions, failures }));
  app.route('/', oauthRoutes({ ...deps, pageSessions, failures }));

  app.route('/', ownTracksRoutes(deps));
  app.route('/', incomingWebhookRoutes(deps));
  const ofPages = { pageSessions, pagesDirectory: deps.pagesDirectory ?? BUILT_PAGES };
  app.route('/', shareRoutes({ ...deps, ...ofPages, failures, clients }));

  // Signing in is part of GraphQL: who has not may ask for that, and for what is public besides.
  app.use(GRAPHQL_PATH, authenticateIfGiven(deps.credentials), guardGraphqlBody());
  app.route(GRAPHQL_PATH, graphqlRoutes({ ...deps, failures, clients }));

  app.route(MCP_PATH, mcpRoutes({ ...deps, failures, clients }));

  app.use(authenticate(deps.credentials));
  // The one body with a limit of its own.
  app.route('/rest/backups', backupUpload(deps));
  // Not before: nobody unknown gets a body read, let alone kept in memory.
  app.use(guardBody());

  app.route('/rest', restRoutes(deps));
  app.route(EVENTS_PATH, eventsRoutes({ ...deps, failures, clients }));
  const ofFace = () => [...timings.figures(), ...liveFigures({ ...deps, clients })];
  app.route(METRICS_PATH, metricsRoutes({ ...deps, ofFace }));

  app.notFound((c) => {
    throw noRoute(app, c);
  });
  app.onError((error, c) => {
    const { method, path } = c.req;
    const requestId = c.get('caller')?.requestId ?? newId();
    failures.note(error, { requestId, method, path: withoutShareHash(withoutWebhookId(path)) });
    const expected = isExpected(error) ? error : internalError();
    if (path === GRAPHQL_PATH || path.startsWith(`${GRAPHQL_PATH}/`)) {
      return presentGraphqlError(c, expected, requestId, originOf(c));
    }
    return presentError(expected, requestId, originOf(c));
  });

  return app;
}

/** 405 where the path exists under another method, else 404. */
function noRoute(app: Hono<FaceEnv>, c: FaceContext): HearthError {
  const { method, path } = c.req;
  const allow = METHODS.filter((other) =>
    // Middleware has a wildcard for its path; no route has.
    app.router.match(other, path)[0].some(([[, route]]) => route.method === other && !route.path.endsWith('*')),
  );
  if (allow.length === 0) return new HearthError('not_found', 'Not found: there is nothing at this address.');
  return methodNotAllowed(method, allow.includes('GET') ? ['HEAD', ...allow] : allow);
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
