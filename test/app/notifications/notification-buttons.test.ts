/** Buttons of notifications: who gets them, who may press them and how often, and what comes of a press. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/app/access/caller.ts';
import type { NotificationRequest } from '../../../src/app/notifications/notifier.ts';
import { BUTTON_LIFE_MS, BUTTON_PATH } from '../../../src/contract/notifications.ts';
import { GuardedSender } from '../../../src/drivers/http/guarded-sender.ts';
import type { HomeEvents } from '../../../src/home/events.ts';
import { MAX_PUSH_BYTES } from '../../../src/home/web-push.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { type NtfyServer, startNtfyServer } from '../../drivers/notifications/ntfy-server.ts';
import { NO_SUCH_ID } from '../../support/authorization-fixture.ts';
import { type AutomationHome, createAutomationHome } from '../../support/automation-home.ts';
import { type PushService, startPushService } from '../../support/push-service.ts';
import { callerOf, systemCaller, tokenCaller } from '../../support/test-home.ts';
import { CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const BUTTONS = [
  { id: 'close', title: 'Close garage' },
  { id: 'ignore', title: 'Ignore' },
];
const FORBIDDEN = expect.objectContaining({ code: 'insufficient_permissions' });
const NOT_FOUND = expect.objectContaining({ code: 'not_found' });
const refused = (reason: string) =>
  expect.objectContaining({ code: 'conflict', details: expect.objectContaining({ reason }) });

let service: PushService;
let ntfy: NtfyServer;
let sender: GuardedSender;
let home: AutomationHome;
let ann: TestUser;
let ben: TestUser;
let viewer: TestUser;
let pressed: HomeEvents['notification.button_pressed'][];

beforeEach(async () => {
  service = await startPushService();
  ntfy = await startNtfyServer();
  sender = new GuardedSender({ clock: systemClock, allowLoopback: true, ownAddresses: () => [], ownPorts: () => [] });
  await open();
});
afterEach(async () => {
  await home.stop();
  await sender.stop();
  await service.close();
  await ntfy.close();
});

async function open(options: { readonly publicUrl?: string } = {}): Promise<void> {
  home = createAutomationHome({
    ...{ http: sender, passwordHasher: new CountingHasher(), ntfyUrl: `http://127.0.0.1:${ntfy.port}/home` },
    ...options,
  });
  pressed = [];
  home.bus.on('notification.button_pressed', (event) => pressed.push(event));
  ann = await createUser(home, { founder: true });
  ben = await createUser(home, { name: 'Ben', role: 'control' });
  viewer = await createUser(home, { name: 'Vera', role: 'view' });
}

async function send(changes: Partial<NotificationRequest> = {}): Promise<string> {
  const { notificationId } = await home.notifications.notify({
    ...{ homeId: home.home.id, automationId: null, title: 'Garage', message: 'It is open', icon: null },
    ...{ iconColor: null, data: null, tag: 'garage', buttons: BUTTONS },
    ...changes,
  });
  return notificationId ?? '';
}

const press = (caller: Caller, notificationId: string, buttonId = 'close') =>
  home.notifications.pressButton(caller, { notificationId, buttonId });
const seen = ({ caller }: { readonly caller: Caller }) => home.notifications.history(caller)[0];
const pressing =
  (...args: Parameters<typeof press>) =>
  () =>
    press(...args);

/** A browser of this person, and the paths that its service worker was sent. */
function subscribe({ caller }: TestUser) {
  const browser = service.subscribe();
  home.pushDevices.add(caller, { name: 'Phone', ...browser.subscription });
  const last = () => JSON.parse(browser.readAll(service).at(-1) ?? '{}');
  const tokens = (): string[] => (last().buttons ?? []).map(({ path }: { path: string }) => tokenOf(path));
  return { browser, last, tokens };
}

function tokenOf(path: string): string {
  expect(path.startsWith(`${BUTTON_PATH}/`)).toBe(true);
  return path.slice(BUTTON_PATH.length + 1);
}

