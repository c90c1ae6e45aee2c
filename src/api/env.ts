import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Caller } from '../app/access/caller.ts';
import type { SocketStream } from './live/sse-sinks.ts';
import type { RequestTurns } from './request-turns.ts';
import type { Upgrade } from './upgrade.ts';

/** The context of every request to the API. */
export interface ApiEnv {
  /** Absent when the API is called without a socket, as tests and the relay's own `fetch` do. */
  Bindings: Partial<HttpBindings> & {
    /** The request came through `hearthd.sock`: the file's mode is its authentication. */
    readonly viaSocket?: boolean;
    /** Set if the request asks for an upgrade to WebSocket. */
    readonly upgrade?: Upgrade;
    /** A route whose response is a stream leaves it here, where the server has the place for it. */
    stream?: SocketStream | undefined;
    /** Schedules expensive work in the middle of a request. */
    readonly turns?: RequestTurns;
  };
  Variables: {
    /** The client's network address, behind trusted proxies; set by `noteAddress`. None on the Unix socket. */
    address?: string | undefined;
    /** Counts requests with wrong credentials. */
    strangers?: { count(c: GuardedRequest): void } | undefined;
    /** Set by `authenticate`; every route after it can rely on it. */
    caller: Caller;
  };
}

export type ApiContext = Context<ApiEnv>;
export type ApiMiddleware = MiddlewareHandler<ApiEnv>;

/** What the guards read of a request: of Hono's context, and of a quick request. */
export interface GuardedRequest {
  readonly env: ApiEnv['Bindings'];
  readonly req: { readonly method: string; readonly url: string; header(name: string): string | undefined };
  get<K extends keyof ApiEnv['Variables']>(name: K): ApiEnv['Variables'][K];
  set<K extends keyof ApiEnv['Variables']>(name: K, value: ApiEnv['Variables'][K]): void;
}

/** A step before a route. @throws what the client is answered instead */
export type Check = (c: GuardedRequest) => void;

export function middlewareOf(check: Check): ApiMiddleware {
  return (c, next) => {
    check(c);
    return next();
  };
}

/** A request header. Hono's own look-up searches the list of raw headers each time; Node has them by name already. */
export function headerOf(c: Pick<GuardedRequest, 'env' | 'req'>, name: KnownHeader): string | undefined {
  const incoming = c.env?.incoming;
  return incoming ? incoming.headers[name] : c.req.header(name);
}

/** Headers of which Node keeps the first or the only value, as a string. */
type KnownHeader =
  | 'accept'
  | 'accept-encoding'
  | 'access-control-request-method'
  | 'authorization'
  | 'content-encoding'
  | 'content-length'
  | 'content-type'
  | 'cookie'
  | 'host'
  | 'if-none-match'
  | 'origin'
  | 'transfer-encoding';
