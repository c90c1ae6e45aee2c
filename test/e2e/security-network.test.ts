/** The built daemon's TCP port, as a stranger on the same network finds it: what is open, and what abuse it stands. */
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, fetch as fetchBy } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { eventually } from '../support/e2e-relay.ts';
import { freePort } from '../support/free-port.ts';
import { BARE_OAUTH_ANSWERS } from '../support/oauth-routes.ts';
import { BARE_PAGE_ANSWERS } from '../support/page-routes.ts';
import { createTestApi } from '../support/rest-client.ts';
import { SHARE_ROUTES } from '../support/share-routes.ts';
import { createTestHome } from '../support/test-home.ts';
import { TestWebSocket } from '../support/web-socket-client.ts';

/** A liveness bound for an honest client in the middle of an attack. */
const SERVED_WITHIN_MS = 15_000;
const MEBIBYTE = 1024 * 1024;
/** What the systemd unit allows (MemoryMax). */
const MEMORY_LIMIT_MIB = 512;

let program: BuiltProgram;
let daemon: BuiltDaemon;
let token: string;
let wsPort: number;
const sockets = new Set<Socket>();

beforeAll(async () => {
  program = buildProgram();
  wsPort = await freePort();
  // Another advertised instance on this computer would make it log taken names.
  daemon = await BuiltDaemon.start({ program, flags: ['--advertise', 'false', '--ws-port', String(wsPort)] });
  token = await daemon.createToken();
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await daemon[Symbol.asyncDispose]();
  program[Symbol.dispose]();
});

let addresses = 0;
/** Another address of the loopback network for each caller. */
function nextAddress(): string {
  addresses += 1;
  return `127.0.1.${addresses}`;
}

/** A wrong token gets that answer first. */
const shareLinks = [
  ...SHARE_ROUTES.map((route) => `${route.replaceAll(/:\w+/g, ':id')} 404`),
  'POST /s/:id/passcode 403',
  'POST /s/:id/set 404',
];

describe('without good credentials', () => {
  /** Every route of the API, its parameters filled in with something well formed. */
  function listRoutes(): readonly { method: string; path: string }[] {
    const home = createTestHome();
    const { routes } = createTestApi(home);
    home.close();
    return routes
      .filter(({ method, path }) => method !== 'ALL' && !path.endsWith('*'))
      .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, home.home.id) }));
  }

  async function openRoutes(headers: Record<string, string>): Promise<readonly string[]> {
    const open: string[] = [];
    let dispatcher = new Agent();
    for (const [n, { method, path }] of listRoutes().entries()) {
      // Requests without valid credentials are counted by address.
      if (n % 100 === 0) {
        await dispatcher.close();
        dispatcher = new Agent({ localAddress: nextAddress() });
      }
      const { status, body } = await fetchBy(`${daemon.url}${path}`, { method, headers, dispatcher });
      await body?.cancel();
      if (status !== 401) open.push(`${method} ${path.replaceAll(/[\da-f-]{36}/g, ':id')} ${status}`);
    }
    await dispatcher.close();
    // A route with steps of its own before its handler is listed once for each.
    return [...new Set(open)].sort();
  }

  it.each<[string, () => Promise<string | undefined>]>([
    ['no token', async () => undefined],
    ['a token that was never created', async () => `hc_${randomBytes(32).toString('base64url')}`],
    ['something that is no token', async () => 'null'],
    ['an expired token', expiredToken],
    ['a revoked token', revokedToken],
    ['a token cut short', async () => token.slice(0, -1)],
  ])('with %s, only what holds nothing of the home answers', async (_, make) => {
    const text = await make();
    expect(listRoutes().length).toBeGreaterThan(25);
    expect(await openRoutes(text === undefined ? {} : { Authorization: `Bearer ${text}` })).toEqual(
      [
        // Pages are not part of this build.
        'GET /assets/:id 404',
        'GET /docs 404',
        'GET /docs/:id 404',
        'GET /docs/api 404',
        'GET /docs/search.json 404',
        'GET /graphiql 404',
        'GET /health 200',
        'GET /manifest.webmanifest 404',
        'GET /openapi.json 200',
        'GET /ready 200',
        'GET /sw.js 404',
        // A link is open to its holder: this one leads nowhere.
        ...(text === undefined ? shareLinks : []),
        'GET /share.css 200',
        // It speaks WebSocket only, on which an unknown client learns nothing.
        'GET /ws 426',
        // Apps register, and receive their errors; they learn nothing of the home.
        ...BARE_OAUTH_ANSWERS,
        // Pages on which people sign in: they show nothing of the home before.
        ...BARE_PAGE_ANSWERS,
        // A client that knows an id may trigger it: this one has no effect.
        'POST /webhook/:id 404',
        // Who got a notification has the secret of its buttons.
        'POST /notification-action/:id 404',
      ].sort(),
    );
  });

  async function expiredToken(): Promise<string> {
    const text = await daemon.createToken({ name: 'short', expiresAt: new Date(Date.now() + 500).toISOString() });
    await eventually(async () => (await stateWith(text)) === 401, 'the token to expire');
    return text;
  }

  async function revokedToken(): Promise<string> {
    const { body } = await daemon.asSystem('POST', '/rest/tokens', { name: 'revoked' });
    expect(await stateWith(body.token)).toBe(200);
    await daemon.asSystem('DELETE', `/rest/tokens/${body.accessToken.id}`);
    return body.token as string;
  }

  async function stateWith(text: string): Promise<number> {
    return (await fetch(`${daemon.url}/rest/state`, { headers: { Authorization: `Bearer ${text}` } })).status;
  }
});

