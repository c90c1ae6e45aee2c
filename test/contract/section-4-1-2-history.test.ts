/** API §4.1.2: GET /rest/history, with the limits of §8 and the shape that existing clients read. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { slugKey } from '../../src/home/slug.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { characteristic, information, lamp, plainSwitch, service } from '../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

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

/** Writes samples `[ms before now, value]` into a series, as the recorder would have. */
function remember(
  accessoryId: string,
  series: string,
  kind: 'numeric' | 'bool' | 'enum',
  samples: readonly (readonly [ago: number, value: number])[],
): void {
  const seriesId = home.historyStore.openSeries({
    homeId: home.home.id,
    accessoryId,
    characteristic: series,
    kind,
    unit: null,
  });
  const now = home.clock.now();
  home.historyStore.insert(samples.map(([ago, value]) => ({ seriesId, at: now - ago, value })));
}

/** A device with more that can be recorded than an answer holds. */
function attachWeatherStation(): string {
  const types = ['11', '10', '6B', '93', '95', 'C6', 'C7', 'C8', '68'];
  const readings = types.map((type, index) =>
    characteristic(String(10 + index), type, 'float', index + 1, { minValue: 0, maxValue: 10_000 }, ['pr', 'ev']),
  );
  home.driver.attach(home.home.id, {
    deviceId: '10:00:00:00:00:77',
    name: 'Weather',
    setupCode: '031-45-160',
    accessories: [
      {
        aid: '1',
        name: 'Weather Station',
        category: 10,
        services: [information('Weather Station'), service('9', '8A', readings)],
      },
    ],
  });
  return home.named('Weather Station').id;
}

const historyOf = async (query: string) => (await rest.get(`/rest/history?${query}`)).body;

