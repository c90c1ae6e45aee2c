/** Our own HAP driver on our own HAP server: pairing, the database, values, writes and events, and controllers. */
import { afterEach, expect, it } from 'vitest';
import { createControllerKeys, pairingKeys } from '../../support/accessories/identity.ts';
import { eventually } from '../../support-tests/eventually.ts';
import { DriverFixture, HOME } from '../hap/driver-fixture.ts';
import { BridgeFixture, LARGE_AID } from './bridge-fixture.ts';

let bridge: BridgeFixture;
let home: DriverFixture;

afterEach(async () => {
  await home.close();
  await bridge.close();
});

it('is refused to the relay that publishes it: by its id, and by an address that does not show it', async () => {
  bridge = await BridgeFixture.start();
  home = new DriverFixture();
  home.driver.start();
  const { deviceId, name, setupCode } = bridge.identity;
  home.ownDeviceIds.add(deviceId);
  home.discovery.announce({ deviceId, name, port: bridge.port, statusFlags: 1 });
  expect(home.driver.listDiscovered()).toEqual([]);
  const pair = (device: string) => home.driver.pair({ device, homeId: HOME, setupCode }, () => {});
  const refusal = { code: 'conflict', details: { reason: 'published' } };
  await expect(pair(deviceId)).rejects.toMatchObject(refusal);
  home.discovery.remove(deviceId);
  await expect(pair(`127.0.0.1:${bridge.port}`)).rejects.toMatchObject(refusal);
  expect(bridge.controllers.list()).toEqual([]);
  expect(home.driver.listPaired()).toEqual([]);
  expect(home.rows('pairings')).toBe(0);
});

it('is refused to another relay like this one', async () => {
  bridge = await BridgeFixture.start();
  home = new DriverFixture();
  home.driver.start();
  const { deviceId, name, setupCode } = bridge.identity;
  home.discovery.announce({ deviceId, name, port: bridge.port, statusFlags: 1, publishedBy: '0badcafe' });
  expect(home.driver.listDiscovered()).toEqual([]);
  expect(home.driver.isPublished(deviceId.toLowerCase())).toBe(true);
  await expect(home.driver.pair({ device: deviceId, homeId: HOME, setupCode }, () => {})).rejects.toMatchObject({
    ...{ code: 'conflict', details: { reason: 'published' } },
  });
});

it('is not taken over with the keys of another controller, also if it shows only then what it is', async () => {
  bridge = await BridgeFixture.start();
  home = new DriverFixture();
  home.driver.start();
  const { deviceId, name } = bridge.identity;
  const { port, publicKey } = bridge;
  const keys = { ...pairingKeys(bridge.addController(), { deviceId, publicKey }), accessoryPublicKey: publicKey };
  const adopt = () => home.driver.adopt({ ...keys, name, address: { host: '127.0.0.1', port } }, HOME);
  const described = () => home.sink.calls.filter((call) => call.startsWith('describe'));
  const stopListening = home.driver.onChange(() => {
    if (home.device(deviceId)?.status !== 'connected' || home.discovery.find(deviceId)) return;
    home.discovery.announce({ deviceId, name, port, statusFlags: 0, publishedBy: '0badcafe' });
  });
  expect(await adopt()).toBe('published');
  stopListening();
  expect(described()).toHaveLength(1);
  expect(home.sink.calls).toContain(`forget ${deviceId}`);
  expect(home.rows('pairings')).toBe(0);

  expect(await adopt()).toBe('published');
  home.discovery.remove(deviceId);
  home.ownDeviceIds.add(deviceId);
  expect(await adopt()).toBe('published');
  expect(described()).toHaveLength(1);
  expect(home.driver.listPaired()).toEqual([]);
  expect(home.rows('pairings')).toBe(0);
});

it('pairs, reads, writes, writes in time, gets events and manages controllers', async () => {
  bridge = await BridgeFixture.start();
  home = new DriverFixture();
  home.driver.start();
  const { deviceId, name, setupCode } = bridge.identity;
  home.discovery.announce({ deviceId, name, port: bridge.port, statusFlags: 1, configNumber: 1 });
  await home.driver.pair({ device: deviceId, homeId: HOME, setupCode }, () => {});
  await home.untilStatus({ deviceId }, 'connected');
  expect(home.sink.described.get(deviceId)?.map(({ aid }) => aid)).toEqual(['1', '2', '3', LARGE_AID]);
  const value = (aid: string, iid: string) =>
    home.sink.values.findLast((each) => each.aid === aid && each.iid === iid)?.value;
  await eventually(() => value('2', '10')).toBe(50);

  bridge.content.set('2', '10', 51);
  bridge.content.set(LARGE_AID, '10', 52);
  await eventually(() => [value('2', '10'), value(LARGE_AID, '10')]).toEqual([51, 52]);
  for (const press of [0, 1, 1]) bridge.content.set('3', '13', press);
  const presses = () =>
    home.sink.values.filter(({ aid, iid }) => aid === '3' && iid === '13').map((each) => each.value);
  await eventually(presses).toEqual([0, 1, 1]);

  const write = (aid: string, iid: string, wanted: number | boolean) => ({
    address: { source: deviceId, aid },
    iid,
    value: wanted,
  });
  expect(await home.driver.write([write('2', '9', true), write(LARGE_AID, '10', 7), write('3', '10', 1)])).toEqual([
    { ok: true, value: true },
    { ok: true, value: 7 },
    { ok: true, value: 1 },
  ]);
  expect(bridge.content.values.get('2.9')).toBe(true);
  expect(bridge.content.values.get(`${LARGE_AID}.10`)).toBe(7);

  const guest = createControllerKeys();
  await home.driver.addController(deviceId, { id: guest.id, publicKey: guest.publicKey.toString('hex'), admin: false });
  expect(await home.driver.listControllers(deviceId)).toMatchObject([{ self: true, admin: true }, { id: guest.id }]);
  await home.driver.removeController(deviceId, guest.id);
  expect(bridge.controllers.list()).toHaveLength(1);
  await home.driver.unpair(deviceId, false);
  expect(bridge.controllers.list()).toEqual([]);
});
