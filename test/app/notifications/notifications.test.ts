import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NotificationRequest } from '../../../src/app/notifications/notifier.ts';
import type { HomeEvents } from '../../../src/home/events.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { TestClock } from '../../support/test-clock.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { FakeChannel } from './fake-channel.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const AUTOMATION = 'c6a1e0d2-9b7f-4c54-8a3e-1d2c3b4a5968';

let push: FakeChannel;
let email: FakeChannel;
let home: TestHome;
let reported: HomeEvents['notification.sent'][];

beforeEach(() => {
  push = new FakeChannel('push');
  email = new FakeChannel('email');
  open();
});
afterEach(() => home.close());

function open(options: Parameters<typeof createTestHome>[0] = {}): void {
  home = createTestHome({ notificationChannels: [push, email], ...options });
  reported = [];
  home.bus.on('notification.sent', (event) => reported.push(event));
}

const request = (changes: Partial<NotificationRequest> = {}): NotificationRequest => ({
  homeId: home.home.id,
  automationId: AUTOMATION,
  title: 'Door',
  message: 'Open',
  icon: null,
  iconColor: null,
  data: null,
  ...changes,
});

const history = () => home.notifications.history(systemCaller);

describe('a notification', () => {
  it('goes by push and to listeners, unless something else is chosen', async () => {
    const result = await home.notifications.notify(request());
    expect(result).toMatchObject({ delivered: true, channels: ['local', 'push'], rateLimited: false, reason: null });
    expect(push.sent).toMatchObject([{ title: 'Door', message: 'Open', at: home.clock.now() }]);
    expect(email.sent).toEqual([]);
    const [kept] = history();
    expect(kept).toMatchObject({ channelsSent: ['local', 'push'], channelsFailed: [], rateLimited: false });
    expect(reported).toEqual([
      {
        notificationId: kept?.id,
        userId: null,
        homeId: home.home.id,
        automationId: AUTOMATION,
        buttons: 0,
        title: 'Door',
        message: 'Open',
        at: home.clock.now(),
      },
    ]);
  });

  it('reaches listeners before anything is waited for', () => {
    push.script.push('silent');
    void home.notifications.notify(request());
    expect(reported).toHaveLength(1);
    expect(history()).toMatchObject([{ channelsSent: ['local'], channelsFailed: [] }]);
  });

  it('is cut to what every channel can show, and its title is one line', async () => {
    await home.notifications.notify(
      request({ title: `A\r\nBcc: x\u2028${'t'.repeat(300)}`, message: `a\0b\r\n\tc\ud800${'m'.repeat(5_000)}` }),
    );
    const [{ title, message } = { title: '', message: '' }] = push.sent;
    expect(title).toMatch(/^A Bcc: x t+…$/);
    expect(title).toHaveLength(250);
    expect(message).toMatch(/^a b\n\tc\ufffdm+…$/);
    expect(message).toHaveLength(4_096);
    expect(history()).toMatchObject([{ title, message }]);
  });

  it('does not cut a character in two', async () => {
    await home.notifications.notify(request({ title: null, message: `${'x'.repeat(4_094)}🚪🚪` }));
    expect(push.sent[0]).toMatchObject({ title: null, message: `${'x'.repeat(4_094)}…` });
  });

  it('hands over urgency, tags, pictures and links of its data, and passes over the rest', async () => {
    const data = { priority: 'urgent', tags: ['door', 7, 'a\nb'], click: 'https://pi.local/', other: [1] };
    await home.notifications.notify(request({ icon: 'https://example.org/i.png', data }));
    expect(push.sent[0]).toMatchObject({
      priority: 5,
      tags: ['door', 'a b'],
      iconUrl: 'https://example.org/i.png',
      clickUrl: 'https://pi.local/',
    });
    for (const odd of [{ priority: 9, tags: 'x, y', click: 'javascript:alert(1)' }, 'text', [1], 7]) {
      await home.notifications.notify(request({ icon: 'doorbell', data: odd }));
    }
    expect(push.sent[1]).toMatchObject({ priority: null, tags: ['x', 'y'], iconUrl: null, clickUrl: null });
    expect(push.sent).toHaveLength(5);
  });
});

