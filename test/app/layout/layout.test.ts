import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HomeChanges } from '../../../src/contract/homes.ts';
import type { Accessory } from '../../../src/home/model.ts';
import { PNG } from '../../support/pictures.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('the layout', () => {
  let test: TestHome;

  beforeEach(() => {
    test = createTestHome({ sample: true });
  });

  afterEach(() => test.close());

  describe('homes', () => {
    it('begin with one, which has its default room', () => {
      expect(test.homes.list(systemCaller)).toEqual([expect.objectContaining({ name: 'My Home', paused: false })]);
      expect(test.state.rooms().filter(({ isDefault }) => isDefault)).toEqual([
        expect.objectContaining({ name: 'Default Room', homeId: test.home.id }),
      ]);
    });

    it('are made with a default room and reported to the driver', () => {
      const home = test.homes.create(systemCaller, { name: '  Cottage ' });
      expect(home.name).toBe('Cottage');
      expect(test.rooms.list(systemCaller, home.id)).toEqual([expect.objectContaining({ isDefault: true })]);
      expect(test.driver.pauses).toEqual([{ homeId: home.id, paused: false }]);
      expect(test.homes.get(systemCaller, home.id.toUpperCase())).toBe(home);
    });

    it('have names of their own, ignoring case', () => {
      const { id } = test.homes.create(systemCaller, { name: 'Straße' });
      expect(() => test.homes.create(systemCaller, { name: 'MY HOME' })).toThrow(code('conflict'));
      expect(() => test.homes.update(systemCaller, id, { name: 'my home' })).toThrow(code('conflict'));
      expect(test.homes.update(systemCaller, id, { name: 'STRASSE 2' }).name).toBe('STRASSE 2');
      expect(test.homes.update(systemCaller, id, { name: 'Strasse 2' }).name).toBe('Strasse 2');
    });

    it('are paused and resumed through the driver, once a change', () => {
      test.homes.update(systemCaller, test.home.id, { paused: true });
      test.homes.update(systemCaller, test.home.id, { paused: true, privileges: 'view' });
      expect(test.state.home(test.home.id)).toMatchObject({ paused: true, privileges: 'view' });
      expect(test.state.isConnected(test.home.id)).toBe(false);
      test.homes.update(systemCaller, test.home.id, { paused: false });
      expect(test.driver.pauses.map(({ paused }) => paused)).toEqual([true, false]);
    });

    it.each([{ paused: 'yes' }, { privileges: 'owner' }, { name: '' }, { name: 3 }, { paused: true, name: ' ' }])(
      'change wholly or not at all: %j',
      (changes) => {
        expect(() => test.homes.update(systemCaller, test.home.id, changes as HomeChanges)).toThrow(
          code('invalid_value'),
        );
        expect(test.homes.get(systemCaller, test.home.id)).toEqual(test.home);
        expect(test.driver.pauses).toEqual([]);
      },
    );

    it('are not deleted while they are the last one or have accessories', () => {
      expect(() => test.homes.delete(systemCaller, test.home.id)).toThrow(code('conflict'));
      const other = test.homes.create(systemCaller, { name: 'Cottage' });
      expect(() => test.homes.delete(systemCaller, test.home.id)).toThrow(code('conflict'));
      test.homes.delete(systemCaller, other.id);
      expect(test.homes.list(systemCaller)).toHaveLength(1);
      expect(test.database.prepare('SELECT count(*) FROM rooms WHERE home_id = ?').pluck().get(other.id)).toBe(0);
    });

    it('are not deleted while a pairing into them is being made', () => {
      const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
      test.database
        .prepare(
          `INSERT INTO pairings (device_id, home_id, name, model, category, state, controller_id, controller_public_key,
                                 controller_secret_key, paired_at)
           VALUES ('AA:BB:CC:00:00:01', ?, 'Plug', '', 8, 'exchanging', 'us', x'00', x'00', 1)`,
        )
        .run(cottage.id);
      expect(() => test.homes.delete(systemCaller, cottage.id)).toThrow(code('conflict'));
      expect(test.rooms.list(systemCaller, cottage.id)).toHaveLength(1);
    });

    it('are deleted once the last device is unpaired, remembered accessories and all', async () => {
      test.homes.create(systemCaller, { name: 'Cottage' });
      for (const { deviceId } of test.driver.listPaired()) await test.pairings.unpair(systemCaller, deviceId);
      test.homes.delete(systemCaller, test.home.id);
      expect(test.database.prepare('SELECT count(*) FROM accessories').pluck().get()).toBe(0);
      expect(test.state.home(test.home.id)).toBeUndefined();
    });

    it('ask for admin to change, for owner to make and delete, and hide themselves from strangers', () => {
      const viewer = tokenCaller({ [test.home.id]: 'control' });
      const stranger = tokenCaller({ 'other-home': 'control' });
      expect(test.homes.get(viewer, test.home.id)).toBe(test.home);
      expect(() => test.homes.update(viewer, test.home.id, {})).toThrow(code('insufficient_permissions'));
      expect(() => test.homes.delete(viewer, test.home.id)).toThrow(code('insufficient_permissions'));
      expect(() => test.homes.create(viewer, { name: 'Mine' })).toThrow(code('insufficient_permissions'));
      expect(test.homes.list(stranger)).toEqual([]);
      for (const id of [test.home.id, 'no-such-home']) {
        for (const act of [
          () => test.homes.get(stranger, id),
          () => test.homes.update(stranger, id, {}),
          () => test.homes.delete(stranger, id),
          () => test.rooms.list(stranger, id),
          () => test.rooms.create(stranger, { homeId: id, name: 'Den' }),
        ]) {
          expect(act).toThrow(expect.objectContaining({ code: 'home_not_found', message: 'Home not found' }));
        }
      }
    });

    it('come back under their own id when only the pairings remember them', () => {
      const restored = test.layout.restoreHome('0a000000-0000-4000-8000-00000000000a', 'My Home');
      expect(restored).toMatchObject({ id: '0a000000-0000-4000-8000-00000000000a', name: 'My Home 2' });
      expect(test.rooms.list(systemCaller, restored.id)).toHaveLength(1);
      expect(test.layout.restoreHome(restored.id, 'Whatever')).toEqual(restored);
      expect(test.homes.list(systemCaller)).toHaveLength(2);
    });
  });

  describe('rooms', () => {
    it('have names of their own in their home, ignoring case', () => {
      const other = test.homes.create(systemCaller, { name: 'Cottage' });
      const make = (homeId: string, name: string) => test.rooms.create(systemCaller, { homeId, name });
      expect(() => make(test.home.id, 'LIVING ROOM')).toThrow(code('conflict'));
      expect(make(other.id, 'Living Room').homeId).toBe(other.id);
      const den = make(test.home.id, 'Den');
      expect(() => test.rooms.update(systemCaller, den.id, { name: 'default room' })).toThrow(code('conflict'));
      expect(test.rooms.update(systemCaller, den.id, { name: 'DEN' }).name).toBe('DEN');
      expect(() => test.rooms.update(systemCaller, den.id, { name: '\u0000' })).toThrow(code('invalid_value'));
    });

    it('are 500 in a home at most', () => {
      const { id: homeId } = test.homes.create(systemCaller, { name: 'Castle' });
      for (let n = 2; n <= 500; n += 1) test.rooms.create(systemCaller, { homeId, name: `Room ${n}` });
      expect(() => test.rooms.create(systemCaller, { homeId, name: 'One more' })).toThrow(code('conflict'));
      expect(test.rooms.list(systemCaller, homeId)).toHaveLength(500);
    });

    it('leave their accessories to the default room when deleted', () => {
      const lamp = test.named('Lamp');
      const fallback = test.state.rooms().find(({ isDefault }) => isDefault);
      const deleted = lamp.roomId;
      test.rooms.delete(systemCaller, deleted);
      expect(lamp.roomId).toBe(fallback?.id);
      expect(test.state.room(deleted)).toBeUndefined();
      expect(test.database.prepare('SELECT count(*) FROM accessories WHERE room_id = ?').pluck().get(deleted)).toBe(0);
    });

    it('take in remembered accessories too when their room goes', async () => {
      const { roomId, address } = test.named('Lamp');
      await test.pairings.unpair(systemCaller, address.source);
      test.rooms.delete(systemCaller, roomId);
      const again = await test.pairings.pair(systemCaller, { device: address.source, setupCode: '031-45-154' });
      expect(again.deviceId).toBe(address.source);
      expect(test.state.room(test.named('Lamp').roomId)?.isDefault).toBe(true);
    });

    it('keep the default one, which may be renamed', () => {
      const fallback = test.state.rooms().find(({ isDefault }) => isDefault)?.id ?? '';
      expect(() => test.rooms.delete(systemCaller, fallback)).toThrow(code('conflict'));
      expect(test.rooms.update(systemCaller, fallback, { name: 'Elsewhere' })).toMatchObject({
        name: 'Elsewhere',
        isDefault: true,
      });
    });

    it('are listed for those who may see their home, and changed by its admins', () => {
      const viewer = tokenCaller({ [test.home.id]: 'view' });
      const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
      const [foreign] = test.rooms.list(systemCaller, cottage.id);
      expect(test.rooms.list(viewer).map(({ name }) => name)).toEqual(['Default Room', 'Living Room']);
      expect(test.rooms.list(systemCaller)).toHaveLength(3);
      const { roomId } = test.named('Lamp');
      expect(test.rooms.get(viewer, roomId).name).toBe('Living Room');
      for (const act of [
        () => test.rooms.update(viewer, roomId, { name: 'Mine' }),
        () => test.rooms.delete(viewer, roomId),
        () => test.rooms.create(viewer, { homeId: test.home.id, name: 'Mine' }),
      ]) {
        expect(act).toThrow(code('insufficient_permissions'));
      }
      for (const id of [foreign?.id ?? '', 'no-such-room']) {
        expect(() => test.rooms.get(viewer, id)).toThrow(code('room_not_found'));
        expect(() => test.rooms.update(viewer, id, { name: 'Mine' })).toThrow(code('room_not_found'));
        expect(() => test.rooms.delete(viewer, id)).toThrow(code('room_not_found'));
      }
    });
  });

  describe('accessories', () => {
    it('go by their owner’s name until it is taken back', () => {
      const { id } = test.named('Lamp');
      expect(test.accessories.update(systemCaller, id, { name: ' Reading lamp ' }).name).toBe('Reading lamp');
      test.driver.describe('10:00:00:00:00:01', [{ aid: '1', name: 'Lamp V2', category: 5, services: [] }]);
      expect(test.state.accessory(id)?.name).toBe('Reading lamp');
      expect(test.accessories.update(systemCaller, id.toUpperCase(), { name: null }).name).toBe('Lamp V2');
    });

    it('change name and room together or not at all', () => {
      const lamp = test.named('Lamp');
      const [fallback] = test.state.rooms();
      const before = { name: lamp.name, roomId: lamp.roomId };
      const update = (changes: object) => () => test.accessories.update(systemCaller, lamp.id, changes);
      expect(update({ name: 'New', roomId: 'no-such-room' })).toThrow(code('room_not_found'));
      expect(update({ name: 'New', roomId: 5 })).toThrow(code('invalid_value'));
      expect(update({ name: '', roomId: fallback?.id })).toThrow(code('invalid_value'));
      expect(test.state.accessory(lamp.id)).toMatchObject(before);
      expect(update({ name: 'New', roomId: fallback?.id.toUpperCase() })()).toMatchObject({
        name: 'New',
        roomId: fallback?.id,
      });
    });

    it('do not move into another home', () => {
      const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
      const [room] = test.rooms.list(systemCaller, cottage.id);
      expect(() => test.accessories.update(systemCaller, test.named('Lamp').id, { roomId: room?.id })).toThrow(
        code('room_not_found'),
      );
    });

    it('are renamed and moved by admins only', () => {
      const { id } = test.named('Lamp');
      const update = (caller: typeof systemCaller, accessoryId: string) => () =>
        test.accessories.update(caller, accessoryId, { name: 'Mine' });
      expect(update(tokenCaller({ [test.home.id]: 'control' }), id)).toThrow(code('insufficient_permissions'));
      expect(update(tokenCaller({ other: 'control' }), id)).toThrow(code('accessory_not_found'));
      expect(update(systemCaller, 'no-such-accessory')).toThrow(code('accessory_not_found'));
    });
  });

  it('is on the disk before an operation returns', () => {
    using directory = createTempDirectory('layout');
    const path = directory.file('relay.db');
    const stored = ({ id, name, roomId, icon }: Accessory) => ({ id, name, roomId, icon });
    /** What a daemon that was killed and started again shows. */
    const reopen = (): unknown => {
      const again = createTestHome({ path });
      const { homes, rooms, accessories } = {
        homes: again.state.homes(),
        rooms: again.state.rooms(),
        accessories: again.state.accessories(),
      };
      again.database.close();
      return { homes, rooms, accessories: accessories.map(stored) };
    };
    const live = createTestHome({ path, sample: true });
    const shown = (): unknown => ({
      homes: live.state.homes(),
      rooms: live.state.rooms(),
      accessories: live.state.accessories().map(stored),
    });
    const lamp = live.named('Lamp');
    const cottage = live.homes.create(systemCaller, { name: 'Cottage' });
    const den = live.rooms.create(systemCaller, { homeId: live.home.id, name: 'Den' });
    const mutations: (() => unknown)[] = [
      () => live.homes.update(systemCaller, cottage.id, { name: 'Hut', paused: true, privileges: 'view' }),
      () => live.rooms.update(systemCaller, den.id, { name: 'Study' }),
      () => live.accessories.update(systemCaller, lamp.id, { name: 'Desk', roomId: den.id }),
      () => live.accessories.update(systemCaller, lamp.id, { name: null, icon: 'lamp-desk' }),
      () => live.rooms.update(systemCaller, den.id, { color: 'teal' }),
      () => live.rooms.setPicture(systemCaller, den.id, PNG),
      () => live.rooms.update(systemCaller, den.id, { color: null }),
      () => live.rooms.delete(systemCaller, den.id),
      () => live.registry.forget('10:00:00:00:00:06'),
      () => live.homes.delete(systemCaller, cottage.id),
    ];
    expect(reopen()).toEqual(shown());
    for (const mutate of mutations) {
      mutate();
      expect(reopen()).toEqual(shown());
    }
    live.close();
  });
});
