import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import type { LoggedDelivery } from '../../../src/app/webhooks/delivery-log-store.ts';
import type { Webhook } from '../../../src/app/webhooks/webhook.ts';
import { HttpSendError } from '../../../src/home/http-sender.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';
import { type DeliveryFixture, type FixtureOptions, openDeliveryFixture, Receivers } from './delivery-fixture.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function openFixture(options: FixtureOptions = {}): DeliveryFixture {
  const fixture = openDeliveryFixture(options);
  closers.push(() => fixture.kill());
  return fixture;
}

/** A home on disk, which can be closed, killed and opened again. */
function homeOnDisk() {
  const directory = createTempDirectory('deliveries');
  closers.push(() => directory.remove());
  const clock = new TestClock();
  const receivers = new Receivers(clock);
  return { clock, receivers, open: () => openDeliveryFixture({ path: directory.file('relay.db'), clock, receivers }) };
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => String(from + index));

function recordsOf(fixture: DeliveryFixture, { id }: Pick<Webhook, 'id'>) {
  return fixture.deliveries.history(id, { limit: 100, offset: 0 }).deliveries;
}

describe('an event', () => {
  it('is committed to the disk before it is attempted, and leaves the queue when it was taken', async () => {
    const fixture = openFixture();
    const webhook = fixture.add();
    const queued: number[] = [];
    fixture.receivers.answer(webhook.url, () => {
      queued.push(fixture.queue.pendingCount(webhook.id));
      return 200;
    });
    fixture.happen('one');
    expect(fixture.deliveries.queuedCount(webhook.id)).toBe(1);
    await fixture.until(() => fixture.queue.pendingCount(webhook.id) === 0 && queued.length > 0);
    expect(queued).toEqual([1]);
    expect(fixture.deliverer.stats()).toMatchObject({ queued: 0, lanesBusy: 0, delivered: 1, failed: 0, dropped: 0 });
    expect(fixture.registry.find(webhook.id)).toMatchObject({
      lastSuccessAt: expect.any(Number),
      consecutiveFailures: 0,
    });
  });

  it('arrives in order, each once the one before was taken', async () => {
    const fixture = openFixture();
    const webhook = fixture.add();
    let underWay = 0;
    let most = 0;
    fixture.receivers.answer(webhook.url, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      return 200 as never;
    });
    fixture.happen(...numbers(200));
    fixture.happen(...numbers(100, 200));
    await fixture.until(() => fixture.arrived(webhook).length === 300);
    expect(fixture.arrived(webhook)).toEqual(numbers(300));
    expect(most).toBe(1);
  });

  it('waits for the one before it, however long that is tried again, and delays no other webhook', async () => {
    const fixture = openFixture();
    const [dead, slow, well] = [fixture.add(), fixture.add(), fixture.add()];
    fixture.receivers.answer(dead.url, ({ body }) => (body.data.sceneName === '0' ? 503 : 200));
    fixture.receivers.answer(slow.url, () => new Promise<never>(() => {}));
    fixture.happen(...numbers(5));
    await fixture.until(() => fixture.arrived(well).length === 5);
    expect(fixture.arrived(dead)).toEqual(['0']);
    expect(fixture.arrived(slow)).toEqual(['0']);
    await fixture.clock.advance(10 * SECOND);
    expect(fixture.arrived(dead)).toEqual(['0', '0', '0', '0', '1', '2', '3', '4']);
    expect(fixture.deliverer.stats()).toMatchObject({ lanesBusy: 1, failed: 1 });
  });

  it('costs a home in which thousands happen at once few commits', async () => {
    const fixture = openFixture();
    const webhooks = [fixture.add(), fixture.add(), fixture.add()];
    let commits = 0;
    const transaction = fixture.queue.transaction.bind(fixture.queue);
    fixture.queue.transaction = (work) => {
      commits += 1;
      transaction(work);
    };
    for (const _ of numbers(200)) {
      fixture.happen('one');
      await fixture.clock.advance(1);
    }
    await fixture.until(() => webhooks.every((webhook) => fixture.arrived(webhook).length === 200));
    expect(commits).toBeLessThan(20);
  });
});

