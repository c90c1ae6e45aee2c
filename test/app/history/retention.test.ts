import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, floorToHour, HOUR_MS } from '../../../src/app/history/rollup-store.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { type HistoryFixture, openHistoryFixture } from './history-fixture.ts';

const EVER = Number.MAX_SAFE_INTEGER;
const MINUTE_MS = 60_000;

let fixture: HistoryFixture;

beforeEach(() => {
  fixture = openHistoryFixture();
});
afterEach(() => fixture.close());

function series(accessoryId = 'lamp', characteristic = 'brightness', homeId = fixture.home.home.id): number {
  return fixture.store.openSeries({ homeId, accessoryId, characteristic, kind: 'numeric', unit: null });
}

/** One sample an hour through the last days, half past. */
function fill(id: number, days: number): void {
  const now = floorToHour(fixture.clock.now());
  const samples = Array.from({ length: days * 24 }, (_, index) => ({
    seriesId: id,
    at: now - (index + 1) * HOUR_MS + 30 * MINUTE_MS,
    value: index % 100,
  }));
  fixture.store.insert(samples);
}

const daysLeft = (id: number): number => {
  const [, second] = fixture.store.samples(id, 0, EVER, 2);
  return Math.round((fixture.clock.now() - (second?.at ?? Number.NaN)) / DAY_MS);
};
const countOf = (id: number): number => fixture.store.samples(id, 0, EVER, 1_000_000).length;

describe('samples', () => {
  it('are kept for 90 days, or as long as their home or their series defines', async () => {
    const { home, settings } = fixture;
    const [usual, short, long] = [
      series(),
      series('lamp', 'hue', 'short home'),
      series('lamp', 'active', 'short home'),
    ];
    home.database
      .prepare('INSERT INTO homes (id, name, name_key, created_at) VALUES (?, ?, ?, 0)')
      .run('short home', 'Short', 'short');
    settings.setHome('short home', { rawRetentionDays: 10 });
    settings.setSeries({ homeId: 'short home', accessoryId: 'lamp', characteristic: 'active' }, { retentionDays: 100 });
    for (const id of [usual, short, long]) fill(id, 120);
    await fixture.keeper.run();
    expect([usual, short, long].map(daysLeft)).toEqual([90, 10, 100]);
  });

  it('live on in their roll-ups', async () => {
    const id = series();
    fill(id, 120);
    await fixture.keeper.run();
    expect(countOf(id)).toBe(90 * 24 + 1);
    const hours = fixture.store.rollups.read('hourly', id, 0, EVER, 10_000);
    expect(hours).toHaveLength(120 * 24);
    // A second pass rebuilds nothing of samples that no longer exist.
    for (const { start } of hours) fixture.store.rollups.markStale('hourly', id, start);
    await fixture.keeper.run();
    expect(fixture.store.rollups.read('hourly', id, 0, EVER, 10_000)).toEqual(hours);
    expect(fixture.store.series(id)).toMatchObject({ sampleCount: 90 * 24 + 1, rollupCount: 120 * 24 + 120 });
  });

  it('of which the newest old one stays: it is the value when the kept ones begin', async () => {
    const id = series();
    const then = fixture.clock.now() - 200 * DAY_MS;
    fixture.store.insert([
      { seriesId: id, at: then, value: 1 },
      { seriesId: id, at: then + HOUR_MS, value: 2 },
    ]);
    await fixture.keeper.run();
    expect(fixture.store.samples(id, 0, EVER, 9)).toEqual([{ at: then + HOUR_MS, value: 2 }]);
    expect(fixture.store.latest(id)?.value).toBe(2);
  });

  it('of a home that is gone go with all that became of them, once they are too old', async () => {
    const [old, recent] = [series('lamp', 'brightness', 'gone'), series('lamp', 'hue', 'gone')];
    fill(recent, 100);
    fixture.store.insert([{ seriesId: old, at: fixture.clock.now() - 91 * DAY_MS, value: 1 }]);
    await fixture.keeper.run();
    expect(fixture.store.seriesOf('gone').map(({ id }) => id)).toEqual([recent]);
    expect(fixture.store.rollups.read('hourly', old, 0, EVER, 9)).toEqual([]);
    expect(fixture.store.rollups.read('hourly', recent, 0, EVER, 9_999)).toHaveLength(2_400);
    // Its number may be used again only by itself.
    expect(fixture.store.samples(series('lamp', 'brightness', 'gone'), 0, EVER, 9)).toEqual([]);
  });

  it('go by themselves, within an hour', async () => {
    const id = series();
    fill(id, 100);
    fixture.keeper.start();
    await fixture.clock.advance(HOUR_MS);
    await expect.poll(() => countOf(id)).toBe(90 * 24 + 1);
  });

  it('stay while the clock has just leapt ahead, and go when that has lasted a day', async () => {
    const id = series();
    fill(id, 80);
    fixture.keeper.start();
    await fixture.keeper.run();
    fixture.clock.jumpWallClock(50 * DAY_MS);
    await fixture.keeper.run();
    expect(countOf(id)).toBe(80 * 24);
    await fixture.clock.advance(DAY_MS + HOUR_MS);
    await expect.poll(() => countOf(id)).toBeLessThan(40 * 24);
  });

  it('stay for a day after a start at which the clock is far ahead of the newest of them', async () => {
    const id = series();
    fill(id, 80);
    fixture.clock.jumpWallClock(5_000 * DAY_MS);
    fixture.keeper.start();
    await fixture.keeper.run();
    expect(countOf(id)).toBe(80 * 24);
    fixture.clock.jumpWallClock(-5_000 * DAY_MS);
    await fixture.clock.advance(2 * DAY_MS);
    await fixture.keeper.run();
    expect(countOf(id)).toBe(80 * 24);
  });

  it('are deleted in slices, between which the event loop runs', async () => {
    const id = series();
    fixture.store.insert(
      Array.from({ length: 20_000 }, (_, index) => ({
        seriesId: id,
        at: fixture.clock.now() - 200 * DAY_MS + index * MINUTE_MS,
        value: index,
      })),
    );
    await fixture.rollups.build(fixture.clock.now());
    const seen = new Set<number>();
    let isDone = false;
    const watch = (): void => {
      seen.add(fixture.store.series(id)?.sampleCount ?? -1);
      if (!isDone) setImmediate(watch);
    };
    watch();
    await fixture.keeper.run();
    isDone = true;
    expect(countOf(id)).toBe(1);
    expect(seen.size).toBeGreaterThan(15);
  });
});

