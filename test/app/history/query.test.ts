import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordable } from '../../../src/app/history/catalog.ts';
import { alignedGrid, evenGrid, type Grid, type Sample } from '../../../src/app/history/downsample.ts';
import { chooseResolution, type SeriesData, SeriesQuery, type Window } from '../../../src/app/history/history-query.ts';
import { HistoryStore } from '../../../src/app/history/history-store.ts';
import { QueryLine, QueryWork } from '../../../src/app/history/query-work.ts';
import { Rollups } from '../../../src/app/history/rollups.ts';
import type { Resolution } from '../../../src/contract/history.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { DisposableDatabase } from '../../../src/storage/disposable-database.ts';
import { TestClock } from '../../support/test-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 0, 1);
/** Long enough for days to be among what is read, short enough for the reference. */
const SPAN_MS = 5 * DAY_MS;

const TEMPERATURE = 'current_temperature';

function createFixture(characteristic = TEMPERATURE) {
  const clock = new TestClock(START);
  const database = new DisposableDatabase({ path: ':memory:', clock, logger: silentLogger });
  database.start();
  const store = new HistoryStore(database);
  const row = recordable(characteristic);
  if (!row) throw new Error(`${characteristic} is not in the catalog`);
  const { kind, unit } = row;
  const seriesId = store.openSeries({ homeId: 'home', accessoryId: 'lamp', characteristic, kind, unit });
  return {
    store,
    seriesId,
    rollups: new Rollups({ store, clock }),
    record: (samples: readonly Sample[]) => store.insert(samples.map((sample) => ({ seriesId, ...sample }))),
    query(window: Window, now: number, signal?: AbortSignal): Promise<SeriesData> {
      const series = store.series(seriesId);
      if (!series) throw new Error('The series is gone');
      return new SeriesQuery({ store, series, row, window, now, work: new QueryWork(new QueryLine(), signal) }).run();
    },
  };
}

/** The value that held during each stretch of a bucket, worked out from all samples. */
function stretchesIn(samples: readonly Sample[], from: number, to: number): { value: number; ms: number }[] {
  if (from >= to) return [];
  const edges = [from, ...samples.map(({ at }) => at).filter((at) => at > from && at < to), to];
  return edges.slice(0, -1).flatMap((start, index) => {
    const held = samples.filter(({ at }) => at <= start).at(-1);
    return held ? [{ value: held.value, ms: (edges[index + 1] as number) - start }] : [];
  });
}

function bucketsOf({ from, to, count }: Grid, until: number): [from: number, to: number][] {
  return Array.from({ length: count }, (_, index): [number, number] => [
    from + Math.floor((index * (to - from)) / count),
    Math.min(until, from + Math.floor(((index + 1) * (to - from)) / count)),
  ]).filter(([start, end]) => start < end);
}

function gridOf({ fromMs, toMs, maxPoints, resolution }: Window): Grid {
  if (resolution === 'raw') return evenGrid(fromMs, toMs, maxPoints);
  return alignedGrid(fromMs, toMs, resolution === 'hourly' ? HOUR_MS : DAY_MS, maxPoints);
}

const resolutions = fc.constantFrom<Resolution>('raw', 'hourly', 'daily');
const scenes = fc.record({
  /** Offsets from the start; recorded in two parts, the second one after roll-ups were built. */
  early: fc.array(fc.record({ at: fc.integer({ min: 0, max: SPAN_MS }), value: fc.integer({ min: -3, max: 3 }) }), {
    maxLength: 40,
  }),
  late: fc.array(fc.record({ at: fc.integer({ min: 0, max: SPAN_MS }), value: fc.integer({ min: -3, max: 3 }) }), {
    maxLength: 10,
  }),
  builtAt: fc.integer({ min: 0, max: SPAN_MS }),
  from: fc.integer({ min: -DAY_MS, max: SPAN_MS }),
  span: fc.integer({ min: 1, max: SPAN_MS }),
  now: fc.integer({ min: 0, max: SPAN_MS + DAY_MS }),
  maxPoints: fc.integer({ min: 2, max: 60 }),
  resolution: resolutions,
});
type Scene = typeof scenes extends fc.Arbitrary<infer T> ? T : never;

