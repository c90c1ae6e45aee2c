import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HistoryStore } from '../../../src/app/history/history-store.ts';
import { DAY_MS, HOUR_MS } from '../../../src/app/history/rollup-store.ts';
import { Rollups } from '../../../src/app/history/rollups.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { DisposableDatabase } from '../../../src/storage/disposable-database.ts';
import { IS_MUTATION_RUN } from '../../mutation/tests-variable.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';

const T0 = Date.UTC(2026, 0, 10);
const EVER = Number.MAX_SAFE_INTEGER;
const key = { homeId: 'home', accessoryId: 'lamp', characteristic: 'brightness', kind: 'numeric', unit: '%' } as const;

const clock = new TestClock(T0);
let database: DisposableDatabase;
let store: HistoryStore;

beforeEach(() => open(':memory:'));
afterEach(() => database.stop());

function open(path: string): void {
  database = new DisposableDatabase({ path, clock, logger: silentLogger });
  database.start();
  store = new HistoryStore(database);
}

const valuesOf = (id: number): number[] => store.samples(id, 0, EVER, 1_000_000).map(({ value }) => value);

describe('the store of samples', () => {
  it('makes a series once, and brings its unit up to date', () => {
    const id = store.openSeries(key);
    expect(store.openSeries(key)).toBe(id);
    expect(store.openSeries({ ...key, unit: null })).toBe(id);
    expect(store.findSeries('home', 'lamp', 'brightness')).toMatchObject({ id, unit: null, sampleCount: 0 });
    expect(store.findSeries('home', 'lamp', 'hue')).toBeUndefined();
    // Back to what it was, as after a second thought.
    store.openSeries(key);
    expect(store.findSeries('home', 'lamp', 'brightness')).toMatchObject({ id, unit: '%' });
  });

  it('keeps what an accessory did in one home from the next home that it comes to', () => {
    const first = store.openSeries(key);
    store.insert([{ seriesId: first, at: 1_000, value: 7 }]);
    const second = store.openSeries({ ...key, homeId: 'other' });
    store.insert([{ seriesId: second, at: 2_000, value: 8 }]);
    expect([valuesOf(first), valuesOf(second)]).toEqual([[7], [8]]);
    expect(store.seriesOf('home').map(({ id }) => id)).toEqual([first]);
    expect(store.seriesOf('other').map(({ id }) => id)).toEqual([second]);
  });

  it('gives samples back in the order of time, page by page, each once', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 80 }), (times) => {
        const id = store.openSeries({ ...key, accessoryId: `${times.length} ${times.join()}` });
        if (store.latest(id)) return;
        store.insert(times.map((at, value) => ({ seriesId: id, at, value })));
        const paged: { at: number; value: number }[] = [];
        for (let from = 0; ; ) {
          const page = store.samples(id, from, EVER, 7);
          paged.push(...page);
          if (page.length < 7) break;
          from = (page.at(-1)?.at ?? 0) + 1;
        }
        // No sample took the place of another, and no two share a moment.
        expect(paged.map(({ value }) => value).sort((a, b) => a - b)).toEqual(times.map((_, value) => value));
        expect(new Set(paged.map(({ at }) => at)).size).toBe(times.length);
        expect(paged).toEqual([...paged].sort((a, b) => a.at - b.at));
      }),
      { numRuns: 80 },
    );
  });

  it('knows what held at a moment, and what was recorded last', () => {
    const id = store.openSeries(key);
    expect([store.latest(id), store.lastBefore(id, EVER), store.firstFrom(id, 0)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    store.insert([
      { seriesId: id, at: 10, value: 1 },
      { seriesId: id, at: 20, value: 2 },
    ]);
    expect(store.lastBefore(id, 10)).toBeUndefined();
    expect(store.lastBefore(id, 20)).toEqual({ at: 10, value: 1 });
    expect(store.latest(id)).toEqual({ at: 20, value: 2 });
    expect(store.firstFrom(id, 11)).toEqual({ at: 20, value: 2 });
    store.insert([{ seriesId: id, at: 5, value: 3 }]);
    expect(store.latest(id)).toEqual({ at: 5, value: 3 });
  });

  it('gives each text one number for ever', () => {
    using directory = createTempDirectory('history');
    database.stop();
    open(directory.file('history.db'));
    const home = store.textId('Home');
    expect(store.textId('Away')).not.toBe(home);
    for (let count = 0; count < 1_200; count += 1) store.textId(`text ${count}`);
    expect(store.textId('Home')).toBe(home);
    database.stop();
    open(directory.file('history.db'));
    expect([store.text(home), store.textId('Home'), store.text(-1)]).toEqual(['Home', home, undefined]);
  });

  it('reads a roll-up whose states have rotted as one that knows of none', async () => {
    const id = store.openSeries({ ...key, characteristic: 'active', kind: 'bool' });
    store.insert([{ seriesId: id, at: T0, value: 1 }]);
    const build = () => new Rollups({ store, clock }).build(T0 + 2 * DAY_MS);
    await build();
    for (const rotted of ['{"1":36', 'null', '{"1":"long"}', '{"on":7}']) {
      database.current.prepare('UPDATE hourly SET state_ms = ?').run(rotted);
      expect(store.rollups.read('hourly', id, 0, EVER, 9)[0]?.stateMs).toEqual({});
    }
    // And it is rebuilt like any other.
    store.insert([{ seriesId: id, at: T0 + 1, value: 0 }]);
    await build();
    expect(store.rollups.read('hourly', id, 0, EVER, 9)[0]?.stateMs).toEqual({ 0: HOUR_MS - 1, 1: 1 });
  });

  it('writes all samples of a batch or none', () => {
    const id = store.openSeries(key);
    const bad = { seriesId: id, at: 2, value: Number.NaN };
    expect(() => store.insert([{ seriesId: id, at: 1, value: 1 }, bad])).toThrow(/NOT NULL/);
    expect(valuesOf(id)).toEqual([]);
    expect(store.series(id)?.sampleCount).toBe(0);
    expect(store.rollups.builtUntil('hourly', id)).toBe(EVER);
  });

  it.skipIf(IS_MUTATION_RUN)('stays small in memory and on the disk through a million samples', () => {
    using directory = createTempDirectory('history');
    database.stop();
    open(directory.file('history.db'));
    const ids = Array.from({ length: 50 }, (_, index) => store.openSeries({ ...key, accessoryId: `lamp ${index}` }));
    const heapBefore = process.memoryUsage().heapUsed;
    for (let batch = 0; batch < 100; batch += 1) {
      const samples = Array.from({ length: 10_000 }, (_, index) => ({
        seriesId: ids[index % ids.length] as number,
        at: T0 + batch * HOUR_MS + Math.floor(index / ids.length) * 15_000,
        value: index % 100,
      }));
      store.insert(samples);
    }
    expect(store.allSeries().reduce((sum, { sampleCount }) => sum + sampleCount, 0)).toBe(1_000_000);
    expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(64_000_000);
    expect(store.usedBytes() / 1_000_000).toBeLessThan(24);
  });
});

