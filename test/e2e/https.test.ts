/** Https of a whole relay, as clients and OpenSSL see it. */
import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { createServer } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltDaemon, buildProgram } from '../support/built-daemon.ts';
import { E2eRelay } from '../support/e2e-relay.ts';
import { describeWithNamespaces, NetworkNamespace } from '../support/network-namespace.ts';

interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let relay: E2eRelay;
let port: number;
let authority: string;

beforeAll(async () => {
  relay = await E2eRelay.start();
  const { status, body } = await relay.asSystem('PUT', '/rest/relay/https', { source: 'own' });
  expect(status).toBe(200);
  port = body.port;
  authority = await (await fetch(`${relay.url}/trust/authority.pem`)).text();
});
afterAll(() => relay[Symbol.asyncDispose]());

function get(path: string, options: RequestOptions = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest({ host: '127.0.0.1', port, path, ca: authority, ...options }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.on('error', reject).end();
  });
}

const status = async () => (await relay.asSystem('GET', '/rest/relay/https')).body;

/** Not synchronously: the relay answers it from this process. */
function openssl(args: readonly string[], input: string | Buffer = ''): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile('openssl', args, (_error, stdout) => resolve(stdout));
    child.stdin?.end(input);
  });
}

function serialOn(socket: TLSSocket): string {
  return socket.getPeerCertificate().serialNumber;
}

function dial(): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca: authority }, () => resolve(socket));
    socket.once('error', reject);
  });
}

describe('https beside http', () => {
  it('is trusted by a client that knows the authority, and by no other', async () => {
    expect(await get('/health')).toMatchObject({ status: 200 });
    expect(await get('/health', { host: 'localhost', servername: 'localhost' })).toMatchObject({ status: 200 });
    await expect(get('/health', { ca: undefined })).rejects.toThrow(/self.signed certificate/);
    await expect(get('/health', { servername: 'evil.example' })).rejects.toThrow(/altnames/);
    expect((await fetch(`${relay.url}/health`)).status).toBe(200);
  });

  it('is found good by openssl', async () => {
    const file = relay.directory.file('authority.pem');
    writeFileSync(file, authority);
    const args = ['s_client', '-connect', `127.0.0.1:${port}`, '-CAfile', file, '-x509_strict', '-verify_return_error'];
    const stdout = await openssl([...args, '-verify_ip', '127.0.0.1']);
    expect(stdout).toContain('Verify return code: 0 (ok)');
    expect(stdout).toMatch(/TLSv1\.[23]/);
  });

  it('serves the API, takes Secure cookies, and asks no browser for https for ever', async () => {
    const headers = { Authorization: `Bearer ${relay.token}` };
    expect(await get('/rest/homes', { headers })).toMatchObject({ status: 200 });
    expect(await get('/rest/homes')).toMatchObject({ status: 401 });
    const page = await get('/setup', { headers: { Accept: 'text/html' } });
    expect(page.headers['set-cookie']?.join()).toMatch(/^__Host-[^;]+;.*Secure/);
    expect(page.headers['strict-transport-security']).toBeUndefined();
  });

  it('answers to its own names only', async () => {
    expect(await get('/health', { servername: 'localhost', headers: { Host: `evil.example:${port}` } })).toMatchObject({
      status: 403,
    });
  });

  it('keeps connections over a swap, and gives new ones the other certificate', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: authority });
    const open = await dial();
    const before = serialOn(open);
    expect(await get('/health', { agent })).toMatchObject({ status: 200 });
    const { body } = await relay.asSystem('POST', '/rest/relay/https/renew', {});
    expect(body.problem).toBeNull();
    open.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    const answer = await new Promise<string>((resolve) => open.once('data', (bytes) => resolve(String(bytes))));
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    const next = await dial();
    expect(serialOn(next)).not.toBe(before);
    next.destroy();
    open.destroy();
    agent.destroy();
  });

  it('is there again after a restart, with the same certificate', async () => {
    const before = await dial();
    const serial = serialOn(before);
    before.destroy();
    await relay.stop();
    await relay.start();
    port = (await status()).port;
    const after = await dial();
    expect(serialOn(after)).toBe(serial);
    after.destroy();
  });

  it('closes when it is turned off, and stays off when its port is taken', async () => {
    const { body } = await relay.asSystem('DELETE', '/rest/relay/https');
    expect(body).toMatchObject({ isOn: false, port: null });
    await expect(get('/health')).rejects.toThrow('ECONNREFUSED');
    expect((await fetch(`${relay.url}/trust`)).status).toBe(404);
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const other = await E2eRelay.start({
      config: { httpsPort: typeof address === 'object' ? (address?.port ?? 0) : 0 },
    });
    const refused = await other.asSystem('PUT', '/rest/relay/https', { source: 'own' });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toMatch(/Port \d+ is in use by another program\..*--https-port\./);
    expect((await other.asSystem('GET', '/rest/relay/https')).body.isOn).toBe(false);
    await other[Symbol.asyncDispose]();
    taken.close();
    const again = await relay.asSystem('PUT', '/rest/relay/https', { source: 'own' });
    port = again.body.port;
    expect(await get('/health')).toMatchObject({ status: 200 });
  });
});

