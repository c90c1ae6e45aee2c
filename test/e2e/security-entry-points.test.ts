/**
 * What holds at every entry point, old and new, because the list is the API's own: whom it answers to (security
 * checklist, rows 1 to 4), what its answers carry (row 48) and what its errors never reveal (row 47). Without sockets,
 * on a sample home.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createShareHome, type ShareHome } from '../api/share/share-home.ts';
import { createRestClient, createToken } from '../support/rest-client.ts';
import { createUser, type TestUser } from '../support/test-users.ts';

const FUZZ_RUNS = 2_000;
/** A client that is held back for its many requests or tries goes on after it. */
const PATIENCE_MS = 15 * 60_000;

let inventory: ShareHome;
let ann: TestUser;
let token: string;
/** A public share that lets control. */
let link: string;

beforeAll(async () => {
  inventory = createShareHome();
  ann = await createUser(inventory.home, { name: 'Ann', founder: true });
  token = createToken(inventory.home);
  link = await inventory.share('Lamp');
});

/** Requests on links are counted; who waits may go on. */
beforeEach(() => inventory.home.clock.advance(PATIENCE_MS));

afterAll(() => inventory.home.close());

interface Route {
  readonly method: string;
  readonly path: string;
}

/** Every route, with parameters that lead somewhere where that is possible. */
function listRoutes(): readonly Route[] {
  const [, , hash = ''] = link.split('/');
  const routes = inventory.app.routes.filter(({ method, path }) => method !== 'ALL' && !path.includes('*'));
  const filled = routes.map(({ method, path }) => {
    const known = path.replace(':hash', hash).replace(/:(?:id|homeId)\b/, inventory.home.home.id);
    return `${method} ${known.replaceAll(/:\w+/g, 'x')}`;
  });
  return [...new Set(filled)].map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return { method, path };
  });
}

/** Everything that a browser could be made to send along. */
async function send({ method, path }: Route, headers: Record<string, string>): Promise<Response> {
  const { Host = 'localhost', ...rest } = headers;
  return inventory.app.request(`http://${Host}${path}`, { method, headers: { Host, ...rest } });
}

async function among(all: readonly Route[], headers: Record<string, string>, isWrong: (answer: Response) => boolean) {
  const wrong: string[] = [];
  for (const route of all) {
    const answer = await send(route, headers);
    if (isWrong(answer)) wrong.push(`${route.method} ${route.path} ${answer.status}`);
    await answer.body?.cancel();
  }
  return wrong;
}

const credentials = (): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  Cookie: `hearthd_session=${ann.pageToken}`,
});
const allowsOrigin = ({ headers }: Response): boolean =>
  [...headers.keys()].some((name) => name.startsWith('access-control-'));

describe('every door', () => {
  it('is in the list', () => {
    const paths = listRoutes().map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(150);
    for (const path of [
      '/login',
      '/oauth/token',
      '/mcp',
      '/graphql',
      '/webhook/x',
      '/owntracks',
      link,
      `${link}/unlock`,
    ])
      expect(paths).toContain(path);
  });

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil.example:5656', '192.0.2.1'])(
    'refuses the host name %s, with all credentials (row 1)',
    async (Host) => {
      expect(await among(listRoutes(), { ...credentials(), Host }, ({ status }) => status !== 403)).toEqual([]);
    },
  );

  it.each([
    'https://evil.example',
    'null',
    'http://localhost:81',
    'https://localhost',
    'http://localhost.evil.example',
  ])(
    'refuses what comes with credentials from the origin %s, and what would change something (row 2)',
    async (Origin) => {
      const refuses = ({ status }: Response) => status !== 403;
      expect(await among(listRoutes(), { ...credentials(), Origin }, refuses)).toEqual([]);
      const changes = listRoutes().filter(({ method }) => method !== 'GET');
      expect(changes.length).toBeGreaterThan(80);
      expect(await among(changes, { Origin }, refuses)).toEqual([]);
    },
  );

  it('gives no foreign origin anything to read, and no public site the way into the home (rows 3 and 4)', async () => {
    const Origin = 'https://evil.example';
    expect(await among(listRoutes(), { Origin }, allowsOrigin)).toEqual([]);
    const preflight = {
      Origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
      'Access-Control-Request-Private-Network': 'true',
    };
    const options = [...new Set(listRoutes().map(({ path }) => path))].map((path) => ({ method: 'OPTIONS', path }));
    const isWrong = (answer: Response): boolean => answer.status !== 403 || allowsOrigin(answer);
    expect(await among(options, preflight, isWrong)).toEqual([]);
  });

  it('never lets a configured origin use cookies, nor reach in from the public network', async () => {
    const Origin = 'https://dash.example';
    const isWrong = ({ headers }: Response): boolean =>
      headers.get('access-control-allow-origin') !== Origin ||
      headers.has('access-control-allow-credentials') ||
      headers.has('access-control-allow-private-network');
    expect(await among(listRoutes(), { Origin, Authorization: `Bearer ${token}` }, isWrong)).toEqual([]);
  });

  it('of the API takes no cookie for a token', async () => {
    const closed = listRoutes().filter(({ path }) => /^\/(?:rest|mcp|owntracks)(?!\/\.well-known)/.test(path));
    expect(closed.length).toBeGreaterThan(120);
    const Cookie = `hearthd_session=${ann.pageToken}`;
    expect(await among(closed, { Cookie }, ({ status }) => status !== 401)).toEqual([]);
    const query = { query: '{ homes { id } }' };
    expect((await createRestClient(inventory.app).post('/graphql', query, { Cookie })).status).toBe(401);
  });

  it('of the API takes no pages’ cookie as a bearer token', async () => {
    const closed = listRoutes().filter(({ path }) =>
      /^\/(?:rest|mcp|owntracks|events|metrics)(?!\/\.well-known)/.test(path),
    );
    expect(closed.length).toBeGreaterThan(120);
    const Authorization = `Bearer ${ann.pageToken}`;
    expect(await among(closed, { Authorization }, ({ status }) => status !== 401)).toEqual([]);
  });
});

