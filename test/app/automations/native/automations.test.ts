import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RoleSource } from '../../../../src/app/access/authorize.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller, tokenCaller, userCaller } from '../../../support/test-home.ts';
import { createNativeHome, type NativeHome, refusal } from './native-home.ts';

let fixture: NativeHome;

beforeEach(() => {
  fixture = createNativeHome();
});
afterEach(() => fixture.close());

const motion = (more: object = {}) => ({
  type: 'event',
  events: [
    {
      type: 'characteristic',
      accessoryId: fixture.home.named('Motion').id,
      characteristicType: 'motion_detected',
      triggerValue: true,
    },
  ],
  ...more,
});
const tomorrow = () => ({ type: 'timer', fireDate: new Date(fixture.home.clock.now() + 86_400_000).toISOString() });
const ownedScenes = () => fixture.home.state.scenes.list(fixture.home.home.id);

describe('creating a native automation', () => {
  it('keeps what it does as a scene of its own, which is not listed and cannot be changed by itself', () => {
    const { id, sceneId } = fixture.create(motion());
    expect(ownedScenes()).toMatchObject([{ id: sceneId, name: 'Evening', automationId: id }]);
    expect(fixture.home.scenes.list(systemCaller).map((scene) => scene.id)).not.toContain(sceneId);
    expect(fixture.home.scenes.get(systemCaller, sceneId).automationId).toBe(id);
    expect(refusal(() => fixture.home.scenes.delete(systemCaller, sceneId)).code).toBe('conflict');
    expect(fixture.native.nameOf(id)).toBe('Evening');
  });

  it('hands it to the engine, enabled', () => {
    const { id } = fixture.create(motion());
    expect(fixture.programs.get(id)).toMatchObject({ kind: 'native', name: 'Evening', enabled: true });
  });

  it('refuses names that end in no letter or number or are none; another may have the same name', () => {
    fixture.create(motion());
    expect(refusal(() => fixture.create(motion(), 'Party!')).message).toContain('"Party" would do');
    expect(fixture.create(motion(), 'Evening').name).toBe('Evening');
    expect(refusal(() => fixture.create(motion(), ' ')).code).toBe('invalid_value');
    const other = fixture.home.homes.create(systemCaller, { name: 'Cabin' });
    const input = { homeId: other.id, name: 'Evening', trigger: tomorrow(), actions: [fixture.on()] };
    expect(refusal(() => fixture.native.create(systemCaller, input)).code).toBe('accessory_not_found');
    fixture.home.scenes.create(systemCaller, {
      homeId: fixture.home.home.id,
      name: 'Morning',
      actions: [fixture.on()],
    });
    expect(fixture.create(motion(), 'Morning').name).toBe('Morning');
  });

  it('refuses actions as scenes do, and then keeps nothing', () => {
    expect(refusal(() => fixture.create(motion(), 'A', []))).toMatchObject({ code: 'invalid_value', field: 'actions' });
    expect(
      refusal(() => fixture.create(motion(), 'A', [fixture.on(), { ...fixture.on('Heater'), targetValue: 7 }])),
    ).toMatchObject({
      field: 'actions[1].targetValue',
    });
    expect(fixture.native.list(systemCaller)).toEqual([]);
    expect(ownedScenes()).toEqual([]);
  });
});

