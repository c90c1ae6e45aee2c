import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpApi } from '../../src/api/http.ts';
import { HearthError } from '../../src/kernel/errors.ts';
import { type Logger, silentLogger } from '../../src/kernel/logger.ts';
import { OAUTH_ROUTES } from '../support/oauth-routes.ts';
import { PAGE_ROUTES } from '../support/page-routes.ts';
import { apiDeps, createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { serveApi } from '../support/served-api.ts';
import { SHARE_PAGE_ROUTES, SHARE_ROUTES } from '../support/share-routes.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});

afterEach(() => home.close());

/** Every route of the API with its parameters filled in; middleware is no route. */
function listRoutes(): readonly { method: string; path: string }[] {
  return createTestApi(home)
    .routes.filter(({ method, path }) => method !== 'ALL' && !path.endsWith('*'))
    .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, 'x') }));
}

describe('what is reachable without a token', () => {
  it('is what holds no data of the home: health, the API document and the pages, and webhooks, whose ids are secrets', async () => {
    const anonymous = createRestClient(createTestApi(home));
    const routes = listRoutes();
    expect(routes.length).toBeGreaterThan(25);
    const open: string[] = [];
    for (const { method, path } of routes) {
      const answer = await anonymous.request(method, path);
      if (answer.status === 401)
        expect(answer.body.error ?? answer.body.errors[0].extensions.reason).toBe('invalid_token');
      else open.push(`${method} ${path}`);
    }
    expect([...new Set(open)].sort()).toEqual(
      [
        'GET /assets/x',
        'GET /docs',
        'GET /docs/api',
        'GET /docs/search.json',
        'GET /docs/x',
        'GET /graphiql',
        'GET /health',
        'GET /manifest.webmanifest',
        'GET /openapi.json',
        'GET /ready',
        'GET /sw.js',
        // A plain HTTP request that asks for WebSocket.
        'GET /ws',
        // Its secret is known to who got the notification.
        'POST /notification-action/x',
        'POST /webhook/x',
        ...[...OAUTH_ROUTES, ...PAGE_ROUTES, ...SHARE_ROUTES, ...SHARE_PAGE_ROUTES].map((route) =>
          route.replaceAll(/:\w+/g, 'x'),
        ),
      ].sort(),
    );
    expect((await anonymous.post('/webhook/x')).body).toEqual({ error: 'Not found', code: 'not_found' });
  });

  it('reveals nothing about which other addresses exist', async () => {
    const anonymous = createRestClient(createTestApi(home));
    const unknown = await anonymous.get('/rest/no-such-thing');
    const known = await anonymous.get('/rest/state');
    const wrongMethod = await anonymous.request('PUT', '/rest/state');
    expect([unknown.status, unknown.text]).toEqual([401, known.text]);
    expect([wrongMethod.status, wrongMethod.text]).toEqual([401, known.text]);
  });
});

describe('/health and /ready', () => {
  it('health has what clients look for, and nothing of the home', async () => {
    const { status, body, text } = await createRestClient(createTestApi(home)).get('/health');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ok',
      mode: 'community',
      name: 'hearth',
      version: '0.0.0-test',
      instanceId: '0a1b2c3d',
      authEnabled: true,
    });
    for (const secret of ['My Home', 'Lamp', home.home.id]) expect(text).not.toContain(secret);
  });

  it('ready is 503 until the relay has started', async () => {
    let ready = false;
    const client = createRestClient(createTestApi(home, { isReady: () => ready }));
    const before = await client.get('/ready');
    expect([before.status, before.body.code]).toEqual([503, 'relay_not_connected']);
    expect(before.headers.get('retry-after')).toBe('2');
    ready = true;
    const after = await client.get('/ready');
    expect([after.status, after.body]).toEqual([200, { status: 'ready' }]);
  });

  it('both answer HEAD', async () => {
    const client = createRestClient(createTestApi(home));
    const { status, text } = await client.request('HEAD', '/health');
    expect([status, text]).toEqual([200, '']);
  });
});

