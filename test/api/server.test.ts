import { execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { copyFileSync, existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as tlsConnect } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson } from '../../src/api/respond.ts';
import { HttpServer, type HttpServerDeps } from '../../src/api/server.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const echo: HttpServerDeps['fetch'] = async (request, env) => {
  const length = request.body === null ? 0 : (await request.arrayBuffer()).byteLength;
  return answerJson({ path: new URL(request.url).pathname, viaSocket: env.viaSocket, length });
};

/** Removed after the test. */
function makeTempDirectory(): string {
  const directory = createTempDirectory('server');
  undo.push(() => directory.remove());
  return directory.path;
}

async function serve(overrides: Partial<HttpServerDeps> = {}): Promise<HttpServer> {
  const server = new HttpServer({
    fetch: echo,
    host: ['127.0.0.1'],
    port: 0,
    socketPath: null,
    tls: null,
    logger: silentLogger,
    ...overrides,
  });
  await server.start();
  undo.push(() => server.stop());
  return server;
}

/** An answer that waits until the test releases it, and reports when it was asked for. */
function holdAnswer(): { answer: HttpServerDeps['fetch']; asked: Promise<void>; release: () => void } {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let ask: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const answer = async () => {
    ask();
    await held;
    return answerJson({ done: true });
  };
  return { answer, asked, release };
}

function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  undo.push(() => socket.destroy());
  return once(socket, 'connect').then(() => socket);
}

