/** A face on real sockets of loopback, on any free port and with no Unix socket unless told. */
import type { Hono } from 'hono';
import type { FaceEnv } from '../../src/faces/env.ts';
import { HttpServer, type HttpServerOptions } from '../../src/faces/server.ts';
import { silentLogger } from '../../src/kernel/logger.ts';

/** Listens already. Whoever asks for it stops it. */
export async function serveFace(
  face: Pick<Hono<FaceEnv>, 'fetch'>,
  options: Partial<Omit<HttpServerOptions, 'fetch'>> = {},
): Promise<HttpServer> {
  const server = new HttpServer({
    fetch: (request, env) => face.fetch(request, env),
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