async function play(scene: Scene, characteristic: string) {
  const fixture = createFixture(characteristic);
  const now = START + scene.now;
  const seen = new Set<number>();
  const keep = ({ at, value }: Sample): Sample[] => {
    if (at >= scene.now || seen.has(at)) return [];
    seen.add(at);
    return [{ at: START + at, value }];
  };
  const early = scene.early.flatMap(keep);
  const late = scene.late.flatMap(keep);
  fixture.record(early);
  await fixture.rollups.build(START + Math.min(scene.builtAt, scene.now));
  fixture.record(late);
  const window: Window = {
    fromMs: START + scene.from,
    toMs: START + scene.from + scene.span,
    maxPoints: scene.maxPoints,
    resolution: scene.resolution,
  };
  const grid = gridOf(window);
  // The last bucket may go on beyond the whole hours or days that the window is in; nothing is read from there.
  const unitMs = { raw: 1, hourly: HOUR_MS, daily: DAY_MS }[window.resolution];
  const end = Math.ceil(window.toMs / unitMs) * unitMs;
  const samples = [...early, ...late].filter(({ at }) => at < end).sort((a, b) => a.at - b.at);
  return { samples, grid, until: Math.min(end, now), window, data: await fixture.query(window, now) };
}

describe('a query', () => {
  it('of numbers matches the samples, also after roll-ups and late samples', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async (scene) => {
        const { samples, grid, until, window, data } = await play(scene, TEMPERATURE);
        const inside = samples.filter(({ at }) => at >= grid.from && at < grid.to);
        const all = stretchesIn(samples, grid.from, Math.max(until, grid.from));
        expect(data.prevValue).toBe(samples.filter(({ at }) => at < grid.from).at(-1)?.value ?? null);
        if (window.resolution === 'raw' && inside.length <= window.maxPoints) {
          expect(data.points.map(({ at, avg, count }) => ({ at, avg, count }))).toEqual(
            inside.map(({ at, value }) => ({ at, avg: value, count: 1 })),
          );
        } else {
          const expected = bucketsOf(grid, until).flatMap(([start, end]) => {
            const held = stretchesIn(samples, start, end);
            if (held.length === 0) return [];
            const total = held.reduce((sum, { ms }) => sum + ms, 0);
            return [
              {
                at: start,
                min: Math.min(...held.map(({ value }) => value)),
                avg: (held.reduce((sum, { value, ms }) => sum + value * ms, 0) / total).toFixed(6),
                max: Math.max(...held.map(({ value }) => value)),
                last: held.at(-1)?.value,
                count: samples.filter(({ at }) => at >= start && at < end).length,
              },
            ];
          });
          expect(data.points.map((point) => ({ ...point, avg: point.avg.toFixed(6) }))).toEqual(expected);
          expect(data.points.length).toBeLessThanOrEqual(window.maxPoints);
        }
        if (all.length === 0) {
          expect(data.summary).toBeNull();
          return;
        }
        const total = all.reduce((sum, { ms }) => sum + ms, 0);
        expect(data.summary?.avg).toBeCloseTo(all.reduce((sum, { value, ms }) => sum + value * ms, 0) / total, 6);
        expect(data.summary).toMatchObject({
          min: Math.min(...all.map(({ value }) => value)),
          max: Math.max(...all.map(({ value }) => value)),
          latest: all.at(-1)?.value,
        });
      }),
      { numRuns: 150 },
    );
  });

  it('of states matches the samples, also after roll-ups and late samples', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async (scene) => {
        const { samples, grid, until, window, data } = await play(scene, 'air_quality');
        const changes = samples.filter(
          ({ at, value }) => samples.filter((other) => other.at < at).at(-1)?.value !== value,
        );
        const inside = changes.filter(({ at }) => at >= grid.from && at < grid.to);
        if (window.resolution === 'raw' && inside.length <= window.maxPoints) {
          expect(data.states.map(({ at, value }) => ({ at, value }))).toEqual(inside);
          expect(data.stateBuckets).toEqual([]);
          return;
        }
        expect(data.states).toEqual([]);
        const expected = bucketsOf(grid, until).flatMap(([start, end]) => {
          const held = stretchesIn(samples, start, end);
          if (held.length === 0) return [];
          const stateMs: Record<string, number> = {};
          for (const { value, ms } of held) stateMs[value] = (stateMs[value] ?? 0) + ms;
          const first = samples[0]?.at;
          const transitions = changes.filter(({ at }) => at >= start && at < end && at !== first).length;
          return [{ at: start, stateMs, longest: Math.max(...Object.values(stateMs)), transitions }];
        });
        expect(
          data.stateBuckets.map(({ at, stateMs, dominant, transitions }) => ({
            at,
            stateMs: Object.fromEntries(Object.entries(stateMs).filter(([, ms]) => ms > 0)),
            longest: stateMs[String(dominant)],
            transitions,
          })),
        ).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });
});

