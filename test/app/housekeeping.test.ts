import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Housekeeping } from '../../src/app/housekeeping.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { type Logger, silentLogger } from '../../src/kernel/logger.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let keeping: Housekeeping;
let warnings: object[];

beforeEach(async () => {
  // Loaded before time stands still: the first use of it is in the middle of a test.
  await import('node-cron');
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 31, 12) });
  warnings = [];
  const logger: Logger = { ...silentLogger, warn: (fields) => warnings.push(fields) };
  keeping = new Housekeeping({ clock: systemClock, logger });
});
afterEach(async () => {
  await keeping.stop();
  vi.useRealTimers();
});

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe('housekeeping', () => {
  it('is done some minutes after the start, and then every night', async () => {
    const at: string[] = [];
    keeping.add('look', () => void at.push(new Date().toISOString().slice(5, 16)));
    keeping.start();
    await pass(4 * MINUTE_MS);
    expect(at).toEqual([]);
    await pass(2 * MINUTE_MS);
    await vi.waitFor(() => expect(at).toEqual([expect.stringMatching(/^01-31T12:0[56]$/)]), PATIENCE_MS);
    await pass(2 * DAY_MS);
    expect(at.slice(1)).toEqual(['02-01T03:41', '02-02T03:41']);
  });

  it('does every task, even if others fail', async () => {
    const done: string[] = [];
    keeping.add('one', () => void done.push('one'));
    keeping.add('two', () => {
      throw new Error('No room');
    });
    keeping.add('three', () => Promise.reject(new Error('No luck')));
    keeping.add('four', async () => void done.push('four'));
    await keeping.run();
    expect(done).toEqual(['one', 'four']);
    expect(warnings).toEqual([
      { task: 'two', error: 'No room' },
      { task: 'three', error: 'No luck' },
    ]);
  });

  it('is not begun twice at once', async () => {
    let running = 0;
    let most = 0;
    keeping.add('slow', async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, MINUTE_MS));
      running -= 1;
    });
    const work = Promise.all([keeping.run(), keeping.run()]);
    await pass(3 * MINUTE_MS);
    await work;
    expect(most).toBe(1);
  });

  it('is over after a stop, which waits for the task that is under way', async () => {
    const done: string[] = [];
    keeping.add('slow', async () => {
      await new Promise((resolve) => setTimeout(resolve, MINUTE_MS));
      done.push('slow');
    });
    keeping.add('next', () => void done.push('next'));
    keeping.start();
    await pass(5 * MINUTE_MS);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0), PATIENCE_MS);
    void keeping.run();
    const stopped = keeping.stop();
    await pass(2 * MINUTE_MS);
    await stopped;
    expect(done).toEqual(['slow']);
    await pass(2 * DAY_MS);
    expect(done).toEqual(['slow']);
  });
});
