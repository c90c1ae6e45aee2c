/** `/ws`: authorizes and authenticates WebSocket upgrades. The other port's upgrades at any path come here too. */
import { Hono } from 'hono';
import type { Caller } from '../../../app/access/caller.ts';
import { parseUrl } from '../../../kernel/parse-url.ts';
import { authenticate, callerOf, judged } from '../../authenticate.ts';
import { type ApiContext, type ApiEnv, type ApiMiddleware, headerOf } from '../../env.ts';
import { presentErrorBody } from '../../error-table.ts';
import { allowedOrigins, foreignOrigin, type GuardOptions, noteAddress, requestOrigin } from '../../guards.ts';
import { answerJson } from '../../respond.ts';
import type { Strangers } from '../../strangers.ts';
import { upgradeRequired, WEB_SOCKET_PATH } from '../../upgrade.ts';
import { type WebSocketDeps, WebSockets } from './web-sockets.ts';

/**
 * Mounted before the guard of origins: WebSockets have a stricter check, on both ports. Plain requests pass through.
 */
export function webSocketUpgrades(deps: WebSocketDeps & { readonly strangers: Strangers }): Hono<ApiEnv> {
  const webSockets = new WebSockets(deps);
  return new Hono<ApiEnv>().use(
    WEB_SOCKET_PATH,
    ofUpgrades(guardWebSocketOrigin(deps.guards)),
    ofUpgrades(noteAddress(deps.guards)),
    ofUpgrades(deps.strangers.note()),
    ofUpgrades(identify(deps)),
    (c, next) => (c.env?.upgrade ? webSockets.accept(c, c.env.upgrade, c.get('caller')) : next()),
  );
}

/** The response to plain requests, which pass the same guards as all others. */
export function webSocketRoutes(): Hono<ApiEnv> {
  return new Hono<ApiEnv>().get(WEB_SOCKET_PATH, () => {
    const { error, status } = upgradeRequired();
    return answerJson(presentErrorBody(error), status, { Upgrade: 'websocket', Connection: 'Upgrade' });
  });
}

function ofUpgrades(step: ApiMiddleware): ApiMiddleware {
  return (c, next) => (c.env?.upgrade ? step(c, next) : next());
}

/**
 * Browsers let any page open a WebSocket to anywhere, with no preflight, and send the page in the header Origin: only
 * the relay's own pages and those of configured origins may. A page of the HTTP port may use the other port too.
 * Programs send no Origin.
 * @throws `forbidden_origin`
 */
function guardWebSocketOrigin(options: GuardOptions): ApiMiddleware {
  const allowed = allowedOrigins(options);
  const originOf = requestOrigin(options);
  return (c, next) => {
    const origin = headerOf(c, 'origin')?.toLowerCase();
    if (origin === undefined || origin === originOf(c) || allowed().has(origin)) return next();
    if (c.env?.upgrade?.onOwnPort && origin === onHttpPort(originOf(c), options)) return next();
    throw foreignOrigin(origin);
  };
}

/** The same host and scheme, on the port of the HTTP API. */
function onHttpPort(origin: string, { ownUrl }: GuardOptions): string | undefined {
  const url = ownUrl && parseUrl(origin);
  return url && new URL(`${url.protocol}//${url.hostname}:${new URL(ownUrl()).port}`).origin;
}

/**
 * By the header Authorization, or by `?token=` for clients that cannot send headers (browsers) but authenticate at
 * once; else the client is anonymous until `authenticate`. @throws `invalid_token` a wrong token, in either place ·
 * `rate_limited` too many requests of a stranger
 */
function identify({ credentials }: Pick<WebSocketDeps, 'credentials'>): ApiMiddleware {
  const byHeader = authenticate(credentials);
  return async (c, next) => {
    if (c.env?.viaSocket || headerOf(c, 'authorization') !== undefined) return byHeader(c, next);
    c.set('caller', await byQuery(c, credentials));
    return next();
  };
}

async function byQuery(c: ApiContext, credentials: WebSocketDeps['credentials']): Promise<Caller> {
  const token = c.req.query('token');
  if (token === undefined || token === '') {
    c.get('strangers')?.count(c);
    return callerOf(c, { kind: 'anonymous' });
  }
  return callerOf(c, await judged(c, () => credentials.authenticate(token, 'api')));
}
