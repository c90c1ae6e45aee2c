import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Expiry } from '../../../src/app/access/expiry.ts';
import { TestClock } from '../../support/test-clock.ts';

describe('what ends at a moment', () => {
  it('is past at that moment and not before', async () => {
    const clock = new TestClock();
    const expiry = new Expiry(clock);
    const expiresAt = clock.now() + 1_000;
    expect(expiry.isPast('a', expiresAt)).toBe(false);
    await clock.advance(999);
    expect(expiry.isPast('a', expiresAt)).toBe(false);
    await clock.advance(1);
    expect(expiry.isPast('a', expiresAt)).toBe(true);
  });

  it('is not extended by a clock set back, wherever between, and never comes back to life', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(400), fc.integer({ min: -100_000, max: 0 })), { minLength: 1, maxLength: 12 }),
        async (steps) => {
          const clock = new TestClock();
          const expiry = new Expiry(clock);
          const expiresAt = clock.now() + 1_000;
          expiry.track('a', expiresAt);
          let wasPast = false;
          for (const [elapsed, jump] of steps) {
            await clock.advance(elapsed);
            clock.jumpWallClock(jump);
            const isPast = expiry.isPast('a', expiresAt);
            if (wasPast || clock.monotonic() >= 1_000) expect(isPast).toBe(true);
            wasPast = isPast;
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is past when the clock leaps over its end, and stays so when it is set back', () => {
    const clock = new TestClock();
    const expiry = new Expiry(clock);
    const expiresAt = clock.now() + 1_000;
    expiry.track('a', expiresAt);
    clock.jumpWallClock(5_000);
    expect(expiry.isPast('a', expiresAt)).toBe(true);
    clock.jumpWallClock(-5_000);
    expect(expiry.isPast('a', expiresAt)).toBe(true);
    expiry.forget('a');
    expect(expiry.isPast('a', expiresAt)).toBe(false);
  });
});