/** Sends raw bytes and returns all that comes back until the server closes. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = await dial(port);
  const answer = readToEnd(socket);
  socket.write(bytes);
  return answer;
}

async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

function getOverSocket(socketPath: string, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath, path, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on('error', reject);
    request.end();
  });
}

describe('listening', () => {
  it('picks a free port where none is given, and reports it', async () => {
    const server = await serve();
    expect(server.port).toBeGreaterThan(0);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect(await (await fetch(`${server.url}/a`)).json()).toMatchObject({ path: '/a', viaSocket: false });
  });

  it('uses the same port on every address', async () => {
    const server = await serve({ host: ['127.0.0.1', '127.0.0.2'] });
    for (const host of ['127.0.0.1', '127.0.0.2']) {
      expect((await fetch(`http://${host}:${server.port}/`)).status).toBe(200);
    }
  });

  it('listens on every IPv4 and every IPv6 address where both are named', async (context) => {
    const hasIPv6 = Object.values(networkInterfaces()).some((own) => own?.some(({ address }) => address === '::1'));
    if (!hasIPv6) context.skip('this machine has no IPv6');
    for (const host of [
      ['0.0.0.0', '::'],
      ['::', '127.0.0.1'],
    ]) {
      const { port } = await serve({ host });
      for (const name of ['127.0.0.1', '[::1]']) expect((await fetch(`http://${name}:${port}/`)).status).toBe(200);
    }
  });

  it('reports in one line that the port is in use, and leaves nothing open', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    undo.push(() => other.close());
    const { port } = other.address() as AddressInfo;
    await expect(serve({ port })).rejects.toMatchObject({
      code: 'conflict',
      message: `Port ${port} is in use by another program. Stop that one, or choose another port with --port.`,
    });
  });

  it('has a second port for WebSockets on each address, and names its setting if it is taken', async () => {
    const server = await serve({ host: ['127.0.0.1', '127.0.0.2'], wsPort: 0 });
    expect(server.wsPort).not.toBe(server.port);
    for (const host of ['127.0.0.1', '127.0.0.2']) {
      const answer = await fetch(`http://${host}:${server.wsPort}/any/path`);
      expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket']);
    }
    await expect(serve({ wsPort: server.wsPort })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('choose another port with --ws-port'),
    });
    await server.stop();
    expect([server.port, server.wsPort]).toEqual([0, 0]);
  });

  it('hands a WebSocket over with its listener, and answers for clients that no handler takes', async () => {
    const asked: (readonly [string, boolean | undefined])[] = [];
    const server = await serve({
      wsPort: 0,
      fetch: (request, { upgrade }) => {
        asked.push([new URL(request.url).pathname, upgrade?.onOwnPort]);
        return answerJson({ error: 'No' }, 403);
      },
    });
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
    const ask = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n\r\n`;
    for (const [port, path] of [
      [server.port, '/ws?x=1'],
      [server.wsPort, '/any/path'],
    ] as const) {
      expect(await exchange(port, ask(path))).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*\{"error":"No"\}$/);
    }
    expect(asked).toEqual([
      ['/ws', false],
      ['/ws', true],
    ]);
  });

  it('reports in one line that an address is not its own', async () => {
    await expect(serve({ host: ['192.0.2.1'] })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('192.0.2.1 is not an address of this machine'),
    });
  });

  it('can be stopped twice and started again', async () => {
    const server = await serve();
    await server.stop();
    await server.stop();
    await server.start();
    expect((await fetch(server.url)).status).toBe(200);
  });
});

describe('the Unix socket', () => {
  it('is the owner’s alone from its first moment, and its requests are marked', async () => {
    const socketPath = join(makeTempDirectory(), 'hearthd.sock');
    await serve({ socketPath });
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    const { status, body } = await getOverSocket(socketPath, '/x');
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ path: '/x', viaSocket: true });
  });

  it('is gone after the stop', async () => {
    const socketPath = join(makeTempDirectory(), 'hearthd.sock');
    const server = await serve({ socketPath });
    await server.stop();
    expect(existsSync(socketPath)).toBe(false);
  });

  it('takes the place of a file that a crash left behind', async () => {
    const socketPath = join(makeTempDirectory(), 'hearthd.sock');
    // Only a process that dies without closing leaves its socket behind.
    const script = `require('net').createServer().listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, 'SIGKILL'))`;
    expect(() => execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' })).toThrow();
    expect(existsSync(socketPath)).toBe(true);
    await serve({ socketPath });
    expect((await getOverSocket(socketPath, '/')).status).toBe(200);
  });

  it('does not take the place of one that answers', async () => {
    const socketPath = join(makeTempDirectory(), 'hearthd.sock');
    await serve({ socketPath });
    await expect(serve({ socketPath })).rejects.toMatchObject({
      message: expect.stringContaining('Another hearthd answers'),
    });
    expect((await getOverSocket(socketPath, '/')).status).toBe(200);
  });

  it('does not remove a file that is no socket', async () => {
    const socketPath = join(makeTempDirectory(), 'hearthd.sock');
    writeFileSync(socketPath, 'precious');
    await expect(serve({ socketPath })).rejects.toMatchObject({ message: expect.stringContaining('is no socket') });
    expect(existsSync(socketPath)).toBe(true);
  });
});

describe('peers that are slow, garbled or many', () => {
  const limits = { headersTimeoutMs: 300, requestTimeoutMs: 600, checkIntervalMs: 50 };

  it.each([
    ['sends nothing at all', ''],
    ['never finishes its headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
    ['never finishes its body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc'],
  ])('cuts off a peer that %s, and serves the others meanwhile', async (_, bytes) => {
    const server = await serve({ limits });
    const answer = exchange(server.port, bytes);
    expect((await fetch(server.url)).status).toBe(200);
    expect(await answer).toMatch(/^$|^HTTP\/1\.1 4\d\d /);
  });

  it('cuts off a peer that feeds it one header byte at a time', async () => {
    const server = await serve({ limits });
    const socket = await dial(server.port);
    const answer = readToEnd(socket);
    const drip = setInterval(() => socket.write('a'), 20);
    undo.push(() => clearInterval(drip));
    socket.write('GET / HTTP/1.1\r\nX-Drip: ');
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('answers 431 to headers above 16 kB', async () => {
    const server = await serve();
    const answer = await exchange(
      server.port,
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"code":"invalid_request"');
    expect(answer).toContain('X-Content-Type-Options: nosniff');
  });

  it.each([
    [
      'both lengths',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n',
    ],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde'],
    [
      'a coding that does not end in chunked',
      'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n',
    ],
    ['a bare line feed in a header', 'GET / HTTP/1.1\r\nHost: localhost\r\nX: a\nY: b\r\n\r\n'],
    ['a space before a colon', 'GET / HTTP/1.1\r\nHost : localhost\r\n\r\n'],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['no version, as in HTTP/0.9', 'GET /\r\n\r\n'],
    ['something that is not HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ])('refuses a request with %s', async (_, bytes) => {
    const server = await serve({ limits });
    const answer = await exchange(server.port, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(answer).toContain('"code":"invalid_request"');
    expect(answer).not.toContain('smuggled');
  });

  it.each([
    ['an unknown expectation', 417, 'POST / HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\n\r\n'],
    ['a request to upgrade elsewhere', 400, 'CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['HTTP/2 without asking', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('answers %s with a sentence', async (_, status, bytes) => {
    const server = await serve();
    const [head = '', body = ''] = (await exchange(server.port, bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\w`));
    expect(head).toContain('X-Content-Type-Options: nosniff');
    expect(JSON.parse(body)).toEqual({ error: expect.stringMatching(/\.$/), code: 'invalid_request' });
  });

  it.each([
    ['a request to upgrade elsewhere', 'CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    [
      'a request for a WebSocket',
      'GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['something that is not HTTP', 'no HTTP\r\n\r\n'],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\n\r\n'],
  ])('outlives a peer that resets the connection after %s', async (_, bytes) => {
    const server = await serve();
    for (let time = 0; time < 6; time += 1) {
      const socket = connect(server.port, '127.0.0.1');
      await once(socket, 'connect');
      await new Promise<void>((resolve) => socket.write(bytes + 'x'.repeat(time * 50), () => resolve()));
      // Before it is answered, or just then.
      if (time % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
      socket.resetAndDestroy();
    }
    expect(await exchange(server.port, 'GET /on HTTP/1.0\r\n\r\n')).toContain('"path":"/on"');
  });

  it.each([
    ['Host', 'localhost', 'evil.example'],
    ['Host', 'localhost', 'localhost'],
    ['Authorization', 'Bearer a', 'Bearer b'],
    ['Origin', 'http://localhost', 'https://evil.example'],
    ['Content-Type', 'application/json', 'text/plain'],
    ['Content-Length', '0', '0'],
    ['Transfer-Encoding', 'chunked', 'chunked'],
    ['Access-Control-Request-Method', 'GET', 'POST'],
    ['Last-Event-ID', '1', '2'],
    ['Sec-WebSocket-Key', 'a', 'b'],
    ['Sec-WebSocket-Version', '13', '8'],
  ])('a request with two %s headers (%s, %s) is refused with 400', async (name, one, two) => {
    const server = await serve();
    const host = name === 'Host' ? '' : 'Host: localhost\r\n';
    const head = `${host}${name}: ${one}\r\nX: 1\r\n${name.toLowerCase()}: ${two}\r\nConnection: close\r\n\r\n`;
    const answer = await exchange(server.port, `POST /x HTTP/1.1\r\n${head}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toContain('"path"');
  });

  it('a WebSocket with two Host headers is refused with 400', async () => {
    const server = await serve();
    const head = 'Host: localhost\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    expect(await exchange(server.port, `GET /ws HTTP/1.1\r\n${head}`)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('takes HTTP/1.0 without a Host', async () => {
    const server = await serve();
    expect(await exchange(server.port, 'GET /old HTTP/1.0\r\n\r\n')).toContain('"path":"/old"');
  });

  it('drops no header, however many there are before it', async () => {
    const server = await serve({
      fetch: (request) => answerJson({ origin: request.headers.get('origin') }),
    });
    const many = Array.from({ length: 1_000 }, (_, index) => `X${index}: 1`).join('\r\n');
    const answer = await exchange(
      server.port,
      `GET / HTTP/1.1\r\nHost: localhost\r\n${many}\r\nOrigin: https://evil.example\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toContain('{"origin":"https://evil.example"}');
  });

  it('answers a target that is no URL with 400 in JSON', async () => {
    const server = await serve();
    const answer = await exchange(server.port, 'GET //[ HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"invalid_request"');
  });

  it('puts no refusal into the middle of an answer', async () => {
    const stream = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('begun')) });
    const server = await serve({ fetch: () => new Response(stream) });
    const socket = await dial(server.port);
    const answer = readToEnd(socket);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.write('garbage\r\n\r\n');
    expect((await answer).match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('gives a request for an upgrade a plain answer', async () => {
    const server = await serve({ fetch: () => answerJson({ error: 'none' }, 404) });
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
    const socket = await dial(server.port);
    const answer = readToEnd(socket);
    socket.write(`GET /ws HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n\r\n`);
    socket.end();
    expect(await answer).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('makes room for a new connection by closing the one that is idle longest', async () => {
    const server = await serve({ limits: { maxConnections: 20 } });
    const idle = await Promise.all(Array.from({ length: 60 }, () => dial(server.port)));
    expect(await (await fetch(server.url)).json()).toMatchObject({ path: '/' });
    await expect.poll(() => idle.filter((socket) => socket.closed).length).toBeGreaterThanOrEqual(40);
  });

  it('is kept busy neither by half a body nor by unread answers', async () => {
    const server = await serve({
      limits: { maxConnections: 10 },
      fetch: (request, env) =>
        request.method === 'GET' ? answerJson({ much: 'x'.repeat(4_000_000) }) : echo(request, env),
    });
    const slow = await Promise.all(Array.from({ length: 10 }, () => dial(server.port)));
    for (const socket of slow) {
      socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nab');
    }
    const deaf = await Promise.all(Array.from({ length: 10 }, () => dial(server.port)));
    for (const socket of deaf) {
      socket.pause();
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(5));
    }
    for (let n = 0; n < 5; n += 1) {
      const answer = await exchange(
        server.port,
        'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc',
      );
      expect(answer).toContain('"length":3');
    }
    await expect.poll(() => slow.filter((socket) => socket.closed).length).toBe(slow.length);
  });

  it('answers a thousand pipelined requests in their order, bodies and all, one at a time', async () => {
    let inProgress = 0;
    let most = 0;
    const server = await serve({
      fetch: async (request, env) => {
        inProgress += 1;
        most = Math.max(most, inProgress);
        await new Promise((resolve) => setImmediate(resolve));
        const answer = await echo(request, env);
        inProgress -= 1;
        return answer;
      },
    });
    const ask = (n: number): string => {
      const head = `Host: localhost\r\n${n === 999 ? 'Connection: close\r\n' : ''}`;
      if (n % 3 === 0) return `GET /${n} HTTP/1.1\r\n${head}\r\n`;
      if (n % 3 === 1) return `POST /${n} HTTP/1.1\r\n${head}Content-Length: 3\r\n\r\nabc`;
      return `POST /${n} HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`;
    };
    const answers = await exchange(server.port, Array.from({ length: 1_000 }, (_, n) => ask(n)).join(''));
    expect([...answers.matchAll(/"path":"\/(\d+)"/g)].map(([, n]) => Number(n))).toEqual([...Array(1_000).keys()]);
    expect([...answers.matchAll(/"length":(\d)/g)].map(([, n]) => Number(n))).toEqual(
      Array.from({ length: 1_000 }, (_, n) => (n % 3 === 0 ? 0 : 3)),
    );
    expect(most).toBe(1);
  });

  it('a pipelined flood is not read: four requests of a connection at most, until they have their answers', async () => {
    const { answer, asked, release } = holdAnswer();
    const server = await serve({ fetch: answer });
    let read = 0;
    const count = (message: unknown): void => {
      const { socket } = message as { readonly socket: Socket };
      if (socket.localPort === server.port) read += 1;
    };
    subscribe('http.server.request.start', count);
    undo.push(() => unsubscribe('http.server.request.start', count));
    const socket = await dial(server.port);
    const answers = readToEnd(socket);
    socket.end('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(500));
    await asked;
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(read).toBe(4);
    release();
    // The peer sends no more, gets all its answers, and the relay closes the connection.
    expect((await answers).match(/HTTP\/1\.1 200 /g)?.length).toBeGreaterThan(490);
    expect(read).toBe(500);
  });

  it('a peer that resets the connection in the middle of a pipelined flood ends nothing but its connection', async () => {
    const { answer, asked, release } = holdAnswer();
    const server = await serve({ fetch: answer });
    const socket = await dial(server.port);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(500));
    await asked;
    socket.resetAndDestroy();
    await new Promise((resolve) => setImmediate(resolve));
    release();
    expect((await fetch(server.url)).status).toBe(200);
  });

  it('a WebSocket that is asked for behind other requests opens after their answers', async () => {
    const server = await serve({
      fetch: (request, { upgrade }) => answerJson({ path: new URL(request.url).pathname, upgrade: !!upgrade }),
    });
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
    const answers = await exchange(
      server.port,
      `GET /a HTTP/1.1\r\nHost: localhost\r\n\r\nGET /ws HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`,
    );
    expect([...answers.matchAll(/\{.*?\}/g)].map(([body]) => JSON.parse(body))).toEqual([
      { path: '/a', upgrade: false },
      { path: '/ws', upgrade: true },
    ]);
  });

  it('never closes a connection that waits for its answer to make room', async () => {
    const { answer, asked, release } = holdAnswer();
    const server = await serve({ limits: { maxConnections: 5 }, fetch: answer });
    const slow = fetch(server.url);
    await asked;
    await Promise.all(Array.from({ length: 20 }, () => dial(server.port)));
    release();
    expect((await slow).status).toBe(200);
  });
});

describe('stopping', () => {
  it('finishes the answers under way, takes no new clients, and keeps no connection', async () => {
    const { answer, asked, release } = holdAnswer();
    const server = await serve({ fetch: answer });
    const { port } = server;
    const idle = await dial(port);
    const slow = fetch(server.url);
    await asked;
    const stopped = server.stop();
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
    await expect.poll(() => idle.closed).toBe(true);
    release();
    expect(await (await slow).json()).toEqual({ done: true });
    await stopped;
  });
});

describe('TLS', () => {
  /** A copy of a self-signed certificate for `<name>.example`, made for this test and good for nothing else. */
  function copyCertificate(directory: string, name: 'first' | 'second'): { cert: string; key: string } {
    const files = { cert: join(directory, `${name}.cert.pem`), key: join(directory, `${name}.key.pem`) };
    for (const file of Object.values(files)) copyFileSync(join(import.meta.dirname, 'fixtures', basename(file)), file);
    return files;
  }

  /** The common name of the certificate that is served. */
  async function servedName(port: number): Promise<string> {
    const socket = tlsConnect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { subject } = socket.getPeerCertificate();
    socket.destroy();
    return String(subject.CN);
  }

  it('serves https and takes a changed certificate without a restart, even file by file', async () => {
    const directory = makeTempDirectory();
    const first = copyCertificate(directory, 'first');
    const second = copyCertificate(directory, 'second');
    const server = await serve({ tls: first, tlsCheckMs: 25 });
    expect(server.url).toMatch(/^https:/);
    expect(await servedName(server.port)).toBe('first.example');

    renameSync(second.cert, first.cert);
    await delay(100);
    expect(await servedName(server.port)).toBe('first.example');
    renameSync(second.key, first.key);
    await expect.poll(() => servedName(server.port)).toBe('second.example');
  });

  it('takes WebSockets over TLS on both ports, and passes on that they are secure', async () => {
    const tls = copyCertificate(makeTempDirectory(), 'first');
    const schemes: string[] = [];
    const server = await serve({
      tls,
      wsPort: 0,
      fetch: (request) => {
        schemes.push(new URL(request.url).protocol);
        return answerJson({}, 403);
      },
    });
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
    for (const port of [server.port, server.wsPort]) {
      const socket = tlsConnect({ port, host: '127.0.0.1', rejectUnauthorized: false });
      undo.push(() => socket.destroy());
      const answer = readToEnd(socket);
      socket.write(
        `GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n\r\n`,
      );
      expect(await answer).toMatch(/^HTTP\/1\.1 403 /);
    }
    expect(schemes).toEqual(['https:', 'https:']);
  });

  it('reports in one line that a TLS file can’t be read or used', async () => {
    const directory = makeTempDirectory();
    const missing = { cert: join(directory, 'no.crt'), key: join(directory, 'no.key') };
    await expect(serve({ tls: missing })).rejects.toMatchObject({
      message: expect.stringContaining("Can't read the TLS"),
    });
    const garbage = join(directory, 'garbage');
    writeFileSync(garbage, 'no certificate');
    await expect(serve({ tls: { cert: garbage, key: garbage } })).rejects.toMatchObject({
      message: expect.stringMatching(/The TLS files are not usable .*--tls-cert/),
    });
  });

  it('serves others while many connect and agree on nothing', async () => {
    const server = await serve({ tls: copyCertificate(makeTempDirectory(), 'first'), limits: { maxConnections: 10 } });
    const mute = await Promise.all(Array.from({ length: 40 }, () => dial(server.port)));
    expect(await servedName(server.port)).toBe('first.example');
    await expect.poll(() => mute.filter((socket) => socket.closed).length).toBeGreaterThanOrEqual(30);
  });

  it('outlives a peer that speaks no TLS', async () => {
    const server = await serve({ tls: copyCertificate(makeTempDirectory(), 'first') });
    await exchange(server.port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await servedName(server.port)).toBe('first.example');
  });
});
