/**
 * `/metrics` without a network: the formats, who may read them, what changes each metric, and that nothing from outside
 * becomes one.
 */
import { spawnSync } from 'node:child_process';
import type { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiEnv } from '../../src/api/env.ts';
import { NotificationChannelError } from '../../src/home/notification-channel.ts';
import { Durations, Tally } from '../../src/kernel/tally.ts';
import { type AutomationHome, createAutomationHome } from '../support/automation-home.ts';
import { parseExposition } from '../support/exposition.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { systemCaller } from '../support/test-home.ts';

const LAMP = '10:00:00:00:00:01';
const OPEN_METRICS = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1';

let home: AutomationHome;
let app: Hono<ApiEnv>;
let rest: RestClient;
let token: string;

beforeEach(() => {
  home = createAutomationHome({
    sample: true,
    notificationChannels: [
      { name: 'push', send: () => Promise.reject(new NotificationChannelError('The server refused.', false)) },
    ],
  });
  app = createTestApi(home);
  token = createToken(home);
  rest = createRestClient(app, token);
});

afterEach(async () => {
  await home.stop();
});

/** All samples, by name and labels as they are written. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const { status, text } = await rest.get('/metrics');
  expect(status).toBe(200);
  return new Map([...parseExposition(text).values()].flatMap(({ samples }) => [...samples]));
}

const lampTo = (on: boolean) =>
  rest.post('/rest/state', { home: 'My Home', room: 'Living Room', accessory: 'Lamp', on });

describe('the formats', () => {
  it.each([
    ['nothing', {}, 'text/plain; version=0.0.4; charset=utf-8'],
    ['anything', { Accept: '*/*' }, 'text/plain; version=0.0.4; charset=utf-8'],
    [
      'what Prometheus 2 asks for',
      { Accept: OPEN_METRICS },
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    ],
    [
      'text rather',
      { Accept: 'text/plain, application/openmetrics-text;q=0.2' },
      'text/plain; version=0.0.4; charset=utf-8',
    ],
  ])('for who asks for %s', async (_, headers, type) => {
    const answer = await rest.get('/metrics', headers);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    const families = parseExposition(answer.text, type.includes('openmetrics') ? 'openmetrics' : 'text');
    expect(families.size).toBeGreaterThan(30);
    for (const { name, help } of families.values()) expect([name, help]).toEqual([name, expect.stringMatching(/\S/)]);
  });

  // Not every system has a package of it: where it is missing, there is no such test, so that none is skipped.
  const itWithPromtool = spawnSync('promtool', ['--version']).error ? () => {} : it;
  itWithPromtool('promtool finds nothing wrong with the metrics', async () => {
    await lampTo(true);
    // The first scrape begins to watch the event loop.
    await rest.get('/metrics');
    await rest.post('/graphql', { query: '{ homes { id } }' });
    const { text } = await rest.get('/metrics');
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });

  it('the event loop’s delay is a summary: quantiles with a sum and a count that never fall', async () => {
    await rest.get('/metrics');
    const types = new Set<string | undefined>();
    const counts = [0];
    const count = async (): Promise<number> => {
      const family = parseExposition((await rest.get('/metrics')).text).get('hearthd_event_loop_delay_seconds');
      const now = family?.samples.get('hearthd_event_loop_delay_seconds_count') ?? 0;
      types.add(family?.type);
      counts.push(now);
      return now;
    };
    for (let n = 0; n < 3; n += 1) {
      const before = Math.max(...counts);
      const until = performance.now() + 60;
      while (performance.now() < until);
      await expect.poll(count).toBeGreaterThan(before);
    }
    expect([...types]).toEqual(['summary']);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  });

  it.each([
    ['a gauge with quantiles', '# HELP a b\n# TYPE a gauge\na{quantile="0.5"} 1\n'],
    ['a counter with bounds', '# HELP a_total b\n# TYPE a_total counter\na_total{le="1"} 1\n'],
    ['a summary without a count', '# HELP a b\n# TYPE a summary\na{quantile="0.5"} 1\na_sum 1\n'],
    [
      'a summary whose quantile is a percentage',
      '# HELP a b\n# TYPE a summary\na{quantile="50"} 1\na_sum 1\na_count 1\n',
    ],
  ])('the reader of these tests refuses %s', (_, text) => {
    expect(() => parseExposition(text)).toThrowError();
  });

  it('have the metrics of the process, and of its event loop without the wait between two looks', async () => {
    const metrics = await scrape();
    expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(metrics.get('process_open_fds')).toBeGreaterThan(0);
    expect(metrics.get('process_start_time_seconds')).toBeGreaterThan(1_600_000_000);
    expect([...metrics.keys()].filter((key) => key.startsWith('hearthd_event_loop_delay_seconds{'))).toHaveLength(4);
    expect([...metrics.keys()].filter((key) => /lag/.test(key))).toEqual([]);
    expect([...metrics.keys()].filter((key) => key.startsWith('hearthd_build_info'))).toHaveLength(1);
  });

  it('count what took a while into every bucket that is wide enough, and nothing twice', () => {
    const durations = new Durations();
    for (const durationMs of [0, 1, 1.1, 10_000, 10_001]) durations.add(durationMs);
    const { buckets, count, sumMs } = durations.read();
    expect([buckets[0]?.count, buckets[1]?.count, buckets.at(-1)?.count, count, sumMs]).toEqual([2, 3, 4, 5, 20_003.1]);
    const tally = new Tally<string>(['a']);
    tally.add('a', 2);
    tally.add('b');
    expect([...tally]).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });
});

