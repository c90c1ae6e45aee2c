import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { runProgram } from '../../../src/drivers/https/run-program.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';

const directory = createTempDirectory('run-program');
afterAll(() => directory.remove());

const eventually = (check: () => void) => vi.waitFor(check, { timeout: PATIENCE_MS });
const LONG_MS = 600_000;
let scripts = 0;

function script(lines: string): string {
  const path = directory.file(`program-${++scripts}`);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A program that ignores SIGTERM, as does what it starts; both note their ids. */
function stubborn(): { readonly program: string; readonly ids: () => readonly number[] } {
  const noted = directory.file(`ids-${scripts}`);
  const child = `trap "" TERM; echo $$ >> ${noted}; while :; do sleep 1; done`;
  const program = script(`trap "" TERM\nsh -c '${child}' &\necho $$ >> ${noted}\nwhile :; do sleep 1; done`);
  const ids = () => (existsSync(noted) ? readFileSync(noted, 'utf8').trim().split('\n').map(Number) : []);
  return { program, ids };
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    // A zombie waits for its parent alone.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('another program', { timeout: 2 * PATIENCE_MS }, () => {
  it('ends with its code and its words, and knows nothing of our environment', async () => {
    const program = script('echo "$1 $HOME"; echo no >&2; exit 3');
    const run = await runProgram(program, ['yes'], { timeoutMs: LONG_MS });
    expect(run).toEqual({ code: 3, failure: null, stdout: 'yes \n', stderr: 'no\n' });
    expect(await runProgram(directory.file('none'), [], { timeoutMs: LONG_MS })).toMatchObject({ failure: 'ENOENT' });
  });

  it('that ignores SIGTERM is killed after its deadline, with what it started', async () => {
    const { program, ids } = stubborn();
    const broken = new AbortController();
    const run = runProgram(program, [], { timeoutMs: LONG_MS, graceMs: 50, signal: broken.signal });
    await eventually(() => expect(ids()).toHaveLength(2));
    broken.abort();
    expect(await run).toMatchObject({ code: null, failure: 'ABORT_ERR' });
    await eventually(() => expect(ids().filter(isRunning)).toEqual([]));
    const slow = await runProgram(stubborn().program, [], { timeoutMs: 50, graceMs: 50 });
    expect(slow).toMatchObject({ code: null, failure: null });
  });

  it('that left something behind which holds its output has ended all the same', async () => {
    const left = directory.file('left');
    const program = script(`setsid sh -c 'echo $$ > ${left}; exec sleep 600' &\nexit 0`);
    expect(await runProgram(program, [], { timeoutMs: LONG_MS, graceMs: 50 })).toMatchObject({
      code: 0,
      failure: null,
    });
    await eventually(() => expect(existsSync(left)).toBe(true));
    process.kill(Number(readFileSync(left, 'utf8')), 'SIGKILL');
  });

  it('may write without end: the first megabyte is read', async () => {
    const program = script('yes | head -c 3000000');
    const { code, stdout } = await runProgram(program, [], { timeoutMs: LONG_MS });
    expect([code, stdout.length]).toEqual([0, 1_000_000]);
  });
});
