import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_WRONG_CODES, WrongCodes } from '../../../../src/drivers/hap/pairing/wrong-codes.ts';
import { HearthError } from '../../../../src/kernel/errors.ts';
import { type Database, openDatabase } from '../../../../src/storage/database.ts';
import { TestClock } from '../../../support/test-clock.ts';

const LAMP = 'AA:BB:CC:DD:EE:01';
const PLUG = 'AA:BB:CC:DD:EE:02';
const HOUR_MS = 3_600_000;

let database: Database;
let clock: TestClock;
let codes: WrongCodes;

beforeEach(() => {
  database = openDatabase(':memory:');
  clock = new TestClock();
  codes = new WrongCodes(database, clock);
});

afterEach(() => {
  database.close();
});

function refusal(deviceId: string): HearthError | undefined {
  try {
    codes.check(deviceId);
    return undefined;
  } catch (error) {
    if (error instanceof HearthError) return error;
    throw error;
  }
}

async function fail(deviceId: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    codes.add(deviceId);
    await clock.advance(60_000);
  }
}

describe('wrong setup codes', () => {
  it('are five an hour and device, then the sixth try is refused with the time to wait', async () => {
    await fail(LAMP, MAX_WRONG_CODES - 1);
    expect(refusal(LAMP)).toBeUndefined();
    await fail(LAMP, 1);
    expect(refusal(LAMP)).toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 3300 } });
    expect(refusal(LAMP)?.message).toContain('55 minutes');
    expect(refusal(LAMP.toLowerCase())?.code).toBe('rate_limited');
    expect(refusal(PLUG)).toBeUndefined();
  });

  it('count for an hour each', async () => {
    await fail(LAMP, MAX_WRONG_CODES);
    await clock.advance(HOUR_MS - MAX_WRONG_CODES * 60_000 - 1);
    expect(refusal(LAMP)?.details.retryAfterSeconds).toBe(1);
    await clock.advance(1);
    expect(refusal(LAMP)).toBeUndefined();
    codes.add(LAMP);
    expect(refusal(LAMP)?.code).toBe('rate_limited');
  });

  it('outlive a restart, and old ones do not pile up', async () => {
    await fail(LAMP, MAX_WRONG_CODES);
    codes = new WrongCodes(database, clock);
    expect(refusal(LAMP)?.code).toBe('rate_limited');
    await clock.advance(HOUR_MS);
    codes.check(PLUG);
    expect(database.prepare('SELECT count(*) AS n FROM wrong_setup_codes').get()).toEqual({ n: 0 });
  });

  it('are forgotten once the right code was given', async () => {
    await fail(LAMP, MAX_WRONG_CODES);
    codes.clear(LAMP);
    expect(refusal(LAMP)).toBeUndefined();
  });

  it('lock no one out for longer than an hour when the clock is set back', async () => {
    await fail(LAMP, MAX_WRONG_CODES);
    clock.jumpWallClock(-30 * 24 * HOUR_MS);
    expect(refusal(LAMP)?.details.retryAfterSeconds).toBeLessThanOrEqual(3600);
    await clock.advance(HOUR_MS);
    expect(refusal(LAMP)).toBeUndefined();
  });
});
