/** Backups of a home that is published, restored here and on another machine: controllers keep their bridges. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { restoreOffline } from '../../src/app/backup/restore-offline.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { type Answer, E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { controllerOf, type PairingData, pairWith, readBridge, type ShownBridge } from './publishing-fixture.ts';

let directory: TempDirectory;
let elsewhere: TempDirectory;
let relay: E2eRelay;
let lamp: RawAccessory;

beforeAll(async () => {
  directory = createTempDirectory('publishing-restore');
  elsewhere = createTempDirectory('publishing-elsewhere');
  lamp = await startRawAccessory({
    ...{ name: 'Lamp', database: [lampAccessory('Lamp')], paired: [KNOWN_CONTROLLER], mdns: false },
  });
  sharePairings(directory, [lamp]);
  relay = await E2eRelay.start({ directory });
  await relay.untilStatus(lamp.deviceId, 'connected');
});

afterAll(async () => {
  await relay.stop();
  await lamp.stop();
  directory.remove();
  elsewhere.remove();
});

async function ask(method: string, path: string, body?: object): Promise<Answer['body']> {
  const answer = await relay.asSystem(method, path, body);
  expect([200, 202], JSON.stringify(answer.body)).toContain(answer.status);
  return answer.body;
}

async function shown(): Promise<ShownBridge> {
  return (await ask('GET', '/rest/publications'))[0].bridges[0];
}

/** Its aid and all its iids, by name. */
async function idsOf(bridge: ShownBridge, pairing: PairingData): Promise<ReadonlyMap<string, string>> {
  const { accessories } = await readBridge(bridge, pairing);
  expect(new Set(accessories.map(({ aid }) => aid)).size).toBe(accessories.length);
  return new Map(accessories.map(({ name, aid, ids }) => [name, `${aid} ${ids}`]));
}

async function addSwitch(name: string): Promise<void> {
  const { accessories } = await shown();
  const [{ id: homeId }] = await ask('GET', '/rest/homes');
  await ask('POST', '/rest/virtual-accessories', { homeId, name, type: 'input_boolean' });
  await eventually(async () => (await shown()).accessories > accessories, `${name} to be published`);
}

async function restore(name: string): Promise<void> {
  const before = (await ask('GET', '/rest/backups/last-restore'))?.finishedAt;
  await ask('POST', `/rest/backups/${name}/restore`, {});
  await eventually(async () => {
    const last = await relay.asSystem('GET', '/rest/backups/last-restore').catch(() => undefined);
    return last?.status === 200 && last.body && last.body.finishedAt !== before && last.body.outcome === 'restored';
  }, 'the restart to be over');
}

it('here: ids only grow, configuration numbers never fall, controllers are those of now', async () => {
  await ask('POST', '/rest/publications', { name: 'Hearth', kind: 'homekit' });
  await addSwitch('First');
  const admin = await pairWith(await shown());
  const client = controllerOf(await shown(), admin);
  const guest = { id: 'GUEST', publicKey: Buffer.alloc(32, 1) };
  await client.addPairing(guest.id, guest.publicKey, false);
  const then = await idsOf(await shown(), admin);
  const backup = (await ask('POST', '/rest/backups')).name;

  await addSwitch('Second');
  await addSwitch('Third');
  await client.removePairing(Buffer.from(guest.id));
  await client.close();
  const again = controllerOf(await shown(), admin);
  await again.addPairing('LATER', Buffer.alloc(32, 2), false);
  await client.close();
  const now = await idsOf(await shown(), admin);
  const seen = await shown();
  await restore(backup);
  const restored = await shown();
  expect(restored).toMatchObject({ deviceId: seen.deviceId, setupCode: seen.setupCode, port: seen.port });
  expect(restored.configNumber).toBeGreaterThan(seen.configNumber);
  expect(await idsOf(restored, admin)).toEqual(then);
  const { id } = (await ask('GET', '/rest/publications'))[0];
  const controllers = (await ask('GET', `/rest/publications/${id}/controllers`)) as { identifier: string }[];
  expect(controllers.map(({ identifier }) => identifier)).toEqual(expect.arrayContaining(['LATER']));
  expect(controllers).toHaveLength(2);

  // What is new gets ids that no controller ever saw.
  await addSwitch('Fourth');
  const after = await idsOf(await shown(), admin);
  const aidOf = (ids: string | undefined) => ids?.split(' ')[0];
  const used = [...now.values()].map(aidOf);
  expect(used).not.toContain(aidOf(after.get('Fourth')));
  for (const [name, ids] of then) expect(after.get(name)).toBe(ids);
});

it('on another machine: the same bridge with the same ids, and its controllers go on', async () => {
  const seen = await shown();
  const { id } = (await ask('GET', '/rest/publications'))[0];
  for (const { identifier } of await ask('GET', `/rest/publications/${id}/controllers`)) {
    await relay.asSystem('DELETE', `/rest/publications/${id}/controllers/${encodeURIComponent(identifier)}`);
  }
  const admin = await pairWith(await shown());
  const ids = await idsOf(seen, admin);
  const { name } = await ask('POST', '/rest/backups');
  const file = directory.file('backups', name);
  expect(existsSync(file)).toBe(true);
  await relay.stop();

  const password = () => Promise.reject(new Error('It has none'));
  await restoreOffline({ dataDir: elsewhere.path, backup: file, password, clock: systemClock });
  const here = relay;
  relay = await E2eRelay.start({ directory: elsewhere });
  const moved = await shown();
  expect(moved).toMatchObject({ deviceId: seen.deviceId, setupCode: seen.setupCode, controllers: 1 });
  expect(moved.configNumber).toBeGreaterThan(seen.configNumber);
  await relay.untilStatus(lamp.deviceId, 'connected');
  expect(await idsOf(moved, admin)).toEqual(ids);
  const { accessories } = await readBridge(moved, admin);
  const lampAid = accessories.find((one) => one.name === 'Lamp')?.aid;
  const client = controllerOf(moved, admin);
  await client.setCharacteristics({ [`${lampAid}.9`]: true });
  expect(lamp.get(1, 9)).toBe(true);
  await client.close();
  await here[Symbol.asyncDispose]();
});