describe('who may press', () => {
  it('a member who may control the home, whose press everyone sees', async () => {
    const id = await send();
    expect(seen(ben)).toMatchObject({ id, buttons: BUTTONS, pressed: null, isRead: false });
    const by = { kind: 'user', id: ben.user.id, name: 'Ben' };
    expect(press(ben.caller, id)).toMatchObject({ id, pressed: { buttonId: 'close', by }, isRead: true });
    expect(pressed).toEqual([
      {
        ...{ notificationId: id, userId: null, homeId: home.home.id, automationId: null, tag: 'garage' },
        ...{ buttonId: 'close', buttonTitle: 'Close garage', at: home.clock.now() },
        ...{ byKind: 'user', byId: ben.user.id, byName: 'Ben' },
      },
    ]);
    for (const user of [ann, viewer]) expect(seen(user)).toMatchObject({ pressed: { buttonId: 'close', by } });
    expect(seen(ann)?.isRead).toBe(false);
    expect(seen(ben)?.isRead).toBe(true);
  });

  it('no viewer, who gets the notification without its buttons', async () => {
    const phone = subscribe(viewer);
    const id = await send();
    expect(seen(viewer)).toMatchObject({ id, buttons: [] });
    expect(phone.last()).not.toHaveProperty('buttons');
    expect(pressing(viewer.caller, id)).toThrow(FORBIDDEN);
    expect(seen(ann)?.pressed).toBeNull();
  });

  it('no person of another home, and none for whom it is not', async () => {
    const other = home.homes.create(systemCaller, { name: 'Other' });
    const stranger = await createUser(home, { name: 'Stranger', role: 'admin', homeId: other.id });
    const id = await send();
    expect(pressing(stranger.caller, id)).toThrow(NOT_FOUND);
    const own = await send({ ownerId: ben.user.id });
    expect(pressing(ann.caller, own)).toThrow(NOT_FOUND);
    expect(pressing(systemCaller, own)).toThrow(NOT_FOUND);
    expect(press(ben.caller, own).pressed?.buttonId).toBe('close');
  });

  it('an app and a token that may control the home, and none that may only read', async () => {
    const app = (scope: 'read' | 'write') =>
      callerOf({ kind: 'oauth_client', clientId: 'app', userId: ann.user.id, scope, homePermissions: null });
    const id = await send();
    expect(pressing(app('read'), id)).toThrow(FORBIDDEN);
    expect(pressing(tokenCaller({ [home.home.id]: 'view' }), id)).toThrow(FORBIDDEN);
    expect(pressing(tokenCaller({ [NO_SUCH_ID]: 'control' }), id)).toThrow(NOT_FOUND);
    expect(press(app('write'), id).pressed?.by.kind).toBe('app');
    expect(press(tokenCaller({ [home.home.id]: 'control' }), await send()).pressed?.by.kind).toBe('access_token');
  });
});

describe('a press', () => {
  it('counts once a notification, whichever the button', async () => {
    const id = await send();
    press(ann.caller, id, 'ignore');
    for (const buttonId of ['ignore', 'close']) {
      expect(pressing(ben.caller, id, buttonId)).toThrow(refused('button_pressed'));
    }
    expect(pressed).toHaveLength(1);
    expect(seen(ann)?.pressed?.buttonId).toBe('ignore');
  });

  it('counts for a day', async () => {
    const [kept, late] = [await send(), await send()];
    await home.clock.advance(BUTTON_LIFE_MS - 1);
    press(ann.caller, kept);
    await home.clock.advance(1);
    expect(pressing(ann.caller, late)).toThrow(refused('button_expired'));
  });

  it('of a button that there is not is not found, however it is written', async () => {
    const id = await send();
    for (const buttonId of ['', 'open', 'CLOSE', '__proto__', '0', 'x'.repeat(10_000)]) {
      expect(pressing(ann.caller, id, buttonId), buttonId.slice(0, 20)).toThrow(NOT_FOUND);
    }
    for (const notificationId of [NO_SUCH_ID, '', 'x'.repeat(10_000)]) {
      expect(pressing(ann.caller, notificationId)).toThrow(NOT_FOUND);
    }
    expect(pressing(ann.caller, await send({ buttons: [] }))).toThrow(NOT_FOUND);
  });

  it('is in the activity log', async () => {
    home.history.setEnabled(systemCaller, home.home.id, true);
    press(ben.caller, await send());
    expect(await home.activity.list(ann.caller, { kind: 'notification' })).toMatchObject([
      {
        subject: { type: 'notification', name: 'Garage' },
        value: 'Close garage',
        actor: { kind: 'user', name: 'Ben' },
      },
    ]);
  });
});

