/** `/ws`: who may open a WebSocket, and who it is that does. What comes to the other port at any path comes here too. */
import { Hono } from 'hono';
import type { Caller } from '../../../app/access/caller.ts';
import { authenticate, callerOf } from '../../authenticate.ts';
import { type FaceContext, type FaceEnv, type FaceMiddleware, headerOf } from '../../env.ts';
import { presentErrorBody } from '../../error-table.ts';
import { allowedOrigins, foreignOrigin, type GuardOptions, noteAddress, requestOrigin } from '../../guards.ts';
import { answerJson } from '../../respond.ts';
import { upgradeRequired, WEB_SOCKET_PATH } from '../../upgrade.ts';
import { type WebSocketDeps, WebSockets } from './web-sockets.ts';

/** Mounted before the guard of origins: a WebSocket is judged more strictly, and by both ports. Plain requests pass by. */
export function webSocketUpgrades(deps: WebSocketDeps): Hono<FaceEnv> {
  const webSockets = new WebSockets(deps);
  return new Hono<FaceEnv>().use(
    WEB_SOCKET_PATH,
    ofUpgrades(guardWebSocketOrigin(deps.guards)),
    ofUpgrades(noteAddress(deps.guards)),
    ofUpgrades(identify(deps)),
    (c, next) => (c.env?.upgrade ? webSockets.accept(c, c.env.upgrade, c.get('caller')) : next()),
  );
}

/** What plain requests get there, which pass the guards that all others do. */
export function webSocketRoutes(): Hono<FaceEnv> {
  return new Hono<FaceEnv>().get(WEB_SOCKET_PATH, () => {
    const { error, status } = upgradeRequired();
    return answerJson(presentErrorBody(error), status, { Upgrade: 'websocket', Connection: 'Upgrade' });
  });
}

function ofUpgrades(step: FaceMiddleware): FaceMiddleware {
  return (c, next) => (c.env?.upgrade ? step(c, next) : next());
}

/**
 * Browsers let any page open a WebSocket to anywhere, with no preflight, and send along who asks in the header Origin: only our own pages
 * and those of configured origins may. A page of the HTTP port is ours on the other port too. Programs send no Origin.
 * @throws `forbidden_origin`
 */
function guardWebSocketOrigin(options: GuardOptions): FaceMiddleware {
  const allowed = allowedOrigins(options);
  const originOf = requestOrigin(options);
  return (c, next) => {
    const origin = headerOf(c, 'origin')?.toLowerCase();
    if (origin === undefined || origin === originOf(c) || allowed().has(origin)) return next();
    if (c.env?.upgrade?.onOwnPort && origin === onHttpPort(originOf(c), options)) return next();
    throw foreignOrigin(origin);
  };
}

/** The same host and scheme, on the port of the HTTP face. */
function onHttpPort(origin: string, { ownUrl }: GuardOptions): string | undefined {
  if (!ownUrl || !URL.canParse(origin)) return undefined;
  const { hostname, protocol } = new URL(origin);
  return new URL(`${protocol}//${hostname}:${new URL(ownUrl()).port}`).origin;
}

/**
 * By the header Authorization, by `?token=` for clients that can send no headers (browsers) and say it at once, else nobody yet: then
 * `authenticate` says it later. @throws `invalid_token` a wrong one, whichever way it came
 */
function identify({ credentials }: Pick<WebSocketDeps, 'credentials'>): FaceMiddleware {
  const byHeader = authenticate(credentials);
  return async (c, next) => {
    if (c.env?.viaSocket || headerOf(c, 'authorization') !== undefined) return byHeader(c, next);
    c.set('caller', await byQuery(c, credentials));
    return next();
  };
}

async function byQuery(c: FaceContext, credentials: WebSocketDeps['credentials']): Promise<Caller> {
  const token = c.req.query('token');
  if (token === undefined || token === '') return callerOf(c, { kind: 'anonymous' });
  return callerOf(c, await credentials.authenticate(token, 'api'));
}