describe('what is deleted for ever', () => {
  let id: number;
  let rollups: Rollups;

  beforeEach(async () => {
    rollups = new Rollups({ store, clock });
    id = store.openSeries(key);
    store.insert(Array.from({ length: 96 }, (_, hour) => ({ seriesId: id, at: T0 + hour * HOUR_MS, value: hour })));
    await rollups.build(T0 + 10 * DAY_MS);
  });

  const erase = (before: number): number => {
    let samples = 0;
    for (let slice = store.erase(id, before, 10); ; slice = store.erase(id, before, 10)) {
      samples += slice.samples;
      if (slice.done) return samples;
    }
  };

  it('is gone with its roll-ups, and nothing else is', async () => {
    const before = T0 + DAY_MS + 90 * 60_000;
    expect(erase(before)).toBe(26);
    await rollups.build(T0 + 10 * DAY_MS);
    expect(valuesOf(id)).toEqual(Array.from({ length: 70 }, (_, index) => index + 26));
    expect(store.rollups.read('hourly', id, 0, EVER, 100)).toHaveLength(70);
    // The day that it lies in is built of what is left.
    expect(
      store.rollups.read('daily', id, 0, EVER, 100).map(({ start, min, count }) => [(start - T0) / DAY_MS, min, count]),
    ).toEqual([
      [1, 26, 22],
      [2, 48, 24],
      [3, 72, 24],
    ]);
    expect(store.series(id)).toMatchObject({ sampleCount: 70, rollupCount: 73 });
    expect(store.latest(id)?.value).toBe(95);
  });

  it('may be all of it', async () => {
    expect(erase(EVER)).toBe(96);
    await rollups.build(T0 + 10 * DAY_MS);
    expect([
      valuesOf(id),
      store.rollups.read('hourly', id, 0, EVER, 9),
      store.rollups.read('daily', id, 0, EVER, 9),
    ]).toEqual([[], [], []]);
    expect(store.latest(id)).toBeUndefined();
    expect(store.series(id)).toMatchObject({ sampleCount: 0, rollupCount: 0 });
    expect(erase(EVER)).toBe(0);
  });
});
