import { afterEach, describe, expect, it } from 'vitest';
import { parseAccessories } from '../../../../src/drivers/hap/wire/accessory-database.ts';
import type { RawRequest } from '../../../support/accessories/raw-wire.ts';
import { bridgeDatabase, lampAccessory, timedLockAccessory } from '../../../support/accessories/sample-databases.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { type FixtureOptions, SessionFixture, until } from './session-fixture.ts';

const open: SessionFixture[] = [];

async function ready(options?: FixtureOptions): Promise<SessionFixture> {
  const fixture = await SessionFixture.ready(options);
  open.push(fixture);
  return fixture;
}

afterEach(() => Promise.all(open.splice(0).map((fixture) => fixture.close())));

const isRead = ({ path }: RawRequest): boolean => path.startsWith('/characteristics?');
const isWrite = ({ method, body }: RawRequest): boolean => method === 'PUT' && body.includes('"value"');
const idsOf = ({ path }: RawRequest): string[] => path.split('id=')[1]?.split(',') ?? [];
const readRequests = (fixture: SessionFixture): RawRequest[] => fixture.accessory.requests.filter(isRead);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Hours in moments: request deadlines are out of the way, since answers take real time. */
const SLOW = { requestMs: 1e12, connectMs: 1e12, writeMs: 1e12 };

async function pass(clock: TestClock, ms: number, stepMs = 5_000): Promise<void> {
  for (let gone = 0; gone < ms; gone += stepMs) {
    await clock.advance(Math.min(stepMs, ms - gone));
    await pause(4);
  }
}