describe('changing a native automation', () => {
  it('keeps its id and its scene when the trigger, the actions and the name change', () => {
    const { id, sceneId } = fixture.create(motion());
    const changed = fixture.native.update(systemCaller, id.toUpperCase(), {
      name: 'Night',
      trigger: tomorrow(),
      actions: [fixture.on('Heater', false)],
    });
    expect(changed).toMatchObject({ id, sceneId, name: 'Night', trigger: { type: 'timer' } });
    expect(ownedScenes()).toMatchObject([{ id: sceneId, name: 'Night', actions: [{ value: false }] }]);
    expect(fixture.programs.get(id)).toMatchObject({ name: 'Night', triggers: [{ type: 'timer' }] });
  });

  it('does all of it or nothing', () => {
    const { id } = fixture.create(motion());
    refusal(() => fixture.native.update(systemCaller, id, { name: 'Night', trigger: { type: 'event' } }));
    refusal(() => fixture.native.update(systemCaller, id, { name: 'Night', enabled: 'no' }));
    expect(refusal(() => fixture.native.update(systemCaller, id, {})).code).toBe('invalid_request');
    expect(fixture.native.get(systemCaller, id)).toMatchObject({ name: 'Evening', enabled: true });
  });

  it('enables and disables', () => {
    const { id } = fixture.create(motion());
    expect(fixture.native.setEnabled(systemCaller, id, false).enabled).toBe(false);
    expect(fixture.programs.get(id)?.enabled).toBe(false);
    expect(fixture.stored(id)).toMatchObject({ enabled: 0 });
    fixture.native.setEnabledBy(fixture.home.home.id, id, true);
    expect(fixture.programs.get(id)?.enabled).toBe(true);
    expect(refusal(() => fixture.native.setEnabledBy('another home', id, false)).code).toBe('automation_not_found');
  });

  it('enables no timer whose one moment has passed, but lets it be renamed', async () => {
    const { id } = fixture.create(tomorrow());
    fixture.native.setEnabled(systemCaller, id, false);
    await fixture.home.clock.advance(2 * 86_400_000);
    expect(refusal(() => fixture.native.setEnabled(systemCaller, id, true)).field).toBe('trigger.fireDate');
    expect(fixture.native.update(systemCaller, id, { name: 'Over' }).name).toBe('Over');
  });

  it('takes back what it shows', () => {
    const automation = fixture.create(motion({ recurrences: [{ weekday: 2 }] }));
    const { trigger, actions } = fixture.show(automation);
    const again = fixture.native.update(systemCaller, automation.id, { trigger, actions });
    expect(again).toEqual(automation);
  });

  it('deletes it with its scene, from the disk and from the engine', () => {
    const { id } = fixture.create(motion());
    fixture.native.delete(systemCaller, id);
    expect(fixture.native.list(systemCaller)).toEqual([]);
    expect(ownedScenes()).toEqual([]);
    expect(fixture.programs.size).toBe(0);
    expect(fixture.home.database.prepare('SELECT count(*) AS n FROM scenes').get()).toEqual({ n: 0 });
  });

  it('forgets those of a home that is deleted', () => {
    const cabin = fixture.home.homes.create(systemCaller, { name: 'Cabin' });
    const virtual = fixture.home.virtuals.create(systemCaller, { homeId: cabin.id, name: 'Guests', type: 'switch' });
    const actions = [{ accessoryId: virtual.id, characteristicType: 'on', targetValue: true }];
    const { id } = fixture.native.create(systemCaller, {
      homeId: cabin.id,
      name: 'Cosy',
      trigger: tomorrow(),
      actions,
    });
    fixture.home.state.removeHome(cabin.id);
    expect(fixture.programs.has(id)).toBe(false);
    expect(refusal(() => fixture.native.get(systemCaller, id)).code).toBe('automation_not_found');
  });
});

describe('who may', () => {
  const roles: RoleSource = { roleOf: (user) => (user === 'ann' ? 'admin' : 'control'), homesOf: () => [] };

  it('an admin makes and changes, others only read, strangers know nothing of it', () => {
    fixture.close();
    fixture = createNativeHome({ roles });
    const { id } = fixture.create(motion());
    expect(fixture.native.update(userCaller('ann'), id, { name: 'Ann’s' }).name).toBe('Ann’s');
    const bob = userCaller('bob');
    expect(fixture.native.get(bob, id).id).toBe(id);
    const refused = [
      () =>
        fixture.native.create(bob, {
          homeId: fixture.home.home.id,
          name: 'B',
          trigger: motion(),
          actions: [fixture.on()],
        }),
      () => fixture.native.update(bob, id, { name: 'B' }),
      () => fixture.native.setEnabled(bob, id, false),
      () => fixture.native.delete(bob, id),
    ];
    for (const call of refused) expect(refusal(call).code).toBe('insufficient_permissions');
    const stranger = tokenCaller({});
    expect(refusal(() => fixture.native.get(stranger, id)).code).toBe('automation_not_found');
    expect(fixture.native.list(stranger)).toEqual([]);
  });

  it('no one may edit where the relay’s account may only view the home, but all may read', () => {
    const { id } = fixture.create(motion());
    fixture.home.homes.update(systemCaller, fixture.home.home.id, { privileges: 'view' });
    const refused = [
      () => fixture.create(motion(), 'B'),
      () => fixture.native.update(systemCaller, id, { name: 'B' }),
      () => fixture.native.setEnabled(systemCaller, id, false),
      () => fixture.native.setEnabledBy(fixture.home.home.id, id, false),
      () => fixture.native.delete(systemCaller, id),
    ];
    for (const call of refused) {
      expect(refusal(call)).toMatchObject({
        code: 'insufficient_platform_privileges',
        message: 'Insufficient platform privileges',
      });
    }
    expect(fixture.native.get(systemCaller, id).name).toBe('Evening');
  });
});