describe('the port for WebSockets', () => {
  it('answers nothing else, for every request and caller', async () => {
    const Authorization = `Bearer ${token}`;
    const answered = new Set<string>();
    for (const path of [
      '/',
      '/health',
      '/rest/state',
      '/metrics',
      '/graphql',
      '/events',
      '/ws',
      '/s/x',
      '/../rest/homes',
    ]) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
        const body = method === 'POST' ? { body: '{"query":"{ homes { name } }"}' } : {};
        const headers = { Authorization, Origin: 'https://evil.example', 'Content-Type': 'application/json' };
        const answer = await fetch(`http://127.0.0.1:${wsPort}${path}`, { method, headers, ...body });
        const { status, headers: reported } = answer;
        answered.add(
          `${status} ${reported.get('access-control-allow-origin')} ${reported.get('upgrade')} ${await answer.text()}`,
        );
      }
    }
    expect([...answered]).toEqual([
      expect.stringMatching(/^426 null websocket \{"error":"This address speaks WebSocket only/),
    ]);
  });

  it('reveals to strangers nothing of the home, and makes room for others when strangers fill it', async () => {
    const url = `ws://127.0.0.1:${wsPort}/`;
    const localAddress = nextAddress();
    const strangers = await Promise.all(Array.from({ length: 100 }, () => TestWebSocket.open(url, { localAddress })));
    const known = await TestWebSocket.open(url, { localAddress: nextAddress() });
    expect(await known.ask('homes.list')).toMatchObject({ code: 'AUTH_REQUIRED' });
    await known.ask('authenticate', { token });
    expect(await known.ask('homes.list')).toEqual({ homes: [expect.objectContaining({ id: expect.any(String) })] });
    const reported = new Set(strangers.flatMap(({ messages }) => messages.map((message) => JSON.stringify(message))));
    const payload = { webClientCount: 0, webhookCount: 0, subscriptionCount: 0, accessoryLimit: null };
    expect([...reported]).toEqual([JSON.stringify({ type: 'broadcast', action: 'config', payload })]);
    for (const client of [...strangers, known]) client.close();
  });

  it.each([
    ['a foreign host name', { Host: 'evil.example' }],
    ['a page of another site', { Origin: 'https://evil.example' }],
    ['a page of nowhere', { Origin: 'null' }],
  ])('accepts %s on no port, with every token', async (_, headers) => {
    for (const url of [
      `ws://127.0.0.1:${wsPort}/?token=${token}`,
      `${daemon.url.replace('http', 'ws')}/ws?token=${token}`,
    ]) {
      await expect(TestWebSocket.open(url, { headers })).rejects.toThrow('HTTP 403');
    }
  });
});

