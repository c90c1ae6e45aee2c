/**
 * A backup of a relay that has something in every table: made over its API where an operation makes it, and with SQL
 * where only time or a peer does.
 */
import { copyFileSync } from 'node:fs';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { type RawAccessory, startRawAccessory } from './accessories/raw-accessory.ts';
import { lampAccessory } from './accessories/sample-databases.ts';
import { E2eRelay, KNOWN_CONTROLLER, sharePairings } from './e2e-relay.ts';
import { createTempDirectory } from './temp-directory.ts';

const HOME = '0b7f9f5e-0000-4000-8000-00000000a0a0';

/** Writes the backup to a file. */
export async function furnishBackup(to: string): Promise<void> {
  const directory = createTempDirectory('furnished');
  const lamp = await startRawAccessory({
    database: [lampAccessory('Lamp')],
    mdns: false,
    name: 'Lamp',
    paired: [KNOWN_CONTROLLER],
  });
  try {
    sharePairings(directory, [lamp]);
    const relay = await E2eRelay.start({ directory, config: { webhooksAllowLoopback: true } });
    await furnish(relay, lamp);
    const { body } = await relay.asSystem('POST', '/rest/backups');
    await relay.stop();
    copyFileSync(directory.file('backups', body.name), to);
    fillWhatTimeMakes(to);
  } finally {
    await lamp.stop();
    directory.remove();
  }
}

/** Tables with nothing in them, in which an alteration would show nothing. */
export function emptyTables(path: string): readonly string[] {
  const database = openSqlite(path, { readonly: true });
  try {
    return tablesOf(database).filter((table) => database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined);
  } finally {
    database.close();
  }
}

export function tablesOf(database: ReturnType<typeof openSqlite>): readonly string[] {
  return database
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
    .all()
    .map(({ name }) => name);
}

