import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { GuardedSender, type Resolve } from '../../../src/drivers/http/guarded-sender.ts';
import type { HttpRequest } from '../../../src/home/http-sender.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { PATIENCE_MS } from '../../support/patience.ts';

const CERTIFICATES = join(import.meta.dirname, '../../api/fixtures');
const SHORT_MS = 200;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0).reverse()) await close();
});

function sender(parts: Partial<ConstructorParameters<typeof GuardedSender>[0]> = {}): GuardedSender {
  const made = new GuardedSender({
    clock: systemClock,
    allowLoopback: true,
    ownAddresses: () => ['127.0.0.1'],
    ownPorts: () => [],
    ...parts,
  });
  made.start();
  closers.push(async () => made.stop());
  return made;
}

function request(url: string, rest: Partial<HttpRequest> = {}): HttpRequest {
  return { url, method: 'GET', headers: {}, timeoutMs: PATIENCE_MS, ...rest };
}

interface Place {
  readonly url: string;
  readonly port: number;
}

/** A real server on a loopback address; on a free port by default. */
async function serve(listener: RequestListener, host = '127.0.0.1', port = 0): Promise<Place> {
  return listen(createServer(listener), host, port);
}

async function listen(server: Server, host = '127.0.0.1', wanted = 0): Promise<Place> {
  server.listen(wanted, host);
  await once(server, 'listening');
  closers.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://${host}:${port}`, port };
}