describe('what failed is tried again', () => {
  it('after 1, 2, 4, 8, 16 seconds and so on, with the same ids, dated and signed again each time', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ maxRetries: 10 });
    fixture.receivers.answer(webhook.url, () => 500);
    fixture.happen('one');
    await fixture.clock.advance(HOUR);
    const attempts = fixture.receivers.at(webhook.url);
    const waits = attempts.slice(1).map(({ at }, index) => (at - (attempts[index]?.at ?? 0)) / SECOND);
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
    expect(new Set(attempts.map(({ delivery }) => delivery)).size).toBe(1);
    expect(new Set(attempts.map(({ body }) => body.id)).size).toBe(1);
    expect(new Set(attempts.map(({ request }) => request.headers['X-Homecast-Signature'])).size).toBe(11);
    for (const { at, body, request } of attempts) {
      expect(body).toMatchObject({ timestamp: new Date(at).toISOString() });
      expect(request.headers['webhook-timestamp']).toBe(String(Math.floor(at / SECOND)));
    }
  });

  it.each([
    { status: 429, retryAfter: '120', waitMs: 120 * SECOND },
    { status: 503, retryAfter: 'Thu, 15 Jan 2026 12:05:00 GMT', waitMs: 5 * MINUTE },
    { status: 502, retryAfter: '0', waitMs: SECOND },
    { status: 301, retryAfter: 'soon', waitMs: SECOND },
    { status: 429, retryAfter: '99999999999', waitMs: DAY },
  ])(
    'not before the receiver wants it: $status with Retry-After $retryAfter',
    async ({ status, retryAfter, waitMs }) => {
      const fixture = openFixture({ random: () => 0.999 });
      const webhook = fixture.add({ maxRetries: 1 });
      fixture.receivers.answer(webhook.url, () => ({ status, headers: { 'retry-after': retryAfter } }));
      fixture.happen('one');
      await fixture.until(() => recordsOf(fixture, webhook)[0]?.status === 'retrying');
      const [{ nextRetryAt }] = recordsOf(fixture, webhook) as unknown as [{ nextRetryAt: number }];
      const wait = nextRetryAt - (fixture.receivers.at(webhook.url)[0]?.at ?? 0);
      expect(wait).toBeGreaterThanOrEqual(waitMs);
      expect(wait).toBeLessThan(waitMs * 1.2);
    },
  );

  it('after ten seconds where the relay itself failed, which is no attempt', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ maxRetries: 0 });
    fixture.receivers.answer(webhook.url, () => {
      throw new TypeError('A mistake of the relay');
    });
    fixture.happen('one');
    await fixture.until(() => fixture.arrived(webhook).length === 1);
    fixture.receivers.answer(webhook.url, () => 200);
    await fixture.clock.advance(9 * SECOND);
    expect(fixture.arrived(webhook)).toHaveLength(1);
    await fixture.until(() => fixture.arrived(webhook).length === 2);
    await fixture.until(() => fixture.deliverer.stats().delivered === 1);
    expect(recordsOf(fixture, webhook)).toMatchObject([{ status: 'success', attemptNumber: 1 }]);
  });

  it.each([199, 300])('after any answer that is no success: %i', async (status) => {
    const fixture = openFixture();
    const webhook = fixture.add({ maxRetries: 1 });
    fixture.receivers.answer(webhook.url, () => status);
    fixture.happen('one');
    await fixture.until(() => fixture.deliverer.stats().failed === 1);
    expect(fixture.arrived(webhook)).toEqual(['one', 'one']);
  });

  it('and the next ones keep away for as long too, if the last attempt was asked to', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ maxRetries: 0 });
    fixture.receivers.answer(webhook.url, () => ({ status: 429, headers: { 'retry-after': '120' } }));
    fixture.happen('one', 'two');
    await fixture.until(() => fixture.arrived(webhook).length === 1);
    await fixture.clock.advance(119 * SECOND);
    expect(fixture.arrived(webhook)).toEqual(['one']);
    await fixture.clock.advance(2 * SECOND);
    expect(fixture.arrived(webhook)).toEqual(['one', 'two']);
  });

  it('for every wall clock: set back by ten hours three times, it waits no longer', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ maxRetries: 10 });
    fixture.receivers.answer(webhook.url, () => 500);
    fixture.happen('one');
    await fixture.until(() => fixture.arrived(webhook).length === 4);
    for (const _ of numbers(3)) {
      fixture.clock.jumpWallClock(-10 * HOUR);
      await fixture.clock.advance(2 * SECOND);
    }
    await fixture.clock.advance(6 * SECOND);
    expect(fixture.arrived(webhook)).toHaveLength(5);
  });

  it('and set back across a restart, it waits as long as it would have at most', async () => {
    const home = homeOnDisk();
    let fixture = home.open();
    const webhook = fixture.add({ maxRetries: 10 });
    home.receivers.answer(webhook.url, () => 500);
    fixture.happen('one');
    await fixture.until(() => fixture.arrived(webhook).length === 4);
    await fixture.close();
    home.clock.jumpWallClock(-10 * HOUR);
    fixture = home.open();
    await fixture.clock.advance(12 * SECOND);
    expect(fixture.arrived(webhook)).toHaveLength(5);
    await fixture.close();
  });
});

