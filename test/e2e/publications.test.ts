/**
 * Relay A drives a genuine HAP-NodeJS lamp and publishes it; relay B, allowed to for this test, pairs A's bridge as any
 * controller would. A change travels to the other end once, and nothing comes back.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReplayAccessory, startReplayAccessory } from '../support/accessories/replay-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

const LAMP = 'Kitchen Lamp';
/** In the replayed database. */
const ON = 9;
const BRIGHTNESS = 10;

let directory: TempDirectory;
let lamp: ReplayAccessory;
let a: E2eRelay;
let b: E2eRelay;
let bridge: { deviceId: string; setupCode: string; port: number; configNumber: number };
let publicationId: string;

beforeAll(async () => {
  directory = createTempDirectory('publications-e2e');
  lamp = await startReplayAccessory({
    database: [lampAccessory(LAMP)],
    ...{ name: LAMP, mdns: false, paired: [KNOWN_CONTROLLER] },
  });
  sharePairings(directory, [lamp]);
  a = await E2eRelay.start({ directory });
  await a.untilStatus(lamp.deviceId, 'connected');
  const created = await a.asSystem('POST', '/rest/publications', { name: 'Hearth', kind: 'homekit' });
  expect(created).toMatchObject({ status: 200, body: { status: 'open', error: null } });
  publicationId = created.body.id;
  [bridge] = created.body.bridges;
  b = await E2eRelay.start({ overrides: { pairsPublications: true } });
  expect(await b.pair(bridge)).toMatchObject({ status: 200, body: { deviceId: bridge.deviceId } });
});

afterAll(async () => {
  await b?.[Symbol.asyncDispose]();
  await a?.[Symbol.asyncDispose]();
  await lamp?.stop();
  directory?.remove();
});

describe('a home published to another relay', () => {
  it('has the lamp there under its name, and the controller is listed here', async () => {
    expect(await b.accessory(LAMP)).toMatchObject({ name: LAMP, isReachable: true });
    const { body } = await a.asSystem('GET', `/rest/publications/${publicationId}/controllers`);
    expect(body).toMatchObject([{ isAdmin: true, isConnected: true, address: '127.0.0.1' }]);
  });

  it('brings a change of the device to the other end', async () => {
    lamp.set(1, BRIGHTNESS, 33);
    await b.untilState(LAMP, 'brightness', 33);
  });

  it('carries a command from the other end to the device, once, and no echo', async () => {
    lamp.writes.length = 0;
    expect(await b.set(LAMP, { on: true, brightness: 60 })).toMatchObject({ status: 200 });
    await a.untilState(LAMP, 'brightness', 60);
    await b.untilState(LAMP, 'brightness', 60);
    lamp.set(1, BRIGHTNESS, 20);
    await b.untilState(LAMP, 'brightness', 20);
    const own = lamp.writes.map(({ iid, value }) => [iid, value]);
    expect(own.sort()).toEqual([
      [String(BRIGHTNESS), 60],
      [String(ON), true],
    ]);
  });

  it('is not published again by the other end', async () => {
    const { body } = await b.asSystem('POST', '/rest/publications/preview', { kind: 'homekit' });
    const item = body.items.find(({ name }: { name: string }) => name === LAMP);
    expect(item).toMatchObject({ publishedAs: null, reason: expect.stringContaining('another hearthd') });
  });

  it('is the same after a restart, and connected again', async () => {
    await a.stop();
    await a.start();
    await a.untilStatus(lamp.deviceId, 'connected');
    const { body } = await a.asSystem('GET', `/rest/publications/${publicationId}`);
    expect(body.bridges[0]).toMatchObject({
      ...{ deviceId: bridge.deviceId, setupCode: bridge.setupCode, port: bridge.port },
      configNumber: bridge.configNumber,
    });
    lamp.set(1, BRIGHTNESS, 71);
    await b.untilState(LAMP, 'brightness', 71);
  });

  it('ends for a controller that is removed', async () => {
    const path = `/rest/publications/${publicationId}/controllers`;
    const [{ identifier }] = (await a.asSystem('GET', path)).body;
    await a.asSystem('DELETE', `${path}/${identifier}`);
    expect((await a.asSystem('GET', path)).body).toEqual([]);
    await b.untilStatus(bridge.deviceId, 'pairing_lost');
  });
});
