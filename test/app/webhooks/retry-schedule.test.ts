import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateLimiter } from '../../../src/app/webhooks/rate-limiter.ts';
import { dueAfterRestart, nextWait, waitAfter, waitAskedFor } from '../../../src/app/webhooks/retry-schedule.ts';
import { Semaphore } from '../../../src/app/webhooks/semaphore.ts';
import { TestClock } from '../../support/test-clock.ts';

const NOW = Date.parse('2026-01-15T12:00:00Z');
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the wait after a failure', () => {
  it('is 1, 2, 4, 8, 16 seconds, then doubles up to an hour, a tenth shorter or longer by chance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), chance, (attempts, random) => {
        const base = Math.min(2 ** (attempts - 1) * SECOND, HOUR);
        const wait = waitAfter(attempts, () => random);
        expect(wait).toBeGreaterThanOrEqual(Math.min(0.9 * base, HOUR) - 1);
        expect(wait).toBeLessThanOrEqual(Math.min(1.1 * base + 1, HOUR));
      }),
    );
  });

  it('is never less than what the receiver asks for, nor than the schedule', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: DAY }),
        chance,
        (attempts, asked, random) => {
          const wait = nextWait(attempts, asked, () => random);
          expect(wait).toBeGreaterThanOrEqual(asked);
          expect(wait).toBeGreaterThanOrEqual(waitAfter(attempts, () => random));
        },
      ),
    );
  });

  it('is up to a tenth longer than what the receiver asks for, so that they do not all come at once', () => {
    expect([0, 0.5, 1].map((random) => nextWait(1, 1_000_000, () => random))).toEqual([
      ...[1_000_000, 1_050_000, 1_100_000],
    ]);
    expect(nextWait(3, null, () => 0.5)).toBe(4 * SECOND);
  });

  it('ends when it would have, for a clock that was not set back', () => {
    for (const later of [0, 500, 5_000]) {
      expect(dueAfterRestart(NOW + SECOND, NOW, NOW + later)).toBe(NOW + SECOND);
    }
  });

  it('is not longer for a clock that was set back while idle', () => {
    fc.assert(
      fc.property(fc.integer({ min: -DAY, max: DAY }), fc.integer({ min: 0, max: HOUR }), (jump, wait) => {
        const due = dueAfterRestart(NOW + wait, NOW, NOW + jump);
        expect(due - (NOW + jump)).toBeLessThanOrEqual(wait);
      }),
    );
  });
});

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120 * SECOND],
    [' 7 ', 7 * SECOND],
    ['99999999', DAY],
    ['Thu, 15 Jan 2026 12:05:00 GMT', 300 * SECOND],
    ['Thursday, 15-Jan-26 12:05:00 GMT', 300 * SECOND],
    ['Thu Jan 15 12:05:00 2026', 300 * SECOND],
    ['Thu, 15 Jan 2026 11:00:00 GMT', 0],
    ['Fri, 15 Jan 2126 12:00:00 GMT', DAY],
    ['-5', null],
    ['1.5', null],
    ['2026', 2_026 * SECOND],
    ['2026-01-15', null],
    ['soon', null],
    ['', null],
    [undefined, null],
  ] as const)('%j is %j ms', (text, expected) => {
    expect(waitAskedFor(text, NOW)).toBe(expected);
  });

  it('of any other text is nothing, or within a day', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (text) => {
          const wait = waitAskedFor(text, NOW);
          if (wait !== null) expect(wait >= 0 && wait <= DAY).toBe(true);
        },
      ),
    );
  });
});

describe('the pace', () => {
  it('lets no more through in any minute than it may, regardless of what was sent before the start', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: -2 * HOUR, max: 70 * SECOND }), { maxLength: 10 }),
        fc.array(fc.integer({ min: 0, max: 20 * SECOND }), { maxLength: 60 }),
        async (perMinute, before, pauses) => {
          const clock = new TestClock();
          const pace = new RateLimiter(
            clock,
            before.map((ago) => clock.now() - ago),
          );
          const sent: number[] = [];
          for (const pause of pauses) {
            await clock.advance(pause);
            if (pace.waitMs(perMinute) > 0) continue;
            pace.count(perMinute);
            sent.push(clock.monotonic());
          }
          for (const at of sent) {
            expect(sent.filter((other) => other >= at && other < at + 60 * SECOND).length).toBeLessThanOrEqual(
              perMinute,
            );
          }
          await clock.advance(60 * SECOND);
          expect(pace.waitMs(perMinute)).toBe(0);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('the places of those who are sent to', () => {
  it('are a hundred; one that is free goes to the next that waits', () => {
    const slots = new Semaphore();
    const users = Array.from({ length: 100 }, () => ({ step() {} }));
    expect(users.map((user) => slots.take(user))).not.toContain(false);
    const paused = { step() {} };
    let took = false;
    const waiting = {
      step() {
        took = slots.take(waiting);
      },
    };
    expect([slots.take(paused), slots.take(waiting)]).toEqual([false, false]);
    slots.give(users[0] as (typeof users)[number]);
    expect([took, slots.busy]).toEqual([true, 100]);
  });

  it('go to none that does not wait any more', () => {
    const slots = new Semaphore();
    const users = Array.from({ length: 100 }, () => ({ step() {} }));
    for (const user of users) slots.take(user);
    let called = 0;
    const gone = { step: () => (called += 1) };
    slots.take(gone);
    slots.leave(gone);
    slots.give(users[0] as (typeof users)[number]);
    expect([called, slots.busy]).toEqual([0, 99]);
  });
});