describe('an address that presses a button', () => {
  it('is sent to each browser for its person, and works without a session, once', async () => {
    const [annes, bens] = [subscribe(ann), subscribe(ben)];
    const id = await send();
    expect(annes.last().buttons).toMatchObject(BUTTONS);
    const [close = '', ignore = ''] = bens.tokens();
    home.notifications.pressByToken(ignore);
    expect(seen(ann)).toMatchObject({ id, pressed: { buttonId: 'ignore', by: { kind: 'user', id: ben.user.id } } });
    for (const token of [ignore, close, ...annes.tokens()]) {
      expect(() => home.notifications.pressByToken(token)).toThrow(refused('button_pressed'));
    }
    expect(pressed).toHaveLength(1);
  });

  it('ends after a day, and with the role of its person', async () => {
    const bens = subscribe(ben);
    await send();
    const [late = ''] = bens.tokens();
    await home.clock.advance(BUTTON_LIFE_MS);
    expect(() => home.notifications.pressByToken(late)).toThrow(refused('button_expired'));
    await send();
    const [gone = ''] = bens.tokens();
    const member = home.members.list(ann.caller, home.home.id).find(({ email }) => email === ben.user.email);
    home.members.remove(ann.caller, { homeId: home.home.id, memberId: member?.id ?? '' });
    expect(() => home.notifications.pressByToken(gone)).toThrow(NOT_FOUND);
  });

  it('can’t be made up or changed', async () => {
    const bens = subscribe(ben);
    await send();
    const [token = ''] = bens.tokens();
    const bytes = Buffer.from(token, 'base64url');
    const changed = [...bytes.keys()].map((at) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      return copy.toString('base64url');
    });
    const spellings = [token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`, '', 'x'.repeat(10_000), '../rest'];
    // The last character holds bits that no byte has.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const ends = [...alphabet].filter((end) => end !== token.at(-1)).map((end) => token.slice(0, -1) + end);
    for (const one of [...changed, ...spellings, ...ends]) {
      expect(() => home.notifications.pressByToken(one), one.slice(0, 100)).toThrow(NOT_FOUND);
    }
    expect(pressed).toEqual([]);
    home.notifications.pressByToken(token);
  });

  it('leaves room for a long message', async () => {
    const phone = subscribe(ann);
    const buttons = ['a', 'b', 'c'].map((id) => ({ id: id.repeat(40), title: '€'.repeat(40) }));
    await send({ message: 'x'.repeat(10_000), buttons });
    expect(phone.last().buttons).toHaveLength(3);
    expect(phone.last().body.length).toBeGreaterThan(1_000);
    expect(phone.browser.readAll(service).at(-1)?.length).toBeLessThanOrEqual(MAX_PUSH_BYTES);
  });
});

describe('through ntfy', () => {
  const topicOf = ({ caller }: TestUser) => home.ntfyTopics.create(caller);

  it('the buttons call the relay at its public address', async () => {
    await home.stop();
    await open({ publicUrl: 'https://home.example.org' });
    expect(topicOf(ben)).toMatchObject({ hasButtons: true });
    const id = await send();
    const [published] = ntfy.published;
    const [action] = published?.actions ?? [];
    expect(published?.actions).toMatchObject(
      BUTTONS.map(({ title }) => ({ action: 'http', label: title, method: 'POST', clear: true })),
    );
    expect(action?.url.startsWith(`https://home.example.org${BUTTON_PATH}/`)).toBe(true);
    home.notifications.pressByToken(action?.url.split('/').at(-1) ?? '');
    expect(seen(ann)).toMatchObject({ id, pressed: { buttonId: 'close', by: { id: ben.user.id } } });
  });

  it('there are none without a public address, which the topic shows, and none for a viewer', async () => {
    expect(topicOf(ben)).toMatchObject({ hasButtons: false });
    await send();
    expect(ntfy.published).toMatchObject([{ title: 'Garage' }]);
    await home.stop();
    await open({ publicUrl: 'https://home.example.org' });
    topicOf(viewer);
    await send();
    expect(ntfy.published).toHaveLength(2);
    for (const one of ntfy.published) expect(one).not.toHaveProperty('actions');
  });
});

