import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NotifySocket, whyNoNotifySocket } from '../support/notify-socket.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { TYPESCRIPT } from '../support/typescript-process.ts';

let directory: TempDirectory;
const children: ChildProcess[] = [];

beforeEach(() => {
  directory = createTempDirectory('daemon');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  directory.remove();
});

interface Process {
  readonly child: ChildProcess;
  readonly output: { out: string; err: string };
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  up(): Promise<void>;
}

function start(behaviour: string, variables: Record<string, string> = {}): Process {
  const script = resolve(import.meta.dirname, 'daemon-process.ts');
  const child = spawn(process.execPath, [...TYPESCRIPT, script, behaviour, directory.path], {
    env: { PATH: process.env.PATH, HOME: directory.path, ...variables },
  });
  children.push(child);
  const answered = { out: '', err: '' };
  child.stdout.on('data', (data: Buffer) => {
    answered.out += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    answered.err += data.toString();
  });
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }));
  const up = (): Promise<void> => expect.poll(() => answered.out).toContain('hearthd is running');
  return { child, output: answered, ended, up };
}

describe('the daemon as a process', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('stops in good order at %s and ends with 0', async (signal) => {
    const daemon = start('lives');
    await daemon.up();
    daemon.child.kill(signal);
    expect(await daemon.ended).toEqual({ code: 0, signal: null });
    expect(daemon.output.err).toBe('stopped umask=77\n');
    expect(daemon.output.out).toContain('hearthd is stopping');
  });

  it('ends at once at a second signal, with the shell’s code for it', async () => {
    const daemon = start('hangs');
    await daemon.up();
    daemon.child.kill('SIGTERM');
    await expect.poll(() => daemon.output.err).toContain('stopped');
    daemon.child.kill('SIGINT');
    expect(await daemon.ended).toEqual({ code: 130, signal: null });
  });

  it('ends with 75 where the relay could not start again after a restore, so that systemd tries it', async () => {
    const daemon = start('is-lost');
    expect(await daemon.ended).toEqual({ code: 75, signal: null });
    expect(daemon.output.out).toContain('it could not restart');
  });

  it.each([
    ['throws', 'thrown out of nowhere'],
    ['rejects', 'rejected out of nowhere'],
  ])('logs uncaught errors (%s), stops and ends with 1, so that systemd restarts it', async (behaviour, message) => {
    const daemon = start(behaviour);
    expect(await daemon.ended).toEqual({ code: 1, signal: null });
    const line = daemon.output.out.split('\n').find((text) => text.includes(message));
    expect(JSON.parse(line ?? '')).toMatchObject({
      level: 50,
      error: message,
      stack: expect.stringContaining('at '),
    });
    expect(daemon.output.err).toContain('stopped');
  });

  it.each([
    ['refuses', 78, 'The directory is no good. Do this.\n'],
    ['port-taken', 75, 'Port 5656 is in use.\n'],
    ['directory-taken', 75, /^hearthd is already running on .* \(pid 1\)\. /],
  ])('that %s ends with %i and one line, and undoes what it had started', async (behaviour, code, message) => {
    const daemon = start(behaviour);
    expect(await daemon.ended).toEqual({ code, signal: null });
    const [first = '', line = '', ...others] = daemon.output.err.split(/(?<=\n)/);
    expect(first).toContain('stopped');
    expect(line).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect(others).toEqual([]);
  });

  it('does not take a fault of its own for a refusal', async () => {
    const daemon = start('breaks');
    expect(await daemon.ended).toEqual({ code: 99, signal: null });
    expect(daemon.output.err).toContain('a fault of ours');
  });
});

describe('systemd', () => {
  const reported = (): string[] => readFileSync(directory.file('told'), 'utf8').trim().split('\n');

  /** A `systemd-notify` of our own in front of the PATH, which records its input. */
  function listening(): Record<string, string> {
    writeFileSync(directory.file('told'), '');
    writeFileSync(directory.file('systemd-notify'), `#!/bin/sh\necho "$@" >> '${directory.file('told')}'\n`);
    chmodSync(directory.file('systemd-notify'), 0o755);
    return { PATH: `${directory.path}:${process.env.PATH}`, NOTIFY_SOCKET: '@nobody' };
  }

  it('reports that the daemon is up, that it lives, and that it stops', async () => {
    const daemon = start('lives', { ...listening(), WATCHDOG_USEC: '600000' });
    await daemon.up();
    await expect.poll(() => reported().filter((line) => line === 'WATCHDOG=1').length).toBeGreaterThan(2);
    expect(reported()[0]).toBe('READY=1 STATUS=Serving http://localhost:1');
    daemon.child.kill('SIGTERM');
    await daemon.ended;
    await expect.poll(reported).toContain('STOPPING=1 STATUS=Stopping');
  });

  it('receives no sign of life from a frozen event loop', async () => {
    const daemon = start('freezes', { ...listening(), WATCHDOG_USEC: '300000' });
    await expect.poll(() => reported().length).toBeGreaterThan(1);
    // It freezes half a second after its start; by then what was under way has arrived.
    await new Promise((wait) => setTimeout(wait, 1500));
    const before = reported().length;
    await new Promise((wait) => setTimeout(wait, 1000));
    expect(reported().length).toBe(before);
    expect(daemon.child.exitCode).toBeNull();
  });

  it('is left alone where it did not ask', async () => {
    const { NOTIFY_SOCKET: _socket, ...variables } = listening();
    const daemon = start('lives', { ...variables, WATCHDOG_USEC: '300000' });
    await daemon.up();
    daemon.child.kill('SIGTERM');
    await daemon.ended;
    expect(reported()).toEqual(['']);
  });

  it('gets the real messages on a real socket', async ({ skip }) => {
    const missing = whyNoNotifySocket();
    skip(missing !== undefined, missing);
    using socket = await NotifySocket.open(directory.file('notify'));
    const daemon = start('lives', { NOTIFY_SOCKET: socket.path });
    const whenUp = ['READY=1', 'STATUS=Serving http://localhost:1'];
    await expect.poll(() => socket.received).toEqual(whenUp);
    daemon.child.kill('SIGTERM');
    await expect.poll(() => socket.received).toEqual([...whenUp, 'STOPPING=1', 'STATUS=Stopping']);
  });
});
