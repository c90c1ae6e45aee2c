import { expect, it } from 'vitest';
import { AccessUpkeep } from '../../../src/app/access/access-upkeep.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { TestClock } from '../../support/test-clock.ts';

it('what was not started is stopped too, and saves what it can', async () => {
  const clock = new TestClock();
  let saved = 0;
  const unsaved = {
    keys: {
      saveUnsaved() {
        saved += 1;
      },
    },
  };
  const upkeep = new AccessUpkeep({ clock, logger: silentLogger, expiring: {}, unsaved });
  upkeep.stop();
  expect(saved).toBe(1);
  upkeep.start();
  await clock.advance(60_000);
  expect(saved).toBe(2);
  upkeep.stop();
  expect([saved, clock.pendingTimers]).toEqual([3, 0]);
});

it('what expires is noted every minute once the clock is steady, and a last time at the stop', async () => {
  const clock = new TestClock();
  const noted: boolean[] = [];
  const sessions = { noteExpired: (isLast: boolean) => void noted.push(isLast) };
  const upkeep = new AccessUpkeep({ clock, logger: silentLogger, expiring: { sessions }, unsaved: {} });
  upkeep.start();
  await clock.advance(9 * 60_000);
  expect(noted).toEqual([]);
  await clock.advance(2 * 60_000);
  upkeep.stop();
  expect(noted).toEqual([false, false, true]);
});
