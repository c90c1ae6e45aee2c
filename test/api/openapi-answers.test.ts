/**
 * What every operation really answers, against the document: a tour through a whole home that asks each of them at
 * least once. A field that is answered and not described fails, and so does an operation that is not asked.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ButtonTokens } from '../../src/app/notifications/button-tokens.ts';
import { codeOf, stepAt } from '../../src/app/users/totp.ts';
import { HttpSendError, type HttpSender } from '../../src/home/http-sender.ts';
import { type NtfyServer, startNtfyServer } from '../drivers/notifications/ntfy-server.ts';
import { PUSH_DEVICE } from '../support/authorization-rest.ts';
import { PNG } from '../support/pictures.ts';
import {
  createRestClient,
  createTestApi,
  createToken,
  type RestAnswer,
  type RestClient,
} from '../support/rest-client.ts';
import { lamp, METER, meteredOutlet, whiteLamp } from '../support/sample-accessories.ts';
import { SoftwareAuthenticator } from '../support/software-authenticator.ts';
import { callerOf, createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { anonymousCaller } from '../support/test-users.ts';
import { compileSchema, listOperations, operationOf } from './openapi-document.ts';
import { createShareHome } from './share/share-home.ts';

const UNPAIRED = 'CC:00:00:00:00:01';
const CODE = '031-45-154';
const NO_SUCH_ID = '00000000-0000-4000-8000-000000000000';

let home: TestHome;
let rest: RestClient;
let socket: RestClient;
let ntfy: NtfyServer;
/** In place of headers: the command line asks. */
const VIA_SOCKET = {};
/** Takes every message to a browser; there is no other server. */
const PUSH_SERVICE: HttpSender = {
  send({ url }) {
    if (url === PUSH_DEVICE.endpoint) {
      return Promise.resolve({ status: 201, statusText: 'Created', headers: {}, body: '' });
    }
    return Promise.reject(new HttpSendError('network', 'There is no network in this test'));
  },
};
const asked = new Set<string>();

beforeAll(async () => {
  ntfy = await startNtfyServer();
  const ntfyUrl = `http://127.0.0.1:${ntfy.port}/home`;
  home = createTestHome({ sample: true, http: PUSH_SERVICE, ntfyUrl });
  home.driver.addDevice({ deviceId: UNPAIRED, name: 'New', setupCode: CODE, accessories: [lamp('New')] });
  rest = createRestClient(createTestApi(home), createToken(home));
  socket = createRestClient(createTestApi(home), undefined, { viaSocket: true });
});

afterAll(async () => {
  home.close();
  await ntfy.close();
});

