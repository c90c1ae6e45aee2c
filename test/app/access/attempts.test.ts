import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AttemptStore } from '../../../src/app/access/attempt-store.ts';
import { type AttemptRule, Attempts, addressKey } from '../../../src/app/access/attempts.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { type Database, openDatabase } from '../../../src/storage/database.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';

const MINUTE_MS = 60_000;
const FIVE: AttemptRule = { name: 'passcode', limit: 5, windowMs: 15 * MINUTE_MS };
const GROWING: AttemptRule = { name: 'password', free: 2, firstDelayMs: 1_000, maxDelayMs: 60_000 };

describe('counted attempts', () => {
  let clock: TestClock;
  let database: Database;
  let attempts: Attempts;

  beforeEach(() => {
    clock = new TestClock();
    database = openDatabase(':memory:');
    attempts = new Attempts({ store: new AttemptStore(database), clock });
  });

  afterEach(() => database.close());

  const rows = () => database.prepare<[], { n: number }>('SELECT count(*) AS n FROM attempts').get()?.n ?? -1;

  /** The seconds to wait, or 0 if a try is allowed now. */
  function waitOf(rule: AttemptRule, key = 'ann'): number {
    try {
      attempts.require(rule, key);
      return 0;
    } catch (error) {
      if (!(error instanceof HearthError) || error.code !== 'rate_limited') throw error;
      return error.details.retryAfterSeconds ?? Number.NaN;
    }
  }

  it('allow a number of failures in a window, and report when the oldest makes room', async () => {
    for (let n = 0; n < 5; n += 1) {
      expect(waitOf(FIVE)).toBe(0);
      attempts.fail(FIVE, 'ann');
      await clock.advance(MINUTE_MS);
    }
    expect(waitOf(FIVE)).toBe(10 * 60);
    expect(waitOf(FIVE, 'ben')).toBe(0);
    await clock.advance(10 * MINUTE_MS);
    expect(waitOf(FIVE)).toBe(0);
    attempts.fail(FIVE, 'ann');
    expect(waitOf(FIVE)).toBe(60);
  });

  it('grow a delay from the second failure on: one second, doubling to sixty', async () => {
    const waits: number[] = [];
    for (let n = 0; n < 10; n += 1) {
      attempts.fail(GROWING, 'ann');
      waits.push(waitOf(GROWING));
      await clock.advance((waits.at(-1) ?? 0) * 1_000);
      expect(waitOf(GROWING)).toBe(0);
    }
    expect(waits).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('are counted before the work, so that a hundred at once are not a hundred tries', () => {
    const allowed = Array.from({ length: 100 }, () => {
      try {
        return attempts.spend(FIVE, 'ann');
      } catch {
        return undefined;
      }
    }).filter((spent) => spent !== undefined);
    expect(allowed).toHaveLength(5);
    expect(rows()).toBe(5);
  });

  it('are given back one by one, or all forgotten', () => {
    const [first] = [attempts.spend(FIVE, 'ann'), attempts.spend(FIVE, 'ann'), attempts.spend(FIVE, 'ben')];
    first?.refund();
    expect(rows()).toBe(2);
    first?.refund();
    attempts.clear(FIVE, 'ann');
    expect(rows()).toBe(1);
  });

  it('hold across a restart', () => {
    const directory = createTempDirectory();
    const path = directory.file('relay.db');
    const first = openDatabase(path);
    for (let n = 0; n < 5; n += 1) new Attempts({ store: new AttemptStore(first), clock }).fail(FIVE, 'ann');
    first.close();
    const second = openDatabase(path);
    attempts = new Attempts({ store: new AttemptStore(second), clock });
    expect(waitOf(FIVE)).toBe(15 * 60);
    second.close();
    directory.remove();
  });

  it('lock no one for longer than the rule, however the clock is set', () => {
    const day = 24 * 60 * MINUTE_MS;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3 * 365 * day, max: 3 * 365 * day }), { maxLength: 6 }), (jumps) => {
        attempts.clear(FIVE, 'ann');
        attempts.clear(GROWING, 'ann');
        for (const jump of [0, ...jumps]) {
          clock.jumpWallClock(jump);
          expect(waitOf(FIVE)).toBeLessThanOrEqual(15 * 60);
          expect(waitOf(GROWING)).toBeLessThanOrEqual(60);
          for (let n = 0; n < 9; n += 1) {
            attempts.fail(FIVE, 'ann');
            attempts.fail(GROWING, 'ann');
          }
          expect(waitOf(FIVE)).toBe(15 * 60);
          expect(waitOf(GROWING)).toBe(60);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('are not forgotten by a clock that is set back', () => {
    for (let n = 0; n < 5; n += 1) attempts.fail(FIVE, 'ann');
    clock.jumpWallClock(-24 * 60 * MINUTE_MS);
    expect(waitOf(FIVE)).toBe(15 * 60);
  });

  it('leave neither rows for ever nor names in the file', async () => {
    for (let n = 0; n < 30; n += 1) attempts.fail(FIVE, `ann-${n}@example.org`);
    expect(JSON.stringify(database.prepare('SELECT * FROM attempts').all())).not.toContain('ann');
    await clock.advance(61 * MINUTE_MS);
    attempts.prune();
    expect(rows()).toBe(0);
  });

  it('never fill the disk, from however many addresses they come', () => {
    const insert = database.prepare('INSERT INTO attempts (key, at) VALUES (?, ?)');
    database.transaction(() => {
      for (let n = 0; n < 20_500; n += 1) insert.run(`k${n}`, clock.now());
    })();
    for (let n = 0; n < 499; n += 1) attempts.fail(FIVE, `x${n}`);
    expect(rows()).toBe(20_999);
    attempts.fail(FIVE, 'x499');
    expect(rows()).toBeLessThanOrEqual(20_000);
  });
});

describe('the address that tries are counted for', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::99', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001::5:1:2:3:4', '2001:0:0:5::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    [undefined, 'local'],
  ])('of %s is %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});
