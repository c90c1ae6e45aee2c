/** The API on real sockets of loopback, on any free port and with no Unix socket by default. */
import type { Hono } from 'hono';
import type { ApiEnv } from '../../src/api/env.ts';
import { HttpServer, type HttpServerDeps } from '../../src/api/server.ts';
import { silentLogger } from '../../src/kernel/logger.ts';

/** Listens already. The caller stops it. */
export async function serveApi(
  api: Pick<Hono<ApiEnv>, 'fetch'>,
  options: Partial<Omit<HttpServerDeps, 'fetch'>> = {},
): Promise<HttpServer> {
  const server = new HttpServer({
    fetch: (request, env) => api.fetch(request, env),
    host: ['127.0.0.1'],
    port: 0,
    socketPath: null,
    tls: null,
    logger: silentLogger,
    ...options,
  });
  await server.start();
  return server;
}
