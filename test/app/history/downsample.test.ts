import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  alignedGrid,
  evenGrid,
  type Grid,
  NumericDownsampler,
  type Sample,
  StateDownsampler,
} from '../../../src/app/history/downsample.ts';

const HOUR_MS = 60 * 60_000;

/** Few enough milliseconds that the reference can look at each of them. */
const FROM = 1000;
const MAX_DURATION_MS = 120;

const cases = fc.record({
  to: fc.integer({ min: FROM + 1, max: FROM + MAX_DURATION_MS }),
  buckets: fc.integer({ min: 1, max: 20 }),
  opening: fc.option(fc.integer({ min: -5, max: 5 }), { nil: undefined }),
  until: fc.integer({ min: FROM, max: FROM + MAX_DURATION_MS + 10 }),
  values: fc.uniqueArray(
    fc.record({
      at: fc.integer({ min: FROM, max: FROM + MAX_DURATION_MS - 1 }),
      value: fc.integer({ min: -5, max: 5 }),
    }),
    { selector: ({ at }) => at, maxLength: 40 },
  ),
});

interface Truth {
  readonly grid: Grid;
  readonly samples: readonly Sample[];
  readonly opening: number | undefined;
  readonly until: number;
}

/** Nothing is recorded after the present. */
function truthOf({
  to,
  buckets,
  opening,
  until,
  values,
}: typeof cases extends fc.Arbitrary<infer T> ? T : never): Truth {
  const samples = values.filter(({ at }) => at < Math.min(to, until)).sort((a, b) => a.at - b.at);
  return { grid: evenGrid(FROM, to, buckets), samples, opening, until };
}

/** Which value holds in each millisecond of each bucket, worked out one by one. */
function millisecondsOf({
  grid,
  samples,
  opening,
  until,
}: Truth): { start: number; held: number[]; inside: Sample[] }[] {
  const edges = Array.from(
    { length: grid.count + 1 },
    (_, index) => grid.from + Math.floor((index * (grid.to - grid.from)) / grid.count),
  );
  return edges.slice(0, -1).flatMap((start, index) => {
    const end = edges[index + 1] as number;
    const held: number[] = [];
    for (let at = start; at < Math.min(end, until); at += 1) {
      const value = samples.filter((sample) => sample.at <= at).at(-1)?.value ?? opening;
      if (value !== undefined) held.push(value);
    }
    const inside = samples.filter(({ at }) => at >= start && at < end);
    return held.length === 0 ? [] : [{ start, held, inside }];
  });
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe('a numeric series in buckets', () => {
  it('equals a look at every single millisecond', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const truth = truthOf(input);
        const sampler = new NumericDownsampler(truth.grid, truth.opening);
        for (const { at, value } of truth.samples) sampler.add(at, value);
        const points = sampler.finish(truth.until);
        const expected = millisecondsOf(truth);
        expect(points.map(({ avg, ...point }) => ({ ...point, avg: avg.toFixed(6) }))).toEqual(
          expected.map(({ start, held, inside }) => ({
            at: start,
            min: Math.min(...held),
            max: Math.max(...held),
            last: held.at(-1),
            count: inside.length,
            avg: average(held).toFixed(6),
          })),
        );
        const all = expected.flatMap(({ held }) => held);
        const summary = sampler.summary();
        if (all.length === 0) return;
        expect(summary).toMatchObject({ min: Math.min(...all), max: Math.max(...all), latest: all.at(-1) });
        expect(summary?.avg).toBeCloseTo(average(all), 6);
      }),
    );
  });

  it('is the same from roll-ups as from the samples that they were made of', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 4 }), (input, perBucket) => {
        const truth = { ...truthOf(input), until: input.to };
        const fine = new NumericDownsampler(evenGrid(FROM, FROM + 12 * perBucket, 12 * perBucket), truth.opening);
        const samples = truth.samples.filter(({ at }) => at < FROM + 12 * perBucket);
        const coarse = new NumericDownsampler(evenGrid(FROM, FROM + 12 * perBucket, 12), truth.opening);
        const direct = new NumericDownsampler(evenGrid(FROM, FROM + 12 * perBucket, 12), truth.opening);
        for (const { at, value } of samples) {
          fine.add(at, value);
          direct.add(at, value);
        }
        // Only spans in which something was recorded are rolled up: the silent ones carry the value forward.
        for (const { at, ...span } of fine.finish(Number.POSITIVE_INFINITY)) {
          if (span.count > 0) coarse.addSpan({ ...span, start: at, end: at + 1, coveredMs: 1 });
        }
        const round = (points: readonly { avg: number }[]): unknown =>
          points.map((point) => ({ ...point, avg: point.avg.toFixed(6) }));
        expect(round(coarse.finish(Number.POSITIVE_INFINITY))).toEqual(round(direct.finish(Number.POSITIVE_INFINITY)));
      }),
    );
  });

  it('weighs a value by how long it held: one degree for an hour and three for a minute are not two', () => {
    const sampler = new NumericDownsampler({ from: 0, to: HOUR_MS, count: 1 }, undefined);
    sampler.add(0, 1);
    sampler.add(HOUR_MS - 60_000, 3);
    expect(sampler.finish(HOUR_MS)[0]?.avg).toBeCloseTo(1 + 2 / 60, 9);
  });

  it('carries the last value over buckets without samples, and shows nothing before the first one', () => {
    const sampler = new NumericDownsampler({ from: 0, to: 5000, count: 5 }, undefined);
    sampler.add(1500, 7);
    expect(sampler.finish(4000)).toEqual([
      { at: 1000, min: 7, avg: 7, max: 7, last: 7, count: 1 },
      { at: 2000, min: 7, avg: 7, max: 7, last: 7, count: 0 },
      { at: 3000, min: 7, avg: 7, max: 7, last: 7, count: 0 },
    ]);
  });

  it('puts a sample on a boundary into the bucket that begins there', () => {
    const sampler = new NumericDownsampler({ from: 0, to: 2000, count: 2 }, 1);
    sampler.add(1000, 9);
    expect(sampler.finish(2000)).toEqual([
      { at: 0, min: 1, avg: 1, max: 1, last: 1, count: 0 },
      { at: 1000, min: 9, avg: 9, max: 9, last: 9, count: 1 },
    ]);
  });

  it('is nothing for an empty window without a value before it', () => {
    const sampler = new NumericDownsampler({ from: 0, to: 1000, count: 10 }, undefined);
    expect(sampler.finish(1000)).toEqual([]);
    expect(sampler.summary()).toBeUndefined();
  });

  it('shows a sample of this very moment, which has not held for any time yet', () => {
    const sampler = new NumericDownsampler({ from: 0, to: 1000, count: 1 }, undefined);
    sampler.add(500, 4);
    expect(sampler.finish(500)).toEqual([{ at: 0, min: 4, avg: 4, max: 4, last: 4, count: 1 }]);
  });

  it('never gives an average outside its extremes, however odd the numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 }), (values) => {
        const sampler = new NumericDownsampler({ from: 0, to: 1000, count: 3 }, undefined);
        values.slice(0, 900).forEach((value, index) => {
          sampler.add(index, value);
        });
        for (const { min, avg, max } of sampler.finish(1000)) {
          expect(avg).toBeGreaterThanOrEqual(min);
          expect(avg).toBeLessThanOrEqual(max);
        }
      }),
    );
  });
});

