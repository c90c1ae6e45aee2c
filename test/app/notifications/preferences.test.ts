import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  DEFAULT_CHOICE,
  type NotificationPreference,
  resolveChoice,
} from '../../../src/app/notifications/preference.ts';
import type { Home } from '../../../src/home/model.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller, userCaller } from '../../support/test-home.ts';

const FLOW = '6f1d0c5e-8f5e-4f0c-9f2e-0a1b2c3d4e5f';
const NATIVE = '7a2e1d6f-9a6f-4a1d-8a3f-1b2c3d4e5f60';

let home: TestHome;
let cabin: Home;

beforeEach(() => {
  home = createTestHome({
    roles: { roleOf: (user) => (user === 'ann' ? 'view' : undefined), homesOf: () => [home.home.id] },
  });
  cabin = home.homes.create(systemCaller, { name: 'Cabin' });
  home.database
    .prepare(
      `INSERT INTO flows (id, home_id, name, enabled, definition, version, created_at, updated_at)
       VALUES (?, ?, 'Flow', 1, '{}', 1, 0, 0)`,
    )
    .run(FLOW, home.home.id);
  home.database
    .prepare(
      `INSERT INTO automations (id, home_id, name, enabled, trigger, created_at)
       VALUES (?, ?, 'Native', 1, '{}', 0)`,
    )
    .run(NATIVE, cabin.id);
});
afterEach(() => home.close());

describe('which preference counts', () => {
  const channels = fc.record({ push: fc.boolean(), email: fc.boolean(), local: fc.boolean() });

  it('is the most specific one, regardless of the others', () => {
    fc.assert(
      fc.property(
        fc.option(channels),
        fc.option(channels),
        fc.option(channels),
        fc.boolean(),
        (global, ofHome, ofAutomation, isReversed) => {
          const preference = (scope: NotificationPreference['scope'], scopeId: string | null, chosen: typeof global) =>
            chosen === null ? [] : [{ id: scope, scope, scopeId, channels: chosen }];
          const all = [
            ...preference('global', null, global),
            ...preference('home', 'h', ofHome),
            ...preference('automation', 'a', ofAutomation),
            ...preference('home', 'another', { push: true, email: true, local: true }),
            ...preference('automation', 'h', { push: false, email: false, local: false }),
          ];
          const resolved = resolveChoice(isReversed ? all.reverse() : all, { homeId: 'h', automationId: 'a' });
          expect(resolved).toEqual(ofAutomation ?? ofHome ?? global ?? DEFAULT_CHOICE);
          expect(resolveChoice(all, { homeId: null, automationId: null })).toEqual(global ?? DEFAULT_CHOICE);
        },
      ),
    );
  });
});

