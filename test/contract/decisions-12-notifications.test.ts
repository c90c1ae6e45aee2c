/** Decisions §12 and the API document on notifications (§2.4, §3, §4.2, §8), through the APIs. One `it` a sentence. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../src/api/graphql/schema.ts';
import { NtfyChannel } from '../../src/drivers/notifications/ntfy.ts';
import { createGraphqlFixture, type GraphqlFixture } from '../api/graphql/graphql-fixture.ts';
import { FakeChannel } from '../app/notifications/fake-channel.ts';
import { type NtfyServer, startNtfyServer } from '../drivers/notifications/ntfy-server.ts';
import { createToken } from '../support/rest-client.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

const DAY_MS = 86_400_000;
const AUTOMATION = 'c6a1e0d2-9b7f-4c54-8a3e-1d2c3b4a5968';

let ntfy: NtfyServer;
let email: FakeChannel;
let home: TestHome;
let fixture: GraphqlFixture;

beforeEach(async () => {
  ntfy = await startNtfyServer();
  email = new FakeChannel('email');
  const push = new NtfyChannel({ url: `http://127.0.0.1:${ntfy.port}/house`, token: null });
  home = createTestHome({ notificationChannels: [push, email] });
  fixture = createGraphqlFixture(home, createSchema());
  home.database
    .prepare(
      `INSERT INTO flows (id, home_id, name, enabled, definition, version, created_at, updated_at)
       VALUES (?, ?, 'Flow', 1, '{}', 1, 0, 0)`,
    )
    .run(AUTOMATION, home.home.id);
});
afterEach(async () => {
  home.close();
  await ntfy.close();
});

async function ask(document: string) {
  const { body } = await fixture.ask(document, {}, { Authorization: `Bearer ${createToken(home)}` });
  expect(body.errors).toBeUndefined();
  return body.data;
}

const notify = (automationId: string | null = AUTOMATION) =>
  home.notifications.notify({
    homeId: home.home.id,
    automationId,
    title: 'Door',
    message: 'Open',
    icon: null,
    iconColor: null,
    data: null,
  });

const set = (scope: string, scopeId: string | null, channels: string) =>
  ask(`mutation { setNotificationPreference(scope: "${scope}", scopeId: ${JSON.stringify(scopeId)}, ${channels}) {
    success error preference { id scope scopeId pushEnabled emailEnabled localEnabled } } }`);

const ALL_OFF = 'pushEnabled: false, emailEnabled: false, localEnabled: false';
const ONLY_EMAIL = 'pushEnabled: false, emailEnabled: true, localEnabled: false';
const ONLY_PUSH = 'pushEnabled: true, emailEnabled: false, localEnabled: false';

describe('decisions §12', () => {
  it('channels that work at home: local, push (an ntfy topic) and email, if configured', async () => {
    await set('global', null, 'pushEnabled: true, emailEnabled: true, localEnabled: true');
    const received: string[] = [];
    home.bus.on('notification.sent', ({ message }) => received.push(message));
    expect(await notify()).toMatchObject({ delivered: true, channels: ['local', 'push', 'email'] });
    expect(received).toEqual(['Open']);
    expect(ntfy.published).toMatchObject([{ topic: 'house', title: 'Door', message: 'Open' }]);
    expect(email.sent).toMatchObject([{ title: 'Door', message: 'Open' }]);
  });

  it('a channel that is not configured is not used, and has not failed', async () => {
    home.close();
    home = createTestHome();
    fixture = createGraphqlFixture(home, createSchema());
    expect(await notify(null)).toMatchObject({ delivered: true, channels: ['local'], reason: null });
    expect(await ask('{ notificationHistory { channelsSent channelsFailed } }')).toEqual({
      notificationHistory: [{ channelsSent: 'local', channelsFailed: null }],
    });
    expect(await ask('{ notificationChannels { name configured } }')).toEqual({
      notificationChannels: [
        { name: 'local', configured: true },
        { name: 'push', configured: false },
        { name: 'email', configured: false },
      ],
    });
  });

  it('registerPushToken is Cloud-only and answers success: false with the reason', async () => {
    const document =
      'mutation { registerPushToken(token: "t", platform: "ios", deviceFingerprint: "f") { success error code } }';
    expect(await ask(document)).toEqual({
      registerPushToken: { success: false, error: expect.stringMatching(/Cloud edition only/), code: 'cloud_only' },
    });
    expect(await ask('{ pushTokens { id platform deviceName deviceFingerprint createdAt lastUsedAt } }')).toEqual({
      pushTokens: [],
    });
    expect(await ask('mutation { unregisterPushToken(deviceFingerprint: "f") }')).toEqual({
      unregisterPushToken: false,
    });
  });

  it('history is kept 30 days, here too', async () => {
    await notify();
    home.clock.jumpWallClock(29 * DAY_MS);
    await home.notifications.prune();
    expect((await ask('{ notificationHistory { id } }')).notificationHistory).toHaveLength(1);
    home.clock.jumpWallClock(2 * DAY_MS);
    await home.notifications.prune();
    expect((await ask('{ notificationHistory { id } }')).notificationHistory).toEqual([]);
  });

  it('30 notifications an hour and automation, then rateLimited', async () => {
    for (let n = 0; n < 30; n += 1) expect(await notify()).toMatchObject({ rateLimited: false });
    expect(await notify()).toMatchObject({ delivered: false, rateLimited: true, reason: 'rate_limited' });
    expect(ntfy.published).toHaveLength(30);
    const { notificationHistory } = await ask('{ notificationHistory(limit: 2) { rateLimited channelsSent } }');
    expect(notificationHistory).toEqual([
      { rateLimited: true, channelsSent: '' },
      { rateLimited: false, channelsSent: 'local,push' },
    ]);
  });
});

describe('API §3: most specific scope wins', () => {
  it('4. defaults: push on, email off, local on', async () => {
    expect(await notify()).toMatchObject({ channels: ['local', 'push'] });
  });

  it('3. global scope (scopeId null)', async () => {
    await set('global', null, ALL_OFF);
    expect(await notify()).toMatchObject({ delivered: false, channels: [], reason: 'preference' });
  });

  it('2. home scope (scopeId = home id)', async () => {
    await set('global', null, ALL_OFF);
    await set('home', home.home.id, ONLY_EMAIL);
    expect(await notify()).toMatchObject({ channels: ['email'] });
  });

  it('1. automation scope (scopeId = automation id)', async () => {
    await set('global', null, ALL_OFF);
    await set('home', home.home.id, ONLY_EMAIL);
    await set('automation', AUTOMATION, ONLY_PUSH);
    expect(await notify()).toMatchObject({ channels: ['push'] });
  });

  it('deleteNotificationPreference reverts to the parent scope', async () => {
    await set('home', home.home.id, ONLY_EMAIL);
    await set('automation', AUTOMATION, ONLY_PUSH);
    const remove = (scope: string, id: string) =>
      ask(`mutation { deleteNotificationPreference(scope: "${scope}", scopeId: "${id}") }`);
    expect(await remove('automation', AUTOMATION)).toEqual({ deleteNotificationPreference: true });
    expect(await notify()).toMatchObject({ channels: ['email'] });
    expect(await remove('home', home.home.id)).toEqual({ deleteNotificationPreference: true });
    expect(await notify()).toMatchObject({ channels: ['local', 'push'] });
    expect(await remove('home', home.home.id)).toEqual({ deleteNotificationPreference: false });
  });
});

describe('API §4.2: the rows of notifications', () => {
  it('notificationPreferences: global, per-home, per-automation', async () => {
    await set('automation', AUTOMATION, ONLY_PUSH);
    await set('home', home.home.id, ONLY_EMAIL);
    const { setNotificationPreference } = await set('global', null, ALL_OFF);
    expect(setNotificationPreference).toMatchObject({
      success: true,
      error: null,
      preference: { scope: 'global', scopeId: null, pushEnabled: false, emailEnabled: false, localEnabled: false },
    });
    const { notificationPreferences } = await ask('{ notificationPreferences { scope scopeId pushEnabled } }');
    expect(notificationPreferences).toEqual([
      { scope: 'global', scopeId: null, pushEnabled: false },
      { scope: 'home', scopeId: home.home.id, pushEnabled: false },
      { scope: 'automation', scopeId: AUTOMATION, pushEnabled: true },
    ]);
  });

  it('setNotificationPreference reports in its result what it does not take', async () => {
    const { setNotificationPreference } = await set('room', null, ALL_OFF);
    expect(setNotificationPreference).toEqual({
      success: false,
      error: 'Invalid value for scope: give one of global, home, automation.',
      preference: null,
    });
  });

  it('notificationHistory takes limit, offset and automationId', async () => {
    for (let n = 0; n < 5; n += 1) await notify(n % 2 ? AUTOMATION : null);
    const count = async (args: string) =>
      (await ask(`{ notificationHistory(${args}) { id title message homeId automationId createdAt } }`))
        .notificationHistory.length;
    expect(await count('limit: 3')).toBe(3);
    expect(await count('limit: 3, offset: 3')).toBe(2);
    expect(await count(`limit: 10, offset: 0, automationId: "${AUTOMATION}"`)).toBe(2);
  });

  it('sendTestNotification sends to all of the caller’s channels', async () => {
    expect(await ask('mutation { sendTestNotification(message: "Do you read me?") }')).toEqual({
      sendTestNotification: true,
    });
    expect(ntfy.published).toMatchObject([{ message: 'Do you read me?' }]);
    expect(email.sent).toMatchObject([{ message: 'Do you read me?' }]);
    email.script.push('lasting');
    expect(await ask('mutation { sendTestNotification }')).toEqual({ sendTestNotification: false });
  });

  it('clearNotificationHistory (wire-facts §14)', async () => {
    await notify();
    expect(await ask('mutation { clearNotificationHistory }')).toEqual({ clearNotificationHistory: true });
    expect(await ask('{ notificationHistory { id } }')).toEqual({ notificationHistory: [] });
  });
});
