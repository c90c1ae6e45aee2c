import { Characteristic, Service } from '@homebridge/hap-nodejs';
import { HttpClient } from 'hap-controller';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoHome, type HomeAccessory, startParts } from '../support/accessories/demo-home.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

const directory = createTempDirectory('house');
let home: DemoHome;

beforeAll(async () => {
  home = await startParts({ directory: directory.path, prefix: 'Test ', behave: false });
});

afterAll(async () => {
  await home.stop();
  directory.remove();
});

function find(name: string): HomeAccessory {
  const found = home.accessories.find((accessory) => accessory.name.startsWith(`Test ${name}`));
  if (!found) throw new Error(`no ${name}`);
  return found;
}

describe('the home', () => {
  it('has about a dozen accessories with names, codes, rooms and ports of their own, one of them a bridge', () => {
    const { accessories } = home;
    expect(accessories.length).toBeGreaterThanOrEqual(12);
    for (const key of ['name', 'deviceId', 'port', 'setupCode'] as const) {
      expect(new Set(accessories.map((accessory) => accessory[key])).size).toBe(accessories.length);
    }
    expect(accessories.every(({ setupCode }) => /^\d{3}-\d{2}-\d{3}$/.test(setupCode))).toBe(true);
    expect(find('Bridge').children.length).toBeGreaterThan(4);
  });

  it('can be paired, and follows commands', async () => {
    const lock = find('Front Door');
    const client = new HttpClient(lock.deviceId, '127.0.0.1', lock.port);
    await client.pairSetup(lock.setupCode, 0);
    const target = lock.accessory.getService(Service.LockMechanism)?.getCharacteristic(Characteristic.LockTargetState);
    await client.setCharacteristics({ [`1.${target?.iid}`]: 0 });
    const current = lock.accessory
      .getService(Service.LockMechanism)
      ?.getCharacteristic(Characteristic.LockCurrentState);
    expect(current?.value).toBe(0);
    await client.removePairing(Buffer.from(client.getLongTermData()?.iOSDevicePairingID ?? '', 'hex'));
    await client.close();
  });

  it('is the same home when it is started again', async () => {
    const before = home.accessories.map(({ deviceId, setupCode }) => ({ deviceId, setupCode }));
    await home.stop();
    home = await startParts({ directory: directory.path, prefix: 'Test ', behave: false });
    expect(home.accessories.map(({ deviceId, setupCode }) => ({ deviceId, setupCode }))).toEqual(before);
    await expect(startParts({ directory: `${directory.path}-other` })).rejects.toThrow('start another process');
  });
});
