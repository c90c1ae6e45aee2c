import { describe, expect, it } from 'vitest';
import {
  bandsOf,
  columnsOf,
  groupByUnit,
  type SeriesData,
  sharesOf,
} from '../../../src/web/dashboard/pages/history/plot-data.ts';

const BOUNDS = { from: 1_000, to: 11_000 };

function series(more: Partial<SeriesData>): SeriesData {
  return {
    accessoryId: 'a',
    characteristicType: 'current_temperature',
    kind: 'numeric',
    unit: '°C',
    resolution: 'raw',
    prevValue: null,
    prevValueText: null,
    points: [],
    states: [],
    stateBuckets: [],
    summary: null,
    stateMs: {},
    recordedFrom: null,
    ...more,
  };
}

function point(ts: number, value: number) {
  return { ts, avg: value, min: value, max: value, last: value, count: 1 };
}

describe('numbers for a plot', () => {
  it('begin with what held before the window and go on to its end', () => {
    const columns = columnsOf([series({ prevValue: 20, points: [point(3_000, 21)] })], BOUNDS, 50_000);
    expect(columns).toEqual({ times: [1, 3, 11], values: [[20, 21, 21]] });
  });

  it('end now where the window goes on', () => {
    expect(columnsOf([series({ points: [point(3_000, 21)] })], BOUNDS, 5_000).times).toEqual([3, 5]);
  });

  it('share one line of times, each with holes where others have values', () => {
    const columns = columnsOf(
      [series({ points: [point(2_000, 1), point(4_000, 2)] }), series({ points: [point(3_000, 9)] })],
      BOUNDS,
      4_000,
    );
    expect(columns.times).toEqual([2, 3, 4]);
    expect(columns.values).toEqual([
      [1, undefined, 2],
      [undefined, 9, 9],
    ]);
  });

  it('share an axis with those of their unit only', () => {
    const all = [series({}), series({ unit: '%' }), series({ accessoryId: 'b' }), series({ kind: 'bool', unit: null })];
    expect(groupByUnit(all).map((group) => group.length)).toEqual([2, 1]);
  });

  it('of an hour in which recording began are drawn from there on', () => {
    const hourly = series({ resolution: 'hourly', points: [point(1_000, 1), point(5_000, 2)], recordedFrom: 4_000 });
    expect(columnsOf([hourly], BOUNDS, 6_000).times).toEqual([4, 5, 6]);
  });

  it('are nothing where nothing was recorded', () => {
    expect(columnsOf([series({})], BOUNDS, 50_000).times).toEqual([]);
  });
});

describe('states for a plot', () => {
  const door = series({ kind: 'enum', unit: null, characteristicType: 'contact_state' });

  it('hold from one change to the next, the first from before the window', () => {
    const bands = bandsOf(
      {
        ...door,
        prevValue: 0,
        prevValueText: 'closed',
        states: [
          { ts: 4_000, value: 1, valueText: 'open' },
          { ts: 6_000, value: 0, valueText: 'closed' },
        ],
      },
      BOUNDS,
      9_000,
    );
    expect(bands.map(({ from, to, word }) => [from, to, word])).toEqual([
      [1_000, 4_000, 'closed'],
      [4_000, 6_000, 'open'],
      [6_000, 9_000, 'closed'],
    ]);
  });

  it('that changed too often are shown by what they mostly were', () => {
    const buckets = [
      { ts: 1_000, dominant: 0, dominantText: 'off', stateMs: { 0: 4_000, 1: 1_000 }, transitions: 8 },
      { ts: 6_000, dominant: 1, dominantText: 'on', stateMs: { 1: 5_000 }, transitions: 1 },
    ];
    expect(bandsOf({ ...door, stateBuckets: buckets }, BOUNDS, 50_000)).toEqual([
      { from: 1_000, to: 6_000, value: 0, word: 'off', transitions: 8 },
      { from: 6_000, to: 11_000, value: 1, word: 'on', transitions: 1 },
    ]);
  });

  it('of an hour in which recording began hold from there on, and their shares are the relay’s', () => {
    const buckets = [{ ts: 1_000, dominant: 0, dominantText: 'off', stateMs: { 0: 900, 1: 100 }, transitions: 2 }];
    const recorded = { ...door, stateBuckets: buckets, stateMs: { 0: 900, 1: 100, 2: 0 }, recordedFrom: 10_000 };
    expect(bandsOf(recorded, BOUNDS, 50_000).map(({ from, to }) => [from, to])).toEqual([[10_000, 11_000]]);
    expect(sharesOf(recorded)).toEqual([
      { value: 0, ms: 900 },
      { value: 1, ms: 100 },
    ]);
    expect(sharesOf({ ...door, kind: 'string', stateMs: { Home: 5 } })).toEqual([{ value: 'Home', ms: 5 }]);
  });

  it('have texts where they are no numbers', () => {
    const mode = { ...door, kind: 'string', prevValueText: 'Home' };
    expect(bandsOf(mode, BOUNDS, 50_000)).toEqual([
      { from: 1_000, to: 11_000, value: 'Home', word: 'Home', transitions: 0 },
    ]);
  });
});
