/** Moving here from another controller: its file, real devices that know it, and what becomes of those that do not. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createControllerKeys } from '../support/accessories/identity.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { type ReplayAccessory, startReplayAccessory } from '../support/accessories/replay-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay } from '../support/e2e-relay.ts';

/** Whom the devices know: the other program. */
const OTHER = createControllerKeys();

let relay: E2eRelay;
let lamp: ReplayAccessory;
let reset: RawAccessory;

beforeAll(async () => {
  [relay, lamp, reset] = await Promise.all([
    E2eRelay.start(),
    startReplayAccessory({ database: [lampAccessory('Lamp')], name: 'Lamp', paired: [OTHER], mdns: false }),
    startRawAccessory({
      database: [lampAccessory('Reset')],
      name: 'Reset',
      mdns: false,
      paired: [createControllerKeys()],
    }),
  ]);
});

afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  await Promise.all([lamp.stop(), reset.stop()]);
});

const entry = (deviceId: string, publicKey: Buffer, port: number) => ({
  AccessoryPairingID: deviceId,
  AccessoryLTPK: publicKey.toString('hex'),
  iOSPairingId: OTHER.id,
  iOSDeviceLTSK: OTHER.seed.toString('hex'),
  iOSDeviceLTPK: OTHER.publicKey.toString('hex'),
  AccessoryIP: '127.0.0.1',
  AccessoryPort: port,
  Connection: 'IP',
});

it('takes over what the devices agree to, and reports the result of each', async () => {
  const data = {
    Lamp: entry(lamp.deviceId, lamp.publicKey, lamp.port),
    Reset: entry(reset.deviceId, reset.publicKey, reset.port),
    Beacon: { ...entry('11:22:33:44:55:66', lamp.publicKey, 1), Connection: 'BLE' },
  };
  const outcomes = async (body: object) => {
    const answer = await relay.asSystem('POST', '/rest/pairings/import', body);
    return answer.body.devices.map(({ name, outcome }: { name: string; outcome: string }) => [name, outcome]);
  };

  expect(await outcomes({ data, dryRun: true })).toEqual([
    ['Lamp', 'new'],
    ['Reset', 'new'],
    ['Beacon', 'unsupported'],
  ]);
  expect((await relay.asSystem('GET', '/rest/pairings')).body).toEqual([]);

  expect(await outcomes({ data: JSON.stringify(data) })).toEqual([
    ['Lamp', 'imported'],
    ['Reset', 'refused'],
    ['Beacon', 'unsupported'],
  ]);
  const kept = (await relay.asSystem('GET', '/rest/pairings')).body.map(
    ({ deviceId }: { deviceId: string }) => deviceId,
  );
  expect(kept).toEqual([lamp.deviceId]);
  expect((await relay.set('Lamp', { on: true })).body).toMatchObject({ updated: 1, failed: 0 });
  expect(lamp.get(1, 9)).toBeTruthy();

  // Its identity here is the other program's, after a restart as well.
  await relay.stop();
  await relay.start();
  await relay.untilStatus(lamp.deviceId, 'connected');
  expect(await outcomes({ data: { Lamp: data.Lamp } })).toEqual([['Lamp', 'already_here']]);
});