describe('with a good token and bad requests', () => {
  const TRIES = 1_500;
  /** Stacks, paths, SQL and the engine's own words. */
  const INSIDE =
    /\bat \S+ ?\(|\.[jt]s:\d|node_modules|\/tmp\/|\/data\b|SQLITE|SELECT |INSERT |sqlite|Error:|Cannot read|undefined|\[object/;
  const PARTS = [
    ...[
      'state',
      'homes',
      'rooms',
      'accessories',
      'pairings',
      'discovered',
      'tokens',
      'controllers',
      'manual',
      'refresh',
    ],
    ...[
      'identify',
      '00000000-0000-4000-8000-000000000000',
      'AA:BB:CC:DD:EE:FF',
      '..',
      '%00',
      '%ff',
      '%2e%2e%2f',
      "';--",
    ],
    ...['{{7*7}}', '__proto__', 'constructor', 'a'.repeat(300), '-1', '1e999', '\ud83d\ude00'],
  ];
  const VALUES: readonly unknown[] = [
    ...[null, true, -1, 0, 1e308, '', 'x', '\0', "' OR 1=1 --", '<script>', '__proto__', 'null', 'x'.repeat(5_000)],
    ...[[], {}, [[]], { __proto__: 1 }, { a: { b: { c: [] } } }, ['x', 1, null]],
  ];
  const KEYS = ['name', 'homeId', 'roomId', 'device', 'setupCode', 'hostPort', 'home', 'room', 'accessory', 'on'];
  const MORE_KEYS = [
    'homePermissions',
    'expiresAt',
    'paused',
    'privileges',
    '__proto__',
    'constructor',
    'id',
    'publicKey',
  ];
  const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'];
  const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: randomInt(most + 1) }, make);

  function oddBody(): string {
    const entries = some(4, () => [pick([...KEYS, ...MORE_KEYS]), pick(VALUES)] as const);
    const whole = JSON.stringify(pick([Object.fromEntries(entries), [Object.fromEntries(entries)], ...VALUES]));
    const broken = [whole.slice(0, -1), `${'['.repeat(10_000)}`, '{"a":1,}', '\ufeff{}', 'null'];
    return randomInt(5) === 0 ? pick(broken) : whole;
  }

  it('answers all of them without failing, and without a word of its inside', async () => {
    const token2 = await daemon.createToken({ name: 'odd' });
    const failed: string[] = [];
    for (let n = 0; n < TRIES; n += 1) {
      const method = pick(METHODS);
      const query = some(2, () => `${pick([...KEYS, 'form', 'type', 'force', 'filter_by_name'])}=${pick(PARTS)}`);
      const path = `/rest/${some(4, () => encodeURI(pick(PARTS))).join('/')}?${encodeURI(query.join('&'))}`;
      const body = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? undefined : oddBody();
      const response = await fetch(`${daemon.url}${path}`, {
        method,
        headers: { Authorization: `Bearer ${token2}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      if (response.status === 500 || (response.status >= 400 && INSIDE.test(text))) {
        failed.push(`${method} ${path} ${body}: ${response.status} ${text}`);
      }
    }
    expect(failed).toEqual([]);
  });
});

describe('under abuse', () => {
  const HEAD = 'Host: 127.0.0.1\r\n';
  const authorized = (): string => `${HEAD}Authorization: Bearer ${token}\r\n`;

  async function dial(localAddress?: string): Promise<Socket> {
    const address = localAddress === undefined ? {} : { localAddress };
    const socket = connect({ port: daemon.port, host: '127.0.0.1', ...address });
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    await once(socket, 'connect');
    return socket;
  }

  /** Sends bytes and returns all that comes back until the daemon closes. */
  function exchange(...parts: readonly (string | Buffer)[]): Promise<string> {
    return exchangeFrom(undefined, ...parts);
  }

  async function exchangeFrom(address: string | undefined, ...parts: readonly (string | Buffer)[]): Promise<string> {
    const socket = await dial(address);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const closed = new Promise((resolve) => socket.on('close', resolve));
    for (const part of parts) socket.write(part);
    await closed;
    return Buffer.concat(chunks).toString('latin1');
  }

  /** Another client is served meanwhile, on a connection of its own, and the process has not grown without bound. */
  async function serves(): Promise<void> {
    const answer = await Promise.race([
      exchange(`GET /rest/state HTTP/1.1\r\n${authorized()}Connection: close\r\n\r\n`),
      delay(SERVED_WITHIN_MS, 'nothing'),
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(daemon.peakMemoryMib()).toBeLessThan(MEMORY_LIMIT_MIB);
    expect(daemon.isRunning).toBe(true);
  }

  it('serves others while 2,000 connections are silent', async () => {
    for (let n = 0; n < 20; n += 1) await Promise.all(Array.from({ length: 100 }, () => dial()));
    await serves();
  });

  it('serves others while hundreds never end their headers, and while hundreds never end their bodies', async () => {
    const heads = await Promise.all(Array.from({ length: 400 }, () => dial()));
    for (const socket of heads) socket.write(`GET /rest/state HTTP/1.1\r\n${HEAD}X-Slow: `);
    await serves();
    const bodies = await Promise.all(Array.from({ length: 400 }, () => dial()));
    for (const socket of bodies) {
      socket.write(`POST /rest/state HTTP/1.1\r\n${authorized()}Content-Type: application/json\r\n`);
      socket.write('Content-Length: 100000\r\n\r\n{"home"');
    }
    for (let n = 0; n < 5; n += 1) {
      for (const socket of [...heads, ...bodies]) if (!socket.destroyed) socket.write('a');
      await serves();
    }
  });

  it('reads nothing of what strangers send in bodies, and little of what they announce', async () => {
    const chunk = `${MEBIBYTE.toString(16)}\r\n${'x'.repeat(MEBIBYTE)}`;
    const strangers = await Promise.all(Array.from({ length: 600 }, () => dial()));
    for (const socket of strangers) {
      socket.write(`POST /rest/state HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk}`);
    }
    await serves();
    const big = `POST /rest/state HTTP/1.1\r\n${authorized()}Content-Type: application/json\r\nContent-Length: ${1024 * MEBIBYTE}\r\n\r\n{`;
    expect(await exchange(big)).toMatch(/^HTTP\/1\.1 413 /);
    await serves();
  });

  it('keeps nothing of what strangers send without authentication: at sign-in, to apps, on links', async () => {
    const chunk = `${MEBIBYTE.toString(16)}\r\n${'x'.repeat(MEBIBYTE)}`;
    const entryPoints = ['/login', '/setup', '/invite/x', '/oauth/register', '/oauth/token', '/oauth/interaction/x'];
    const types = ['application/x-www-form-urlencoded', 'application/json'];
    const secrets = ['/s/x/set', '/s/x/passcode', '/webhook/x', '/notification-action/x'];
    for (const path of [...entryPoints, ...secrets, '/graphql', '/mcp', '/owntracks']) {
      const localAddress = nextAddress();
      const strangers = await Promise.all(Array.from({ length: 30 }, () => dial(localAddress)));
      for (const [n, socket] of strangers.entries()) {
        const head = `POST ${path} HTTP/1.1\r\n${HEAD}Content-Type: ${types[n % 2]}\r\n`;
        socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`);
      }
      await serves();
      const big = `POST ${path} HTTP/1.1\r\n${HEAD}Content-Type: ${types[0]}\r\nContent-Length: ${1024 * MEBIBYTE}\r\n\r\n{`;
      expect([path, (await exchangeFrom(localAddress, big)).slice(0, 12)]).toEqual([
        path,
        expect.stringMatching(/^HTTP\/1\.1 4(?:01|03|04|13|15)/),
      ]);
      for (const socket of strangers) socket.destroy();
    }
    await serves();
  });

  it.each<[string, string | Buffer, number]>([
    ['a header of 1 MB', `GET / HTTP/1.1\r\n${HEAD}X: ${'a'.repeat(MEBIBYTE)}\r\n\r\n`, 431],
    ['a target of 1 MB', `GET /${'a'.repeat(MEBIBYTE)} HTTP/1.1\r\n${HEAD}\r\n`, 431],
    ['two lengths at odds', `POST / HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`, 400],
    [
      'length and chunks',
      `POST / HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\n\r\n`,
      400,
    ],
    ['chunks spelt oddly', `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, 400],
    ['no version, as in HTTP/0.9', 'GET /health\r\n\r\n', 400],
    ['a version that is to come', `GET /health HTTP/9.9\r\n${HEAD}\r\n`, 400],
    ['a TLS greeting', Buffer.from('16030102000100', 'hex'), 400],
    ['HTTP/2 by prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a method of its own', `BREW /pot HTTP/1.1\r\n${HEAD}\r\n`, 400],
    ['a zero byte in a header', `GET /health HTTP/1.1\r\n${HEAD}X: a\0b\r\n\r\n`, 400],
  ])('refuses %s', async (_, bytes, status) => {
    // What is refused early may be cut off before the answer is read.
    const answer = await exchange(bytes, '\r\n\r\n');
    if (answer !== '' || status !== 431) expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.match(/HTTP\/1\.1 /g) ?? []).toHaveLength(answer === '' ? 0 : 1);
    await serves();
  });

  it('stands 200 connections of random bytes', async () => {
    const starts = ['', 'GET / HTTP/1.1\r\n', `POST /rest/state HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n`];
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const socket = await dial();
        socket.resume();
        socket.write(starts[n % starts.length] ?? '');
        socket.end(randomBytes(1 + ((n * 131) % 8192)));
        await eventually(() => socket.closed, 'the connection to be closed');
      }),
    );
    await serves();
  });

  it('answers pipelined requests in order, and serves others while some pipeline without end and read nothing', async () => {
    const ask = (n: number, last: boolean): string =>
      `GET /rest/${n} HTTP/1.1\r\n${authorized()}${last ? 'Connection: close\r\n' : ''}\r\n`;
    const answers = await exchange(Array.from({ length: 30 }, (_, n) => ask(n, n === 29)).join(''));
    expect(answers.match(/HTTP\/1\.1 404 /g)).toHaveLength(30);

    const deaf = await Promise.all(Array.from({ length: 40 }, () => dial()));
    for (const socket of deaf) {
      socket.pause();
      socket.write(`GET /rest/state HTTP/1.1\r\n${HEAD}\r\n`.repeat(20_000));
    }
    await serves();
  });

  it('has printed nothing but its log by the end of it, and no line of that at all', () => {
    expect(daemon.err).toBe('');
    const started = [expect.stringMatching(/^This relay has no owner yet\. Open /), 'hearthd is running'];
    expect(daemon.log.map(({ msg }) => msg)).toEqual(started);
  });
});
