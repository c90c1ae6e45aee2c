/** Wire-facts §13: what existing clients of the history send and read. The REST answer itself is in section-4-1-2. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCsv } from '../support/csv.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { characteristic, information, service } from '../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

const HOUR_MS = 3_600_000;

/** What is recorded of numbers: HAP type, seconds between samples, deadband. */
const NUMERIC: readonly (readonly [name: string, type: string, seconds: number, deadband: number])[] = [
  ['current_temperature', '11', 60, 0.1],
  ['target_temperature', '35', 60, 0.1],
  ['heating_threshold', '12', 60, 0.1],
  ['cooling_threshold', 'D', 60, 0.1],
  ['relative_humidity', '10', 60, 1],
  ['target_humidity', '34', 300, 1],
  ['current_ambient_light_level', '6B', 300, 10],
  ['brightness', '8', 5, 1],
  ['rotation_speed', '29', 30, 1],
  ['current_position', '6D', 5, 1],
  ['current_tilt_angle', 'C1', 30, 1],
  ['battery_level', '68', 3600, 1],
  ['water_level', 'B5', 300, 1],
  ['eve_energy_watt', 'E863F10D-079E-48FF-8F27-9C2605A29F52', 60, 1],
  ['eve_energy_kwh', 'E863F10C-079E-48FF-8F27-9C2605A29F52', 300, 0.01],
  ['eve_air_pressure', 'E863F10F-079E-48FF-8F27-9C2605A29F52', 300, 1],
  ['carbon_monoxide_level', '90', 300, 1],
  ['carbon_dioxide_level', '93', 300, 25],
  ['carbon_monoxide_peak_level', '91', 900, 1],
  ['carbon_dioxide_peak_level', '94', 900, 25],
  ['pm2_5_density', 'C6', 300, 2],
  ['pm10_density', 'C7', 300, 2],
  ['voc_density', 'C8', 300, 10],
];
const BOOL: readonly (readonly [name: string, type: string])[] = [
  ['power_state', '25'],
  ['active', 'B0'],
  ['in_use', 'D2'],
  ['outlet_in_use', '26'],
  ['motion_detected', '22'],
  ['occupancy_detected', '71'],
  ['smoke_detected', '76'],
  ['carbon_monoxide_detected', '69'],
  ['carbon_dioxide_detected', '92'],
  ['leak_detected', '70'],
  ['status_low_battery', '79'],
  ['obstruction_detected', '24'],
];
const ENUM: readonly (readonly [name: string, type: string, seconds: number])[] = [
  ['contact_state', '6A', 0],
  ['lock_current_state', '1D', 0],
  ['current_door_state', 'E', 0],
  ['heating_cooling_current', 'F', 0],
  ['heating_cooling_target', '33', 0],
  ['current_heater_cooler_state', 'B1', 0],
  ['target_heater_cooler_state', 'B2', 0],
  ['security_system_current_state', '66', 0],
  ['air_quality', '95', 300],
];
const OFF: readonly (readonly [name: string, type: string])[] = [
  ['eve_voltage', 'E863F10A-079E-48FF-8F27-9C2605A29F52'],
  ['eve_ampere', 'E863F126-079E-48FF-8F27-9C2605A29F52'],
  ['hue', '13'],
  ['saturation', '2F'],
  ['color_temperature', 'CE'],
  ['volume', '119'],
  ['mute', '11A'],
  ['security_system_target_state', '67'],
  ['charging_state', '8F'],
  ['current_fan_state', 'AF'],
  ['current_air_purifier_state', 'A9'],
  ['current_humidifier_dehumidifier_state', 'B3'],
];

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});
afterEach(() => home.close());

async function ask(query: string, variables: object = {}) {
  const { body } = await rest.post('/graphql', { query, variables: { h: home.home.id, ...variables } });
  expect(body.errors).toBeUndefined();
  return body.data;
}

const enable = () => ask('mutation($h:String!){setHomeHistoryEnabled(homeId:$h,enabled:true)}');
const SERIES = `query($h:String!){historySeries(homeId:$h){
  accessoryId characteristicType kind unit enabled minIntervalS deadband firstTs lastTs sampleCount
}}`;

/** A device that has all of these. */
function attach(...types: readonly string[]): string {
  const parts = types.map((type, index) => characteristic(String(index + 10), type, 'float', 1, {}, ['pr', 'ev']));
  const services = [information('Everything'), service('9', '8A', parts)];
  const accessories = [{ aid: '1', name: 'Everything', category: 10, services }];
  home.driver.attach(home.home.id, { deviceId: 'EE', name: 'Everything', setupCode: '1', accessories });
  return home.named('Everything').id;
}

async function rowsOf(accessoryId: string) {
  const { historySeries } = await ask(SERIES);
  return historySeries.filter((row: { accessoryId: string }) => row.accessoryId === accessoryId);
}

