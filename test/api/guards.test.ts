import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { ApiEnv } from '../../src/api/env.ts';
import { presentError } from '../../src/api/error-table.ts';
import {
  type GuardOptions,
  guardBody,
  guardHost,
  guardJson,
  guardOrigin,
  MAX_BODY_BYTES,
  redirectToHttps,
  requestOrigin,
} from '../../src/api/guards.ts';
import { answerJson } from '../../src/api/respond.ts';
import { HearthError } from '../../src/kernel/errors.ts';

const GUARDS: GuardOptions = {
  ownHosts: () => new Set(['localhost', '127.0.0.1', '::1', 'hearth', 'hearth.local']),
  allowedHosts: ['house.example'],
  allowedOrigins: ['https://dash.example'],
  publicUrl: null,
  trustedProxies: [],
};

function guarded(options: Partial<GuardOptions> = {}): Hono<ApiEnv> {
  const all = { ...GUARDS, ...options };
  const app = new Hono<ApiEnv>();
  app.use(guardHost(all), redirectToHttps(all), guardOrigin(all), guardBody(), guardJson());
  app.all('*', async (c) => answerJson({ length: (await c.req.arrayBuffer()).byteLength }));
  const originOf = requestOrigin(all);
  app.onError((error, c) => {
    if (error instanceof HearthError) return presentError(error, 'test', originOf(c));
    throw error;
  });
  return app;
}

interface FakeSocket {
  readonly remoteAddress?: string;
  readonly encrypted?: boolean;
}

/** As a request arrives from the network: with a Host header and a request target. */
async function ask(
  app: Hono<ApiEnv>,
  host: string,
  headers: Record<string, string> = {},
  { method = 'GET', target = '/thing', socket = {} as FakeSocket, body = undefined as string | undefined } = {},
): Promise<Response> {
  const request = new Request(new URL(target, 'http://localhost/thing'), {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  });
  request.headers.set('host', host);
  const incoming = { url: target, socket, headers: Object.fromEntries(request.headers) };
  return app.fetch(request, { incoming } as unknown as ApiEnv['Bindings']);
}

describe('the Host guard', () => {
  it.each([
    'localhost',
    'localhost:5656',
    'LOCALHOST:5656',
    '127.0.0.1:5656',
    '[::1]:5656',
    '[0:0:0:0:0:0:0:1]',
    'hearth',
    'hearth.local.',
    'Hearth.Local:80',
    'house.example',
    'house.example:8443',
  ])('answers to %s', async (host) => {
    expect((await ask(guarded(), host)).status).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:5656',
    'localhost.evil.example',
    'hearth.local.evil.example',
    '127.0.0.1.evil.example',
    '192.168.1.99',
    '[::2]',
    '[::1',
    'localhost:5656:1',
    'user@localhost',
    'localhost/evil',
    '',
  ])('refuses %j and names the setting', async (host) => {
    const response = await ask(guarded(), host);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      error: 'insufficient_permissions',
      code: 'forbidden_origin',
      message: expect.stringContaining('--allowed-host'),
    });
  });

  it('looks at the request target where that is absolute, as RFC 9112 has it', async () => {
    const app = guarded();
    const request = new Request('http://evil.example/thing');
    request.headers.set('host', 'localhost');
    const incoming = { url: 'http://evil.example/thing', socket: {}, headers: { host: 'localhost' } };
    expect((await app.fetch(request, { incoming } as unknown as ApiEnv['Bindings'])).status).toBe(403);
  });

  it('does not ask on the Unix socket', async () => {
    const request = new Request('http://localhost/thing');
    request.headers.set('host', 'whatever');
    expect((await guarded().fetch(request, { viaSocket: true })).status).toBe(200);
  });

  it('answers under the public URL', async () => {
    const app = guarded({ publicUrl: 'https://home.example' });
    expect((await ask(app, 'home.example')).status).toBe(200);
  });
});