/** Of pages for people: their style sheet, their own forms, nothing written into them and no frame. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

describe('the headers of every answer', () => {
  const protective = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };

  it('are exactly the protective ones and those of the content', async () => {
    const { headers } = await rest.get('/rest/scenes');
    expect(Object.fromEntries(headers)).toEqual({ ...protective, 'content-type': 'application/json' });
  });

  it('are there on every route, on errors and on refusals', async () => {
    const answers = [
      ...(await Promise.all(
        listRoutes()
          .filter(({ path }) => path !== '/openapi.json')
          // The head of a stream that does not end.
          .map(({ method, path }) => rest.request(path === '/events' ? 'HEAD' : method, path)),
      )),
      await rest.get('/nothing'),
      await rest.request('PUT', '/rest/state'),
      await rest.get('/rest/state', { Host: 'evil.example' }),
      await rest.get('/rest/state', { Origin: 'null' }),
      await rest.post('/rest/state', '{'),
      await rest.get('/rest/state', { 'If-None-Match': '*' }),
    ];
    for (const { headers } of answers) {
      const type = headers.get('content-type') ?? '';
      const expected = type.startsWith('text/html')
        ? { ...protective, 'content-security-policy': PAGE_POLICY }
        : { ...protective, ...(type.startsWith('text/css') && { 'cache-control': 'no-cache' }) };
      expect(Object.fromEntries(headers)).toMatchObject(expected);
    }
  });

  it('let clients cache the API document, which is the same for everyone, and nothing else', async () => {
    const { headers } = await createRestClient(createTestApi(home)).get('/openapi.json');
    expect(Object.fromEntries(headers)).toEqual({
      ...protective,
      'cache-control': 'no-cache',
      'content-type': 'application/json',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      vary: 'Accept-Encoding',
    });
  });

  it('are there on the wire too, where nothing else is added', async () => {
    const server = await serveApi(createTestApi(home));
    const response = await fetch(`${server.url}/health`);
    await response.text();
    const names = [...response.headers.keys()].sort();
    expect(names).toEqual(
      [...Object.keys(protective), 'connection', 'content-length', 'content-type', 'date', 'keep-alive'].sort(),
    );
    await server.stop();
  });
});

describe('errors', () => {
  function failingApi(error: unknown): { client: RestClient; lines: object[] } {
    const lines: object[] = [];
    const logger: Logger = { ...silentLogger, error: (fields, message) => lines.push({ ...fields, message }) };
    const fail = (): never => {
      throw error;
    };
    const deps = { ...apiDeps(home, { logger }), homes: { list: fail } as unknown as typeof home.homes };
    return { client: createRestClient(createHttpApi(deps).app, createToken(home)), lines };
  }

  it('an unexpected one is logged whole and answered without anything of it', async () => {
    const secret = new Error('SELECT secret FROM /home/pi/relay.db');
    const { client, lines } = failingApi(secret);
    const { status, body, text, headers } = await client.get('/rest/homes');
    expect([status, body.code]).toEqual([500, 'internal']);
    expect(text).not.toMatch(/SELECT|relay\.db|\bat\b .*:\d+|Error/);
    expect(lines).toEqual([
      expect.objectContaining({
        requestId: headers.get('x-request-id'),
        path: '/rest/homes',
        error: secret.message,
        stack: secret.stack,
      }),
    ]);
  });

  it('one that calls itself internal is treated the same', async () => {
    const { client, lines } = failingApi(new HearthError('internal', 'the disk said 0x7f'));
    const { status, text } = await client.get('/rest/homes');
    expect(status).toBe(500);
    expect(text).not.toContain('0x7f');
    expect(lines).toHaveLength(1);
  });

  it('an expected one is not logged', async () => {
    const { client, lines } = failingApi(new HearthError('rate_limited', 'Slow down.', { retryAfterSeconds: 7.2 }));
    const { status, headers, body } = await client.get('/rest/homes');
    expect([status, headers.get('retry-after'), body]).toEqual([
      429,
      '8',
      { error: 'Slow down.', code: 'rate_limited' },
    ]);
    expect(lines).toEqual([]);
  });
});
