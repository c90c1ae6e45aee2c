import { afterEach, describe, expect, it } from 'vitest';
import { parseAccessories } from '../../../src/drivers/hap/accessory-database.ts';
import type { RawRequest } from '../../support/accessories/raw-wire.ts';
import { bridgeDatabase, lampAccessory, timedLockAccessory } from '../../support/accessories/sample-databases.ts';
import { TestClock } from '../../support/test-clock.ts';
import { type LabOptions, SessionLab, until } from './session-lab.ts';

const open: SessionLab[] = [];

async function ready(options?: LabOptions): Promise<SessionLab> {
  const lab = await SessionLab.ready(options);
  open.push(lab);
  return lab;
}

afterEach(() => Promise.all(open.splice(0).map((lab) => lab.close())));

const isRead = ({ path }: RawRequest): boolean => path.startsWith('/characteristics?');
const isWrite = ({ method, body }: RawRequest): boolean => method === 'PUT' && body.includes('"value"');
const idsOf = ({ path }: RawRequest): string[] => path.split('id=')[1]?.split(',') ?? [];
const readRequests = (lab: SessionLab): RawRequest[] => lab.accessory.requests.filter(isRead);
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
  it('are told in order, each once, and own writes are not told twice', async () => {
    const lab = await ready();
    for (let n = 0; n < 200; n += 1) lab.accessory.set(1, 10, n % 101);
    await until(() => lab.history(10, 'event').length === 200, 'all events');
    expect(lab.history(10, 'event')).toEqual(Array.from({ length: 200 }, (_, n) => n % 101));
    await lab.set(10, 7);
    expect(lab.history(10).slice(-2)).toEqual([199 % 101, 7]);
  });

  it('that come coalesced end in what the device says when asked, whichever way round they are', async () => {
    const lab = await ready();
    for (let round = 0; round < 100; round += 1) {
      const last = round % 2 === 0;
      const burst = [last, !last, last, !last].map((value) => ({ aid: 1, iid: 9, value }));
      lab.accessory.setSilently(1, 9, last);
      const told = lab.history(9).length;
      lab.accessory.sendEvent(round % 3 === 0 ? burst : burst.reverse());
      await until(() => lab.history(9).length > told, 'the truth');
      expect(lab.history(9).slice(told)).toEqual([last]);
    }
  });

  it('of a button count each time, equal or not, and none is made up by a reconnect', async () => {
    const lab = await ready({ accessory: { database: [timedLockAccessory('Lock')] }, random: () => 0 });
    for (let n = 1; n <= 60; n += 1) {
      lab.accessory.set(1, 13, 0);
      await until(() => lab.history(13).length === n, 'the press');
      if (n % 10 !== 0) continue;
      const { reconnects } = lab.session.stats;
      lab.accessory.disconnectAll();
      await until(() => lab.session.stats.reconnects > reconnects, 'the reconnect');
      await lab.untilReady();
    }
    lab.accessory.sendEvent([
      { aid: 1, iid: 13, value: 2 },
      { aid: 1, iid: 13, value: 0 },
      { aid: 1, iid: 13, value: null },
    ]);
    await until(() => lab.history(13).length === 62, 'both presses');
    expect(lab.history(13).slice(-2), 'newest first, as HAP-NodeJS sends them').toEqual([0, 2]);
  });

  it('that make no sense are survived, and what they may have said is asked for', async () => {
    const lab = await ready();
    lab.accessory.setSilently(1, 10, 61);
    lab.accessory.sendText('EVENT/1.0 200 OK\r\nContent-Length: 9\r\n\r\n{"charact');
    await until(() => lab.value(10) === 61, 'the value');
    lab.accessory.sendEvent([
      { aid: 1, iid: 10 },
      { aid: 7, iid: 7, value: 1 },
      { aid: 1, iid: 10, value: 'loud' },
    ]);
    lab.accessory.set(1, 10, 62);
    await until(() => lab.value(10) === 62, 'the next event');
    expect(lab.session.stats.reconnects).toBe(0);
  });

  it('win over the answer to a read that they overtook', async () => {
    const lab = await ready();
    const stale = '{"characteristics":[{"aid":1,"iid":9,"value":false}]}';
    lab.accessory.play({ on: isRead, body: stale, eventBefore: [{ aid: 1, iid: 9, value: true }] });
    const asked = readRequests(lab).length;
    lab.accessory.sendEvent([
      { aid: 1, iid: 9, value: true },
      { aid: 1, iid: 9, value: false },
    ]);
    await until(() => readRequests(lab).length > asked && lab.value(9) === true, 'the event');
    await pause(30);
    expect(lab.value(9)).toBe(true);
  });

  it('that come between a write and its answer are settled by asking: the device made something else of it', async () => {
    const lab = await ready();
    lab.accessory.onWrite(() => lab.accessory.setSilently(1, 10, 38));
    lab.accessory.play({ on: isWrite, eventBefore: [{ aid: 1, iid: 10, value: 38 }] });
    const told = lab.history(10).length;
    expect(await lab.set(10, 37)).toEqual({ ok: true, value: 37 });
    await until(() => lab.history(10, 'read').length > 1, 'the answer');
    expect(lab.history(10).slice(told)).toEqual([38, 38]);
  });

  it('that come between a write and its answer are settled by asking: it had been changed before', async () => {
    const lab = await ready();
    lab.accessory.play({ on: isWrite, eventBefore: [{ aid: 1, iid: 10, value: 5 }] });
    const told = lab.history(10).length;
    expect(await lab.set(10, 37)).toEqual({ ok: true, value: 37 });
    await until(() => lab.value(10) === 37, 'the answer');
    expect(lab.history(10).slice(told)).toEqual([5, 37]);
  });

  it('that never came leave nothing to ask for, however many writes wait for each other', async () => {
    const lab = await ready({ accessory: { replyDelayMs: 20 } });
    const asked = readRequests(lab).length;
    const told = lab.history(10).length;
    const values = Array.from({ length: 10 }, (_, n) => 10 + n);
    await Promise.all(values.map((value) => lab.set(10, value)));
    expect(lab.history(10).slice(told)).toEqual(values);
    await pause(30);
    expect(readRequests(lab)).toHaveLength(asked);
  });

  it('that say what is being written are believed, and nobody is asked', async () => {
    const lab = await ready();
    lab.accessory.play({ on: isWrite, eventBefore: [{ aid: 1, iid: 10, value: 37 }] });
    const asked = readRequests(lab).length;
    await lab.set(10, 37);
    await pause(30);
    expect(lab.value(10)).toBe(37);
    expect(readRequests(lab)).toHaveLength(asked);
  });

  it('are read more slowly when there are far too many, while commands still work', async () => {
    const lab = await ready({ deadlines: { requestMs: 20_000, writeMs: 20_000 } });
    const event =
      `EVENT/1.0 200 OK\r\nContent-Length: 49\r\n\r\n{"characteristics":[{"aid":1,"iid":10,"value":1}]}`.replace(
        '49',
        '50',
      );
    const flood = setInterval(() => lab.accessory.sendText(event.repeat(40)), 5);
    await pause(1_500);
    clearInterval(flood);
    const { notifications } = lab.session.stats;
    expect(notifications).toBeGreaterThan(200);
    expect(notifications, 'of twelve thousand').toBeLessThan(4_000);
  });
});

