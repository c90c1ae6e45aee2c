/** The graph of the relay, on real databases: kept over restarts and kills, bounded, and by a clock that is set. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LoadHistory } from '../../../src/app/relay-status/load-history.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import type { Database } from '../../../src/storage/database.ts';
import { DisposableDatabase } from '../../../src/storage/disposable-database.ts';
import { openFreshDatabase } from '../../support/fresh-database.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How many samples of its first minutes a relay has in memory alone. */
const IN_MEMORY = 9;

let directory: TempDirectory;
let clock: TestClock;
let relayDatabase: Database;
/** Those that were not closed, as after a kill. */
let open: DisposableDatabase[];

beforeEach(() => {
  directory = createTempDirectory('load');
  clock = new TestClock();
  relayDatabase = openFreshDatabase();
  open = [];
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const one of open) one.stop();
  relayDatabase.close();
  directory.remove();
});

interface Run {
  readonly load: LoadHistory;
  readonly history: DisposableDatabase;
  /** Nothing is closed: what SQLite has not been given is lost. */
  kill(): void;
}

function run(version = '1.0.0'): Run {
  const history = new DisposableDatabase({ path: directory.file('history.db'), clock, logger: silentLogger });
  history.start();
  open.push(history);
  const drivers = { hap: { listPaired: () => [] } };
  const load = new LoadHistory({ clock, database: relayDatabase, historyDatabase: history, drivers, version });
  load.start();
  return { load, history, kill: () => load.stop() };
}

const count = ({ history }: Run, table: 'relay_samples' | 'relay_starts') =>
  history.current.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get();

