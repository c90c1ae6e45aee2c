/** Editing tiles in place: which movement drags, where tiles go, which are selected, and which can form a group. */
import { describe, expect, it } from 'vitest';
import { withFavouriteBeside } from '../../../src/web/dashboard/pages/home/arrange/drop-tile.ts';
import { placed, tileBeside } from '../../../src/web/dashboard/pages/home/arrange/placed.ts';
import { EMPTY_ARRANGEMENT } from '../../../src/web/dashboard/pages/home/arrangement.ts';
import { groupableOf } from '../../../src/web/dashboard/pages/home/select/groupable.ts';
import { pairedThingsOf } from '../../../src/web/dashboard/pages/home/select/paired-things.ts';
import { toggled, withRange } from '../../../src/web/dashboard/pages/home/selection.ts';
import { scrollAt } from '../../../src/web/dashboard/pages/home/tile-drag.ts';
import { mouseMove } from '../../../src/web/dashboard/pages/home/use-tile-drag.ts';
import { accessoryOf, lamp } from './home-parts.ts';

describe('a movement of the mouse', () => {
  it.each([
    ['a small one', 5, 5, false, 'wait'],
    ['one in any direction on a tile without a level', 9, 1, false, 'drag'],
    ['a small one on a lamp', 7, 7, true, 'wait'],
    ['one along a lamp, which sets its level', 9, 8, true, 'leave'],
    ['one to the left along a lamp', -9, 2, true, 'leave'],
    ['one up from a lamp', 3, -9, true, 'drag'],
  ] as const)('%s', (_, right, down, hasLevel, expected) => {
    expect(mouseMove(right, down, hasLevel)).toBe(expected);
  });

  it('scrolls the page near its edges, faster nearer to them', () => {
    expect(scrollAt(400, 800)).toBe(0);
    expect(scrollAt(36, 800)).toBe(-8);
    expect(scrollAt(-50, 800)).toBe(-16);
    expect(scrollAt(800, 800)).toBe(16);
  });
});

describe('a tile that is dropped', () => {
  it.each([
    ['before a later one', 'a', 'c', false, ['b', 'a', 'c']],
    ['after a later one', 'a', 'c', true, ['b', 'c', 'a']],
    ['before an earlier one', 'c', 'a', false, ['c', 'a', 'b']],
    ['on itself', 'b', 'b', true, ['a', 'b', 'c']],
    ['beside one that is gone', 'a', 'x', true, ['b', 'c', 'a']],
    ['from elsewhere', 'n', 'b', true, ['a', 'b', 'n', 'c']],
  ] as const)('%s, goes there', (_, id, target, isAfter, expected) => {
    expect(placed(['a', 'b', 'c'], id, target, isAfter)).toEqual(expected);
  });

  it('among the favourites becomes one, and scenes keep their places', () => {
    const before = { ...EMPTY_ARRANGEMENT, favourites: ['scene', 'a', 'b'] };
    expect(withFavouriteBeside(before, 'n', 'a', true).favourites).toEqual(['scene', 'a', 'n', 'b']);
    expect(withFavouriteBeside(before, 'b', 'a', false).favourites).toEqual(['scene', 'b', 'a']);
  });

  it('by its menu goes one place on, among the tiles that are displayed', () => {
    expect(tileBeside(['a', 'b'], 'a', 1)).toBe('b');
    expect(tileBeside(['a', 'b'], 'a', -1)).toBeUndefined();
    expect(tileBeside(['a', 'b'], 'x', 1)).toBeUndefined();
  });
});

describe('selected tiles', () => {
  const tile = (id: string, grid = 'kitchen') => ({ id, grid });

  it('are those chosen one by one, and no more once chosen again', () => {
    const two = toggled(toggled(undefined, tile('a')), tile('b'));
    expect(two).toEqual({ ids: ['a', 'b'], last: tile('b') });
    expect(toggled(two, tile('a'))).toEqual({ ids: ['b'], last: tile('a') });
  });

  it('are all from the last one to this, in both directions, or this alone if the last is in another grid', () => {
    const order = ['a', 'b', 'c', 'd'];
    const one = toggled(undefined, tile('c'));
    expect(withRange(one, tile('a'), order).ids.toSorted()).toEqual(['a', 'b', 'c']);
    expect(withRange(one, tile('d'), order).ids).toEqual(['c', 'd']);
    expect(withRange(toggled(undefined, tile('c', 'favourites')), tile('b'), order).ids).toEqual(['c', 'b']);
    expect(withRange(toggled(undefined, tile('z')), tile('b'), order).ids).toEqual(['z', 'b']);
    expect(withRange(undefined, tile('b'), order)).toEqual({ ids: ['b'], last: tile('b') });
  });
});

describe('a group of selected tiles', () => {
  const rooms = [
    { id: 'none', name: 'Default Room', isDefault: true, color: null, pictureHash: null },
    { id: 'kitchen', name: 'Kitchen', isDefault: false, color: null, pictureHash: null },
    { id: 'bath', name: 'Bath', isDefault: false, color: null, pictureHash: null },
  ];
  const accessories = [
    lamp('one', true, { roomId: 'kitchen' }),
    lamp('two', true, { roomId: 'kitchen' }),
    lamp('far', true, { roomId: 'bath' }),
    lamp('new', true, { roomId: 'none' }),
    accessoryOf('plug', [{ type: 'outlet', values: { power_state: true } }], { roomId: 'kitchen' }),
  ];
  const groupable = (...ids: string[]) => groupableOf(ids, { accessories, rooms });

  it('has their services, and the room that all of them are in', () => {
    expect(groupable('one', 'two')).toEqual({ kind: 'light', serviceIds: ['one.0', 'two.0'], roomId: 'kitchen' });
  });

  it('has no room if they are in several, or in none yet', () => {
    expect(groupable('one', 'far')?.roomId).toBeUndefined();
    expect(
      groupableOf(['new', 'new too'], {
        accessories: [...accessories, lamp('new too', true, { roomId: 'none' })],
        rooms,
      })?.roomId,
    ).toBeUndefined();
  });

  it('can’t be of one, of several kinds, or of groups', () => {
    expect(groupable('one')).toBeUndefined();
    expect(groupable('one', 'plug')).toBeUndefined();
    expect(groupable('one', 'a group')).toBeUndefined();
  });
});

describe('the devices of selected tiles', () => {
  const accessories = [
    lamp('one', true, { deviceId: 'AA', name: 'Desk Lamp' }),
    lamp('away', false, { deviceId: 'BB', name: 'Hall Lamp', isReachable: false }),
    lamp('first', true, { deviceId: 'CC' }),
    lamp('second', true, { deviceId: 'CC' }),
    lamp('made', true, { deviceId: 'DD', isVirtual: true }),
  ];
  const devices = (...ids: string[]) => pairedThingsOf(ids, { accessories });

  it('are those that they stand for, with whether each is there', () => {
    expect(devices('one', 'away')).toEqual([
      { deviceId: 'AA', name: 'Desk Lamp', isThere: true },
      { deviceId: 'BB', name: 'Hall Lamp', isThere: false },
    ]);
    expect(devices('first', 'second')).toHaveLength(1);
  });

  it('are none if a group, a virtual accessory or a part of a device is among them', () => {
    expect(devices('one', 'a group')).toBeUndefined();
    expect(devices('one', 'made')).toBeUndefined();
    expect(devices('one', 'first')).toBeUndefined();
  });
});