describe('an upload', () => {
  const BODY = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nx\r\n--x--\r\n';

  it('is taken nowhere (row 49)', async () => {
    // The verbs of a link need no body and look at none.
    const isVerb = (path: string): boolean => path.startsWith(link) && !/\/(?:set|passcode)$/.test(path);
    const entryPoints = listRoutes().filter(({ method, path }) => method !== 'GET' && !isVerb(path));
    expect(entryPoints.length).toBeGreaterThan(80);
    const taken: string[] = [];
    for (const { method, path } of entryPoints) {
      const headers = { ...credentials(), Host: 'localhost', 'Content-Type': 'multipart/form-data; boundary=x' };
      const { status } = await inventory.app.request(path, { method, headers, body: BODY });
      // A picture is the whole body: a form is none.
      const refusals = path.endsWith('/picture') ? [404, 415, 422] : [400, 403, 404, 415];
      if (!refusals.includes(status)) taken.push(`${method} ${path} ${status}`);
    }
    expect(taken).toEqual([]);
    const background = { method: 'POST', headers: { ...credentials(), Host: 'localhost' }, body: BODY };
    expect((await inventory.app.request('/rest/background', background)).status).toBe(404);
  });
});

describe('the headers of', () => {
  const DATA = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'content-type': 'application/json',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
  const FORM_POLICY = "form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
  const PAGE = {
    ...DATA,
    'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self' data:; ${FORM_POLICY}`,
    'content-language': 'en',
    'content-type': 'text/html; charset=utf-8',
    vary: 'Accept-Language',
  };
  const { 'content-type': _, ...REDIRECT } = DATA;
  const REFUSAL = { ...DATA, 'x-request-id': expect.any(String) };
  const REFUSAL_PAGE = { ...PAGE, 'x-request-id': expect.any(String) };
  const UNLISTED = { 'x-robots-tag': 'noindex, nofollow' };
  const STYLE = {
    ...DATA,
    'cache-control': 'no-cache',
    'content-type': 'text/css; charset=utf-8',
    etag: expect.any(String),
    vary: 'Accept-Encoding',
  };
  const FORM_COOKIE = {
    'set-cookie': expect.stringMatching(/^hearthd_csrf=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
  };
  const GRAPHQL = { ...DATA, 'content-type': 'application/json; charset=utf-8' };
  const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const BROWSER = { Accept: 'text/html' };
  const signedIn = () => ({ Cookie: `hearthd_session=${ann.pageToken}` });
  const bearer = () => ({ Authorization: `Bearer ${token}` });

  type Ask = { path: string; body?: string; headers?: () => Record<string, string> };

  it.each<[string, number, Ask, object]>([
    ['the sign-in page', 200, { path: '/login' }, { ...PAGE, ...FORM_COOKIE }],
    ['the account page', 200, { path: '/account', headers: signedIn }, { ...PAGE, ...FORM_COOKIE }],
    ['the way to sign in', 303, { path: '/account' }, { ...REDIRECT, location: '/login?return_to=%2Faccount' }],
    ['an invitation that is none', 404, { path: '/invite/x' }, REFUSAL_PAGE],
    ['a form without its token', 403, { path: '/login', body: 'a=1', headers: () => FORM_TYPE }, REFUSAL_PAGE],
    ['the style sheet', 200, { path: '/page.css' }, STYLE],
    ['the style sheet of shares', 200, { path: '/share.css' }, STYLE],
    ['the metadata', 200, { path: '/.well-known/oauth-authorization-server' }, DATA],
    ['the metadata of /mcp', 200, { path: '/.well-known/oauth-protected-resource/mcp' }, DATA],
    ['a registration', 400, { path: '/oauth/register', body: '{}', headers: () => JSON_TYPE }, DATA],
    ['the token endpoint', 400, { path: '/oauth/token', body: 'a=1', headers: () => FORM_TYPE }, DATA],
    ['the revocation', 400, { path: '/oauth/revoke', body: 'a=1', headers: () => FORM_TYPE }, DATA],
    ['an authorization that is none', 400, { path: '/oauth/authorize' }, PAGE],
    ['a consent that is none', 400, { path: '/oauth/interaction/x' }, REFUSAL_PAGE],
    ['a share', 200, { path: '/s/…' }, { ...DATA, ...UNLISTED, vary: 'Accept' }],
    [
      'its page',
      200,
      { path: '/s/…', headers: () => BROWSER },
      { ...PAGE, ...UNLISTED, ...FORM_COOKIE, vary: 'Accept, Accept-Language' },
    ],
    [
      'its stream',
      200,
      { path: '/s/…/events' },
      { ...DATA, ...UNLISTED, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    ],
    ['its QR code', 200, { path: '/s/…/qr.svg' }, { ...DATA, ...UNLISTED, 'content-type': 'image/svg+xml' }],
    ['a verb', 200, { path: '/s/…/on', body: '' }, { ...DATA, ...UNLISTED }],
    ['a share that is none', 404, { path: '/s/x' }, { ...REFUSAL, ...UNLISTED }],
    ['its page', 404, { path: '/s/x', headers: () => BROWSER }, { ...REFUSAL_PAGE, ...UNLISTED, ...FORM_COOKIE }],
    [
      'MCP',
      200,
      {
        path: '/mcp',
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
        headers: () => ({ ...bearer(), ...JSON_TYPE }),
      },
      DATA,
    ],
    [
      'MCP to a stranger',
      401,
      { path: '/mcp', body: '{}' },
      { ...REFUSAL, 'www-authenticate': expect.stringMatching(/^Bearer /) },
    ],
    [
      'public GraphQL',
      200,
      { path: '/graphql', body: '{"query":"{isOnboarded}"}', headers: () => JSON_TYPE },
      { ...GRAPHQL, vary: 'Accept-Encoding' },
    ],
    [
      'other GraphQL to a stranger',
      401,
      { path: '/graphql', body: '{"query":"{homes{id}}"}', headers: () => JSON_TYPE },
      { ...GRAPHQL, 'x-request-id': expect.any(String), 'www-authenticate': expect.stringMatching(/^Bearer /) },
    ],
    // This home is run from its sources, where no pages are built: the built ones' headers are asked for in api/pages.
    ['the bare address in a browser', 200, { path: '/', headers: () => BROWSER }, PAGE],
  ])('%s (%i) are exactly these (rows 36 and 48)', async (_name, status, { path, body, headers }, expected) => {
    const answer = await inventory.app.request(path.replace('/s/…', link), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Host: 'localhost', ...headers?.() },
      ...(body ? { body } : {}),
    });
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toEqual(expected);
    await answer.body?.cancel();
  });

  it('every answer under /oauth, /s and the pages keep their address from other sites (row 27)', async () => {
    const all = listRoutes().filter(({ path }) => /^\/(?:oauth|s|invite|login|setup|account|register)\b/.test(path));
    expect(all.length).toBeGreaterThan(40);
    const isWrong = ({ headers }: Response): boolean => headers.get('referrer-policy') !== 'no-referrer';
    expect(await among(all, {}, isWrong)).toEqual([]);
    expect(await among(all, BROWSER, isWrong)).toEqual([]);
  });
});

describe('what goes wrong', () => {
  /** Stacks, paths, SQL, the engine's own words and those of the libraries. */
  const INSIDE =
    /\bat \S+ ?\(|\.[jt]sx?:\d|node_modules|\/(?:src|dist)\/|\/tmp\/|\/data\b|SQLITE|SELECT |INSERT |sqlite|[a-z]Error\b|Cannot read|undefined|\[object|oidc-provider|zod|JWSInvalid/i;
  const ODD = [
    '',
    'x',
    '\0',
    "' OR 1=1 --",
    '<script>alert(1)</script>',
    '__proto__',
    'constructor',
    '%00',
    '../..',
    'null',
  ];
  const MORE = [
    '💥'.repeat(9),
    '{{7*7}}',
    'javascript:alert(1)',
    'x'.repeat(3_000),
    '-1',
    '1e999',
    'hc_',
    'a.b.c',
    '\u202e',
    '\ufeff',
  ];
  const NAMES = [
    'email',
    'password',
    'csrf',
    'return_to',
    'setupCode',
    'name',
    'passcode',
    'accessory',
    'property',
    'value',
    'on',
  ];
  const OAUTH = [
    'client_id',
    'redirect_uri',
    'redirect_uris',
    'code',
    'grant_type',
    'refresh_token',
    'scope',
    'resource',
    'state',
  ];
  const WORDS = [
    'authorization_code',
    'refresh_token',
    'code',
    'S256',
    'mcp:read',
    'https://a.example/cb',
    'query',
    '{ me { id } }',
  ];
  const MCP = [
    'jsonrpc',
    'id',
    'method',
    'params',
    'arguments',
    'query',
    'variables',
    'operationName',
    'code_challenge',
    '__proto__',
  ];
  const name = fc.constantFrom(...NAMES, ...OAUTH, ...MCP, 'response_type', 'token');
  const text = fc.constantFrom(...ODD, ...MORE, ...WORDS, '2.0', 'tools/call', 'initialize', 'resources/read');
  const json = fc.jsonValue({ maxDepth: 3 });
  const body = fc.oneof(
    fc
      .dictionary(name, text, { maxKeys: 5 })
      .map((fields) => ({ type: 'form', text: new URLSearchParams(fields).toString() })),
    fc
      .dictionary(name, fc.oneof(text, json), { maxKeys: 5 })
      .map((value) => ({ type: 'json', text: JSON.stringify(value) })),
    fc
      .oneof(
        json.map((value) => JSON.stringify(value)),
        fc.constantFrom('{', '[', '{"a":1,}', '['.repeat(5_000), '%', '\ufeff{}'),
      )
      .map((value) => ({ type: 'json', text: value })),
  );
  const TYPES: Readonly<Record<string, string>> = {
    form: 'application/x-www-form-urlencoded',
    json: 'application/json',
  };

  it('at the new entry points reveals nothing of the inside and is never a fault of ours (row 47)', async () => {
    const session = { Cookie: `hearthd_session=${ann.pageToken}; hearthd_csrf=x` };
    const entryPoints = listRoutes().filter(({ path }) => !/^\/(?:rest|logout)\b/.test(path));
    // Half of the forms come from a page of ours, and so get further.
    const page = await (await send({ method: 'GET', path: '/account' }, session)).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    expect(csrf).not.toBe('');
    const whom = fc.constantFrom<() => Record<string, string>>(
      () => ({}),
      () => session,
      () => ({ Authorization: `Bearer ${token}` }),
    );
    const request = fc.record({
      door: fc.nat({ max: entryPoints.length - 1 }),
      query: fc.dictionary(name, text, { maxKeys: 3 }),
      last: fc.option(text, { freq: 4 }),
      accept: fc.constantFrom('*/*', 'text/html', 'application/json', ''),
      whom,
      body,
    });
    const reported: string[] = [];
    for (const [n, one] of fc.sample(request, FUZZ_RUNS).entries()) {
      if (n % 50 === 0) await inventory.home.clock.advance(PATIENCE_MS);
      const { door: entry, query, last, accept, whom: headersOf, body: sent } = one;
      const { method, path } = entryPoints[entry] as Route;
      const where = last === null ? path : path.replace(/[^/]+$/, encodeURIComponent(last));
      const payload = sent.type === 'form' && n % 2 === 0 ? `csrf=${csrf}&${sent.text}` : sent.text;
      const headers = { Host: 'localhost', Accept: accept, ...headersOf() };
      const answer = await inventory.app.request(`${where}?${new URLSearchParams(query)}`, {
        method,
        headers: method === 'GET' ? headers : { ...headers, 'Content-Type': TYPES[sent.type] ?? '' },
        ...(method === 'GET' ? {} : { body: payload }),
      });
      if (answer.headers.get('content-type') === 'text/event-stream') {
        await answer.body?.cancel();
        continue;
      }
      const answered = await answer.text();
      // What was sent may come back, where it names the value.
      const own = [payload, ...Object.values(query), last ?? ''].some((part) => INSIDE.test(part));
      if (answer.status === 500 || (answer.status >= 400 && !own && INSIDE.test(answered))) {
        reported.push(
          `${method} ${where} ${JSON.stringify(query)} ${payload}: ${answer.status} ${answered.slice(0, 500)}`,
        );
      }
    }
    expect(reported).toEqual([]);
  });

  it('would be seen', () => {
    for (const answered of [
      "TypeError: Cannot read properties of undefined (reading 'x')",
      'at run (/opt/hearthd/src/x.ts:4:2)',
      'SQLITE_BUSY',
    ])
      expect(answered).toMatch(INSIDE);
    expect('This form is not valid any more. Go back and reload the page.').not.toMatch(INSIDE);
  });
});