describe('a channel that does not take it', () => {
  it('is tried twice more, soon, where that makes sense', async () => {
    push.script.push('temporary', 'temporary');
    const work = home.notifications.notify(request());
    await home.clock.advance(10_000);
    expect(await work).toMatchObject({ delivered: true, channels: ['local', 'push'] });
    expect(push.tries).toBe(3);
  });

  it('is not tried for ever, and is reported', async () => {
    push.script.push('temporary', 'temporary', 'temporary');
    const work = home.notifications.notify(request());
    await home.clock.advance(10_000);
    expect(await work).toMatchObject({ delivered: true, channels: ['local'], reason: 'error' });
    expect(push.tries).toBe(3);
    expect(history()).toMatchObject([{ channelsSent: ['local'], channelsFailed: ['push'] }]);
    await home.clock.advance(HOUR_MS);
    expect(push.tries).toBe(3);
  });

  it.each(['lasting', 'broken'] as const)('is not tried again where that is in vain (%s)', async (fault) => {
    push.script.push(fault);
    expect(await home.notifications.notify(request())).toMatchObject({ channels: ['local'], reason: 'error' });
    expect(push.tries).toBe(1);
  });

  it('holds up others for no more than a minute', async () => {
    push.script.push('silent');
    const work = home.notifications.notify(request());
    await home.clock.advance(MINUTE_MS);
    expect(await work).toMatchObject({ channels: ['local'], reason: 'error' });
    expect(home.clock.pendingTimers).toBe(await countIdleTimers());
  });

  it('does not keep the other one from it', async () => {
    home.notificationPreferences.set(systemCaller, { scope: 'global' }, { email: true });
    push.script.push('lasting');
    expect(await home.notifications.notify(request())).toMatchObject({ channels: ['local', 'email'], reason: 'error' });
    expect(history()).toMatchObject([{ channelsSent: ['local', 'email'], channelsFailed: ['push'] }]);
  });

  it('gets few of them at once while it is slow', async () => {
    push.script.push(...Array.from({ length: 25 }, () => 'silent' as const));
    const all = Array.from({ length: 25 }, () => home.notifications.notify(request({ automationId: newId() })));
    await home.clock.advance(MINUTE_MS);
    await Promise.all(all);
    expect(push.tries).toBe(20);
    expect(history().every(({ channelsFailed }) => channelsFailed.includes('push'))).toBe(true);
  });

  it('is let go of when the daemon stops', async () => {
    push.script.push('silent');
    const work = home.notifications.notify(request());
    await home.notifications.stop();
    expect(await work).toMatchObject({ channels: ['local'], reason: 'error' });
  });
});

/** What is pending in a home in which nothing happens. */
/** Of a home in which nothing happens, a minute after its start. */
async function countIdleTimers(): Promise<number> {
  const idle = createTestHome();
  await idle.clock.advance(MINUTE_MS);
  const { pendingTimers } = idle.clock;
  idle.close();
  return pendingTimers;
}

describe('the limit of thirty an hour and automation', () => {
  const notifyMany = async (count: number, automationId: string | null = AUTOMATION) => {
    const results = [];
    for (let n = 0; n < count; n += 1) results.push(await home.notifications.notify(request({ automationId })));
    return results.filter(({ delivered }) => delivered).length;
  };

  it('holds the thirty-first back, reports it, and keeps that it did', async () => {
    expect(await notifyMany(30)).toBe(30);
    expect(await home.notifications.notify(request())).toMatchObject({
      delivered: false,
      channels: [],
      rateLimited: true,
      reason: 'rate_limited',
    });
    expect(push.sent).toHaveLength(30);
    expect(reported).toHaveLength(30);
    expect(history()[0]).toMatchObject({ rateLimited: true, channelsSent: [] });
  });

  it('slides, and is each automation’s own', async () => {
    expect(await notifyMany(20)).toBe(20);
    await home.clock.advance(HOUR_MS / 2);
    expect(await notifyMany(20)).toBe(10);
    await home.clock.advance(HOUR_MS / 2);
    expect(await notifyMany(40)).toBe(20);
    expect(await notifyMany(40, newId())).toBe(30);
    expect(await notifyMany(40, null)).toBe(40);
  });

  it('fills no disk: of what is held back, one row a minute is kept', async () => {
    await notifyMany(30);
    await notifyMany(200);
    const rows = () => home.notifications.history(systemCaller, { limit: 500 }).filter((one) => one.rateLimited);
    expect(rows()).toHaveLength(1);
    await home.clock.advance(MINUTE_MS);
    await notifyMany(200);
    expect(rows()).toHaveLength(2);
  });

  it('does not care what the wall clock is set to, nor whether the history is cleared', async () => {
    await notifyMany(30);
    home.clock.jumpWallClock(10 * HOUR_MS);
    home.notifications.clearHistory(systemCaller);
    expect(await notifyMany(1)).toBe(0);
  });

  it('counts across a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hearthd-notifications-'));
    try {
      home.close();
      const path = join(folder, 'relay.db');
      open({ path, clock: new TestClock() });
      expect(await notifyMany(29)).toBe(29);
      home.close();
      const clock = new TestClock(home.clock.now() + 10 * MINUTE_MS);
      open({ path, clock });
      expect(await notifyMany(5)).toBe(1);
      await clock.advance(50 * MINUTE_MS);
      expect(await notifyMany(50)).toBe(29);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('has another one above it: a thousand an hour in all', async () => {
    let sent = 0;
    for (let n = 0; n < 40; n += 1) sent += await notifyMany(30, newId());
    expect(sent).toBe(1_000);
    expect(home.notifications.history(systemCaller, { limit: 500, offset: 900 })).toHaveLength(101);
  });
});

