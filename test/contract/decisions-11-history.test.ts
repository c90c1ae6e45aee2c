/** Decisions §11: what is recorded, how compactly, for how long, and in what words it is reported. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HistoryFixture, openHistoryFixture } from '../app/history/history-fixture.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('decisions §11: through the API', () => {
  let home: TestHome;
  let rest: RestClient;

  beforeEach(() => {
    home = createTestHome({ sample: true });
    rest = createRestClient(createTestApi(home), createToken(home));
  });
  afterEach(() => home.close());

  const path = (): string => `/rest/history/homes/${home.home.id}`;
  const set = (accessory: string, settings: object) => {
    const room = home.state.room(home.named(accessory).roomId)?.name;
    return rest.post('/rest/state', { home: 'My Home', room, accessory, ...settings });
  };
  const historyOf = async (query: string) => {
    // A window ends now, and what happens this very millisecond is not over.
    await home.clock.advance(1_000);
    return (await rest.get(`/rest/history?${query}`)).body;
  };

  it('opt-in per home ("Analytics"), off by default', async () => {
    const cottage = (await rest.post('/rest/homes', { name: 'Cottage' })).body.id;
    expect((await rest.get(path())).body.enabled).toBe(false);
    await rest.patch(path(), { enabled: true });
    expect((await rest.get(path())).body.enabled).toBe(true);
    expect((await rest.get(`/rest/history/homes/${cottage}`)).body.enabled).toBe(false);
  });

  it('off: nothing is recorded; on: what changes is', async () => {
    await set('Lamp', { on: true });
    expect((await historyOf('accessory=lamp')).series).toEqual([]);
    await rest.patch(path(), { enabled: true });
    await home.clock.advance(1_000);
    await set('Lamp', { on: false });
    const { series } = await historyOf('accessory=lamp&characteristic=on');
    expect(series[0].transitions.map(([, word]: [string, string]) => word)).toEqual(['on', 'off']);
  });

  it('default retention: raw 90 days; per-series settings', async () => {
    await rest.patch(path(), { enabled: true });
    const brightness = async () =>
      (await rest.get(`/rest/history/series?home=${home.home.id}`)).body.find(
        (row: { accessoryName: string; characteristicType: string }) =>
          row.accessoryName === 'Lamp' && row.characteristicType === 'brightness',
      );
    expect(await brightness()).toMatchObject({ enabled: true, minIntervalS: 5, deadband: 1, retentionDays: 90 });
    const key = { homeId: home.home.id, accessoryId: home.named('Lamp').id, characteristicType: 'brightness' };
    const own = { enabled: false, minIntervalS: 20, deadband: 3, retentionDays: 365 };
    await rest.patch('/rest/history/series', { ...key, ...own });
    expect(await brightness()).toMatchObject(own);
    await rest.patch('/rest/history/series', { ...key, minIntervalS: null, deadband: null });
    expect(await brightness()).toMatchObject({ enabled: false, minIntervalS: 5, deadband: 1, retentionDays: 365 });
  });

  it('without `characteristic` at most 6 series, the most useful first', async () => {
    await rest.patch(path(), { enabled: true });
    const { series } = await historyOf('accessory=thermostat');
    expect(series.length).toBeLessThanOrEqual(6);
    expect(series[0].characteristic).toBe('current_temperature');
    const motion = (await historyOf('accessory=motion')).series;
    expect(motion.map(({ characteristic }: { characteristic: string }) => characteristic)).toEqual([
      'motion_detected',
      'status_low_battery',
      'battery_level',
    ]);
  });

  it('bool and enum states are words in REST; the raw number is in GraphQL', async () => {
    await rest.patch(path(), { enabled: true });
    await home.clock.advance(1_000);
    await set('Thermostat', { hvac_mode: 'cool' });
    await set('Lamp', { on: true });
    const words = async (query: string) =>
      (await historyOf(query)).series[0].transitions.map(([, word]: [string, string]) => word);
    expect(await words('accessory=thermostat&characteristic=hvac_mode')).toEqual(['heat', 'cool']);
    expect(await words('accessory=lamp&characteristic=on')).toEqual(['off', 'on']);
    const query = `query($h:String!,$s:[HistorySeriesInput!]!,$to:Float!){
      history(homeId:$h,series:$s,fromTs:0,toTs:$to,resolution:"raw"){states{value valueText}}
    }`;
    const series = [
      { accessoryId: home.named('Thermostat').id, characteristicType: 'hvac_mode' },
      { accessoryId: home.named('Lamp').id, characteristicType: 'on' },
    ];
    const variables = { h: home.home.id, s: series, to: home.clock.now() + 1 };
    const { data } = (await rest.post('/graphql', { query, variables })).body;
    expect(data.history[0].states).toEqual([
      { value: 1, valueText: 'heat' },
      { value: 2, valueText: 'cool' },
    ]);
    expect(data.history[1].states).toEqual([
      { value: 0, valueText: 'off' },
      { value: 1, valueText: 'on' },
    ]);
  });

  it('a button’s presses are not recorded, for every caller', async () => {
    home.history.setEnabled(systemCaller, home.home.id, true);
    home.driver.event('10:00:00:00:00:05', '1', '9', 1);
    expect((await historyOf('accessory=button')).series).toEqual([]);
  });
});

describe('decisions §11: on the disk', () => {
  let fixture: HistoryFixture;

  beforeEach(() => {
    fixture = openHistoryFixture();
  });
  afterEach(() => fixture.close());

  /** One sample an hour through the last days. */
  function fill(days: number): number {
    const homeId = fixture.home.home.id;
    const id = fixture.store.openSeries({
      homeId,
      accessoryId: 'lamp',
      characteristic: 'hue',
      kind: 'numeric',
      unit: null,
    });
    const now = fixture.clock.now();
    const samples = Array.from({ length: days * 24 }, (_, hour) => ({
      seriesId: id,
      at: now - hour * HOUR_MS,
      value: hour % 7,
    }));
    fixture.store.insert(samples.reverse());
    return id;
  }

  it('stored compactly: under forty bytes a sample', () => {
    const before = fixture.store.usedBytes();
    const id = fill(400);
    const samples = fixture.store.samples(id, 0, Number.MAX_SAFE_INTEGER, 100_000).length;
    expect(samples).toBe(400 * 24);
    expect((fixture.store.usedBytes() - before) / samples).toBeLessThan(40);
  });

  it('raw goes after 90 days, hourly and daily roll-ups stay for ever', async () => {
    const id = fill(400);
    await fixture.keeper.run();
    // The newest of the old ones stays: it has the value when the kept ones begin.
    const [, oldest] = fixture.store.samples(id, 0, Number.MAX_SAFE_INTEGER, 2);
    expect(Math.round((fixture.clock.now() - (oldest?.at ?? 0)) / DAY_MS)).toBe(90);
    for (const [level, least] of [
      ['hourly', 399 * 24],
      ['daily', 399],
    ] as const) {
      const rows = fixture.store.rollups.read(level, id, 0, Number.MAX_SAFE_INTEGER, 100_000);
      expect(rows.length).toBeGreaterThanOrEqual(least - 1);
    }
  });

  it('a size cap: the oldest raw samples go first', async () => {
    const id = fill(60);
    const most = fixture.store.usedBytes() - 40 * 1024;
    await fixture.keeperUpTo(most).run();
    const [, oldest] = fixture.store.samples(id, 0, Number.MAX_SAFE_INTEGER, 2);
    expect((fixture.clock.now() - (oldest?.at ?? 0)) / DAY_MS).toBeLessThan(59);
    expect(fixture.store.rollups.read('daily', id, 0, Number.MAX_SAFE_INTEGER, 100).length).toBeGreaterThanOrEqual(58);
  });
});
