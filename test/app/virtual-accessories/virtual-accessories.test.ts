import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HomeEvents } from '../../../src/home/events.ts';
import type { Accessory } from '../../../src/home/model.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';
import { callerOf, createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';

let home: TestHome;
let homeId: string;

beforeEach(() => {
  home = createTestHome({ sample: true });
  homeId = home.home.id;
});

afterEach(() => home.close());

const create = (fields: object, name = 'Mode'): Accessory =>
  home.virtuals.create(systemCaller, { homeId, name, ...fields });

const modeOf = ({ id }: Accessory) =>
  home.control.getCharacteristic(systemCaller, { accessoryId: id, characteristicType: 'virtual_mode' }).value;

function refusal(act: () => unknown): HearthError {
  try {
    act();
  } catch (error) {
    if (error instanceof HearthError) return error;
    throw error;
  }
  throw new Error('It was accepted');
}

describe('creating one', () => {
  it('puts it into the room named, else into the default room, reachable at once', () => {
    const room = home.rooms.list(systemCaller, homeId).find(({ name }) => name === 'Living Room');
    const there = create({ type: 'mode', roomId: room?.id });
    const elsewhere = create({ type: 'mode', roomId: null });
    expect([there.roomId, there.reachable, there.virtual?.virtualType]).toEqual([room?.id, true, 'input_select']);
    expect(home.state.room(elsewhere.roomId)?.isDefault).toBe(true);
    expect(home.virtuals.list(systemCaller, homeId)).toEqual([there, elsewhere].sort((a, b) => (a.id < b.id ? -1 : 1)));
  });

  it('gives it an id whose last four characters nothing else in its home has', () => {
    for (let n = 0; n < 60; n += 1) create({ type: 'switch' }, `Switch ${n}`);
    const endings = home.state.accessories(homeId).map(({ id }) => id.slice(-4));
    expect(new Set(endings).size).toBe(endings.length);
  });

  it('takes no name that something in its room has, ignoring case', () => {
    create({ type: 'mode' }, 'Home Mode');
    expect(refusal(() => create({ type: 'switch' }, 'home  MODE'))).toMatchObject({
      code: 'conflict',
      message: 'Default Room has an accessory named "Home Mode" already.',
      details: { field: 'name' },
    });
    expect(refusal(() => create({ type: 'switch' }, 'heater')).code).toBe('conflict');
    const room = home.rooms.create(systemCaller, { homeId, name: 'Attic' });
    const other = create({ type: 'mode', roomId: room.id }, 'Home Mode');
    expect(other.roomId).toBe(room.id);
    // The deleted room's accessories would go to the default one.
    expect(refusal(() => home.rooms.delete(systemCaller, room.id))).toMatchObject({
      code: 'conflict',
      message: 'Default Room has an accessory named "Home Mode" already.',
    });
    home.virtuals.update(systemCaller, other.id, { name: 'Attic Mode' });
    home.rooms.delete(systemCaller, room.id);
    expect(home.state.room(other.roomId)?.isDefault).toBe(true);
  });

  it.each([
    [{ type: 'mode', name: '' }, 'invalid_value'],
    [{ type: 'lamp' }, 'invalid_value'],
    [{ type: 'mode', min: 1 }, 'invalid_request'],
    [{ type: 'mode', roomId: 'attic' }, 'room_not_found'],
    [{ type: 'mode', homeId: '00000000-0000-4000-8000-000000000000' }, 'home_not_found'],
  ])('%j leaves nothing behind', (fields, code) => {
    const before = home.state.accessories().length;
    expect(refusal(() => create(fields)).code).toBe(code);
    expect(home.state.accessories()).toHaveLength(before);
    expect(home.database.prepare('SELECT 1 FROM virtual_accessories').all()).toEqual([]);
  });

  it('is for admins; who may not see the home does not learn of it', () => {
    const make = (caller: ReturnType<typeof tokenCaller>) =>
      refusal(() => home.virtuals.create(caller, { homeId, name: 'Mode', type: 'mode' })).code;
    expect(make(tokenCaller({ [homeId]: 'control' }))).toBe('insufficient_permissions');
    expect(make(tokenCaller({}))).toBe('home_not_found');
  });

  it('ends at a thousand in a home', () => {
    const config = home.virtualDriver.parseConfig({ type: 'switch' });
    for (let n = 1; n < 1_000; n += 1) home.virtualDriver.create({ homeId, name: `Switch ${n}`, config });
    create({ type: 'switch' }, 'The last one');
    expect(refusal(() => create({ type: 'switch' })).message).toContain('1000 virtual accessories');
  });
});

describe('changing one', () => {
  it('renames and moves it by either door, and keeps its name free of namesakes', () => {
    const mode = create({ type: 'mode' });
    create({ type: 'switch' }, 'Guests');
    const attic = home.rooms.create(systemCaller, { homeId, name: 'Attic' });
    home.virtuals.update(systemCaller, mode.id, { name: 'Home Mode', roomId: attic.id });
    expect([mode.name, mode.roomId]).toEqual(['Home Mode', attic.id]);
    home.accessories.update(systemCaller, mode.id, { name: 'Guests' });
    for (const update of [home.virtuals, home.accessories]) {
      const back = () => update.update(systemCaller, mode.id, { roomId: home.named('Heater').roomId });
      expect(refusal(back).code).toBe('conflict');
    }
    expect([mode.name, mode.roomId]).toEqual(['Guests', attic.id]);
    home.accessories.update(systemCaller, mode.id, { name: null });
    expect(mode.name).toBe('Mode');
    home.virtuals.update(systemCaller, mode.id, { roomId: null });
    expect(home.state.room(mode.roomId)?.isDefault).toBe(true);
  });

  it('changes all or nothing', () => {
    const mode = create({ type: 'mode' });
    expect(refusal(() => home.virtuals.update(systemCaller, mode.id, { name: 'New', options: ['x'] })).code).toBe(
      'invalid_value',
    );
    expect(refusal(() => home.virtuals.update(systemCaller, mode.id, { name: '', options: ['x', 'y'] })).code).toBe(
      'invalid_value',
    );
    expect([mode.name, mode.virtual]).toMatchObject(['Mode', { options: ['Home', 'Away'] }]);
  });

  it('changes the value that no longer fits, and reports it once', () => {
    const mode = create({ type: 'mode' });
    const changes: HomeEvents['state.changed'][] = [];
    home.bus.on('state.changed', (change) => changes.push(change));
    home.virtuals.update(systemCaller, mode.id, { options: ['Day', 'Night'], icon: 'moon' });
    expect(changes).toMatchObject([{ accessoryId: mode.id, previous: 'Home', value: 'Day' }]);
    expect(home.virtuals.describe(mode)).toMatchObject({ options: ['Day', 'Night'], icon: 'moon' });
  });
});

describe('deleting one', () => {
  it('is refused while scenes or groups use it, and names them', () => {
    const guests = create({ type: 'switch' }, 'Guests');
    const action = { accessoryId: guests.id, characteristicType: 'on', targetValue: true };
    const scene = home.scenes.create(systemCaller, { homeId, name: 'Party', actions: [action] });
    const group = home.serviceGroups.create(systemCaller, { homeId, name: 'All', accessoryIds: [guests.id] });
    expect(refusal(() => home.virtuals.delete(systemCaller, guests.id))).toMatchObject({
      code: 'conflict',
      message: 'Guests is used by the scene "Party" and the group "All". Take it out of there first.',
    });
    home.scenes.delete(systemCaller, scene.id);
    home.serviceGroups.delete(systemCaller, group.id);
    home.virtuals.delete(systemCaller, guests.id);
    expect(home.state.accessory(guests.id)).toBeUndefined();
    expect(refusal(() => home.virtuals.delete(systemCaller, guests.id)).code).toBe('accessory_not_found');
  });

  it('deletes nothing while nothing can be stored', () => {
    const mode = create({ type: 'mode' });
    home.database.pragma('query_only = ON');
    expect(() => home.virtuals.delete(systemCaller, mode.id)).toThrow();
    home.database.pragma('query_only = OFF');
    expect(home.virtuals.list(systemCaller).map(({ id, reachable }) => [id, reachable])).toEqual([[mode.id, true]]);
    home.virtuals.delete(systemCaller, mode.id);
    expect(home.virtuals.list(systemCaller)).toEqual([]);
  });

  it('leaves nothing on the disk that is shown again', () => {
    const { address, id } = create({ type: 'mode' });
    home.virtuals.delete(systemCaller, id);
    const sql = 'SELECT removed_at FROM accessories WHERE source = ?';
    const [row] = home.database.prepare<[string], { removed_at: number | null }>(sql).all(address.source);
    expect(row?.removed_at).toEqual(expect.any(Number));
    expect(home.database.prepare('SELECT 1 FROM virtual_accessories').all()).toEqual([]);
  });

  it('comes before its home is deleted', () => {
    const cottage = home.homes.create(systemCaller, { name: 'Cottage' });
    const { id } = home.virtuals.create(systemCaller, { homeId: cottage.id, name: 'Mode', type: 'mode' });
    expect(refusal(() => home.homes.delete(systemCaller, cottage.id)).message).toBe(
      'Cottage still has virtual accessories. Delete them first.',
    );
    home.virtuals.delete(systemCaller, id);
    home.homes.delete(systemCaller, cottage.id);
    expect(home.state.home(cottage.id)).toBeUndefined();
  });
});

it('devices are no virtual accessories', () => {
  const { id } = home.named('Lamp');
  expect(home.virtuals.list(systemCaller)).toEqual([]);
  expect(home.virtuals.describe(home.named('Lamp'))).toBeNull();
  for (const act of [
    () => home.virtuals.get(systemCaller, id),
    () => home.virtuals.update(systemCaller, id, { name: 'X' }),
    () => home.virtuals.delete(systemCaller, id),
    () => home.virtuals.operate(systemCaller, id, 'toggle'),
  ])
    expect(refusal(act)).toMatchObject({ code: 'accessory_not_found', message: 'Accessory not found' });
});

describe('operating one', () => {
  it('answers with its value and a timer’s state, and changes the home’s state once', () => {
    const timer = create({ type: 'timer', duration: 90 }, 'Tea');
    const changes: unknown[] = [];
    home.bus.on('state.changed', ({ value, origin }) => changes.push([value, origin]));
    expect(home.virtuals.operate(systemCaller, timer.id, 'start')).toMatchObject({
      value: 'active',
      timer: { status: 'active', remainingMs: 90_000 },
    });
    expect(home.virtuals.operate(systemCaller, timer.id, 'start')).toMatchObject({ value: 'active' });
    expect(changes).toEqual([['active', 'write']]);
  });

  it('announces a timer that has run out as its own doing', async () => {
    const timer = create({ type: 'timer', duration: 90 }, 'Tea');
    home.virtuals.operate(systemCaller, timer.id, 'start');
    const changes: unknown[] = [];
    home.bus.on('state.changed', ({ value, origin }) => changes.push([value, origin]));
    await home.clock.advance(90_000);
    expect(changes).toEqual([['idle', 'device']]);
  });

  it('is for callers who may control it, and not while its home is paused', () => {
    const mode = create({ type: 'mode' });
    const code = (caller: ReturnType<typeof tokenCaller>) =>
      refusal(() => home.virtuals.operate(caller, mode.id, 'set', 'Away')).code;
    expect(code(tokenCaller({ [homeId]: 'view' }))).toBe('insufficient_permissions');
    expect(code(tokenCaller({}))).toBe('accessory_not_found');
    home.homes.update(systemCaller, homeId, { paused: true });
    expect(code(tokenCaller())).toBe('relay_not_connected');
    expect(modeOf(mode)).toBe('Home');
  });

  it.each([undefined, null, 5, '', 'explode', {}])('%j is no operation', (operation) => {
    const mode = create({ type: 'mode' });
    expect(refusal(() => home.virtuals.operate(systemCaller, mode.id, operation)).code).toBe('invalid_value');
  });
});

describe('scenes and groups', () => {
  it('act on virtual accessories and devices alike', async () => {
    const mode = create({ type: 'mode' });
    const tea = create({ type: 'timer', duration: 60 }, 'Tea');
    const actions = [
      { accessoryId: mode.id, characteristicType: 'public.hap.characteristic.virtual-mode', targetValue: 'away' },
      { accessoryId: tea.id, characteristicType: 'virtual_timer', targetValue: true },
      { accessoryId: home.named('Lamp').id, characteristicType: 'on', targetValue: true },
    ];
    const scene = home.scenes.create(systemCaller, { homeId, name: 'Leaving', actions });
    expect(await home.scenes.execute(systemCaller, scene.id)).toMatchObject({ success: true, failed: 0 });
    expect([modeOf(mode), home.virtuals.describe(tea)?.timer?.status]).toEqual(['Away', 'active']);
    expect(home.driver.writes).toHaveLength(1);
    const nowhere = [{ accessoryId: mode.id, characteristicType: 'virtual_mode', targetValue: 'Party' }];
    expect(refusal(() => home.scenes.create(systemCaller, { homeId, name: 'Party', actions: nowhere })).code).toBe(
      'invalid_value',
    );
  });

  it('switch virtual switches together with real ones', async () => {
    const guests = create({ type: 'switch' }, 'Guests');
    const accessoryIds = [guests.id, home.named('Heater').id];
    const group = home.serviceGroups.create(systemCaller, { homeId, name: 'All', accessoryIds });
    const result = await home.serviceGroups.set(systemCaller, group.id, { characteristicType: 'on', value: true });
    expect(result).toMatchObject({ success: true, affectedCount: 2 });
    const { value } = home.control.getCharacteristic(systemCaller, {
      accessoryId: guests.id,
      characteristicType: 'on',
    });
    expect(value).toBe(true);
  });
});

describe('one that people may not change', () => {
  it('is read-only in every way but for automations', async () => {
    const mode = create({ type: 'mode', controllable: false });
    const outcomes = await home.control.setProperties(systemCaller, [
      { accessoryId: mode.id, settings: { mode: 'Away' } },
    ]);
    expect(outcomes[0]?.settings).toEqual([
      { property: 'mode', ok: false, code: 'characteristic_not_writable', message: 'Mode is read-only' },
    ]);
    const write = { accessoryId: mode.id, characteristicType: 'virtual_mode', value: 'Away' };
    await expect(home.control.setCharacteristic(systemCaller, write)).rejects.toMatchObject({
      code: 'characteristic_not_writable',
      message: 'Mode is read-only',
    });
    expect(refusal(() => home.virtuals.operate(systemCaller, mode.id, 'set', 'Away'))).toMatchObject({
      code: 'characteristic_not_writable',
      message: 'Mode is read-only',
    });
    const automation = callerOf({ kind: 'automation', automationId: 'a', homeId });
    expect(home.virtuals.operate(automation, mode.id, 'set', 'Away').value).toBe('Away');
    expect(home.virtuals.describe(mode)?.isUserEditable).toBe(false);
  });
});

describe('a restart', () => {
  it('finds each under its id, name and room with the value that was acknowledged last, and announces nothing', async () => {
    home.close();
    const directory = createTempDirectory('virtual');
    const clock = new TestClock();
    home = createTestHome({ path: directory.file('relay.db'), clock });
    homeId = home.home.id;
    const attic = home.rooms.create(systemCaller, { homeId, name: 'Attic' });
    const { id } = create({ type: 'mode', roomId: attic.id });
    home.accessories.update(systemCaller, id, { name: 'Home Mode' });
    // A value that reached the last known values, and one after it that did not: the driver's own word counts.
    home.virtuals.operate(systemCaller, id, 'set', 'Away');
    home.lastValues.flush();
    home.virtuals.operate(systemCaller, id, 'set', 'Home');
    home.database.close();
    home = createTestHome({ path: directory.file('relay.db'), clock });
    const mode = home.state.accessory(id);
    expect([mode?.name, mode?.roomId, mode?.reachable]).toEqual(['Home Mode', attic.id, true]);
    expect(mode && modeOf(mode)).toBe('Home');
    home.close();
    directory.remove();
    home = createTestHome();
  });
});
