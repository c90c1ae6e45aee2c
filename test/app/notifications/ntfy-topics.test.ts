/** Each person's own ntfy topic, at an ntfy server on loopback. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { presentNtfyTopic } from '../../../src/api/present/notification.ts';
import { PersonalNtfy } from '../../../src/drivers/notifications/ntfy-service.ts';
import { type NtfyServer, startNtfyServer } from '../../drivers/notifications/ntfy-server.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

let server: NtfyServer;
let home: TestHome;
let ann: TestUser;
let bob: TestUser;

beforeEach(async () => {
  server = await startNtfyServer();
  const ntfyUrl = `http://127.0.0.1:${server.port}/base/home`;
  home = createTestHome({ passwordHasher: new CountingHasher(), ntfyUrl });
  ann = await createUser(home, { founder: true });
  bob = await createUser(home, { name: 'Bob', role: 'view' });
});
afterEach(async () => {
  home.close();
  await server.close();
});

const notify = (ownerId: string | null = null) =>
  home.notifications.notify({
    ownerId,
    homeId: home.home.id,
    automationId: null,
    title: 'Door',
    message: 'Open',
    icon: null,
    iconColor: null,
    data: null,
  });
const topicOf = ({ url }: { readonly url: string }) => url.slice(url.lastIndexOf('/') + 1);

describe('a topic', () => {
  it('is random, at the configured server, and gets the notifications of its person', async () => {
    const [annes, bobs] = [home.ntfyTopics.create(ann.caller), home.ntfyTopics.create(bob.caller)];
    expect(annes.url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${server.port}/base/hearthd-[\\w-]{22}$`));
    expect(annes.url).not.toBe(bobs.url);
    expect(await notify()).toMatchObject({ channels: ['local', 'push'] });
    await notify(bob.user.id);
    const topics = server.published.map(({ topic }) => topic);
    expect(topics.toSorted()).toEqual([topicOf(annes), topicOf(bobs), topicOf(bobs)].toSorted());
    expect(server.published[0]).toMatchObject({ path: '/base/', title: 'Door', message: 'Open' });
  });

  it('gets nothing where its person turned push off', async () => {
    home.ntfyTopics.create(bob.caller);
    home.notificationPreferences.set(bob.caller, { scope: 'global', scopeId: null }, { push: false });
    await notify();
    expect(server.published).toEqual([]);
  });

  it('ends with the password of its person, who may not be the only one who knows it', async () => {
    home.ntfyTopics.create(ann.caller);
    const bobs = home.ntfyTopics.create(bob.caller);
    await home.users.setPassword(systemCaller, ann.user.id, 'another password');
    await notify();
    expect(server.published.map(({ topic }) => topic)).toEqual([topicOf(bobs)]);
  });

  it('made again has a new address, and the one before gets nothing', async () => {
    const first = home.ntfyTopics.create(ann.caller);
    const second = home.ntfyTopics.create(ann.caller);
    expect(second.url).not.toBe(first.url);
    await notify();
    expect(server.published.map(({ topic }) => topic)).toEqual([topicOf(second)]);
  });

  it('gets nothing once it is removed, or the account is deleted', async () => {
    home.ntfyTopics.create(ann.caller);
    home.ntfyTopics.create(bob.caller);
    expect([home.ntfyTopics.remove(ann.caller), home.ntfyTopics.remove(ann.caller)]).toEqual([true, false]);
    await home.users.delete(systemCaller, bob.user.id);
    await notify();
    expect(server.published).toEqual([]);
  });

  it('gets a test message, of its own person only', async () => {
    const { url } = home.ntfyTopics.create(ann.caller);
    expect(await home.notifications.sendTestToTopic(ann.caller, 'Hello')).toBeNull();
    expect(server.published).toMatchObject([{ topic: topicOf({ url }), title: 'hearthd', message: 'Hello' }]);
    await expect(home.notifications.sendTestToTopic(bob.caller, null)).rejects.toMatchObject({ code: 'not_found' });
    expect(home.ntfyTopics.find(bob.caller)).toBeUndefined();
  });

  it('is for people who are signed in', () => {
    for (const caller of [systemCaller, tokenCaller(), anonymousCaller()]) {
      const forbidden = expect.objectContaining({ code: 'insufficient_permissions' });
      expect(() => home.ntfyTopics.create(caller)).toThrow(forbidden);
      expect(() => home.ntfyTopics.find(caller)).toThrow(forbidden);
      expect(() => home.ntfyTopics.remove(caller)).toThrow(forbidden);
    }
  });
});

describe('the link for the app', () => {
  it.each([
    ['https://ntfy.sh/hearthd-x', 'ntfy://ntfy.sh/hearthd-x'],
    ['http://192.168.1.5:8080/hearthd-x', 'ntfy://192.168.1.5:8080/hearthd-x?secure=false'],
  ])('of %s is %s', (url, appUrl) => {
    expect(presentNtfyTopic({ userId: 'ann', url, createdAt: 0, hasButtons: false })).toMatchObject({ url, appUrl });
  });
});

it('without a configured server, topics are at the public one', () => {
  expect(new PersonalNtfy(() => null).addressOf('hearthd-x')).toBe('https://ntfy.sh/hearthd-x');
});