/** Asks, and holds the answer against the description of the operation. @param name `GET /rest/rooms/{id}` */
async function ask(
  name: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<RestAnswer['body']> {
  const [method = '', template = ''] = name.split(' ');
  const answer = await (headers === VIA_SOCKET
    ? socket.request(method, path, body)
    : rest.request(method, path, body, headers));
  const { responses } = operationOf(method.toLowerCase(), template);
  const expected = Number(Object.keys(responses).find((status) => status.startsWith('20')));
  expect([name, answer.status, answer.status === expected ? '' : answer.text]).toEqual([name, expected, '']);
  const { content } = responses[expected];
  const answered = answer.headers.get('content-type')?.split(';')[0] ?? '';
  const type = answered in content ? answered : answered.replace(/\/.*/, '/*');
  expect(Object.keys(content)).toContain(type);
  const value = type === 'application/json' ? answer.body : answer.text;
  expectToMatch(name, value, content[type].schema);
  if (body !== undefined) {
    // A picture has no shape to match.
    if (!(body instanceof Uint8Array))
      expectToMatch(
        `${name} (body)`,
        body,
        operationOf(method.toLowerCase(), template).requestBody.content['application/json'].schema,
      );
  }
  asked.add(name);
  return value;
}

function expectToMatch(name: string, value: unknown, schema: unknown): void {
  const validate = compileSchema(schema);
  expect(
    validate(value),
    `${name}: ${JSON.stringify(validate.errors?.slice(0, 4), null, 1)}\n${JSON.stringify(value)}`,
  ).toBe(true);
}

describe('every answer is as described', () => {
  it('of the relay itself', async () => {
    await ask('GET /health', '/health');
    await ask('GET /ready', '/ready');
    await ask('GET /openapi.json', '/openapi.json');
    await ask('GET /metrics', '/metrics');
    home.logs.write(JSON.stringify({ level: 30, time: 1, msg: 'Connected', device: 'Lamp' }));
    await ask('GET /rest/relay', '/rest/relay');
    await ask('GET /rest/relay/load', '/rest/relay/load?days=7');
    await ask('GET /rest/relay/logs', '/rest/relay/logs?level=info&limit=5', undefined, VIA_SOCKET);
    await ask('GET /rest/relay/settings', '/rest/relay/settings', undefined, VIA_SOCKET);
    await ask('PATCH /rest/relay/settings', '/rest/relay/settings', { log_level: 'debug' }, VIA_SOCKET);
    await ask('PUT /rest/relay/https', '/rest/relay/https', { source: 'own' }, VIA_SOCKET);
    await ask('GET /rest/relay/https', '/rest/relay/https');
    await ask('POST /rest/relay/https/renew', '/rest/relay/https/renew', {}, VIA_SOCKET);
    await ask('DELETE /rest/relay/https', '/rest/relay/https', undefined, VIA_SOCKET);
  });

  it('of the stream of events, whose answer never ends', async () => {
    const headers = { Host: 'localhost', Authorization: `Bearer ${createToken(home)}` };
    const { status, headers: answered, body } = await createTestApi(home).request('/events', { headers });
    expect(status).toBe(200);
    const { content } = operationOf('get', '/events').responses[200];
    const type = answered.get('content-type')?.split(';')[0] ?? '';
    expect(Object.keys(content)).toContain(type);
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    expectToMatch('GET /events', new TextDecoder().decode((await reader.read()).value), content[type].schema);
    await reader.cancel();
    asked.add('GET /events');
  });

  it('of homes and rooms', async () => {
    await ask('GET /rest/homes', '/rest/homes');
    const { id } = await ask('POST /rest/homes', '/rest/homes', { name: 'Cabin' });
    await ask('PATCH /rest/homes/{id}', `/rest/homes/${id}`, { paused: true });
    const room = await ask('POST /rest/rooms', '/rest/rooms', { homeId: id, name: 'Attic' });
    await ask('PATCH /rest/rooms/{id}', `/rest/rooms/${room.id}`, { name: 'Loft', color: 'teal' });
    const behind = `/rest/homes/${id}/picture`;
    await ask('PUT /rest/homes/{id}/picture', behind, PNG, { 'Content-Type': 'image/png' });
    await ask('GET /rest/homes/{id}/picture', behind);
    await ask('DELETE /rest/homes/{id}/picture', behind);
    const picture = `/rest/rooms/${room.id}/picture`;
    await ask('PUT /rest/rooms/{id}/picture', picture, PNG, { 'Content-Type': 'image/png' });
    await ask('GET /rest/rooms/{id}/picture', picture);
    await ask('DELETE /rest/rooms/{id}/picture', picture);
    await ask('GET /rest/rooms', `/rest/rooms?home=${id}`);
    await ask('DELETE /rest/rooms/{id}', `/rest/rooms/${room.id}`);
    await ask('DELETE /rest/homes/{id}', `/rest/homes/${id}`);
  });

  it('of notifications', async () => {
    const path = '/rest/notifications';
    const preference = { scope: 'home', scopeId: home.home.id, emailEnabled: true };
    await ask(`POST ${path}/test`, `${path}/test`, { message: 'Hello' });
    await ask(`GET ${path}`, `${path}?limit=5`);
    await ask(`GET ${path}/channels`, `${path}/channels`);
    await ask(`POST ${path}/preferences`, `${path}/preferences`, preference);
    await ask(`GET ${path}/preferences`, `${path}/preferences`);
    await ask(`DELETE ${path}/preferences`, `${path}/preferences?scope=home&scopeId=${home.home.id}`);
    await home.notifications.notify({
      ...{ homeId: home.home.id, automationId: null, title: null, message: 'Open', icon: null, iconColor: null },
      ...{ data: null, buttons: [{ id: 'close', title: 'Close' }] },
    });
    const [{ id }] = await ask(`GET ${path}`, `${path}?limit=1`);
    await ask(`POST ${path}/{id}/buttons/{buttonId}`, `${path}/${id}/buttons/close`);
    await ask(`DELETE ${path}`, path);
  });

  it('of accounts, members and sessions', async () => {
    const { code } = await ask('POST /rest/setup-code', '/rest/setup-code', undefined, VIA_SOCKET);
    const account = { email: 'ada@example.org', password: 'correct horse' };
    const { token: ada } = await home.users.claim(anonymousCaller(), { ...account, setupCode: code });
    const as = (token: string) => ({ Authorization: `Bearer ${token}` });
    await ask('PATCH /rest/me', '/rest/me', { name: 'Ada L.' }, as(ada));
    await ask('PATCH /rest/settings', '/rest/settings', { developerMode: true }, as(ada));
    await ask('GET /rest/settings', '/rest/settings', undefined, as(ada));
    await ask('GET /rest/notifications/unread', '/rest/notifications/unread', undefined, as(ada));
    await ask('POST /rest/notifications/read', '/rest/notifications/read', {}, as(ada));
    await home.notifications.notify({
      ...{ homeId: home.home.id, automationId: null, title: null, message: 'Open', icon: null, iconColor: null },
      ...{ data: null, buttons: [{ id: 'close', title: 'Close' }] },
    });
    const [{ id: notificationId }] = (await rest.get('/rest/notifications?limit=1')).body;
    const [owner] = home.users.list(systemCaller);
    const pressPath = new ButtonTokens(home.signingKeys).pathOf({ notificationId, userId: owner?.id ?? '', index: 0 });
    await ask('POST /notification-action/{token}', pressPath);
    const topic = '/rest/notifications/ntfy';
    await ask(`POST ${topic}`, topic, undefined, as(ada));
    await ask(`GET ${topic}`, topic, undefined, as(ada));
    await ask(`POST ${topic}/test`, `${topic}/test`, {}, as(ada));
    await ask(`DELETE ${topic}`, topic, undefined, as(ada));
    const devices = '/rest/notifications/push-devices';
    await ask('GET /rest/notifications/push-key', '/rest/notifications/push-key', undefined, as(ada));
    const device = await ask(`POST ${devices}`, devices, PUSH_DEVICE, as(ada));
    await ask(`GET ${devices}`, devices, undefined, as(ada));
    await ask(`POST ${devices}/{id}/test`, `${devices}/${device.id}/test`, { message: 'Hello' }, as(ada));
    await ask(`DELETE ${devices}/{id}`, `${devices}/${device.id}`, undefined, as(ada));
    const members = `/rest/homes/${home.home.id}/members`;
    const template = '/rest/homes/{id}/members';
    const unknown = await ask(`POST ${template}`, members, { email: 'eve@example.org', role: 'view' }, as(ada));
    await ask(`PATCH ${template}/{memberId}`, `${members}/${unknown.member.id}`, { role: 'control' }, as(ada));
    await ask(`DELETE ${template}/{memberId}`, `${members}/${unknown.member.id}`, undefined, as(ada));

    const bob = { email: 'bob@example.org', password: 'another horse' };
    const user = await ask('POST /rest/users', '/rest/users', bob, as(ada));
    await ask('PATCH /rest/users/{id}', `/rest/users/${user.id}`, { name: 'Bob' }, as(ada));
    await ask(
      'POST /rest/users/{id}/password',
      `/rest/users/${user.id}/password`,
      { password: 'third horse' },
      as(ada),
    );
    const { token } = await home.users.logIn(anonymousCaller(), { ...bob, password: 'third horse' });
    await ask(`POST ${template}`, members, { email: bob.email, role: 'view' }, as(ada));
    await ask('GET /rest/invitations', '/rest/invitations', undefined, as(token));
    await ask(
      'POST /rest/invitations/{homeId}/reject',
      `/rest/invitations/${home.home.id}/reject`,
      undefined,
      as(token),
    );
    await ask(`POST ${template}`, members, { email: bob.email, role: 'view' }, as(ada));
    await ask(
      'POST /rest/invitations/{homeId}/accept',
      `/rest/invitations/${home.home.id}/accept`,
      undefined,
      as(token),
    );
    await ask(`GET ${template}`, members);
    const step = '/rest/me/second-factor';
    await ask(`GET ${step}`, step, undefined, as(token));
    const setup = await ask(`POST ${step}`, step, { currentPassword: 'third horse' }, as(token));
    const first = { code: codeOf(setup.secret, stepAt(home.clock.now())) };
    const { recoveryCodes } = await ask(`POST ${step}/confirm`, `${step}/confirm`, first, as(token));
    const [one, ...others] = recoveryCodes;
    expect(others).toHaveLength(9);
    const renewed = await ask(`POST ${step}/recovery-codes`, `${step}/recovery-codes`, { code: one }, as(token));
    await ask(`POST ${step}/off`, `${step}/off`, { code: renewed.recoveryCodes[0] }, as(token));
    const again = await ask(`POST ${step}`, step, { currentPassword: 'third horse' }, as(token));
    const next = { code: codeOf(again.secret, stepAt(home.clock.now())) };
    await ask(`POST ${step}/confirm`, `${step}/confirm`, next, as(token));
    const reset = '/rest/users/{id}/second-factor';
    await ask(`DELETE ${reset}`, `/rest/users/${user.id}/second-factor`, undefined, as(ada));
    const keys = '/rest/me/passkeys';
    const begun = await ask(`POST ${keys}/begin`, `${keys}/begin`, { currentPassword: 'third horse' }, as(token));
    const { response } = new SoftwareAuthenticator('http://localhost').create(begun.options);
    const passkey = await ask(`POST ${keys}`, keys, { name: 'Phone', response }, as(token));
    await ask(`PATCH ${keys}/{id}`, `${keys}/${passkey.id}`, { name: 'Key ring' }, as(token));
    await ask(`GET ${keys}`, keys, undefined, as(token));
    await ask('POST /rest/me/proof/begin', '/rest/me/proof/begin', undefined, as(token));
    await ask('POST /rest/me/proof', '/rest/me/proof', { currentPassword: 'third horse' }, as(token));
    await ask(`DELETE ${keys}/{id}`, `${keys}/${passkey.id}`, undefined, as(token));
    const [session] = await ask('GET /rest/sessions', '/rest/sessions', undefined, as(token));
    await ask('GET /rest/sessions/{id}', `/rest/sessions/${session.id}`, undefined, as(token));
    await ask('POST /rest/sessions/renew', '/rest/sessions/renew', undefined, as(token));
    await ask('DELETE /rest/sessions/{id}', `/rest/sessions/${session.id}`, undefined, as(token));
    await ask('DELETE /rest/users/{id}', `/rest/users/${user.id}`, undefined, as(ada));
    await ask('GET /rest/users', '/rest/users', undefined, as(ada));
    const change = { currentPassword: account.password, newPassword: 'fourth horse' };
    const changed = await ask('POST /rest/me/password', '/rest/me/password', change, as(ada));
    await ask('GET /rest/me', '/rest/me', undefined, as(changed.token));
    const { client } = home.oauthClients.register({}, { redirect_uris: ['https://app.example/callback'] });
    const person = callerOf(await home.sessions.authenticate(changed.token));
    home.authorizedApps.allow(person, { clientId: client.id, scope: 'write', homePermissions: null, resource: 'api' });
    const apps = '/rest/authorized-apps';
    await ask(`GET ${apps}`, apps, undefined, as(changed.token));
    const narrower = { homePermissions: { [home.home.id]: 'view' } };
    await ask(`PATCH ${apps}/{clientId}`, `${apps}/${client.id}`, narrower, as(changed.token));
    await ask(`DELETE ${apps}/{clientId}`, `${apps}/${client.id}`, undefined, as(changed.token));
    await ask('DELETE /rest/sessions', '/rest/sessions', undefined, as(changed.token));
  });

  it('of people', async () => {
    const place = { latitude: 52.52, longitude: 13.405 };
    await ask('PATCH /rest/homes/{id}', `/rest/homes/${home.home.id}`, { timeZone: 'Europe/Berlin', location: place });
    const { id } = await ask('POST /rest/people', '/rest/people', { homeId: home.home.id, name: 'Ada' });
    await ask('PATCH /rest/people/{id}', `/rest/people/${id}`, { name: 'Grace' });
    await ask('POST /rest/people/{id}/presence', `/rest/people/${id}/presence`, place);
    await ask('GET /rest/people/{id}', `/rest/people/${id}`);
    await ask('GET /rest/people', '/rest/people');
    await ask('GET /rest/homes', '/rest/homes');
    await ask('POST /owntracks', '/owntracks?u=Grace', { _type: 'location', lat: 52.52, lon: 13.405, tst: 1 });
    await ask('DELETE /rest/people/{id}', `/rest/people/${id}`);
  });

  it('of blueprints', async () => {
    const homeId = home.home.id;
    const { id: lampId } = home.named('Lamp');
    const choice = { homeId, blueprintId: 'wake_up_light', inputs: { lights: [lampId] } };
    const file = JSON.stringify(home.blueprints.get(systemCaller, homeId, 'motion_light').blueprint);
    await ask('GET /rest/blueprints', `/rest/blueprints?home=${homeId}&language=de`);
    await ask('GET /rest/blueprints/{id}', `/rest/blueprints/motion_light?home=${homeId}`);
    await ask('POST /rest/blueprints/read', '/rest/blueprints/read', { homeId, file });
    await ask('POST /rest/blueprints/preview', '/rest/blueprints/preview', choice);
    const flow = await ask('POST /rest/blueprints/apply', '/rest/blueprints/apply', choice);
    const { id } = flow as { id: string };
    await ask('GET /rest/flows/{id}/blueprint', `/rest/flows/${id}/blueprint?name=Mine&description=x`);
    home.flows.delete(systemCaller, id);
  });

  it('of flows, their runs, versions and documents', async () => {
    const path = '/rest/flows';
    const { id: lampId } = home.named('Lamp');
    const lampOn = { accessoryId: lampId, characteristicType: 'on' };
    const body = {
      homeId: home.home.id,
      name: 'Everything',
      enabled: false,
      triggers: [
        { type: 'state', ...lampOn, to: true, for: { minutes: 1 } },
        { type: 'numeric_state', accessoryId: lampId, characteristicType: 'brightness', above: 10 },
        { type: 'time', at: '07:00', weekdays: [1] },
        { type: 'time_pattern', minutes: '/5' },
        { type: 'sun', event: 'sunset', offset: { minutes: -10 } },
        { type: 'webhook', allowedMethods: ['GET'] },
        { type: 'event', eventType: 'bell', eventData: { who: 'x' } },
        { type: 'system', event: 'relay_connected' },
        { type: 'template', expression: 'now() > 0' },
        { type: 'device_availability', accessoryId: lampId, to: 'unavailable' },
        { type: 'presence', event: 'atHome' },
      ],
      conditions: {
        operator: 'and',
        conditions: [
          { type: 'state', ...lampOn, value: true },
          { operator: 'or', conditions: [{ type: 'time', after: '22:00', before: '06:00' }] },
        ],
      },
      actions: [
        { type: 'set_characteristic', ...lampOn, value: true },
        { type: 'delay', duration: { seconds: 1 } },
        {
          type: 'if_then_else',
          condition: { operator: 'not', conditions: [] },
          // biome-ignore lint/suspicious/noThenProperty: the field's name on the wire.
          then: [{ type: 'stop', reason: 'enough' }],
          else: [],
        },
        { type: 'repeat', mode: 'count', count: 2, sequence: [{ type: 'fire_event', eventType: 'bell' }] },
        { type: 'parallel', branches: [[{ type: 'notify', message: 'Hello' }]] },
        { type: 'fire_webhook', url: 'https://example.com/', method: 'POST', body: { a: 1 } },
        { type: 'variables', variables: { level: 1 } },
      ],
      variables: { level: 40 },
    };
    const made = await ask(`POST ${path}`, path, body);
    const one = `${path}/${made.id}`;
    await ask(`GET ${path}`, path);
    await ask(`GET ${path}/{id}`, one);
    await ask(`PUT ${path}/{id}`, one, made);
    await ask(`PATCH ${path}/{id}`, one, { name: 'All' });
    const bell = { at: 1, event: { eventType: 'bell', eventData: { who: 'x' } } };
    await ask(`POST ${path}/{id}/simulate`, `${one}/simulate`, { scenario: { trigger: {}, events: [bell] } });
    await ask(`POST ${path}/evaluate`, `${path}/evaluate`, { homeId: home.home.id, text: 'Level {{ level }}' });
    await ask(`POST ${path}/simulate`, `${path}/simulate`, { homeId: home.home.id, data: { ...body, triggers: [] } });
    const { runId } = await ask(`POST ${path}/{id}/run`, `${one}/run`, { variables: { level: 2 } });
    await ask(`GET ${path}/{id}/outline`, `${one}/outline`);
    await ask(`GET ${path}/{id}/traces`, `${one}/traces?limit=5`);
    await ask(`GET ${path}/traces/{runId}`, `${path}/traces/${runId}`);
    await ask('POST /webhook/{webhookId}', new URL(made.webhookUrls[0]).pathname, { door: 'front' });
    await ask(`POST ${path}/{id}/enable`, `${one}/enable`);
    await ask(`GET ${path}/{id}/next`, `${one}/next?count=2`);
    await ask(`POST ${path}/{id}/disable`, `${one}/disable`);
    const [, version] = await ask(`GET ${path}/{id}/versions`, `${one}/versions`);
    await ask(`POST ${path}/versions/{versionId}/restore`, `${path}/versions/${version.id}/restore`);
    await ask(`GET ${path}/{id}/export`, `${one}/export`);
    const document = await ask(`GET ${path}/{id}/export`, `${one}/export?format=json`);
    await ask(`POST ${path}/import`, `${path}/import?home=${home.home.id}`, document);
    await ask(`DELETE ${path}/{id}`, one);
  });

  it('of accessories', async () => {
    const list = await ask('GET /rest/accessories', '/rest/accessories');
    expect(list.length).toBeGreaterThan(5);
    const { id } = home.named('Lamp');
    await ask('GET /rest/accessories/{id}', `/rest/accessories/${id}`);
    await ask('GET /rest/accessories/{id}/uses', `/rest/accessories/${id}/uses`);
    await ask('PATCH /rest/accessories/{id}', `/rest/accessories/${id}`, {
      name: null,
      roomId: home.named('Motion').roomId,
    });
    await ask('POST /rest/accessories/{id}/identify', `/rest/accessories/${id}/identify`);
  });

  it('of virtual accessories, of every kind', async () => {
    const kinds = [
      { type: 'input_boolean' },
      { type: 'input_select', options: ['Home', 'Away'] },
      { type: 'counter', min: 0, max: 9 },
      { type: 'timer', duration: 90 },
      { type: 'input_number', min: 0, max: 10, unit: 'kW', control: 'field' },
      { type: 'input_text', maxLength: 9 },
      { type: 'input_datetime', hasTime: false },
    ];
    const ids: string[] = [];
    for (const kind of kinds) {
      const made = await ask('POST /rest/virtual-accessories', '/rest/virtual-accessories', {
        homeId: home.home.id,
        name: `My ${kind.type.replace('_', ' ')}`,
        ...kind,
      });
      ids.push(made.id);
    }
    await ask('GET /rest/virtual-accessories', `/rest/virtual-accessories?home=${home.home.id}`);
    await ask('GET /rest/accessories', '/rest/accessories');
    const [plain, , , timer] = ids;
    await ask('POST /rest/virtual-accessories/{id}/operate', `/rest/virtual-accessories/${plain}/operate`, {
      operation: 'toggle',
    });
    await ask('POST /rest/virtual-accessories/{id}/operate', `/rest/virtual-accessories/${timer}/operate`, {
      operation: 'start',
    });
    await ask('GET /rest/virtual-accessories/{id}', `/rest/virtual-accessories/${timer}`);
    await ask('PATCH /rest/virtual-accessories/{id}', `/rest/virtual-accessories/${plain}`, {
      icon: 'star',
      controllable: false,
    });
    await ask('DELETE /rest/virtual-accessories/{id}', `/rest/virtual-accessories/${plain}`);
  });

  it('of service groups, zones, room groups and collections', async () => {
    const homeId = home.home.id;
    const accessoryIds = ['Heater', 'Kettle'].map((name) => home.named(name).id);
    const group = await ask('POST /rest/service-groups', '/rest/service-groups', { homeId, name: 'Hot', accessoryIds });
    await ask('GET /rest/service-groups', '/rest/service-groups');
    await ask('GET /rest/service-groups/{id}', `/rest/service-groups/${group.id}`);
    await ask('PATCH /rest/service-groups/{id}', `/rest/service-groups/${group.id}`, { name: 'Hotter' });
    const write = { characteristicType: 'power_state', value: true };
    await ask('POST /rest/service-groups/{id}/set', `/rest/service-groups/${group.id}/set`, write);

    const roomIds = [home.named('Lamp').roomId];
    for (const kind of ['zones', 'room-groups']) {
      const path = `/rest/${kind}`;
      const set = await ask(`POST ${path}`, path, { homeId, name: 'Upstairs', roomIds });
      await ask(`GET ${path}`, `${path}?home=${homeId}`);
      await ask(`PATCH ${path}/{id}`, `${path}/${set.id}`, { roomIds: [] });
      await ask(`DELETE ${path}/{id}`, `${path}/${set.id}`);
    }

    const payload = {
      groups: [{ id: 'a', name: 'A' }],
      items: [
        { home_id: homeId, accessory_id: home.named('Lamp').id, group_id: 'a' },
        { home_id: homeId, service_group_id: group.id },
      ],
    };
    const collection = await ask('POST /rest/collections', '/rest/collections', { name: 'Favourites', payload });
    await ask('GET /rest/collections/{id}', `/rest/collections/${collection.id}`);
    await ask('PATCH /rest/collections/{id}', `/rest/collections/${collection.id}`, {
      payload: JSON.stringify(payload),
    });
    await ask('GET /rest/collections', '/rest/collections');
    await ask('DELETE /rest/collections/{id}', `/rest/collections/${collection.id}`);
  });

  it('of scenes', async () => {
    const homeId = home.home.id;
    const lampId = home.named('Lamp').id;
    const actions = [
      { accessoryId: lampId, characteristicType: 'public.hap.characteristic.on', targetValue: true },
      { accessoryId: lampId, characteristicType: 'brightness', targetValue: 30 },
    ];
    const scene = await ask('POST /rest/scenes', '/rest/scenes', { homeId, name: 'Movie Night', actions });
    const captured = { homeId, name: 'As Now', accessoryIds: [lampId] };
    await ask('POST /rest/scenes/capture', '/rest/scenes/capture', captured);
    await ask('PATCH /rest/scenes/{id}', `/rest/scenes/${scene.id}`, { name: 'Film Night' });
    await ask('GET /rest/scenes/{id}', `/rest/scenes/${scene.id}`);
    await ask('POST /rest/scenes/{id}/execute', `/rest/scenes/${scene.id}/execute`);
    await ask('POST /rest/scene', '/rest/scene', { home: 'My Home', name: 'Film Night' });
    // The lamp is on now, so that there is something to do for the built-in ones.
    const listed = await ask('GET /rest/scenes', '/rest/scenes');
    expect(new Set(listed.map(({ isBuiltIn }: { isBuiltIn: boolean }) => isBuiltIn))).toEqual(new Set([true, false]));
    await ask('DELETE /rest/scenes/{id}', `/rest/scenes/${scene.id}`);
  });

  it('of native automations, with everything that they can have', async () => {
    const homeId = home.home.id;
    const lamp = { accessoryId: home.named('Lamp').id, characteristicType: 'brightness' };
    const actions = [{ ...lamp, targetValue: 30 }];
    const timer = { type: 'timer', hour: 7, minute: 30, recurrence: { weekday: 2 }, timeZone: 'Europe/Berlin' };
    const made = await ask('POST /rest/automations', '/rest/automations', {
      homeId,
      name: 'Morning',
      trigger: timer,
      actions,
    });
    const trigger = {
      type: 'event',
      events: [
        { type: 'characteristic', ...lamp, triggerValue: 10 },
        { type: 'characteristic', ...lamp, thresholdMin: 10, thresholdMax: 20 },
        { type: 'significantTime', significantEvent: 'sunset', offsetMinutes: -10 },
        { type: 'calendar', calendarComponents: { hour: 7, weekday: 2 } },
        { type: 'location', latitude: 52.5, longitude: 13.4, radius: 100, notifyOnEntry: true, notifyOnExit: true },
        { type: 'presence', presenceType: 'allUsers', presenceEvent: 'firstArrival' },
      ],
      endEvents: [{ type: 'duration', durationSeconds: 60 }],
      conditions: [
        { type: 'characteristic', ...lamp, operator: 'lessThan', value: 50 },
        { type: 'time', afterTime: { hour: 22 }, beforeTime: { hour: 6, minute: 30 } },
        { type: 'significantEvent', afterEvent: 'sunset', beforeEvent: 'sunrise' },
        { type: 'presence', presenceType: 'allUsers', presenceEvent: 'atHome' },
      ],
      recurrences: [{ weekday: 7 }],
      executeOnce: true,
    };
    const path = `/rest/automations/${made.id}`;
    const shown = await ask('PATCH /rest/automations/{id}', path, { trigger, enabled: true });
    await ask('PATCH /rest/automations/{id}', path, { trigger: shown.trigger, actions: shown.actions });
    await ask('GET /rest/automations/{id}', path);
    await ask('GET /rest/automations', `/rest/automations?home=${homeId}`);
    const draft = await ask('GET /rest/automations/{id}/draft', `${path}/draft`);
    await ask('PUT /rest/automations/{id}/draft', `${path}/draft`, draft);
    const saved = await ask('POST /rest/automations/drafts', '/rest/automations/drafts', {
      ...draft,
      homeId,
      name: 'Two',
    });
    await ask('DELETE /rest/automations/{id}', `/rest/automations/${saved.id}`);
    await ask('DELETE /rest/automations/{id}', path);
  });

  it('of state, with a service group, a virtual accessory and scenes in it, in both forms', async () => {
    const tree = await ask('GET /rest/state', '/rest/state');
    expect(JSON.stringify(tree)).toMatch(/"group":true.*"accessories"/);
    await ask('GET /rest/state', '/rest/state?form=names');
    await ask('GET /rest', '/rest');
    const flat = { home: 'My Home', room: 'Living Room', accessory: 'Lamp', on: true, brightness: 40 };
    await ask('POST /rest/state', '/rest/state', flat);
    await ask('POST /rest/state', '/rest/state', [flat, { ...flat, accessory: 'Nothing' }]);
    const [key = ''] = Object.keys(tree._homes);
    const [room, accessories] = Object.entries(tree[key]).find(([name]) => name.startsWith('living_room')) ?? ['', {}];
    const [accessory = ''] = Object.keys(accessories as object);
    const settings = { [room]: { [accessory]: { on: false } } };
    await ask('POST /rest/state', '/rest/state', { [key]: settings });
    await ask('POST /rest/state', '/rest/state', { homeId: home.home.id, state: settings });
  });

  it('of history, of numbers and of states', async () => {
    const homeId = home.home.id;
    const query = `home=${homeId}`;
    await ask('PATCH /rest/history/homes/{homeId}', `/rest/history/homes/${homeId}`, { enabled: true });
    const { id: accessoryId, services } = home.named('Thermostat');
    const temperature = services.flatMap(({ characteristics }) => characteristics).find(({ type }) => type === '11');
    await ask('PATCH /rest/history/series', '/rest/history/series', {
      homeId,
      accessoryId,
      characteristicType: 'current_temperature',
      minIntervalS: 0,
    });
    for (const value of [19, 20.5, 21]) {
      await home.clock.advance(60_000);
      home.driver.event('10:00:00:00:00:02', '1', temperature?.iid ?? '', value);
      await rest.post('/rest/state', { home: 'My Home', room: 'Living Room', accessory: 'Lamp', on: value > 20 });
    }
    const numbers = await ask('GET /rest/history', '/rest/history?accessory=thermostat');
    expect(numbers.series.length).toBeGreaterThan(0);
    await ask('GET /rest/history', '/rest/history?accessory=lamp&characteristic=on');
    await ask('GET /rest/history', '/rest/history?accessory=button');
    await ask('GET /rest/history/series', `/rest/history/series?${query}`);
    await ask('GET /rest/history/homes/{homeId}', `/rest/history/homes/${homeId}`);
    await ask('GET /rest/history/export', `/rest/history/export?${query}`);
    expect((await ask('GET /rest/activity', `/rest/activity?${query}`)).length).toBeGreaterThan(0);
    expect((await ask('GET /rest/activity/actors', `/rest/activity/actors?${query}`)).length).toBeGreaterThan(0);
    await ask('DELETE /rest/history', `/rest/history?${query}`);
  });

  it('of energy', async () => {
    const query = `home=${home.home.id}`;
    const outlet = meteredOutlet('Washer');
    home.driver.attach(home.home.id, {
      deviceId: '10:00:00:00:00:E0',
      name: 'Washer',
      setupCode: CODE,
      accessories: [outlet],
    });
    await home.clock.advance(60_000);
    home.driver.event('10:00:00:00:00:E0', '1', METER.kwh, 12.5);
    const price = { from: '2026-01-15T12:00:00Z', to: '2026-01-15T13:00:00Z', price: 0.2 };
    for (const method of ['PUT', 'POST']) {
      await ask(`${method} /rest/energy/prices`, `/rest/energy/prices?${query}`, [price]);
    }
    await ask('PUT /rest/energy/tariff', `/rest/energy/tariff?${query}`, { currency: 'EUR', kind: 'spot' });
    for (const path of ['', '/now', '/export', '/tariff']) {
      await ask(`GET /rest/energy${path}`, `/rest/energy${path}?${query}`);
    }
    expect(await ask('GET /rest/energy/prices', `/rest/energy/prices?${query}&from=2026-01-15`)).toHaveLength(1);
    await ask('DELETE /rest/energy/tariff', `/rest/energy/tariff?${query}`);
  });

  it('of shares', async () => {
    const [accessory] = (await rest.get('/rest/accessories')).body;
    const body = { entityType: 'accessory', entityId: accessory.id, accessType: 'public', role: 'view' };
    const share = await ask('POST /rest/shares', '/rest/shares', body);
    await ask('GET /rest/shares', '/rest/shares');
    await ask('PATCH /rest/shares/{id}', `/rest/shares/${share.id}`, { role: 'control' });
    await ask('DELETE /rest/shares/{id}', `/rest/shares/${share.id}`);
  });

  it('of share links, which need no token', async () => {
    const { client, home: inventory, shareEntity } = createShareHome();
    const link = await shareEntity('home', inventory.home.id, { requirePost: false });
    const values = ['brightness/40', 'hue/30', 'saturation/50', 'temp/200', 'position/100', 'color/30/50'];
    const owner = rest;
    rest = client;
    try {
      await ask('GET /s/{hash}', link);
      await ask('GET /s/{hash}/qr.svg', `${link}/qr.svg`);
      for (const method of ['GET', 'POST']) {
        for (const verb of ['on', 'off', 'toggle', 'lock', 'unlock', ...values]) {
          const template = verb.replace('30/50', '{hue}/{saturation}').replace(/\/\d+/, '/{value}');
          await ask(`${method} /s/{hash}/${template}`, `${link}/${verb}`);
        }
      }
      const stream = ask('GET /s/{hash}/events', `${link}/events`);
      await inventory.clock.advance(1_000);
      for (const { id } of inventory.shares.mine(systemCaller)) inventory.shares.delete(systemCaller, id);
      await inventory.clock.advance(1_000);
      await stream;
    } finally {
      rest = owner;
      inventory.close();
    }
  });

  it('of devices and pairings', async () => {
    await ask('GET /rest/discovered', '/rest/discovered');
    await ask('POST /rest/discovered/refresh', '/rest/discovered/refresh');
    await ask('POST /rest/discovered/manual', '/rest/discovered/manual', { hostPort: 'lamp:80' });
    await ask('DELETE /rest/discovered/manual', '/rest/discovered/manual', { hostPort: 'lamp:80' });
    await ask('POST /rest/discovered/{deviceId}/identify', `/rest/discovered/${UNPAIRED}/identify`);
    await ask('POST /rest/pairings', '/rest/pairings', { device: UNPAIRED, setupCode: CODE });
    await ask('GET /rest/pairings', '/rest/pairings');
    await ask('POST /rest/pairings/{deviceId}/reconnect', `/rest/pairings/${UNPAIRED}/reconnect`);
    await ask('GET /rest/pairings/{deviceId}/diagnostics', `/rest/pairings/${UNPAIRED}/diagnostics`);
    const controllers = `/rest/pairings/${UNPAIRED}/controllers`;
    const template = '/rest/pairings/{deviceId}/controllers';
    const guest = { id: 'guest', publicKey: 'ab'.repeat(32), admin: false };
    await ask(`POST ${template}`, controllers, guest, VIA_SOCKET);
    await ask(`GET ${template}`, controllers);
    await ask(`DELETE ${template}/{controllerId}`, `${controllers}/guest`);
    await ask('DELETE /rest/pairings/{deviceId}', `/rest/pairings/${UNPAIRED}?force=true`);
    const steps = { Accept: 'application/x-ndjson' };
    await ask('POST /rest/pairings', '/rest/pairings', { device: UNPAIRED, setupCode: CODE }, steps);
  });

  it('of adaptive lighting', async () => {
    home.driver.attach(home.home.id, {
      ...{ deviceId: '30:00:00:00:00:01', name: 'White Lamp', setupCode: '031-45-154' },
      accessories: [whiteLamp()],
    });
    const room = home.state.rooms(home.home.id)[0]?.id ?? '';
    const setting = { setting: 'on' };
    await ask('PATCH /rest/rooms/{id}/adaptive-lighting', `/rest/rooms/${room}/adaptive-lighting`, setting);
    const lamp = home.named('White Lamp').id;
    await ask('PATCH /rest/accessories/{id}/adaptive-lighting', `/rest/accessories/${lamp}/adaptive-lighting`, setting);
    const path = `/rest/homes/${home.home.id}/adaptive-lighting`;
    await ask('PATCH /rest/homes/{id}/adaptive-lighting', path, { pauseHours: 3 });
    const { lamps } = await ask('GET /rest/homes/{id}/adaptive-lighting', path);
    expect(lamps).toMatchObject([{ accessoryId: lamp, setting: 'on', status: 'following' }]);
  });

  it('of brokers', async () => {
    const path = `/rest/homes/${home.home.id}/mqtt`;
    const body = { name: 'Mosquitto', host: 'broker.local', username: 'ada', password: 'secret' };
    const { id } = await ask('POST /rest/homes/{id}/mqtt/brokers', `${path}/brokers`, body);
    await ask('POST /rest/homes/{id}/mqtt/discover', `${path}/discover`);
    await ask('GET /rest/homes/{id}/mqtt', path);
    const template = '/rest/homes/{id}/mqtt/brokers/{brokerId}';
    await ask(`GET ${template}`, `${path}/brokers/${id}`);
    await ask(`POST ${template}/test`, `${path}/brokers/${id}/test`);
    await ask(`PATCH ${template}`, `${path}/brokers/${id}`, { enabled: false });
    await ask('PATCH /rest/homes/{id}/mqtt', path, { enabled: false });
    await ask(`DELETE ${template}`, `${path}/brokers/${id}`);
  });

  it('of publications', async () => {
    const [path, template] = ['/rest/publications', '/rest/publications/{id}'];
    const body = { name: 'Hearth', kind: 'homekit', homeId: home.home.id };
    const { id } = await ask(`POST ${path}`, path, body, VIA_SOCKET);
    const about = (operation: string, rest = '', sent?: object) =>
      ask(`${operation} ${template}${rest}`, `${path}/${id}${rest}`, sent, VIA_SOCKET);
    home.database.exec(
      `INSERT INTO homekit_controllers SELECT id, 'phone', zeroblob(32), 1, 1, NULL FROM homekit_bridges`,
    );
    await ask(`GET ${path}`, path, undefined, VIA_SOCKET);
    await ask(`POST ${path}/preview`, `${path}/preview`, { kind: 'homekit' }, VIA_SOCKET);
    await about('GET');
    await about('PATCH', '', { name: 'Home' });
    await about('GET', '/preview');
    await about('POST', '/pause');
    await about('POST', '/resume');
    await about('GET', '/controllers');
    await ask(`DELETE ${template}/controllers/{identifier}`, `${path}/${id}/controllers/phone`, undefined, VIA_SOCKET);
    await about('POST', '/reset');
    await about('DELETE');
    await home.publications.servers.start();
    const matter = await ask(`POST ${path}`, path, { ...body, kind: 'matter' }, VIA_SOCKET);
    const window = `${path}/${matter.id}/window`;
    await ask(`POST ${template}/window`, window, { durationSeconds: 300 }, VIA_SOCKET);
    await ask(`DELETE ${template}/window`, window, undefined, VIA_SOCKET);
  });

  it('of webhooks', async () => {
    const [path, template] = ['/rest/webhooks', '/rest/webhooks/{id}'];
    const body = { name: 'Log', url: 'http://192.168.1.20/hook', homeIds: [home.home.id], maxRetries: 0 };
    const { id } = (await ask(`POST ${path}`, path, body)).webhook;
    home.deliverer.start();
    home.bus.emit('scene.executed', { homeId: home.home.id, sceneId: 's', name: 'Night', success: true, at: 0 });
    const failed = `${path}/${id}/deliveries?status=failed`;
    while ((await rest.get(failed)).body.total === 0) await home.clock.advance(30);
    await home.deliverer.stop();
    const [{ id: deliveryId }] = (await ask(`GET ${template}/deliveries`, failed)).deliveries;
    await ask(`POST ${template}/deliveries/{deliveryId}/resend`, `${path}/${id}/deliveries/${deliveryId}/resend`);
    await ask(`POST ${template}/test`, `${path}/${id}/test`);
    await ask(`POST ${template}/pause`, `${path}/${id}/pause`);
    await ask(`POST ${template}/resume`, `${path}/${id}/resume`);
    await ask(`POST ${template}/rotate-secret`, `${path}/${id}/rotate-secret`);
    await ask(`PATCH ${template}`, `${path}/${id}`, { rateLimitPerMinute: null, eventTypes: null });
    await ask(`GET ${template}`, `${path}/${id}`);
    await ask(`GET ${path}`, path);
    await ask(`GET ${path}/event-types`, `${path}/event-types`);
    await ask(`DELETE ${template}`, `${path}/${id}`);
  });

  it('of access tokens', async () => {
    const homePermissions = { [home.home.id]: 'view' };
    const { accessToken } = await ask('POST /rest/tokens', '/rest/tokens', {
      name: 'Panel',
      homePermissions,
      expiresAt: '2099-01-31T12:00:00Z',
    });
    await ask('DELETE /rest/tokens/{id}', `/rest/tokens/${accessToken.id}`);
    await ask('GET /rest/tokens', '/rest/tokens');
  });

  it('of what is left over of them', async () => {
    const [group] = (await rest.get('/rest/service-groups')).body;
    await ask('DELETE /rest/service-groups/{id}', `/rest/service-groups/${group.id}`);
  });

  it('and no operation was left out but those that are always refused', () => {
    const refused = listOperations().filter(
      ({ operation }) => (operation.responses['200'] ?? operation.responses['202']) === undefined,
    );
    expect(refused.map(({ path }) => path).every((path) => path.startsWith('/rest/background'))).toBe(true);
    const expected = listOperations().filter(
      ({ operation }) => (operation.responses['200'] ?? operation.responses['202']) !== undefined,
    );
    const here = expected.map(({ name }) => name).filter((name) => !ASKED_ELSEWHERE.test(name));
    expect([...asked].sort()).toEqual(here.sort());
  });
});

/**
 * What works on files of a data directory, or on devices that another program paired: asked of whole relays
 * (`e2e/backups`, `e2e/pairing-import`).
 */
const ASKED_ELSEWHERE = / \/rest\/(?:backups\b|pairings\/import$)/;

describe('every error is as described', () => {
  it.each([
    { status: 400, name: 'POST /rest/rooms', path: '/rest/rooms', body: '{' },
    { status: 404, name: 'GET /rest/accessories/{id}', path: `/rest/accessories/${NO_SUCH_ID}` },
    { status: 404, name: 'GET /rest/background/presets', path: '/rest/background/presets' },
    { status: 413, name: 'POST /rest/rooms', path: '/rest/rooms', body: `"${'x'.repeat(1_100_000)}"` },
    { status: 422, name: 'POST /rest/rooms', path: '/rest/rooms', body: { homeId: 7, name: 'Attic' } },
  ])('$status of $name', async ({ status, name, path, body }) => {
    const [method = '', template = ''] = name.split(' ');
    const answer = await rest.request(method, path, body);
    expect([answer.status, answer.body.code]).toEqual([status, expect.any(String)]);
    expectError(operationOf(method.toLowerCase(), template), answer);
  });

  it('401 and 403 of all that need a token, and of what needs more than its', async () => {
    const viewer = createRestClient(createTestApi(home), createToken(home, { [home.home.id]: 'view' }));
    const stranger = createRestClient(createTestApi(home), 'hc_wrong');
    for (const { name, operation } of listOperations()) {
      const [method = '', template = ''] = name.split(' ');
      if (operation.security !== undefined) continue;
      const refused = await stranger.request(method, template.replaceAll(/\{\w+\}/g, NO_SUCH_ID));
      expect([name, refused.status]).toEqual([name, 401]);
      expectError(operation, refused);
    }
    const forbidden = await viewer.post('/rest/rooms', { homeId: home.home.id, name: 'Attic' });
    expect(forbidden.status).toBe(403);
    expectError(operationOf('post', '/rest/rooms'), forbidden);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: see `openapi-document.ts`.
function expectError(operation: any, answer: RestAnswer): void {
  expect(Object.keys(operation.responses)).toContain(String(answer.status));
  expectToMatch(operation.operationId, answer.body, { $ref: '#/components/schemas/Error' });
}
