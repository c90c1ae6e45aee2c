/** What becomes of scenes, groups, zones and history when what they refer to leaves: a device, a room, a home. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually } from '../support/e2e-relay.ts';
import { ask, faultsOf, furnish, graphql, keptIn } from './home-fixture.ts';

let relay: E2eRelay;

beforeEach(async () => {
  relay = await E2eRelay.start();
});
afterEach(() => relay[Symbol.asyncDispose]());

async function make(path: string, body: object): Promise<string> {
  const answer = await relay.asSystem('POST', path, body);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body.id;
}

describe('a lamp that a scene and a group use', () => {
  let lamp: RawAccessory;
  let homeId: string;
  let elsewhere: string;
  let lampId: string;
  let scene: string;
  let group: string;
  /** Reaches into the first home only. */
  let token: string;

  beforeEach(async () => {
    lamp = await startRawAccessory({ name: 'Secret Lamp', database: [lampAccessory('Secret Lamp')] });
    homeId = (await relay.get('/rest/homes')).body[0].id;
    elsewhere = await make('/rest/homes', { name: 'Elsewhere' });
    const lever = await make('/rest/virtual-accessories', { homeId, name: 'Lever', type: 'input_boolean' });
    await pairInto(homeId);
    lampId = (await relay.accessory('Secret Lamp')).id;
    const actions = [
      { accessoryId: lampId, characteristicType: 'brightness', targetValue: 33 },
      { accessoryId: lever, characteristicType: 'on', targetValue: true },
    ];
    scene = await make('/rest/scenes', { homeId, name: 'Evening', actions });
    group = await make('/rest/service-groups', { homeId, name: 'Lamps', accessoryIds: [lampId] });
    const limited = { name: 'limited', homePermissions: { [homeId]: 'control' } };
    token = (await relay.asSystem('POST', '/rest/tokens', limited)).body.token;
  });
  afterEach(() => lamp.stop());

  async function pairInto(home: string): Promise<void> {
    await eventually(async () => (await relay.discovered(lamp.deviceId)).pairable, 'the lamp to be pairable');
    const body = { device: lamp.deviceId, setupCode: lamp.setupCode, homeId: home };
    expect((await relay.asSystem('POST', '/rest/pairings', body)).status).toBe(200);
    await relay.untilStatus(lamp.deviceId, 'connected');
  }

  async function unpair(): Promise<void> {
    expect((await relay.asSystem('DELETE', `/rest/pairings/${lamp.deviceId}`)).status).toBe(200);
  }

  const executeScene = () => ask(relay, 'POST', `/rest/scenes/${scene}/execute`, undefined, { token });
  const setGroup = () => {
    const body = { characteristicType: 'on', value: true };
    return ask(relay, 'POST', `/rest/service-groups/${group}/set`, body, { token });
  };

  it('is missed while it is unpaired, and used again as it was once it has returned', async () => {
    const before = (await ask(relay, 'GET', `/rest/scenes/${scene}`)).body;
    await unpair();
    expect((await executeScene()).body).toMatchObject({
      success: false,
      failed: 1,
      errors: [expect.stringMatching(/not found/i)],
    });
    expect((await relay.accessory('Lever')).services[0].characteristics[0].value, 'the rest of the scene').toBe(true);
    expect((await setGroup()).body).toMatchObject({ success: false, affectedCount: 0, failed: 1 });
    expect((await ask(relay, 'GET', '/rest/state')).status).toBe(200);
    const shown = await graphql(
      relay,
      '{ homes { scenes { actionList { accessoryName targetValue } } serviceGroups { accessoryIds accessory { id } } } }',
    );
    expect(shown.body.errors).toBeUndefined();

    await relay.stop();
    await relay.start();
    expect((await executeScene()).body).toMatchObject({ success: false, failed: 1 });

    await pairInto(homeId);
    expect((await relay.accessory('Secret Lamp')).id).toBe(lampId);
    expect((await executeScene()).body).toMatchObject({ success: true, failed: 0 });
    expect((await setGroup()).body).toMatchObject({ success: true, affectedCount: 1 });
    expect([lamp.get(1, 10), Boolean(lamp.get(1, 9))]).toEqual([33, true]);
    const { lastRun, ...after } = (await ask(relay, 'GET', `/rest/scenes/${scene}`)).body;
    expect(after).toEqual({ ...before, lastRun: undefined });
    expect(lastRun).toMatchObject({ success: true });
  });

  it('is out of their reach once it is in another home, and nothing shows it there', async () => {
    await unpair();
    await pairInto(elsewhere);
    expect((await relay.accessory('Secret Lamp')).homeId).toBe(elsewhere);
    const writes = lamp.writes.length;
    const texts = [
      await executeScene(),
      await setGroup(),
      await ask(relay, 'GET', '/rest/scenes', undefined, { token }),
      await ask(relay, 'GET', '/rest/service-groups', undefined, { token }),
      await ask(relay, 'GET', '/rest/state', undefined, { token }),
      await ask(relay, 'GET', `/rest/history/series?home=${homeId}`, undefined, { token }),
      await graphql(
        relay,
        '{ homes { scenes { actions actionList { accessoryName propertyName } } serviceGroups { accessoryIds accessory { name } } } }',
        {},
        { token },
      ),
      await graphql(
        relay,
        `mutation { executeScene(sceneId: "${scene}") { success error errors outcomes { accessoryId error } } }`,
        {},
        { token },
      ),
      await graphql(
        relay,
        `mutation { setServiceGroup(homeId: "${homeId}", groupId: "${group}", characteristicType: "on", value: true) { error errors outcomes { error code } } }`,
        {},
        { token },
      ),
    ].map(({ text }) => text);
    for (const text of texts) expect(text).not.toContain('Secret');
    expect(texts[0]).toContain('"failed":1');

    // A member of both homes does not reach across by a scene either.
    const all = await ask(relay, 'POST', `/rest/scenes/${scene}/execute`);
    expect(all.body).toMatchObject({ success: false, failed: 1 });
    expect(lamp.writes.length, 'writes to the lamp').toBe(writes);
  });
});