describe('a restart', () => {
  it('loses nothing: after twenty of them, with the receiver down, everything arrives once, in order, with its own id', async () => {
    const home = homeOnDisk();
    const down = new HttpSendError('network', 'receiver.example could not be reached');
    let fixture = home.open();
    const webhook = fixture.add({ maxRetries: 10 });
    home.receivers.answer(webhook.url, () => down);
    const expected: string[] = [];
    for (let round = 0; round < 20; round++) {
      const names = numbers(10, round * 10);
      fixture.happen(...names);
      expected.push(...names);
      await fixture.clock.advance(SECOND);
      // Every third time without a goodbye; what happened was committed a second ago.
      if (round % 3 === 2) fixture.kill();
      else await fixture.close();
      fixture = home.open();
    }
    const [first] = home.receivers.received;
    expect(new Set(home.receivers.received.map(({ delivery }) => delivery))).toEqual(new Set([first?.delivery]));
    home.receivers.received.length = 0;
    home.receivers.answer(webhook.url, () => 200);
    await fixture.clock.advance(10 * MINUTE);
    expect(fixture.arrived(webhook)).toEqual(expected);
    expect(home.receivers.received[0]?.delivery).toBe(first?.delivery);
    expect(new Set(home.receivers.received.map(({ delivery }) => delivery)).size).toBe(200);
    await fixture.close();
  });

  it('between the answer and the commit sends it again, with the same id', async () => {
    const home = homeOnDisk();
    let fixture = home.open();
    const webhook = fixture.add();
    fixture.happen('one', 'two');
    // What was answered within this very moment is not committed yet.
    home.receivers.answer(webhook.url, ({ body }) => {
      if (body.data.sceneName === 'two') fixture.kill();
      return 200;
    });
    await fixture.until(() => fixture.arrived(webhook).length === 2);
    home.receivers.answer(webhook.url, () => 200);
    fixture = home.open();
    await fixture.until(() => fixture.arrived(webhook).length === 4);
    expect(fixture.arrived(webhook)).toEqual(['one', 'two', 'one', 'two']);
    const ids = home.receivers.received.map(({ delivery }) => delivery);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    await fixture.close();
  });

  it('waits for an answer that is on its way; one that does not come is asked for again, and counts as no attempt', async () => {
    const home = homeOnDisk();
    let fixture = home.open();
    const webhook = fixture.add();
    home.receivers.answer(webhook.url, () => new Promise<never>(() => {}));
    fixture.happen('one');
    await fixture.until(() => fixture.arrived(webhook).length === 1);
    const closed = fixture.close();
    await home.clock.advance(2 * SECOND);
    await closed;
    home.receivers.answer(webhook.url, () => 200);
    fixture = home.open();
    await fixture.until(() => fixture.deliverer.stats().delivered === 1);
    expect(recordsOf(fixture, webhook)).toMatchObject([{ status: 'success', attemptNumber: 1 }]);
    await fixture.close();
  });

  it('begins no new minute for the receiver', async () => {
    const home = homeOnDisk();
    let fixture = home.open();
    const webhook = fixture.add({ rateLimitPerMinute: 10 });
    fixture.happen(...numbers(30));
    await fixture.until(() => fixture.arrived(webhook).length === 10);
    await fixture.close();
    fixture = home.open();
    await fixture.clock.advance(30 * SECOND);
    expect(fixture.arrived(webhook)).toHaveLength(10);
    await fixture.clock.advance(31 * SECOND);
    expect(fixture.arrived(webhook)).toHaveLength(20);
    await fixture.close();
  });
});

describe('too much', () => {
  it('is held back: ten thousand changes in ten seconds reach a receiver sixty a minute', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ rateLimitPerMinute: 60 });
    for (const round of numbers(100)) {
      fixture.happen(...numbers(100, Number(round) * 100));
      await fixture.clock.advance(100);
    }
    await fixture.clock.advance(3 * MINUTE);
    const times = fixture.receivers.at(webhook.url).map(({ at }) => at);
    expect(times.length).toBeGreaterThanOrEqual(180);
    for (const at of times)
      expect(times.filter((other) => other >= at && other < at + MINUTE).length).toBeLessThanOrEqual(60);
    expect(fixture.arrived(webhook)).toEqual(numbers(times.length));
  });

  it('drops the oldest beyond ten thousand, but not the one that is being tried, and counts them', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ maxRetries: 10 });
    fixture.receivers.answer(webhook.url, () => 500);
    fixture.happen('first');
    await fixture.until(() => fixture.arrived(webhook).length > 0);
    fixture.happen(...numbers(10_050));
    await fixture.until(
      () => fixture.deliverer.stats().dropped > 50 && fixture.queue.pendingCount(webhook.id) === 9_999,
    );
    await fixture.clock.advance(100);
    expect(fixture.deliveries.queuedCount(webhook.id)).toBe(10_000);
    expect(fixture.deliverer.stats().dropped).toBe(51);
    expect(fixture.registry.find(webhook.id)).toMatchObject({ droppedCount: 51 });
    fixture.receivers.answer(webhook.url, ({ body }) =>
      body.data.sceneName === 'first' ? 200 : new Promise<never>(() => {}),
    );
    await fixture.until(() => fixture.deliverer.stats().delivered === 1);
    await fixture.clock.advance(100);
    expect([...new Set(fixture.arrived(webhook))].slice(0, 2)).toEqual(['first', '51']);
  });
});

