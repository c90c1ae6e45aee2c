import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { createRestClient, createToken } from '../../support/rest-client.ts';
import { plainSwitch } from '../../support/sample-accessories.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';
import { createGraphqlFixture, type GraphqlFixture } from './graphql-fixture.ts';

const NEW_DEVICE = {
  deviceId: '20:00:00:00:00:01',
  name: 'New Plug',
  setupCode: '111-22-333',
  accessories: [plainSwitch('New Plug')],
};
const PAIR = `mutation($h: String, $device: String!, $code: String!) {
  pairAccessory(homeId: $h, device: $device, setupCode: $code) { success error code reason pairing { deviceId homeId name status category pairedAt } }
}`;

let home: TestHome;
let fixture: GraphqlFixture;

beforeEach(() => {
  home = createTestHome({ sample: true });
  fixture = createGraphqlFixture(home, createSchema());
  home.driver.addDevice(NEW_DEVICE);
});
afterEach(() => home.close());

async function data(query: string, variables?: object) {
  const { body } = await fixture.ask(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

describe('pairing through GraphQL', () => {
  it('lists what is on the network, identifies it, pairs and unpairs it', async () => {
    const { discoveredAccessories } = await data(
      '{ discoveredAccessories { deviceId name model category pairable pairedHere homeId addresses port via lastSeenAt } }',
    );
    const found = discoveredAccessories.find(({ deviceId }: { deviceId: string }) => deviceId === NEW_DEVICE.deviceId);
    expect(found).toMatchObject({ name: 'New Plug', pairable: true, pairedHere: false, homeId: null });
    const identified = await data('mutation($d: String!) { identifyDiscovered(deviceId: $d) { success deviceId } }', {
      d: NEW_DEVICE.deviceId,
    });
    expect(identified.identifyDiscovered).toEqual({ success: true, deviceId: NEW_DEVICE.deviceId });
    const paired = await data(PAIR, { device: NEW_DEVICE.deviceId, code: NEW_DEVICE.setupCode });
    expect(paired.pairAccessory).toMatchObject({
      success: true,
      error: null,
      pairing: { deviceId: NEW_DEVICE.deviceId, homeId: home.home.id, status: 'connected' },
    });
    expect(home.named('New Plug').homeId).toBe(home.home.id);
    const { pairings } = await data('query($h: String) { pairings(homeId: $h) { deviceId } }', { h: home.home.id });
    expect(pairings).toContainEqual({ deviceId: NEW_DEVICE.deviceId });
    const again = await data('mutation($d: String!) { reconnectDevice(deviceId: $d) { success deviceId } }', {
      d: NEW_DEVICE.deviceId,
    });
    expect(again.reconnectDevice).toEqual({ success: true, deviceId: NEW_DEVICE.deviceId });
    const unpaired = await data('mutation($d: String!) { unpairAccessory(deviceId: $d) { success deviceId code } }', {
      d: NEW_DEVICE.deviceId,
    });
    expect(unpaired.unpairAccessory).toEqual({ success: true, deviceId: NEW_DEVICE.deviceId, code: null });
  });

  it('reports in the result what to do about a wrong code, an unknown device, a paused home', async () => {
    const wrong = await data(PAIR, { device: NEW_DEVICE.deviceId, code: '999-99-998' });
    expect(wrong.pairAccessory).toMatchObject({
      success: false,
      code: 'pairing_failed',
      reason: 'wrong_code',
      pairing: null,
    });
    expect(wrong.pairAccessory.error.length).toBeGreaterThan(10);
    const unknown = await data(
      'mutation { unpairAccessory(deviceId: "AA:BB:CC:DD:EE:FF", force: true) { success code } }',
    );
    expect(unknown.unpairAccessory).toEqual({ success: false, code: 'not_found' });
    await data('mutation($h: String!) { setHomePaused(homeId: $h, paused: true) { paused } }', { h: home.home.id });
    const paused = await data(PAIR, { device: NEW_DEVICE.deviceId, code: NEW_DEVICE.setupCode });
    expect(paused.pairAccessory).toMatchObject({ success: false, code: 'conflict', reason: 'home_paused' });
  });

  it('scans the network again, and keeps entries made by hand', async () => {
    const result = await data(`mutation {
      refreshDiscovery { success error }
      addManualDevice(hostPort: "192.0.2.7:5001") { success deviceId }
      removeManualDevice(hostPort: "192.0.2.7:5001") { success }
    }`);
    expect(result).toEqual({
      refreshDiscovery: { success: true, error: null },
      addManualDevice: { success: true, deviceId: '192.0.2.7:5001' },
      removeManualDevice: { success: true },
    });
  });

  it('lists, adds and removes controllers', async () => {
    const deviceId = '10:00:00:00:00:01';
    const list = 'query($d: String!) { controllers(deviceId: $d) { id publicKey admin self } }';
    const { controllers } = await data(list, { d: deviceId });
    expect(controllers).toContainEqual(expect.objectContaining({ self: true, admin: true }));
    const query =
      'mutation($d: String!, $key: String!) { addController(deviceId: $d, id: "tablet", publicKey: $key, admin: false) { success error } }';
    const variables = { d: deviceId, key: 'ab'.repeat(32) };
    // A controller outlives what adds it: tokens may not.
    expect((await fixture.ask(query, variables)).body.errors[0].extensions.code).toBe('FORBIDDEN');
    const socket = createRestClient(fixture.app, undefined, { viaSocket: true });
    const added = (await socket.post('/graphql', { query, variables })).body.data;
    expect(added.addController).toEqual({ success: true, error: null });
    expect((await data(list, { d: deviceId })).controllers).toContainEqual(
      expect.objectContaining({ id: 'tablet', admin: false, self: false }),
    );
    const removed = await data(
      'mutation($d: String!) { removeController(deviceId: $d, controllerId: "tablet") { success } }',
      {
        d: deviceId,
      },
    );
    expect(removed.removeController).toEqual({ success: true });
  });

  it('is for admins only, reported in errors', async () => {
    const headers = { Authorization: `Bearer ${createToken(home, { [home.home.id]: 'control' })}` };
    const { body } = await fixture.ask('{ discoveredAccessories { deviceId } pairings { deviceId } }', {}, headers);
    expect(body.data).toEqual({ discoveredAccessories: null, pairings: null });
    const acts = await fixture.ask(
      `mutation { refreshDiscovery { success } pairAccessory(device: "${NEW_DEVICE.deviceId}", setupCode: "111-22-333") { success } }`,
      {},
      headers,
    );
    expect(acts.body.data).toEqual({ refreshDiscovery: null, pairAccessory: null });
    for (const { extensions } of [...body.errors, ...acts.body.errors]) expect(extensions.code).toBe('FORBIDDEN');
  });
});
