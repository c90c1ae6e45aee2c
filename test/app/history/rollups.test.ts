import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SeriesKind } from '../../../src/app/history/catalog.ts';
import type { Sample } from '../../../src/app/history/downsample.ts';
import { HistoryStore } from '../../../src/app/history/history-store.ts';
import { DAY_MS, HOUR_MS, type RollupRow, type RollupTable } from '../../../src/app/history/rollup-store.ts';
import { Rollups } from '../../../src/app/history/rollups.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { DisposableDatabase } from '../../../src/storage/disposable-database.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';

const MINUTE_MS = 60_000;
/** A full day, far from any change of offset. */
const T0 = Date.UTC(2026, 0, 10);
const EVER = Number.MAX_SAFE_INTEGER;

const clock = new TestClock(T0);
let database: DisposableDatabase;
let store: HistoryStore;
let rollups: Rollups;

beforeEach(() => open(':memory:'));
afterEach(() => database.stop());

function open(path: string): void {
  database = new DisposableDatabase({ path, clock, logger: silentLogger });
  database.start();
  store = new HistoryStore(database);
  rollups = new Rollups({ store, clock });
}

function series(kind: SeriesKind = 'numeric', accessoryId = 'lamp'): number {
  return store.openSeries({ homeId: 'home', accessoryId, characteristic: 'x', kind, unit: null });
}

const put = (seriesId: number, ...samples: readonly (readonly [at: number, value: number])[]): void =>
  store.insert(samples.map(([at, value]) => ({ seriesId, at: T0 + at, value })));

const hours = (id: number): RollupRow[] => store.rollups.read('hourly', id, 0, EVER, 10_000);
const days = (id: number): RollupRow[] => store.rollups.read('daily', id, 0, EVER, 10_000);

/**
 * Millisecond by millisecond would be exact; so is from sample to sample. Written without looking at the code under
 * test.
 */
function reference(all: readonly Sample[], start: number, spanMs: number, kind: SeriesKind): RollupRow | undefined {
  const end = start + spanMs;
  const sorted = [...all].sort((a, b) => a.at - b.at);
  const inside = sorted.filter(({ at }) => at >= start && at < end);
  if (inside.length === 0) return undefined;
  const pieces = sorted.flatMap(({ at, value }, index) => {
    const from = Math.max(at, start);
    const to = Math.min(sorted[index + 1]?.at ?? end, end);
    return to > from ? [{ value, ms: to - from }] : [];
  });
  const values = [...inside, ...pieces].map(({ value }) => value);
  const coveredMs = pieces.reduce((sum, { ms }) => sum + ms, 0);
  const stateMs: Record<string, number> = {};
  for (const { value, ms } of pieces) stateMs[String(value)] = (stateMs[String(value)] ?? 0) + ms;
  const last = inside.at(-1)?.value ?? Number.NaN;
  return {
    start,
    min: Math.min(...values),
    max: Math.max(...values),
    avg: coveredMs === 0 ? last : pieces.reduce((sum, { value, ms }) => sum + value * ms, 0) / coveredMs,
    last,
    count: inside.length,
    transitions: inside.filter((sample) => {
      const before = sorted[sorted.indexOf(sample) - 1];
      return before !== undefined && before.value !== sample.value;
    }).length,
    coveredMs,
    stateMs: kind === 'numeric' ? null : stateMs,
  };
}

function expectReference(id: number, all: readonly Sample[], kind: SeriesKind, now: number): void {
  for (const [table, spanMs] of [
    ['hourly', HOUR_MS],
    ['daily', DAY_MS],
  ] as const) {
    const starts = new Set(all.map(({ at }) => Math.floor(at / spanMs) * spanMs));
    const wanted = [...starts]
      .sort((a, b) => a - b)
      .filter((start) => start + spanMs <= now)
      .flatMap((start) => reference(all, start, spanMs, kind) ?? []);
    const built = store.rollups.read(table as RollupTable, id, 0, EVER, 10_000);
    expect(built).toEqual(wanted.map((row) => ({ ...row, avg: expect.closeTo(row.avg, 6) })));
  }
}