describe('a disk that is full', () => {
  it('makes events wait, reports it once, and disturbs no others; when there is room, they are delivered in order', async () => {
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (_: object, message: string) => warnings.push(message) };
    const fixture = openFixture({ logger });
    const webhook = fixture.add();
    const pages = fixture.database.pragma('page_count', { simple: true });
    fixture.database.pragma(`max_page_count = ${pages}`);
    for (const round of numbers(10)) {
      fixture.happen(...numbers(100, Number(round) * 100));
      await fixture.clock.advance(SECOND);
    }
    expect(fixture.arrived(webhook)).toEqual([]);
    expect(fixture.deliveries.queuedCount(webhook.id)).toBe(1_000);
    expect(warnings).toEqual(['Cannot queue webhook deliveries. They wait in memory; everything else works']);
    fixture.database.pragma('max_page_count = 100000');
    await fixture.clock.advance(MINUTE);
    expect(fixture.arrived(webhook)).toEqual(numbers(1_000));
  });

  it('takes no more memory than a full queue of each webhook: the oldest are dropped and counted', async () => {
    const fixture = openFixture();
    const webhook = fixture.add();
    fixture.queue.transaction = () => {
      throw new Error('The disk is full');
    };
    fixture.happen(...numbers(10_200));
    await fixture.clock.advance(SECOND);
    expect(fixture.deliveries.queuedCount(webhook.id)).toBe(10_000);
    expect(fixture.deliverer.stats().dropped).toBe(200);
  });

  it('has the busiest webhooks give way where there is no room for more; what a quiet one received is delivered', async () => {
    const fixture = openFixture();
    const busy = numbers(5).map(() => fixture.add());
    const { transaction } = fixture.queue;
    fixture.queue.transaction = () => {
      throw new Error('The disk is full');
    };
    fixture.happen(...numbers(10_000));
    for (const { id } of busy) fixture.update(id, { status: 'paused' });
    const quiet = fixture.add();
    fixture.happen('heard');
    fixture.queue.transaction = transaction;
    expect(fixture.deliverer.stats()).toMatchObject({ queued: 50_000, dropped: 1 });
    await fixture.until(() => fixture.arrived(quiet).length === 1);
  });

  it('has nothing in memory of a webhook that could not be written down', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ maxRetries: 0 });
    fixture.receivers.answer(webhook.url, () => 500);
    const { transaction } = fixture.queue;
    let failures = 0;
    fixture.happen('one');
    fixture.queue.transaction = (work) =>
      transaction.call(fixture.queue, () => {
        work();
        if (fixture.receivers.received.length === 0) return;
        failures += 1;
        throw new Error('The disk is full');
      });
    await fixture.until(() => failures > 0);
    expect(fixture.registry.find(webhook.id)).toMatchObject({ consecutiveFailures: 0, lastFailureAt: null });
    fixture.queue.transaction = transaction;
    await fixture.clock.advance(30 * SECOND);
    expect(fixture.registry.find(webhook.id)).toMatchObject({ consecutiveFailures: 1 });
  });
});