describe('what fires', () => {
  it('is known to have fired, in memory at once and on the disk within a second', async () => {
    const { id } = fixture.create(motion());
    fixture.fire(id);
    expect(fixture.native.get(systemCaller, id).lastFireAt).toBe(fixture.home.clock.now());
    expect(fixture.stored(id)?.last_fire_at).toBeNull();
    await fixture.home.clock.advance(1000);
    expect(fixture.stored(id)?.last_fire_at).not.toBeNull();
  });

  it('once, is disabled on the disk before the event is through', () => {
    const { id } = fixture.create(motion({ executeOnce: true }));
    fixture.count(id);
    expect(fixture.native.get(systemCaller, id).enabled).toBe(true);
    fixture.fire(id);
    expect(fixture.stored(id)).toEqual({ enabled: 0, last_fire_at: fixture.home.clock.now() });
    expect(fixture.programs.get(id)?.enabled).toBe(false);
    expect(fixture.native.get(systemCaller, id)).toMatchObject({
      enabled: false,
      lastFireAt: fixture.home.clock.now(),
    });
    expect(fixture.native.setEnabled(systemCaller, id, true).enabled).toBe(true);
  });

  it('at one moment, is over after it, and after having missed it', () => {
    const fired = fixture.create(tomorrow(), 'Fired');
    const missed = fixture.create(tomorrow(), 'Missed');
    const daily = fixture.create({ ...tomorrow(), recurrenceType: 'daily' }, 'Daily');
    fixture.fire(fired.id);
    fixture.count(missed.id, 'missed');
    fixture.fire(daily.id);
    fixture.count(daily.id, 'missed');
    const enabled = fixture.native.list(systemCaller).map(({ name, enabled }) => [name, enabled]);
    expect(enabled).toEqual([
      ['Daily', true],
      ['Fired', false],
      ['Missed', false],
    ]);
    expect(fixture.native.get(systemCaller, missed.id).lastFireAt).toBeNull();
  });

  it('is written when the daemon stops, and nothing listens any more', () => {
    const { id } = fixture.create(motion());
    fixture.fire(id);
    fixture.native.stop();
    expect(fixture.stored(id)?.last_fire_at).not.toBeNull();
    expect(fixture.listeners.size).toBe(0);
  });

  it('does it no second time where nothing can be written, and is written once that can be again', async () => {
    const { id } = fixture.create(motion({ executeOnce: true }));
    fixture.home.database.exec('ALTER TABLE automations RENAME TO away');
    fixture.fire(id);
    expect(fixture.programs.get(id)?.enabled).toBe(false);
    await fixture.home.clock.advance(5 * 60_000);
    fixture.home.database.exec('ALTER TABLE away RENAME TO automations');
    expect(fixture.stored(id)).toMatchObject({ enabled: 1 });
    await fixture.home.clock.advance(60_000);
    expect(fixture.stored(id)).toMatchObject({ enabled: 0 });
  });
});

