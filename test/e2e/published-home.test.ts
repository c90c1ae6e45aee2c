/** A relay publishes its home: a controller of another make has it, and no relay takes it for a device. */
import { HttpClient } from 'hap-controller';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createControllerKeys, createSigningKeys } from '../support/accessories/identity.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { type Answer, E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

let directory: TempDirectory;
let device: RawAccessory;
let relay: E2eRelay;
const others: E2eRelay[] = [];

beforeEach(async () => {
  directory = createTempDirectory('published');
  device = await startRawAccessory({ database: [lampAccessory('Lamp')], name: 'Lamp', paired: [KNOWN_CONTROLLER] });
  sharePairings(directory, [device]);
  relay = await E2eRelay.start({ directory });
  await relay.untilStatus(device.deviceId, 'connected');
});

afterEach(async () => {
  for (const other of others.splice(0)) await other[Symbol.asyncDispose]();
  await relay[Symbol.asyncDispose]();
  await device.stop();
  directory.remove();
});

async function publish(): Promise<{ deviceId: string; setupCode: string; port: number }> {
  const { status, body } = await relay.asSystem('POST', '/rest/publications', { name: 'Published', kind: 'homekit' });
  expect(status).toBe(200);
  return body.bridges[0];
}

async function otherRelay(pairsPublications: boolean): Promise<E2eRelay> {
  const other = await E2eRelay.start({ overrides: { pairsPublications } });
  others.push(other);
  return other;
}

const writesOf = (iid: string) => device.writes.filter((write) => write.iid === iid).map(({ value }) => value);

it('hap-controller pairs the bridge, reads and writes the lamp, and gets its events', async () => {
  const { deviceId, setupCode, port } = await publish();
  const client = new HttpClient(deviceId, '127.0.0.1', port, undefined, { usePersistentConnections: true });
  await client.pairSetup(setupCode);
  const { accessories } = await client.getAccessories();
  const lamp = accessories[1];
  const id = (type: string) => {
    const found = lamp?.services.flatMap((service) => service.characteristics).find((one) => one.type?.endsWith(type));
    return `${lamp?.aid}.${found?.iid}`;
  };
  const brightness = id('00000008-0000-1000-8000-0026BB765291');
  expect(await client.getCharacteristics([brightness])).toMatchObject({ characteristics: [{ value: 50 }] });
  const events: unknown[] = [];
  client.on('event', (event) => events.push(event.characteristics[0]?.value));
  await client.subscribeCharacteristics([brightness]);
  await client.setCharacteristics({ [brightness]: 33 });
  expect(writesOf('10')).toEqual([33]);
  device.set(1, 10, 66);
  await eventually(() => events.includes(66), 'the event');
  await client.close();
});

it('no relay offers it, pairs it or imports it otherwise: not the one that publishes it, and no other', async () => {
  const bridge = await publish();
  const other = await otherRelay(false);
  // It has been received when another device that announced itself later has.
  const later = await startRawAccessory({ database: [lampAccessory('Later')], name: 'Later' });
  const allowed = await otherRelay(true);
  await allowed.discovered(bridge.deviceId);
  for (const each of [relay, other]) {
    await each.discovered(later.deviceId);
    const { body } = await each.asSystem('GET', '/rest/discovered');
    expect(body.map((found: { deviceId: string }) => found.deviceId)).not.toContain(bridge.deviceId);
    // It may not have been seen yet.
    await eventually(async () => (await pairing(each, bridge)).body.reason === 'published', 'the refusal');
    expect((await pairing(each, bridge)).body).toMatchObject({ code: 'conflict', reason: 'published' });
    const before = (await each.asSystem('GET', '/rest/pairings')).body.length;
    const data = { Bridge: foreignEntry(bridge) };
    for (const dryRun of [true, false]) {
      const { body } = await each.asSystem('POST', '/rest/pairings/import', { data, dryRun });
      expect(body.devices).toMatchObject([{ deviceId: bridge.deviceId, outcome: 'unsupported' }]);
    }
    expect((await each.asSystem('GET', '/rest/pairings')).body).toHaveLength(before);
  }
  await later.stop();
});

function pairing(each: E2eRelay, { deviceId, setupCode }: { deviceId: string; setupCode: string }): Promise<Answer> {
  return each.asSystem('POST', '/rest/pairings', { device: deviceId, setupCode });
}

/** As another controller's file has it. */
function foreignEntry({ deviceId, port }: { deviceId: string; port: number }): Record<string, unknown> {
  const controller = createControllerKeys();
  return {
    AccessoryPairingID: deviceId,
    AccessoryLTPK: createSigningKeys().publicKey.toString('hex'),
    iOSPairingId: controller.id,
    iOSDeviceLTSK: controller.seed.toString('hex'),
    iOSDeviceLTPK: controller.publicKey.toString('hex'),
    AccessoryIP: '127.0.0.1',
    AccessoryPort: port,
    Connection: 'IP',
  };
}