describe('a receiver that is given up', () => {
  it('is disabled with the fifth delivery that failed for good, its owner notified once, and what waits is not delivered', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ maxRetries: 1, name: 'Kitchen' });
    fixture.receivers.answer(webhook.url, () => 500);
    fixture.happen(...numbers(8));
    await fixture.until(() => fixture.registry.find(webhook.id)?.status === 'disabled');
    await fixture.clock.advance(SECOND);
    expect(fixture.arrived(webhook)).toHaveLength(10);
    expect(fixture.notices).toEqual([
      'The webhook “Kitchen” was disabled because 5 deliveries in a row failed for good. Resume it when its receiver works again.',
    ]);
    expect(recordsOf(fixture, webhook).map(({ status }) => status)).toEqual([
      ...Array.from({ length: 3 }, () => 'dead_letter'),
      ...Array.from({ length: 5 }, () => 'failed'),
    ]);
    fixture.happen('unheard');
    await fixture.clock.advance(MINUTE);
    expect(fixture.deliveries.queuedCount(webhook.id)).toBe(0);
    fixture.receivers.answer(webhook.url, () => 200);
    fixture.update(webhook.id, { status: 'active', consecutiveFailures: 0 });
    fixture.happen('heard');
    await fixture.until(() => fixture.deliverer.stats().delivered === 1);
    expect(fixture.arrived(webhook).at(-1)).toBe('heard');
  });

  it('has an hour after its last success', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ maxRetries: 0 });
    fixture.happen('well');
    await fixture.until(() => fixture.deliverer.stats().delivered === 1);
    fixture.receivers.answer(webhook.url, () => 500);
    fixture.happen(...numbers(7));
    await fixture.clock.advance(59 * MINUTE);
    expect(fixture.registry.find(webhook.id)).toMatchObject({ status: 'active', consecutiveFailures: 7 });
    await fixture.clock.advance(MINUTE);
    fixture.happen('again');
    await fixture.clock.advance(SECOND);
    expect(fixture.registry.find(webhook.id)).toMatchObject({ status: 'disabled', consecutiveFailures: 8 });
  });

  it('restarts its count with each success', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ maxRetries: 0 });
    fixture.receivers.answer(webhook.url, ({ body }) => (body.data.sceneName === '4' ? 200 : 500));
    fixture.happen(...numbers(8));
    await fixture.until(() => fixture.deliverer.stats().failed === 7);
    await fixture.clock.advance(100);
    expect(fixture.registry.find(webhook.id)).toMatchObject({ status: 'active', consecutiveFailures: 3 });
  });

  it('is disabled at once by 410, however long it worked', async () => {
    const fixture = openFixture();
    const webhook = fixture.add();
    fixture.happen('one');
    await fixture.until(() => fixture.deliverer.stats().delivered === 1);
    fixture.receivers.answer(webhook.url, () => 410);
    fixture.happen('two', 'three');
    await fixture.clock.advance(SECOND);
    expect(fixture.arrived(webhook)).toEqual(['one', 'two']);
    expect(fixture.registry.find(webhook.id)).toMatchObject({ status: 'disabled', lastFailureReason: 'HTTP 410: ' });
    expect(fixture.notices).toHaveLength(1);
  });
});

