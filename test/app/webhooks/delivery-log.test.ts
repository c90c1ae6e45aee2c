import { beforeEach, describe, expect, it } from 'vitest';
import { DeliveryLog } from '../../../src/app/webhooks/delivery-log.ts';
import type { DeliveryLogStore, LoggedDelivery } from '../../../src/app/webhooks/delivery-log-store.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { TestClock } from '../../support/test-clock.ts';

let clock: TestClock;
/** How many outcomes each write saved, and those that were refused. */
let saved: number[];
let isRefused: boolean;
let refused: number;
/** Of which webhooks the oldest were deleted, and after how many outcomes. */
let trimmed: [webhookId: string, after: number][];
let log: DeliveryLog;
let written = 0;

beforeEach(() => {
  clock = new TestClock();
  saved = [];
  isRefused = false;
  refused = 0;
  trimmed = [];
  const store: Pick<DeliveryLogStore, 'save' | 'keepNewest' | 'deleteOf'> = {
    save(deliveries) {
      if (isRefused) {
        refused += 1;
        throw new Error('the disk is full');
      }
      saved.push(deliveries.length);
    },
    keepNewest(webhookId) {
      trimmed.push([webhookId, saved.reduce((sum, count) => sum + count, 0)]);
    },
    deleteOf() {},
  };
  log = new DeliveryLog({ store: store as DeliveryLogStore, clock, logger: silentLogger });
});

function write(count: number): void {
  written += 1;
  for (let n = 0; n < count; n += 1) log.write({ id: `${written} ${n}`, webhookId: 'hook' } as LoggedDelivery);
}

describe('outcomes of deliveries', () => {
  it('are saved after a second, together', async () => {
    write(3);
    await clock.advance(500);
    write(2);
    await clock.advance(499);
    expect(saved).toEqual([]);
    await clock.advance(1);
    expect(saved).toEqual([5]);
  });

  it('do not pile up in memory in a burst: each hundred is saved at once', async () => {
    for (let burst = 0; burst < 20; burst += 1) {
      write(100);
      await clock.advance(0);
    }
    expect(saved).toEqual(Array.from({ length: 20 }, () => 100));
    write(50);
    await clock.advance(0);
    expect(saved).toHaveLength(20);
    await clock.advance(1_000);
    expect(saved.at(-1)).toBe(50);
  });

  it('are saved in slices of a hundred, one after the other', async () => {
    write(250);
    await clock.advance(0);
    expect(saved).toEqual([100, 100, 50]);
  });

  it('are tried again after ten seconds while the file refuses them, however many come', async () => {
    isRefused = true;
    write(10);
    await clock.advance(1_000);
    expect(refused).toBe(1);
    write(500);
    await clock.advance(9_999);
    expect(refused).toBe(1);
    isRefused = false;
    await clock.advance(1);
    expect(saved).toEqual([100, 100, 100, 100, 100, 10]);
    write(100);
    await clock.advance(0);
    expect(saved.at(-1)).toBe(100);
  });

  it('have the oldest of their webhook deleted with each five hundred', async () => {
    for (let burst = 0; burst < 11; burst += 1) {
      write(100);
      await clock.advance(1_000);
    }
    expect(trimmed).toEqual([
      ['hook', 500],
      ['hook', 1_000],
    ]);
  });

  it('of a deleted webhook are not saved; those of the others are', async () => {
    write(3);
    log.write({ id: 'other', webhookId: 'other hook' } as LoggedDelivery);
    log.forget('hook');
    await clock.advance(1_000);
    expect(saved).toEqual([1]);
  });
});