describe('the history', () => {
  it('is what one may see of the homes that one may see', async () => {
    const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
    await home.notifications.notify(request({ message: 'house' }));
    await home.notifications.notify(request({ message: 'cabin', homeId: cabin.id }));
    await home.notifications.notify(request({ message: 'nowhere', homeId: null, automationId: null }));
    const seenBy = (caller: typeof systemCaller) =>
      home.notifications
        .history(caller)
        .map(({ message }) => message)
        .sort();
    expect(seenBy(systemCaller)).toEqual(['cabin', 'house', 'nowhere']);
    expect(seenBy(tokenCaller({ [cabin.id]: 'view' }))).toEqual(['cabin']);
    expect(seenBy(tokenCaller({}))).toEqual([]);
  });

  it('comes newest first, in pages, of one automation if asked', async () => {
    for (let n = 0; n < 12; n += 1) {
      await home.clock.advance(1_000);
      await home.notifications.notify(request({ message: `${n}`, automationId: n % 2 ? AUTOMATION : newId() }));
    }
    const page = (limit: number, offset: number, automationId?: string) =>
      home.notifications.history(systemCaller, { limit, offset, automationId }).map(({ message }) => message);
    expect(page(3, 0)).toEqual(['11', '10', '9']);
    expect(page(3, 3)).toEqual(['8', '7', '6']);
    expect(page(50, 0, AUTOMATION.toUpperCase())).toEqual(['11', '9', '7', '5', '3', '1']);
    expect(page(50, 12)).toEqual([]);
  });

  it.each([
    [0, 0],
    [501, 0],
    [1.5, 0],
    [Number.NaN, 0],
    [5, -1],
  ])('refuses a page of %d from %d', (limit, offset) => {
    expect(() => home.notifications.history(systemCaller, { limit, offset })).toThrow(
      /Invalid value for (limit|offset)/,
    );
  });

  it('goes with its home, and after thirty days', async () => {
    const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
    await home.notifications.notify(request({ homeId: cabin.id }));
    await home.homes.delete(systemCaller, cabin.id);
    expect(history()).toEqual([]);
    await home.notifications.notify(request({ message: 'old' }));
    home.clock.jumpWallClock(30 * 24 * HOUR_MS - 1);
    await home.notifications.prune();
    expect(history()).toHaveLength(1);
    await home.notifications.notify(request({ message: 'new' }));
    home.clock.jumpWallClock(2);
    await home.notifications.prune();
    expect(history()).toMatchObject([{ message: 'new' }]);
  });

  it('never grows beyond twenty thousand', async () => {
    const insert = home.database.prepare(
      `INSERT INTO notifications (id, message, channels_sent, rate_limited, created_at) VALUES (?, 'x', '', 0, ?)`,
    );
    home.database.transaction(() => {
      for (let n = 0; n < 21_234; n += 1) insert.run(`${n}`, home.clock.now() + n);
    })();
    await home.notifications.prune();
    const { count, oldest } = home.database
      .prepare<[], { count: number; oldest: number }>(
        'SELECT count(*) count, min(created_at) oldest FROM notifications',
      )
      .get() ?? { count: 0, oldest: 0 };
    expect([count, oldest - home.clock.now()]).toEqual([20_000, 1_234]);
  });

  it('is cleared where the caller manages, and nowhere else', async () => {
    await home.notifications.notify(request());
    const guest = tokenCaller({ [home.home.id]: 'control' });
    expect(() => home.notifications.clearHistory(guest)).toThrow(/Insufficient permissions/);
    expect(home.notifications.clearHistory(systemCaller)).toBe(1);
    expect(history()).toEqual([]);
  });

  it('that can’t be written keeps no message from people', async () => {
    home.database.exec('DROP TABLE notifications');
    home.database.exec('DROP TABLE notification_preferences');
    expect(await home.notifications.notify(request())).toMatchObject({ delivered: true, channels: ['local', 'push'] });
    expect(push.sent).toHaveLength(1);
  });
});

describe('a test notification', () => {
  it('goes over everything that is set up, regardless of preferences, and reports failures', async () => {
    home.notificationPreferences.set(systemCaller, { scope: 'global' }, { push: false, email: false, local: false });
    email.script.push('lasting');
    expect(await home.notifications.sendTest(systemCaller, null)).toMatchObject({
      delivered: true,
      channels: ['local', 'push'],
      failures: { email: 'Refused.' },
    });
    expect(push.sent[0]?.message).toMatch(/test/);
  });

  it('is for admins, thirty times an hour', async () => {
    const guest = tokenCaller({ [home.home.id]: 'control' });
    await expect(home.notifications.sendTest(guest, 'Hi')).rejects.toThrow(/Insufficient permissions/);
    for (let n = 0; n < 30; n += 1) await home.notifications.sendTest(systemCaller, 'Hi');
    await expect(home.notifications.sendTest(systemCaller, 'Hi')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(push.sent).toHaveLength(30);
  });
});