describe('what people do with a webhook', () => {
  it('pausing keeps what waits until it is resumed, and adds nothing', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ rateLimitPerMinute: 2 });
    fixture.happen('a', 'b', 'c');
    await fixture.until(() => fixture.arrived(webhook).length === 2);
    fixture.update(webhook.id, { status: 'paused' });
    fixture.happen('unheard');
    await fixture.clock.advance(5 * MINUTE);
    expect(fixture.arrived(webhook)).toEqual(['a', 'b']);
    fixture.update(webhook.id, { status: 'active' });
    await fixture.until(() => fixture.arrived(webhook).length === 3);
    await fixture.clock.advance(MINUTE);
    expect(fixture.arrived(webhook)).toEqual(['a', 'b', 'c']);
  });

  it('resuming it, or giving it another URL, sits out no wait', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ maxRetries: 10 });
    fixture.receivers.answer(webhook.url, () => ({ status: 503, headers: { 'retry-after': '86400' } }));
    fixture.happen('one');
    await fixture.until(() => fixture.arrived(webhook).length === 1);
    fixture.update(webhook.id, { name: 'Another name' });
    await fixture.clock.advance(SECOND);
    expect(fixture.receivers.received).toHaveLength(1);
    fixture.update(webhook.id, { status: 'paused' });
    await fixture.clock.advance(SECOND);
    expect(fixture.receivers.received).toHaveLength(1);
    fixture.update(webhook.id, { status: 'active' });
    await fixture.until(() => fixture.arrived(webhook).length === 2);
    const moved = fixture.update(webhook.id, { url: 'http://elsewhere.example/' });
    await fixture.until(() => fixture.arrived(moved).length === 1);
  });

  it('giving it another URL breaks off what is under way to the old one', async () => {
    const fixture = openFixture();
    const webhook = fixture.add();
    fixture.receivers.answer(webhook.url, () => new Promise<never>(() => {}));
    fixture.happen('one');
    await fixture.until(() => fixture.arrived(webhook).length === 1);
    const moved = fixture.update(webhook.id, { url: 'http://elsewhere.example/' });
    await fixture.until(() => fixture.arrived(moved).length === 1);
    await fixture.clock.advance(SECOND);
    expect(recordsOf(fixture, webhook)).toMatchObject([{ status: 'success', attemptNumber: 1 }]);
  });

  it('changing it loses nothing of what was noted of its deliveries', async () => {
    const fixture = openFixture();
    const webhook = fixture.add();
    const { transaction } = fixture.queue;
    fixture.receivers.answer(webhook.url, () => {
      fixture.queue.transaction = () => {
        throw new Error('The disk is full');
      };
      return 200;
    });
    fixture.happen('one');
    await fixture.until(() => fixture.deliverer.stats().delivered === 1);
    const at = fixture.deliverer.outbox.find(webhook.id)?.lastSuccessAt;
    expect(at).toEqual(expect.any(Number));
    fixture.update(webhook.id, { name: 'Another name' });
    fixture.queue.transaction = transaction;
    await fixture.clock.advance(MINUTE);
    expect(fixture.registry.find(webhook.id)).toMatchObject({ name: 'Another name', lastSuccessAt: at });
  });

  it('that goes with its owner’s account takes along what waits', async () => {
    const fixture = openFixture();
    const [webhook, other] = [fixture.add(), fixture.add()];
    for (const { url } of [webhook, other]) fixture.receivers.answer(url, () => 500);
    fixture.happen('one');
    await fixture.until(() => fixture.deliverer.stats().queued === 2);
    fixture.registry.delete(webhook.id);
    fixture.bus.emit('user.removed', { userId: 'ann' });
    expect(fixture.deliverer.stats().queued).toBe(1);
    const before = fixture.arrived(other).length;
    await fixture.until(() => fixture.arrived(other).length > before);
    expect(fixture.log.count(webhook.id, {})).toBe(0);
  });

  it('deleting it breaks off what is under way and leaves nothing behind', async () => {
    const fixture = openFixture();
    const webhook = fixture.add();
    let aborted = false;
    fixture.receivers.answer(webhook.url, ({ request }) => {
      request.signal?.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise<never>(() => {});
    });
    await fixture.deliveries.sendTest({ ...webhook, url: 'http://other.example' });
    expect(fixture.log.count(webhook.id, {})).toBe(1);
    fixture.happen('one', 'two');
    await fixture.until(() => fixture.arrived(webhook).length === 1);
    fixture.delete(webhook.id);
    expect(aborted).toBe(true);
    fixture.happen('unheard');
    await fixture.clock.advance(MINUTE);
    expect(fixture.deliverer.stats()).toMatchObject({ queued: 0, lanesBusy: 0 });
    expect(fixture.log.count(webhook.id, {})).toBe(0);
    expect(fixture.arrived(webhook)).toEqual(['one']);
  });

  it('rotating its secret has both sign what waits, until the old one’s day is over', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ previousSecret: 'whsec_b2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xkb2w=' });
    const until = fixture.clock.now() + DAY;
    fixture.update(webhook.id, { previousSecretUntil: until });
    fixture.happen('one');
    await fixture.until(() => fixture.arrived(webhook).length === 1);
    await fixture.clock.advance(DAY);
    fixture.happen('two');
    await fixture.until(() => fixture.arrived(webhook).length === 2);
    const signatures = fixture.receivers
      .at(webhook.url)
      .map(({ at, body, request }) =>
        [webhook.secret, webhook.previousSecret ?? '']
          .map((secret) => new StandardWebhook(secret).sign(body.id, new Date(at), request.body ?? ''))
          .filter((signature) => request.headers['webhook-signature']?.split(' ').includes(signature)),
      );
    expect(signatures.map(({ length }) => length)).toEqual([2, 1]);
    expect(fixture.receivers.received.at(-1)?.request.headers['webhook-signature']).toBe(signatures[1]?.[0]);
  });
});