describe('events', () => {
  it('are reported in order, each once, and own writes are not reported twice', async () => {
    const fixture = await ready();
    for (let n = 0; n < 200; n += 1) fixture.accessory.set(1, 10, n % 101);
    await until(() => fixture.history(10, 'event').length === 200, 'all events');
    expect(fixture.history(10, 'event')).toEqual(Array.from({ length: 200 }, (_, n) => n % 101));
    await fixture.set(10, 7);
    expect(fixture.history(10).slice(-2)).toEqual([199 % 101, 7]);
  });

  it('that come coalesced end in the device’s value when asked, in either order', async () => {
    const fixture = await ready();
    for (let round = 0; round < 100; round += 1) {
      const last = round % 2 === 0;
      const burst = [last, !last, last, !last].map((value) => ({ aid: 1, iid: 9, value }));
      fixture.accessory.setSilently(1, 9, last);
      const reported = fixture.history(9).length;
      fixture.accessory.sendEvent(round % 3 === 0 ? burst : burst.reverse());
      await until(() => fixture.history(9).length > reported, 'the truth');
      expect(fixture.history(9).slice(reported)).toEqual([last]);
    }
  });

  it('of a button count each time, equal or not, and none is made up by a reconnect', async () => {
    const fixture = await ready({ accessory: { database: [timedLockAccessory('Lock')] }, random: () => 0 });
    for (let n = 1; n <= 60; n += 1) {
      fixture.accessory.set(1, 13, 0);
      await until(() => fixture.history(13).length === n, 'the press');
      if (n % 10 !== 0) continue;
      const { reconnects } = fixture.session.stats;
      fixture.accessory.disconnectAll();
      await until(() => fixture.session.stats.reconnects > reconnects, 'the reconnect');
      await fixture.untilReady();
    }
    fixture.accessory.sendEvent([
      { aid: 1, iid: 13, value: 2 },
      { aid: 1, iid: 13, value: 0 },
      { aid: 1, iid: 13, value: null },
    ]);
    await until(() => fixture.history(13).length === 62, 'both presses');
    expect(fixture.history(13).slice(-2), 'newest first, as HAP-NodeJS sends them').toEqual([0, 2]);
  });

  it('that make no sense are survived, and what they may have contained is asked for', async () => {
    const fixture = await ready();
    fixture.accessory.setSilently(1, 10, 61);
    fixture.accessory.sendText('EVENT/1.0 200 OK\r\nContent-Length: 9\r\n\r\n{"charact');
    await until(() => fixture.value(10) === 61, 'the value');
    fixture.accessory.sendEvent([
      { aid: 1, iid: 10 },
      { aid: 7, iid: 7, value: 1 },
      { aid: 1, iid: 10, value: 'loud' },
    ]);
    fixture.accessory.set(1, 10, 62);
    await until(() => fixture.value(10) === 62, 'the next event');
    expect(fixture.session.stats.reconnects).toBe(0);
  });

  it('win over the answer to a read that they overtook', async () => {
    const fixture = await ready();
    const stale = '{"characteristics":[{"aid":1,"iid":9,"value":false}]}';
    fixture.accessory.play({ on: isRead, body: stale, eventBefore: [{ aid: 1, iid: 9, value: true }] });
    const asked = readRequests(fixture).length;
    fixture.accessory.sendEvent([
      { aid: 1, iid: 9, value: true },
      { aid: 1, iid: 9, value: false },
    ]);
    await until(() => readRequests(fixture).length > asked && fixture.value(9) === true, 'the event');
    await pause(30);
    expect(fixture.value(9)).toBe(true);
  });

  it('that come between a write and its answer are settled by asking: the device made something else of it', async () => {
    const fixture = await ready();
    fixture.accessory.onWrite(() => fixture.accessory.setSilently(1, 10, 38));
    fixture.accessory.play({ on: isWrite, eventBefore: [{ aid: 1, iid: 10, value: 38 }] });
    const reported = fixture.history(10).length;
    expect(await fixture.set(10, 37)).toEqual({ ok: true, value: 37 });
    await until(() => fixture.history(10, 'read').length > 1, 'the answer');
    expect(fixture.history(10).slice(reported)).toEqual([38, 38]);
  });

  it('that come between a write and its answer are settled by asking: it had been changed before', async () => {
    const fixture = await ready();
    fixture.accessory.play({ on: isWrite, eventBefore: [{ aid: 1, iid: 10, value: 5 }] });
    const reported = fixture.history(10).length;
    expect(await fixture.set(10, 37)).toEqual({ ok: true, value: 37 });
    await until(() => fixture.value(10) === 37, 'the answer');
    expect(fixture.history(10).slice(reported)).toEqual([5, 37]);
  });

  it('that never came leave nothing to ask for, however many writes wait for each other', async () => {
    const fixture = await ready({ accessory: { replyDelayMs: 20 } });
    const asked = readRequests(fixture).length;
    const reported = fixture.history(10).length;
    const values = Array.from({ length: 10 }, (_, n) => 10 + n);
    await Promise.all(values.map((value) => fixture.set(10, value)));
    expect(fixture.history(10).slice(reported)).toEqual(values);
    await pause(30);
    expect(readRequests(fixture)).toHaveLength(asked);
  });

  it('that contain what is being written are believed, without a read', async () => {
    const fixture = await ready();
    fixture.accessory.play({ on: isWrite, eventBefore: [{ aid: 1, iid: 10, value: 37 }] });
    const asked = readRequests(fixture).length;
    await fixture.set(10, 37);
    await pause(30);
    expect(fixture.value(10)).toBe(37);
    expect(readRequests(fixture)).toHaveLength(asked);
  });

  it('are read more slowly when there are far too many, while commands still work', async () => {
    const fixture = await ready({ deadlines: { requestMs: 20_000, writeMs: 20_000 } });
    const event =
      `EVENT/1.0 200 OK\r\nContent-Length: 49\r\n\r\n{"characteristics":[{"aid":1,"iid":10,"value":1}]}`.replace(
        '49',
        '50',
      );
    const flood = setInterval(() => fixture.accessory.sendText(event.repeat(40)), 5);
    await pause(1_500);
    clearInterval(flood);
    const { notifications } = fixture.session.stats;
    expect(notifications).toBeGreaterThan(200);
    expect(notifications, 'of twelve thousand').toBeLessThan(4_000);
  });
});

