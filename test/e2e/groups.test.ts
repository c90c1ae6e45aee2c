/** Service groups with real accessories behind them, over real sockets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { bridgeDatabase, lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

describe('a group of lamps, three behind one bridge and one by itself', () => {
  const directory = createTempDirectory('groups');
  let relay: E2eRelay;
  let bridge: RawAccessory;
  let lamp: RawAccessory;
  let groupId: string;

  beforeAll(async () => {
    bridge = await startRawAccessory({ database: bridgeDatabase(5), name: 'Bridge', paired: [KNOWN_CONTROLLER] });
    lamp = await startRawAccessory({ database: [lampAccessory('Desk')], name: 'Desk', paired: [KNOWN_CONTROLLER] });
    sharePairings(directory, [bridge, lamp]);
    relay = await E2eRelay.start({ directory });
    for (const { deviceId } of [bridge, lamp]) await relay.untilStatus(deviceId, 'connected');
    const { body: homes } = await relay.get('/rest/homes');
    const { body: accessories } = await relay.get('/rest/accessories');
    const own = accessories.find(({ deviceId }: { deviceId: string }) => deviceId === lamp.deviceId);
    const names = ['Lamp 1', 'Lamp 2', 'Lamp 3'];
    const children = await Promise.all(names.map(async (name) => (await relay.accessory(name)).id));
    const accessoryIds = [...children, own.id];
    const created = await relay.asSystem('POST', '/rest/service-groups', {
      homeId: homes[0].id,
      name: 'Ceiling',
      accessoryIds,
    });
    groupId = created.body.id;
  });

  afterAll(async () => {
    await relay[Symbol.asyncDispose]();
    await Promise.all([bridge.stop(), lamp.stop()]);
    directory.remove();
  });

  /** The group in the state tree, and the path to it. */
  async function entry() {
    const { body } = await relay.get('/rest/state?name=ceiling');
    const [home = ''] = Object.keys(body).filter((key) => !key.startsWith('_'));
    const [room = ''] = Object.keys(body[home] ?? {}).filter((key) => !key.startsWith('_'));
    const [key = ''] = Object.keys(body[home]?.[room] ?? {});
    return { properties: body[home]?.[room]?.[key], path: [home, room, key] as const };
  }

  it('is switched in one request to each connection', async () => {
    const before = [bridge, lamp].map(({ requests }) => requests.length);
    const [home, room, key] = (await entry()).path;
    const { body } = await relay.post('/rest/state', { [home]: { [room]: { [key]: { on: true, brightness: 35 } } } });
    expect(body).toMatchObject({ updated: 1, failed: 0, errors: [] });
    const puts = [bridge, lamp].map(
      ({ requests }, index) => requests.slice(before[index]).filter(({ method }) => method === 'PUT').length,
    );
    expect(puts).toEqual([1, 1]);
    expect([2, 3, 4].map((aid) => bridge.get(aid, 10))).toEqual([35, 35, 35]);
    expect(lamp.get(1, 10)).toBe(35);
    expect(bridge.get(5, 10)).not.toBe(35);
    expect((await entry()).properties).toMatchObject({ group: true, on: true, brightness: 35 });
  });

  it('shows what its members report by themselves', async () => {
    for (const aid of [2, 3, 4]) bridge.set(aid, 9, false);
    lamp.set(1, 10, 80);
    await eventually(async () => (await entry()).properties.brightness === 80, 'the only lamp that is on to count');
    lamp.set(1, 9, false);
    await eventually(async () => (await entry()).properties.on === false, 'the group to be off');
  });

  it('is there after a restart, and works', async () => {
    await relay.stop();
    await relay.start();
    for (const { deviceId } of [bridge, lamp]) await relay.untilStatus(deviceId, 'connected');
    const path = `/rest/service-groups/${groupId}`;
    await eventually(async () => (await relay.get(path)).body.isReachable, 'the group to be reachable');
    const set = await relay.post(`${path}/set`, { characteristicType: 'power_state', value: true });
    expect(set.body).toMatchObject({ success: true, affectedCount: 4, failed: 0 });
    expect([...[2, 3, 4].map((aid) => bridge.get(aid, 9)), lamp.get(1, 9)].map(Boolean)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('goes on without a member that fails', async () => {
    const repair = bridge.fail({ aid: 3, iid: 9, status: -70402, on: 'write' });
    const set = await relay.post(`/rest/service-groups/${groupId}/set`, { characteristicType: 'on', value: false });
    expect(set.body).toMatchObject({ success: false, affectedCount: 3, errors: ['Lamp 2: Accessory unreachable'] });
    expect(Boolean(lamp.get(1, 9))).toBe(false);
    repair();
  });
});
