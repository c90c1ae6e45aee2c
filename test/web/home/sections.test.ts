import { describe, expect, it } from 'vitest';
import {
  EMPTY_ARRANGEMENT,
  GROUPS,
  withAccessoryOrder,
  withHidden,
  withoutStrangers,
  withRoomOrder,
} from '../../../src/web/dashboard/pages/home/arrangement.ts';
import { floorsOf, groupSection, sectionsOf, shownSections } from '../../../src/web/dashboard/pages/home/sections.ts';
import { accessoryOf, lamp } from './home-parts.ts';

const room = (id: string, name: string, isDefault = false) => ({ id, name, isDefault, color: null, pictureHash: null });
const ROOMS = [room('d', 'Default Room', true), room('k', 'Kitchen'), room('b', 'Bath')];
const group = (id: string, name: string, accessoryIds: string[], roomId: string | null) =>
  ({
    id,
    name,
    kind: 'light',
    serviceIds: [],
    accessoryIds,
    accessory: roomId === null ? null : lamp(id, true, { roomId }),
  }) as never;

const INVENTORY = {
  rooms: ROOMS,
  accessories: [
    lamp('lamp', true, { roomId: 'k' }),
    lamp('oven', true, { roomId: 'k' }),
    accessoryOf('bridge', [{ type: 'protocol_information', values: { version: '1' } }], { roomId: 'k' }),
    lamp('new', true, { roomId: 'd' }),
  ],
  serviceGroups: [
    group('all', 'zzz', ['lamp', 'new'], 'k'),
    group('gone', 'gone', ['nobody'], null),
    group('few', 'few', ['oven', 'new'], 'k'),
  ],
};
const compare = (a: string, b: string) => a.localeCompare(b);
const idsOf = (sections: ReturnType<typeof sectionsOf>) =>
  sections.map((section) => [section.room.id, section.things.map(({ id }) => id)]);

describe('the rooms of the home page', () => {
  it('stand by name with what has no room last, without groups and bridges', () => {
    expect(idsOf(sectionsOf(INVENTORY, EMPTY_ARRANGEMENT, compare))).toEqual([
      ['b', []],
      ['k', ['lamp', 'oven']],
      ['d', ['new']],
    ]);
  });

  it('stand as the person has put them', () => {
    const ordered = withAccessoryOrder(withRoomOrder(EMPTY_ARRANGEMENT, ['d', 'k', 'b']), 'k', ['oven', 'lamp']);
    expect(idsOf(sectionsOf(INVENTORY, ordered, compare))).toEqual([
      ['d', ['new']],
      ['k', ['oven', 'lamp']],
      ['b', []],
    ]);
  });

  it('are left out where nothing of them is to be seen', () => {
    const arrangement = withHidden(EMPTY_ARRANGEMENT, ['new', 'oven'], true);
    const shown = shownSections(sectionsOf(INVENTORY, arrangement, compare), arrangement);
    expect(idsOf(shown)).toEqual([['k', ['lamp']]]);
  });
});

describe('service groups', () => {
  it('have a row of their own, by name, without those that have no members left', () => {
    const { things } = groupSection(INVENTORY, EMPTY_ARRANGEMENT, compare);
    expect(things.map(({ id }) => id)).toEqual(['few', 'all']);
  });

  it('are in the room of their members if that is one, and no room that stands for none', () => {
    const serviceGroups = [group('both', 'A group', ['lamp', 'oven'], 'k'), group('one', 'one', ['new'], 'd')];
    const inventory = { ...INVENTORY, serviceGroups };
    expect(idsOf(sectionsOf(inventory, EMPTY_ARRANGEMENT, compare))[1]).toEqual(['k', ['both', 'lamp', 'oven']]);
    expect(groupSection(inventory, EMPTY_ARRANGEMENT, compare).things.map(({ id }) => id)).toEqual(['one']);
  });

  it('stand in that row as the person has put them, which is kept', () => {
    const ordered = withAccessoryOrder(EMPTY_ARRANGEMENT, GROUPS, ['all', 'few']);
    const kept = withoutStrangers(ordered, ['all', 'few', 'k']);
    expect(groupSection(INVENTORY, kept, compare).things.map(({ id }) => id)).toEqual(['all', 'few']);
  });
});

describe('zones of the home page', () => {
  const sections = sectionsOf(INVENTORY, EMPTY_ARRANGEMENT, compare);
  const zone = (id: string, roomIds: string[]) => ({ id, name: id, roomIds });
  const floors = (...zones: ReturnType<typeof zone>[]) =>
    floorsOf(sections, zones).map((floor) => [floor.zone?.id, floor.sections.map(({ room }) => room.id)]);

  it('have their rooms, each room once, and the others come last', () => {
    expect(floors(zone('up', ['b', 'k']), zone('down', ['k']), zone('empty', []))).toEqual([
      ['up', ['b', 'k']],
      [undefined, ['d']],
    ]);
  });

  it('do not exist in a home without them', () => {
    expect(floors()).toEqual([[undefined, ['b', 'k', 'd']]]);
  });
});
