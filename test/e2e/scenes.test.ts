/** Scenes against genuine HAP-NodeJS servers: what goes over the wire, and what a dead device costs the others. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { type ReplayAccessory, startReplayAccessory } from '../support/accessories/replay-accessory.ts';
import { lampAccessory, timedLockAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

let directory: TempDirectory;
let relay: E2eRelay;
let kitchen: ReplayAccessory;
let hall: ReplayAccessory;
let proxy: TcpProxy;

beforeEach(async () => {
  directory = createTempDirectory('scenes');
  const start = (name: string) =>
    startReplayAccessory({ database: [lampAccessory(name)], name, mdns: false, paired: [KNOWN_CONTROLLER] });
  [kitchen, hall] = await Promise.all([start('Kitchen Lamp'), start('Hall Lamp')]);
  // The hall's cable can be pulled.
  proxy = await TcpProxy.start(() => hall.port);
  sharePairings(directory, [
    kitchen,
    { deviceId: hall.deviceId, name: hall.name, publicKey: hall.publicKey, port: proxy.port },
  ]);
  relay = await E2eRelay.start({ directory });
  await Promise.all([kitchen, hall].map(({ deviceId }) => relay.untilStatus(deviceId, 'connected')));
});

afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  await Promise.all([kitchen.stop(), hall.stop(), proxy.stop()]);
  directory.remove();
});

const writesOf = ({ requests }: ReplayAccessory): readonly string[] =>
  requests.filter((request) => request.startsWith('PUT /characteristics'));

/** @param settings by accessory, in the order in which they are to be written. */
async function createScene(settings: Record<string, Record<string, unknown>>, on = relay): Promise<string> {
  const home = (await on.get('/rest/homes')).body[0].id;
  const actions: object[] = [];
  for (const [name, values] of Object.entries(settings)) {
    const { id: accessoryId } = await on.accessory(name);
    for (const [characteristicType, targetValue] of Object.entries(values)) {
      actions.push({ accessoryId, characteristicType, targetValue });
    }
  }
  const { body } = await on.asSystem('POST', '/rest/scenes', { homeId: home, name: 'Evening', actions });
  return body.id;
}

describe('a scene over two accessories', () => {
  it('is one request to each, with everything in it, in the order given', async () => {
    const id = await createScene({
      'Kitchen Lamp': { on: true, brightness: 30, hue: 120 },
      'Hall Lamp': { brightness: 10, on: true },
    });
    const before = [writesOf(kitchen).length, writesOf(hall).length];
    const { body } = await relay.post(`/rest/scenes/${id}/execute`, undefined);
    expect(body).toEqual({ success: true, sceneId: id, failed: 0, errors: [] });
    expect([writesOf(kitchen).length, writesOf(hall).length]).toEqual(before.map((count) => count + 1));
    expect([kitchen.connections(), hall.connections()]).toEqual([1, 1]);
    expect(kitchen.writes.map(({ iid }) => iid)).toEqual(['9', '10', '11']);
    expect(hall.writes.map(({ iid }) => iid)).toEqual(['10', '9']);
    expect([kitchen.get(1, 10), hall.get(1, 10)]).toEqual([30, 10]);
    expect((await relay.state('Hall Lamp')).properties).toMatchObject({ on: true, brightness: 10 });
  });

  it('is done by the one even while the other is dead, and reports which is', async () => {
    const id = await createScene({
      'Hall Lamp': { on: true, brightness: 10 },
      'Kitchen Lamp': { on: true, brightness: 30 },
    });
    proxy.swallow = true;
    const written = kitchen.nextWrite(({ iid }) => iid === '10');
    const executed = relay.post(`/rest/scenes/${id}/execute`, undefined);
    expect(await Promise.race([written.then(() => 'written'), executed.then(() => 'answered')])).toBe('written');
    expect((await executed).body).toEqual({
      success: false,
      sceneId: id,
      failed: 2,
      errors: ['Hall Lamp.power_state: Accessory unreachable', 'Hall Lamp.brightness: Accessory unreachable'],
    });
    expect(kitchen.get(1, 10)).toBe(30);
    expect(hall.writes).toEqual([]);
  });

  it('is kept over a restart of the daemon', async () => {
    const id = await createScene({ 'Kitchen Lamp': { brightness: 77 } });
    await relay.stop();
    await relay.start();
    await relay.untilStatus(kitchen.deviceId, 'connected');
    expect((await relay.post('/rest/scene', { home: 'Test Home', name: 'evening' })).body).toMatchObject({
      success: true,
      sceneId: id,
    });
    expect(kitchen.get(1, 10)).toBe(77);
  });
});

describe('a scene over accessories of which each answers only when both were asked', () => {
  it('succeeds, for they are asked at the same time', async () => {
    using lamps = createTempDirectory('scene-parallel');
    const asked = new Set<string>();
    let bothAsked: () => void = () => {};
    const untilBoth = new Promise<void>((resolve) => {
      bothAsked = resolve;
    });
    const start = (name: string) =>
      startRawAccessory({
        database: [lampAccessory(name)],
        name,
        mdns: false,
        paired: [KNOWN_CONTROLLER],
        takeOver({ method, path, body }, session) {
          if (method !== 'PUT' || !path.startsWith('/characteristics') || !body.includes('value')) return undefined;
          if (asked.add(name).size === 2) bothAsked();
          return untilBoth.then(() => session.send(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')));
        },
      });
    const accessories = await Promise.all([start('Kitchen Lamp'), start('Hall Lamp')]);
    sharePairings(lamps, accessories);
    const own = await E2eRelay.start({ directory: lamps });
    try {
      for (const { deviceId } of accessories) await own.untilStatus(deviceId, 'connected');
      const id = await createScene({ 'Kitchen Lamp': { brightness: 30 }, 'Hall Lamp': { brightness: 10 } }, own);
      const { body } = await own.post(`/rest/scenes/${id}/execute`, undefined);
      expect(body).toMatchObject({ success: true, failed: 0 });
    } finally {
      await own[Symbol.asyncDispose]();
      await Promise.all(accessories.map((accessory) => accessory.stop()));
    }
  });
});

describe('a scene with a lock', () => {
  it('writes it timed, as the lock asks for', async () => {
    using locks = createTempDirectory('scene-lock');
    const door = await startReplayAccessory({
      database: [timedLockAccessory('Door')],
      name: 'Door',
      mdns: false,
      paired: [KNOWN_CONTROLLER],
    });
    sharePairings(locks, [door]);
    const own = await E2eRelay.start({ directory: locks });
    try {
      await own.untilStatus(door.deviceId, 'connected');
      await own.set('Door', { lock_target: false });
      const { body } = await own.get('/rest/homes');
      const answer = await own.post('/rest/scene', { home: body[0].id, name: 'Good Night' });
      expect(answer.body).toMatchObject({ success: true, failed: 0 });
      expect(door.writes.at(-1)).toMatchObject({ iid: '10', value: 1, timed: true });
    } finally {
      await own[Symbol.asyncDispose]();
      await door.stop();
    }
  });
});
