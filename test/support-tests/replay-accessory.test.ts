import { HttpClient } from 'hap-controller';
import { afterEach, describe, expect, it } from 'vitest';
import { createControllerKeys, hapControllerPairing } from '../support/accessories/identity.ts';
import {
  type ReplayAccessory,
  type ReplayOptions,
  startReplayAccessory,
} from '../support/accessories/replay-accessory.ts';
import {
  lampAccessory,
  listRecorded,
  readRecorded,
  timedLockAccessory,
} from '../support/accessories/sample-databases.ts';
import { eventually } from './eventually.ts';

const controller = createControllerKeys();
const running: ReplayAccessory[] = [];

async function start(options: ReplayOptions): Promise<ReplayAccessory> {
  const accessory = await startReplayAccessory({ mdns: false, paired: [controller], ...options });
  running.push(accessory);
  return accessory;
}

function connect(accessory: ReplayAccessory) {
  return new HttpClient(accessory.deviceId, '127.0.0.1', accessory.port, hapControllerPairing(controller, accessory));
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((accessory) => accessory.stop()));
});

describe('a replaying accessory', () => {
  it('is paired with its setup code, and knows its controller then', async () => {
    const accessory = await start({ database: [lampAccessory('Lamp')], paired: [] });
    const client = new HttpClient(accessory.deviceId, '127.0.0.1', accessory.port);
    await client.identify();
    await client.pairSetup(accessory.setupCode, 0);
    expect(accessory.identified).toBe(1);
    expect(accessory.controllers).toHaveLength(1);
    expect((await client.getAccessories()).accessories).toHaveLength(1);
    await client.close();
  });

  it('serves every recorded database unchanged', async () => {
    for (const name of listRecorded()) {
      const database = readRecorded(name);
      const client = connect(await start({ database }));
      expect({ name, accessories: await getAccessoriesRaw(client) }).toEqual({ name, accessories: database });
      await client.close();
    }
  });

  it('applies writes, logs them and judges them by the permissions served', async () => {
    const accessory = await start({ database: [lampAccessory('Lamp'), timedLockAccessory('Lock', 2)] });
    const client = connect(accessory);
    const next = accessory.nextWrite(({ iid }) => iid === '10');
    const answer = await client.setCharacteristics({
      '1.9': 1,
      '1.10': 40,
      '1.11': 999,
      '2.9': 1,
      '2.10': 0,
      '1.99': 1,
    });
    expect(statuses(answer)).toEqual({ 1.11: -70410, 2.9: -70404, '2.10': -70410, 1.99: -70409 });
    expect((await next).value).toBe(40);
    expect(accessory.writes.map(({ iid, value }) => [iid, value])).toEqual([
      ['9', 1],
      ['10', 40],
    ]);
    expect(accessory.get(1, 9)).toBe(true);
    await client.close();
  });

  it('sends events for its own changes, repeated ones too, and none once it is mute', async () => {
    const accessory = await start({ database: [timedLockAccessory('Lock')] });
    const client = connect(accessory);
    const seen: unknown[] = [];
    client.on('event', (event) => seen.push(...event.characteristics.map((item: { value: unknown }) => item.value)));
    await client.subscribeCharacteristics(['1.13', '1.9']);
    expect([...accessory.subscriptions()].sort()).toEqual(['1.13', '1.9']);
    accessory.set(1, 13, 0);
    accessory.set(1, 13, 0);
    accessory.faults.mute = true;
    accessory.set(1, 9, 3);
    accessory.faults.mute = false;
    accessory.set(1, 9, 0);
    await eventually(() => seen).toEqual([0, 0, 0]);
    expect(accessory.get(1, 13)).toBeNull();
    await client.close();
  });

  it('drops, refuses and forgets as configured, and comes back on another port', async () => {
    const accessory = await start({ database: [lampAccessory('Lamp')] });
    const client = connect(accessory);
    accessory.faults.httpStatus = 503;
    await expect(client.getCharacteristics(['1.9'])).rejects.toMatchObject({ statusCode: 503 });
    accessory.faults.httpStatus = null;
    accessory.fail({ aid: 1, iid: 9, status: -70402, times: 1 });
    expect(await client.getCharacteristics(['1.9'])).toMatchObject({ characteristics: [{ status: -70402 }] });
    expect(await client.getCharacteristics(['1.9'])).toMatchObject({ characteristics: [{ value: false }] });
    const { port } = accessory;
    await accessory.restart({ port: 0 });
    expect(accessory.port).not.toBe(port);
    const again = connect(accessory);
    expect(await again.getCharacteristics(['1.9'])).toMatchObject({ characteristics: [{ value: false }] });
    await accessory.forgetPairings();
    await expect(connect(accessory).getAccessories()).rejects.toThrow('M4: Error: 2');
    await Promise.all([client.close(), again.close()]);
  });
});

/** Past hap-controller's own parser, which rewrites types and turns long numbers into objects. */
async function getAccessoriesRaw(client: ReturnType<typeof connect>): Promise<unknown> {
  const { getDefaultVerifiedConnection: open } = client as unknown as {
    getDefaultVerifiedConnection(): Promise<{ get(path: string): Promise<{ body: Buffer }>; close(): void }>;
  };
  const connection = await open.call(client);
  const { body } = await connection.get('/accessories');
  connection.close();
  return (JSON.parse(body.toString()) as { accessories: unknown }).accessories;
}

function statuses(answer: unknown): Record<string, number> {
  const { characteristics } = answer as { characteristics: { aid: number; iid: number; status: number }[] };
  const failed = characteristics.filter(({ status }) => status !== 0);
  return Object.fromEntries(failed.map(({ aid, iid, status }) => [`${aid}.${iid}`, status]));
}