async function put(accessory: string, type: string, value: unknown): Promise<void> {
  const { id: accessoryId } = home.named(accessory);
  await home.control.setCharacteristic(systemCaller, { accessoryId, characteristicType: type, value });
}

describe('wire-facts §13: what is recorded', () => {
  it('only allow-listed characteristics, each with its kind, seconds between samples and deadband', async () => {
    const listed = [...NUMERIC, ...BOOL, ...ENUM, ...OFF];
    // Beside them one press of a button and one name that is on no list.
    const id = attach(...listed.map(([, type]) => type), '73', '72');
    const rows = await rowsOf(id);
    const found = new Map<string, object>(
      rows.map((row: { characteristicType: string }) => [row.characteristicType, row]),
    );
    expect([...found.keys()].sort()).toEqual(listed.map(([name]) => name).sort());
    for (const [name, , minIntervalS, deadband] of NUMERIC)
      expect(found.get(name)).toMatchObject({ kind: 'numeric', enabled: true, minIntervalS, deadband });
    for (const [name] of BOOL) expect(found.get(name)).toMatchObject({ kind: 'bool', enabled: true, minIntervalS: 0 });
    for (const [name, , minIntervalS] of ENUM)
      expect(found.get(name)).toMatchObject({ kind: 'enum', enabled: true, minIntervalS });
  });

  it('known but off by default', async () => {
    const rows = await rowsOf(attach(...OFF.map(([, type]) => type)));
    expect(rows).toHaveLength(OFF.length);
    for (const row of rows) expect(row.enabled).toBe(false);
  });

  it.each([
    ['number', 'virtual_number', 'numeric'],
    ['counter', 'virtual_count', 'numeric'],
    ['mode', 'virtual_mode', 'string'],
    ['timer', 'virtual_timer', 'string'],
  ])('a virtual %s: %s, at once', async (type, name, kind) => {
    const { id } = home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Thing', type });
    expect(await rowsOf(id)).toMatchObject([{ characteristicType: name, kind, minIntervalS: 0, deadband: 0 }]);
  });

  it('on change only; the first sample always', async () => {
    await enable();
    await put('Lamp', 'on', false);
    await home.clock.advance(HOUR_MS);
    await put('Lamp', 'on', false);
    const before = (await rowsOf(home.named('Lamp').id)).find((row: { kind: string }) => row.kind === 'bool');
    expect(before.sampleCount).toBe(1);
    await put('Lamp', 'on', true);
    const after = (await rowsOf(home.named('Lamp').id)).find((row: { kind: string }) => row.kind === 'bool');
    expect(after.sampleCount).toBe(2);
  });

  it('groups have their own series', async () => {
    await enable();
    const accessoryIds = [home.named('Heater').id, home.named('Kettle').id];
    const group = home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Counter', accessoryIds });
    await home.clock.advance(1_000);
    await put('Heater', 'on', true);
    await home.clock.advance(1_000);
    const { series } = (await rest.get('/rest/history?accessory=counter')).body;
    expect(series[0].transitions.map(([, word]: [string, string]) => word)).toEqual(['off', 'on']);
    expect(await rowsOf(group.id)).toMatchObject([{ characteristicType: 'power_state' }]);
  });
});

