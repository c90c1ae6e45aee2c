import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_HOLD_MS, MeterCount, NO_MEMORY } from '../../../src/app/energy/meter-count.ts';
import { HOUR_MS, MWH_PER_KWH, QUARTER_MS } from '../../../src/app/energy/quarters.ts';

const START = Date.UTC(2026, 0, 15, 12);
const MINUTE_MS = 60_000;

/** In kilowatt-hours. */
function totalOf(count: MeterCount): number {
  return mwhOf(count) / MWH_PER_KWH;
}

function mwhOf({ used }: MeterCount): number {
  return [...used.values()].reduce((sum, mwh) => sum + mwh, 0);
}

/** A meter that has read its counter once. */
function counterAt(kwh: number, at = START): MeterCount {
  const count = new MeterCount(NO_MEMORY);
  count.readCounter(kwh, at);
  return count;
}

describe('a meter with a counter', () => {
  it('counts from its first reading on', () => {
    const count = counterAt(120.5);
    expect(totalOf(count)).toBe(0);
    count.readCounter(121.25, START + HOUR_MS);
    expect(totalOf(count)).toBe(0.75);
  });

  it('attributes what a watched device used to its last hour at most', () => {
    const count = counterAt(1);
    count.readCounter(1.4, START + 10 * HOUR_MS);
    expect([...count.used]).toEqual(
      [0, 1, 2, 3].map((quarter) => [START + 9 * HOUR_MS + quarter * QUARTER_MS, 100_000]),
    );
  });

  it('spreads what was used during an absence over the absence', () => {
    const count = counterAt(1);
    count.interrupt(START);
    count.readCounter(1.8, START + 2 * HOUR_MS);
    expect([...count.used.values()]).toEqual(Array(8).fill(100_000));
  });

  it('follows the course of the power, where the device has both', () => {
    const count = counterAt(1);
    count.readPower(1_000, START);
    count.readPower(0, START + MINUTE_MS);
    count.cover(START + 3 * QUARTER_MS);
    count.readCounter(1.5, START + 3 * QUARTER_MS);
    expect([...count.used]).toEqual([[START, 500_000]]);
  });

  it('begins a new count after a reset', () => {
    const count = counterAt(120);
    count.readCounter(0.2, START + HOUR_MS);
    count.readCounter(0.5, START + 2 * HOUR_MS);
    expect(totalOf(count)).toBe(0.5);
  });

  it('begins a new count for another device, whose count no home could have used', () => {
    const count = counterAt(120);
    count.readCounter(90, START + MINUTE_MS);
    count.readCounter(90.5, START + HOUR_MS);
    expect(totalOf(count)).toBe(0.5);
    count.readCounter(4_300, START + 2 * HOUR_MS);
    expect(totalOf(count)).toBe(0.5);
    count.readCounter(4_301, START + 3 * HOUR_MS);
    expect(totalOf(count)).toBe(1.5);
  });

  it('counts nothing twice when the counter is 0 while the device starts', () => {
    const count = counterAt(5);
    count.readCounter(0, START + MINUTE_MS);
    count.readCounter(0, START + 2 * MINUTE_MS);
    count.readCounter(5.1, START + 3 * MINUTE_MS);
    expect(totalOf(count)).toBeCloseTo(0.1, 9);
    count.readCounter(5.3, START + HOUR_MS);
    expect(totalOf(count)).toBeCloseTo(0.3, 9);
  });

  it('ignores a counter that is rounded down', () => {
    const count = counterAt(5.01);
    count.readCounter(5, START + MINUTE_MS);
    count.readCounter(5.02, START + HOUR_MS);
    expect(totalOf(count)).toBeCloseTo(0.01, 9);
  });

  it('ignores what is no count', () => {
    const count = counterAt(5);
    for (const value of [Number.NaN, -3, Number.POSITIVE_INFINITY, 1e12]) count.readCounter(value, START + MINUTE_MS);
    expect(count.memory.counter).toEqual({ mwh: 5_000_000, at: START });
  });

  it('is never negative when the clock is set back', () => {
    const count = counterAt(5);
    count.readPower(500, START);
    count.readCounter(5.5, START - 3 * HOUR_MS);
    expect(totalOf(count)).toBe(0.5);
    expect([...count.used.values()].every((mwh) => mwh > 0)).toBe(true);
  });

  it('spreads over a month at most, however far the clock is off', () => {
    const count = counterAt(5, 0);
    count.interrupt(0);
    count.readCounter(6, START);
    expect(totalOf(count)).toBe(1);
    expect(count.used.size).toBeLessThanOrEqual(31 * 96 + 1);
  });
});

