/** Debian's Caddy in front of the relay, with the lines and the commands that `hearthd https proxy` prints. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { describe, expect, it } from 'vitest';
import { BuiltDaemon, buildProgram } from '../support/built-daemon.ts';
import { eventually } from '../support/e2e-relay.ts';
import { freePort } from '../support/free-port.ts';
import { TestWebSocket } from '../support/web-socket-client.ts';

const NAME = 'home.example.org';
const isThere = spawnSync('caddy', ['version']).status === 0;

if (!isThere && process.env.HEARTHD_REQUIRE_ALL === '1') {
  it('Caddy', () => {
    throw new Error('HEARTHD_REQUIRE_ALL is set, but there is no caddy.');
  });
}

describe.runIf(isThere)('Caddy in front', () => {
  it('passes pages, the API, streams and WebSockets on, once the relay is set as the command prints', async () => {
    using program = buildProgram();
    await using daemon = await BuiltDaemon.start({ program });
    const printed = await daemon.command('https', 'proxy', 'caddy', '--domain', NAME, '--json');
    const { lines, commands } = JSON.parse(printed.out) as { readonly lines: string; readonly commands: string[] };
    const port = await freePort();
    // Its own certificates in place of public ones, on ports of the test alone.
    const options = ['admin off', 'local_certs', 'skip_install_trust', 'default_bind 127.0.0.1', `https_port ${port}`];
    const file = daemon.directory.file('Caddyfile');
    writeFileSync(file, `{\n${[...options, 'auto_https disable_redirects'].join('\n')}\n}\n${lines}\n`);
    const home = daemon.directory.file('caddy');
    const caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
      env: { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
      stdio: 'ignore',
    });
    try {
      const root = `${home}/caddy/pki/authorities/local/root.crt`;
      await eventually(() => existsSync(root), 'the authority of Caddy');
      const token = await daemon.createToken();
      const headers = { Host: NAME, Authorization: `Bearer ${token}` };
      const trust = { servername: NAME, ca: readFileSync(root) };
      const through = { host: '127.0.0.1', port, ...trust };
      const get = (path: string, sent: object = headers) => responseOf({ ...through, path, headers: { ...sent } });
      await eventually(async () => (await get('/health').catch(() => undefined)) !== undefined, 'Caddy to answer');

      expect((await get('/rest/homes')).statusCode).toBe(403);
      for (const command of commands) {
        const words = command.replace('sudo hearthd ', '').split(' ');
        expect(await daemon.command(...words)).toMatchObject({ code: 0 });
      }
      expect((await get('/rest/homes')).statusCode).toBe(200);
      // Only over https: the relay believes Caddy about that.
      const page = await get('/setup', { Host: NAME, Accept: 'text/html' });
      expect(page.headers['set-cookie']?.join()).toMatch(/^__Host-[^;]+;.*Secure/);

      const stream = await get('/events');
      const [first] = await once(stream, 'data');
      expect([stream.headers['content-type'], String(first).length > 0]).toEqual(['text/event-stream', true]);
      stream.destroy();
      const socket = await TestWebSocket.open(`wss://127.0.0.1:${port}/ws`, { ...trust, headers });
      socket.socket.terminate();
    } finally {
      await end(caddy);
    }
  });
});

/** As soon as its headers are there. */
function responseOf(options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpsRequest(options, (response) => {
      response.on('error', () => {});
      if (!String(response.headers['content-type']).startsWith('text/event-stream')) response.resume();
      resolve(response);
    })
      .on('error', reject)
      .end();
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
