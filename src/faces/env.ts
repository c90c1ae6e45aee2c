import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Caller } from '../app/access/caller.ts';
import type { Upgrade } from './upgrade.ts';

/** What travels with every request through the face. */
export interface FaceEnv {
  /** Absent when the face is called without a socket, as tests and the relay's own `fetch` do. */
  Bindings: Partial<HttpBindings> & {
    /** It came through `hearthd.sock`: the file's mode has already decided who may ask. */
    readonly viaSocket?: boolean;
    /** The connection that it came by asks to go on as a WebSocket. */
    readonly upgrade?: Upgrade;
  };
  Variables: {
    /** The network address of whoever asks, behind the proxies that are trusted; set by `noteAddress`. None on the Unix socket. */
    address?: string | undefined;
    /** Set by `authenticate`; every route behind it can rely on it. */
    caller: Caller;
  };
}

export type FaceContext = Context<FaceEnv>;
export type FaceMiddleware = MiddlewareHandler<FaceEnv>;

/** A request header. Hono's own look-up goes through the list of raw headers each time; Node has them by name already. */
export function headerOf(c: FaceContext, name: KnownHeader): string | undefined {
  const incoming = c.env?.incoming;
  return incoming ? incoming.headers[name] : c.req.header(name);
}

/** Those of which Node keeps the first or the only one, as a text. */
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
