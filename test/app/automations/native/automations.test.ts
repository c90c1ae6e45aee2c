import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RoleSource } from '../../../../src/app/access/authorize.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller, tokenCaller, userCaller } from '../../../support/test-home.ts';
import { createNativeHome, type NativeHome, refusal } from './native-home.ts';

let lab: NativeHome;

beforeEach(() => {
  lab = createNativeHome();
});
afterEach(() => lab.close());

const motion = (more: object = {}) => ({
  type: 'event',
  events: [
    {
      type: 'characteristic',
      accessoryId: lab.home.named('Motion').id,
      characteristicType: 'motion_detected',
      triggerValue: true,
    },
  ],
  ...more,
});
const tomorrow = () => ({ type: 'timer', fireDate: new Date(lab.home.clock.now() + 86_400_000).toISOString() });
const ownedScenes = () => lab.home.state.scenes.list(lab.home.home.id);

describe('creating a native automation', () => {
  it('keeps what it does as a scene of its own, which is not listed and cannot be changed by itself', () => {
    const { id, sceneId } = lab.create(motion());
    expect(ownedScenes()).toMatchObject([{ id: sceneId, name: 'Evening', automationId: id }]);
    expect(lab.home.scenes.list(systemCaller).map((scene) => scene.id)).not.toContain(sceneId);
    expect(lab.home.scenes.get(systemCaller, sceneId).automationId).toBe(id);
    expect(refusal(() => lab.home.scenes.delete(systemCaller, sceneId)).code).toBe('conflict');
    expect(lab.native.nameOf(id)).toBe('Evening');
  });

  it('hands it to the engine, enabled', () => {
    const { id } = lab.create(motion());
    expect(lab.programs.get(id)).toMatchObject({ kind: 'native', name: 'Evening', enabled: true });
  });

  it('refuses names that end in no letter or number, are taken, or are none; other homes do not count', () => {
    lab.create(motion());
    expect(refusal(() => lab.create(motion(), 'Party!')).message).toContain('"Party" would do');
    expect(refusal(() => lab.create(motion(), 'EVENING')).code).toBe('conflict');
    expect(refusal(() => lab.create(motion(), ' ')).code).toBe('invalid_value');
    const other = lab.home.homes.create(systemCaller, { name: 'Cabin' });
    const input = { homeId: other.id, name: 'Evening', trigger: tomorrow(), actions: [lab.on()] };
    expect(refusal(() => lab.native.create(systemCaller, input)).code).toBe('accessory_not_found');
    lab.home.scenes.create(systemCaller, { homeId: lab.home.home.id, name: 'Morning', actions: [lab.on()] });
    expect(lab.create(motion(), 'Morning').name).toBe('Morning');
  });

  it('refuses actions as scenes do, and then keeps nothing', () => {
    expect(refusal(() => lab.create(motion(), 'A', []))).toMatchObject({ code: 'invalid_value', field: 'actions' });
    expect(refusal(() => lab.create(motion(), 'A', [lab.on(), { ...lab.on('Heater'), targetValue: 7 }]))).toMatchObject(
      {
        field: 'actions[1].targetValue',
      },
    );
    expect(lab.native.list(systemCaller)).toEqual([]);
    expect(ownedScenes()).toEqual([]);
  });
});