describe('reading', () => {
  it('marks what fails and keeps the rest', async () => {
    const fixture = await SessionFixture.open({ accessory: { database: bridgeDatabase(3) } });
    open.push(fixture);
    fixture.accessory.fail({ aid: 3, iid: 10, status: -70408, on: 'read' });
    fixture.session.start();
    await fixture.untilReady();
    expect(fixture.value(10, 2)).toBe(50);
    expect(fixture.value(10, 3)).toBeUndefined();
    expect(fixture.value(9, 3)).toBe(false);
    expect(fixture.reachable).toEqual(['all true']);
  });

  it.each([
    ['a refusal of everything at once', { status: 400, body: '' }],
    ['one bad child that spoils the whole answer', { status: 207, body: '{"status":-70402}' }],
    ['no JSON', { body: '{"characteristics":[{"aid":1,"iid":9,"value":}' }],
  ])('gets every value in spite of %s', async (_name, trick) => {
    const fixture = await SessionFixture.open({ accessory: { database: bridgeDatabase(3) } });
    open.push(fixture);
    fixture.accessory.play({ on: (request) => isRead(request) && idsOf(request).length > 3, ...trick, times: 1_000 });
    fixture.session.start();
    await fixture.untilReady();
    for (const aid of [2, 3, 4]) expect([fixture.value(10, aid), fixture.value(44, aid)]).toEqual([50, 4.2]);
    expect(fixture.reachable).toEqual(['all true']);
  });

  it('takes no value that comes with a failure', async () => {
    const fixture = await SessionFixture.open();
    open.push(fixture);
    fixture.accessory.play({
      on: isRead,
      status: 207,
      body: '{"characteristics":[{"aid":1,"iid":9,"status":0,"value":1},{"aid":1,"iid":10,"status":-70408,"value":7}]}',
      times: 1_000,
    });
    fixture.session.start();
    await fixture.untilReady();
    expect([fixture.value(9), fixture.value(10)]).toEqual([true, undefined]);
  });

  it('asks again for what an answer left out', async () => {
    const fixture = await SessionFixture.open();
    open.push(fixture);
    fixture.accessory.play({ on: isRead, body: '{"characteristics":[{"aid":1,"iid":9,"value":0},true]}' });
    fixture.session.start();
    await fixture.untilReady();
    expect(fixture.value(9)).toBe(false);
    expect(fixture.value(10)).toBe(50);
  });

  it('learns how little a device takes, remembers it, and asks so the next time', async () => {
    const database = bridgeDatabase(3);
    const fixture = await SessionFixture.open({
      accessory: { database },
      deadlines: { requestMs: 150 },
      random: () => 0,
    });
    open.push(fixture);
    fixture.accessory.ignoreRequestsOver = 500;
    fixture.session.start();
    await fixture.untilReady();
    expect(fixture.savedLimits?.maxBytes).toBeLessThanOrEqual(500);
    expect(fixture.value(10, 4)).toBe(50);
    const before = fixture.accessory.requests.length;
    fixture.accessory.disconnectAll();
    await until(
      () =>
        fixture.session.stats.reconnects > 0 &&
        fixture.session.state === 'ready' &&
        fixture.accessory.requests.length > before + 5,
      'the next time',
    );
    await fixture.untilReady();
    for (const { bytes } of fixture.accessory.requests.slice(before)) expect(bytes).toBeLessThanOrEqual(500);
  });

  it('subscribes accessory by accessory where the device wants that', async () => {
    const fixture = await SessionFixture.open({ accessory: { database: bridgeDatabase(4) }, random: () => 0 });
    open.push(fixture);
    const spans = ({ method, body }: RawRequest) =>
      method === 'PUT' && new Set([...body.toString().matchAll(/"aid":(\d+)/g)].map(([, aid]) => aid)).size > 1;
    fixture.accessory.play({ on: spans, apply: false, status: 400, times: 1_000 });
    fixture.session.start();
    await fixture.untilReady();
    expect(fixture.accessory.subscriptions().size).toBe(4 * 15);
    const before = fixture.accessory.requests.length;
    fixture.accessory.disconnectAll();
    await until(() => fixture.session.stats.reconnects === 1, 'the reconnect');
    await fixture.untilReady();
    expect(fixture.accessory.requests.slice(before).filter(spans), 'remembered').toEqual([]);
    expect(fixture.savedLimits?.oneAccessory, 'also after a restart').toBe(true);
  });

  it('does not take a whole bridge for such a device because one child spoils the answer', async () => {
    const fixture = await SessionFixture.open({ accessory: { database: bridgeDatabase(3) }, random: () => 0 });
    open.push(fixture);
    const isSpoilt = ({ method, body }: RawRequest) => method === 'PUT' && body.includes('"aid":3');
    fixture.accessory.play({ on: isSpoilt, apply: false, status: 400, times: 1_000 });
    fixture.session.start();
    await fixture.untilReady();
    expect(fixture.accessory.subscriptions().size).toBe(2 * 15);
    expect(fixture.savedLimits?.oneAccessory ?? false).toBe(false);
  });
});

