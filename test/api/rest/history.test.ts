import { get as httpGet } from 'node:http';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { slugKey } from '../../../src/home/slug.ts';
import { parseCsv } from '../../support/csv.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { serveApi } from '../../support/served-api.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

const HOUR_MS = 3_600_000;

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});
afterEach(() => home.close());

function enable(): void {
  home.history.setEnabled(systemCaller, home.home.id, true);
}

/** Writes samples as the recorder would have, without waiting for as long. */
function remember(
  name: string,
  characteristic: string,
  samples: readonly (readonly [at: number, value: number])[],
): void {
  const { id: accessoryId, homeId } = home.named(name);
  const kind = characteristic === 'brightness' || characteristic === 'current_temperature' ? 'numeric' : 'bool';
  const seriesId = home.historyStore.openSeries({ homeId, accessoryId, characteristic, kind, unit: null });
  home.historyStore.insert(samples.map(([at, value]) => ({ seriesId, at, value })));
}

describe('GET /rest/history', () => {
  it('shows what was recorded while the home went on', async () => {
    enable();
    await home.clock.advance(1000);
    await rest.post('/rest/state', {
      home: 'My Home',
      room: 'Living Room',
      accessory: 'Lamp',
      on: true,
      brightness: 80,
    });
    await home.clock.advance(60_000);
    const { status, body } = await rest.get('/rest/history?accessory=lamp');
    expect(status).toBe(200);
    const lamp = home.named('Lamp');
    expect(body).toMatchObject({
      home: slugKey('My Home', home.home.id),
      accessory: { key: slugKey('Lamp', lamp.id), name: 'Lamp', id: lamp.id },
      from: new Date(home.clock.now() - 24 * HOUR_MS).toISOString(),
      to: new Date(home.clock.now()).toISOString(),
    });
    const byName = Object.fromEntries(body.series.map((one: { characteristic: string }) => [one.characteristic, one]));
    expect(byName.power_state).toEqual({
      characteristic: 'power_state',
      kind: 'bool',
      unit: null,
      resolution: 'raw',
      transitions: [
        ['2026-01-15T12:00:00.000Z', 'off'],
        ['2026-01-15T12:00:01.000Z', 'on'],
      ],
      openingValue: null,
    });
    expect(byName.brightness.summary).toMatchObject({ min: 50, max: 80, latest: 80 });
    expect(body._meta.message).toBe('2 of 2 characteristics have recorded history in the last 24h');
  });

  it('gives numbers with two decimals at most, averages weighed by time', async () => {
    enable();
    const now = home.clock.now();
    remember('Thermostat', 'current_temperature', [
      [now - 2 * HOUR_MS, 20],
      [now - HOUR_MS / 2, 21.0049],
    ]);
    const { body } = await rest.get('/rest/history?accessory=thermostat&characteristic=current_temp&hours=1');
    expect(body.series).toEqual([
      {
        characteristic: 'current_temperature',
        kind: 'numeric',
        unit: expect.toSatisfy((unit) => unit === null || typeof unit === 'string'),
        resolution: 'raw',
        values: [[new Date(now - HOUR_MS / 2).toISOString(), 21]],
        summary: { min: 20, max: 21, avg: 20.5, latest: 21 },
      },
    ]);
  });

  it.each([
    ['hours=0.01&max_points=1', 0.25],
    ['hours=99999&max_points=999999', 8784],
    ['hours=-5', 0.25],
    ['hours=', 24],
  ])('takes %s for %s hours', async (query, hours) => {
    enable();
    const { status, body } = await rest.get(`/rest/history?accessory=lamp&${query}`);
    expect(status).toBe(200);
    expect(Date.parse(body.to) - Date.parse(body.from)).toBe(hours * HOUR_MS);
  });

  it.each(['hours=soon', 'max_points=many', 'hours=NaN'])('refuses %s', async (query) => {
    const { status, body } = await rest.get(`/rest/history?accessory=lamp&${query}`);
    expect(status).toBe(422);
    expect(body.code).toBe('invalid_value');
  });

  it('ends in words, even over more points than are asked for', async () => {
    enable();
    const now = home.clock.now();
    remember(
      'Lamp',
      'power_state',
      Array.from({ length: 100 }, (_, index) => [now - HOUR_MS + index * 1000, index % 2] as const),
    );
    const { body } = await rest.get('/rest/history?accessory=lamp&characteristic=on&hours=1&max_points=10');
    const [series] = body.series;
    expect(series.transitions).toHaveLength(10);
    for (const [at, word] of series.transitions) {
      expect(new Date(at).toISOString()).toBe(at);
      expect(['on', 'off']).toContain(word);
    }
  });
});