describe('a room that is deleted', () => {
  it('leaves its accessories in the default room, its zones and room groups without it, and all of it over a restart', async () => {
    const inventory = await furnish(relay);
    const { homeId, roomId, lever, zone, roomGroup } = inventory;
    await relay.asSystem('PATCH', `/rest/accessories/${lever}`, { roomId });
    await relay.asSystem('PATCH', `/rest/history/homes/${homeId}`, { enabled: true });
    expect((await relay.asSystem('DELETE', `/rest/rooms/${roomId}`)).status).toBe(200);
    const look = async () => ({
      room: (await relay.accessory('Lever')).roomName,
      zone: (await relay.asSystem('GET', '/rest/zones')).body.find(({ id }: { id: string }) => id === zone)?.roomIds,
      group: (await relay.asSystem('GET', '/rest/room-groups')).body.find(({ id }: { id: string }) => id === roomGroup)
        ?.roomIds,
      tree: JSON.stringify((await relay.get('/rest/state')).body).includes('Hall'),
    });
    const after = { room: 'Default Room', zone: [], group: [], tree: false };
    expect(await look()).toEqual(after);
    expect((await relay.post('/rest/scene', { home: homeId, name: 'Evening' })).body.success).toBe(true);
    await relay.stop();
    await relay.start();
    expect(await look()).toEqual(after);
    expect(faultsOf(relay.directory.file('relay.db'))).toEqual([]);
  });
});

describe('a home that is deleted', () => {
  it('takes everything in it along, and nothing of another', async () => {
    const inventory = await furnish(relay);
    const { homeId, otherHomeId, foreign, foreignScene, foreignGroup, foreignZone, foreignRoom, collection } =
      inventory;
    await relay.asSystem('PATCH', `/rest/history/homes/${otherHomeId}`, { enabled: true });
    for (const on of [true, false, true]) {
      const operation = { operation: on ? 'turn_on' : 'turn_off' };
      await relay.asSystem('POST', `/rest/virtual-accessories/${foreign}/operate`, operation);
    }
    await relay.asSystem('PATCH', `/rest/collections/${collection}`, {
      payload: {
        groups: [],
        items: [
          { home_id: homeId, accessory_id: inventory.lever },
          { home_id: otherHomeId, service_group_id: foreignGroup },
        ],
      },
    });
    const recorded = await ask(relay, 'GET', `/rest/history/export?home=${otherHomeId}`);
    expect(recorded.text.split('\r\n').length).toBeGreaterThan(2);
    const deleted = [
      await relay.asSystem('DELETE', `/rest/homes/${otherHomeId}`),
      await relay.asSystem('DELETE', `/rest/scenes/${foreignScene}`),
      await relay.asSystem('DELETE', `/rest/service-groups/${foreignGroup}`),
      await relay.asSystem('DELETE', `/rest/virtual-accessories/${foreign}`),
    ];
    expect(deleted.map(({ status }) => status)).toEqual([422, 200, 200, 200]);
    // Something of each kind that needs no accessory is still there.
    expect((await relay.asSystem('DELETE', `/rest/homes/${otherHomeId}`)).status).toBe(200);

    for (const list of [
      'homes',
      'scenes',
      'service-groups',
      'zones',
      'room-groups',
      'accessories',
      'collections',
      'state',
    ]) {
      const { body } = await relay.asSystem('GET', `/rest/${list}`);
      for (const id of [otherHomeId, foreign, foreignScene, foreignGroup, foreignZone, foreignRoom]) {
        expect(JSON.stringify(body), list).not.toContain(id);
      }
    }
    const path = relay.directory.file('relay.db');
    expect(faultsOf(path)).toEqual([]);
    const kept = keptIn(path);
    for (const table of [
      'scenes',
      'zones',
      'service_groups',
      'room_groups',
      'virtual_accessories',
      'history_homes',
      'rooms',
    ]) {
      expect(JSON.stringify(kept[table]), table).not.toContain(otherHomeId);
    }
    expect((await relay.post('/rest/scene', { home: homeId, name: 'Evening' })).body.success).toBe(true);

    // A home of the same name begins with nothing.
    const again = await make('/rest/homes', { name: 'Elsewhere' });
    expect((await relay.get(`/rest/history/homes/${again}`)).body).toMatchObject({
      enabled: false,
      stats: { seriesCount: 0 },
    });
    await relay.stop();
    await relay.start();
    expect((await relay.get('/rest/homes')).body).toHaveLength(2);
  });
});
