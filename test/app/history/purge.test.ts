import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let home: TestHome;

beforeEach(() => {
  home = createTestHome({ sample: true });
});
afterEach(() => home.close());

function openBrightness(name: string): { readonly seriesId: number; readonly accessoryId: string } {
  const { id: accessoryId, homeId } = home.named(name);
  const series = { homeId, accessoryId, characteristic: 'brightness', kind: 'numeric', unit: '%' } as const;
  return { seriesId: home.historyStore.openSeries(series), accessoryId };
}

function query(accessoryId: string, fromTs: number, toTs: number, resolution: string) {
  const series = [{ accessoryId, characteristicType: 'brightness' }];
  return home.history.query(systemCaller, { homeId: home.home.id, series, fromTs, toTs, resolution });
}

describe('a purge', () => {
  it('leaves what is younger as it was, at every resolution', async () => {
    home.history.setEnabled(systemCaller, home.home.id, true);
    await home.history.purge(systemCaller, { homeId: home.home.id });
    const { seriesId, accessoryId } = openBrightness('Lamp');
    const end = Math.floor(home.clock.now() / DAY_MS) * DAY_MS;
    const start = end - 4 * DAY_MS;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: 4 * DAY_MS - 1 }), { maxLength: 60 }),
        fc.integer({ min: 0, max: 4 * DAY_MS }),
        async (offsets, cut) => {
          await home.history.purge(systemCaller, { homeId: home.home.id });
          const samples = offsets
            .sort((a, b) => a - b)
            .map((at, index) => ({ seriesId, at: start + at, value: index % 7 }));
          home.historyStore.insert(samples);
          await home.rollups.build(home.clock.now());
          const before = start + cut;
          const older = samples.filter(({ at }) => at < before).length;
          const input = { homeId: home.home.id, accessoryId, characteristicType: 'brightness', beforeTs: before };
          expect(await home.history.purge(systemCaller, input)).toEqual({ deleted: older });
          await home.rollups.build(home.clock.now());
          const left = samples.filter(({ at }) => at >= before);
          for (const resolution of ['raw', 'hourly', 'daily']) {
            const [data] = await query(accessoryId, start, end, resolution);
            expect(data?.points.reduce((sum, { count }) => sum + count, 0)).toBe(left.length);
            expect(data?.points.at(-1)?.last).toBe(left.at(-1)?.value);
            expect(data?.prevValue).toBeNull();
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of one accessory leaves the others', async () => {
    const lamp = openBrightness('Lamp');
    const door = openBrightness('Front Door');
    const at = home.clock.now() - HOUR_MS;
    home.historyStore.insert([lamp, door].map(({ seriesId }) => ({ seriesId, at, value: 1 })));
    const input = { homeId: home.home.id, accessoryId: lamp.accessoryId };
    expect(await home.history.purge(systemCaller, input)).toEqual({ deleted: 1 });
    expect(home.historyStore.samples(door.seriesId, 0, at + 1, 10)).toHaveLength(1);
    expect(home.history.stats(systemCaller, home.home.id)).toMatchObject({ sampleRows: 1, oldestAt: at });
  });

  it('is not ended by recording that goes on', async () => {
    home.history.setEnabled(systemCaller, home.home.id, true);
    const { accessoryId } = openBrightness('Lamp');
    await home.clock.advance(60_000);
    await home.control.setProperties(systemCaller, [{ accessoryId, settings: { brightness: 80 } }]);
    await home.history.purge(systemCaller, { homeId: home.home.id });
    await home.clock.advance(60_000);
    await home.control.setProperties(systemCaller, [{ accessoryId, settings: { brightness: 20 } }]);
    await home.clock.advance(60_000);
    const [data] = await query(accessoryId, 0, home.clock.now(), 'raw');
    expect(data?.points.map(({ last }) => last)).toEqual([20]);
  });

  it('without a time that is one is refused', async () => {
    await expect(home.history.purge(systemCaller, { homeId: home.home.id, beforeTs: Number.NaN })).rejects.toEqual(
      expect.objectContaining({ code: 'invalid_value' }),
    );
  });

  it('deletes what waits for a disk that takes nothing, or it would come back', async () => {
    home.history.setEnabled(systemCaller, home.home.id, true);
    home.recorder.flush();
    const { insert } = home.historyStore;
    home.historyStore.insert = () => {
      throw new Error('The disk is full');
    };
    const [lamp, heater] = [home.named('Lamp').id, home.named('Heater').id];
    await home.control.setProperties(systemCaller, [
      { accessoryId: lamp, settings: { on: true, brightness: 80 } },
      { accessoryId: heater, settings: { on: true } },
    ]);
    const input = { homeId: home.home.id, accessoryId: lamp, characteristicType: 'on' };
    const { sampleCount = 0 } = home.historyStore.findSeries(home.home.id, lamp, 'power_state') ?? {};
    expect(await home.history.purge(systemCaller, input)).toEqual({ deleted: sampleCount + 1 });
    home.historyStore.insert = insert;
    home.recorder.flush();
    const countOf = (id: string, name: string) => home.historyStore.findSeries(home.home.id, id, name)?.sampleCount;
    expect([countOf(lamp, 'power_state'), countOf(heater, 'power_state')]).toEqual([0, 2]);
    expect(countOf(lamp, 'brightness')).toBeGreaterThan(0);
  });
});
