/**
 * A home in which every page of the dashboard has something to show: made through the public API alone, and with SQL
 * where only time makes it.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiClient } from '../../src/cli/api-client.ts';
import { HISTORY_DATABASE } from '../../src/storage/data-directory.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { embellish } from '../demo/embellish.ts';
import { publish } from '../demo/publish.ts';
import { FakeMatterBridges } from '../support/fake-matter-bridges.ts';
import { Dashboard, eventually, OWNER } from './dashboard.ts';
import { registerApp } from './oauth-app.ts';

/** Announced, and for anyone to pair: the page that adds accessories shows it. */
const UNPAIRED = 'Fan';
/** Bridges have more: balcony door, sensors, a button. */
const PAIRED = [
  ...['Reading Lamp', 'Desk Lamp', 'Coffee Machine', 'Power Strip', 'Thermostat', 'Front Door', 'Garage Door', 'Blind'],
  ...['Motion Sensor', 'Climate Sensor', 'Alarm', 'Doorbell', 'Speaker', 'Bridge'],
];
/** No space lets it wrap. */
export const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk';
const PASSCODE = '493817';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS_OF_ENERGY = 40;
/** Where apps are sent back to: the relay answers a browser there. */
const CALLBACK = '/page.css';

interface Item {
  readonly id: string;
  readonly name: string;
  readonly roomId?: string;
}

/** What addresses name: `roomId` of `/rooms/:roomId`. */
export type Parts = Readonly<Record<string, string>>;

export interface FurnishedHome {
  readonly dashboard: Dashboard;
  /** Each set fills the addresses whose parts it has. */
  readonly parts: readonly Parts[];
  /** Paths of pages that are rendered by the relay, by a name for each; those for anyone, and those of the owner. */
  readonly served: Readonly<Record<'open' | 'signedIn', Readonly<Record<string, string>>>>;
  stop(): Promise<void>;
}