describe('changing a native automation', () => {
  it('keeps its id and its scene when the trigger, the actions and the name change', () => {
    const { id, sceneId } = lab.create(motion());
    const changed = lab.native.update(systemCaller, id.toUpperCase(), {
      name: 'Night',
      trigger: tomorrow(),
      actions: [lab.on('Heater', false)],
    });
    expect(changed).toMatchObject({ id, sceneId, name: 'Night', trigger: { type: 'timer' } });
    expect(ownedScenes()).toMatchObject([{ id: sceneId, name: 'Night', actions: [{ value: false }] }]);
    expect(lab.programs.get(id)).toMatchObject({ name: 'Night', triggers: [{ type: 'timer' }] });
  });

  it('does all of it or nothing', () => {
    const { id } = lab.create(motion());
    refusal(() => lab.native.update(systemCaller, id, { name: 'Night', trigger: { type: 'event' } }));
    refusal(() => lab.native.update(systemCaller, id, { name: 'Night', enabled: 'no' }));
    expect(refusal(() => lab.native.update(systemCaller, id, {})).code).toBe('invalid_request');
    expect(lab.native.get(systemCaller, id)).toMatchObject({ name: 'Evening', enabled: true });
  });

  it('enables and disables', () => {
    const { id } = lab.create(motion());
    expect(lab.native.setEnabled(systemCaller, id, false).enabled).toBe(false);
    expect(lab.programs.get(id)?.enabled).toBe(false);
    expect(lab.stored(id)).toMatchObject({ enabled: 0 });
    lab.native.setEnabledBy(lab.home.home.id, id, true);
    expect(lab.programs.get(id)?.enabled).toBe(true);
    expect(refusal(() => lab.native.setEnabledBy('another home', id, false)).code).toBe('automation_not_found');
  });

  it('enables no timer whose one moment has passed, but lets it be renamed', async () => {
    const { id } = lab.create(tomorrow());
    lab.native.setEnabled(systemCaller, id, false);
    await lab.home.clock.advance(2 * 86_400_000);
    expect(refusal(() => lab.native.setEnabled(systemCaller, id, true)).field).toBe('trigger.fireDate');
    expect(lab.native.update(systemCaller, id, { name: 'Over' }).name).toBe('Over');
  });

  it('takes back what it shows', () => {
    const automation = lab.create(motion({ recurrences: [{ weekday: 2 }] }));
    const { trigger, actions } = lab.show(automation);
    const again = lab.native.update(systemCaller, automation.id, { trigger, actions });
    expect(again).toEqual(automation);
  });

  it('deletes it with its scene, from the disk and from the engine', () => {
    const { id } = lab.create(motion());
    lab.native.delete(systemCaller, id);
    expect(lab.native.list(systemCaller)).toEqual([]);
    expect(ownedScenes()).toEqual([]);
    expect(lab.programs.size).toBe(0);
    expect(lab.home.database.prepare('SELECT count(*) AS n FROM scenes').get()).toEqual({ n: 0 });
  });

  it('forgets those of a home that is deleted', () => {
    const cabin = lab.home.homes.create(systemCaller, { name: 'Cabin' });
    const virtual = lab.home.virtuals.create(systemCaller, { homeId: cabin.id, name: 'Guests', type: 'switch' });
    const actions = [{ accessoryId: virtual.id, characteristicType: 'on', targetValue: true }];
    const { id } = lab.native.create(systemCaller, { homeId: cabin.id, name: 'Cosy', trigger: tomorrow(), actions });
    lab.home.state.removeHome(cabin.id);
    expect(lab.programs.has(id)).toBe(false);
    expect(refusal(() => lab.native.get(systemCaller, id)).code).toBe('automation_not_found');
  });
});