describe('a history that has grown too large', () => {
  it('loses its oldest samples, of all series, and gives the space back', async () => {
    using directory = createTempDirectory('history');
    const reported: object[] = [];
    const logger = { ...silentLogger, info: (fields: object) => void reported.push(fields) };
    const own = openHistoryFixture({
      paths: { relay: directory.file('relay.db'), history: directory.file('history.db') },
      logger,
    });
    const { store, clock } = own;
    const now = floorToHour(clock.now());
    const homeId = own.home.home.id;
    const [still, ...ids] = ['still', 'a', 'b', 'c'].map((accessoryId) =>
      store.openSeries({ homeId, accessoryId, characteristic: 'x', kind: 'numeric', unit: null }),
    ) as [number, ...number[]];
    // Never changed since: it must not keep the others from being pruned.
    store.insert([{ seriesId: still, at: now - 60 * DAY_MS, value: 1 }]);
    for (const seriesId of ids) {
      const at = (index: number): number => now - (index + 1) * MINUTE_MS;
      store.insert(Array.from({ length: 40_000 }, (_, index) => ({ seriesId, at: at(index), value: index / 7 })));
    }
    const before = store.usedBytes();
    const maxBytes = Math.round(before / 2);
    await own.keeperUpTo(maxBytes).run();
    expect(store.usedBytes()).toBeLessThanOrEqual(maxBytes);
    const oldest = ids.map((id) => store.samples(id, 0, EVER, 2)[1]?.at);
    expect(new Set(oldest).size).toBe(1);
    expect(store.samples(ids[0] as number, now - 5 * DAY_MS, now, 100_000)).toHaveLength(5 * 24 * 60);
    // Hours that lost their samples kept what they came to.
    expect(store.rollups.read('hourly', ids[0] as number, 0, EVER, 10_000)).toHaveLength(Math.ceil(40_000 / 60));
    expect(store.freePages()).toBeLessThanOrEqual(500);
    expect(store.latest(still)?.value).toBe(1);
    expect(reported).toEqual([{ samples: expect.any(Number), maxBytes }]);
    await own.close();
  });

  it('stops at the present hour, however small it should be', async () => {
    const id = series();
    fill(id, 3);
    fixture.store.insert([{ seriesId: id, at: fixture.clock.now(), value: 7 }]);
    await fixture.keeperUpTo(1).run();
    expect(fixture.store.samples(id, 0, EVER, 9).map(({ value }) => value)).toEqual([0, 7]);
  });
});

describe('what goes wrong', () => {
  it('is reported once, and retried an hour later', async () => {
    const lines: string[] = [];
    const own = openHistoryFixture({
      logger: { ...silentLogger, warn: (_: object, line: string) => void lines.push(line) },
    });
    own.database.stop();
    await own.keeper.run();
    await own.keeper.run();
    expect(lines).toEqual(['Could not maintain the history; the relay retries']);
    own.database.start();
    await own.keeper.run();
    await own.close();
  });
});