describe('the history', () => {
  it('reports the result of each delivery, newest first, in pages, by status', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ maxRetries: 1 });
    fixture.receivers.answer(webhook.url, ({ body }) =>
      body.data.sceneName === 'bad' ? { status: 500, body: 'no '.repeat(200) } : { status: 200, body: 'fine' },
    );
    fixture.happen('good');
    await fixture.clock.advance(SECOND);
    fixture.happen('bad');
    await fixture.clock.advance(100);
    fixture.happen('waits');
    await fixture.clock.advance(100);
    const records = recordsOf(fixture, webhook);
    expect(records).toMatchObject([
      { status: 'pending', attemptNumber: 0, maxAttempts: 2, nextRetryAt: null, latencyMs: null },
      {
        status: 'retrying',
        attemptNumber: 1,
        responseStatusCode: 500,
        errorMessage: `HTTP 500: ${'no '.repeat(200).slice(0, 200)}`,
        nextRetryAt: expect.any(Number),
      },
      { status: 'success', attemptNumber: 1, responseStatusCode: 200, responseBody: 'fine', errorMessage: null },
    ]);
    for (const [status, total] of [
      ['pending', 1],
      ['retrying', 1],
      ['success', 1],
      ['failed', 0],
    ] as const) {
      expect(fixture.deliveries.history(webhook.id, { limit: 10, offset: 0, status }).total).toBe(total);
    }
    expect(fixture.deliveries.history(webhook.id, { limit: 1, offset: 1 })).toEqual({
      deliveries: [records[1]],
      total: 3,
    });
    await fixture.clock.advance(3 * SECOND);
    expect(recordsOf(fixture, webhook)).toMatchObject([
      { status: 'success', nextRetryAt: null },
      { status: 'failed', nextRetryAt: null },
      { status: 'success', nextRetryAt: null },
    ]);
  });

  it('has a test that came after what waits before it', async () => {
    const fixture = openFixture();
    const webhook = fixture.add();
    fixture.receivers.answer(webhook.url, ({ body }) => (body.type === 'webhook.test' ? 200 : 500));
    fixture.happen('one', 'two');
    await fixture.until(() => fixture.arrived(webhook).length === 1);
    await fixture.deliveries.sendTest(webhook);
    expect(recordsOf(fixture, webhook).map(({ status }) => status)).toEqual(['success', 'pending', 'retrying']);
  });

  it('has each delivery once, also while it could not be committed that it has ended', async () => {
    const fixture = openFixture();
    const webhook = fixture.add();
    const { transaction } = fixture.queue;
    fixture.happen('one', 'two');
    fixture.receivers.answer(webhook.url, ({ body }) => {
      fixture.queue.transaction = () => {
        throw new Error('The disk is full');
      };
      return body.data.sceneName === 'one' ? 200 : new Promise<never>(() => {});
    });
    await fixture.until(() => fixture.arrived(webhook).length === 2);
    expect(recordsOf(fixture, webhook).map(({ status }) => status)).toEqual(['pending', 'success']);
    expect(fixture.deliveries.history(webhook.id, { limit: 1, offset: 0 }).total).toBe(2);
    fixture.queue.transaction = transaction;
  });

  it('keeps a little of an answer, and of our secrets nothing', async () => {
    const fixture = openFixture();
    // Its base64 has all characters that something escapes.
    const key = Buffer.alloc(32, Buffer.from('+/v7', 'base64'));
    const previous = Buffer.alloc(32, 'old');
    const webhook = fixture.add({
      ...{ maxRetries: 0, secret: `whsec_${key.toString('base64')}` },
      ...{ previousSecret: `whsec_${previous.toString('base64')}`, previousSecretUntil: fixture.clock.now() + DAY },
    });
    const spelt = [key, previous].flatMap((bytes) => {
      const text = bytes.toString('base64');
      const escaped = text.replaceAll('/', '\\/');
      const hex = bytes.toString('hex');
      return [text, escaped, encodeURIComponent(text), bytes.toString('base64url'), hex, hex.toUpperCase()];
    });
    const body = `${webhook.secret} ${spelt.join(' ')} ${'x'.repeat(60_000)}`;
    fixture.receivers.answer(webhook.url, () => ({ status: 500, body }));
    fixture.happen('one');
    await fixture.until(() => fixture.deliverer.stats().failed === 1);
    const [record] = recordsOf(fixture, webhook);
    expect(record?.responseBody?.length).toBeLessThanOrEqual(2_048);
    expect(record?.responseBody?.match(/\[secret\]/g)).toHaveLength(13);
    const stored = JSON.stringify(fixture.historyDatabase.current.prepare('SELECT * FROM webhook_deliveries').all());
    const shown = [
      stored,
      JSON.stringify(fixture.registry.all().map(({ lastFailureReason }) => lastFailureReason)),
    ].join();
    expect(spelt.filter((one) => shown.includes(one.replace(/(=|%3D)+$/, '')))).toEqual([]);
  });

  it('keeps seven days, and five thousand of a webhook', async () => {
    const fixture = openFixture();
    const webhook = fixture.add();
    fixture.happen('old');
    await fixture.clock.advance(6 * DAY);
    fixture.happen('new');
    await fixture.clock.advance(DAY + SECOND);
    expect(recordsOf(fixture, webhook)).toHaveLength(1);
    await fixture.log.prune();
    const count = () => fixture.historyDatabase.current.prepare('SELECT count(*) AS n FROM webhook_deliveries').get();
    expect(count()).toEqual({ n: 1 });
    const [record] = fixture.log.list(webhook.id, { limit: 1 });
    for (const id of numbers(6_000)) {
      fixture.log.write({ ...(record as LoggedDelivery), id });
      if (id.endsWith('999')) await fixture.clock.advance(2 * SECOND);
    }
    expect(fixture.log.count(webhook.id, {})).toBeLessThanOrEqual(5_500);
  });

  it('may be lost without a delivery being lost', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ maxRetries: 10 });
    fixture.receivers.answer(webhook.url, () => 500);
    fixture.happen('one');
    await fixture.until(() => fixture.arrived(webhook).length === 1);
    fixture.historyDatabase.stop();
    fixture.receivers.answer(webhook.url, () => 200);
    fixture.happen('two');
    await fixture.clock.advance(10 * SECOND);
    expect(fixture.arrived(webhook)).toEqual(['one', 'one', 'two']);
    fixture.historyDatabase.start();
  });

  it('sends again what has ended, at the end of the queue, with the event’s id and another delivery’s', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ maxRetries: 0 });
    fixture.receivers.answer(webhook.url, () => 500);
    fixture.happen('one');
    await fixture.until(() => fixture.deliverer.stats().failed === 1);
    const [failed] = recordsOf(fixture, webhook);
    fixture.receivers.answer(webhook.url, () => 200);
    const queued = fixture.deliverer.stats().queued;
    const resent = fixture.deliveries.resend(webhook.id, failed?.id ?? '');
    expect(fixture.deliverer.stats().queued).toBe(queued + 1);
    expect(resent).toMatchObject({ status: 'pending', eventId: failed?.eventId, attemptNumber: 0 });
    expect(resent.id).not.toBe(failed?.id);
    await fixture.until(() => fixture.arrived(webhook).length === 2);
    const [first, second] = fixture.receivers.at(webhook.url);
    expect(second?.body.id).toBe(first?.body.id);
    expect(second?.body.data).toEqual(first?.body.data);
    const other = fixture.add();
    for (const id of [failed?.id ?? '', 'unknown']) {
      expect(() => fixture.deliveries.resend(other.id, id)).toThrow(expect.objectContaining({ code: 'not_found' }));
    }
  });

  it('sends nothing again that is tried again by itself, that was a test, or whose webhook is disabled', async () => {
    const fixture = openFixture();
    const webhook = fixture.add();
    fixture.receivers.answer(webhook.url, () => 500);
    fixture.happen('one');
    await fixture.until(() => recordsOf(fixture, webhook)[0]?.status === 'retrying');
    await fixture.deliveries.sendTest(webhook);
    for (const { id } of recordsOf(fixture, webhook)) {
      expect(() => fixture.deliveries.resend(webhook.id, id)).toThrow(expect.objectContaining({ code: 'conflict' }));
    }
    await fixture.clock.advance(10 * SECOND);
    fixture.update(webhook.id, { status: 'disabled' });
    const failed = recordsOf(fixture, webhook).find(({ eventType }) => eventType === 'scene.executed');
    expect(failed?.status).toBe('failed');
    expect(() => fixture.deliveries.resend(webhook.id, failed?.id ?? '')).toThrow(/resume it first/);
  });
});