describe('the page that leads to trust', () => {
  it('shows steps in both languages, the fingerprint and the addresses, without signing in', async () => {
    const { authorityFingerprint, addresses } = await status();
    const page = await fetch(`${relay.url}/trust`, {
      headers: { 'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)' },
    });
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain(authorityFingerprint);
    for (const address of addresses) expect(html).toContain(`<a href="${address}">`);
    expect(html).toMatch(/<details class="platform" open(?:="")?><summary>iPhone/);
    expect(html.match(/<details/g)).toHaveLength(6);
    expect(html).not.toContain('<script');
    const german = await fetch(`${relay.url}/trust`, { headers: { 'Accept-Language': 'de' } });
    expect(await german.text()).toContain('Zertifikatsvertrauenseinstellungen');
  });

  it('hands out the certificate alone, never its key', async () => {
    const files = ['authority.crt', 'authority.pem', 'authority.mobileconfig', 'qr.svg'];
    const answers = await Promise.all(files.map((file) => fetch(`${relay.url}/trust/${file}`)));
    expect(answers.map((answer) => [answer.status, answer.headers.get('content-type')])).toEqual([
      [200, 'application/x-x509-ca-cert'],
      [200, 'application/x-pem-file'],
      [200, 'application/x-apple-aspen-config'],
      [200, 'image/svg+xml'],
    ]);
    const [der = Buffer.alloc(0), pem = '', profile = ''] = await Promise.all(
      answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())),
    );
    const read = await openssl(['x509', '-inform', 'der', '-noout', '-fingerprint', '-sha256'], der);
    expect(read).toContain((await status()).authorityFingerprint);
    expect(String(profile)).toContain(`<data>${der.toString('base64')}</data>`);
    expect(String(profile)).toContain('com.apple.security.root');
    expect([der, pem, profile].map(String).join()).not.toContain('PRIVATE KEY');
  });
});

/** Prints the status and the address of each answer, without following it. */
const ASK = `Promise.all(process.argv.slice(1).map(async (url) => {
  const answer = await fetch(url, { redirect: 'manual' });
  return [answer.status, answer.headers.get('location')];
})).then((answers) => console.log(JSON.stringify(answers)))`;

describeWithNamespaces('http from another computer', () => {
  const ADDRESS = '10.98.0.1';

  it('leads to https while https_redirect is on, and this computer stays as it is', async () => {
    const namespace = NetworkNamespace.create();
    try {
      // The peer of a connection to it is this address too, and so no loopback.
      namespace.ip('addr', 'add', `${ADDRESS}/32`, 'dev', 'lo');
      using program = buildProgram();
      await using daemon = await BuiltDaemon.start({
        program,
        before: ['ip', 'netns', 'exec', namespace.name],
        network: ['--interface', 'lo', '--host', '0.0.0.0'],
      });
      const ask = (env: NodeJS.ProcessEnv, ...urls: readonly string[]): readonly [number, string | null][] => {
        const words = ['netns', 'exec', namespace.name, process.execPath, '-e', ASK, ...urls];
        return JSON.parse(execFileSync('ip', words, { encoding: 'utf8', env: { ...process.env, ...env } }));
      };
      const paths = ['/rest/homes?limit=2', '/health', '/trust'];
      const onHttp = (host: string) => ask({}, ...paths.map((path) => `http://${host}:${daemon.port}${path}`));
      const { body } = await daemon.asSystem('PUT', '/rest/relay/https', { source: 'own' });
      expect(body).toMatchObject({ isOn: true, problem: null });
      const open = [
        [401, null],
        [200, null],
        [200, null],
      ];
      expect(onHttp(ADDRESS)).toEqual(open);

      expect((await daemon.command('settings', 'set', 'https_redirect', 'true')).code).toBe(0);
      const led = `https://${ADDRESS}:${body.port}/rest/homes?limit=2`;
      expect(onHttp(ADDRESS)).toEqual([[308, led], ...open.slice(1)]);
      expect(onHttp('127.0.0.1')).toEqual(open);
      expect((await daemon.command('https', 'status')).out).toMatch(/^Http +leads to https$/m);
      const file = daemon.directory.file('authority.pem');
      const pem = `http://127.0.0.1:${daemon.port}/trust/authority.pem`;
      const read = `fetch('${pem}').then((answer) => answer.text()).then((text) => process.stdout.write(text))`;
      writeFileSync(file, execFileSync('ip', ['netns', 'exec', namespace.name, process.execPath, '-e', read]));
      expect(ask({ NODE_EXTRA_CA_CERTS: file }, led)).toEqual([[401, null]]);

      expect((await daemon.command('settings', 'reset', 'https_redirect')).code).toBe(0);
      expect(onHttp(ADDRESS)).toEqual(open);
    } finally {
      await namespace.remove();
    }
  });
});