describe('a preference', () => {
  const { set, remove, list } = {
    set: (...given: Parameters<TestHome['notificationPreferences']['set']>) =>
      home.notificationPreferences.set(...given),
    remove: (...given: Parameters<TestHome['notificationPreferences']['delete']>) =>
      home.notificationPreferences.delete(...given),
    list: (caller = systemCaller) => home.notificationPreferences.list(caller),
  };

  it('is set, changed under the same id, listed and deleted', () => {
    const first = set(systemCaller, { scope: 'home', scopeId: home.home.id.toUpperCase() }, { email: true });
    expect(first).toMatchObject({ scope: 'home', scopeId: home.home.id });
    expect(first.channels).toEqual({ push: true, email: true, local: true });
    const second = set(systemCaller, { scope: 'home', scopeId: home.home.id }, { push: false });
    expect(second).toEqual({ ...first, channels: { push: false, email: true, local: true } });
    const global = set(systemCaller, { scope: 'global', scopeId: null }, {});
    expect(list()).toEqual([global, second]);
    expect(remove(systemCaller, { scope: 'home', scopeId: home.home.id })).toBe(true);
    expect(remove(systemCaller, { scope: 'home', scopeId: home.home.id })).toBe(false);
    expect(list()).toEqual([global]);
  });

  it('begins with what counted before, channel by channel', () => {
    set(systemCaller, { scope: 'global' }, { push: false });
    set(systemCaller, { scope: 'home', scopeId: home.home.id }, { email: true });
    const { channels } = set(systemCaller, { scope: 'automation', scopeId: FLOW }, { local: false });
    expect(channels).toEqual({ push: false, email: true, local: false });
  });

  it('decides what is sent: an automation’s is that of its own messages alone', async () => {
    const notify = (automationId: string) =>
      home.notifications.notify({
        homeId: home.home.id,
        automationId,
        title: null,
        message: 'x',
        icon: null,
        iconColor: null,
        data: null,
      });
    set(systemCaller, { scope: 'automation', scopeId: FLOW }, { local: false, push: false });
    expect(await notify(FLOW)).toMatchObject({ delivered: false, channels: [], reason: 'preference' });
    expect(await notify(NATIVE)).toMatchObject({ delivered: true, channels: ['local'] });
    set(systemCaller, { scope: 'automation', scopeId: FLOW }, { email: true });
    expect(await notify(FLOW)).toMatchObject({ delivered: false, reason: 'no_devices' });
    remove(systemCaller, { scope: 'automation', scopeId: FLOW });
    expect(await notify(FLOW)).toMatchObject({ delivered: true, channels: ['local'] });
  });

  it.each<[object, string]>([
    [{ scope: 'house' }, 'invalid_value'],
    [{ scope: 7 }, 'invalid_value'],
    [{ scope: 'global', scopeId: 'x' }, 'invalid_value'],
    [{ scope: 'home' }, 'invalid_value'],
    [{ scope: 'home', scopeId: 7 }, 'invalid_value'],
    [{ scope: 'home', scopeId: FLOW }, 'home_not_found'],
    [{ scope: 'automation', scopeId: FLOW.replace('6', '5') }, 'automation_not_found'],
  ])('is refused for %j', (given, code) => {
    const input = given as Parameters<typeof remove>[1];
    expect(() => set(systemCaller, input, {})).toThrow(expect.objectContaining({ code }));
    expect(() => remove(systemCaller, input)).toThrow(expect.objectContaining({ code }));
  });

  it('of the home is changed by those who manage it', () => {
    const guest = tokenCaller({ [home.home.id]: 'control' });
    for (const input of [
      { scope: 'global' },
      { scope: 'home', scopeId: home.home.id },
      { scope: 'automation', scopeId: FLOW },
    ]) {
      expect(() => set(guest, input, { push: false })).toThrow(
        expect.objectContaining({ code: 'insufficient_permissions' }),
      );
    }
    expect(() => set(guest, { scope: 'home', scopeId: cabin.id }, {})).toThrow(/Home not found/);
    expect(() => set(guest, { scope: 'automation', scopeId: NATIVE }, {})).toThrow(/Automation not found/);
    set(systemCaller, { scope: 'home', scopeId: home.home.id }, { push: false });
    set(systemCaller, { scope: 'automation', scopeId: NATIVE }, { push: false });
    expect(list(guest).map(({ scope }) => scope)).toEqual(['home']);
  });

  it('of a user is his own, and needs no more than to see', () => {
    const ann = userCaller('ann');
    set(ann, { scope: 'home', scopeId: home.home.id }, { push: false });
    set(ann, { scope: 'global' }, { push: false });
    expect(list(ann)).toHaveLength(2);
    expect(list()).toEqual([]);
    expect(() => set(userCaller('bob'), { scope: 'home', scopeId: home.home.id }, {})).toThrow(/Home not found/);
  });

  it('goes with what it is about', async () => {
    set(systemCaller, { scope: 'home', scopeId: cabin.id }, {});
    set(systemCaller, { scope: 'automation', scopeId: FLOW }, {});
    set(systemCaller, { scope: 'automation', scopeId: NATIVE }, {});
    set(systemCaller, { scope: 'global' }, {});
    await home.homes.delete(systemCaller, cabin.id);
    expect(list().map(({ scope }) => scope)).toEqual(['global', 'automation']);
    home.notificationPreferences.sweep();
    const left = home.database.prepare('SELECT count(*) AS count FROM notification_preferences').get();
    expect(left).toEqual({ count: 2 });
  });
});
