import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../../src/app/access/caller.ts';
import type { NotificationRequest } from '../../../src/app/notifications/notifier.ts';
import { MAX_PUSH_DEVICES } from '../../../src/contract/notifications.ts';
import { GuardedSender } from '../../../src/drivers/http/guarded-sender.ts';
import { MAX_PUSH_BYTES } from '../../../src/home/web-push.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { type Browser, type PushService, readVapid, startPushService } from '../../support/push-service.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';
import { FakeChannel } from './fake-channel.ts';

const DAY_MS = 86_400_000;
const AUTOMATION = 'c6a1e0d2-9b7f-4c54-8a3e-1d2c3b4a5968';
const FORBIDDEN = expect.objectContaining({ code: 'insufficient_permissions' });

let service: PushService;
let sender: GuardedSender;
let ntfy: FakeChannel;
let home: TestHome;
let ann: TestUser;
let bob: TestUser;

beforeEach(async () => {
  service = await startPushService();
  sender = new GuardedSender({ clock: systemClock, allowLoopback: true, ownAddresses: () => [], ownPorts: () => [] });
  ntfy = new FakeChannel('push');
  open();
  ann = await createUser(home, { founder: true });
  bob = await createUser(home, { name: 'Bob', role: 'view' });
});
afterEach(async () => {
  home.close();
  await sender.stop();
  await service.close();
});

function open(path?: string, clock = new TestClock()): void {
  home = createTestHome({
    http: sender,
    passwordHasher: new CountingHasher(),
    notificationChannels: [ntfy],
    clock,
    ...(path !== undefined && { path }),
  });
}