describe('reading', () => {
  it('marks what fails and keeps the rest', async () => {
    const lab = await SessionLab.open({ accessory: { database: bridgeDatabase(3) } });
    open.push(lab);
    lab.accessory.fail({ aid: 3, iid: 10, status: -70408, on: 'read' });
    lab.session.start();
    await lab.untilReady();
    expect(lab.value(10, 2)).toBe(50);
    expect(lab.value(10, 3)).toBeUndefined();
    expect(lab.value(9, 3)).toBe(false);
    expect(lab.reachable).toEqual(['all true']);
  });

  it.each([
    ['a refusal of everything at once', { status: 400, body: '' }],
    ['one bad child that spoils the whole answer', { status: 207, body: '{"status":-70402}' }],
    ['no JSON', { body: '{"characteristics":[{"aid":1,"iid":9,"value":}' }],
  ])('gets every value in spite of %s', async (_name, trick) => {
    const lab = await SessionLab.open({ accessory: { database: bridgeDatabase(3) } });
    open.push(lab);
    lab.accessory.play({ on: (request) => isRead(request) && idsOf(request).length > 3, ...trick, times: 1_000 });
    lab.session.start();
    await lab.untilReady();
    for (const aid of [2, 3, 4]) expect([lab.value(10, aid), lab.value(44, aid)]).toEqual([50, 4.2]);
    expect(lab.reachable).toEqual(['all true']);
  });

  it('asks again for what an answer left out', async () => {
    const lab = await SessionLab.open();
    open.push(lab);
    lab.accessory.play({ on: isRead, body: '{"characteristics":[{"aid":1,"iid":9,"value":0},true]}' });
    lab.session.start();
    await lab.untilReady();
    expect(lab.value(9)).toBe(false);
    expect(lab.value(10)).toBe(50);
  });

  it('learns how little a device takes, remembers it, and asks so the next time', async () => {
    const database = bridgeDatabase(3);
    const lab = await SessionLab.open({ accessory: { database }, deadlines: { requestMs: 150 }, random: () => 0 });
    open.push(lab);
    lab.accessory.ignoreRequestsOver = 500;
    lab.session.start();
    await lab.untilReady();
    expect(lab.savedLimits?.maxBytes).toBeLessThanOrEqual(500);
    expect(lab.value(10, 4)).toBe(50);
    const before = lab.accessory.requests.length;
    lab.accessory.disconnectAll();
    await until(
      () =>
        lab.session.stats.reconnects > 0 && lab.session.state === 'ready' && lab.accessory.requests.length > before + 5,
      'the next time',
    );
    await lab.untilReady();
    for (const { bytes } of lab.accessory.requests.slice(before)) expect(bytes).toBeLessThanOrEqual(500);
  });

  it('subscribes accessory by accessory where the device wants that', async () => {
    const lab = await SessionLab.open({ accessory: { database: bridgeDatabase(4) }, random: () => 0 });
    open.push(lab);
    const spans = ({ method, body }: RawRequest) =>
      method === 'PUT' && new Set([...body.toString().matchAll(/"aid":(\d+)/g)].map(([, aid]) => aid)).size > 1;
    lab.accessory.play({ on: spans, apply: false, status: 400, times: 1_000 });
    lab.session.start();
    await lab.untilReady();
    expect(lab.accessory.subscriptions().size).toBe(4 * 15);
    const before = lab.accessory.requests.length;
    lab.accessory.disconnectAll();
    await until(() => lab.session.stats.reconnects === 1, 'the reconnect');
    await lab.untilReady();
    expect(lab.accessory.requests.slice(before).filter(spans), 'remembered').toEqual([]);
    expect(lab.savedLimits?.oneAccessory, 'also after a restart').toBe(true);
  });

  it('does not take a whole bridge for such a device because one child spoils the answer', async () => {
    const lab = await SessionLab.open({ accessory: { database: bridgeDatabase(3) }, random: () => 0 });
    open.push(lab);
    const isSpoilt = ({ method, body }: RawRequest) => method === 'PUT' && body.includes('"aid":3');
    lab.accessory.play({ on: isSpoilt, apply: false, status: 400, times: 1_000 });
    lab.session.start();
    await lab.untilReady();
    expect(lab.accessory.subscriptions().size).toBe(2 * 15);
    expect(lab.savedLimits?.oneAccessory ?? false).toBe(false);
  });
});

