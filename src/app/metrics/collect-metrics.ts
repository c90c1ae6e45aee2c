/**
 * Collects the metrics of the relay, each with its help text. All values are looked up or already counted; a scrape
 * contacts no device and no other computer.
 */
import type { HomeState } from '../../home/home-state.ts';
import type { HttpSender } from '../../home/http-sender.ts';
import type { ConnectionStatus, PairingDriver } from '../../home/pairing-driver.ts';
import { isVirtualSource } from '../../home/virtual-driver.ts';
import type { Tally } from '../../kernel/tally.ts';
import { VERSION } from '../../kernel/version.ts';
import type { Database } from '../../storage/database.ts';
import { sizeOf } from '../../storage/database-size.ts';
import type { DisposableDatabase } from '../../storage/disposable-database.ts';
import type { MeasuredDriver } from '../control/measured-driver.ts';
import type { HistoryRecorder } from '../history/recorder.ts';
import type { MqttBridge } from '../mqtt/bridge.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { DelivererStats } from '../webhooks/deliverer.ts';
import { by, counter, gauge, histogram, type MetricFamily, type MetricSample, only } from './metric-family.ts';

export interface CollectMetricsDeps {
  readonly state: HomeState;
  readonly drivers: { readonly hap: Pick<PairingDriver, 'listPaired' | 'reconnects'> };
  readonly measured: MeasuredDriver;
  /** The bus's events, by type. */
  readonly events: Tally;
  readonly engine: { readonly underWay: number };
  /** Finished runs of automations, by result. */
  readonly runResults: Tally;
  readonly notifications: Notifications;
  readonly recorder: Pick<HistoryRecorder, 'waiting'>;
  readonly http: HttpSender;
  readonly deliverer: { stats(): DelivererStats };
  readonly mqttBridge: Pick<MqttBridge, 'stats'>;
  readonly database: Database;
  readonly historyDatabase: DisposableDatabase;
}

/** Listed even if no device has the status: monitoring must see a 0. */
const STATUSES: readonly ConnectionStatus[] = [
  'connecting',
  'connected',
  'offline',
  'pairing_lost',
  'pairing_incomplete',
  'paused',
];

export function* collectMetrics(deps: CollectMetricsDeps): Generator<MetricFamily> {
  yield gauge('hearthd_build_info', 'Which version runs, on which Node; always 1', [
    { labels: { version: VERSION, node: process.versions.node }, value: 1 },
  ]);
  yield* devices(deps);
  yield* automations(deps);
  yield* queues(deps);
  yield* webhooks(deps);
  yield* brokers(deps);
  yield gauge('hearthd_database_bytes', 'What the databases take on the disk, their write-ahead logs apart', [
    ...sizes('relay', () => deps.database),
    ...sizes('history', () => deps.historyDatabase.current),
  ]);
}

function* devices({ state, drivers, measured, events }: CollectMetricsDeps): Generator<MetricFamily> {
  yield gauge('hearthd_homes', 'Homes, by whether their devices can be reached now', [
    ...by(
      'status',
      countBy(state.homes(), ({ id }) => (state.isConnected(id) ? 'connected' : 'offline'), ['connected', 'offline']),
    ),
  ]);
  const accessories = state.accessories();
  const kinds = ['device', 'virtual'].flatMap((kind) =>
    ['reachable', 'unreachable'].map((status): MetricSample => {
      const own = accessories.filter(({ address, reachable }) => {
        return isVirtualSource(address.source) === (kind === 'virtual') && reachable === (status === 'reachable');
      });
      return { labels: { kind, status }, value: own.length };
    }),
  );
  yield gauge('hearthd_accessories', 'Accessories, by whether they answer', kinds);
  const servers = countBy(drivers.hap.listPaired(), ({ status }) => status, STATUSES);
  yield gauge('hearthd_accessory_servers', 'Paired devices, by the status of their connection', by('status', servers));
  yield counter(
    'hearthd_accessory_server_reconnects_total',
    'Reconnections of paired devices',
    only(drivers.hap.reconnects),
  );
  yield histogram(
    'hearthd_device_write_duration_seconds',
    'From a command to the last answer of the devices that it is for',
    [{ labels: {}, counts: measured.durations.read() }],
  );
  yield counter('hearthd_device_writes_total', 'Characteristics written to devices, by what came of it', [
    ...by('result', measured.results),
  ]);
  yield counter('hearthd_events_total', 'What happened, by type', by('type', events));
}

