import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT, EXIT_MEANINGS, EXIT_OF_ERROR } from '../../src/cli/exit-codes.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { type Answer, run } from './running-daemon.ts';

let directory: TempDirectory;
let server: Server | undefined;

beforeEach(() => {
  directory = createTempDirectory('cli-errors');
});
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
  directory.remove();
});

/** A daemon that answers as the test sets. */
async function serve(listener: RequestListener): Promise<void> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(directory.file('hearthd.sock'), resolve));
}

const hearthd = (...args: string[]): Promise<Answer> => run(directory.path, args);

const answering =
  (status: number, body: string, type = 'application/json'): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  };

describe('the exit code', () => {
  it('is 3 where no daemon runs, with a sentence about how to start it', async () => {
    const { code, out, err } = await hearthd('accessories');
    expect(code).toBe(3);
    expect(out).toBe('');
    expect(err).toBe(
      `hearthd is not running on ${directory.path}. Start it (sudo systemctl start hearthd, or hearthd start), or pass its directory with --data-dir.\n`,
    );
  });

  it('is 3 where only a dead socket is left', async () => {
    await serve(answering(200, '[]'));
    const path = directory.file('hearthd.sock');
    const { linkSync, renameSync } = await import('node:fs');
    linkSync(path, `${path}.kept`);
    await new Promise((resolve) => server?.close(resolve));
    server = undefined;
    renameSync(`${path}.kept`, path);
    expect((await hearthd('home', 'list')).code).toBe(3);
  });

  it.each(Object.entries(EXIT_OF_ERROR))('of the API’s %s is %i', async (code, exitCode) => {
    await serve(answering(422, JSON.stringify({ error: 'It went wrong. Do this.', code })));
    const plain = await hearthd('home', 'list');
    expect(plain).toEqual({ code: exitCode, out: '', err: 'It went wrong. Do this.\n' });
    const json = await hearthd('home', 'list', '--json');
    expect(JSON.parse(json.out)).toEqual({ error: 'It went wrong. Do this.', code, exitCode });
    expect(json.err).toBe('');
  });

  it('is explained in the help, each one', async () => {
    const { out } = await hearthd('--help');
    for (const [code, meaning] of EXIT_MEANINGS) expect(out).toContain(`  ${String(code).padEnd(4)}${meaning}\n`);
    expect(EXIT_MEANINGS.map(([code]) => code).sort()).toEqual(Object.values(EXIT).sort());
  });

  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['state', '--tpye', 'light'], "unknown option '--tpye'\n(Did you mean --type?)"],
    [['pair'], "missing required argument 'device'"],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish'],
  ])('is 2 for %j', async (args, message) => {
    const { code, err } = await hearthd(...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('is 2 with the help on stderr where a subcommand is missing', async () => {
    const { code, out, err } = await hearthd('token');
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^Usage: hearthd token/);
  });

  it('is 78 for a configuration that is no good', async () => {
    expect(await hearthd('start', '--port', 'x')).toMatchObject({
      code: 78,
      err: expect.stringContaining("port: 'x' from --port"),
    });
    expect(await hearthd('home', 'list', '--config', '/nowhere.toml')).toMatchObject({ code: 78 });
  });
});

describe('an answer that is none', () => {
  it('shows the sentence of a 403, not its word', async () => {
    await serve(
      answering(
        403,
        JSON.stringify({
          error: 'insufficient_permissions',
          message: 'Only owners may.',
          code: 'insufficient_permissions',
        }),
      ),
    );
    expect(await hearthd('home', 'list')).toEqual({ code: 5, out: '', err: 'Only owners may.\n' });
  });

  it.each([
    ['something that is not JSON', answering(200, '<html>', 'text/html'), /is not JSON/],
    ['an error without a body', answering(500, ''), /answered with status 500/],
    ['an error that is not JSON', answering(502, 'Bad gateway'), /answered with status 502/],
    ['a connection cut at once', ((request) => request.socket.destroy()) as RequestListener, /sent an invalid answer/],
  ])('is reported: %s', async (_case, listener, message) => {
    await serve(listener);
    const { code, err } = await hearthd('home', 'list');
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(err.trim()).not.toContain('\n');
  });

  it('reports when a pairing’s stream breaks off', async () => {
    await serve((request, response) => {
      const bodies: Record<string, string> = {
        'GET /rest/homes': '[{"id":"h","name":"H","key":"h_0000","connected":true}]',
        'POST /rest/pairings': '{"step":"connecting"}\n',
      };
      response.end(bodies[`${request.method} ${request.url}`] ?? '[]');
    });
    const { code, err } = await hearthd('pair', 'AA:BB:CC:DD:EE:FF', '--code', '031-45-154');
    expect(code).toBe(7);
    expect(err).toContain('stopped during the pairing');
  });

  it('reports the error line of a pairing’s stream', async () => {
    await serve((request, response) => {
      const bodies: Record<string, string> = {
        'GET /rest/homes': '[{"id":"h","name":"H","key":"h_0000","connected":true}]',
        'POST /rest/pairings': '{"step":"connecting"}\n{"error":"The code is wrong.","code":"pairing_failed"}\n',
      };
      response.end(bodies[`${request.method} ${request.url}`] ?? '[]');
    });
    const { code, err } = await hearthd('pair', 'AA:BB:CC:DD:EE:FF', '--code', '031-45-154');
    expect(code).toBe(7);
    expect(err).toMatch(/The code is wrong\.\n$/);
  });
});

describe('names from devices', () => {
  it('cannot drive the terminal', async () => {
    const hostile = 'Lamp\u001b[2J\u001b]0;owned\u0007\nok  \u202egnp';
    const devices = [
      {
        deviceId: 'AA:BB:CC:DD:EE:FF',
        name: hostile,
        model: '\u009b31m',
        category: 5,
        pairable: true,
        pairedHere: false,
        homeId: null,
        addresses: ['fe80::1%eth0'],
        port: 80,
        via: 'mdns',
      },
    ];
    await serve((request, response) =>
      response.end(request.url === '/rest/discovered' ? JSON.stringify(devices) : '[]'),
    );
    const { out } = await hearthd('discover', '--wait', '0');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(out.split('\n')).toHaveLength(3);
    expect(out).toContain('[fe80::1%eth0]:80');
  });
});