describe('a database that changed', () => {
  it('is read until it could be, however often that fails', async () => {
    const clock = new TestClock();
    const fixture = await ready({ clock, deadlines: SLOW });
    const isDatabase = ({ path }: RawRequest): boolean => path === '/accessories';
    fixture.accessory.play({ on: isDatabase, body: '{"accessories":[', times: 2 });
    fixture.accessory.play({ on: isDatabase, status: 500, times: 1 });
    fixture.advertisedConfig = 2;
    fixture.session.advertisementChanged();
    await pass(clock, 60_000);
    await until(() => fixture.databases.length === 2, 'the database');
    expect(fixture.databases).toEqual([1, 2]);
    expect(fixture.accessory.requests.filter(isDatabase)).toHaveLength(5);
    expect(fixture.session.stats.reconnects).toBe(0);
  });

  it('is noticed within minutes where c# is never advertised', async () => {
    const clock = new TestClock();
    const cached = { configNumber: 4, database: parseAccessories(JSON.stringify([lampAccessory('Lamp')])) };
    const fixture = await ready({ clock, deadlines: SLOW, configNumber: null, cached });
    await fixture.accessory.setDatabase(bridgeDatabase(1));
    await pass(clock, 65_000);
    await until(() => fixture.databases.length === 1 && fixture.session.state === 'ready', 'the database');
    expect(fixture.cached?.database).toHaveLength(2);
  });
});

describe('a device that sends no events', () => {
  it('is right within a minute, and only what is mute is asked for in the long run', async () => {
    const clock = new TestClock();
    const fixture = await ready({ clock, deadlines: SLOW, random: () => 0 });
    fixture.accessory.mute = true;
    fixture.accessory.setSilently(1, 10, 81);
    await pass(clock, 60_000);
    expect(fixture.value(10)).toBe(81);
    fixture.accessory.mute = false;
    fixture.accessory.set(1, 9, true);
    await until(() => fixture.value(9) === true, 'an event of another characteristic');
    await pass(clock, 120_000);
    const before = readRequests(fixture).length;
    fixture.accessory.setSilently(1, 10, 82);
    await pass(clock, 60_000);
    expect(fixture.value(10)).toBe(82);
    await pass(clock, 400_000);
    const asked = new Set(readRequests(fixture).slice(before).flatMap(idsOf));
    expect(asked).toEqual(new Set(['1.10']));
  });

  it('is not asked for what was just written', async () => {
    const clock = new TestClock();
    const fixture = await ready({ clock, deadlines: SLOW });
    await pass(clock, 42_000, 1_000);
    expect(await fixture.set(10, 20)).toMatchObject({ ok: true });
    // It confirmed, and takes its time.
    fixture.accessory.setSilently(1, 10, 50);
    await pass(clock, 4_000, 1_000);
    expect(fixture.history(10).slice(-1), 'no bounce').toEqual([20]);
  });

  it('is asked no more once asking makes it hang up', async () => {
    const clock = new TestClock();
    const fixture = await ready({ clock, deadlines: SLOW, random: () => 0 });
    for (let n = 0; n < 3; n += 1) {
      fixture.accessory.play({ on: isRead, cutAt: 0 });
      const { reconnects } = fixture.session.stats;
      for (let tries = 0; fixture.session.stats.reconnects === reconnects && tries < 400; tries += 1)
        await pass(clock, 20_000, 5_000);
      await pass(clock, 2_000, 500);
      await fixture.untilReady();
    }
    const before = readRequests(fixture).length;
    await pass(clock, 2 * 3_600_000, 60_000);
    expect(readRequests(fixture)).toHaveLength(before);
    fixture.accessory.set(1, 10, 3);
    await until(() => fixture.value(10) === 3, 'its events');
    expect(fixture.savedLimits?.noPolling, 'also after a restart').toBe(true);
  });
});