describe('what moves a figure', () => {
  const steps: readonly [figure: string, by: number, act: () => unknown][] = [
    ['hearthd_device_writes_total{result="ok"}', 1, () => lampTo(true)],
    ['hearthd_device_write_duration_seconds_count', 1, () => lampTo(true)],
    ['hearthd_events_total{type="state.changed"}', 1, () => lampTo(true)],
    [
      'hearthd_device_writes_total{result="unreachable"}',
      1,
      () => {
        home.driver.setReachable(LAMP, false);
        return lampTo(true);
      },
    ],
    ['hearthd_accessories{kind="device",status="unreachable"}', 1, () => home.driver.setReachable(LAMP, false)],
    ['hearthd_accessories{kind="device",status="reachable"}', -1, () => home.driver.setReachable(LAMP, false)],
    ['hearthd_events_total{type="accessory.reachability_changed"}', 1, () => home.driver.setReachable(LAMP, false)],
    [
      'hearthd_accessories{kind="virtual",status="reachable"}',
      1,
      () => home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Guests', type: 'input_boolean' }),
    ],
    ['hearthd_accessory_servers{status="connected"}', -1, () => rest.delete(`/rest/pairings/${LAMP}`, { force: true })],
    ['hearthd_accessory_server_reconnects_total', 2, () => (home.driver.reconnects += 2)],
    ['hearthd_homes{status="connected"}', 1, () => rest.post('/rest/homes', { name: 'Cabin' })],
    ['hearthd_homes{status="offline"}', 1, () => home.registry.setConnected(home.home.id, false)],
    ['hearthd_automation_runs_total{result="success"}', 1, () => run([])],
    ['hearthd_automation_runs_total{result="stopped"}', 1, () => run([{ id: 'a', type: 'stop' }])],
    ['hearthd_automation_runs_under_way', 1, () => run([{ id: 'a', type: 'delay', duration: { minutes: 5 } }])],
    ['hearthd_events_total{type="automation.fired"}', 1, () => run([{ id: 'a', type: 'stop' }])],
    [
      'hearthd_automation_runs_total{result="refused"}',
      1,
      async () => {
        const flow = home.saveFlow({ mode: 'single', actions: [{ id: 'a', type: 'delay', duration: { minutes: 5 } }] });
        for (let time = 0; time < 2; time += 1) home.run(flow.id);
        await home.settle();
      },
    ],
    ['hearthd_notifications_total{channel="local",result="sent"}', 1, () => rest.post('/rest/notifications/test', {})],
    ['hearthd_notifications_total{channel="push",result="failed"}', 1, () => rest.post('/rest/notifications/test', {})],
    [
      'hearthd_notifications_held_back_total',
      1,
      async () => {
        const request = { homeId: home.home.id, automationId: 'a', title: null, message: 'Hello', icon: null };
        for (let time = 0; time < 31; time += 1) {
          await home.notifications.notify({ ...request, iconColor: null, data: null });
        }
      },
    ],
    [
      'hearthd_history_waiting_samples',
      1,
      async () => {
        home.driver.event(LAMP, '1', '9', false);
        await rest.patch(`/rest/history/homes/${home.home.id}`, { enabled: true });
        home.recorder.flush();
        await home.clock.advance(3_600_000);
        home.recorder.flush();
        home.driver.event(LAMP, '1', '9', true);
      },
    ],
    ['hearthd_live_streams{kind="events"}', 1, () => looks()],
    [
      'hearthd_live_events_total',
      2,
      async () => {
        await looks();
        for (const on of [true, false]) home.driver.event(LAMP, '1', '9', on);
      },
    ],
    [
      'hearthd_webhook_waiting_deliveries',
      1,
      async () => {
        const webhook = { name: 'Ear', url: 'http://192.0.2.7/hook', eventTypes: ['state.changed'] };
        home.webhooks.create(systemCaller, webhook);
        home.deliverer.start();
        home.driver.event(LAMP, '1', '9', true);
        await home.clock.advance(100);
      },
    ],
    [
      'hearthd_mqtt_brokers{status="offline"}',
      1,
      () => {
        home.mqttBridge.start();
        return rest.post(`/rest/homes/${home.home.id}/mqtt/brokers`, {
          name: 'Nowhere',
          host: '192.0.2.7',
          port: 1883,
        });
      },
    ],
    [
      'hearthd_http_requests_total{face="rest",route="/rest/rooms/:id",method="PATCH",status="4xx"}',
      1,
      () => rest.patch('/rest/rooms/nothing', { name: 'Attic' }),
    ],
    [
      'hearthd_http_request_duration_seconds_count{face="rest",route="/rest/homes",method="GET"}',
      1,
      () => rest.get('/rest/homes'),
    ],
    [
      'hearthd_http_requests_total{face="rest",route="/rest/homes",method="GET",status="4xx"}',
      1,
      () => createRestClient(app).get('/rest/homes'),
    ],
  ];

  /** A client reads the metrics for the first time. */
  const looks = async (): Promise<void> => {
    const { body } = await app.request('/events', { headers: { Host: 'localhost', Authorization: `Bearer ${token}` } });
    streams.push(body as ReadableStream);
  };
  const streams: ReadableStream[] = [];
  afterEach(async () => {
    for (const stream of streams.splice(0)) await stream.cancel();
  });

  const run = async (actions: readonly object[]): Promise<void> => {
    home.run(home.saveFlow({ actions }).id);
    await home.settle();
  };

  it.each(steps)('%s', async (metric, by, act) => {
    const before = await scrape();
    await act();
    const after = await scrape();
    expect([metric, (after.get(metric) ?? 0) - (before.get(metric) ?? 0)]).toEqual([metric, by]);
  });

  it('the databases, by what is in them', async () => {
    const metrics = await scrape();
    for (const database of ['relay', 'history']) {
      expect(metrics.get(`hearthd_database_bytes{database="${database}",part="file"}`)).toBeGreaterThan(4_096);
      expect(metrics.get(`hearthd_database_bytes{database="${database}",part="log"}`)).toBe(0);
    }
  });
});

