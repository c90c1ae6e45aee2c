/**
 * Devices that fail while a home's own things use them: in the middle of a scene, of a group, between unpairing and
 * return.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import type { RawRequest } from '../support/accessories/raw-wire.ts';
import { bridgeDatabase, lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { ask, graphql } from './home-fixture.ts';

/** What a slow device takes; a write waits ten seconds for one. */
const SLOW_MS = 6_000;

const isWrite = ({ method, path, body }: RawRequest): boolean =>
  method === 'PUT' && path.startsWith('/characteristics') && body.includes('"value"');

let directory: TempDirectory;
let relay: E2eRelay;
let inventory: RawAccessory[];
let homeId: string;

/** Two lamps and a bridge with three, all paired. */
beforeEach(async () => {
  directory = createTempDirectory('home-faults');
  const start = (name: string, database = [lampAccessory(name)]): Promise<RawAccessory> =>
    startRawAccessory({ name, database, mdns: false, paired: [KNOWN_CONTROLLER] });
  inventory = await Promise.all([start('Desk'), start('Door'), start('Bridge', bridgeDatabase(3))]);
  sharePairings(directory, inventory);
  relay = await E2eRelay.start({ directory });
  for (const { deviceId } of inventory) await relay.untilStatus(deviceId, 'connected');
  homeId = (await relay.get('/rest/homes')).body[0].id;
});
afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  await Promise.all(inventory.map((accessory) => accessory.stop()));
  directory.remove();
});

const device = (index: number): RawAccessory => inventory[index] as RawAccessory;

async function make(path: string, body: object): Promise<string> {
  const answer = await relay.asSystem('POST', path, { homeId, ...body });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body.id;
}

const idOf = async (name: string): Promise<string> => (await relay.accessory(name)).id;

/** A scene that dims every lamp of the home and moves a lever, in this order. */
async function createScene(name = 'Evening'): Promise<string> {
  const lever = await make('/rest/virtual-accessories', { name: 'Lever', type: 'input_boolean' });
  const lamps = await Promise.all(['Desk', 'Door', 'Lamp 1', 'Lamp 2', 'Lamp 3'].map(idOf));
  return make('/rest/scenes', {
    name,
    actions: [
      ...lamps.map((accessoryId) => ({ accessoryId, characteristicType: 'brightness', targetValue: 33 })),
      { accessoryId: lever, characteristicType: 'on', targetValue: true },
    ],
  });
}

const EXECUTE =
  'mutation($s: String!) { executeScene(sceneId: $s) { success code failed errors outcomes { code success } } }';

async function execute(scene: string) {
  const { body } = await graphql(relay, EXECUTE, { s: scene });
  expect(body.errors).toBeUndefined();
  return body.data.executeScene;
}

const others = () => [device(0).get(1, 10), ...[2, 3, 4].map((aid) => device(2).get(aid, 10))];