describe('Analytics', () => {
  it('is required to be enabled for the home: until then nothing is recorded and the answer explains how to', async () => {
    await rest.post('/rest/state', { home: 'My Home', room: 'Living Room', accessory: 'Lamp', on: true });
    const { status, body } = await rest.get('/rest/history?accessory=lamp');
    expect(status).toBe(200);
    expect(body.series).toEqual([]);
    expect(body._meta.message).toMatch(/opt-in.*hearthd history enable.*\/rest\/history\/homes\//);
    expect(home.historyStore.allSeries()).toEqual([]);
  });

  it('is opt-in, off by default, in every home', () => {
    const second = home.homes.create(systemCaller, { name: 'Cottage' });
    for (const { id } of [home.home, second]) expect(home.history.home(systemCaller, id).enabled).toBe(false);
  });

  it('of one home does not record another', async () => {
    const second = home.homes.create(systemCaller, { name: 'Cottage' });
    home.history.setEnabled(systemCaller, second.id, true);
    await home.clock.advance(MINUTE_MS);
    home.recorder.flush();
    expect(home.historyStore.allSeries()).toEqual([]);
  });
});

describe('accessory', () => {
  beforeEach(enable);

  it('is required', async () => {
    for (const query of ['', 'accessory=', 'accessory=%20']) {
      const { status, body } = await rest.get(`/rest/history?${query}`);
      expect([status, body.error]).toEqual([400, expect.stringContaining('accessory parameter required')]);
    }
  });

  it('is an accessory name substring, slug, or id, ignoring case', async () => {
    const { id, name } = home.named('Thermostat');
    for (const text of ['thermo', 'THERMOSTAT', slugKey(name, id), slugKey(name, id).slice(-6), id, id.toUpperCase()]) {
      expect((await historyOf(`accessory=${encodeURIComponent(text)}`)).accessory).toEqual({
        key: slugKey(name, id),
        name,
        id,
      });
    }
  });

  it('that is exactly the name goes before one that only has it in it', async () => {
    home.driver.attach(home.home.id, {
      deviceId: '10:00:00:00:00:78',
      name: 'A Lamp too many',
      setupCode: '031-45-161',
      accessories: [lamp('A Lamp too many')],
    });
    expect((await historyOf('accessory=lamp')).accessory.name).toBe('Lamp');
  });

  it('may be a service group or a virtual accessory', async () => {
    const accessoryIds = [home.named('Lamp').id];
    const group = home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Ceiling', accessoryIds });
    const guests = home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Guests', type: 'switch' });
    await home.clock.advance(MINUTE_MS);
    const ceiling = await historyOf('accessory=ceiling&characteristic=brightness');
    expect(ceiling.accessory.id).toBe(group.id);
    expect(ceiling.series[0].summary.latest).toBe(50);
    const switched = await historyOf('accessory=guests');
    expect(switched.accessory.id).toBe(guests.id);
    expect(switched.series).toMatchObject([
      { characteristic: 'power_state', transitions: [[expect.any(String), 'off']] },
    ]);
  });

  it('that matches nothing is reported with the home that was searched', async () => {
    const { status, body } = await rest.get('/rest/history?accessory=teapot');
    expect([status, body.error]).toEqual([404, 'No accessory matches "teapot" in home "My Home"']);
  });
});

describe('home', () => {
  beforeEach(enable);

  it('is a home name substring and narrows the search', async () => {
    const second = home.homes.create(systemCaller, { name: 'Cottage' });
    home.history.setEnabled(systemCaller, second.id, true);
    home.driver.attach(second.id, {
      deviceId: '10:00:00:00:00:79',
      name: 'Lamp',
      setupCode: '031-45-162',
      accessories: [lamp('Lamp')],
    });
    expect((await historyOf('accessory=lamp&home=COTT')).home).toBe(slugKey('Cottage', second.id));
    expect((await historyOf('accessory=lamp&home=my')).home).toBe(slugKey('My Home', home.home.id));
    const { status, body } = await rest.get('/rest/history?accessory=thermostat&home=cottage');
    expect([status, body.error]).toEqual([404, 'No accessory matches "thermostat" in home "Cottage"']);
  });

  it('that matches nothing is reported by name', async () => {
    const { status, body } = await rest.get('/rest/history?accessory=lamp&home=castle');
    expect([status, body.error]).toEqual([404, 'No home matches "castle"']);
  });

  it('can’t be found by a token that sees none', async () => {
    const { id } = home.homes.create(systemCaller, { name: 'Cottage' });
    const stranger = createRestClient(createTestApi(home), createToken(home, { [id]: 'view' }));
    home.homes.delete(systemCaller, id);
    const { status, body } = await stranger.get('/rest/history?accessory=lamp');
    expect([status, body.error]).toEqual([404, 'No homes found']);
  });
});

describe('characteristic', () => {
  beforeEach(enable);

  it('is one characteristic, for example current_temperature', async () => {
    await home.clock.advance(MINUTE_MS);
    for (const word of [
      'current_temperature',
      'current_temp',
      'CurrentTemperature',
      'public.hap.characteristic.temperature.current',
    ]) {
      const { series } = await historyOf(`accessory=thermostat&characteristic=${word}`);
      expect(series).toMatchObject([{ characteristic: 'current_temperature', kind: 'numeric' }]);
    }
  });

  it('when omitted, all recordable characteristics are returned, the most useful first', async () => {
    await home.clock.advance(MINUTE_MS);
    const { series } = await historyOf('accessory=thermostat');
    const names = series.map((one: { characteristic: string }) => one.characteristic);
    expect(names[0]).toBe('current_temperature');
    expect(names).toContain('heating_cooling_target');
  });

  it('when omitted, up to 6 are returned', async () => {
    attachWeatherStation();
    await home.clock.advance(MINUTE_MS);
    const { series, _meta } = await historyOf('accessory=weather');
    expect(series.map((one: { characteristic: string }) => one.characteristic)).toEqual([
      'current_temperature',
      'relative_humidity',
      'current_ambient_light_level',
      'carbon_dioxide_level',
      'air_quality',
      'pm2_5_density',
    ]);
    expect(_meta.message).toBe('6 of 6 characteristics have recorded history in the last 24h');
  });

  it('of several services is numbered from the second on', async () => {
    home.driver.attach(home.home.id, {
      deviceId: '10:00:00:00:00:80',
      name: 'Strip',
      setupCode: '031-45-163',
      accessories: [
        {
          ...plainSwitch('Strip', '1'),
          services: [
            information('Strip'),
            service('9', '47', [characteristic('10', '25', 'bool', false)]),
            service('19', '47', [characteristic('20', '25', 'bool', true)]),
          ],
        },
      ],
    });
    await home.clock.advance(MINUTE_MS);
    const { series } = await historyOf('accessory=strip&characteristic=on_2');
    expect(series).toMatchObject([{ characteristic: 'power_state_2', transitions: [[expect.any(String), 'on']] }]);
  });

  it('that can’t be recorded is refused by name', async () => {
    const { status, body } = await rest.get('/rest/history?accessory=lamp&characteristic=firmware_revision');
    expect([status, body.error]).toEqual([422, 'Characteristic "firmware_revision" is not recordable on Lamp']);
  });
});

describe('hours', () => {
  beforeEach(enable);

  it('is how far back to look; default 24', async () => {
    const now = home.clock.now();
    const body = await historyOf('accessory=lamp');
    expect([body.from, body.to]).toEqual([new Date(now - DAY_MS).toISOString(), new Date(now).toISOString()]);
    const shorter = await historyOf('accessory=lamp&hours=1.5');
    expect(shorter.from).toBe(new Date(now - 1.5 * HOUR_MS).toISOString());
    expect(shorter._meta.message).toContain('in the last 1.5h');
  });

  it('looks no further back', async () => {
    const { id } = home.named('Thermostat');
    remember(id, 'current_temperature', 'numeric', [
      [3 * HOUR_MS, 18],
      [HOUR_MS, 19],
    ]);
    const { series } = await historyOf('accessory=thermostat&characteristic=current_temperature&hours=2');
    expect(series[0].values).toEqual([[new Date(home.clock.now() - HOUR_MS).toISOString(), 19]]);
  });

  it('is brought into a quarter of an hour to a leap year', async () => {
    for (const [asked, taken] of [
      ['0', 0.25],
      ['1000000', 8784],
    ] as const) {
      const { from, to } = await historyOf(`accessory=lamp&hours=${asked}`);
      expect(Date.parse(to) - Date.parse(from)).toBe(taken * HOUR_MS);
    }
    expect((await rest.get('/rest/history?accessory=lamp&hours=long')).status).toBe(422);
  });
});

describe('max_points', () => {
  beforeEach(enable);

  const recordEverySecond = (count: number): void => {
    const samples = Array.from({ length: count }, (_, index) => [(count - index) * 1000, index % 40] as const);
    remember(home.named('Thermostat').id, 'current_temperature', 'numeric', samples);
  };
  const pointsOf = async (query: string): Promise<number> => {
    const { series } = await historyOf(`accessory=thermostat&characteristic=current_temperature&hours=1&${query}`);
    return series[0].values.length;
  };

  it('is the maximum of points per series; default 200', async () => {
    recordEverySecond(3000);
    expect(await pointsOf('')).toBeLessThanOrEqual(200);
    expect(await pointsOf('')).toBeGreaterThan(150);
    expect(await pointsOf('max_points=50')).toBeLessThanOrEqual(50);
  });

  it('is brought into 10 to 1000', async () => {
    recordEverySecond(3000);
    expect(await pointsOf('max_points=1')).toBeLessThanOrEqual(10);
    expect(await pointsOf('max_points=1')).toBeGreaterThan(1);
    expect(await pointsOf('max_points=100000')).toBeLessThanOrEqual(1000);
    expect(await pointsOf('max_points=100000')).toBeGreaterThan(500);
  });

  it('leaves few samples as they are, each with its own time', async () => {
    recordEverySecond(5);
    expect(await pointsOf('max_points=10')).toBe(5);
  });
});

describe('numeric characteristics', () => {
  beforeEach(enable);

  it('return [isoTime, value] pairs plus a min/avg/max summary', async () => {
    remember(home.named('Thermostat').id, 'current_temperature', 'numeric', [
      [2 * HOUR_MS, 20],
      [HOUR_MS, 22.126],
    ]);
    const { series } = await historyOf('accessory=thermostat&characteristic=current_temperature&hours=2');
    const now = home.clock.now();
    expect(series[0]).toEqual({
      characteristic: 'current_temperature',
      kind: 'numeric',
      unit: '°C',
      resolution: 'raw',
      values: [
        [new Date(now - 2 * HOUR_MS).toISOString(), 20],
        [new Date(now - HOUR_MS).toISOString(), 22.13],
      ],
      summary: { min: 20, max: 22.13, avg: 21.06, latest: 22.13 },
    });
  });

  it('have no summary while nothing is known of them', async () => {
    const { series } = await historyOf('accessory=lamp&characteristic=hue');
    expect(series[0]).toMatchObject({ values: [], summary: null });
  });

  it('come by the hour or by the day over long times', async () => {
    remember(
      home.named('Thermostat').id,
      'current_temperature',
      'numeric',
      Array.from({ length: 100 }, (_, index) => [(100 - index) * DAY_MS, index % 10] as const),
    );
    await home.rollups.build(home.clock.now());
    const resolutionOver = async (hours: number): Promise<unknown> => {
      const { series } = await historyOf(`accessory=thermostat&characteristic=current_temperature&hours=${hours}`);
      expect(series[0].values.length).toBeLessThanOrEqual(200);
      return series[0].resolution;
    };
    expect(await resolutionOver(48)).toBe('raw');
    expect(await resolutionOver(7 * 24)).toBe('hourly');
    expect(await resolutionOver(365 * 24)).toBe('daily');
  });
});

describe('on/off and mode characteristics', () => {
  beforeEach(enable);

  it('return [isoTime, state] transitions', async () => {
    remember(home.named('Lamp').id, 'power_state', 'bool', [
      [2 * DAY_MS, 0],
      [2 * HOUR_MS, 1],
      [HOUR_MS, 0],
    ]);
    const { series } = await historyOf('accessory=lamp&characteristic=power_state');
    const now = home.clock.now();
    expect(series[0]).toEqual({
      characteristic: 'power_state',
      kind: 'bool',
      unit: null,
      resolution: 'raw',
      transitions: [
        [new Date(now - 2 * HOUR_MS).toISOString(), 'on'],
        [new Date(now - HOUR_MS).toISOString(), 'off'],
      ],
      openingValue: 'off',
    });
  });

  it('show their states in words', async () => {
    const thermostat = home.named('Thermostat').id;
    remember(thermostat, 'heating_cooling_target', 'enum', [
      [3000, 0],
      [2000, 1],
      [1000, 9],
    ]);
    const { series } = await historyOf('accessory=thermostat&characteristic=heating_cooling_target');
    expect(series[0].transitions.map(([, word]: [string, string]) => word)).toEqual(['off', 'heat', 'unknown_9']);
  });

  it('over long times are the start of each bucket and the state that held longest in it', async () => {
    remember(home.named('Lamp').id, 'power_state', 'bool', [
      [6 * DAY_MS, 0],
      [3 * DAY_MS, 1],
    ]);
    await home.rollups.build(home.clock.now());
    const { series } = await historyOf('accessory=lamp&characteristic=power_state&hours=168');
    expect(series[0].resolution).toBe('hourly');
    const words = series[0].transitions.map(([, word]: [string, string]) => word);
    expect(words[0]).toBe('off');
    expect(words.at(-1)).toBe('on');
    expect(words.indexOf('on')).toBe(words.lastIndexOf('off') + 1);
  });
});

describe('the answer', () => {
  it('counts in its message how many characteristics have recorded history', async () => {
    enable();
    await home.history.purge(systemCaller, { homeId: home.home.id });
    remember(home.named('Lamp').id, 'power_state', 'bool', [[1000, 1]]);
    const { _meta } = await historyOf('accessory=lamp');
    expect(_meta.message).toBe('1 of 2 characteristics have recorded history in the last 24h');
  });

  it('of an accessory with nothing to record reports it', async () => {
    enable();
    const { series, _meta } = await historyOf('accessory=button');
    expect(series).toEqual([]);
    expect(_meta.message).toBe('Button has nothing that is recorded.');
  });
});