describe('a test', () => {
  it('is sent at once, past the queue and to a paused webhook too, and changes nothing of how it fares', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ status: 'paused' });
    fixture.receivers.answer(webhook.url, () => ({ status: 201, body: 'thanks' }));
    const at = fixture.clock.now();
    await expect(fixture.deliveries.sendTest(webhook)).resolves.toEqual({
      ...{ success: true, statusCode: 201, responseTimeMs: 0, error: null },
    });
    const [{ body, request }] = fixture.receivers.at(webhook.url) as [(typeof fixture.receivers.received)[number]];
    expect(body).toMatchObject({ id: `evt_test_${at}`, type: 'webhook.test', data: { test: true } });
    expect(request.headers['X-Homecast-Delivery']).toMatch(/^test_[0-9a-f-]{36}$/);
    expect(recordsOf(fixture, webhook)).toMatchObject([
      { status: 'success', eventType: 'webhook.test', maxAttempts: 1 },
    ]);
    expect(fixture.registry.find(webhook.id)).toEqual(webhook);
  });

  it('reports why it failed, and waits no longer than half a minute', async () => {
    const fixture = openFixture();
    const webhook = fixture.add({ timeoutMs: 120_000 });
    fixture.receivers.answer(webhook.url, () => new HttpSendError('timeout', 'x did not answer within 30 s'));
    await expect(fixture.deliveries.sendTest(webhook)).resolves.toEqual({
      ...{ success: false, statusCode: null, responseTimeMs: null, error: 'Request timeout' },
    });
    expect(fixture.receivers.at(webhook.url)[0]?.request.timeoutMs).toBe(30_000);
  });

  it('is limited to ten a minute', async () => {
    const fixture = openFixture();
    const webhook = fixture.add();
    for (const _ of numbers(10)) await fixture.deliveries.sendTest(webhook);
    await expect(fixture.deliveries.sendTest(webhook)).rejects.toMatchObject({ code: 'rate_limited' });
    await fixture.clock.advance(6 * SECOND);
    await expect(fixture.deliveries.sendTest(webhook)).resolves.toMatchObject({ success: true });
  });
});