describe('a scene over two lamps, three more behind a bridge and a lever', () => {
  it.each<[string, (lamp: RawAccessory) => void]>([
    [
      'closes the connection instead of answering',
      (lamp) => lamp.play({ on: isWrite, cutAt: 0, apply: false, times: 5 }),
    ],
    [
      'resets it in the middle of its answer',
      (lamp) => lamp.play({ on: isWrite, cutAt: 20, cutWith: 'reset', apply: false, times: 5 }),
    ],
    ['is switched off as it is asked', (lamp) => lamp.play({ on: isWrite, silence: true, apply: false, times: 5 })],
    [
      'answers with nonsense',
      (lamp) =>
        lamp.play({
          on: isWrite,
          replyText: 'HTTP/1.1 207 Multi-Status\r\nContent-Length: 3\r\n\r\n{"c',
          apply: false,
          times: 5,
        }),
    ],
    [
      'refuses with an error of its own',
      (lamp) => lamp.play({ on: isWrite, status: 500, body: '{"status":-70407}', apply: false, times: 5 }),
    ],
  ])('of which one %s, is done by all others, and names the member at fault', async (_, fail) => {
    const scene = await createScene();
    fail(device(1));
    const result = await execute(scene);
    expect(others()).toEqual([33, 33, 33, 33]);
    expect(result).toMatchObject({ success: false, failed: 1, errors: [expect.stringMatching(/^Door\.brightness: /)] });
    expect(result.outcomes.map(({ success }: { success: boolean }) => success)).toEqual([
      true,
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(result.outcomes[1].code).toMatch(/^accessory_(unreachable|error)$/);
    expect((await relay.state('Lever')).properties.on).toBe(true);
    expect((await relay.state('Door')).properties.brightness).toBe(50);
    device(1).clearTricks();
    await relay.untilStatus(device(1).deviceId, 'connected');
    // The status is the last known one: a device that has just been silent may still be about to reconnect.
    await eventually(async () => (await execute(scene)).success, 'the scene to work again');
    expect(device(1).get(1, 10)).toBe(33);
  });

  it('of which one is slow, waits for it and holds up no others meanwhile', async () => {
    const scene = await createScene();
    device(1).play({ on: isWrite, delayMs: SLOW_MS });
    const outcome = execute(scene);
    await eventually(() => others().every((value) => value === 33), 'the other lamps to be dimmed');
    expect((await relay.set('Desk', { brightness: 44 })).body).toMatchObject({ updated: 1, failed: 0 });
    expect(device(1).get(1, 10), 'it is still at it').not.toBe(33);
    expect(await outcome).toMatchObject({ success: true, failed: 0 });
    expect(device(1).get(1, 10)).toBe(33);
  });

  it('of which one has gone from its bridge, is done by all others', async () => {
    const scene = await createScene();
    device(2).fail({ aid: 3, iid: 10, status: -70402, on: 'write' });
    expect(await execute(scene)).toMatchObject({ failed: 1, errors: ['Lamp 2.brightness: Accessory unreachable'] });
    expect([device(0), device(1)].map((lamp) => lamp.get(1, 10))).toEqual([33, 33]);
    expect([2, 4].map((aid) => device(2).get(aid, 10))).toEqual([33, 33]);
  });

  it('is executed twenty times at once while a plug is pulled, and each has an outcome for each lamp', async () => {
    const scene = await createScene();
    const all = Promise.all(Array.from({ length: 20 }, () => execute(scene)));
    await device(1).goOffline();
    const results = await all;
    for (const { outcomes, failed } of results) {
      expect(outcomes).toHaveLength(6);
      expect(outcomes.filter(({ success }: { success: boolean }) => !success)).toHaveLength(failed);
      expect(
        outcomes
          .filter((_: unknown, index: number) => index !== 1)
          .every(({ success }: { success: boolean }) => success),
      ).toBe(true);
    }
    expect(others()).toEqual([33, 33, 33, 33]);
  });

  it('is refused as a whole while the home is paused, by every door, and nothing is sent', async () => {
    const scene = await createScene();
    const lever = await idOf('Lever');
    const group = await make('/rest/service-groups', {
      name: 'Lamps',
      accessoryIds: [await idOf('Desk'), await idOf('Door')],
    });
    await relay.asSystem('PATCH', `/rest/homes/${homeId}`, { paused: true });
    const before = inventory.map(({ writes }) => writes.length);
    const refused = { status: 503, body: { code: 'relay_not_connected', error: 'Relay not connected' } };
    expect(await ask(relay, 'POST', `/rest/scenes/${scene}/execute`)).toMatchObject(refused);
    expect(await ask(relay, 'POST', '/rest/scene', { home: homeId, name: 'Evening' })).toMatchObject(refused);
    const write = { characteristicType: 'on', value: true };
    expect(await ask(relay, 'POST', `/rest/service-groups/${group}/set`, write)).toMatchObject(refused);
    const operation = { operation: 'turn_on' };
    expect(await ask(relay, 'POST', `/rest/virtual-accessories/${lever}/operate`, operation)).toMatchObject(refused);
    const { text } = await graphql(relay, EXECUTE, { s: scene });
    expect(text).toMatch(/relay_not_connected|RELAY_NOT_CONNECTED/);
    const characteristic = { characteristicType: 'on', value: 'true' };
    const set = await graphql(
      relay,
      'mutation($a: String!, $t: String!, $v: JSON!) { setCharacteristic(accessoryId: $a, characteristicType: $t, value: $v) { success code } }',
      { a: lever, t: characteristic.characteristicType, v: characteristic.value },
    );
    expect(set.text).toMatch(/relay_not_connected|RELAY_NOT_CONNECTED/);
    expect(inventory.map(({ writes }) => writes.length)).toEqual(before);
    expect((await relay.accessory('Lever')).services[0].characteristics[0].value).toBe(false);
    await relay.asSystem('PATCH', `/rest/homes/${homeId}`, { paused: false });
    for (const { deviceId } of inventory) await relay.untilStatus(deviceId, 'connected');
    expect(await execute(scene)).toMatchObject({ success: true });
  });
});

describe('a group of two lamps and one behind a bridge', () => {
  it('is set in time when one dies as it is asked: the others are switched, the outcome names the dead one', async () => {
    const members = await Promise.all(['Desk', 'Door', 'Lamp 1'].map(idOf));
    const group = await make('/rest/service-groups', { name: 'Three', accessoryIds: members });
    device(1).play({ on: isWrite, silence: true, apply: false, times: 5 });
    let isOver = false;
    const answer = ask(relay, 'POST', `/rest/service-groups/${group}/set`, {
      characteristicType: 'on',
      value: true,
    }).finally(() => {
      isOver = true;
    });
    await eventually(() => Boolean(device(0).get(1, 9)) && Boolean(device(2).get(2, 9)), 'the others');
    expect(isOver, 'they did not wait for it').toBe(false);
    expect((await answer).body).toMatchObject({
      success: false,
      affectedCount: 2,
      failed: 1,
      errors: ['Door: Accessory unreachable'],
    });
    device(1).clearTricks();
  });
});
