/** The same window is the same in numbers, whether it is read from single samples, from hours or from days. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CatalogRow, recordable, type SeriesKind } from '../../../src/app/history/catalog.ts';
import { type SeriesData, SeriesQuery } from '../../../src/app/history/history-query.ts';
import { HistoryStore, type SeriesRow } from '../../../src/app/history/history-store.ts';
import { QueryLine, QueryWork } from '../../../src/app/history/query-work.ts';
import { DAY_MS } from '../../../src/app/history/rollup-store.ts';
import { Rollups } from '../../../src/app/history/rollups.ts';
import { RESOLUTIONS, type Resolution } from '../../../src/contract/history.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { DisposableDatabase } from '../../../src/storage/disposable-database.ts';
import { TestClock } from '../../support/test-clock.ts';

const MINUTE_MS = 60_000;
const T0 = Date.UTC(2026, 0, 10);
const DAYS = 4;

const clock = new TestClock(T0);
let database: DisposableDatabase;
let store: HistoryStore;
let rollups: Rollups;
let count = 0;

beforeEach(() => {
  database = new DisposableDatabase({ path: ':memory:', clock, logger: silentLogger });
  database.start();
  store = new HistoryStore(database);
  rollups = new Rollups({ store, clock });
});
afterEach(() => database.stop());

interface Recorded {
  readonly kind: SeriesKind;
  readonly samples: readonly { readonly at: number; readonly value: number }[];
  readonly now: number;
}

async function read(recorded: Recorded, window: { from: number; to: number }): Promise<readonly SeriesData[]> {
  const { kind, samples, now } = recorded;
  count += 1;
  const id = store.openSeries({ homeId: 'h', accessoryId: `a${count}`, characteristic: 'x', kind, unit: null });
  store.insert(samples.map(({ at, value }) => ({ seriesId: id, at: T0 + at, value })));
  await rollups.build(T0 + now);
  const series = store.series(id) as SeriesRow;
  const one = (resolution: Resolution): Promise<SeriesData> =>
    new SeriesQuery({
      ...{ store, series, row: recordable('11') as CatalogRow, now: T0 + now },
      window: { fromMs: T0 + window.from, toMs: T0 + window.to, maxPoints: 10, resolution },
      work: new QueryWork(new QueryLine(), undefined),
    }).run();
  return Promise.all(RESOLUTIONS.map(one));
}

const recordings = (kind: SeriesKind, value: fc.Arbitrary<number>) =>
  fc.record({
    kind: fc.constant(kind),
    samples: fc
      .uniqueArray(fc.record({ at: fc.integer({ min: 0, max: DAYS * DAY_MS - 1 }), value }), {
        selector: ({ at }) => at,
        maxLength: 60,
      })
      .map((samples) => samples.sort((a, b) => a.at - b.at)),
  });

const windows = fc
  .tuple(fc.integer({ min: 0, max: DAYS - 1 }), fc.integer({ min: 1, max: DAYS }))
  .map(([first, length]) => ({ from: first * DAY_MS, to: Math.min(DAYS, first + length) * DAY_MS }));

/** The present lies after the last sample; the hour and the day that it is in are not rolled up yet. */
const presents = fc.integer({ min: 0, max: 2 * DAY_MS });

it('a number has the same summary from samples, hours and days: the mean over the time that was recorded', async () => {
  await fc.assert(
    fc.asyncProperty(
      recordings('numeric', fc.double({ min: -50, max: 50, noNaN: true })),
      windows,
      presents,
      async ({ kind, samples }, window, later) => {
        const now = (samples.at(-1)?.at ?? 0) + 1 + later;
        const [raw, ...others] = await read({ kind, samples, now }, window);
        const reference = meanOf(samples, window.from, Math.min(window.to, now));
        if (reference === undefined) expect(raw?.summary === null || raw?.summary.latest !== undefined).toBe(true);
        else expect(raw?.summary?.avg).toBeCloseTo(reference, 9);
        for (const other of others) {
          expect(other.recordedFrom).toBe(raw?.recordedFrom);
          expect(other.summary === null).toBe(raw?.summary === null);
          if (!other.summary || !raw?.summary) continue;
          const { avg, ...rest } = other.summary;
          const { avg: expected, ...same } = raw.summary;
          expect(rest).toEqual(same);
          expect(avg).toBeCloseTo(expected, 9);
        }
      },
    ),
    { numRuns: 150 },
  );
});

it('a state has the same durations from samples, hours and days, and they add up to the time that was recorded', async () => {
  await fc.assert(
    fc.asyncProperty(
      recordings('enum', fc.integer({ min: 0, max: 3 })),
      windows,
      presents,
      async ({ kind, samples }, window, later) => {
        const now = (samples.at(-1)?.at ?? 0) + 1 + later;
        const all = await read({ kind, samples, now }, window);
        for (const { stateMs, recordedFrom } of all) {
          expect(held(stateMs)).toEqual(held(all[0]?.stateMs ?? {}));
          expect(recordedFrom).toBe(all[0]?.recordedFrom);
          const end = T0 + Math.min(window.to, now);
          const known = Object.values(stateMs).reduce((sum, ms) => sum + ms, 0);
          expect(known).toBe(recordedFrom === null ? 0 : Math.max(0, end - recordedFrom));
        }
      },
    ),
    { numRuns: 150 },
  );
});

it('a quarter of an hour that was recorded is one, in a day and in a week', async () => {
  const samples = [
    { at: 56 * MINUTE_MS, value: 20 },
    { at: 61 * MINUTE_MS, value: 26 },
  ];
  const recorded = { kind: 'numeric' as const, samples, now: 71 * MINUTE_MS };
  const [raw, hourly] = await read(recorded, { from: 0, to: DAY_MS });
  expect([raw?.summary?.avg, hourly?.summary?.avg]).toEqual([24, 24]);
  expect(hourly?.recordedFrom).toBe(T0 + 56 * MINUTE_MS);
  const states = await read({ ...recorded, kind: 'enum' }, { from: 0, to: DAY_MS });
  for (const { stateMs } of states) expect(stateMs).toEqual({ 20: 5 * MINUTE_MS, 26: 10 * MINUTE_MS });
});

const held = (stateMs: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(stateMs).filter(([, ms]) => ms > 0));

/** From sample to sample, without looking at the code under test. */
function meanOf(samples: Recorded['samples'], from: number, to: number): number | undefined {
  let area = 0;
  let ms = 0;
  for (const [index, { at, value }] of samples.entries()) {
    const held = Math.min(samples[index + 1]?.at ?? to, to) - Math.max(at, from);
    if (held <= 0) continue;
    area += value * held;
    ms += held;
  }
  return ms > 0 ? area / ms : undefined;
}
