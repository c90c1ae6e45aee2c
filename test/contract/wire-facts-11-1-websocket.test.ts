/**
 * wire-facts §11.1, sentence by sentence; §8 for what concerns shares. What needs sockets is in `e2e/python-client` and
 * `api/live/websocket`.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACTIONS } from '../../src/api/live/websocket/actions/index.ts';
import { WEB_SOCKET_CODES } from '../../src/api/live/websocket/error-codes.ts';
import type { HttpServer } from '../../src/api/server.ts';
import { slugKey } from '../../src/home/slug.ts';
import { ERROR_CODES } from '../../src/kernel/errors.ts';
import { createTestApi, createToken } from '../support/rest-client.ts';
import { serveApi } from '../support/served-api.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../support/test-home.ts';
import { CountingHasher, createUser } from '../support/test-users.ts';
import { SessionFixture, TestWebSocket } from '../support/web-socket-client.ts';

let home: TestHome;
let fixture: SessionFixture;
const SYSTEM = { kind: 'system' } as const;

beforeEach(() => {
  home = createTestHome({ sample: true, passwordHasher: new CountingHasher() });
  fixture = new SessionFixture(home);
});
afterEach(() => home.close());

const lampId = () => home.named('Lamp').id;
const switchLamp = (on: boolean) =>
  home.control.setCharacteristic(systemCaller, { accessoryId: lampId(), characteristicType: 'on', value: on });

describe('addresses for sockets', () => {
  let own: TestHome;
  let server: HttpServer;
  const open: TestWebSocket[] = [];
  beforeAll(async () => {
    own = createTestHome({ sample: true });
    server = await serveApi(createTestApi(own), { wsPort: 0 });
  });
  afterAll(async () => {
    for (const client of open) client.close();
    await server.stop();
    own.close();
  });
  const connect = async (port: number, path: string, headers = {}) => {
    const client = await TestWebSocket.open(`ws://127.0.0.1:${port}${path}`, { headers });
    open.push(client);
    return client;
  };

  it('are any path on the port for WebSockets, and /ws on the HTTP port', async () => {
    const entries = [
      ...['', '/ws', '/any/path'].map((path) => [server.wsPort, path] as const),
      ...['/ws', '/ws?client_type=web'].map((path) => [server.port, path] as const),
    ];
    for (const [port, path] of entries) {
      const client = await connect(port, path);
      expect(await client.ask('ping')).toMatchObject({ pong: true });
    }
    await expect(connect(server.port, '/elsewhere')).rejects.toThrow('HTTP 401');
  });

  it('take a token in the query, as cloud clients send it, or in the header Authorization', async () => {
    const token = createToken(own);
    const byQuery = await connect(server.port, `/ws?token=${token}&device_id=1&client_type=web&device_name=x`);
    expect((await byQuery.ask('homes.list')).homes).toHaveLength(1);
    const byHeader = await connect(server.wsPort, '', { Authorization: `Bearer ${token}` });
    expect((await byHeader.ask('homes.list')).homes).toHaveLength(1);
    await expect(connect(server.wsPort, '/?token=hc_wrong')).rejects.toThrow('HTTP 401');
  });

  it('answer plain HTTP with 426', async () => {
    for (const url of [`http://127.0.0.1:${server.port}/ws`, `http://127.0.0.1:${server.wsPort}/`]) {
      const answer = await fetch(url);
      expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket']);
      expect(await answer.json()).toMatchObject({ code: 'invalid_request' });
    }
  });
});

describe('requests', () => {
  it('{id, type, action, payload} are answered with the same id and action, or with an error', async () => {
    const client = fixture.open(SYSTEM);
    const answered = { type: 'response', action: 'homes.list' };
    expect(await client.request('homes.list')).toEqual({ id: 1, ...answered, payload: { homes: [expect.anything()] } });
    expect(await client.request('rooms.list', { homeId: 'none' })).toEqual({
      id: 2,
      type: 'response',
      action: 'rooms.list',
      error: { code: 'HOME_NOT_FOUND', message: expect.any(String) },
    });
  });

  it('an authenticate with an hc_ token or a session names the user', async () => {
    const { token } = await createUser(home, { name: 'Ann', role: 'view' });
    for (const [good, name] of [
      [createToken(home), 'hearth'],
      [token, 'Ann'],
    ] as const) {
      const client = fixture.open();
      expect(await client.ask('authenticate', { token: good })).toEqual({ success: true, name });
      expect((await client.ask('homes.list')).homes).toHaveLength(1);
    }
    expect(await fixture.open().ask('authenticate', { token: 'hc_wrong' })).toEqual({
      code: 'AUTH_FAILED',
      message: 'Invalid token',
    });
  });

  it('others give AUTH_REQUIRED before that, except subscribe, unsubscribe, subscriptions.list and ping', async () => {
    const client = fixture.open();
    for (const action of [...ACTIONS.keys()].filter((name) => name !== 'ping')) {
      expect([action, (await client.ask(action)).code]).toEqual([action, 'AUTH_REQUIRED']);
    }
    const scopes = [{ type: 'home', id: home.home.id }];
    expect((await client.ask('subscribe', { scopes })).subscriptions).toHaveLength(1);
    expect((await client.ask('subscriptions.list')).subscriptions).toHaveLength(1);
    expect(await client.ask('unsubscribe', { scopes })).toMatchObject({ subscriptions: [] });
    expect(await client.ask('ping')).toEqual({ pong: true, timestamp: home.clock.now() });
  });

  it('every error code of the relay is one of theirs', () => {
    expect(Object.keys(WEB_SOCKET_CODES).sort()).toEqual([...ERROR_CODES].sort());
  });
});

describe('subscriptions', () => {
  it('by UUID or slug, with a ttl in seconds, are returned with the time at which they end', async () => {
    const client = fixture.open(SYSTEM);
    const { id, name } = home.home;
    for (const spelled of [id, id.toUpperCase(), slugKey(name, id)]) {
      const scopes = [{ type: 'home', id: spelled }];
      expect(await client.ask('subscribe', { scopes, ttl: 60 })).toEqual({
        subscriptions: [{ type: 'home', id: spelled, expiresAt: home.clock.now() + 60_000 }],
      });
    }
    expect((await client.ask('subscriptions.list')).subscriptions).toHaveLength(1);
  });

  it('end after the ttl, 300 s where none is given, unless they are renewed', async () => {
    const client = fixture.open(SYSTEM);
    await client.subscribe(home.home.id);
    await fixture.pass(240_000);
    await client.subscribe(home.home.id);
    await fixture.pass(240_000);
    await switchLamp(true);
    expect(await client.received('characteristic_update')).toHaveLength(1);
    await fixture.pass(61_000);
    await switchLamp(false);
    expect(await client.received('characteristic_update')).toHaveLength(1);
    expect(client.outlet.ofType('subscription_invalidated')).toEqual([
      { type: 'subscription_invalidated', scope: { type: 'home', id: home.home.id }, reason: 'expired' },
    ]);
  });

  it('are invalidated when the home goes or may not be seen any more', async () => {
    const { user, token } = await createUser(home, { role: 'view' });
    const other = home.homes.create(systemCaller, { name: 'Other' });
    const [ann, system] = [fixture.open(), fixture.open(SYSTEM)];
    await ann.ask('authenticate', { token });
    await ann.subscribe(home.home.id);
    await system.subscribe(other.id);
    home.members.remove(systemCaller, { homeId: home.home.id, memberId: user.id });
    home.homes.delete(systemCaller, other.id);
    await fixture.pass(1_000);
    for (const [client, id] of [
      [ann, home.home.id],
      [system, other.id],
    ] as const) {
      expect(client.outlet.ofType('subscription_invalidated')).toMatchObject([
        { scope: { type: 'home', id }, reason: 'not_found' },
      ]);
    }
    await switchLamp(true);
    expect(await ann.received('characteristic_update')).toEqual([]);
  });
});

describe('messages', () => {
  it('a ping in text is answered with a pong, and a pong with nothing', async () => {
    const client = fixture.open();
    client.send({ type: 'ping' });
    client.send({ type: 'pong' });
    await fixture.pass(0);
    expect(client.outlet.messages.slice(1)).toEqual([{ type: 'pong' }]);
  });

  it('a broadcast of the configuration comes on connect', () => {
    home.webhooks.create(systemCaller, { name: 'Logger', url: 'http://192.168.1.20/', eventTypes: ['*'] });
    expect(fixture.open(SYSTEM).outlet.messages).toEqual([
      {
        ...{ type: 'broadcast', action: 'config' },
        payload: { webClientCount: 0, webhookCount: 1, subscriptionCount: 0, accessoryLimit: null },
      },
    ]);
  });

  it('updates are flat: characteristic_update, reachability_update, relay_status_update, settings_updated', async () => {
    const { token, caller } = await createUser(home, { role: 'admin' });
    const client = fixture.open();
    await client.ask('authenticate', { token });
    await client.subscribe(home.home.id);
    const homeId = home.home.id;
    await switchLamp(true);
    home.state.setReachable(lampId(), false);
    home.state.setConnected(homeId, false);
    home.bus.emit('settings.changed', { userId: caller.principal.kind === 'user' ? caller.principal.userId : '' });
    const types = ['characteristic_update', 'reachability_update', 'relay_status_update', 'settings_updated'];
    expect(await client.received(...types)).toEqual([
      {
        ...{ type: 'characteristic_update', accessoryId: lampId(), homeId },
        ...{ characteristicType: 'power_state', value: true },
      },
      { type: 'reachability_update', accessoryId: lampId(), isReachable: false },
      { type: 'relay_status_update', homeId, connected: false },
      { type: 'settings_updated' },
    ]);
  });

  it('values are raw: a lock’s number, not its word', async () => {
    const client = fixture.open(SYSTEM);
    await client.subscribe(home.home.id);
    const { id } = home.named('Front Door');
    await client.ask('characteristic.set', { accessoryId: id, characteristicType: 'lock_target', value: false });
    const updates = (await client.received('characteristic_update')).filter(({ accessoryId }) => accessoryId === id);
    expect(updates).toContainEqual(expect.objectContaining({ characteristicType: 'lock_target_state', value: 0 }));
  });

  it('a service group’s update comes once, before those of its members', async () => {
    const names = ['Heater', 'Kettle'];
    const accessoryIds = names.map((name) => home.named(name).id);
    const homeId = home.home.id;
    const group = home.serviceGroups.create(systemCaller, { homeId, name: 'Both', accessoryIds });
    const client = fixture.open(SYSTEM);
    await client.subscribe(homeId);
    const set = { groupId: group.id, characteristicType: 'on', value: true };
    expect(await client.ask('serviceGroup.set', set)).toMatchObject({ success: true, affectedCount: 2 });
    const reported = await client.received('service_group_update', 'characteristic_update');
    expect(reported).toEqual([
      {
        ...{ type: 'service_group_update', groupId: group.id, homeId },
        ...{ characteristicType: 'power_state', value: true, affectedCount: 2 },
      },
      ...accessoryIds.map((accessoryId) => expect.objectContaining({ type: 'characteristic_update', accessoryId })),
    ]);
  });

  it('auth_required and the end come within a second when the token is revoked', async () => {
    const { token, info } = home.tokens.create(systemCaller, { name: 'x', homePermissions: null });
    const client = fixture.open();
    await client.ask('authenticate', { token });
    await client.subscribe(home.home.id);
    home.tokens.revoke(systemCaller, info.id);
    await fixture.pass(1_000);
    expect(client.outlet.messages.slice(-2)).toEqual([
      { type: 'relay_status_update', homeId: home.home.id, connected: false },
      { type: 'auth_required' },
    ]);
    expect(client.outlet.closed).toBe('policy');
  });

  it('broadcasts reach only who may see the home', async () => {
    const other = home.homes.create(systemCaller, { name: 'Other' });
    const clients = [null, { [home.home.id]: 'view' }, { [other.id]: 'control' }] as const;
    const reported = await Promise.all(
      clients.map(async (permissions) => {
        const client = fixture.open(tokenCaller(permissions).principal);
        home.tokens.isLive = () => true;
        const { subscriptions, rejected = [] } = await client.subscribe(home.home.id, other.id);
        return { client, subscriptions, rejected };
      }),
    );
    await switchLamp(true);
    await fixture.pass(50);
    expect(reported.map(({ client }) => client.outlet.ofType('characteristic_update').length)).toEqual([1, 1, 0]);
    expect(reported.map(({ subscriptions, rejected }) => [subscriptions.length, rejected.length])).toEqual([
      [2, 0],
      [1, 1],
      [1, 1],
    ]);
  });
});

describe('actions', () => {
  it('every one that is listed is there', () => {
    const listed =
      `homes.list rooms.list room.create room.delete zones.list serviceGroups.list serviceGroup.set accessories.list
      accessory.get accessory.refresh characteristic.get characteristic.set characteristics.set scenes.list scene.execute scene.create
      scene.update scene.delete automations.list automation.get automation.create automation.update automation.delete automation.enable
      automation.disable automation.test automation.sync state.set observe.start observe.stop observe.reset ping relay.probe
      debug.getActivity app.reload`.split(/\s+/);
    expect(listed.filter((name) => !ACTIONS.has(name))).toEqual([]);
  });

  it('characteristics.set writes in bulk and reports the results', async () => {
    const client = fixture.open(SYSTEM);
    const accessoryId = lampId();
    const writes = [
      { accessoryId, characteristicType: 'on', value: true },
      { accessoryId, characteristicType: 'brightness', value: 400 },
    ];
    expect(await client.ask('characteristics.set', { writes })).toEqual({
      ...{ success: false, ok: 1, total: 2 },
      changes: [{ accessoryId, characteristicType: 'on', value: true }],
      errors: [
        {
          ...{ index: 1, accessoryId, characteristicType: 'brightness' },
          code: 'INVALID_VALUE',
          message: expect.any(String),
        },
      ],
    });
    expect(await client.ask('characteristics.set', { writes: [] })).toEqual({
      ...{ success: true, ok: 0, total: 0, changes: [] },
    });
  });

  it('rooms, scenes and automations are made, changed and deleted as over REST', async () => {
    const client = fixture.open(SYSTEM);
    const homeId = home.home.id;
    const room = await client.ask('room.create', { homeId, name: 'Attic' });
    expect((await client.ask('rooms.list', { homeId })).rooms.map(({ name }: { name: string }) => name)).toContain(
      'Attic',
    );
    expect(await client.ask('room.delete', { homeId, roomId: room.id })).toEqual({ success: true, roomId: room.id });
    const actions = [{ accessoryId: lampId(), characteristicType: 'on', targetValue: true }];
    const scene = await client.ask('scene.create', { homeId, name: 'Evening', actions });
    expect(await client.ask('scene.update', { sceneId: scene.id, name: 'Night' })).toMatchObject({ name: 'Night' });
    expect(await client.ask('scene.execute', { sceneId: scene.id })).toMatchObject({ success: true, failed: 0 });
    expect((await client.ask('scenes.list', { homeId })).scenes).toHaveLength(1 + 2);
    expect(await client.ask('scene.delete', { sceneId: scene.id })).toMatchObject({ success: true });
    const trigger = { type: 'timer', hour: 3, recurrenceType: 'daily' };
    const { id: automationId } = await client.ask('automation.create', { homeId, name: 'Daily', trigger, actions });
    expect(await client.ask('automation.disable', { automationId })).toMatchObject({ isEnabled: false });
    expect(await client.ask('automation.enable', { automationId })).toMatchObject({ isEnabled: true });
    expect(await client.ask('automation.get', { automationId })).toMatchObject({ automation: { name: 'Daily' } });
    expect(await client.ask('automation.delete', { automationId })).toEqual({ success: true, automationId });
  });

  it('state.set takes the tree of REST, of all homes or of one', async () => {
    const client = fixture.open(SYSTEM);
    const { id, name } = home.home;
    const room = slugKey('Living Room', home.named('Lamp').roomId);
    const rooms = { [room]: { [slugKey('Lamp', lampId())]: { on: true } } };
    const done = { updated: 1, failed: 0 };
    expect(await client.ask('state.set', { state: { [slugKey(name, id)]: rooms } })).toMatchObject(done);
    expect(await client.ask('state.set', { homeId: id, state: rooms })).toMatchObject({ success: true, ...done });
  });

  it('the rest report the current state', async () => {
    const client = fixture.open(SYSTEM);
    const homeId = home.home.id;
    expect(await client.ask('relay.probe', { homeId })).toMatchObject({ ok: true, connected: true, accessoryCount: 7 });
    for (const name of ['observe.start', 'observe.stop', 'observe.reset']) {
      expect(await client.ask(name)).toEqual({ success: true, observing: true });
    }
    expect(await client.ask('accessory.refresh', { accessoryId: lampId() })).toMatchObject({
      accessory: { name: 'Lamp' },
    });
    const address = { accessoryId: lampId(), characteristicType: 'on' };
    expect(await client.ask('characteristic.get', address)).toEqual({
      ...{ accessoryId: lampId(), characteristicType: 'power_state', value: expect.any(Boolean) },
    });
    for (const name of ['app.reload', 'debug.getActivity', 'automation.sync', 'no.such']) {
      expect((await client.ask(name)).code).toBe('UNKNOWN_ACTION');
    }
  });
});

describe('shares (wire-facts §8)', () => {
  const share = async (more: object) => {
    const entity = { entityType: 'accessory', entityId: lampId(), role: 'view' };
    return home.shares.create(systemCaller, { ...entity, accessType: 'public', ...more });
  };

  it('a client with the link subscribes by its hash and receives what is in it, and nothing else', async () => {
    const { shareHash } = await share({});
    const client = fixture.open();
    client.send({ type: 'subscribe', shareHash });
    expect(await client.received('subscribed')).toEqual([{ type: 'subscribed', shareHash }]);
    await switchLamp(true);
    const { id } = home.named('Kettle');
    await home.control.setCharacteristic(systemCaller, { accessoryId: id, characteristicType: 'on', value: true });
    expect(await client.received('characteristic_update')).toMatchObject([{ accessoryId: lampId(), value: true }]);
  });

  it('a passcode is asked for where one is needed, and tries are counted', async () => {
    const { shareHash } = await share({ accessType: 'passcode', passcode: '482911' });
    const client = fixture.open();
    const attempt = (passcode?: string) =>
      client.send({ type: 'subscribe', shareHash, browserSessionId: 'x', passcode });
    attempt();
    attempt('482911');
    expect(await client.received('subscribe_error')).toEqual([
      { type: 'subscribe_error', shareHash, error: expect.stringMatching(/passcode/i) },
    ]);
    expect(await client.received('subscribed')).toHaveLength(1);
    for (let n = 0; n < 6; n += 1) attempt('000000');
    const errors = await client.received('subscribe_error');
    expect(errors.map(({ error }) => error)).toContainEqual(expect.stringMatching(/Too many tries/));
  });

  it('a share that ends ends its updates', async () => {
    const { shareHash, share: row } = await share({});
    const client = fixture.open();
    client.send({ type: 'subscribe', shareHash });
    await client.received('subscribed');
    home.shares.delete(systemCaller, row.id);
    await switchLamp(true);
    expect(await client.received('characteristic_update')).toEqual([]);
    expect(await client.received('subscription_invalidated')).toMatchObject([
      { scope: { type: 'share', id: shareHash }, reason: 'closed' },
    ]);
    client.send({ type: 'subscribe', shareHash });
    expect(await client.received('subscribe_error')).toHaveLength(1);
  });
});