describe('the Origin guard', () => {
  const app = guarded();

  it.each(['http://evil.example', 'null', 'http://localhost:1', 'https://localhost:5656', 'file://'])(
    'refuses a change asked for by a page of %s',
    async (origin) => {
      const response = await ask(app, 'localhost:5656', { Origin: origin }, { method: 'POST' });
      expect(response.status).toBe(403);
      expect(response.headers.has('access-control-allow-origin')).toBe(false);
      expect(await response.json()).toMatchObject({ message: expect.stringContaining('--allowed-origin') });
    },
  );

  it.each([{ Authorization: 'Bearer hc_x' }, { Cookie: 'session=1' }])(
    'refuses a read that carries credentials: %o',
    async (credentials) => {
      expect((await ask(app, 'localhost', { Origin: 'null', ...credentials })).status).toBe(403);
    },
  );

  it('lets a foreign read without credentials through, unreadable for the page', async () => {
    const response = await ask(app, 'localhost', { Origin: 'http://evil.example' });
    expect(response.status).toBe(200);
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
  });

  it('lets pages of its own origin through', async () => {
    const response = await ask(app, 'localhost:5656', { Origin: 'http://localhost:5656' }, { method: 'POST' });
    expect(response.status).toBe(200);
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
  });

  it('lets pages of a configured origin through, without credentials mode', async () => {
    const response = await ask(app, 'localhost', { Origin: 'https://dash.example', Authorization: 'Bearer x' });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://dash.example');
    expect(response.headers.get('vary')).toContain('Origin');
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('lets a configured origin read errors too', async () => {
    const headers = { Origin: 'https://dash.example', 'Content-Length': String(MAX_BODY_BYTES + 1) };
    const response = await ask(app, 'localhost', headers, { method: 'POST' });
    expect(response.status).toBe(413);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://dash.example');
  });

  it('answers the preflight of a configured origin', async () => {
    const response = await ask(
      app,
      'localhost',
      { Origin: 'https://dash.example', 'Access-Control-Request-Method': 'POST' },
      { method: 'OPTIONS' },
    );
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://dash.example');
    expect(response.headers.get('access-control-allow-methods')).toContain('PATCH');
    for (const name of ['Authorization', 'Last-Event-ID']) {
      expect(response.headers.get('access-control-allow-headers')).toContain(name);
    }
  });

  it.each(['http://evil.example', 'null', 'https://dash.example.evil.example', '*'])(
    'grants nothing in the preflight of %s',
    async (origin) => {
      const response = await ask(
        app,
        'localhost',
        { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Private-Network': 'true' },
        { method: 'OPTIONS' },
      );
      expect(response.status).toBe(403);
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    },
  );

  it('never opens the private network to a public page, not even a configured one', async () => {
    const response = await ask(
      app,
      'localhost',
      {
        Origin: 'https://dash.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Private-Network': 'true',
      },
      { method: 'OPTIONS' },
    );
    expect(response.headers.has('access-control-allow-private-network')).toBe(false);
  });

  it('believes X-Forwarded-Proto of a trusted proxy only', async () => {
    const trusting = guarded({ trustedProxies: ['10.0.0.0/8', 'fd00::/8'] });
    const headers = { Origin: 'https://localhost', 'X-Forwarded-Proto': 'https' };
    const from = (remoteAddress: string) =>
      ask(trusting, 'localhost', headers, { method: 'POST', socket: { remoteAddress } }).then(({ status }) => status);
    expect(await from('10.1.2.3')).toBe(200);
    expect(await from('::ffff:10.1.2.3')).toBe(200);
    expect(await from('fd00::1')).toBe(200);
    expect(await from('192.168.1.2')).toBe(403);
  });

  it('takes the public URL for its own origin', async () => {
    const app = guarded({ publicUrl: 'https://home.example' });
    const headers = { Origin: 'https://home.example' };
    expect((await ask(app, 'home.example', headers, { method: 'POST' })).status).toBe(200);
  });
});

describe('the body guard', () => {
  const post = (headers: Record<string, string>, body: string | null = '{}') =>
    guarded().request('/thing', { method: 'POST', headers, ...(body === null ? {} : { body }) });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;Charset="UTF-8"'])(
    'takes %s',
    async (type) => {
      expect((await post({ 'Content-Type': type })).status).toBe(200);
    },
  );

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
  ])('refuses %s, which forms of other sites could send', async (type) => {
    const response = await post({ 'Content-Type': type });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ code: 'unsupported_media_type' });
  });

  it('refuses a compressed body', async () => {
    expect((await post({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })).status).toBe(415);
  });

  it('takes a POST without a body, of any type', async () => {
    expect((await post({ 'Content-Type': 'text/plain' }, null)).status).toBe(200);
  });

  it('takes a GET that declares JSON, as some clients always do', async () => {
    const response = await guarded().request('/thing', { headers: { 'Content-Type': 'application/json' } });
    expect(response.status).toBe(200);
  });

  it('takes 1 MiB and refuses one byte more, announced or not', async () => {
    const json = { 'Content-Type': 'application/json' };
    const full = 'x'.repeat(MAX_BODY_BYTES);
    expect(await (await post(json, full)).json()).toEqual({ length: MAX_BODY_BYTES });
    expect((await post(json, `${full}x`)).status).toBe(413);
    const announced = await post({ ...json, 'Content-Length': String(MAX_BODY_BYTES + 1) }, null);
    expect(announced.status).toBe(413);
    expect(announced.headers.get('connection')).toBe('close');
  });

  it('stops reading a body of unknown length at the limit', async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const response = await guarded().request('/thing', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: endless,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(MAX_BODY_BYTES * 2);
  });
});

