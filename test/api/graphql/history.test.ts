import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { createToken } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { createGraphqlFixture, type GraphqlFixture } from './graphql-fixture.ts';

const HISTORY = `query($h: String!, $series: [HistorySeriesInput!]!, $from: Float!, $to: Float!) {
  history(homeId: $h, series: $series, fromTs: $from, toTs: $to) {
    accessoryId characteristicType kind unit resolution prevValue prevValueText
    points { ts min avg max last count }
    states { ts value valueText }
    stateBuckets { ts dominant dominantText stateMsJson stateMs transitions }
  }
}`;

let home: TestHome;
let fixture: GraphqlFixture;

beforeEach(() => {
  home = createTestHome({ sample: true });
  fixture = createGraphqlFixture(home, createSchema());
});
afterEach(() => home.close());

async function data(query: string, variables?: object) {
  const { body } = await fixture.ask(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

async function dim(brightness: number): Promise<void> {
  const { id } = home.named('Lamp');
  await home.control.setCharacteristic(systemCaller, {
    accessoryId: id,
    characteristicType: 'brightness',
    value: brightness,
  });
  await home.control.setCharacteristic(systemCaller, {
    accessoryId: id,
    characteristicType: 'on',
    value: brightness > 0,
  });
}

describe('history in GraphQL', () => {
  it('is read no further once the answer is out', async () => {
    let chunks = 0;
    const endless = (async function* () {
      for (;;) {
        chunks += 1;
        yield 'x';
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    let signal: AbortSignal | undefined;
    const history = {
      export: async () => ({ chunks: endless, next: null }),
      query: (_: unknown, input: { signal?: AbortSignal }) => {
        signal = input.signal;
        return new Promise(() => undefined);
      },
    };
    const slow = createGraphqlFixture({ ...home, history } as unknown as TestHome, createSchema());
    const answer = slow.ask(
      '{ exportHistory(homeId: "x") history(homeId: "x", series: [], fromTs: 0, toTs: 1) { kind } }',
    );
    await expect.poll(() => chunks).toBeGreaterThan(1);
    await home.clock.advance(10_000);
    expect((await answer).status).toBe(503);
    expect(signal?.aborted).toBe(true);
    // An iterator that its reader has left is at its end.
    await expect.poll(async () => (await endless.next()).done).toBe(true);
  });

  it('is off until it is switched on, then records, lists, shows, exports and purges', async () => {
    const h = home.home.id;
    const lamp = home.named('Lamp').id;
    expect(
      (await data('query($h: String!) { historyStorageStats(homeId: $h) { enabled seriesCount oldestTs } }', { h }))
        .historyStorageStats,
    ).toEqual({
      enabled: false,
      seriesCount: 0,
      oldestTs: null,
    });
    expect(await data('mutation($h: String!) { setHomeHistoryEnabled(homeId: $h, enabled: true) }', { h })).toEqual({
      setHomeHistoryEnabled: true,
    });
    const from = home.clock.now();
    for (const brightness of [10, 40, 0]) {
      await home.clock.advance(60_000);
      await dim(brightness);
    }
    const { history } = await data(HISTORY, {
      h,
      series: [
        { accessoryId: lamp, characteristicType: 'brightness' },
        { accessoryId: lamp, characteristicType: 'on' },
      ],
      from,
      to: home.clock.now() + 1,
    });
    const [brightness, on] = history;
    expect(brightness).toMatchObject({
      accessoryId: lamp,
      characteristicType: 'brightness',
      kind: 'numeric',
      unit: '%',
      resolution: 'raw',
    });
    expect(brightness.points.map(({ last }: { last: number }) => last)).toContain(40);
    expect(on).toMatchObject({ characteristicType: 'power_state', kind: 'bool', unit: null, points: [] });
    expect(on.states.at(-1)).toEqual({ ts: home.clock.now(), value: 0, valueText: 'off' });
    const { historySeries } = await data(
      'query($h: String!) { historySeries(homeId: $h) { accessoryId characteristicType kind unit enabled minIntervalS deadband firstTs lastTs sampleCount } }',
      { h },
    );
    const row = historySeries.find(
      (series: { accessoryId: string; characteristicType: string }) =>
        series.accessoryId === lamp && series.characteristicType === 'brightness',
    );
    expect(row).toMatchObject({
      kind: 'numeric',
      unit: '%',
      enabled: true,
      minIntervalS: 5,
      deadband: 1,
      lastTs: home.clock.now(),
    });
    expect(row.sampleCount).toBeGreaterThan(1);
    const { exportHistory: csv } = await data(
      'query($h: String!, $a: String) { exportHistory(homeId: $h, accessoryId: $a) }',
      { h, a: lamp },
    );
    expect(csv.split(/\r?\n/)[0]).toBe('timestamp,accessory_id,characteristic,value,value_text,source');
    expect(csv).toContain(`${lamp},brightness,40`);
    expect(
      await data('mutation($h: String!, $a: String) { purgeHistory(homeId: $h, accessoryId: $a) }', { h, a: lamp }),
    ).toEqual({
      purgeHistory: true,
    });
    const after = await data(
      'query($h: String!, $a: String) { exportHistory(homeId: $h, accessoryId: $a) historyStorageStats(homeId: $h) { enabled sampleRows } }',
      { h, a: lamp },
    );
    expect(after.exportHistory.trim()).toBe(csv.split('\r\n')[0]);
    // What other accessories did is still there.
    expect(after.historyStorageStats).toEqual({ enabled: true, sampleRows: expect.any(Number) });
    expect(after.historyStorageStats.sampleRows).toBeGreaterThan(0);
  });

  it('takes settings of a series; what is left out stays, null is what holds for its kind', async () => {
    const h = home.home.id;
    const a = home.named('Lamp').id;
    const set = (settings: string) =>
      data(
        `mutation($h: String!, $a: String!) { setHistorySeriesConfig(homeId: $h, accessoryId: $a, characteristicType: "brightness", ${settings}) }`,
        { h, a },
      );
    const row = async () => {
      const { historySeries } = await data(
        'query($h: String!) { historySeries(homeId: $h) { accessoryId characteristicType enabled minIntervalS deadband } }',
        { h },
      );
      const { enabled, minIntervalS, deadband } = historySeries.find(
        (series: { accessoryId: string; characteristicType: string }) =>
          series.accessoryId === a && series.characteristicType === 'brightness',
      );
      return { enabled, minIntervalS, deadband };
    };
    expect(await set('enabled: false, minIntervalS: 30')).toEqual({ setHistorySeriesConfig: true });
    expect(await row()).toEqual({ enabled: false, minIntervalS: 30, deadband: 1 });
    await set('deadband: 2.5, minIntervalS: null');
    expect(await row()).toEqual({ enabled: false, minIntervalS: 5, deadband: 2.5 });
  });

  it('shares with links what a home allows', async () => {
    const h = home.home.id;
    await data('mutation($h: String!) { setHomeSharedAnalyticsEnabled(homeId: $h, enabled: true) }', { h });
    const { historyStorageStats } = await data(
      'query($h: String!) { historyStorageStats(homeId: $h) { sharedAnalyticsEnabled rawRetentionDays } }',
      { h },
    );
    expect(historyStorageStats).toEqual({ sharedAnalyticsEnabled: true, rawRetentionDays: 90 });
  });

  it('shows for how long samples are kept, also by default, and sets it', async () => {
    const h = home.home.id;
    const kept = async (): Promise<number> =>
      (await data('query($h: String!) { historyStorageStats(homeId: $h) { rawRetentionDays } }', { h }))
        .historyStorageStats.rawRetentionDays;
    const keep = (days: string) =>
      fixture.ask(`mutation($h: String!) { setHomeHistoryRetention(homeId: $h${days}) }`, { h });
    expect(await kept()).toBe(90);
    expect((await keep(', rawRetentionDays: 30')).body).toEqual({ data: { setHomeHistoryRetention: true } });
    expect(await kept()).toBe(30);
    for (const wrong of ['0', '1.5', '-3']) {
      const { body } = await keep(`, rawRetentionDays: ${wrong}`);
      expect(body.errors[0].extensions).toMatchObject({ code: 'INVALID_VALUE', field: 'rawRetentionDays' });
    }
    expect(await kept()).toBe(30);
    await keep(', rawRetentionDays: null');
    expect(await kept()).toBe(90);
  });

  it('refuses seven series, an unknown accessory, and what can’t be recorded', async () => {
    const h = home.home.id;
    const series = (accessoryId: string, characteristicType: string, count = 1) =>
      Array.from({ length: count }, () => ({ accessoryId, characteristicType }));
    const lamp = home.named('Lamp').id;
    const codes = [];
    for (const wanted of [
      series(lamp, 'brightness', 7),
      series(crypto.randomUUID(), 'brightness'),
      series(lamp, 'manufacturer'),
    ]) {
      const { body } = await fixture.ask(HISTORY, { h, series: wanted, from: 0, to: 1 });
      expect(body.data).toEqual({ history: null });
      codes.push(body.errors[0].extensions.reason);
    }
    expect(codes).toEqual(['invalid_value', 'accessory_not_found', 'characteristic_not_found']);
  });

  it('takes an admin to change what is recorded', async () => {
    const headers = { Authorization: `Bearer ${createToken(home, { [home.home.id]: 'control' })}` };
    const { body } = await fixture.ask(
      'mutation($h: String!) { setHomeHistoryEnabled(homeId: $h, enabled: true) purgeHistory(homeId: $h) }',
      { h: home.home.id },
      headers,
    );
    expect(body.data).toEqual({ setHomeHistoryEnabled: null, purgeHistory: null });
    for (const { extensions } of body.errors) expect(extensions.code).toBe('FORBIDDEN');
  });
});
