import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ButtonTokens } from '../../../src/app/notifications/button-tokens.ts';
import { BUTTON_LIFE_MS, BUTTON_PATH } from '../../../src/contract/notifications.ts';
import { FakeChannel } from '../../app/notifications/fake-channel.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';
import { createUser } from '../../support/test-users.ts';

let push: FakeChannel;
let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  push = new FakeChannel('push');
  home = createTestHome({ notificationChannels: [push] });
  rest = createRestClient(createTestApi(home), createToken(home));
});
afterEach(() => home.close());

const notify = (message: string) =>
  home.notifications.notify({
    homeId: home.home.id,
    automationId: null,
    title: null,
    message,
    icon: null,
    iconColor: null,
    data: null,
  });

describe('buttons', () => {
  const BUTTONS = [{ id: 'close', title: 'Close garage' }];
  const ask = async () => {
    await home.notifications.notify({
      ...{ homeId: home.home.id, automationId: null, title: 'Garage', message: 'Open', icon: null, iconColor: null },
      ...{ data: null, tag: 'garage', buttons: BUTTONS },
    });
    return (await rest.get('/rest/notifications?limit=1')).body[0];
  };

  it('are pressed once, later presses are a conflict with a reason', async () => {
    const { id, buttons, buttonsExpireAt, ...rest_ } = await ask();
    expect(buttons).toEqual(BUTTONS);
    expect(Date.parse(buttonsExpireAt) - home.clock.now()).toBe(BUTTON_LIFE_MS);
    expect(rest_).not.toHaveProperty('tag');
    const { status, body } = await rest.post(`/rest/notifications/${id}/buttons/close`);
    expect([status, body.success]).toEqual([200, true]);
    expect(body.notification).toMatchObject({ id, pressed: { buttonId: 'close', by: { kind: 'access_token' } } });
    const again = await rest.post(`/rest/notifications/${id}/buttons/close`);
    expect([again.status, again.body]).toMatchObject([422, { code: 'conflict', reason: 'button_pressed' }]);
    const unknown = await rest.post(`/rest/notifications/${id}/buttons/${'x'.repeat(4_000)}`);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found']);
  });

  it('are pressed without credentials by their address, by POST only (previews of links do not press), and by no address that was made up', async () => {
    const { user } = await createUser(home, { founder: true });
    const { id: notificationId } = await ask();
    const path = new ButtonTokens(home.signingKeys).pathOf({ notificationId, userId: user.id, index: 0 });
    const stranger = createRestClient(createTestApi(home));
    expect((await stranger.get(path)).status).toBe(401);
    for (const made of [`${BUTTON_PATH}/x`, `${path}x`, `${BUTTON_PATH}/${'x'.repeat(10_000)}`]) {
      expect((await stranger.post(made)).status).toBe(404);
    }
    expect((await stranger.post(path)).body).toEqual({ success: true });
    const again = await stranger.post(path);
    expect([again.status, again.body]).toMatchObject([422, { code: 'conflict', reason: 'button_pressed' }]);
  });
});

describe('/rest/notifications', () => {
  it('lists the notifications of people, in pages', async () => {
    push.script.push('lasting');
    await notify('one');
    await notify('two');
    const { body } = await rest.get('/rest/notifications?limit=1&offset=1');
    expect(body).toEqual([
      {
        id: expect.any(String),
        automationId: null,
        homeId: home.home.id,
        title: null,
        message: 'one',
        channelsSent: ['local'],
        channelsFailed: ['push'],
        link: null,
        isRead: null,
        rateLimited: false,
        buttons: [],
        pressed: null,
        buttonsExpireAt: null,
        createdAt: new Date(home.clock.now()).toISOString(),
      },
    ]);
  });

  it.each([
    ['limit=many', 422, /Invalid value for limit: it takes a whole number from 1 to 500\./],
    ['limit=0', 422, /Invalid value for limit/],
    ['offset=-1', 422, /Invalid value for offset/],
    ['automation=x', 400, /"automation" must be an id/],
  ])('refuses ?%s', async (query, status, message) => {
    const answer = await rest.get(`/rest/notifications?${query}`);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatch(message);
  });

  it('is cleared', async () => {
    await notify('one');
    expect((await rest.delete('/rest/notifications')).body).toEqual({ success: true, deleted: 1 });
    expect((await rest.get('/rest/notifications')).body).toEqual([]);
  });

  it('reports of each channel whether it is set up, and nothing of where it leads', async () => {
    expect((await rest.get('/rest/notifications/channels')).body).toEqual([
      { name: 'local', configured: true },
      { name: 'push', configured: true },
      { name: 'email', configured: false },
    ]);
  });

  it('tests the channels, and reports a server’s answer', async () => {
    expect((await rest.post('/rest/notifications/test', { message: 'Hi' })).body).toEqual({
      success: true,
      channels: ['local', 'push'],
      failures: {},
    });
    push.script.push('lasting');
    expect((await rest.post('/rest/notifications/test', {})).body).toEqual({
      success: false,
      channels: ['local'],
      failures: { push: 'Refused.' },
    });
  });
});

describe('/rest/notifications/preferences', () => {
  const path = '/rest/notifications/preferences';

  it('are set, listed and deleted; what is left out stays as it was', async () => {
    const set = await rest.post(path, { scope: 'home', scopeId: home.home.id, emailEnabled: true });
    const preference = { scope: 'home', scopeId: home.home.id, pushEnabled: true, emailEnabled: true };
    expect(set.body).toEqual({ ...preference, id: expect.any(String), localEnabled: true });
    expect((await rest.get(path)).body).toEqual([set.body]);
    const which = `${path}?scope=home&scopeId=${home.home.id}`;
    expect((await rest.delete(which)).body).toEqual({ success: true, existed: true });
    expect((await rest.delete(which)).body).toEqual({ success: true, existed: false });
  });

  it.each([
    [{}, 400, /"scope" is missing/],
    [{ scope: 'room' }, 422, /give one of global, home, automation/],
    [{ scope: 'home' }, 422, /give the id of the home/],
    [{ scope: 'global', pushEnabled: 'yes' }, 422, /"pushEnabled" must be true or false/],
    [{ scope: 'global', push: true }, 400, /Unknown field "push"/],
    [{ scope: 'automation', scopeId: '00000000-0000-4000-8000-000000000000' }, 404, /Automation not found/],
  ])('refuse %j', async (body, status, message) => {
    const answer = await rest.post(path, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatch(message);
  });

  it('can’t be deleted without naming which', async () => {
    const answer = await rest.delete(path);
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatch(/Invalid value for scope/);
  });
});