describe('a database that changed', () => {
  it('is read until it could be, however often that fails', async () => {
    const clock = new TestClock();
    const lab = await ready({ clock, deadlines: SLOW });
    const isDatabase = ({ path }: RawRequest): boolean => path === '/accessories';
    lab.accessory.play({ on: isDatabase, body: '{"accessories":[', times: 2 });
    lab.accessory.play({ on: isDatabase, status: 500, times: 1 });
    lab.advertisedConfig = 2;
    lab.session.advertisementChanged();
    await pass(clock, 60_000);
    await until(() => lab.databases.length === 2, 'the database');
    expect(lab.databases).toEqual([1, 2]);
    expect(lab.accessory.requests.filter(isDatabase)).toHaveLength(5);
    expect(lab.session.stats.reconnects).toBe(0);
  });

  it('is noticed within minutes where c# is never advertised', async () => {
    const clock = new TestClock();
    const cached = { configNumber: 4, database: parseAccessories(JSON.stringify([lampAccessory('Lamp')])) };
    const lab = await ready({ clock, deadlines: SLOW, configNumber: null, cached });
    await lab.accessory.setDatabase(bridgeDatabase(1));
    await pass(clock, 65_000);
    await until(() => lab.databases.length === 1 && lab.session.state === 'ready', 'the database');
    expect(lab.cached?.database).toHaveLength(2);
  });
});