describe('who may', () => {
  const roles: RoleSource = { roleOf: (user) => (user === 'ann' ? 'admin' : 'control'), homesOf: () => [] };

  it('an admin makes and changes, others only read, strangers know nothing of it', () => {
    lab.close();
    lab = createNativeHome({ roles });
    const { id } = lab.create(motion());
    expect(lab.native.update(userCaller('ann'), id, { name: 'Ann’s' }).name).toBe('Ann’s');
    const bob = userCaller('bob');
    expect(lab.native.get(bob, id).id).toBe(id);
    const refused = [
      () => lab.native.create(bob, { homeId: lab.home.home.id, name: 'B', trigger: motion(), actions: [lab.on()] }),
      () => lab.native.update(bob, id, { name: 'B' }),
      () => lab.native.setEnabled(bob, id, false),
      () => lab.native.delete(bob, id),
    ];
    for (const call of refused) expect(refusal(call).code).toBe('insufficient_permissions');
    const stranger = tokenCaller({});
    expect(refusal(() => lab.native.get(stranger, id)).code).toBe('automation_not_found');
    expect(lab.native.list(stranger)).toEqual([]);
  });

  it('nobody may edit where the relay’s account may only view the home, but everybody reads', () => {
    const { id } = lab.create(motion());
    lab.home.homes.update(systemCaller, lab.home.home.id, { privileges: 'view' });
    const refused = [
      () => lab.create(motion(), 'B'),
      () => lab.native.update(systemCaller, id, { name: 'B' }),
      () => lab.native.setEnabled(systemCaller, id, false),
      () => lab.native.setEnabledBy(lab.home.home.id, id, false),
      () => lab.native.delete(systemCaller, id),
    ];
    for (const call of refused) {
      expect(refusal(call)).toMatchObject({
        code: 'insufficient_platform_privileges',
        message: 'Insufficient platform privileges',
      });
    }
    expect(lab.native.get(systemCaller, id).name).toBe('Evening');
  });
});

describe('what fires', () => {
  it('is known to have fired, in memory at once and on the disk within a second', async () => {
    const { id } = lab.create(motion());
    lab.fire(id);
    expect(lab.native.get(systemCaller, id).lastFireAt).toBe(lab.home.clock.now());
    expect(lab.stored(id)?.last_fire_at).toBeNull();
    await lab.home.clock.advance(1000);
    expect(lab.stored(id)?.last_fire_at).not.toBeNull();
  });

  it('once, is disabled on the disk before the event is through', () => {
    const { id } = lab.create(motion({ executeOnce: true }));
    lab.count(id);
    expect(lab.native.get(systemCaller, id).enabled).toBe(true);
    lab.fire(id);
    expect(lab.stored(id)).toEqual({ enabled: 0, last_fire_at: lab.home.clock.now() });
    expect(lab.programs.get(id)?.enabled).toBe(false);
    expect(lab.native.get(systemCaller, id)).toMatchObject({ enabled: false, lastFireAt: lab.home.clock.now() });
    expect(lab.native.setEnabled(systemCaller, id, true).enabled).toBe(true);
  });

  it('at one moment, is over after it, and after having missed it', () => {
    const fired = lab.create(tomorrow(), 'Fired');
    const missed = lab.create(tomorrow(), 'Missed');
    const daily = lab.create({ ...tomorrow(), recurrenceType: 'daily' }, 'Daily');
    lab.fire(fired.id);
    lab.count(missed.id, 'missed');
    lab.fire(daily.id);
    lab.count(daily.id, 'missed');
    const enabled = lab.native.list(systemCaller).map(({ name, enabled }) => [name, enabled]);
    expect(enabled).toEqual([
      ['Daily', true],
      ['Fired', false],
      ['Missed', false],
    ]);
    expect(lab.native.get(systemCaller, missed.id).lastFireAt).toBeNull();
  });

  it('is written when the daemon stops, and nothing listens any more', () => {
    const { id } = lab.create(motion());
    lab.fire(id);
    lab.native.stop();
    expect(lab.stored(id)?.last_fire_at).not.toBeNull();
    expect(lab.listeners.size).toBe(0);
  });

  it('does it no second time where nothing can be written, and is written once that can be again', async () => {
    const { id } = lab.create(motion({ executeOnce: true }));
    lab.home.database.exec('ALTER TABLE automations RENAME TO away');
    lab.fire(id);
    expect(lab.programs.get(id)?.enabled).toBe(false);
    await lab.home.clock.advance(5 * 60_000);
    lab.home.database.exec('ALTER TABLE away RENAME TO automations');
    expect(lab.stored(id)).toMatchObject({ enabled: 1 });
    await lab.home.clock.advance(60_000);
    expect(lab.stored(id)).toMatchObject({ enabled: 0 });
  });
});

