import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportHistory } from '../../../src/app/history/history-export.ts';
import { QueryLine } from '../../../src/app/history/query-work.ts';
import { parseCsv } from '../../support/csv.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

let home: TestHome;

beforeEach(() => {
  home = createTestHome({ sample: true });
});
afterEach(() => home.close());

const BASE = Date.UTC(2026, 0, 1);

function openSeries(accessoryId: string, characteristic: string, kind: 'numeric' | 'enum' | 'string'): number {
  return home.historyStore.openSeries({ homeId: home.home.id, accessoryId, characteristic, kind, unit: null });
}

async function read(chunks: AsyncIterable<string>): Promise<readonly (readonly string[])[]> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return parseCsv(text).slice(1);
}

function exportAll(options: { maxRows?: number; cursor?: string | undefined } = {}) {
  const { maxRows, cursor } = options;
  return exportHistory({
    store: home.historyStore,
    line: new QueryLine(),
    series: home.historyStore.seriesOf(home.home.id),
    sourceOf: () => 'device',
    input: { fromTs: 0, cursor },
    ...(maxRows !== undefined && { maxRows }),
  });
}

describe('an export', () => {
  it('has every sample exactly once, however often it must be continued', async () => {
    const lamp = home.named('Lamp').id;
    const door = home.named('Front Door').id;
    const series = [openSeries(lamp, 'brightness', 'numeric'), openSeries(door, 'lock_current_state', 'enum')];
    home.historyStore.insert(
      series.flatMap((seriesId) => Array.from({ length: 25 }, (_, at) => ({ seriesId, at: BASE + at, value: at % 3 }))),
    );
    for (const maxRows of [1, 7, 25, 49, 50, 51]) {
      const rows: (readonly string[])[] = [];
      let exports = 0;
      for (let cursor: string | undefined, more = true; more; exports += 1) {
        const part = await exportAll({ maxRows, cursor });
        const some = await read(part.chunks);
        expect(some.length).toBeLessThanOrEqual(maxRows);
        rows.push(...some);
        more = part.next !== null;
        cursor = part.next ?? undefined;
      }
      expect(exports).toBe(Math.ceil(50 / maxRows));
      expect(rows).toEqual(await read((await exportAll()).chunks));
    }
    const all = await read((await exportAll()).chunks);
    expect(all).toHaveLength(50);
    expect(all[0]).toEqual(['2026-01-01T00:00:00.000Z', lamp, 'brightness', '0', '', 'device']);
    expect(all[26]).toEqual(['2026-01-01T00:00:00.001Z', door, 'lock_current_state', '1', 'locked', 'device']);
  });

  it('gives texts whole, regardless of their content, and none that a spreadsheet would run', async () => {
    const id = home.named('Lamp').id;
    const seriesId = openSeries(id, 'virtual_mode', 'string');
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('=', '+', '"', ',', '\r', '\n', '@', '-', 'a') })),
        ),
        async (texts) => {
          await home.history.purge(systemCaller, { homeId: home.home.id });
          home.historyStore.insert(
            texts.map((text, index) => ({ seriesId, at: BASE + index, value: home.historyStore.textId(text) })),
          );
          const rows = await read((await exportAll()).chunks);
          expect(rows.map(([, , , value, text]) => [value, text])).toEqual(
            texts.map((text) => ['', /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text]),
          );
          for (const [, , , , text = ''] of rows) expect(text).not.toMatch(/^[=+\-@\t\r\n]/);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('reports where a value came from', async () => {
    home.history.setEnabled(systemCaller, home.home.id, true);
    home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Guests', type: 'switch' });
    const accessoryIds = [home.named('Lamp').id];
    home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Ceiling', accessoryIds });
    await home.clock.advance(1000);
    const { chunks } = await home.history.export(systemCaller, { homeId: home.home.id });
    expect(new Set((await read(chunks)).map((row) => row[5]))).toEqual(new Set(['device', 'virtual', 'group']));
  });

  it('keeps what an accessory that is gone has left, for callers who may see the home', async () => {
    const gone = '00000000-0000-4000-8000-00000000dead';
    home.historyStore.insert([{ seriesId: openSeries(gone, 'brightness', 'numeric'), at: BASE, value: 5 }]);
    const input = { homeId: home.home.id, accessoryId: gone.toUpperCase() };
    expect(await read((await home.history.export(systemCaller, input)).chunks)).toEqual([
      ['2026-01-01T00:00:00.000Z', gone, 'brightness', '5', '', 'device'],
    ]);
    expect(await home.history.purge(systemCaller, input)).toEqual({ deleted: 1 });
  });

  it.each(['', 'x', '1', '1.', '.5', '1.2.3', '-1.5', '9'.repeat(40)])('does not go on from "%s"', async (cursor) => {
    await expect(exportAll({ cursor })).rejects.toEqual(expect.objectContaining({ code: 'invalid_value' }));
  });

  it('wants an accessory to a characteristic', async () => {
    const input = { homeId: home.home.id, characteristicType: 'on' };
    await expect(home.history.export(systemCaller, input)).rejects.toThrow('Give the accessory');
  });
});