describe('a device that sends no events', () => {
  it('is right within a minute, and only what is mute is asked for in the long run', async () => {
    const clock = new TestClock();
    const lab = await ready({ clock, deadlines: SLOW, random: () => 0 });
    lab.accessory.mute = true;
    lab.accessory.setSilently(1, 10, 81);
    await pass(clock, 60_000);
    expect(lab.value(10)).toBe(81);
    lab.accessory.mute = false;
    lab.accessory.set(1, 9, true);
    await until(() => lab.value(9) === true, 'an event of another characteristic');
    await pass(clock, 120_000);
    const before = readRequests(lab).length;
    lab.accessory.setSilently(1, 10, 82);
    await pass(clock, 60_000);
    expect(lab.value(10)).toBe(82);
    await pass(clock, 400_000);
    const asked = new Set(readRequests(lab).slice(before).flatMap(idsOf));
    expect(asked).toEqual(new Set(['1.10']));
  });

  it('is not asked for what was just written', async () => {
    const clock = new TestClock();
    const lab = await ready({ clock, deadlines: SLOW });
    await pass(clock, 42_000, 1_000);
    expect(await lab.set(10, 20)).toMatchObject({ ok: true });
    // It confirmed, and takes its time.
    lab.accessory.setSilently(1, 10, 50);
    await pass(clock, 4_000, 1_000);
    expect(lab.history(10).slice(-1), 'no bounce').toEqual([20]);
  });

  it('is asked no more once asking makes it hang up', async () => {
    const clock = new TestClock();
    const lab = await ready({ clock, deadlines: SLOW, random: () => 0 });
    for (let n = 0; n < 3; n += 1) {
      lab.accessory.play({ on: isRead, cutAt: 0 });
      const { reconnects } = lab.session.stats;
      for (let tries = 0; lab.session.stats.reconnects === reconnects && tries < 400; tries += 1)
        await pass(clock, 20_000, 5_000);
      await pass(clock, 2_000, 500);
      await lab.untilReady();
    }
    const before = readRequests(lab).length;
    await pass(clock, 2 * 3_600_000, 60_000);
    expect(readRequests(lab)).toHaveLength(before);
    lab.accessory.set(1, 10, 3);
    await until(() => lab.value(10) === 3, 'its events');
    expect(lab.savedLimits?.noPolling, 'also after a restart').toBe(true);
  });
});

describe('a bridge’s child', () => {
  it('that never answers is away from the first moment, alone', async () => {
    const lab = await SessionLab.open({ accessory: { database: bridgeDatabase(20) } });
    open.push(lab);
    lab.accessory.fail({ aid: 7, status: -70402 });
    lab.session.start();
    await lab.untilReady();
    expect(lab.reachable).toEqual(['all but 7 true']);
  });

  it('that fails for a while is away, and when it is back it is read and watched', async () => {
    const clock = new TestClock();
    const lab = await ready({ clock, deadlines: SLOW, accessory: { database: bridgeDatabase(3) } });
    const mend = lab.accessory.fail({ aid: 3, status: -70402 });
    expect(await lab.set(10, 5, 3)).toMatchObject({ ok: false, reason: 'unreachable' });
    expect(lab.reachable).toEqual(['all true']);
    await pass(clock, 20_000);
    expect(lab.reachable).toEqual(['all true', '3 false']);
    lab.accessory.setSilently(3, 31, 12);
    mend();
    await pass(clock, 40_000);
    await until(
      () => lab.reachable.at(-1) === '3 true' && lab.value(31, 3) === 12,
      'it to be back, and what it missed telling',
    );
  });

  it('that can’t be subscribed to while it is away is once it is back', async () => {
    const clock = new TestClock();
    const lab = await SessionLab.open({ clock, deadlines: SLOW, accessory: { database: bridgeDatabase(2) } });
    open.push(lab);
    const mend = lab.accessory.fail({ aid: 3, status: -70402 });
    lab.session.start();
    await lab.untilReady();
    expect([...lab.accessory.subscriptions()].filter((key) => key.startsWith('3.'))).toEqual([]);
    mend();
    await pass(clock, 40_000);
    await until(() => lab.accessory.subscriptions().has('3.10'), 'the subscription');
    lab.accessory.set(3, 10, 99);
    await until(() => lab.value(10, 3) === 99, 'the event');
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
    const lab = await SessionLab.open({ random: () => 0 });
    open.push(lab);
    lab.accessory.play({ on: ({ path }) => path === '/accessories', ...trick });
    lab.session.start();
    await until(() => lab.statuses.includes('offline'), 'it to be refused');
    await lab.untilReady();
    expect(lab.cached?.database).toHaveLength(1);
    expect(lab.databases).toEqual([1]);
  });

  it('that is slow holds up nobody’s session but its own', async () => {
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