describe('GET /rest/history/export', () => {
  it('is CSV that parses back to what was recorded', async () => {
    enable();
    const now = home.clock.now();
    remember('Thermostat', 'current_temperature', [
      [now - 2000, -3.5],
      [now - 1000, 21.25],
    ]);
    const { id } = home.named('Thermostat');
    const answer = await rest.get(
      `/rest/history/export?home=${home.home.id}&accessory=${id}&characteristic=current_temperature`,
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/csv');
    expect(answer.headers.get('link')).toBeNull();
    const [head, ...rows] = parseCsv(answer.text);
    expect(head).toEqual(['timestamp', 'accessory_id', 'characteristic', 'value', 'value_text', 'source']);
    expect(rows.slice(0, 2)).toEqual([
      [new Date(now - 2000).toISOString(), id, 'current_temperature', '-3.5', '', 'device'],
      [new Date(now - 1000).toISOString(), id, 'current_temperature', '21.25', '', 'device'],
    ]);
  });

  it('keeps to the times asked for, in either form', async () => {
    enable();
    const now = home.clock.now();
    remember('Lamp', 'brightness', [
      [now - 3000, 1],
      [now - 2000, 2],
      [now - 1000, 3],
    ]);
    const from = new Date(now - 2000).toISOString();
    const path = `/rest/history/export?home=${home.home.id}&from=${from}&to=${now - 1000}`;
    expect(
      parseCsv((await rest.get(path)).text)
        .slice(1)
        .map(([, , , value]) => value),
    ).toEqual(['2']);
    expect((await rest.get(`/rest/history/export?home=${home.home.id}&from=yesterday`)).status).toBe(422);
    expect((await rest.get('/rest/history/export')).status).toBe(400);
  });
});

describe('the settings', () => {
  it('are off until an admin turns them on, and are shown with what is kept', async () => {
    const path = `/rest/history/homes/${home.home.id}`;
    expect((await rest.get(path)).body).toMatchObject({ enabled: false, shared: false, rawRetentionDays: null });
    const changed = await rest.patch(path, { enabled: true, shared: true, rawRetentionDays: 30 });
    expect(changed.body).toMatchObject({
      homeId: home.home.id,
      enabled: true,
      shared: true,
      rawRetentionDays: 30,
      stats: { seriesCount: 0, sampleRows: 0, oldestAt: null },
    });
    await home.clock.advance(1000);
    expect((await rest.get(path)).body.stats).toMatchObject({ oldestAt: '2026-01-15T12:00:00.000Z' });
    expect((await rest.patch(path, { rawRetentionDays: null })).body).toMatchObject({
      enabled: true,
      rawRetentionDays: null,
    });
  });

  it.each([{ enabled: 'yes' }, { rawRetentionDays: 0 }, { rawRetentionDays: 1.5 }, { shared: 1 }])(
    'are not %o',
    async (changes) => {
      const answer = await rest.patch(`/rest/history/homes/${home.home.id}`, changes);
      expect([answer.status, answer.body.code]).toEqual([422, 'invalid_value']);
    },
  );

  it('of one series are set, shown and taken back', async () => {
    const lamp = home.named('Lamp');
    const name = { homeId: home.home.id, accessoryId: lamp.id, characteristicType: 'public.hap.characteristic.hue' };
    const changed = await rest.patch('/rest/history/series', {
      ...name,
      enabled: true,
      minIntervalS: 2.5,
      retentionDays: 7,
    });
    const expected = { characteristicType: 'hue', enabled: true, minIntervalS: 2.5, retentionDays: 7, sampleCount: 0 };
    expect(changed.body).toMatchObject(expected);
    const listed = (await rest.get(`/rest/history/series?home=${home.home.id}`)).body;
    expect(listed).toContainEqual(expect.objectContaining({ ...expected, accessoryName: 'Lamp', firstAt: null }));
    const reset = { ...name, enabled: null, minIntervalS: null, deadband: null, retentionDays: null };
    expect((await rest.patch('/rest/history/series', reset)).body).toMatchObject({ enabled: false, retentionDays: 90 });
  });

  it('of what is never recorded are refused', async () => {
    const { id } = home.named('Button');
    const body = { homeId: home.home.id, accessoryId: id, characteristicType: '73', enabled: true };
    const answer = await rest.patch('/rest/history/series', body);
    expect([answer.status, answer.body.code]).toEqual([422, 'characteristic_not_found']);
  });
});

describe('DELETE /rest/history', () => {
  it('forgets what is older, of one accessory or all', async () => {
    enable();
    const now = home.clock.now();
    remember('Lamp', 'brightness', [
      [now - 3 * HOUR_MS, 1],
      [now - 1000, 2],
    ]);
    remember('Thermostat', 'current_temperature', [[now - 3 * HOUR_MS, 20]]);
    const before = new Date(now - HOUR_MS).toISOString();
    const lamp = `home=${home.home.id}&accessory=${home.named('Lamp').id}`;
    expect((await rest.delete(`/rest/history?${lamp}&before=${before}`)).body).toEqual({ success: true, deleted: 1 });
    const exported = async (): Promise<number> =>
      parseCsv((await rest.get(`/rest/history/export?home=${home.home.id}&to=${now}`)).text).length - 1;
    expect(await exported()).toBe(2);
    expect((await rest.delete(`/rest/history?home=${home.home.id}`)).status).toBe(200);
    expect(await exported()).toBe(0);
  });

  it('wants to know the home', async () => {
    expect((await rest.delete('/rest/history')).status).toBe(400);
    expect((await rest.delete('/rest/history?home=everything')).status).toBe(400);
    // A script's unset variable, and a filter that is called otherwise, would else delete everything of the home.
    for (const slip of ['accessory=', 'characteristic=', 'before=', 'accessoryId=lamp', 'until=1']) {
      const { status, body } = await rest.delete(`/rest/history?home=${home.home.id}&${slip}`);
      expect([status, body.error]).toEqual([400, expect.stringContaining(`"${slip.split('=')[0]}"`)]);
    }
  });
});

describe('for every request', () => {
  it('is answered, never with a fault of ours', async () => {
    enable();
    await home.clock.advance(1000);
    const lamp = home.named('Lamp').id;
    const odd = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', '0', '-1', '1e309', 'Infinity', 'NaN', '0x10', '9'.repeat(30), '__proto__', '%', '\u0000'),
      fc.constantFrom(lamp, home.home.id, 'lamp', 'on', 'on_2', 'on_0', 'brightness_99999999999999999999'),
    );
    const names = ['accessory', 'home', 'characteristic', 'hours', 'max_points', 'from', 'to', 'before', 'cursor'];
    const query = fc.array(fc.tuple(fc.constantFrom(...names), odd), { maxLength: 5 });
    const routes = fc.constantFrom(
      'GET /rest/history',
      'GET /rest/history/export',
      'GET /rest/history/series',
      'DELETE /rest/history',
    );
    await fc.assert(
      fc.asyncProperty(routes, query, fc.boolean(), async (route, pairs, withHome) => {
        const [method = '', path = ''] = route.split(' ');
        const all = withHome ? [...pairs, ['home', home.home.id] as [string, string]] : pairs;
        const answer = await rest.request(method, `${path}?${new URLSearchParams(all)}`);
        expect([200, 400, 404, 422], answer.text).toContain(answer.status);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [{}],
    [{ homeId: 1 }],
    [{ homeId: 'x', accessoryId: 'y', characteristicType: 'z' }],
    [{ homeId: 'x', accessoryId: 'y', characteristicType: 'z', colour: 'red' }],
  ])('PATCH /rest/history/series with %o changes nothing', async (body) => {
    const answer = await rest.patch('/rest/history/series', body);
    expect([400, 404, 422]).toContain(answer.status);
  });
});

describe('over a real connection', () => {
  function rememberMany(rows: number): void {
    enable();
    const start = home.clock.now() - rows;
    remember(
      'Lamp',
      'brightness',
      Array.from({ length: rows }, (_, index) => [start + index, index % 100] as const),
    );
  }

  it('a query ends when its client leaves', async () => {
    const rows = 300_000;
    rememberMany(rows);
    await withServer(async (port) => {
      const samples = home.historyStore.samples.bind(home.historyStore);
      let pages = 0;
      const request = httpGet({
        host: '127.0.0.1',
        port,
        path: '/rest/history?accessory=lamp&characteristic=brightness',
        headers: { authorization: `Bearer ${createToken(home)}` },
      });
      request.once('error', () => undefined);
      const gone = new Promise<void>((resolve) => {
        home.historyStore.samples = (...parameters) => {
          pages += 1;
          if (pages === 3) {
            request.destroy();
            resolve();
          }
          return samples(...parameters);
        };
      });
      await gone;
      const before = pages;
      for (let last = -1; last !== pages; ) {
        last = pages;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(before).toBe(3);
      expect(pages).toBeLessThan(rows / 2_000);
    });
  });

  it('an export is streamed to a client that reads slowly, and ends when it goes away', async () => {
    const rows = 60_000;
    rememberMany(rows);
    await withServer(async (port) => {
      const samples = home.historyStore.samples.bind(home.historyStore);
      let pages = 0;
      home.historyStore.samples = (...parameters) => {
        pages += 1;
        return samples(...parameters);
      };
      let hasEnded = false;
      const exportHistory = home.history.export.bind(home.history);
      home.history.export = async (...parameters) => {
        const { chunks, next } = await exportHistory(...parameters);
        async function* watched(): AsyncGenerator<string> {
          try {
            yield* chunks;
          } finally {
            hasEnded = true;
          }
        }
        return { chunks: watched(), next };
      };
      const headers = { authorization: `Bearer ${createToken(home)}` };
      const path = `/rest/history/export?home=${home.home.id}&to=${home.clock.now()}`;
      const request = httpGet({ host: '127.0.0.1', port, path, headers });
      const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
        request.once('response', resolve);
        request.once('error', reject);
      });
      await new Promise<void>((resolve) => response.once('data', () => resolve()));
      response.pause();
      response.destroy();
      await expect.poll(() => hasEnded).toBe(true);
      const whole = rows / 2_000;
      // Counting reads every page once; sending them all would read each once more.
      expect(pages).toBeLessThan(2 * whole);
    });
  });
});

async function withServer(run: (port: number) => Promise<void>): Promise<void> {
  const server = await serveApi(createTestApi(home));
  try {
    await run(server.port);
  } finally {
    await server.stop();
  }
}