describe('a value that the device gives up after it has confirmed the write', () => {
  const onOf = (fixture: SessionFixture) => fixture.history(9);

  it('is unknown some seconds later, and known again once the device answers for it', async () => {
    const clock = new TestClock();
    const fixture = await ready({ clock, deadlines: SLOW });
    expect(await fixture.set(9, true)).toEqual({ ok: true, value: true });
    const recover = fixture.accessory.fail({ aid: 1, iid: 9, status: -70402, on: 'read' });
    await pass(clock, 8_000, 1_000);
    expect(onOf(fixture).slice(-2)).toEqual([true, null]);
    await pass(clock, 60_000, 5_000);
    expect(fixture.reachable, 'its other values are answered').toEqual(['all true']);
    recover();
    await pass(clock, 60_000, 5_000);
    expect(fixture.value(9)).toBe(true);
  });

  it('is the next one written', async () => {
    const clock = new TestClock();
    const fixture = await ready({ clock, deadlines: SLOW });
    await fixture.set(10, 20);
    const recover = fixture.accessory.fail({ aid: 1, iid: 10, status: -70402, on: 'read' });
    await pass(clock, 8_000, 1_000);
    expect(fixture.value(10)).toBeNull();
    recover();
    expect(await fixture.set(10, 30)).toEqual({ ok: true, value: 30 });
    expect(fixture.value(10)).toBe(30);
  });

  it('makes a bridge’s child unreachable where nothing of it answers', async () => {
    const clock = new TestClock();
    const fixture = await ready({ clock, deadlines: SLOW, accessory: { database: bridgeDatabase(3) } });
    expect(await fixture.set(9, true, 2)).toEqual({ ok: true, value: true });
    fixture.accessory.fail({ aid: 2, status: -70402, on: 'read' });
    await pass(clock, 30_000, 1_000);
    expect(fixture.value(9, 2)).toBeNull();
    expect(fixture.reachable).toEqual(['all true', '2 false']);
  });

  it('costs one read, however many writes there were', async () => {
    const clock = new TestClock();
    const fixture = await ready({ clock, deadlines: SLOW });
    const before = readRequests(fixture).length;
    for (let n = 0; n < 40; n += 1) {
      await fixture.set(10, n);
      await fixture.set(11, n);
      await pass(clock, 100, 100);
    }
    await pass(clock, 20_000, 1_000);
    expect(
      readRequests(fixture)
        .slice(before)
        .map(({ path }) => path),
    ).toEqual(['/characteristics?id=1.10,1.11']);
  });

  it('is not looked for where the device has announced the value since', async () => {
    const clock = new TestClock();
    const fixture = await ready({ clock, deadlines: SLOW });
    const before = readRequests(fixture).length;
    await fixture.set(10, 20);
    fixture.accessory.set(1, 10, 20);
    await pass(clock, 20_000, 1_000);
    expect(readRequests(fixture)).toHaveLength(before);
  });

  it('is read once on an accessory with a battery of its own, too', async () => {
    const clock = new TestClock();
    const lamp = lampAccessory('Lamp');
    lamp.services.push({ iid: 50, type: '96', characteristics: [] });
    const fixture = await ready({ clock, deadlines: SLOW, accessory: { database: [lamp] } });
    const before = readRequests(fixture).length;
    await fixture.set(10, 20);
    await pass(clock, 20_000, 1_000);
    expect(
      readRequests(fixture)
        .slice(before)
        .map(({ path }) => path),
    ).toEqual(['/characteristics?id=1.10']);
  });

  it('stands where the device can’t be reached and had announced it', async () => {
    const clock = new TestClock();
    const fixture = await ready({ clock, deadlines: SLOW, accessory: { database: bridgeDatabase(3) } });
    fixture.accessory.set(2, 9, true);
    await until(() => fixture.value(9, 2) === true, 'the event');
    fixture.accessory.fail({ aid: 2, status: -70402, on: 'read' });
    await pass(clock, 120_000, 5_000);
    expect(fixture.value(9, 2)).toBe(true);
  });
});