describe('automations', () => {
  const trigger = (fields: object) => ({ id: 'pressed', type: 'notification_action', ...fields });
  const ask = (fields: object = {}) => ({ id: 'ask', type: 'notify', message: 'Open', buttons: BUTTONS, ...fields });
  const latest = () => seen(ann)?.id ?? '';

  it('are triggered by the button, the tag and the automation of the notification', async () => {
    const asking = home.saveFlow({ actions: [ask({ tag: 'garage' })] });
    const flows = {
      any: home.saveFlow({ triggers: [trigger({})] }),
      close: home.saveFlow({ triggers: [trigger({ buttonId: 'close' })] }),
      ignore: home.saveFlow({ triggers: [trigger({ buttonId: 'ignore' })] }),
      tag: home.saveFlow({ triggers: [trigger({ tag: 'garage', automationId: asking.id })] }),
      otherTag: home.saveFlow({ triggers: [trigger({ tag: 'door' })] }),
      otherFlow: home.saveFlow({ triggers: [trigger({ automationId: asking.id, buttonId: 'ignore' })] }),
      event: home.saveFlow({
        triggers: [{ id: 'e', type: 'event', eventType: 'notification_action', eventData: { by: { name: 'Ben' } } }],
      }),
    };
    home.run(asking.id);
    await home.settle();
    const id = latest();
    press(ben.caller, id);
    await home.settle();
    const ran = Object.entries(flows).filter(([, flow]) => home.tracesOf(flow.id).length > 0);
    expect(ran.map(([name]) => name)).toEqual(['any', 'close', 'tag', 'event']);
    expect(home.tracesOf(flows.close.id)[0]?.triggerData).toMatchObject({
      type: 'notification_action',
      event_data: {
        ...{ notificationId: id, buttonId: 'close', buttonTitle: 'Close garage', tag: 'garage' },
        ...{ automationId: asking.id, by: { kind: 'user', id: ben.user.id, name: 'Ben' } },
      },
    });
  });

  it('can wait for it, and know the notification that they sent', async () => {
    const wait = { id: 'wait', type: 'wait_for_trigger', triggers: [trigger({ buttonId: 'close' })] };
    const message = 'Pressed by {{ wait.trigger.event_data.by.name }} on {{ nodes.ask.data.notificationId }}';
    const flow = home.saveFlow({ actions: [ask(), wait, { id: 'tell', type: 'notify', message }] });
    home.run(flow.id);
    await home.settle();
    const id = latest();
    press(ben.caller, id);
    await home.settle();
    expect(seen(ann)?.message).toBe(`Pressed by Ben on ${id}`);
  });

  it.each([
    ['too many', [1, 2, 3, 4].map((n) => ({ id: `b${n}`, title: 'x' })), 'buttons'],
    ['none of a list', 'close', 'buttons'],
    ['no object', ['close'], 'buttons[0]'],
    ['an id twice', [BUTTONS[0], BUTTONS[1], BUTTONS[0]], 'buttons[2].id'],
    ['no id', [{ title: 'x' }], 'buttons[0].id'],
    ['an id with a space', [{ id: 'a b', title: 'x' }], 'buttons[0].id'],
    ['an id of 10,000 characters', [{ id: 'x'.repeat(10_000), title: 'x' }], 'buttons[0].id'],
    ['a title of 10,000 characters', [BUTTONS[0], { id: 'x', title: 'x'.repeat(10_000) }], 'buttons[1].title'],
    ['an empty title', [{ id: 'x', title: '  ' }], 'buttons[0].title'],
    ['an unknown field', [{ ...BUTTONS[0], url: 'http://a/' }], 'buttons[0].url'],
  ])('take no buttons with %s, and name the field', (_, buttons, field) => {
    expect(() => home.saveFlow({ actions: [ask({ buttons })] })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field: `actions[0].${field}` }) }),
    );
  });
});