describe('when it will fire', () => {
  const HOUR = 3_600_000;

  it('says what the engine says', () => {
    const { id } = lab.create({ ...tomorrow(), recurrenceType: 'daily' });
    lab.moments.push(...[1, 2, 3].map((n) => lab.home.clock.now() + n * HOUR));
    expect(lab.native.nextFireDates(systemCaller, id, 2)).toEqual(lab.moments.slice(0, 2));
  });

  it('leaves out the days on which it does not', () => {
    const now = lab.home.clock.now();
    const calendar = { type: 'calendar', calendarComponents: { hour: 7 } };
    const { id } = lab.create({ type: 'event', events: [calendar], recurrences: [{ weekday: 2 }] });
    lab.moments.push(...Array.from({ length: 40 }, (_, day) => now + day * 24 * HOUR + HOUR));
    const dates = lab.native.nextFireDates(systemCaller, id, 3);
    expect(dates).toHaveLength(3);
    expect(new Set(dates.map((at) => new Date(at).getDay()))).toEqual(new Set([1]));
  });

  it('finds its day behind any number of moments on others', () => {
    const minutely = { type: 'calendar', calendarComponents: { second: 0 } };
    const { id } = lab.create({ type: 'event', events: [minutely], recurrences: [{ weekday: 2 }] });
    const now = Math.floor(lab.home.clock.now() / 60_000) * 60_000;
    lab.moments.push(...Array.from({ length: 15 * 24 * 60 }, (_, minute) => now + (minute + 1) * 60_000));
    const dates = lab.native.nextFireDates(systemCaller, id, 3);
    expect(dates).toHaveLength(3);
    expect(dates.map((at) => new Date(at).getDay())).toEqual([1, 1, 1]);
    expect(dates[2]).toBe((dates[0] ?? 0) + 120_000);
  });

  it('has one date where it fires once, and none while it is disabled', () => {
    lab.moments.push(lab.home.clock.now() + HOUR, lab.home.clock.now() + 2 * HOUR);
    const { id } = lab.create({ ...tomorrow(), recurrenceType: 'daily', executeOnce: true });
    expect(lab.native.nextFireDates(systemCaller, id, 5)).toEqual(lab.moments.slice(0, 1));
    lab.native.setEnabled(systemCaller, id, false);
    expect(lab.native.nextFireDates(systemCaller, id, 5)).toEqual([]);
  });
});

describe('after a restart', () => {
  it('everything is as it was', () => {
    using directory = createTempDirectory();
    const path = directory.file('relay.db');
    lab.close();
    lab = createNativeHome({ path });
    const { id } = lab.create(motion({ endEvents: [{ type: 'duration', durationSeconds: 60 }] }));
    lab.create(tomorrow(), 'Tomorrow');
    lab.native.setEnabled(systemCaller, id, false);
    lab.fire(id);
    const before = lab.native.list(systemCaller);
    const programs = new Map(lab.programs);
    lab.close();
    lab = createNativeHome({ path, clock: new TestClock() });
    expect(lab.native.list(systemCaller)).toEqual(before);
    expect(lab.programs).toEqual(programs);
  });

  it('one that cannot be read any more is left out, and the others stand', () => {
    lab.create(motion(), 'Rotten');
    lab.create(motion(), 'Sound');
    lab.home.database.exec(`UPDATE automations SET trigger = '{"type":"event"' WHERE name = 'Rotten'`);
    lab.native.stop();
    lab.programs.clear();
    const again = lab.reopen();
    expect(again.list(systemCaller).map(({ name }) => name)).toEqual(['Sound']);
    again.stop();
  });
});

describe('references', () => {
  it('name the automation for each accessory that it watches', () => {
    lab.create(
      motion({ conditions: [{ type: 'characteristic', ...lab.on('Heater'), targetValue: undefined, value: true }] }),
    );
    expect([...lab.native.references()]).toEqual([
      { from: 'the automation "Evening"', accessoryId: lab.home.named('Motion').id },
      { from: 'the automation "Evening"', accessoryId: lab.home.named('Heater').id },
    ]);
  });
});