describe('a bridge’s child', () => {
  it('that never answers is away from the first moment, alone', async () => {
    const fixture = await SessionFixture.open({ accessory: { database: bridgeDatabase(20) } });
    open.push(fixture);
    fixture.accessory.fail({ aid: 7, status: -70402 });
    fixture.session.start();
    await fixture.untilReady();
    expect(fixture.reachable).toEqual(['all but 7 true']);
  });

  it('that fails for a while is away, and when it is back it is read and watched', async () => {
    const clock = new TestClock();
    const fixture = await ready({ clock, deadlines: SLOW, accessory: { database: bridgeDatabase(3) } });
    const repair = fixture.accessory.fail({ aid: 3, status: -70402 });
    expect(await fixture.set(10, 5, 3)).toMatchObject({ ok: false, reason: 'unreachable' });
    expect(fixture.reachable).toEqual(['all true']);
    await pass(clock, 20_000);
    expect(fixture.reachable).toEqual(['all true', '3 false']);
    fixture.accessory.setSilently(3, 31, 12);
    repair();
    await pass(clock, 40_000);
    await until(
      () => fixture.reachable.at(-1) === '3 true' && fixture.value(31, 3) === 12,
      'it to be back, and what it missed telling',
    );
  });

  it('that can’t be subscribed to while it is away is once it is back', async () => {
    const clock = new TestClock();
    const fixture = await SessionFixture.open({ clock, deadlines: SLOW, accessory: { database: bridgeDatabase(2) } });
    open.push(fixture);
    const repair = fixture.accessory.fail({ aid: 3, status: -70402 });
    fixture.session.start();
    await fixture.untilReady();
    expect([...fixture.accessory.subscriptions()].filter((key) => key.startsWith('3.'))).toEqual([]);
    repair();
    await pass(clock, 40_000);
    await until(() => fixture.accessory.subscriptions().has('3.10'), 'the subscription');
    fixture.accessory.set(3, 10, 99);
    await until(() => fixture.value(10, 3) === 99, 'the event');
  });
});

describe('a hostile device', () => {
  it.each([
    ['a body of a gigabyte', { replyText: 'HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n{' }],
    ['ever deeper nesting', { body: '['.repeat(200_000) }],
    [
      'thousands of services',
      {
        body: JSON.stringify({
          accessories: [
            { aid: 1, services: Array.from({ length: 3_000 }, (_, iid) => ({ iid, type: '43', characteristics: [] })) },
          ],
        }),
      },
    ],
  ])('that describes itself with %s is kept at a distance', async (_name, trick) => {
    const fixture = await SessionFixture.open({ random: () => 0 });
    open.push(fixture);
    fixture.accessory.play({ on: ({ path }) => path === '/accessories', ...trick });
    fixture.session.start();
    await until(() => fixture.statuses.includes('offline'), 'it to be refused');
    await fixture.untilReady();
    expect(fixture.cached?.database).toHaveLength(1);
    expect(fixture.databases).toEqual([1]);
  });

  it('that is slow holds up only its own session', async () => {
    const slow = await ready({
      accessory: { replyDelayMs: 900, database: [lampAccessory('Slow')] },
      deadlines: { requestMs: 3_000 },
    });
    const quick = await ready();
    const pending = slow.set(10, 1);
    for (let n = 0; n < 50; n += 1) expect((await quick.set(10, n)).ok).toBe(true);
    expect(slow.accessory.writes).toEqual([]);
    expect((await pending).ok).toBe(true);
  });
});
