import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BundledProgram, bundleProgram } from '../support/bundled-program.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { run } from './running-daemon.ts';

let program: BundledProgram;
let directory: TempDirectory;
const children: ChildProcess[] = [];

beforeAll(async () => {
  program = await bundleProgram(join(import.meta.dirname, 'daemon-process.ts'));
});
afterAll(() => program[Symbol.dispose]());
beforeEach(() => {
  directory = createTempDirectory('start');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  directory.remove();
});

interface Daemon {
  readonly child: ChildProcess;
  readonly output: { out: string; err: string };
  readonly ended: Promise<number | null>;
}

/** The real command in a process of its own, on loopback alone. */
function hearthdStart(...args: string[]): Daemon {
  const command = ['start', '--data-dir', directory.file('data'), '--interface', 'lo', '--host', '127.0.0.1', ...args];
  const child = spawn(process.execPath, [program.path, 'cli', ...command], {
    env: { PATH: process.env.PATH, HOME: directory.path },
  });
  children.push(child);
  const answered = { out: '', err: '' };
  child.stdout.on('data', (data: Buffer) => {
    answered.out += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    answered.err += data.toString();
  });
  return { child, output: answered, ended: once(child, 'close').then(([code]) => code as number | null) };
}

async function up(daemon: Daemon): Promise<string> {
  await expect.poll(() => daemon.output.out + daemon.output.err).toContain('hearthd is running');
  const line = daemon.output.out.split('\n').find((text) => text.includes('hearthd is running')) ?? '{}';
  const { url, wsPort } = JSON.parse(line) as { url: string; wsPort: number };
  expect([new URL(url).port, '0']).not.toContain(String(wsPort));
  return url;
}

describe('hearthd start', () => {
  it('serves, answers the command line, keeps everything private, and stops in good order', async () => {
    const daemon = hearthdStart('--port', '0');
    const url = await up(daemon);
    const { status } = await fetch(`${url}/health`);
    expect(status).toBe(200);
    const data = directory.file('data');
    const { out: token } = await run(data, ['token', 'create', 'Test']);
    const state = await fetch(`${url}/rest/state`, { headers: { authorization: `Bearer ${token.trim()}` } });
    expect(state.status).toBe(200);
    expect((await run(data, ['home', 'list'])).out).toContain('My Home');
    expect(statSync(data).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(data)) expect([name, statSync(`${data}/${name}`).mode & 0o077]).toEqual([name, 0]);
    // The token is stored nowhere.
    for (const name of ['relay.db', 'relay.db-wal'])
      expect(readFileSync(`${data}/${name}`).includes(token.trim())).toBe(false);
    expect(daemon.output.out).not.toContain(token.trim());
    daemon.child.kill('SIGTERM');
    expect(await daemon.ended).toBe(0);
    expect((await run(data, ['home', 'list'])).code).toBe(3);
  });

  it('refuses a second daemon on its directory with 75 and its pid, and starts again after SIGKILL', async () => {
    const first = hearthdStart('--port', '0');
    await up(first);
    const second = hearthdStart('--port', '0');
    expect(await second.ended).toBe(75);
    expect(second.output.err).toMatch(
      new RegExp(`^hearthd is already running on .*/data \\(pid ${first.child.pid}\\)\\..*\\n$`),
    );
    first.child.kill('SIGKILL');
    await first.ended;
    const third = hearthdStart('--port', '0');
    await up(third);
    third.child.kill('SIGINT');
    expect(await third.ended).toBe(0);
    // Three processes that start one after the other, on a machine that has a whole test run to do meanwhile.
  });

  it('refuses a taken port with 75', async () => {
    const first = hearthdStart('--port', '0');
    const { port } = new URL(await up(first));
    const { spawnSync } = await import('node:child_process');
    const args = [
      'cli',
      'start',
      '--data-dir',
      directory.file('other'),
      '--interface',
      'lo',
      '--host',
      '127.0.0.1',
      '--port',
      port,
    ];
    const second = spawnSync(process.execPath, [program.path, ...args], {
      env: { PATH: process.env.PATH, HOME: directory.path },
      encoding: 'utf8',
    });
    expect(second.status).toBe(75);
    expect(second.stderr).toMatch(new RegExp(`^Port ${port} is in use by another program\\..*\\n$`));
  });
});
