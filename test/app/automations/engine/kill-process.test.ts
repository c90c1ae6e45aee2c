/** A hundred delays, waits, holds and moments on the real clock, while the process is killed again and again. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { type BundledProgram, bundleProgram } from '../../../support/bundled-program.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';
import type { Report } from './kill-child.ts';

const CHILD = fileURLToPath(new URL('./kill-child.ts', import.meta.url));
const THINGS = 100;
const KILLS = process.env.HEARTHD_SOAK === '1' ? 100 : 8;
/** A life takes about that long: things come due in all of them. */
const LIFE_S = 1;
const KILL_WITHIN_MS = 800;

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

function live(program: BundledProgram, path: string): ChildProcess {
  child = fork(program.path, [path, String(THINGS), String(KILLS * LIFE_S)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Not those of this process.
    execArgv: [],
  });
  return child;
}

async function nextReport(from: ChildProcess): Promise<Report> {
  const [report] = await once(from, 'message');
  return report as Report;
}

it(
  'Every one of them counts exactly once, those that came due while the daemon was down too',
  async () => {
    using program = await bundleProgram(CHILD);
    using directory = createTempDirectory('kill-process');
    const path = directory.file('relay.db');
    const seen: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const life = live(program, path);
      const { counts } = await nextReport(life);
      seen.push(counts.reduce((sum, count) => sum + count, 0));
      await sleep(Math.random() * KILL_WITHIN_MS);
      const ended = once(life, 'exit');
      life.kill('SIGKILL');
      await ended;
    }
    const last = live(program, path);
    const isThrough = ({ counts, running }: Report) => running === 0 && counts.every((count) => count > 0);
    let report = await nextReport(last);
    for (let n = 0; n < (KILLS * LIFE_S + 30) * 10 && !isThrough(report); n += 1) report = await nextReport(last);
    // A part that would act a second time may do so now.
    await sleep(1_000);
    report = await nextReport(last);
    expect(report.counts).toEqual(Array.from({ length: THINGS }, () => 1));
    expect(report.running).toBe(0);
    expect(new Set(seen).size, 'the kills came at different moments').toBeGreaterThan(2);
  },
  120_000 + KILLS * 8_000,
);