export async function startFurnishedHome(): Promise<FurnishedHome> {
  const receiver = createServer((request, response) => {
    request.resume();
    response.end('{"taken":true}');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const dashboard = await Dashboard.start({
    accessories: PAIRED,
    unpaired: [UNPAIRED],
    config: { webhooksAllowLoopback: true },
    overrides: { openMatterBridge: new FakeMatterBridges().open },
  });
  const stop = async () => {
    await dashboard.stop();
    receiver.closeAllConnections();
    receiver.close();
  };
  try {
    const furniture = await furnish(dashboard, receiver);
    return { dashboard, ...furniture, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function furnish(dashboard: Dashboard, receiver: Server): Promise<Pick<FurnishedHome, 'parts' | 'served'>> {
  const { relay } = dashboard;
  const api = new ApiClient(relay.directory.path);
  const send = (path: string, body?: unknown, method: 'POST' | 'PATCH' | 'PUT' = 'POST') =>
    api.send<Item & Record<string, string>>(method, path, body);
  const [home] = await api.get<Item[]>('/rest/homes');
  if (!home) throw new Error('Pairing has made no home');
  const homeId = home.id;
  const of = { home: homeId };

  await send(`/rest/homes/${homeId}`, { name: 'Lakeside' }, 'PATCH');
  const rooms = await placeAll(dashboard, api, homeId);
  const longRoom = await send('/rest/rooms', { homeId, name: LONG_WORD });
  const accessories = await api.get<Item[]>('/rest/accessories', of);
  await embellish(api, homeId, accessories);
  const idOf = (name: string): string => {
    const found = accessories.find((accessory) => accessory.name.startsWith(name));
    if (!found) throw new Error(`The home has no ${name}`);
    return found.id;
  };
  const lamp = { accessoryId: idOf('Desk Lamp'), characteristicType: 'on' };

  const virtual = await send('/rest/virtual-accessories', {
    ...{ homeId, name: LONG_WORD, type: 'input_select', roomId: longRoom.id },
    options: ['Home', LONG_WORD],
  });
  await send('/rest/virtual-accessories', { homeId, name: 'Visits', type: 'counter', min: 0, max: 9 });
  const upstairs = [...rooms.values()].slice(0, 2);
  await send('/rest/zones', { homeId, name: 'Upstairs', roomIds: [...upstairs, longRoom.id] });
  await send('/rest/room-groups', { homeId, name: 'Where guests are', roomIds: upstairs });
  const [group] = await api.get<Item[]>('/rest/service-groups', of);
  await send('/rest/collections', {
    name: 'Favourites',
    payload: {
      groups: [],
      items: [
        { home_id: homeId, accessory_id: lamp.accessoryId },
        { home_id: homeId, service_group_id: group?.id },
      ],
    },
  });
  const scene = await send('/rest/scenes', { homeId, name: LONG_WORD, actions: [{ ...lamp, targetValue: true }] });
  await send(`/rest/scenes/${scene.id}/execute`);

  const [native] = await api.get<Item[]>('/rest/automations', of);
  const flow = await send('/rest/flows', flowOf(homeId, lamp, idOf('Light Sensor')));
  const run = await send(`/rest/flows/${flow.id}/run`);
  const long = await send('/rest/flows', { ...flowOf(homeId, lamp, idOf('Light Sensor')), name: LONG_WORD });
  const traces = (automationId: string) => `/rest/flows/${automationId}/traces`;
  const traceId = await eventually(async () => {
    const answer = await relay.get(traces(flow.id));
    return JSON.stringify(answer.body).includes(run.runId ?? '') && run.runId;
  }, 'the run to be recorded');

  await send('/rest/people', { homeId, name: OWNER.name });
  await send('/rest/people', { homeId, name: 'Grace' });
  await send('/rest/users', { email: 'grace@example.org', name: 'Grace', password: 'another long password' });
  await send(`/rest/homes/${homeId}/members`, { email: 'grace@example.org', role: 'control' });
  const guest = { homeId, email: `guest.of.${LONG_WORD.toLowerCase()}@example.org` };
  const { inviteHomeMember: invited } = await dashboard.graphql(
    `mutation ($homeId: String!, $email: String!) {
      inviteHomeMember(homeId: $homeId, email: $email, role: "view") { invitationCode }
    }`,
    guest,
  );
  const room = { entityType: 'room', entityId: [...rooms.values()][0] };
  const share = await send('/rest/shares', { ...room, accessType: 'public', role: 'control' });
  const locked = await send('/rest/shares', {
    ...{ entityType: 'accessory', entityId: idOf('Front Door'), accessType: 'passcode', role: 'control' },
    ...{ passcode: PASSCODE, name: 'Courier' },
  });

  await dashboard.graphql('mutation { updateSettings(data: { developerMode: true }) { success } }');
  await send('/rest/tokens', { name: 'Panel', homePermissions: { [homeId]: 'view' } });
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const createWebhook = `mutation ($name: String!, $url: String!) {
    createWebhook(name: $name, url: $url) { webhook { id } }
  }`;
  const { createWebhook: webhook } = await dashboard.graphql(createWebhook, { name: 'Log', url: hook });
  await dashboard.graphql(createWebhook, { name: LONG_WORD, url: `${hook}/${LONG_WORD.repeat(3)}` });
  await send(`/rest/homes/${homeId}/mqtt/brokers`, { name: 'Broker', host: '127.0.0.1', enabled: false });
  await send('/rest/notifications/test', { message: 'The balcony door is still open.' });
  await send('/rest/energy/tariff?home='.concat(homeId), { currency: 'EUR', kind: 'fixed', price: 0.34 }, 'PUT');
  await send('/rest/backups');
  await send('/rest/relay/https', { source: 'own' }, 'PUT');
  await publish(api);
  // What webhooks deliver, and what the activity of the home has.
  for (const on of [true, false]) await relay.set('Desk Lamp', { on });
  await letTimePass(dashboard, homeId);

  const origin = new URL(relay.url).origin;
  await allow(dashboard, await appAddress(origin, 'Desk Panel'));
  return {
    parts: [
      ...['Reading Lamp', 'Thermostat', 'Front Door', 'Climate Sensor', 'Coffee Machine', 'Bridge', 'Blind'].map(
        (name) => ({ id: idOf(name) }),
      ),
      { id: virtual.id },
      { roomId: room.entityId ?? '' },
      { roomId: longRoom.id },
      ...['climate', 'lights', 'security', 'media', 'water'].map((category) => ({ category })),
      { accessoryId: virtual.id },
      { sceneId: scene.id },
      { kind: 'native', automationId: native?.id ?? '' },
      { kind: 'flow', automationId: flow.id, traceId },
      { kind: 'flow', automationId: long.id },
      { blueprintId: 'motion_light' },
      { webhookId: webhook.webhook.id },
    ],
    served: {
      open: {
        login: '/login',
        invitation: `/invite/${invited.invitationCode}`,
        'no-invitation': '/invite/x',
        share: `/s/${share.shareHash}`,
        'share-locked': `/s/${locked.shareHash}`,
        'no-share': '/s/nothing',
        trust: '/trust',
      },
      signedIn: {
        account: '/account',
        'second-step': '/account/second-step',
        consent: await appAddress(origin, LONG_WORD),
        'consent-no-app': '/oauth/authorize?client_id=none',
      },
    },
  };
}

/** @returns room ids by name */
async function placeAll(dashboard: Dashboard, api: ApiClient, homeId: string): Promise<ReadonlyMap<string, string>> {
  const rooms = new Map<string, string>();
  const accessories = await api.get<Item[]>('/rest/accessories', { home: homeId });
  const wanted = dashboard.demoHome.accessories
    .filter(({ device }) => device !== UNPAIRED)
    .flatMap(({ device, room, children }) => [{ name: device, room }, ...children]);
  for (const { name, room } of wanted) {
    if (!rooms.has(room)) {
      rooms.set(room, (await api.send<Item>('POST', '/rest/rooms', { homeId, name: room })).id);
    }
    const accessory = accessories.find((one) => one.name.startsWith(name));
    if (!accessory) throw new Error(`The home has no ${name}`);
    await api.send('PATCH', `/rest/accessories/${accessory.id}`, { roomId: rooms.get(room) });
  }
  return rooms;
}

/** A flow with a step of each shape: in turn, one of several, again and again, at once. */
function flowOf(homeId: string, lamp: Readonly<Record<string, string>>, light: string) {
  const set = (value: boolean) => ({ type: 'set_characteristic', ...lamp, value });
  const dark = {
    type: 'numeric_state',
    accessoryId: light,
    characteristicType: 'current_ambient_light_level',
    below: 40,
  };
  return {
    homeId,
    name: 'Arrive home',
    mode: 'restart',
    triggers: [
      { type: 'state', ...lamp, to: true, for: { minutes: 90 } },
      { type: 'webhook', allowedMethods: ['GET'] },
    ],
    actions: [
      // biome-ignore lint/suspicious/noThenProperty: the record's name (wire-facts §6.2) for a list, never awaited
      { type: 'if_then_else', condition: dark, then: [set(true)], else: [set(false)] },
      { type: 'parallel', branches: [[set(true)], [{ type: 'notify', message: 'Ada is back' }]] },
      { type: 'delay', duration: { hours: 3 } },
    ],
  };
}

/** Weeks of energy and a day of values, which a new relay does not have. */
async function letTimePass(dashboard: Dashboard, homeId: string): Promise<void> {
  const path = dashboard.relay.directory.file(HISTORY_DATABASE);
  const database = openSqlite(path);
  try {
    const has = (table: string) => database.prepare(`SELECT 1 FROM ${table}`).get() !== undefined;
    await eventually(async () => {
      // What is asked for is written first.
      await dashboard.graphql(
        'query ($id: String!) { energy(home: $id, by: "day") { kwh } historySeries(homeId: $id) { sampleCount } }',
        { id: homeId },
      );
      return has('series') && has('energy_meters');
    }, 'a first value to be recorded');
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const meters = database.prepare<[], { id: number }>('SELECT id FROM energy_meters').all();
    const addHour = database.prepare('INSERT OR IGNORE INTO energy_hours VALUES (?, ?, ?, ?, ?, ?)');
    database.transaction(() => {
      for (const { id } of meters) {
        for (let ago = 1; ago <= DAYS_OF_ENERGY * 24; ago += 1) {
          const used = 20_000 + ((ago * 7_919 * id) % 90_000);
          addHour.run(id, hour - ago * HOUR_MS, used, used, 0, used);
        }
      }
    })();
    const series = database
      .prepare<[], { id: number; kind: string; raw_from: number }>(
        "SELECT id, kind, raw_from FROM series WHERE kind = 'numeric' OR kind = 'bool'",
      )
      .all();
    const addSample = database.prepare('INSERT OR IGNORE INTO samples VALUES (?, ?, ?)');
    const count = database.prepare('UPDATE series SET sample_count = sample_count + ? WHERE id = ?');
    database.transaction(() => {
      for (const { id, kind } of series) {
        let added = 0;
        for (let at = Date.now() - DAY_MS; at < Date.now() - HOUR_MS; at += HOUR_MS / 2) {
          const wave = Math.sin((at / DAY_MS) * 2 * Math.PI);
          added += addSample.run(id, Math.floor(at), kind === 'bool' ? Number(wave > 0) : 21 + 3 * wave).changes;
        }
        count.run(added, id);
      }
    })();
  } finally {
    database.close();
  }
}

/** An app that asks for access. @returns the address that it sends the browser to */
async function appAddress(origin: string, name: string): Promise<string> {
  const { path } = await registerApp(origin, { name, redirectUri: `${origin}${CALLBACK}` });
  return path;
}

/** The owner lets the app in. */
async function allow(dashboard: Dashboard, path: string): Promise<void> {
  const { page } = await dashboard.open({ path, token: null });
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Your password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.waitForURL((url) => url.pathname === CALLBACK);
  await page.context().close();
}