function subscribe({ caller }: { readonly caller: Caller }, name = 'Phone'): { browser: Browser; id: string } {
  const browser = service.subscribe();
  const { id } = home.pushDevices.add(caller, { name, ...browser.subscription });
  return { browser, id };
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
const notify = (changes: Partial<NotificationRequest> = {}) => home.notifications.notify(request(changes));
const read = (browser: Browser) => browser.readAll(service).map((text) => JSON.parse(text) as Record<string, unknown>);
const titles = (browser: Browser) => read(browser).map(({ title }) => title);
const devicesOf = ({ caller }: TestUser) => home.pushDevices.list(caller);

describe('a notification of the home', () => {
  it('goes to every device of every member, encrypted for each', async () => {
    const [phone, tablet, other] = [subscribe(ann), subscribe(ann, 'Tablet'), subscribe(bob)];
    const result = await notify();
    expect(result).toMatchObject({ delivered: true, channels: ['local', 'push'], reason: null });
    const [{ id } = { id: '' }] = home.notifications.history(systemCaller);
    for (const { browser } of [phone, tablet, other]) {
      expect(read(browser)).toMatchObject([{ id, title: 'Door', body: 'Open', at: home.clock.now() }]);
    }
    expect(service.received).toHaveLength(3);
    for (const { body } of service.received) expect(body.includes('Door')).toBe(false);
    expect(devicesOf(ann)).toMatchObject([
      { name: 'Phone', lastSentAt: home.clock.now(), failure: null },
      { name: 'Tablet', lastSentAt: home.clock.now(), failure: null },
    ]);
  });

  it('goes to no push service where no person set up a device', async () => {
    await notify();
    expect(service.received).toEqual([]);
  });

  it('does not reach people who are no members', async () => {
    const stranger = await createUser(home, { name: 'Stranger' });
    const { browser } = subscribe(stranger);
    await notify();
    expect(read(browser)).toEqual([]);
  });

  it('does not reach a person whose role was taken away', async () => {
    const { browser } = subscribe(bob);
    const member = home.members.list(ann.caller, home.home.id).find(({ email }) => email === bob.user.email);
    home.members.remove(ann.caller, { homeId: home.home.id, memberId: member?.id ?? '' });
    await notify();
    expect(read(browser)).toEqual([]);
  });

  it('reaches the people whose own choice, or without one the home’s, is push', async () => {
    const [annes, bobs] = [subscribe(ann), subscribe(bob)];
    const ofAutomation = { scope: 'home' as const, scopeId: home.home.id };
    home.notificationPreferences.set(bob.caller, ofAutomation, { push: false });
    await notify({ title: 'one' });
    home.notificationPreferences.set(systemCaller, ofAutomation, { push: false });
    home.notificationPreferences.set(bob.caller, ofAutomation, { push: true });
    await notify({ title: 'two' });
    expect([titles(annes.browser), titles(bobs.browser)]).toEqual([['one'], ['two']]);
  });

  it('for one person reaches the devices of that person only', async () => {
    const [annes, bobs] = [subscribe(ann), subscribe(bob)];
    await notify({ ownerId: bob.user.id });
    expect([titles(annes.browser), titles(bobs.browser)]).toEqual([[], ['Door']]);
  });

  it('is cut to what a push service takes', async () => {
    const { browser } = subscribe(ann);
    await notify({ title: 'ü'.repeat(250), message: '\u0001\n"ä'.repeat(1_024) });
    const [text = ''] = browser.readAll(service);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_PUSH_BYTES);
    expect(read(browser)).toMatchObject([{ body: expect.stringMatching(/^ \n"ä.*…$/s) }]);
  });

  it.each([
    [null, 'high'],
    [5, 'high'],
    [3, 'normal'],
    [2, 'low'],
    [1, 'very-low'],
  ])('of priority %j has the urgency %s', async (priority, urgency) => {
    subscribe(ann);
    await notify({ data: { priority } });
    expect(service.received[0]?.headers).toMatchObject({ urgency, ttl: '86400' });
  });

  it('replaces the same one that was not delivered yet, and no other', async () => {
    subscribe(ann);
    await notify();
    await notify();
    await notify({ message: 'Closed' });
    const [first, same, other] = service.received.map(({ headers }) => headers.topic);
    expect(first).toMatch(/^[\w-]{32}$/);
    expect(same).toBe(first);
    expect(other).not.toBe(first);
  });
});

describe('a device', () => {
  it('that its push service no longer knows is removed', async () => {
    const [gone, stays] = [subscribe(ann), subscribe(ann, 'Tablet')];
    service.script.push({ status: 410 });
    await notify();
    expect(devicesOf(ann)).toHaveLength(1);
    await notify();
    expect(service.received).toHaveLength(3);
    expect(read(gone.browser).length + read(stays.browser).length).toBe(3);
  });

  it('that failed for now is tried again, and shows no failure', async () => {
    const { browser } = subscribe(ann);
    service.script.push({ status: 503 }, { status: 429, headers: { 'retry-after': '9' } });
    const before = home.clock.pendingTimers;
    const done = notify();
    // The deadline, and the pause.
    const isPausingAfter = (count: number) =>
      vi.waitFor(() => expect([service.received.length, home.clock.pendingTimers]).toEqual([count, before + 2]), {
        timeout: PATIENCE_MS,
      });
    await isPausingAfter(1);
    await home.clock.advance(1_000);
    await isPausingAfter(2);
    await home.clock.advance(8_999);
    expect([service.received.length, home.clock.pendingTimers]).toEqual([2, before + 2]);
    await home.clock.advance(1);
    expect(await done).toMatchObject({ channels: ['local', 'push'], reason: null });
    expect(read(browser)).toHaveLength(3);
    expect(devicesOf(ann)).toMatchObject([{ failure: null }]);
  });

  it('whose service asks for a long pause is left alone, and shows why', async () => {
    subscribe(ann);
    service.script.push({ status: 429, headers: { 'retry-after': '3600' } });
    ntfy.script.push('lasting');
    const result = await notify();
    expect(result).toMatchObject({ channels: ['local'], reason: 'error' });
    const host = new URL(service.origin).host;
    expect(devicesOf(ann)).toMatchObject([{ failure: `The push service ${host} refused it (429).`, lastSentAt: null }]);
    await notify();
    expect(devicesOf(ann)).toMatchObject([{ failure: null }]);
  });

  it('that fails while another is reached leaves the channel both sent and failed', async () => {
    subscribe(ann);
    subscribe(ann, 'Tablet');
    service.script.push({ status: 403 });
    await notify();
    const [{ channelsSent, channelsFailed } = { channelsSent: [], channelsFailed: [] }] =
      home.notifications.history(systemCaller);
    expect([channelsSent, channelsFailed]).toEqual([['local', 'push'], ['push']]);
  });

  it('is removed by its person alone', async () => {
    const { browser, id } = subscribe(ann);
    const absent = expect.objectContaining({ code: 'not_found' });
    expect(() => home.pushDevices.remove(bob.caller, id)).toThrow(absent);
    await expect(home.notifications.sendTestToDevice(bob.caller, id, null)).rejects.toEqual(absent);
    home.pushDevices.remove(ann.caller, id);
    await notify();
    expect(read(browser)).toEqual([]);
    expect(() => home.pushDevices.remove(ann.caller, id)).toThrow(absent);
  });

  it('gets a test message, with the answer of its push service', async () => {
    const [{ browser, id }, other] = [subscribe(ann), subscribe(ann)];
    expect(await home.notifications.sendTestToDevice(ann.caller, id, 'Hello')).toBeNull();
    expect(read(browser)).toMatchObject([{ title: 'hearthd', body: 'Hello' }]);
    expect(read(other.browser)).toEqual([]);
    service.script.push({ status: 403 });
    expect(await home.notifications.sendTestToDevice(ann.caller, id, null)).toContain('refused it (403)');
  });

  it('gets thirty test messages an hour, and no more', async () => {
    const { id } = subscribe(ann);
    const test = () => home.notifications.sendTestToDevice(ann.caller, id, null);
    for (let count = 0; count < 30; count += 1) await test();
    await expect(test()).rejects.toMatchObject({ code: 'rate_limited' });
    expect(service.received).toHaveLength(30);
  });

  it('added again keeps its id, and gets the new name and keys', async () => {
    const { browser, id } = subscribe(ann);
    const fresh = service.subscribe().subscription;
    const again = home.pushDevices.add(ann.caller, { ...fresh, endpoint: browser.subscription.endpoint, name: 'New' });
    expect(again).toMatchObject({ id, name: 'New', isCurrent: true });
    expect(devicesOf(ann)).toHaveLength(1);
  });

  it('on which another person signs in is theirs from then on', async () => {
    const { browser, id } = subscribe(ann);
    const taken = home.pushDevices.add(bob.caller, { ...browser.subscription, name: 'Bob’s' });
    expect(taken.id).not.toBe(id);
    expect([devicesOf(ann), devicesOf(bob)]).toMatchObject([[], [{ name: 'Bob’s' }]]);
  });

  it('is refused with an address or keys that are none', () => {
    const { subscription } = service.subscribe();
    const add = (changes: object) => () =>
      home.pushDevices.add(ann.caller, { name: 'Phone', ...subscription, ...changes });
    expect(add({ endpoint: 'http://push.example.net' })).toThrow('The endpoint is not a whole https address.');
    expect(add({ endpoint: 'https://192.168.1.1/push' })).toThrow(expect.objectContaining({ code: 'invalid_value' }));
    expect(add({ auth: '' })).toThrow('The key auth is not 16 bytes in base64url.');
    expect(add({ name: ' ' })).toThrow(expect.objectContaining({ code: 'invalid_value' }));
    expect(devicesOf(ann)).toEqual([]);
  });

  it('more than twenty of a person are refused, known ones aside', () => {
    const all = Array.from({ length: MAX_PUSH_DEVICES }, () => subscribe(ann));
    expect(() => subscribe(ann)).toThrow(expect.objectContaining({ code: 'conflict' }));
    const known = all[0]?.browser.subscription ?? service.subscribe().subscription;
    home.pushDevices.add(ann.caller, { name: 'Again', ...known });
    subscribe(bob);
    expect(devicesOf(ann)).toHaveLength(MAX_PUSH_DEVICES);
  });

  it('is for people who are signed in', () => {
    const device = { name: 'Phone', ...service.subscribe().subscription };
    for (const caller of [systemCaller, tokenCaller(), anonymousCaller()]) {
      expect(() => home.pushDevices.add(caller, device)).toThrow(FORBIDDEN);
      expect(() => home.pushDevices.list(caller)).toThrow(FORBIDDEN);
      expect(() => home.pushDevices.publicKey(caller)).toThrow(FORBIDDEN);
      expect(() => home.pushDevices.remove(caller, AUTOMATION)).toThrow(FORBIDDEN);
    }
  });
});

describe('the session of a device', () => {
  const signIn = async () => {
    const { email } = ann.user;
    const { token } = await home.users.logIn(anonymousCaller(), { email, password: ann.password });
    const principal = await home.sessions.authenticate(token);
    return { caller: { ...ann.caller, principal }, sessionId: principal.sessionId };
  };

  it('takes the device along when it is ended, and no other', async () => {
    const phone = await signIn();
    subscribe(ann, 'Tablet');
    subscribe(phone);
    expect(devicesOf(ann).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    home.sessions.end(ann.caller, phone.sessionId);
    expect(devicesOf(ann)).toMatchObject([{ name: 'Tablet' }]);
  });

  it('leaves the device when it expires', async () => {
    const phone = await signIn();
    const { browser } = subscribe(phone);
    await home.clock.advance(8 * DAY_MS);
    expect(home.sessions.isLive(phone.caller.principal)).toBe(false);
    home.sessions.prune();
    await notify();
    expect(titles(browser)).toEqual(['Door']);
  });

  it('takes the device along by a new password, also when it had expired', async () => {
    const phone = await signIn();
    const { browser } = subscribe(phone);
    const tablet = subscribe(bob, 'Tablet');
    await home.clock.advance(8 * DAY_MS);
    expect(home.sessions.isLive(phone.caller.principal)).toBe(false);
    home.sessions.prune();
    await home.users.setPassword(systemCaller, ann.user.id, 'another password');
    await notify();
    expect(read(browser)).toEqual([]);
    expect(titles(tablet.browser)).toEqual(['Door']);
  });

  it('goes over to the one that adds the device again', async () => {
    const phone = await signIn();
    const { browser } = subscribe(phone);
    home.pushDevices.add(ann.caller, { name: 'Phone', ...browser.subscription });
    home.sessions.end(ann.caller, phone.sessionId);
    expect(devicesOf(ann)).toHaveLength(1);
  });

  it('with the account takes all of its devices', async () => {
    const { browser } = subscribe(bob);
    await home.users.delete(systemCaller, bob.user.id);
    await notify();
    expect(read(browser)).toEqual([]);
    expect(home.database.prepare('SELECT count(*) AS count FROM push_devices').get()).toEqual({ count: 0 });
  });
});

describe('the key', () => {
  it('signs every message, and stays the same after a restart', async () => {
    using directory = createTempDirectory('push');
    const path = directory.file('relay.db');
    home.close();
    open(path);
    const first = await createUser(home, { founder: true });
    const key = home.pushDevices.publicKey(first.caller);
    home.close();
    open(path);
    subscribe(first);
    await notify();
    expect(home.pushDevices.publicKey(first.caller)).toBe(key);
    expect(readVapid(service.received[0]?.headers.authorization)).toMatchObject({
      publicKey: key,
      claims: { aud: service.origin, sub: 'mailto:test@example.org' },
    });
  });
});

it('push is set up for the people who have a device', async () => {
  home.close();
  ntfy = new FakeChannel('push');
  home = createTestHome({ http: sender, passwordHasher: new CountingHasher() });
  ann = await createUser(home, { founder: true });
  bob = await createUser(home, { name: 'Bob', role: 'view' });
  subscribe(ann);
  const isPushSetUp = ({ caller }: TestUser) =>
    home.notifications.channels(caller).some(({ name, configured }) => name === 'push' && configured);
  expect([isPushSetUp(ann), isPushSetUp(bob)]).toEqual([true, false]);
});

it('a test of all channels reaches the caller’s own devices', async () => {
  const [annes, bobs] = [subscribe(ann), subscribe(bob)];
  const { channels } = await home.notifications.sendTest(ann.caller, 'Hello');
  expect(channels).toEqual(['local', 'push']);
  expect([titles(annes.browser), titles(bobs.browser)]).toEqual([['hearthd'], []]);
});