describe('the resolution', () => {
  it('is raw up to 48 hours, hourly while a bucket is six hours at most, else daily', () => {
    const choose = (spanMs: number, points: number, rawFrom = 0) =>
      chooseResolution(START, START + spanMs, points, rawFrom);
    expect(choose(48 * HOUR_MS, 10)).toBe('raw');
    expect(choose(48 * HOUR_MS + 1, 200)).toBe('hourly');
    expect(choose(200 * 6 * HOUR_MS, 200)).toBe('hourly');
    expect(choose(200 * 6 * HOUR_MS + 1, 200)).toBe('daily');
    expect(choose(365 * DAY_MS, 200)).toBe('daily');
  });

  it('is hourly where single samples are no longer kept', () => {
    expect(chooseResolution(START, START + HOUR_MS, 200, START + 1)).toBe('hourly');
  });
});

describe('a window', () => {
  const raw = (from: number, to: number, maxPoints = 500): Window => ({
    fromMs: START + from,
    toMs: START + to,
    maxPoints,
    resolution: 'raw',
  });

  it('that is empty has nothing but what held before it', async () => {
    const fixture = createFixture();
    fixture.record([{ at: START, value: 21 }]);
    const data = await fixture.query(raw(HOUR_MS, 2 * HOUR_MS), START + DAY_MS);
    expect(data).toMatchObject({ points: [], prevValue: 21, prevValueText: '21' });
    expect(data.summary).toEqual({ min: 21, avg: 21, max: 21, latest: 21 });
  });

  it('includes a sample at its beginning and excludes one at its end', async () => {
    const fixture = createFixture();
    fixture.record([
      { at: START + HOUR_MS, value: 1 },
      { at: START + 2 * HOUR_MS, value: 2 },
    ]);
    const data = await fixture.query(raw(HOUR_MS, 2 * HOUR_MS), START + DAY_MS);
    expect(data.points.map(({ at }) => at - START)).toEqual([HOUR_MS]);
    expect(data.prevValue).toBeNull();
  });

  it('in the future knows nothing', async () => {
    const fixture = createFixture();
    fixture.record([{ at: START, value: 1 }]);
    const data = await fixture.query(raw(DAY_MS, 2 * DAY_MS), START + HOUR_MS);
    expect(data).toMatchObject({ points: [], prevValue: 1, summary: null });
  });

  it('over years of silence after one sample carries that forward, to the present and no further', async () => {
    const fixture = createFixture();
    fixture.record([{ at: START, value: 4 }]);
    await fixture.rollups.build(START + 400 * DAY_MS);
    const window = { fromMs: START, toMs: START + 800 * DAY_MS, maxPoints: 100, resolution: 'daily' } as const;
    const { points } = await fixture.query(window, START + 400 * DAY_MS);
    expect(points).toHaveLength(50);
    expect(points.every(({ avg, last }) => avg === 4 && last === 4)).toBe(true);
    expect(points.map(({ count }) => count)).toEqual([1, ...Array.from({ length: 49 }, () => 0)]);
  });

  it('whose samples were pruned begins with the end of the hour before', async () => {
    const fixture = createFixture();
    fixture.record(Array.from({ length: 48 }, (_, hour) => ({ at: START + hour * HOUR_MS, value: hour })));
    await fixture.rollups.build(START + 3 * DAY_MS);
    fixture.store.prune(fixture.seriesId, START + 2 * DAY_MS, 1_000);
    const data = await fixture.query({ ...raw(DAY_MS, 2 * DAY_MS), resolution: 'hourly' }, START + 3 * DAY_MS);
    expect(data.prevValue).toBe(23);
    expect(data.points.map(({ last }) => last)).toEqual(Array.from({ length: 24 }, (_, hour) => 24 + hour));
  });

  it('shows texts as texts', async () => {
    const fixture = createFixture('virtual_mode');
    const [night, day] = ['Night', 'Day'].map((text) => fixture.store.textId(text)) as [number, number];
    fixture.record([
      { at: START, value: night },
      { at: START + HOUR_MS, value: day },
    ]);
    const data = await fixture.query(raw(1, 2 * HOUR_MS), START + DAY_MS);
    expect(data).toMatchObject({ kind: 'string', prevValue: null, prevValueText: 'Night' });
    expect(data.states).toEqual([{ at: START + HOUR_MS, value: null, valueText: 'Day' }]);
    const window = { fromMs: START, toMs: START + 2 * HOUR_MS, maxPoints: 10, resolution: 'hourly' } as const;
    expect((await fixture.query(window, START + DAY_MS)).stateBuckets).toEqual([
      { at: START, dominant: null, dominantText: 'Night', stateMs: { Night: HOUR_MS }, transitions: 0 },
      { at: START + HOUR_MS, dominant: null, dominantText: 'Day', stateMs: { Day: HOUR_MS }, transitions: 1 },
    ]);
  });
});