function* automations({ engine, runResults, notifications }: CollectMetricsDeps): Generator<MetricFamily> {
  const { sent, failed, heldBack } = notifications.counts;
  yield gauge(
    'hearthd_automation_runs_under_way',
    'Runs of automations that are not over, waits among them',
    only(engine.underWay),
  );
  yield counter('hearthd_automation_runs_total', 'Runs of automations that are over, by how they ended', [
    ...by('result', runResults),
  ]);
  yield counter('hearthd_notifications_total', 'Notifications, by channel and whether it took them', [
    ...[...sent].map(([channel, value]) => ({ labels: { channel, result: 'sent' }, value })),
    ...[...failed].map(([channel, value]) => ({ labels: { channel, result: 'failed' }, value })),
  ]);
  yield counter(
    'hearthd_notifications_held_back_total',
    'Notifications that were not sent because there were too many',
    only(heldBack),
  );
}

function* queues({ recorder, http }: CollectMetricsDeps): Generator<MetricFamily> {
  yield gauge(
    'hearthd_history_waiting_samples',
    'Readings that are not written to the history yet',
    only(recorder.waiting),
  );
  yield gauge(
    'hearthd_outgoing_requests_under_way',
    'Requests of automations and webhooks that have no answer yet',
    only(http.underWay ?? 0),
  );
}

function* webhooks({ deliverer }: CollectMetricsDeps): Generator<MetricFamily> {
  const { queued, lanesBusy, delivered, failed, dropped } = deliverer.stats();
  yield gauge('hearthd_webhook_waiting_deliveries', 'Deliveries that no webhook has taken yet', only(queued));
  yield gauge('hearthd_webhook_deliveries_under_way', 'Webhooks that are being called now', only(lanesBusy));
  yield counter('hearthd_webhook_deliveries_total', 'Deliveries that are over, by what became of them', [
    ...by('result', [
      ['delivered', delivered],
      ['failed', failed],
      ['dropped', dropped],
    ]),
  ]);
}

function* brokers({ mqttBridge }: CollectMetricsDeps): Generator<MetricFamily> {
  const { configured, connected, dirty, published, commands, dropped } = mqttBridge.stats();
  yield gauge('hearthd_mqtt_brokers', 'MQTT brokers that homes are published on, by whether they are connected', [
    ...by('status', [
      ['connected', connected],
      ['offline', configured - connected],
    ]),
  ]);
  yield gauge('hearthd_mqtt_waiting_changes', 'Changed things that are not published yet', only(dirty));
  yield counter('hearthd_mqtt_published_messages_total', 'Messages published on MQTT brokers', only(published));
  yield counter('hearthd_mqtt_commands_total', 'Commands that came over MQTT', only(commands));
  yield counter(
    'hearthd_mqtt_dropped_messages_total',
    'Messages and commands for which there was no room',
    only(dropped),
  );
}

/** Empty if the database cannot be opened now. */
function sizes(name: string, open: () => Database): readonly MetricSample[] {
  try {
    const { file, log } = sizeOf(open());
    return [
      { labels: { database: name, part: 'file' }, value: file },
      { labels: { database: name, part: 'log' }, value: log },
    ];
  } catch {
    return [];
  }
}

function countBy<T>(all: readonly T[], keyOf: (one: T) => string, keys: readonly string[] = []): Map<string, number> {
  const counts = new Map<string, number>(keys.map((key) => [key, 0]));
  for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}
