import { describe, expect, it } from 'vitest';
import {
  type Arrangement,
  accessoryOrder,
  columnsOf,
  EMPTY_ARRANGEMENT,
  favouriteScenesOf,
  favouritesOf,
  inOrder,
  isFavouriteScene,
  isHidden,
  isHiddenScene,
  moved,
  parseArrangement,
  reverted,
  shortId,
  sizeOf,
  withAccessoryOrder,
  withFavouriteScene,
  withFavourites,
  withHidden,
  withoutStrangers,
  withRoomOrder,
  withSize,
} from '../../../src/web/dashboard/pages/home/arrangement.ts';

const id = (letter: string) => `${letter.repeat(8)}-0000-4000-8000-000000000000`;
const named = (letter: string) => ({ id: id(letter), name: letter });
const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

describe("how a person's home is arranged", () => {
  it.each([
    ['nothing', undefined],
    ['a list', [1, 2]],
    ['text', 'rooms'],
    ['fields of other kinds', { rooms: 'a', accessories: [], hidden: { a: 1 }, favourites: null }],
  ])('is as if nothing were kept where %s is', (_, stored) => {
    expect(parseArrangement(stored)).toEqual(EMPTY_ARRANGEMENT);
  });

  it('takes from what was kept only ids, each once', () => {
    expect(parseArrangement({ rooms: ['a', 1, 'a', 'b'], accessories: { r: ['x', null] } })).toEqual({
      ...EMPTY_ARRANGEMENT,
      rooms: ['a', 'b'],
      accessories: { r: ['x'] },
    });
  });

  it('puts first what was put in order, then the others by name', () => {
    const { rooms } = withRoomOrder(EMPTY_ARRANGEMENT, [id('c'), id('a')]);
    const sorted = inOrder([named('a'), named('d'), named('b'), named('c')], rooms, byName);
    expect(sorted.map(({ name }) => name)).toEqual(['c', 'a', 'b', 'd']);
  });

  it('keeps the order of each room by itself', () => {
    const first = withAccessoryOrder(EMPTY_ARRANGEMENT, id('1'), [id('b'), id('a')]);
    const both = withAccessoryOrder(first, id('2'), [id('c')]);
    expect(accessoryOrder(both, id('1'))).toEqual([shortId(id('b')), shortId(id('a'))]);
    expect(accessoryOrder(both, id('3'))).toEqual([]);
  });

  it('hides and shows, and shows favourites in the order in which they became ones', () => {
    const hidden = withHidden(EMPTY_ARRANGEMENT, [id('a'), id('b')], true);
    expect(isHidden(withHidden(hidden, [id('a')], false), id('a'))).toBe(false);
    expect(isHidden(hidden, id('b'))).toBe(true);
    const favourites = withFavourites(withFavourites(EMPTY_ARRANGEMENT, [id('b')], true), [id('a')], true);
    expect(favouritesOf(favourites, [named('a'), named('b'), named('c')]).map(({ name }) => name)).toEqual(['b', 'a']);
  });

  it('has small tiles, until one is wide or large, but never both', () => {
    const wide = withSize(EMPTY_ARRANGEMENT, [id('a'), id('b')], 'wide');
    const both = withSize(wide, [id('b')], 'large');
    expect(['a', 'b', 'c'].map((letter) => sizeOf(both, id(letter)))).toEqual(['wide', 'large', 'small']);
    expect(columnsOf(both, [named('a'), named('b'), named('c')])).toBe(5);
    expect(parseArrangement(JSON.parse(JSON.stringify(both)))).toEqual(both);
    expect(withSize(both, [id('a'), id('b')], 'small')).toEqual(EMPTY_ARRANGEMENT);
  });

  it('forgets what the home does not have any more', () => {
    const arrangement: Arrangement = {
      rooms: [shortId(id('1')), shortId(id('2'))],
      accessories: { [shortId(id('1'))]: [shortId(id('a')), shortId(id('b'))], [shortId(id('2'))]: [shortId(id('a'))] },
      hidden: [shortId(id('b'))],
      favourites: [shortId(id('a'))],
      wide: [shortId(id('b'))],
      large: [shortId(id('a'))],
    };
    expect(withoutStrangers(arrangement, [id('1'), id('a')])).toEqual({
      rooms: [shortId(id('1'))],
      accessories: { [shortId(id('1'))]: [shortId(id('a'))] },
      hidden: [],
      favourites: [shortId(id('a'))],
      wide: [],
      large: [shortId(id('a'))],
    });
  });

  it('keeps a built-in scene hidden, which is listed only while it would do something', () => {
    const goodNight = { isBuiltIn: true, actionSetType: 'sleep' };
    const leaveHome = { isBuiltIn: true, actionSetType: 'home_departure' };
    const hidden = withHidden(EMPTY_ARRANGEMENT, ['sleep', 'home_departure'], true);
    const kept = withoutStrangers(hidden, [id('1')]);
    expect([goodNight, leaveHome].map((scene) => isHiddenScene(kept, scene))).toEqual([true, true]);
    const shown = withHidden(kept, ['sleep'], false);
    expect([goodNight, leaveHome].map((scene) => isHiddenScene(shown, scene))).toEqual([false, true]);
    expect(isHiddenScene(kept, { isBuiltIn: false, actionSetType: 'sleep' })).toBe(false);
  });

  it('keeps a built-in scene among the favourites, also one from before, which has its id', () => {
    const goodNight = { ...named('g'), isBuiltIn: true, actionSetType: 'sleep' };
    const movie = { ...named('m'), isBuiltIn: false, actionSetType: 'user_defined' };
    const both = withFavouriteScene(withFavouriteScene(EMPTY_ARRANGEMENT, goodNight, true), movie, true);
    const kept = withoutStrangers(both, [movie.id]);
    expect(favouriteScenesOf(kept, [movie, goodNight])).toEqual([goodNight, movie]);
    expect([goodNight, movie].map((scene) => isFavouriteScene(kept, scene))).toEqual([true, true]);
    const before = withFavourites(EMPTY_ARRANGEMENT, [goodNight.id], true);
    expect(favouriteScenesOf(before, [movie, goodNight])).toEqual([goodNight]);
    expect(withFavouriteScene(before, goodNight, true).favourites).toEqual(['sleep']);
    expect(withFavouriteScene(before, goodNight, false)).toEqual(EMPTY_ARRANGEMENT);
    expect(withFavouriteScene(kept, movie, false).favourites).toEqual(['sleep']);
  });

  it('fits for three homes of 500 accessories into the 64 KiB that an account has', () => {
    const ids = Array.from({ length: 500 }, (_, n) => `${String(n).padStart(8, '0')}-aaaa-4000-8000-000000000000`);
    const full = withHidden(withFavourites(withAccessoryOrder(EMPTY_ARRANGEMENT, id('1'), ids), ids, true), ids, true);
    expect(new Set(ids.map(shortId)).size).toBe(500);
    const likely = withAccessoryOrder(EMPTY_ARRANGEMENT, id('1'), ids);
    expect(JSON.stringify({ one: likely, two: likely, three: likely }).length).toBeLessThan(32 * 1024);
    expect(JSON.stringify({ one: full, two: full }).length).toBeLessThan(64 * 1024);
  });

  it('takes back one change, and keeps what was changed since', () => {
    const before = withFavourites(EMPTY_ARRANGEMENT, [id('a')], true);
    const after = withHidden(before, [id('b')], true);
    const later = withSize(withFavourites(after, [id('c')], true), [id('b')], 'large');
    expect(reverted(later, before, after)).toEqual({ ...later, hidden: before.hidden });
    expect(reverted(after, before, after)).toEqual(before);
  });

  it.each([
    [0, 2, ['b', 'c', 'a']],
    [2, 0, ['c', 'a', 'b']],
    [1, 1, ['a', 'b', 'c']],
    [0, -1, ['a', 'b', 'c']],
    [2, 3, ['a', 'b', 'c']],
    [9, 0, ['a', 'b', 'c']],
  ])('moves what is at %i to %i', (from, to, expected) => {
    expect(moved(['a', 'b', 'c'], from, to)).toEqual(expected);
  });
});