describe('when it will fire', () => {
  const HOUR = 3_600_000;

  it('reports what the engine reports', () => {
    const { id } = fixture.create({ ...tomorrow(), recurrenceType: 'daily' });
    fixture.moments.push(...[1, 2, 3].map((n) => fixture.home.clock.now() + n * HOUR));
    expect(fixture.native.nextFireDates(systemCaller, id, 2)).toEqual(fixture.moments.slice(0, 2));
  });

  it('leaves out the days on which it does not', () => {
    const now = fixture.home.clock.now();
    const calendar = { type: 'calendar', calendarComponents: { hour: 7 } };
    const { id } = fixture.create({ type: 'event', events: [calendar], recurrences: [{ weekday: 2 }] });
    fixture.moments.push(...Array.from({ length: 40 }, (_, day) => now + day * 24 * HOUR + HOUR));
    const dates = fixture.native.nextFireDates(systemCaller, id, 3);
    expect(dates).toHaveLength(3);
    expect(new Set(dates.map((at) => new Date(at).getDay()))).toEqual(new Set([1]));
  });

  it('finds its day behind any number of moments on others', () => {
    const minutely = { type: 'calendar', calendarComponents: { second: 0 } };
    const { id } = fixture.create({ type: 'event', events: [minutely], recurrences: [{ weekday: 2 }] });
    const now = Math.floor(fixture.home.clock.now() / 60_000) * 60_000;
    fixture.moments.push(...Array.from({ length: 15 * 24 * 60 }, (_, minute) => now + (minute + 1) * 60_000));
    const dates = fixture.native.nextFireDates(systemCaller, id, 3);
    expect(dates).toHaveLength(3);
    expect(dates.map((at) => new Date(at).getDay())).toEqual([1, 1, 1]);
    expect(dates[2]).toBe((dates[0] ?? 0) + 120_000);
  });

  it('has one date where it fires once, and none while it is disabled', () => {
    fixture.moments.push(fixture.home.clock.now() + HOUR, fixture.home.clock.now() + 2 * HOUR);
    const { id } = fixture.create({ ...tomorrow(), recurrenceType: 'daily', executeOnce: true });
    expect(fixture.native.nextFireDates(systemCaller, id, 5)).toEqual(fixture.moments.slice(0, 1));
    fixture.native.setEnabled(systemCaller, id, false);
    expect(fixture.native.nextFireDates(systemCaller, id, 5)).toEqual([]);
  });
});

describe('after a restart', () => {
  it('everything is as it was', () => {
    using directory = createTempDirectory();
    const path = directory.file('relay.db');
    fixture.close();
    fixture = createNativeHome({ path });
    const { id } = fixture.create(motion({ endEvents: [{ type: 'duration', durationSeconds: 60 }] }));
    fixture.create(tomorrow(), 'Tomorrow');
    fixture.native.setEnabled(systemCaller, id, false);
    fixture.fire(id);
    const before = fixture.native.list(systemCaller);
    const programs = new Map(fixture.programs);
    fixture.close();
    fixture = createNativeHome({ path, clock: new TestClock() });
    expect(fixture.native.list(systemCaller)).toEqual(before);
    expect(fixture.programs).toEqual(programs);
  });

  it('one that cannot be read any more is left out, and the others stand', () => {
    fixture.create(motion(), 'Rotten');
    fixture.create(motion(), 'Sound');
    fixture.home.database.exec(`UPDATE automations SET trigger = '{"type":"event"' WHERE name = 'Rotten'`);
    fixture.native.stop();
    fixture.programs.clear();
    const again = fixture.reopen();
    expect(again.list(systemCaller).map(({ name }) => name)).toEqual(['Sound']);
    again.stop();
  });
});

describe('references', () => {
  it('name the automation for each accessory that it watches', () => {
    const { id } = fixture.create(
      motion({
        conditions: [{ type: 'characteristic', ...fixture.on('Heater'), targetValue: undefined, value: true }],
      }),
    );
    const from = { kind: 'automation', id, name: 'Evening' };
    expect([...fixture.native.references()]).toEqual([
      { from, accessoryId: fixture.home.named('Motion').id },
      { from, accessoryId: fixture.home.named('Heater').id },
    ]);
  });
});