describe('what comes from outside', () => {
  it('becomes no label: hundreds of addresses and any method are three series', async () => {
    for (let at = 0; at < 100; at += 1) {
      await rest.get(`/nothing/${at}`);
      await rest.get(`/rest/rooms/${at}/x`);
      await rest.patch(`/rest/rooms/${at}`, { name: 'Attic' });
    }
    for (const method of ['PURGE', 'BREW', 'WHEN', 'LINK']) await rest.request(method, '/rest/rooms');
    const routes = [...(await scrape()).keys()].filter((key) => key.startsWith('hearthd_http_requests_total'));
    expect(routes.sort()).toEqual([
      'hearthd_http_requests_total{face="none",route="(none)",method="GET",status="4xx"}',
      'hearthd_http_requests_total{face="none",route="(none)",method="other",status="4xx"}',
      'hearthd_http_requests_total{face="rest",route="/rest/rooms/:id",method="PATCH",status="4xx"}',
    ]);
  });

  it('does not contain: no name, id or address of anything in the home', async () => {
    await lampTo(true);
    const { text } = await rest.get('/metrics');
    const ids = [home.home.id, ...home.state.accessories().flatMap(({ id, roomId }) => [id, roomId])];
    for (const word of ['My Home', 'Lamp', 'Living', LAMP, ...ids]) expect(text).not.toContain(word);
  });
});