describe('wire-facts §13: GraphQL', () => {
  it('setHomeHistoryEnabled(homeId,enabled), and a second flag for shares: setHomeSharedAnalyticsEnabled', async () => {
    expect(await enable()).toEqual({ setHomeHistoryEnabled: true });
    await ask('mutation($h:String!){setHomeSharedAnalyticsEnabled(homeId:$h,enabled:true)}');
    const { historyStorageStats } = await ask(
      `query($h:String!){historyStorageStats(homeId:$h){
        enabled rawRetentionDays seriesCount sampleRows rollupRows estBytes oldestTs sharedAnalyticsEnabled
      }}`,
    );
    expect(historyStorageStats).toMatchObject({ enabled: true, sharedAnalyticsEnabled: true });
    expect(historyStorageStats.seriesCount).toBeGreaterThan(3);
  });

  it('setHistorySeriesConfig(homeId,accessoryId,characteristicType,enabled,minIntervalS,deadband)', async () => {
    const a = home.named('Lamp').id;
    const done = await ask(
      `mutation($h:String!,$a:String!){setHistorySeriesConfig(
        homeId:$h,accessoryId:$a,characteristicType:"brightness",enabled:true,minIntervalS:60,deadband:5
      )}`,
      { a },
    );
    expect(done).toEqual({ setHistorySeriesConfig: true });
    const rows = await rowsOf(a);
    expect(rows.find((row: { characteristicType: string }) => row.characteristicType === 'brightness')).toMatchObject({
      enabled: true,
      minIntervalS: 60,
      deadband: 5,
    });
  });

  const HISTORY = `query($h:String!,$s:[HistorySeriesInput!]!,$from:Float!,$to:Float!,$n:Int){
    history(homeId:$h,series:$s,fromTs:$from,toTs:$to,maxPoints:$n){
      accessoryId characteristicType kind unit resolution prevValue prevValueText
      points{ts min avg max last count} states{ts value valueText}
      stateBuckets{ts dominant dominantText stateMsJson transitions}
    }
  }`;

  it('history(homeId,series[1..6],fromTs,toTs ms): points of a number, states of a state, what held before', async () => {
    await enable();
    const began = home.clock.now();
    await home.clock.advance(10_000);
    await put('Lamp', 'brightness', 80);
    await put('Lamp', 'on', true);
    const accessoryId = home.named('Lamp').id;
    const s = ['brightness', 'on'].map((characteristicType) => ({ accessoryId, characteristicType }));
    const { history } = await ask(HISTORY, { s, from: began + 1, to: home.clock.now() + 1 });
    const ts = home.clock.now();
    expect(history[0]).toMatchObject({
      accessoryId,
      characteristicType: 'brightness',
      resolution: 'raw',
      prevValue: 50,
      points: [{ ts, min: 80, avg: 80, max: 80, last: 80, count: 1 }],
      states: [],
    });
    expect(history[1]).toMatchObject({
      characteristicType: 'power_state',
      prevValue: 0,
      prevValueText: 'off',
      points: [],
      states: [{ ts, value: 1, valueText: 'on' }],
    });
    for (const count of [0, 7]) {
      const series = Array.from({ length: count }, () => s[0]);
      const { body } = await rest.post('/graphql', {
        query: HISTORY,
        variables: { h: home.home.id, s: series, from: 0, to: 1 },
      });
      expect(body.errors[0].extensions.code).toBe('INVALID_VALUE');
    }
  });

  it('maxPoints: 500 by default, brought into 10 to 2000', async () => {
    const { id: accessoryId, homeId } = home.named('Lamp');
    const about = { homeId, accessoryId, characteristic: 'brightness', kind: 'numeric', unit: '%' } as const;
    const seriesId = home.historyStore.openSeries(about);
    const now = home.clock.now();
    const samples = Array.from({ length: 5_000 }, (_, i) => ({
      seriesId,
      at: now - (5_000 - i) * 1_000,
      value: i % 90,
    }));
    home.historyStore.insert(samples);
    await enable();
    const s = [{ accessoryId, characteristicType: 'brightness' }];
    const count = async (n?: number): Promise<number> =>
      (await ask(HISTORY, { s, from: now - 2 * HOUR_MS, to: now, n })).history[0].points.length;
    expect(await count(1)).toBeLessThanOrEqual(10);
    expect(await count()).toBeLessThanOrEqual(500);
    expect(await count()).toBeGreaterThan(200);
    expect(await count(100_000)).toBeLessThanOrEqual(2_000);
    expect(await count(100_000)).toBeGreaterThan(1_000);
  });

  it('exportHistory: CSV timestamp,accessory_id,characteristic,value,value_text,source; purgeHistory deletes', async () => {
    await enable();
    await put('Lamp', 'on', true);
    const a = home.named('Lamp').id;
    const csv = async (): Promise<string> =>
      (await ask('query($h:String!,$a:String){exportHistory(homeId:$h,accessoryId:$a)}', { a })).exportHistory;
    const [header, ...rows] = parseCsv(await csv());
    expect(header).toEqual(['timestamp', 'accessory_id', 'characteristic', 'value', 'value_text', 'source']);
    expect(
      rows.filter(([, , name]) => name === 'power_state').map(([, id, , value, text]) => [id, value, text]),
    ).toEqual([
      [a, '0', 'off'],
      [a, '1', 'on'],
    ]);
    const purge = `mutation($h:String!,$a:String,$t:Float){
      purgeHistory(homeId:$h,accessoryId:$a,characteristicType:"on",beforeTs:$t)
    }`;
    await home.clock.advance(1_000);
    expect(await ask(purge, { a, t: home.clock.now() })).toEqual({ purgeHistory: true });
    expect((await csv()).includes('power_state')).toBe(false);
    expect((await csv()).includes('brightness')).toBe(true);
  });
});

describe('wire-facts §13: errors of GET /rest/history', () => {
  it.each([
    ['', 400, 'accessory'],
    ['accessory=lamp&home=x', 404, 'No home matches "x"'],
    ['accessory=x', 404, 'No accessory matches "x" in home "My Home"'],
    ['accessory=lamp&characteristic=manufacturer', 422, 'Characteristic "manufacturer" is not recordable on Lamp'],
  ])('%s', async (query, status, sentence) => {
    const answer = await rest.get(`/rest/history?${query}`);
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(sentence)]);
  });
});
