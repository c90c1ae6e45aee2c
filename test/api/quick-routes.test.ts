/**
 * Requests that are answered in front of Hono, over real connections. Every case runs both ways, and both give the same
 * answer. Each case has whether the quick way takes it, so that none of them is a comparison of one way with itself.
 */
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../src/api/guards.ts';
import { createHttpApi, type HttpApi } from '../../src/api/http.ts';
import type { Arrival } from '../../src/api/quick/quick-request.ts';
import type { HttpServer } from '../../src/api/server.ts';
import { STRANGERS_PER_ADDRESS } from '../../src/api/strangers.ts';
import type { Caller } from '../../src/app/access/caller.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { apiDeps, createToken, TEST_GUARDS } from '../support/rest-client.ts';
import { serveApi } from '../support/served-api.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { CountingHasher, createUser } from '../support/test-users.ts';

type Way = 'quick' | 'long';
const WAYS = ['quick', 'long'] as const;

let home: TestHome;
let directory: TempDirectory;
let servers: Record<Way, HttpServer>;
let token: string;
/** How many requests the quick way has taken. */
let taken: number;

beforeEach(async () => {
  home = createTestHome({ sample: true, passwordHasher: new CountingHasher() });
  directory = createTempDirectory('quick');
  token = createToken(home);
  taken = 0;
  servers = { quick: await serve(true), long: await serve(false) };
});
afterEach(async () => {
  for (const server of Object.values(servers)) await server.stop();
  directory.remove();
  home.close();
});

async function serve(isQuick: boolean): Promise<HttpServer> {
  const guards = { ...TEST_GUARDS, trustedProxies: ['127.0.0.2'] };
  const { app, quick }: HttpApi = createHttpApi(apiDeps(home, { guards }));
  const take = (arrival: Arrival): boolean => {
    const isTaken = quick.take(arrival);
    if (isTaken) taken += 1;
    return isTaken;
  };
  const socketPath = directory.file(isQuick ? 'quick.sock' : 'long.sock');
  return serveApi(app, { socketPath, ...(isQuick && { quick: { take } }) });
}

