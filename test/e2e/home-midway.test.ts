/**
 * A scene waits for a slow lamp; what is changed under it meanwhile changes neither its outcome for the others nor what
 * is kept.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import type { RawRequest } from '../support/accessories/raw-wire.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { type Asked, ask, faultsOf } from './home-fixture.ts';

const SLOW_MS = 2_500;

const isWrite = ({ method, path, body }: RawRequest): boolean =>
  method === 'PUT' && path.startsWith('/characteristics') && body.includes('"value"');

let directory: TempDirectory;
let relay: E2eRelay;
let quick: RawAccessory;
let slow: RawAccessory;
let homeId: string;
let scene: string;
let group: string;
let roomId: string;
let slowId: string;

beforeEach(async () => {
  directory = createTempDirectory('home-midway');
  const start = (name: string): Promise<RawAccessory> =>
    startRawAccessory({ name, database: [lampAccessory(name)], mdns: false, paired: [KNOWN_CONTROLLER] });
  [quick, slow] = await Promise.all([start('Quick'), start('Slow')]);
  sharePairings(directory, [quick, slow]);
  relay = await E2eRelay.start({ directory });
  for (const { deviceId } of [quick, slow]) await relay.untilStatus(deviceId, 'connected');
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await relay.asSystem('POST', path, { homeId, ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.id;
  };
  homeId = (await relay.get('/rest/homes')).body[0].id;
  roomId = await make('/rest/rooms', { name: 'Hall' });
  slowId = (await relay.accessory('Slow')).id;
  const accessoryIds = [slowId, (await relay.accessory('Quick')).id];
  await relay.asSystem('PATCH', `/rest/accessories/${slowId}`, { roomId });
  group = await make('/rest/service-groups', { name: 'Both', accessoryIds });
  const actions = accessoryIds.map((accessoryId) => ({
    accessoryId,
    characteristicType: 'brightness',
    targetValue: 33,
  }));
  scene = await make('/rest/scenes', { name: 'Evening', actions });
});
afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  expect(faultsOf(directory.file('relay.db'))).toEqual([]);
  await Promise.all([quick.stop(), slow.stop()]);
  directory.remove();
});

/** Executes the scene, and does something while the slow lamp takes its time. */
async function meanwhile(act: () => Promise<unknown>): Promise<Asked | Error> {
  slow.play({ on: isWrite, delayMs: SLOW_MS });
  const answer = ask(relay, 'POST', `/rest/scenes/${scene}/execute`).catch((error: Error) => error);
  await eventually(() => quick.get(1, 10) === 33, 'the quick lamp');
  await act();
  return answer;
}

const done = async (method: string, path: string, body?: object): Promise<void> => {
  const answer = await relay.asSystem(method, path, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
};

describe('while a scene waits for a slow lamp', () => {
  it.each<[string, () => Promise<void>]>([
    ['it is deleted', () => done('DELETE', `/rest/scenes/${scene}`)],
    [
      'it is given other actions',
      () =>
        done('PATCH', `/rest/scenes/${scene}`, {
          actions: [{ accessoryId: slowId, characteristicType: 'on', targetValue: true }],
        }),
    ],
    ['the group with its lamps is deleted', () => done('DELETE', `/rest/service-groups/${group}`)],
    ['the lamp’s room is deleted', () => done('DELETE', `/rest/rooms/${roomId}`)],
    ['the lamp is renamed', () => done('PATCH', `/rest/accessories/${slowId}`, { name: 'Renamed' })],
    ['history is switched on', () => done('PATCH', `/rest/history/homes/${homeId}`, { enabled: true })],
  ])('and %s, it goes on to its end as it began', async (_, act) => {
    const answer = await meanwhile(act);
    expect(answer).toMatchObject({ status: 200, body: { success: true, sceneId: scene, failed: 0 } });
    expect(slow.get(1, 10)).toBe(33);
  });

  it.each<[string, () => Promise<void>]>([
    ['the home is paused', () => done('PATCH', `/rest/homes/${homeId}`, { paused: true })],
    ['the lamp is unpaired', () => done('DELETE', `/rest/pairings/${slow.deviceId}?force=true`)],
    ['the lamp loses its connection', async () => slow.disconnectAll()],
  ])('and %s, it reports that lamp, and no other', async (_, act) => {
    const answer = await meanwhile(act);
    expect(answer).toMatchObject({ status: 200, body: { sceneId: scene } });
    if (answer instanceof Error) throw answer;
    const { failed, errors } = answer.body;
    expect(failed).toBeLessThanOrEqual(1);
    if (failed === 1) expect(errors[0]).toMatch(/unreachable|not connected|not found/i);
    expect((await ask(relay, 'GET', '/rest/state')).status).toBe(200);
    expect((await ask(relay, 'GET', '/rest/scenes')).status).toBe(200);
  });

  it('and the daemon is stopped, it stops in time, and the next one has scene, group and home as they were', async () => {
    const before = (await ask(relay, 'GET', `/rest/scenes/${scene}`)).body;
    await meanwhile(() => relay.stop());
    await relay.start();
    expect((await ask(relay, 'GET', `/rest/scenes/${scene}`)).body).toEqual(before);
    slow.clearTricks();
    await relay.untilStatus(slow.deviceId, 'connected');
    await relay.untilStatus(quick.deviceId, 'connected');
    const again = await ask(relay, 'POST', `/rest/scenes/${scene}/execute`);
    expect(again.body).toMatchObject({ success: true, failed: 0 });
  });
});