describe('roll-ups', () => {
  it('weigh each value by how long it held', async () => {
    const id = series();
    put(id, [0, 10], [15 * MINUTE_MS, 30]);
    await rollups.build(T0 + HOUR_MS);
    expect(hours(id)).toEqual([
      {
        start: T0,
        min: 10,
        max: 30,
        avg: 25,
        last: 30,
        count: 2,
        transitions: 1,
        coveredMs: HOUR_MS,
        stateMs: null,
      },
    ]);
  });

  it('carry the last value over into the next bucket with samples, and know nothing before the first sample', async () => {
    const id = series();
    put(id, [30 * MINUTE_MS, 10], [5 * HOUR_MS + 45 * MINUTE_MS, 50]);
    await rollups.build(T0 + DAY_MS);
    expect(hours(id).map(({ start, min, avg, coveredMs }) => [(start - T0) / HOUR_MS, min, avg, coveredMs])).toEqual([
      [0, 10, 10, HOUR_MS / 2],
      [5, 10, 20, HOUR_MS],
    ]);
    const heldMs = (5 * 60 + 15) * MINUTE_MS;
    const coveredMs = DAY_MS - 30 * MINUTE_MS;
    expect(days(id)).toEqual([
      expect.objectContaining({
        min: 10,
        max: 50,
        coveredMs,
        count: 2,
        avg: expect.closeTo((10 * heldMs + 50 * (coveredMs - heldMs)) / coveredMs, 9),
      }),
    ]);
  });

  it('report of states how long each held and how often they changed', async () => {
    const id = series('bool');
    put(id, [0, 0], [10 * MINUTE_MS, 1], [30 * MINUTE_MS, 0], [HOUR_MS + 15 * MINUTE_MS, 1]);
    await rollups.build(T0 + DAY_MS);
    expect(hours(id).map(({ stateMs, transitions }) => [stateMs, transitions])).toEqual([
      [{ 0: 40 * MINUTE_MS, 1: 20 * MINUTE_MS }, 2],
      [{ 0: 15 * MINUTE_MS, 1: 45 * MINUTE_MS }, 1],
    ]);
    expect(days(id)[0]).toMatchObject({
      stateMs: { 0: 55 * MINUTE_MS, 1: DAY_MS - 55 * MINUTE_MS },
      transitions: 3,
    });
  });

  it('are built of what is over: not the present hour, and not the present day', async () => {
    const id = series();
    put(id, [0, 1], [HOUR_MS, 2]);
    expect(store.rollups.builtUntil('hourly', id)).toBe(T0);
    await rollups.build(T0 + HOUR_MS + 1);
    expect(hours(id)).toHaveLength(1);
    expect(days(id)).toEqual([]);
    expect([store.rollups.builtUntil('hourly', id), store.rollups.builtUntil('daily', id)]).toEqual([T0 + HOUR_MS, T0]);
    await rollups.build(T0 + DAY_MS);
    expect([hours(id).length, days(id).length]).toEqual([2, 1]);
    expect([store.rollups.builtUntil('hourly', id), store.rollups.builtUntil('daily', id)]).toEqual([EVER, EVER]);
  });

  it('are counted', async () => {
    const id = series();
    put(id, [0, 1], [HOUR_MS, 2], [HOUR_MS + 1, 3]);
    await rollups.build(T0 + DAY_MS);
    expect(store.series(id)).toMatchObject({ sampleCount: 3, rollupCount: 3 });
    put(id, [2, 9]);
    await rollups.build(T0 + DAY_MS);
    expect(store.series(id)).toMatchObject({ sampleCount: 4, rollupCount: 3 });
  });

  it('are rebuilt for a sample that comes late, and so is what it is carried over into', async () => {
    const id = series();
    put(id, [0, 10], [5 * HOUR_MS, 20], [2 * DAY_MS + HOUR_MS, 40]);
    await rollups.build(T0 + 3 * DAY_MS);
    put(id, [5 * HOUR_MS + MINUTE_MS, 99]);
    await rollups.build(T0 + 3 * DAY_MS);
    const samples = store.samples(id, 0, EVER, 100);
    expectReference(id, samples, 'numeric', T0 + 3 * DAY_MS);
    expect(hours(id).at(-1)?.min).toBe(40);
    expect(days(id).at(-1)).toMatchObject({ min: 40, max: 99 });
  });

  it('match a reference that adds up every piece, for all samples and however late they come', async () => {
    const sample = fc.tuple(fc.integer({ min: 0, max: 3 * DAY_MS }), fc.integer({ min: 0, max: 4 }));
    const batches = fc.array(fc.array(sample, { maxLength: 12 }), { minLength: 1, maxLength: 4 });
    const kinds = fc.constantFrom<SeriesKind>('numeric', 'bool', 'enum', 'string');
    let round = 0;
    await fc.assert(
      fc.asyncProperty(batches, kinds, async (all, kind) => {
        round += 1;
        const id = series(kind, `accessory ${round}`);
        for (const [index, batch] of all.entries()) {
          put(id, ...batch);
          const now = T0 + (index + 1) * DAY_MS;
          await rollups.build(now);
          const visible = store.samples(id, 0, EVER, 10_000);
          expectReference(id, visible, kind, now);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('come out the same when the daemon was killed in the middle of building them, or built them twice', async () => {
    using directory = createTempDirectory('rollups');
    database.stop();
    open(directory.file('history.db'));
    const id = series();
    for (let hour = 0; hour < 60; hour += 1) put(id, [hour * HOUR_MS + 1, hour % 7], [hour * HOUR_MS + 9_000, hour]);
    const now = T0 + 3 * DAY_MS;
    const building = rollups.build(now);
    const stopping = rollups.stop();
    await Promise.all([building, stopping]);
    // Without a close, as a kill leaves it.
    open(directory.file('history.db'));
    await rollups.build(now);
    const all = store.samples(id, 0, EVER, 1_000);
    expectReference(id, all, 'numeric', now);
    const before = [hours(id), days(id)];
    for (const { start } of hours(id)) store.rollups.markStale('hourly', id, start);
    await rollups.build(now);
    expect([hours(id), days(id)]).toEqual(before);
  });

  it('do not hold the event loop while a great many are built', async () => {
    // A millisecond passes at each look at this clock, which is twice a bucket or more.
    let ms = 0;
    const slow = { ...clock, now: () => T0 + 400 * DAY_MS, monotonic: () => (ms += 1), after: () => () => {} };
    const many = new Rollups({ store, clock: slow });
    const id = series();
    const samples = Array.from({ length: 60_000 }, (_, index) => ({
      seriesId: id,
      at: T0 + index * 5 * MINUTE_MS,
      value: index % 50,
    }));
    store.insert(samples);
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    count();
    await many.build(T0 + 400 * DAY_MS);
    isDone = true;
    expect(hours(id)).toHaveLength(5_000);
    // A slice is eight of them, and looking whether it is over takes some more.
    expect(turns).toBeGreaterThan(ms / 12);
  });
});