/** A server that speaks no HTTP of its own: `talk` is handed each connection. */
async function serveRaw(talk: (socket: Socket) => void): Promise<Place & { readonly sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {}).resume();
    talk(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, sockets };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function to(...addresses: string[]): Resolve {
  return async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

describe('what is sent', () => {
  it('is the method, the path with its query, the headers and the body', async () => {
    const seen: unknown[] = [];
    const { url } = await serve(async (incoming, answer) => {
      seen.push([incoming.method, incoming.url, incoming.headers['x-room'], await bodyOf(incoming)]);
      answer.writeHead(201, 'Made', { 'X-Answer': 'yes' }).end('fine ✓');
    });
    const answer = await sender().send(
      request(`${url}/a/b?c=d%20e#f`, { method: 'PUT', headers: { 'X-Room': 'hall' }, body: '{"on":true}' }),
    );
    expect(seen).toEqual([['PUT', '/a/b?c=d%20e', 'hall', '{"on":true}']]);
    expect(answer).toMatchObject({ status: 201, statusText: 'Made', body: 'fine ✓' });
    expect(answer.headers['x-answer']).toBe('yes');
  });

  it('sends who we are, and the name and password of the URL as a header', async () => {
    const seen: IncomingMessage['headers'][] = [];
    const { port } = await serve((incoming, answer) => {
      seen.push(incoming.headers);
      answer.end();
    });
    await sender().send(request(`http://us%C3%A9r:p%40ss@127.0.0.1:${port}/`));
    const authorization = `Basic ${Buffer.from('usér:p@ss').toString('base64')}`;
    expect(seen).toMatchObject([{ authorization, 'user-agent': expect.stringMatching(/^hearthd\//) }]);
  });

  it('has no cookie that an earlier answer set', async () => {
    const cookies: unknown[] = [];
    const { url } = await serve((incoming, answer) => {
      cookies.push(incoming.headers.cookie);
      answer.setHeader('Set-Cookie', 'session=1').end();
    });
    const http = sender();
    await http.send(request(url));
    await http.send(request(url));
    expect(cookies).toEqual([undefined, undefined]);
  });

  it('goes to no proxy that the environment names', async () => {
    const proxied: unknown[] = [];
    const proxy = await serve((incoming, answer) => {
      proxied.push(incoming.url);
      answer.end('proxy');
    });
    const { url } = await serve((_, answer) => answer.end('target'));
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'all_proxy']) vi.stubEnv(name, proxy.url);
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    await expect(sender().send(request(url))).resolves.toMatchObject({ body: 'target' });
    expect(proxied).toEqual([]);
  });

  it.each([
    ['a line feed in a value', { 'X-A': 'one\nX-B: two' }],
    ['a carriage return in a value', { 'X-A': 'one\r\n\r\nGET / HTTP/1.1' }],
    ['a zero in a value', { 'X-A': 'one\u0000two' }],
    ['a letter that no header has', { 'X-A': 'ł' }],
    ['a line break in a name', { 'X-A\r\nX-B': 'two' }],
    ['a colon in a name', { 'X-A: x': 'two' }],
    ['the host', { Host: 'other.example' }],
    ['the length', { 'Content-Length': '0' }],
    ['the framing', { 'Transfer-Encoding': 'chunked' }],
    ['a proxy’s', { 'Proxy-Authorization': 'Basic x' }],
  ])('has no header with %s: it is refused before anything is connected', async (_, headers) => {
    const { url, sockets } = await serveRaw(() => {});
    await expect(sender().send(request(url, { headers }))).rejects.toMatchObject({ reason: 'invalid_url' });
    expect(sockets).toEqual([]);
  });

  it.each([
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'unix:///run/hearthd.sock',
    'http://',
    'lamp.local',
    '',
    'javascript:1',
  ])('goes to http and https alone: %j is refused', async (url) => {
    await expect(sender().send(request(url))).rejects.toMatchObject({ reason: 'invalid_url' });
  });
});

describe('where it goes', () => {
  it('is nowhere on this computer unless that is allowed, and no connection is made', async () => {
    const { url, port, sockets } = await serveRaw(() => {});
    const http = sender({ allowLoopback: false, resolve: to('127.0.0.1') });
    for (const target of [
      url,
      `http://localhost:${port}/`,
      `http://0x7f.1:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
    ]) {
      await expect(http.send(request(target))).rejects.toMatchObject({ reason: 'refused_address' });
    }
    expect(sockets).toEqual([]);
  });

  it('is the address that was judged, even if the name means another a moment later', async () => {
    const reached: string[] = [];
    const judged = await serve((incoming, answer) => {
      reached.push(`judged ${incoming.headers.host}`);
      answer.end('judged');
    });
    await serve((_, answer) => answer.end('rebound'), '127.0.0.2', judged.port);
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']];
    const resolve = vi.fn<Resolve>(() => to(...(answers.shift() ?? []))('rebind.example'));
    const answer = await sender({ resolve }).send(request(`http://rebind.example:${judged.port}/`));
    expect(answer.body).toBe('judged');
    expect(reached).toEqual([`judged rebind.example:${judged.port}`]);
    expect(resolve).toHaveBeenCalledTimes(1);
  });

  it('is judged again with each request: a name that turned to loopback is refused', async () => {
    const { port } = await serve((_, answer) => answer.end());
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const resolve: Resolve = () => to(...(answers.shift() ?? []))('rebind.example');
    const http = sender({ resolve });
    await expect(http.send(request(`http://rebind.example:${port}/`))).resolves.toMatchObject({ status: 200 });
    await expect(http.send(request(`http://rebind.example:${port}/`))).rejects.toMatchObject({
      reason: 'refused_address',
      message: 'rebind.example is a link-local address: nothing is sent there',
    });
  });

  it('is one of the addresses of a name that may be sent to, never one of the others', async () => {
    const { port } = await serve((_, answer) => answer.end('here'));
    const mixed = to('fe80::1', '169.254.169.254', '127.0.0.1', '0.0.0.0');
    await expect(sender({ resolve: mixed }).send(request(`http://mixed.example:${port}/`))).resolves.toMatchObject({
      body: 'here',
    });
  });

  it('is the next address where the first does not take connections', async () => {
    const { port } = await serve((_, answer) => answer.end('second'));
    const resolve = to('127.0.0.3', '127.0.0.1');
    await expect(sender({ resolve }).send(request(`http://two.example:${port}/`))).resolves.toMatchObject({
      body: 'second',
    });
  });

  it.each([301, 302, 303, 307, 308])('is not where a redirect points to: %i is the answer', async (status) => {
    const { url: elsewhere, sockets } = await serveRaw(() => {});
    const { url } = await serve((_, answer) => answer.writeHead(status, { Location: elsewhere }).end());
    await expect(sender().send(request(url))).resolves.toMatchObject({ status, headers: { location: elsewhere } });
    expect(sockets).toEqual([]);
  });
});

describe('an answer', () => {
  it('is read up to 64 KiB, though it never ends, and the connection is closed then', async () => {
    let isClosed = false;
    const { url } = await serve((_, answer) => {
      const more = (): void => {
        while (!answer.destroyed && answer.write('x'.repeat(10_000)));
      };
      answer.on('drain', more).on('close', () => (isClosed = true));
      more();
    });
    const { body } = await sender().send(request(url));
    expect(body).toBe('x'.repeat(64 * 1024));
    await vi.waitFor(() => expect(isClosed).toBe(true), { timeout: PATIENCE_MS });
  });

  it('that is cut within a character ends before it', async () => {
    const { url } = await serve((_, answer) => answer.end(`x${'é'.repeat(40_000)}`));
    const { body } = await sender().send(request(url));
    expect(body).toBe(`x${'é'.repeat((64 * 1024 - 2) / 2)}`);
  });

  it('is read in the charset that it declares', async () => {
    const { url } = await serve((_, answer) => {
      answer.setHeader('Content-Type', 'text/plain; charset=ISO-8859-1').end(Buffer.from([0xe9]));
    });
    await expect(sender().send(request(url))).resolves.toMatchObject({ body: 'é' });
  });

  it('of a server that hangs up, or speaks no HTTP, is a failure of the network', async () => {
    const hangsUp = await serveRaw((socket) => socket.destroy());
    const babbles = await serveRaw((socket) => socket.end('220 mail.example ESMTP\r\n'));
    const floods = await serveRaw((socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`));
    for (const { url } of [hangsUp, babbles, floods]) {
      await expect(sender().send(request(url))).rejects.toMatchObject({ reason: 'network' });
    }
  });

  it('of an unknown host is a failure that names the host and keeps the secrets of the URL', async () => {
    const { url, port } = await serveRaw(() => {});
    await closers.pop()?.();
    const failure = await sender()
      .send(request(`${url}/secret?token=abc`))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'network', message: expect.stringContaining('127.0.0.1') });
    expect(String(failure)).not.toMatch(/secret|abc/);
    expect(String(failure)).toContain(String(port));
  });

  it('of an unknown name is a failure of the network', async () => {
    const unknown: Resolve = () => Promise.reject(new Error('getaddrinfo ENOTFOUND nowhere.example'));
    await expect(sender({ resolve: unknown }).send(request('http://nowhere.example/'))).rejects.toMatchObject({
      reason: 'network',
      message: expect.stringContaining('nowhere.example'),
    });
    await expect(sender({ resolve: to() }).send(request('http://nowhere.example/'))).rejects.toMatchObject({
      reason: 'network',
    });
  });
});

describe('the deadline', () => {
  it('counts the look-up of the name', async () => {
    const never: Resolve = () => new Promise(() => {});
    await expect(
      sender({ resolve: never }).send(request('http://slow.example/', { timeoutMs: SHORT_MS })),
    ).rejects.toMatchObject({ reason: 'timeout', message: 'slow.example did not answer within 0.2 s' });
  });

  it.each([
    ['sends nothing', () => {}],
    ['never ends its head', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\nX-A: 1\r\n')],
    ['drips', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx')],
  ])('cuts off a server that %s, and closes its connection', async (_, talk) => {
    const { url, sockets } = await serveRaw(talk);
    await expect(sender().send(request(url, { timeoutMs: SHORT_MS }))).rejects.toMatchObject({ reason: 'timeout' });
    await vi.waitFor(
      () => expect(sockets.every(({ readableEnded, destroyed }) => readableEnded || destroyed)).toBe(true),
      {
        timeout: PATIENCE_MS,
      },
    );
  });

  it('counts a TLS handshake that never ends', async () => {
    const { port } = await serveRaw(() => {});
    await expect(sender().send(request(`https://127.0.0.1:${port}/`, { timeoutMs: SHORT_MS }))).rejects.toMatchObject({
      reason: 'timeout',
    });
  });
});

describe('a request is broken off', () => {
  it('when its sender no longer wants it, and before it is sent too', async () => {
    const { url, sockets } = await serveRaw(() => {});
    const controller = new AbortController();
    const sent = sender().send(request(url, { signal: controller.signal }));
    await vi.waitFor(() => expect(sockets).toHaveLength(1), { timeout: PATIENCE_MS });
    controller.abort();
    await expect(sent).rejects.toMatchObject({ reason: 'cancelled' });
    await expect(sender().send(request(url, { signal: controller.signal }))).rejects.toMatchObject({
      reason: 'cancelled',
    });
    expect(sockets).toHaveLength(1);
  });

  it('when the daemon stops, which leaves no connection and sends nothing more', async () => {
    const { url, sockets } = await serveRaw(() => {});
    const http = sender();
    const sent = [http.send(request(url)), http.send(request(url))].map((one) => one.catch((error: unknown) => error));
    await vi.waitFor(() => expect(sockets).toHaveLength(2), { timeout: PATIENCE_MS });
    await http.stop();
    expect(await Promise.all(sent)).toMatchObject([{ reason: 'cancelled' }, { reason: 'cancelled' }]);
    await expect(http.send(request(url))).rejects.toMatchObject({ reason: 'cancelled' });
    await vi.waitFor(
      () => expect(sockets.every(({ readableEnded, destroyed }) => readableEnded || destroyed)).toBe(true),
      {
        timeout: PATIENCE_MS,
      },
    );
  });
});

describe('a connection that is kept for the next request', () => {
  const HOST = 'kept.example';

  interface Counting extends Place {
    /** Of each request: the local port on which it came, which distinguishes connections. */
    readonly from: number[];
    /** Of those, which are open. */
    readonly open: Set<Socket>;
  }

  async function serveCounting(answer: RequestListener = (_, response) => response.end('yes')): Promise<Counting> {
    const from: number[] = [];
    const open = new Set<Socket>();
    const server = createServer((incoming, response) => {
      from.push(incoming.socket.remotePort ?? 0);
      incoming.resume().on('end', () => answer(incoming, response));
    });
    server.on('connection', (socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    });
    return { ...(await listen(server)), from, open };
  }

  const kept = ({ port }: Place, keptFor: string): HttpRequest =>
    request(`http://${HOST}:${port}/`, { method: 'POST', body: '{}', keptFor });

  it('carries what follows, for its own destination only, and only if it allows that', async () => {
    const place = await serveCounting();
    const http = sender({ resolve: to('127.0.0.1') });
    for (const one of ['a', 'a', 'b', 'a']) await http.send(kept(place, one));
    const [first, second, other, third] = place.from;
    expect([second, third]).toEqual([first, first]);
    expect(other).not.toBe(first);
    const plain = request(`http://${HOST}:${place.port}/`);
    await http.send(plain);
    await http.send(plain);
    expect(new Set(place.from).size).toBe(4);
  });

  it('leads where it was allowed to lead, even if the name changes meanwhile, for as long as its address is allowed', async () => {
    const place = await serveCounting();
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const resolve: Resolve = () => to(...(answers.shift() ?? []))('');
    const parts = { clock: systemClock, allowLoopback: true, ownAddresses: () => [], ownPorts: () => [], resolve };
    const http = new GuardedSender(parts);
    closers.push(() => http.stop());
    await http.send(kept(place, 'a'));
    await expect(http.send(kept(place, 'a'))).resolves.toMatchObject({ status: 200 });
    expect(new Set(place.from).size).toBe(1);
    parts.allowLoopback = false;
    await expect(http.send(kept(place, 'a'))).rejects.toMatchObject({ reason: 'refused_address' });
    await vi.waitFor(() => expect(place.open.size).toBe(0), { timeout: PATIENCE_MS });
  });

  it('is not used for longer than a minute: then the name is resolved again', async () => {
    const place = await serveCounting();
    let now = 0;
    const clock = { ...systemClock, monotonic: () => now };
    const resolve = vi.fn<Resolve>(to('127.0.0.1'));
    const http = sender({ clock, resolve });
    await http.send(kept(place, 'a'));
    now = 59_000;
    await http.send(kept(place, 'a'));
    expect(resolve).toHaveBeenCalledTimes(1);
    now = 61_000;
    await http.send(kept(place, 'a'));
    expect(resolve).toHaveBeenCalledTimes(2);
    expect(new Set(place.from).size).toBe(2);
    await vi.waitFor(() => expect(place.open.size).toBe(1), { timeout: PATIENCE_MS });
  });

  it('that ends just as it is used again is no failure: the request goes over another one', async () => {
    const seen = new Map<Socket, number>();
    const place = await serveRaw((socket) => {
      socket.on('data', () => {
        seen.set(socket, (seen.get(socket) ?? 0) + 1);
        // The first request of each connection has its answer, the second one the end of it.
        if (seen.get(socket) === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nyes');
        else socket.destroy();
      });
    });
    const http = sender({ resolve: to('127.0.0.1') });
    for (let count = 0; count < 3; count += 1) {
      await expect(http.send(kept(place, 'a'))).resolves.toMatchObject({ body: 'yes' });
    }
    expect(place.sockets).toHaveLength(3);
  });

  it('is closed after an answer that was not read to its end, or that asks for it, and when the daemon stops', async () => {
    const endless = await serveCounting((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    const closing = await serveCounting((_, response) => response.setHeader('Connection', 'close').end());
    const place = await serveCounting();
    const http = sender({ resolve: to('127.0.0.1') });
    for (const one of [endless, closing, place]) {
      await http.send(kept(one, 'a'));
      await http.send(kept(one, 'a'));
    }
    expect([endless, closing, place].map(({ from }) => new Set(from).size)).toEqual([2, 2, 1]);
    await vi.waitFor(() => expect(endless.open.size + closing.open.size).toBe(0), { timeout: PATIENCE_MS });
    expect(place.open.size).toBe(1);
    await http.stop();
    await vi.waitFor(() => expect(place.open.size).toBe(0), { timeout: PATIENCE_MS });
  });
});

describe('TLS', () => {
  const certificate = readFileSync(join(CERTIFICATES, 'first.cert.pem'), 'utf8');
  const key = readFileSync(join(CERTIFICATES, 'first.key.pem'), 'utf8');

  async function serveTls(): Promise<Place> {
    return listen(
      createTlsServer({ cert: certificate, key }, (_, answer) => answer.end('private')) as unknown as Server,
    );
  }

  it('asks for the name, and takes a certificate of a trusted authority for it', async () => {
    const { port } = await serveTls();
    const http = sender({ resolve: to('127.0.0.1'), authorities: [certificate] });
    await expect(http.send(request(`https://first.example:${port}/`))).resolves.toMatchObject({ body: 'private' });
    await expect(http.send(request(`https://first.example.:${port}/`))).resolves.toMatchObject({ body: 'private' });
  });

  it('refuses a certificate for another name', async () => {
    const { port } = await serveTls();
    const http = sender({ resolve: to('127.0.0.1'), authorities: [certificate] });
    await expect(http.send(request(`https://second.example:${port}/`))).rejects.toMatchObject({ reason: 'network' });
    await expect(http.send(request(`https://127.0.0.1:${port}/`))).rejects.toMatchObject({ reason: 'network' });
  });

  it('refuses an untrusted certificate, in every environment', async () => {
    const { port } = await serveTls();
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    await expect(
      sender({ resolve: to('127.0.0.1') }).send(request(`https://first.example:${port}/`)),
    ).rejects.toMatchObject({ reason: 'network', message: expect.stringContaining('certificate') });
  });
});