interface Question {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly from?: string;
  readonly viaSocket?: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function ask(way: Way, question: Question): Promise<Answer> {
  const { method = 'GET', path = '/rest/state', headers = {}, body, from = '127.0.0.1', viaSocket } = question;
  const { port } = servers[way];
  const where = viaSocket
    ? { socketPath: directory.file(`${way}.sock`) }
    : { host: '127.0.0.1', port, localAddress: from };
  return new Promise((resolve, reject) => {
    const options = { ...where, method, path, headers: { Host: 'localhost', ...headers }, agent: false };
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text.toString() });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Without what differs between any two answers. */
function comparable({ status, headers, body }: Answer) {
  const { date: _date, 'x-request-id': id, 'content-length': length, ...rest } = headers;
  const text = body.replace(/"fetched_at":"[^"]*"/, '"fetched_at":"…"');
  return { status, headers: { ...rest, hasId: id !== undefined, hasLength: length !== undefined }, body: text };
}

const signedIn = (): Record<string, string> => ({ Authorization: `Bearer ${token}` });
const asJson = { 'Content-Type': 'application/json' };
const post = (body: unknown, headers: Record<string, string> = {}): Question => {
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  return { method: 'POST', headers: { ...signedIn(), ...asJson, 'Content-Length': length, ...headers }, body: text };
};
const lamp = (brightness: unknown, headers?: Record<string, string>): Question => {
  const accessory = home.state.accessories().find(({ name }) => name === 'Lamp');
  const room = home.state.rooms(home.home.id).find(({ id }) => id === accessory?.roomId);
  return post({ home: home.home.name, room: room?.name, accessory: 'Lamp', brightness }, headers);
};

interface Case {
  readonly question: () => Question;
  readonly status: number;
  readonly isQuick: boolean;
}

const CASES: Readonly<Record<string, Case>> = {
  'reads the state': { question: () => ({ headers: signedIn() }), status: 200, isQuick: true },
  'reads it compressed': {
    question: () => ({ headers: { ...signedIn(), 'Accept-Encoding': 'gzip' } }),
    status: 200,
    isQuick: true,
  },
  'reads over the Unix socket': { question: () => ({ viaSocket: true }), status: 200, isQuick: true },
  'refuses without a token': { question: () => ({}), status: 401, isQuick: true },
  'refuses a wrong token': {
    question: () => ({ headers: { Authorization: 'Bearer hc_nothing' } }),
    status: 401,
    isQuick: true,
  },
  'refuses a malformed header': { question: () => ({ headers: { Authorization: token } }), status: 401, isQuick: true },
  'refuses a foreign host': {
    question: () => ({ headers: { ...signedIn(), Host: 'evil.example' } }),
    status: 403,
    isQuick: true,
  },
  'refuses a host that is no address': {
    question: () => ({ headers: { ...signedIn(), Host: 'local host' } }),
    status: 400,
    isQuick: false,
  },
  'refuses a port that is none': {
    question: () => ({ headers: { ...signedIn(), Host: 'localhost:99999' } }),
    status: 400,
    isQuick: false,
  },
  'answers its own page': {
    question: () => lamp(40, { Origin: 'http://localhost' }),
    status: 200,
    isQuick: true,
  },
  'refuses a foreign page': {
    question: () => lamp(40, { Origin: 'https://evil.example' }),
    status: 403,
    isQuick: false,
  },
  'answers an allowed page': {
    question: () => lamp(40, { Origin: 'https://dash.example' }),
    status: 200,
    isQuick: false,
  },
  'refuses the page of a proxy that is not trusted': {
    question: () => lamp(40, { Origin: 'https://localhost', 'X-Forwarded-Proto': 'https' }),
    status: 403,
    isQuick: false,
  },
  'answers the page behind a trusted proxy': {
    question: () => ({ ...lamp(40, { Origin: 'https://localhost', 'X-Forwarded-Proto': 'https' }), from: '127.0.0.2' }),
    status: 200,
    isQuick: true,
  },
  'sets a lamp': { question: () => lamp(40), status: 200, isQuick: true },
  'reports a wrong value': { question: () => lamp('bright'), status: 200, isQuick: true },
  'refuses what is no tree': { question: () => post('7'), status: 400, isQuick: true },
  'refuses what is no JSON': { question: () => post('{'), status: 400, isQuick: true },
  'refuses what is no UTF-8': { question: () => post(Buffer.from([0x22, 0xff, 0x22])), status: 400, isQuick: true },
  'refuses an empty body': { question: () => post(''), status: 400, isQuick: true },
  'refuses another type': { question: () => lamp(40, { 'Content-Type': 'text/plain' }), status: 415, isQuick: true },
  'refuses another charset': {
    question: () => lamp(40, { 'Content-Type': 'application/json; charset=latin1' }),
    status: 415,
    isQuick: true,
  },
  'refuses a compressed body': { question: () => lamp(40, { 'Content-Encoding': 'gzip' }), status: 415, isQuick: true },
  'refuses a body that is too large': {
    question: () => post(Buffer.alloc(MAX_BODY_BYTES + 1, 0x20)),
    status: 413,
    isQuick: true,
  },
  'refuses a large body without a token before it reads it': {
    question: () => ({ ...post(Buffer.alloc(MAX_BODY_BYTES + 1, 0x20)), headers: asJson }),
    status: 401,
    isQuick: true,
  },
  'takes the longest body': {
    question: () => post(`${JSON.stringify({ nowhere: {} })}${' '.repeat(MAX_BODY_BYTES - 14)}`),
    status: 200,
    isQuick: true,
  },
  'takes a body without a length': {
    question: () => ({ ...lamp(40), headers: { ...signedIn(), ...asJson, 'Transfer-Encoding': 'chunked' } }),
    status: 200,
    isQuick: false,
  },
  'reads with a query': {
    question: () => ({ path: '/rest/state?form=names', headers: signedIn() }),
    status: 200,
    isQuick: false,
  },
  'has no other method': {
    question: () => ({ method: 'PUT', headers: { ...signedIn(), 'Content-Length': '0' } }),
    status: 405,
    isQuick: false,
  },
};

describe.each(Object.entries(CASES))('%s', (_, { question, status, isQuick }) => {
  it('both ways alike', async () => {
    const [quick, long] = [await ask('quick', question()), await ask('long', question())];

    expect(taken).toBe(isQuick ? 1 : 0);
    expect(quick.status).toBe(status);
    expect(comparable(quick)).toEqual(comparable(long));
  });
});

const lampId = (): string => home.state.accessories().find(({ name }) => name === 'Lamp')?.id ?? '';
const READS: Readonly<Record<string, () => string>> = {
  '/rest/homes': () => '/rest/homes',
  '/rest/accessories': () => '/rest/accessories',
  '/rest/accessories/:id': () => `/rest/accessories/${lampId()}`,
};
const READ_CASES: Readonly<Record<string, Case>> = Object.fromEntries(
  [
    'reads over the Unix socket',
    'refuses without a token',
    'refuses a wrong token',
    'refuses a malformed header',
    'refuses a foreign host',
    'refuses a host that is no address',
    'refuses a port that is none',
  ].map((name) => [name, CASES[name] as Case]),
);
const MORE_READ_CASES: Readonly<Record<string, Case>> = {
  reads: { question: () => ({ headers: signedIn() }), status: 200, isQuick: true },
  'reads compressed': {
    question: () => ({ headers: { ...signedIn(), 'Accept-Encoding': 'gzip' } }),
    status: 200,
    isQuick: true,
  },
  'answers its own page': {
    question: () => ({ headers: { ...signedIn(), Origin: 'http://localhost' } }),
    status: 200,
    isQuick: true,
  },
  'refuses a foreign page with a token': {
    question: () => ({ headers: { ...signedIn(), Origin: 'https://evil.example' } }),
    status: 403,
    isQuick: false,
  },
  'answers an allowed page': {
    question: () => ({ headers: { ...signedIn(), Origin: 'https://dash.example' } }),
    status: 200,
    isQuick: false,
  },
  'has no page for a browser': {
    question: () => ({ headers: { ...signedIn(), Accept: 'text/html' } }),
    status: 200,
    isQuick: false,
  },
  'has a head': { question: () => ({ method: 'HEAD', headers: signedIn() }), status: 200, isQuick: false },
  'has no such method': {
    question: () => ({ method: 'PUT', headers: { ...signedIn(), 'Content-Length': '0' } }),
    status: 405,
    isQuick: false,
  },
};

describe.each(Object.entries(READS))('GET %s', (route, path) => {
  it.each(Object.entries({ ...READ_CASES, ...MORE_READ_CASES }))('%s, both ways alike', async (_, one) => {
    const question = { ...one.question(), path: path() };
    const [quick, long] = [await ask('quick', question), await ask('long', question)];

    expect(taken).toBe(one.isQuick ? 1 : 0);
    expect(quick.status).toBe(one.status);
    expect(comparable(quick)).toEqual(comparable(long));
  });

  it.each(WAYS)('answers 304 to a client that has it, and is counted by its route, the %s way', async (way) => {
    const { etag } = (await ask(way, { path: path(), headers: signedIn() })).headers;
    const again = await ask(way, { path: path(), headers: { ...signedIn(), 'If-None-Match': etag ?? '' } });
    expect(again).toMatchObject({ status: 304, body: '' });

    const { body } = await ask(way, { path: '/metrics', headers: signedIn() });
    const labels = `face="rest",route="${route}",method="GET"`;
    expect(body).toContain(`hearthd_http_requests_total{${labels},status="2xx"} 1`);
    expect(body).toContain(`hearthd_http_requests_total{${labels},status="3xx"} 1`);
  });

  it.each(WAYS)('shows nothing to a member who is none any more, the %s way', async (way) => {
    const { user, token: jwt } = await createUser(home, { role: 'view' });
    const question = { path: path(), headers: { Authorization: `Bearer ${jwt}` } };
    expect((await ask(way, question)).body).toContain(route === '/rest/homes' ? home.home.name : 'Lamp');

    home.members.remove(systemCaller, { homeId: home.home.id, memberId: user.id });

    const answer = await ask(way, question);
    expect(answer.status).toBe(route.endsWith(':id') ? 404 : 200);
    expect(answer.body).not.toContain(route === '/rest/homes' ? home.home.name : 'Lamp');
  });
});

const IDS: readonly (readonly [name: string, path: () => string, isQuick: boolean])[] = [
  ['that does not exist', () => '/rest/accessories/00000000-0000-4000-8000-000000000000', true],
  ['in capitals', () => `/rest/accessories/${lampId().toUpperCase()}`, true],
  ['with escapes', () => `/rest/accessories/%${lampId().charCodeAt(0).toString(16)}${lampId().slice(1)}`, false],
  ['with a slash behind it', () => `/rest/accessories/${lampId()}/`, false],
  ['with a query', () => `/rest/accessories/${lampId()}?form=names`, false],
  ['that is none', () => '/rest/accessories/', false],
  ['with a path behind it', () => `/rest/accessories/${lampId()}/uses`, false],
];
it.each(IDS)('an accessory’s id %s is read both ways alike', async (_, path, isQuick) => {
  const question = { path: path(), headers: signedIn() };
  const [quick, long] = [await ask('quick', question), await ask('long', question)];

  expect(taken).toBe(isQuick ? 1 : 0);
  expect(comparable(quick)).toEqual(comparable(long));
});

it.each(WAYS)('a home that is renamed is found by its new name, and by no other, the %s way', async (way) => {
  const before = home.home.name;
  const set = async (name: string): Promise<string> => {
    const { roomId } = home.state.accessory(lampId()) ?? {};
    const room = home.state.rooms(home.home.id).find(({ id }) => id === roomId)?.name;
    return (await ask(way, post({ home: name, room, accessory: 'Lamp', brightness: 40 }))).body;
  };
  expect(await set(before)).not.toContain('not found');

  home.homes.update(systemCaller, home.home.id, { name: 'Cottage' });

  expect(await set(before)).toContain('home not found');
  expect(await set('Cottage')).not.toContain('not found');
});

function createTokenOf(caller: Caller): string {
  home.userSettings.update(caller, { developerMode: true });
  return home.tokens.create(caller, { name: 'own', homePermissions: null }).token;
}

describe.each(WAYS)('the %s way', (way) => {
  it('leaves http that leads to https to the long way', async () => {
    const guards = { ...TEST_GUARDS, redirectPort: () => 5658 };
    const { app, quick } = createHttpApi(apiDeps(home, { guards }));
    const incoming = {
      method: 'GET',
      url: '/rest/state',
      headers: { host: 'localhost', authorization: `Bearer ${token}` },
      socket: { remoteAddress: '192.168.1.20' },
    };
    expect(quick.take({ incoming } as unknown as Arrival)).toBe(false);
    const request = new Request('http://localhost/rest/state', { headers: incoming.headers });
    const answer = await app.fetch(request, { incoming } as never);
    expect([answer.status, answer.headers.get('location')]).toEqual([308, 'https://localhost:5658/rest/state']);
  });

  it('answers 304 for a state that the client has', async () => {
    const { etag } = (await ask(way, { headers: signedIn() })).headers;

    const again = await ask(way, { headers: { ...signedIn(), 'If-None-Match': etag ?? '' } });

    expect(again).toMatchObject({ status: 304, body: '' });
  });

  it('sets the lamp once', async () => {
    await ask(way, lamp(41));

    expect(home.driver.writes.flat().map(({ value }) => value)).toEqual([41]);
  });

  it('carries out what a client sends that goes at once, and once', async () => {
    const { method = '', headers = {}, body = '' } = lamp(43);
    const head = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(servers[way].port, '127.0.0.1');
    await once(socket, 'connect');
    socket.end(`${method} /rest/state HTTP/1.1\r\n${head.join('')}\r\n${body}`, () => socket.destroy());

    await expect
      .poll(() => home.driver.writes.flat().map(({ value }) => value), { timeout: PATIENCE_MS })
      .toEqual([43]);
  });

  it('carries out nothing of a body that ends early', async () => {
    const { headers = {}, body = '' } = lamp(44);
    const head = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(servers[way].port, '127.0.0.1');
    await once(socket, 'connect');
    socket.end(`POST /rest/state HTTP/1.1\r\n${head.join('')}\r\n${String(body).slice(0, -1)}`);
    socket.resume();
    await once(socket, 'close');

    expect((await ask(way, lamp(45))).status).toBe(200);
    expect(home.driver.writes.flat().map(({ value }) => value)).toEqual([45]);
  });

  it('reads no body without end of a client that it has refused', async () => {
    const socket = connect(servers[way].port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(`POST /rest/state HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${10 * MAX_BODY_BYTES}\r\n\r\n{`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toContain('401 Unauthorized');

    const closed = once(socket, 'close');
    await home.clock.advance(1_000);
    await closed;
  });

  it('is counted in the metrics by route', async () => {
    await ask(way, { headers: signedIn() });
    await ask(way, {});

    const { body } = await ask(way, { path: '/metrics', headers: signedIn() });

    const labels = 'face="rest",route="/rest/state",method="GET"';
    expect(body).toContain(`hearthd_http_requests_total{${labels},status="2xx"} 1`);
    expect(body).toContain(`hearthd_http_requests_total{${labels},status="4xx"} 1`);
  });

  it('counts wrong tokens, and refuses more than the allowance', async () => {
    const question: Question = { headers: { Authorization: 'Bearer hc_nothing' } };
    for (let n = 0; n < STRANGERS_PER_ADDRESS.burst; n += 1) await ask(way, question);
    const seen: number[] = [];
    while (!seen.includes(429) && seen.length < STRANGERS_PER_ADDRESS.burst)
      seen.push((await ask(way, question)).status);

    expect(seen.at(-1)).toBe(429);
    expect((await ask(way, { headers: signedIn() })).status).toBe(200);
  });

  it('closes the connection of a stranger over the allowance', async () => {
    for (let n = 0; n < STRANGERS_PER_ADDRESS.burst; n += 1) await ask(way, {});
    let answer = await ask(way, { headers: { Connection: 'keep-alive' } });
    while (answer.status === 401) answer = await ask(way, { headers: { Connection: 'keep-alive' } });

    expect(answer.headers.connection).toBe('close');
  });

  it('ends a token at once', async () => {
    const made = home.tokens.create(systemCaller, { name: 'short-lived' });
    const headers = { Authorization: `Bearer ${made.token}` };
    expect((await ask(way, { headers })).status).toBe(200);

    home.tokens.revoke(systemCaller, made.info.id);

    expect(await ask(way, { headers })).toMatchObject({ status: 401, body: expect.stringContaining('Token revoked') });
  });

  it('ends a session at once', async () => {
    const { token: jwt, caller } = await createUser(home, { role: 'control' });
    expect((await ask(way, lamp(46, { Authorization: `Bearer ${jwt}` }))).status).toBe(200);

    home.sessions.endAll(caller);

    expect((await ask(way, lamp(47, { Authorization: `Bearer ${jwt}` }))).status).toBe(401);
    expect(home.driver.writes.flat().map(({ value }) => value)).toEqual([46]);
  });

  it.each(['session', 'token'] as const)('takes a role from a %s at once', async (kind) => {
    const { user, caller, token: jwt } = await createUser(home, { role: 'admin' });
    const text = kind === 'session' ? jwt : createTokenOf(caller);
    const own = { Authorization: `Bearer ${text}` };
    const member = { homeId: home.home.id, memberId: user.id };
    expect((await ask(way, lamp(48, own))).status).toBe(200);

    home.members.setRole(systemCaller, { ...member, role: 'view' });
    expect((await ask(way, lamp(49, own))).status).toBe(403);
    home.members.remove(systemCaller, member);
    expect((await ask(way, lamp(50, own))).status).toBe(403);
    expect((await ask(way, { headers: own })).body).not.toContain('Lamp');
    expect(home.driver.writes.flat().map(({ value }) => value)).toEqual([48]);
  });

  it('lets a token that may only view change nothing', async () => {
    const [{ id: homeId } = { id: '' }] = home.state.homes();
    const viewer = createToken(home, { [homeId]: 'view' });

    const answer = await ask(way, lamp(42, { Authorization: `Bearer ${viewer}` }));

    expect(answer.status).toBe(403);
    expect(home.driver.writes).toEqual([]);
  });
});
