/** The whole HTTP API over a test home, called without sockets, and a client that speaks to it as a program would. */
import type { Hono } from 'hono';
import type { ApiEnv } from '../../src/api/env.ts';
import type { GuardOptions } from '../../src/api/guards.ts';
import { createHttpApi, type HttpApiDeps } from '../../src/api/http.ts';
import { LiveRing } from '../../src/api/live/live-ring.ts';
import type { HomePermissions } from '../../src/app/access/caller.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { systemCaller, type TestHome } from './test-home.ts';

export const TEST_GUARDS: GuardOptions = {
  ownHosts: () => new Set(['localhost', '127.0.0.1']),
  allowedHosts: [],
  allowedOrigins: ['https://dash.example'],
  publicUrl: null,
  trustedProxies: [],
};

export function apiDeps(home: TestHome, overrides: Partial<HttpApiDeps> = {}): HttpApiDeps {
  return {
    ...home,
    logger: silentLogger,
    live: new LiveRing({ ...home, logger: silentLogger }),
    info: { name: 'hearth', version: '0.0.0-test', instanceId: '0a1b2c3d' },
    guards: TEST_GUARDS,
    isReady: () => true,
    ...overrides,
  };
}

export function createTestApi(home: TestHome, overrides: Partial<HttpApiDeps> = {}): Hono<ApiEnv> {
  return createHttpApi(apiDeps(home, overrides)).app;
}

export function createToken(home: TestHome, homePermissions: HomePermissions = null): string {
  return home.tokens.create(systemCaller, { name: 'test', homePermissions }).token;
}

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; throws if it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
  readonly body: any;
}

export type RestClient = ReturnType<typeof createRestClient>;

/**
 * @param token none for a client without credentials. @param env `{ viaSocket: true }` for one that comes through the
 * Unix socket.
 */
export function createRestClient(app: Hono<ApiEnv>, token?: string, env?: ApiEnv['Bindings']) {
  const request = async (method: string, path: string, body?: unknown, extra: Record<string, string> = {}) => {
    const headers: Record<string, string> = { Host: 'localhost', ...extra };
    if (token !== undefined) headers.Authorization ??= `Bearer ${token}`;
    if (body !== undefined) headers['Content-Type'] ??= 'application/json';
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const payload = body === undefined ? {} : { body: (isRaw ? body : JSON.stringify(body)) as string };
    return readAnswer(await app.request(path, { method, headers, ...payload }, env));
  };
  return {
    request,
    get: (path: string, headers?: Record<string, string>) => request('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) => request('POST', path, body, headers),
    patch: (path: string, body?: unknown) => request('PATCH', path, body),
    delete: (path: string, body?: unknown) => request('DELETE', path, body),
  };
}

async function readAnswer(response: Response): Promise<RestAnswer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get body() {
      return JSON.parse(text);
    },
  };
}