describe('a meter with power alone', () => {
  it('integrates its power while the device answers', () => {
    const count = new MeterCount(NO_MEMORY);
    count.readPower(1_200, START);
    for (let minute = 1; minute <= 30; minute += 1) count.cover(START + minute * MINUTE_MS);
    expect([...count.used]).toEqual([
      [START, 300_000],
      [START + QUARTER_MS, 300_000],
    ]);
  });

  it('counts no energy while the device does not answer', () => {
    const count = new MeterCount(NO_MEMORY);
    count.readPower(1_200, START);
    count.interrupt(START + MINUTE_MS);
    count.cover(START + HOUR_MS);
    count.readPower(1_200, START + 2 * HOUR_MS);
    count.cover(START + 2 * HOUR_MS + MINUTE_MS);
    expect(totalOf(count)).toBe(0.04);
  });

  it('counts a few minutes of a longer sleep of the computer', () => {
    const count = new MeterCount(NO_MEMORY);
    count.readPower(1_200, START);
    count.cover(START + 8 * HOUR_MS);
    expect(totalOf(count)).toBe((1.2 * MAX_HOLD_MS) / HOUR_MS);
  });

  it('counts a power below zero as none', () => {
    const count = new MeterCount(NO_MEMORY);
    count.readPower(-400, START);
    count.cover(START + MINUTE_MS);
    expect(totalOf(count)).toBe(0);
  });
});

/** What happens to a meter: some minutes pass, and it uses some watt-hours; it may be reset, unseen or restarted. */
const STEP = fc.record({
  minutes: fc.integer({ min: 0, max: 300 }),
  wh: fc.integer({ min: 0, max: 3_000 }),
  event: fc.constantFrom('nothing', 'reset', 'interrupt', 'restart', 'flush', 'repeat'),
  watts: fc.integer({ min: 0, max: 4_000 }),
});

describe('the accounting', () => {
  it('adds up to the differences of the counter, with resets, absences, restarts and any batches', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 60 }), fc.boolean(), (steps, hasPower) => {
        let count = counterAt(10);
        let at = START;
        let counter = 10_000;
        let expected = 0;
        const written = new Map<number, number>();
        const write = (): void => {
          for (const [start, mwh] of count.take()) {
            expect(mwh).toBeGreaterThan(0);
            expect(Number.isInteger(mwh)).toBe(true);
            written.set(start, (written.get(start) ?? 0) + mwh);
          }
        };
        for (const { minutes, wh, event, watts } of steps) {
          at += minutes * MINUTE_MS;
          // A reset that a return could not be: the count before is much more than what follows within an hour.
          if (event === 'reset' && counter > 200) {
            at += 2 * HOUR_MS;
            count.readCounter(0, at);
            counter = 0;
            at += 2 * HOUR_MS;
          }
          if (event === 'interrupt') count.interrupt(at);
          if (event === 'repeat') count.readCounter(counter / 1_000, at);
          if (hasPower) count.readPower(watts, at);
          counter += wh;
          expected += wh;
          if (event === 'flush') write();
          if (event === 'restart') {
            write();
            count = new MeterCount(count.memory);
          }
          count.readCounter(counter / 1_000, at);
        }
        write();
        const sum = [...written.values()].reduce((total, mwh) => total + mwh, 0);
        expect(sum).toBe(expected * 1_000);
        for (const start of written.keys()) expect(start % QUARTER_MS).toBe(0);
      }),
    );
  });

  it('does not depend on how often a power is looked at', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4_000 }),
        fc.array(fc.integer({ min: 1, max: 290_000 }), { minLength: 1, maxLength: 80 }),
        (watts, pauses) => {
          const count = new MeterCount(NO_MEMORY);
          count.readPower(watts, START);
          let at = START;
          for (const pause of pauses) {
            at += pause;
            count.cover(at);
          }
          const exact = (watts * (at - START)) / 3_600;
          expect(Math.abs(mwhOf(count) - exact)).toBeLessThan(1.001);
        },
      ),
    );
  });
});
