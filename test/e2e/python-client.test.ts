/**
 * The session that the existing Python client for Home Assistant conducts (pyhomecast 0.3.0, in its mode for relays in
 * the home): over real sockets, step by step, in its words and in its order. What it does every half minute or four is
 * done here at once.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { E2eRelay, eventually } from '../support/e2e-relay.ts';
import { TestWebSocket } from '../support/web-socket-client.ts';

const SUBSCRIPTION_TTL_S = 300;

let relay: E2eRelay;
let httpPort: number;
let client: TestWebSocket;
let homeId: string;
let homeKey: string;
let accessoryId: string;

/** A port whose next one is free too: the client knows no other way to its WebSocket. */
async function freePair(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const first = await listen(0);
    const port = (first.address() as { port: number }).port;
    const second = await listen(port + 1).catch(() => undefined);
    first.close();
    second?.close();
    if (second) return port;
  }
  throw new Error('There are no two free ports beside each other');
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** As the client makes it of the address that its user gave: the port after the HTTP port, neither path nor query. */
const webSocketUrl = (apiUrl: string): string => {
  const { hostname, port } = new URL(apiUrl);
  return `ws://${hostname}:${Number(port || 5656) + 1}`;
};

/** The client sends both without waiting for an answer. */
function greet(scopes: readonly string[]): void {
  client.send({ id: randomUUID(), type: 'request', action: 'authenticate', payload: { token: relay.token } });
  subscribe(scopes);
}

function subscribe(homeKeys: readonly string[]): string {
  const id = randomUUID();
  const scopes = homeKeys.map((key) => ({ type: 'home', id: key }));
  client.send({ type: 'request', id, action: 'subscribe', payload: { scopes, ttl: SUBSCRIPTION_TTL_S } });
  return id;
}

const switchTo = (value: boolean) =>
  relay.request('POST', '/rest/state', { homeId, state: { [roomKey()]: { [accessoryKey()]: { on: value } } } });

const roomKey = () => state.room;
const accessoryKey = () => state.key;
const state = { room: '', key: '' };

beforeAll(async () => {
  httpPort = await freePair();
  relay = await E2eRelay.start({ config: { port: httpPort, wsPort: httpPort + 1 } });
  const { body: homes } = await relay.get('/rest/homes');
  homeId = homes[0].id;
  homeKey = homes[0].key;
  const made = await relay.asSystem('POST', '/rest/virtual-accessories', { homeId, name: 'Kettle', type: 'switch' });
  accessoryId = made.body.id;
  const { path } = await relay.state('Kettle');
  [, state.room, state.key] = path;
});

afterAll(async () => {
  client?.close();
  await relay?.[Symbol.asyncDispose]();
});

describe('the Python client', () => {
  it('connects to the port after the HTTP port without a path, and finds the relay there', async () => {
    client = await TestWebSocket.open(webSocketUrl(relay.url));
    expect(await client.next('broadcast')).toMatchObject({ action: 'config' });
  });

  it('authenticates and subscribes by UUID without waiting, and both are answered in order', async () => {
    greet([homeId]);
    expect(await client.next('response')).toMatchObject({ action: 'authenticate', payload: { success: true } });
    const { payload } = await client.next('response');
    expect(payload).toEqual({ subscriptions: [{ type: 'home', id: homeId, expiresAt: expect.any(Number) }] });
    expect(payload.subscriptions[0].expiresAt - Date.now()).toBeGreaterThan((SUBSCRIPTION_TTL_S - 60) * 1_000);
  });

  it('gets a pong for its ping', async () => {
    client.send({ type: 'ping' });
    expect(await client.next('pong')).toEqual({ type: 'pong' });
  });

  it('receives a change in flat fields, with the raw value', async () => {
    expect((await switchTo(true)).body).toMatchObject({ updated: 1 });
    const update = { type: 'characteristic_update', accessoryId, homeId, characteristicType: 'power_state' };
    expect(await client.next('characteristic_update')).toEqual({ ...update, value: true });
  });

  it('renews its subscriptions, by slug once it knows the slugs, and receives each change once', async () => {
    subscribe([homeKey]);
    expect((await client.next('response')).payload.subscriptions).toMatchObject([{ type: 'home', id: homeKey }]);
    await switchTo(false);
    await client.next('characteristic_update');
    client.send({ type: 'ping' });
    await client.next('pong');
    expect(client.messages.filter(({ type }) => type === 'characteristic_update')).toHaveLength(2);
  });

  it('learns that a home is not served any more, and that it is again', async () => {
    await relay.asSystem('PATCH', `/rest/homes/${homeId}`, { paused: true });
    expect(await client.next('relay_status_update')).toEqual({ type: 'relay_status_update', homeId, connected: false });
    await relay.asSystem('PATCH', `/rest/homes/${homeId}`, { paused: false });
    expect(await client.next('relay_status_update')).toEqual({ type: 'relay_status_update', homeId, connected: true });
  });

  it('is asked to reconnect before the relay stops, comes back to the next one and goes on', async () => {
    const stopped = relay.stop();
    expect(await client.next('reconnect')).toEqual({ type: 'reconnect' });
    expect(await client.untilClosed()).toMatchObject({ code: 1012 });
    await stopped;
    await relay.start();
    client = await eventually(
      () => TestWebSocket.open(webSocketUrl(relay.url)).catch(() => undefined),
      'the relay to be back',
    );
    greet([homeKey]);
    await client.next('response');
    await client.next('response');
    await switchTo(true);
    expect(await client.next('characteristic_update')).toMatchObject({ accessoryId, value: true });
  });

  it('is refused a WebSocket with 401 where it names a wrong token in the query, as it does to the cloud', async () => {
    const query = 'token=wrong&device_id=ha_1&client_type=homeassistant&device_name=Home+Assistant';
    await expect(TestWebSocket.open(`ws://127.0.0.1:${httpPort}/ws?${query}`)).rejects.toThrow('HTTP 401');
  });
});
