/** The whole API on real sockets. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../src/api/server.ts';
import { createTestApi, createToken } from '../support/rest-client.ts';
import { serveApi } from '../support/served-api.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let directory: TempDirectory;
let server: HttpServer;
let headers: Record<string, string>;

beforeEach(async () => {
  home = createTestHome({ sample: true });
  directory = createTempDirectory('wire');
  server = await serveApi(createTestApi(home), { socketPath: directory.file('hearthd.sock') });
  headers = { Authorization: `Bearer ${createToken(home)}`, 'Content-Type': 'application/json' };
});

afterEach(async () => {
  await server.stop();
  home.close();
  directory.remove();
});

async function send(options: RequestOptions, body?: string): Promise<{ status: number | undefined; text: string }> {
  const request = httpRequest({ agent: false, ...options });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, text };
}

describe('the API on the wire', () => {
  it('turns on a lamp', async () => {
    const body = JSON.stringify({ home: 'My Home', room: 'Living Room', accessory: 'Lamp', on: true });
    const response = await fetch(`${server.url}/rest/state`, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ updated: 1, failed: 0 });
    const state = await fetch(`${server.url}/rest/state?name=lamp`, { headers });
    expect(state.headers.get('content-encoding')).toBe(null);
    expect(await state.text()).toContain('"on":true');
  });

  it('is the system’s on the Unix socket, for any Host and without a token', async () => {
    const socketPath = directory.file('hearthd.sock');
    const homes = await send({ socketPath, path: '/rest/homes', headers: { Host: 'anything' } });
    expect([homes.status, JSON.parse(homes.text)[0].role]).toEqual([200, 'owner']);
    const json = { 'Content-Type': 'application/json' };
    const options = { socketPath, path: '/rest/tokens', method: 'POST', headers: json };
    expect((await send(options, '{"name":"First"}')).text).toContain('"token":"hc_');
  });

  it('does not answer to a foreign Host, token or not', async () => {
    const { port } = server;
    const options = { host: '127.0.0.1', port, path: '/rest/state', headers: { ...headers, Host: 'evil.example' } };
    expect((await send(options)).status).toBe(403);
    expect((await send({ ...options, path: '/health' })).status).toBe(403);
  });

  it('refuses more than 1 MiB, announced or in chunks, and goes on serving', async () => {
    const big = 'x'.repeat(3 * 1_048_576);
    const announced = await fetch(`${server.url}/rest/state`, { method: 'POST', headers, body: big }).then(
      ({ status }) => status,
      () => 413, // It may close before all of it was sent.
    );
    expect(announced).toBe(413);

    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const head = ['POST /rest/state HTTP/1.1', 'Host: localhost', `Authorization: ${headers.Authorization}`];
    socket.write([...head, 'Content-Type: application/json', 'Transfer-Encoding: chunked', '', ''].join('\r\n'));
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const pump = setInterval(() => socket.write(chunk), 1);
    // Not `once`: that would fail with the socket's own EPIPE, which is what is to be expected of a door that closes.
    await new Promise((resolve) => socket.on('close', resolve));
    clearInterval(pump);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });

  it('answers a HEAD like the GET, without the body', async () => {
    const response = await fetch(`${server.url}/rest/state`, { method: 'HEAD', headers });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('etag')).toMatch(/^W\//);
  });

  it('compresses for clients that accept it', async () => {
    const response = await fetch(`${server.url}/rest/state`, { headers: { ...headers, 'Accept-Encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.json()).toHaveProperty('_meta.message', 'Found 7 accessories across 1 home');
  });
});
