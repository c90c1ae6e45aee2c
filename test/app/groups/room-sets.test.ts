import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RoomSetStore } from '../../../src/app/groups/room-set-store.ts';
import type { Room } from '../../../src/home/model.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';

let home: TestHome;
let rooms: readonly Room[];

beforeEach(() => {
  home = createTestHome();
  rooms = ['Bath', 'Bedroom', 'Attic'].map((name) => home.rooms.create(systemCaller, { homeId: home.home.id, name }));
});
afterEach(() => home.close());

/** Both kinds of sets keep the same rules. */
describe.each(['zones', 'roomGroups'] as const)('%s', (kind) => {
  const sets = () => home[kind];
  const create = (name: string, ...members: readonly Room[]) =>
    sets().create(systemCaller, { homeId: home.home.id, name, roomIds: members.map(({ id }) => id) });
  const notFound = kind === 'zones' ? 'zone_not_found' : 'not_found';

  it('are made of rooms in their order, renamed, given other rooms, and deleted', () => {
    const upstairs = create(' Upstairs ', ...[...rooms].reverse());
    expect(upstairs).toMatchObject({ name: 'Upstairs', roomIds: [...rooms].reverse().map(({ id }) => id) });
    const changed = sets().update(systemCaller, upstairs.id.toUpperCase(), { name: 'Top', roomIds: [] });
    expect(changed).toEqual({ ...upstairs, name: 'Top', roomIds: [] });
    expect(sets().list(systemCaller, home.home.id)).toEqual([changed]);
    sets().delete(systemCaller, upstairs.id);
    expect(sets().list(systemCaller)).toEqual([]);
    expect(() => sets().get(systemCaller, upstairs.id)).toThrow(expect.objectContaining({ code: notFound }));
  });

  it('have names of their own in a home, ignoring case', () => {
    const first = create('Upstairs');
    expect(() => create('UPSTAIRS')).toThrow(expect.objectContaining({ code: 'conflict' }));
    const second = create('Downstairs');
    expect(() => sets().update(systemCaller, second.id, { name: 'upstairs' })).toThrow('already');
    expect(sets().update(systemCaller, first.id, { name: 'UPstairs' }).name).toBe('UPstairs');
    expect(
      sets()
        .list(systemCaller)
        .map(({ name }) => name),
    ).toEqual(['Downstairs', 'UPstairs']);
  });

  it.each([
    ['no list', 'Bath', 'invalid_value'],
    ['something else than ids', [1], 'invalid_value'],
    ['a room twice', () => [rooms[0]?.id, rooms[0]?.id?.toUpperCase()], 'invalid_value'],
    ['a room of another home', () => [home.state.rooms(other().id)[0]?.id], 'room_not_found'],
    ['a room that is not there', ['00000000-0000-4000-8000-000000000000'], 'room_not_found'],
  ])('refuse %s', (_, given, code) => {
    const roomIds = (typeof given === 'function' ? given() : given) as string[];
    expect(() => sets().create(systemCaller, { homeId: home.home.id, name: 'Set', roomIds })).toThrow(
      expect.objectContaining({ code }),
    );
    expect(sets().list(systemCaller)).toEqual([]);
  });

  it('lose a room that is deleted, in memory and on disk', () => {
    const [bath, bedroom] = rooms as [Room, Room];
    const upstairs = create('Upstairs', bath, bedroom);
    home.rooms.delete(systemCaller, bath.id);
    const left = { ...upstairs, roomIds: [bedroom.id] };
    expect(sets().get(systemCaller, upstairs.id)).toEqual(left);
    expect(new RoomSetStore(home.database, kind).load()).toEqual([left]);
  });

  it('are managed by admins and listed by callers who may view their home', () => {
    const set = create('Upstairs');
    const viewer = tokenCaller({ [home.home.id]: 'view' });
    const stranger = tokenCaller({});
    expect(sets().list(viewer)).toEqual([set]);
    expect(sets().list(stranger)).toEqual([]);
    const input = { homeId: home.home.id, name: 'Other', roomIds: [] };
    expect(() => sets().create(viewer, input)).toThrow('Insufficient permissions');
    expect(() => sets().update(viewer, set.id, {})).toThrow('Insufficient permissions');
    expect(() => sets().delete(viewer, set.id)).toThrow('Insufficient permissions');
    expect(() => sets().create(stranger, input)).toThrow('Home not found');
    expect(() => sets().delete(stranger, set.id)).toThrow(expect.objectContaining({ code: notFound }));
  });

  it('are there again after a restart, and gone with their home', () => {
    using directory = createTempDirectory('sets');
    const path = directory.file('relay.db');
    const before = createTestHome({ path });
    const cottage = before.homes.create(systemCaller, { name: 'Cottage' });
    const roomIds = before.state.rooms(cottage.id).map(({ id }) => id);
    const set = before[kind].create(systemCaller, { homeId: cottage.id, name: 'All', roomIds });
    before.database.close();
    const after = createTestHome({ path });
    expect(after[kind].list(systemCaller)).toEqual([set]);
    after.homes.delete(systemCaller, cottage.id);
    expect(after[kind].list(systemCaller)).toEqual([]);
    expect(new RoomSetStore(after.database, kind).load()).toEqual([]);
    after.close();
  });

  it('are 200 in a home at most', () => {
    for (let n = 0; n < 200; n += 1) create(`Set ${n}`);
    expect(() => create('One more')).toThrow(expect.objectContaining({ code: 'conflict' }));
  });

  function other() {
    return home.homes.create(systemCaller, { name: 'Cottage' });
  }
});
