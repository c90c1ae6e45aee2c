/**
 * A hundred timers, delays, holds, waits and moments are under way in the daemon as it is installed, which is killed
 * again and again: each of them counts once in the end, and what it sends to a genuine accessory arrives there.
 */
import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { type Answer, eventually } from '../support/e2e-relay.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { AutomationClient } from './automation-fixture.ts';
import { AutomationHome, HOME_NAMES } from './automation-home.ts';
import { beginThing } from './automation-things.ts';

const THINGS = 100;
const ROUNDS = Number(process.env.HEARTHD_KILL_ROUNDS ?? (process.env.HEARTHD_SOAK ? 100 : 10));
/** A life is about this long, its start not counted: things come due in most of them. */
const KILL_WITHIN_MS = 1_500;
/** From the end of one life to the next one's being ready, roughly. */
const ROUND_S = 1.6;
/** All that is to be made has been made by then. */
const HEAD_START_S = 8;
/** Longer than it takes to make one. */
const MARGIN_MS = 8_000;

let program: BuiltProgram;
let directory: TempDirectory;
let home: AutomationHome;

beforeAll(async () => {
  program = buildProgram();
  directory = createTempDirectory('automation-kill');
  home = await AutomationHome.start();
  mkdirSync(directory.file('data'), { mode: 0o700 });
  home.share({ ...directory, file: (...names) => directory.file('data', ...names) });
});

afterAll(async () => {
  await home.stop();
  directory.remove();
  program[Symbol.dispose]();
});

it(
  'none is lost and none is doubled, whenever the kills come',
  async () => {
    const flags = ['--automation-runs-per-minute', '100'];
    const start = () => BuiltDaemon.start({ program, directory, flags });
    const first = await start();
    await begin(new AutomationClient(first));
    const seen: number[] = [];
    let daemon = first;
    for (let round = 1; round <= ROUNDS; round += 1) {
      await delay(Math.random() * KILL_WITHIN_MS);
      seen.push(total(await counts(daemon).catch(() => [])));
      expect(await daemon.end('SIGKILL')).toBe('SIGKILL');
      daemon = await start();
    }
    await using last = daemon;
    const isThrough = async (): Promise<boolean> => (await counts(last)).every((count) => count > 0);
    await eventually(isThrough, 'all to have counted', (HEAD_START_S + ROUNDS * ROUND_S) * 1_000 + PATIENCE_MS);
    // A part that would act a second time may do so now.
    await delay(2_000);
    expect(await counts(last)).toEqual(Array.from({ length: THINGS }, () => 1));
    const written = home.written('Echo');
    const expected = Array.from({ length: THINGS }, (_, n) => n + 1);
    expect([...new Set(written)].sort(byValue)).toEqual(expected);
    // A write may be repeated where the kill came before its answer was kept: it sets what is set already.
    expect(written.length - THINGS, 'writes done again').toBeLessThanOrEqual(ROUNDS);
    const client = new AutomationClient(last);
    for (const { id, name } of await client.ask('GET', '/rest/flows')) {
      const traces = await client.traces(id);
      expect(
        traces.filter(({ status }) => status === 'running'),
        `${name} is through`,
      ).toEqual([]);
    }
    expect(new Set(seen).size, 'the kills came at different moments').toBeGreaterThan(2);
    expect(await last.end()).toBe(0);
  },
  120_000 + ROUNDS * 10_000,
);

const byValue = (a: unknown, b: unknown): number => Number(a) - Number(b);
const total = (numbers: readonly number[]): number => numbers.reduce((sum, count) => sum + count, 0);

/** Of the counters, in their order. */
async function counts(daemon: BuiltDaemon): Promise<readonly number[]> {
  const { body } = await daemon.asSystem('GET', '/rest/accessories');
  const counters = body.filter(({ name }: Answer['body']) => /^Counter \d+$/.test(name));
  return counters
    .map(({ name, services }: Answer['body']) => [Number(name.slice(8)), Number(services[0].characteristics[0].value)])
    .sort(([a]: number[], [b]: number[]) => Number(a) - Number(b))
    .map(([, count]: number[]) => count);
}

/**
 * One after the other comes due while the daemon is killed and started. Each counts, then sets a lamp to a value of its
 * own.
 */
async function begin(client: AutomationClient): Promise<void> {
  await client.begin();
  await client.untilReachable(HOME_NAMES, 30_000);
  const from = Date.now();
  for (let n = 0; n < THINGS; n += 1) {
    await client.virtual(`Counter ${n}`, 'counter');
    const plannedAt = from + (HEAD_START_S + (n * ROUNDS * ROUND_S) / THINGS) * 1_000;
    // On a busy machine making them takes longer than that; a moment that has passed never comes.
    const dueAt = Math.max(plannedAt, Date.now() + MARGIN_MS);
    const actions = [client.count(`Counter ${n}`), client.dim('Echo', n + 1, { onError: 'retry', maxRetries: 10 })];
    await beginThing({ client, n, dueAt, actions });
  }
}