async function furnish(relay: E2eRelay, lamp: RawAccessory): Promise<void> {
  const make = async (path: string, body?: unknown, method = 'POST') => {
    const answer = await relay.asSystem(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await relay.untilStatus(lamp.deviceId, 'connected');
  const lampId = (await relay.accessory('Lamp')).id;
  const lampOn = { accessoryId: lampId, characteristicType: 'on' };
  await make(
    `/rest/homes/${HOME}`,
    { timeZone: 'Europe/Berlin', location: { latitude: 52.5, longitude: 13.4 } },
    'PATCH',
  );
  await make(`/rest/history/homes/${HOME}`, { enabled: true }, 'PATCH');
  await make('/rest/history/series', { homeId: HOME, ...lampOn, minIntervalS: 1 }, 'PATCH');
  const { id: room } = await make('/rest/rooms', { homeId: HOME, name: 'Study', color: 'teal' });
  for (const kind of ['zones', 'room-groups'])
    await make(`/rest/${kind}`, { homeId: HOME, name: 'Upstairs', roomIds: [room] });
  const switches: string[] = [];
  for (const [type, config] of Object.entries({
    input_boolean: {},
    input_select: { options: ['Home', 'Away'] },
    counter: { min: 0, max: 9 },
    timer: { duration: 9_000 },
    input_number: { min: 0, max: 10 },
    input_text: { maxLength: 9 },
    input_datetime: { hasTime: false },
  })) {
    const { id } = await make('/rest/virtual-accessories', { homeId: HOME, name: `My ${type}`, type, ...config });
    switches.push(id);
    if (type === 'timer') await make(`/rest/virtual-accessories/${id}/operate`, { operation: 'start' });
  }
  const members = [lampId];
  const group = await make('/rest/service-groups', { homeId: HOME, name: 'Lights', accessoryIds: members });
  const items = [
    { home_id: HOME, accessory_id: lampId },
    { home_id: HOME, service_group_id: group.id },
  ];
  await make('/rest/collections', { name: 'Favourites', payload: { groups: [], items } });
  const actions = [{ ...lampOn, targetValue: true }];
  await make('/rest/scenes', { homeId: HOME, name: 'Evening', actions });
  const trigger = { type: 'timer', hour: 7, minute: 30, recurrence: { weekday: 2 }, timeZone: 'Europe/Berlin' };
  await make('/rest/automations', { homeId: HOME, name: 'Morning', trigger, actions });
  const flow = {
    ...{ homeId: HOME, name: 'Night', mode: 'parallel' },
    triggers: [
      { type: 'state', ...lampOn, to: true, for: { minutes: 90 } },
      { type: 'webhook', allowedMethods: ['GET'] },
    ],
    actions: [
      { type: 'delay', duration: { hours: 3 } },
      { type: 'set_characteristic', ...lampOn, value: false },
    ],
  };
  const { id: flowId } = await make('/rest/flows', flow);
  await make(`/rest/flows/${flowId}`, { name: 'Late' }, 'PATCH');
  await make(`/rest/flows/${flowId}/run`);
  await make('/rest/people', { homeId: HOME, name: 'Ada' });
  await make('/rest/notifications/test', { message: 'Hello' });
  await make('/rest/notifications/preferences', { scope: 'home', scopeId: HOME, emailEnabled: true });
  await make('/rest/users', { email: 'bob@example.org', password: 'tr0ubador&3' });
  await make(`/rest/homes/${HOME}/members`, { email: 'eve@example.org', role: 'view' });
  await make('/rest/shares', { entityType: 'room', entityId: room, accessType: 'public', role: 'view' });
  await make('/rest/tokens', { name: 'Panel', homePermissions: { [HOME]: 'view' } });
  await make('/rest/webhooks', { name: 'Log', url: 'http://127.0.0.1:9/hook', homeIds: [HOME] });
  await make(`/rest/homes/${HOME}/mqtt/brokers`, { name: 'Broker', host: '127.0.0.1', enabled: false });
  await make(`/rest/homes/${HOME}/mqtt`, { enabled: false }, 'PATCH');
  await make(`/rest/homes/${HOME}/adaptive-lighting`, { pauseHours: 3 }, 'PATCH');
  await make(`/rest/rooms/${room}/adaptive-lighting`, { setting: 'on' }, 'PATCH');
  const tariff = { currency: 'EUR', kind: 'fixed', price: 0.3 };
  await make(`/rest/energy/tariff?home=${HOME}`, tariff, 'PUT');
  await make('/rest/relay/settings', { log_level: 'error' }, 'PATCH');
  await make('/rest/relay/https', { source: 'own' }, 'PUT');
  await make('/rest/discovered/manual', { hostPort: '127.0.0.1:1' });
}

/** What comes with time, or from peers. */
function fillWhatTimeMakes(path: string): void {
  const database = openSqlite(path);
  try {
    database.exec(`
      PRAGMA foreign_keys = ON;
      INSERT INTO home_pictures SELECT id, x'89504e470d0a1a0a', 'hash' FROM homes LIMIT 1;
      INSERT INTO room_pictures SELECT id, x'89504e470d0a1a0a', 'hash' FROM rooms LIMIT 1;
      INSERT OR IGNORE INTO last_values SELECT id, '10', 'true' FROM accessories LIMIT 1;
      INSERT INTO adaptive_lighting_lamps SELECT id, '8', 1, 1, NULL, NULL FROM accessories LIMIT 1;
      INSERT OR IGNORE INTO slots VALUES ('key', 1, 1, 1);
      INSERT OR IGNORE INTO holds VALUES ('key', 1, 2, '{}');
      INSERT INTO device_limits SELECT device_id, 10, 900, 0, 0, 0, 1 FROM pairings WHERE true ON CONFLICT DO NOTHING;
      INSERT INTO wrong_setup_codes VALUES ('AA:BB:CC:DD:EE:FF', 1);
      INSERT INTO attempts VALUES ('login:key', 1);
      INSERT INTO sessions (id, user_id, created_at, expires_at, expired_at, last_used_at, device, address) SELECT 'session', id, 1, 9000000000000, NULL, 1, 'Browser', '127.0.0.1' FROM users LIMIT 1;
      INSERT OR IGNORE INTO notification_marks SELECT id, 1 FROM users;
      INSERT OR IGNORE INTO second_factors SELECT id, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 1, 1 FROM users;
      INSERT OR IGNORE INTO recovery_codes SELECT user_id, 'e3b0c44298fc1c149afbf4c8996fb924' FROM second_factors;
      INSERT OR IGNORE INTO passkeys SELECT 'passkey', id, 'credential', x'a5', 1, '["internal"]', 'home.example', 'Phone', 0, 1, NULL FROM users LIMIT 1;
      INSERT OR IGNORE INTO known_devices SELECT id, 'e3b0c44298fc1c149afbf4c8996fb924', 1 FROM users;
      INSERT OR IGNORE INTO notification_reads SELECT users.id, notifications.id FROM users, notifications LIMIT 1;
      INSERT INTO ntfy_topics SELECT id, 'https://ntfy.example/topic', 1 FROM users LIMIT 1;
      INSERT INTO push_devices SELECT 'device', id, 'session', 'Phone', 'https://push.example/1', 'key', 'auth', 1, NULL, NULL FROM users LIMIT 1;
      INSERT INTO oauth_clients VALUES ('client', '{"redirectUris":["https://app.example/cb"],"clientName":"App","clientUri":null,"logoUri":null,"authMethod":"none","scope":null}', NULL, 1, 1);
      INSERT INTO oauth_consents SELECT 'client', id, 'write', NULL, 'api', 1, 1, 1 FROM users LIMIT 1;
      INSERT INTO oauth_artifacts SELECT 'Grant', 'hash', '{}', 'client', id, 'hash', 1, 9000000000000, NULL, NULL, NULL FROM users LIMIT 1;
      INSERT OR IGNORE INTO made_by SELECT 'share', id, 'token token', 'token', NULL, NULL, NULL, NULL, 1 FROM shares LIMIT 1;
      INSERT OR IGNORE INTO share_epochs VALUES ('room', 'gone', 3);
      INSERT OR IGNORE INTO webhook_queue SELECT 1, id, 'delivery', 'event', 'scene.executed', '{}', 1, 1, 0, NULL, NULL FROM webhooks LIMIT 1;
      INSERT OR IGNORE INTO mqtt_topics SELECT id, 'topic' FROM mqtt_brokers LIMIT 1;
      INSERT OR IGNORE INTO publications SELECT 'publication', home_id, 'Hearth', 'homekit', '{"scope":"home","roomIds":[],"types":[],"accessoryIds":[],"serviceGroupIds":[],"sceneIds":[],"exceptIds":[]}', 1, 1, NULL, 0 FROM rooms LIMIT 1;
      INSERT OR IGNORE INTO homekit_bridges SELECT 'bridge', id, 1, NULL, 'AA:BB:CC:DD:EE:FF', 'ABCD', '031-45-154', zeroblob(32), NULL, 1, NULL FROM publications LIMIT 1;
      INSERT OR IGNORE INTO homekit_things SELECT id, 'accessory:lamp', 2 FROM homekit_bridges LIMIT 1;
      INSERT OR IGNORE INTO homekit_iids SELECT id, 2, 'on', 8 FROM homekit_bridges LIMIT 1;
      INSERT OR IGNORE INTO homekit_controllers SELECT id, 'phone', zeroblob(32), 1, 1, NULL FROM homekit_bridges LIMIT 1;
      INSERT OR IGNORE INTO homekit_days SELECT id, 'lamp', '8', zeroblob(8), 1 FROM homekit_bridges LIMIT 1;
      INSERT OR IGNORE INTO matter_bridges SELECT id, 'matter', 'unique', 34567890, 1234, 3, NULL, NULL, NULL, '[]' FROM publications LIMIT 1;
      INSERT OR IGNORE INTO matter_endpoints SELECT id, 'accessory:lamp', 'light', 2, 'unique-lamp' FROM matter_bridges LIMIT 1;
      INSERT OR IGNORE INTO matter_storage SELECT id, 'fabrics', 'nextFabricIndex', zeroblob(8) FROM matter_bridges LIMIT 1;
      INSERT OR IGNORE INTO invitations SELECT 'invitation', home_id, 'x@example.org', 'x@example.org', 'view', NULL, 'code', NULL, 1, 9000000000000, NULL
        FROM rooms LIMIT 1;
    `);
  } finally {
    database.close();
  }
}