describe('a state in buckets', () => {
  it('equals a look at every single millisecond', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const truth = truthOf(input);
        const sampler = new StateDownsampler(truth.grid, truth.opening);
        for (const { at, value } of truth.samples) sampler.add(at, value);
        const buckets = sampler.finish(truth.until);
        expect(
          buckets.map(({ at, dominant, stateMs, transitions }) => ({
            at,
            most: stateMs.get(dominant),
            stateMs: [...stateMs].filter(([, ms]) => ms > 0).sort(([a], [b]) => a - b),
            transitions,
          })),
        ).toEqual(
          millisecondsOf(truth).map(({ start, held, inside }) => {
            const stateMs = [...new Set(held)]
              .map((state) => [state, held.filter((value) => value === state).length] as const)
              .sort(([a], [b]) => a - b);
            const changes = inside.filter(({ at, value }) => {
              const before = truth.samples.filter((sample) => sample.at < at).at(-1)?.value ?? truth.opening;
              return before !== undefined && before !== value;
            });
            return { at: start, most: Math.max(...stateMs.map(([, ms]) => ms)), stateMs, transitions: changes.length };
          }),
        );
      }),
    );
  });

  it('adds up the times and changes of roll-ups, and carries the last state over silence', () => {
    const sampler = new StateDownsampler({ from: 0, to: 4000, count: 2 }, undefined);
    sampler.addSpan({
      start: 0,
      end: 1000,
      coveredMs: 1000,
      last: 1,
      stateMs: new Map([
        [0, 900],
        [1, 100],
      ]),
      transitions: 3,
    });
    expect(sampler.finish(4000)).toEqual([
      {
        at: 0,
        dominant: 1,
        stateMs: new Map([
          [0, 900],
          [1, 1100],
        ]),
        transitions: 3,
      },
      { at: 2000, dominant: 1, stateMs: new Map([[1, 2000]]), transitions: 0 },
    ]);
  });

  it('takes of two states that held equally long the one that held first', () => {
    const sampler = new StateDownsampler({ from: 0, to: 1000, count: 1 }, 5);
    sampler.add(500, 2);
    expect(sampler.finish(1000)[0]?.dominant).toBe(5);
  });
});

describe('the grid', () => {
  it('covers the window with whole hours, in at most as many buckets as asked for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 41 }),
        fc.integer({ min: 1, max: 400 * 24 * HOUR_MS }),
        fc.integer({ min: 1, max: 2000 }),
        (from, span, max) => {
          const grid = alignedGrid(from, from + span, HOUR_MS, max);
          const width = (grid.to - grid.from) / grid.count;
          expect(grid.count).toBeLessThanOrEqual(max);
          expect(grid.from % HOUR_MS).toBe(0);
          expect(width % HOUR_MS).toBe(0);
          expect(grid.from).toBeLessThanOrEqual(from);
          expect(grid.to).toBeGreaterThanOrEqual(from + span);
          // No bucket lies wholly beyond the window.
          expect(grid.to - width).toBeLessThan(from + span);
        },
      ),
    );
  });

  it('has no bucket shorter than a millisecond', () => {
    expect(evenGrid(0, 3, 500)).toEqual({ from: 0, to: 3, count: 3 });
    expect(evenGrid(7, 7, 500).count).toBe(1);
  });
});