describe('http that leads to https', () => {
  const app = guarded({ redirectPort: () => 5658, trustedProxies: ['10.0.0.9'] });
  const socket: FakeSocket = { remoteAddress: '192.168.1.20' };
  const locationOf = async (host: string, target: string, how: { socket?: FakeSocket; method?: string } = {}) => {
    const answer = await ask(app, host, {}, { socket, ...how, target });
    return [answer.status, answer.headers.get('location')];
  };

  it('keeps the host, the path and the method, and is not stored', async () => {
    expect(await locationOf('hearth.local:5656', '/thing?a=%20b')).toEqual([
      308,
      'https://hearth.local:5658/thing?a=%20b',
    ]);
    expect(await locationOf('[::1]:5656', '/', { method: 'POST' })).toEqual([308, 'https://[::1]:5658/']);
    const answer = await ask(app, 'hearth', {}, { socket });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const standard = guarded({ redirectPort: () => 443 });
    expect((await ask(standard, 'hearth:80', {}, { socket })).headers.get('location')).toBe('https://hearth/thing');
  });

  it('leads to names of the relay only', async () => {
    expect((await ask(app, 'evil.example', {}, { socket })).status).toBe(403);
  });

  it.each(['/health', '/ready', '/health/', '/trust', '/trust/authority.crt'])('leaves %s on http', async (path) => {
    expect(await locationOf('hearth', path)).toEqual([200, null]);
  });

  it.each(['/healthy', '/rest/health', '/trusted', '/'])('leads %s on', async (path) => {
    expect((await locationOf('hearth', path))[0]).toBe(308);
  });

  it('leaves the computer itself, the Unix socket and https alone', async () => {
    for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1', undefined]) {
      const of = remoteAddress === undefined ? {} : { remoteAddress };
      expect([remoteAddress, (await locationOf('hearth', '/thing', { socket: of }))[0]]).toEqual([remoteAddress, 200]);
    }
    const request = new Request('http://hearth/thing', { headers: { host: 'hearth' } });
    const incoming = { url: '/thing', socket, headers: { host: 'hearth' } };
    const env = { incoming, viaSocket: true } as unknown as ApiEnv['Bindings'];
    expect((await app.fetch(request, env)).status).toBe(200);
    expect(
      (await app.fetch(new Request('https://hearth/thing'), { incoming } as unknown as ApiEnv['Bindings'])).status,
    ).toBe(200);
  });

  it('leaves what reached a trusted proxy with https, and no other request that names https', async () => {
    const from = async (remoteAddress: string, proto: string) =>
      (await ask(app, 'hearth', { 'x-forwarded-proto': proto }, { socket: { remoteAddress } })).status;
    expect(await from('10.0.0.9', 'https')).toBe(200);
    expect(await from('10.0.0.9', 'http')).toBe(308);
    expect(await from('10.0.0.8', 'https')).toBe(308);
  });

  it('is off unless a port is open', async () => {
    for (const redirectPort of [undefined, () => 0]) {
      const open = guarded({ redirectPort });
      expect((await ask(open, 'hearth', {}, { socket })).status).toBe(200);
    }
  });
});