describe('the load of the relay', () => {
  it('survives a kill, all but the last interval', async () => {
    const first = run();
    await clock.advance(20 * MINUTE_MS);
    const before = first.load.recent().filter(({ at }) => (clock.now() - at) % (5 * MINUTE_MS) === 0);
    expect(before).toHaveLength(5);
    await clock.advance(4 * MINUTE_MS);
    first.kill();
    const second = run();
    expect(second.load.recent()).toEqual(before);
    await clock.advance(MINUTE_MS);
    expect(second.load.recent().map(({ at }) => (clock.now() - at) / MINUTE_MS)).toEqual([25, 20, 15, 10, 5, 0.5, 0]);
  });

  it('has more samples of its first minutes, from memory', async () => {
    const first = run();
    const begunAt = clock.now();
    const secondsOf = ({ load }: Run) => load.recent().map(({ at }) => (at - begunAt) / 1_000);
    expect(secondsOf(first)).toEqual([0]);
    await clock.advance(2 * MINUTE_MS);
    expect(secondsOf(first)).toEqual([0, 30, 60, 90, 120]);
    expect(first.load.lastDays(1).samples).toEqual(first.load.recent());
    expect(count(first, 'relay_samples')).toBe(1);
    // After a restart too, where the next one follows the last that was stored.
    first.kill();
    const second = run();
    expect(secondsOf(second)).toEqual([0]);
    await clock.advance(2.5 * MINUTE_MS);
    expect(secondsOf(second)).toEqual([0, 150, 180, 210, 240, 270]);
    await clock.advance(30 * 1_000);
    expect(secondsOf(second)).toEqual([0, 150, 180, 210, 240, 270, 300]);
    await clock.advance(4 * MINUTE_MS);
    expect(secondsOf(second)).toEqual([0, 150, 180, 210, 240, 270, 300]);
    expect(count(second, 'relay_samples')).toBe(2);
  });

  it('measures the processor since the sample before it, and a stored one since the stored one before', async () => {
    const usage = vi.spyOn(process, 'cpuUsage');
    const use = (seconds: number) => usage.mockReturnValue({ user: seconds * 1_000_000, system: 0 });
    use(0);
    const { load } = run();
    const percents = () => load.recent().map(({ processorPercent }) => processorPercent);
    use(30);
    await clock.advance(30 * 1_000);
    await clock.advance(30 * 1_000);
    expect(percents()).toEqual([0, 100, 0]);
    await clock.advance(4 * MINUTE_MS);
    expect(percents()).toEqual([0, 100, ...Array(IN_MEMORY - 1).fill(0), 10]);
  });

  it('marks each start, and an upgrade with the version before it', async () => {
    const begunAt = clock.now();
    for (const version of ['1.0.0', '1.0.0', '1.1.0', '1.1.0', '1.0.0']) {
      run(version).kill();
      await clock.advance(HOUR_MS);
    }
    const { starts } = run('1.0.0').load.lastDays(1);
    expect(starts.map(({ at, ...rest }) => ({ hours: (at - begunAt) / HOUR_MS, ...rest }))).toEqual([
      { hours: 0, version: '1.0.0', previousVersion: null },
      { hours: 1, version: '1.0.0', previousVersion: null },
      { hours: 2, version: '1.1.0', previousVersion: '1.0.0' },
      { hours: 3, version: '1.1.0', previousVersion: null },
      { hours: 4, version: '1.0.0', previousVersion: '1.1.0' },
      { hours: 5, version: '1.0.0', previousVersion: null },
    ]);
  });

  it('keeps the version before an upgrade whose earlier start is too old to show', async () => {
    run('1.0.0').kill();
    await clock.advance(2 * DAY_MS);
    expect(run('1.1.0').load.lastDays(1).starts).toMatchObject([{ version: '1.1.0', previousVersion: '1.0.0' }]);
  });

  it('is bounded to a week of rows, and to two hundred starts', async () => {
    const running = run();
    await clock.advance(9 * DAY_MS);
    expect(count(running, 'relay_samples')).toBe(2016);
    running.kill();
    // A daemon that fails and is started again, every few seconds.
    for (let starts = 0; starts < 250; starts++) {
      run().kill();
      await clock.advance(1_000);
    }
    const last = run();
    expect(count(last, 'relay_starts')).toBe(200);
    expect(count(last, 'relay_samples')).toBe(2016);
    expect(last.load.recent().length).toBeGreaterThan(280);
  });

  it('has a week by the half-hour', async () => {
    const { load } = run();
    await clock.advance(8 * DAY_MS);
    const { samples, everyMs, from, to } = load.lastDays(7);
    expect([everyMs, to - from]).toEqual([30 * MINUTE_MS, 7 * DAY_MS]);
    expect(samples.length).toBeGreaterThan(330);
    expect(samples.length).toBeLessThanOrEqual(337);
    expect(samples.every(({ at }) => at % (30 * MINUTE_MS) === 0)).toBe(true);
    const ofLastHour = load.recent().filter(({ at }) => at >= to - HOUR_MS && at < to - HOUR_MS / 2);
    expect(samples.at(-3)?.memoryBytes).toBe(Math.max(...ofLastHour.map(({ memoryBytes }) => memoryBytes)));
  });

  it('loses nothing to a clock that jumps back, or that is wrong after a start', async () => {
    const first = run();
    await clock.advance(HOUR_MS);
    expect(first.load.recent()).toHaveLength(13 + IN_MEMORY);
    clock.jumpWallClock(-30 * MINUTE_MS);
    await clock.advance(5 * MINUTE_MS);
    // The last five lie in the future now.
    expect(first.load.recent()).toHaveLength(9 + IN_MEMORY);
    const times = first.load.recent().map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    first.kill();
    // No battery, no network: the clock begins in 1970.
    const now = clock.now();
    clock.jumpWallClock(-now);
    const second = run();
    await clock.advance(5 * MINUTE_MS);
    clock.jumpWallClock(now);
    await clock.advance(40 * MINUTE_MS);
    expect(second.load.recent()).toHaveLength(14 + 8);
  });

  it('waits in memory while the history takes nothing', async () => {
    const { load, history } = run();
    await clock.advance(5 * MINUTE_MS);
    history.current.exec('DROP TABLE relay_samples');
    await clock.advance(HOUR_MS);
    expect(load.recent()).toHaveLength(12 + IN_MEMORY);
    await clock.advance(3 * DAY_MS);
    expect(load.recent()).toHaveLength(288);
    expect(load.lastDays(7).starts).toHaveLength(1);
  });

  it('stops with the relay', async () => {
    const { load, kill } = run();
    kill();
    await clock.advance(DAY_MS / 2);
    expect(load.recent()).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });
});
