import { HttpClient } from 'hap-controller';
import { afterEach, describe, expect, it } from 'vitest';
import { type Fleet, type FleetWrite, startFleet } from '../support/accessories/fleet.ts';
import { createControllerKeys, hapControllerPairing } from '../support/accessories/identity.ts';
import { bridgeDatabase, fullAccessory } from '../support/accessories/sample-databases.ts';
import { eventually } from './eventually.ts';

const controller = createControllerKeys();
const fleets: Fleet[] = [];

afterEach(async () => {
  await Promise.all(fleets.splice(0).map((fleet) => fleet.stop()));
});

function connect(fleet: Fleet, index: number) {
  const member = fleet.members[index];
  if (!member) throw new Error(`no member ${index}`);
  const { deviceId, port, accessoryPublicKey: publicKey } = member;
  return new HttpClient(deviceId, '127.0.0.1', port, hapControllerPairing(controller, { deviceId, publicKey }));
}

describe('a fleet', () => {
  it('is paired beforehand, reports writes, and comes back on the same ports after total loss', async () => {
    const writes: FleetWrite[] = [];
    const fleet = await startFleet({
      count: 5,
      processes: 2,
      controllers: [controller],
      onWrite: (write) => writes.push(write),
    });
    fleets.push(fleet);
    const before = fleet.members;
    expect(new Set(before.map(({ port }) => port)).size).toBe(5);
    await connect(fleet, 3).setCharacteristics({ '1.9': true });
    await eventually(() => writes).toMatchObject([{ deviceId: before[3]?.deviceId, iid: '9', value: true }]);
    expect(Math.abs((writes[0]?.at ?? 0) - performance.timeOrigin - performance.now())).toBeLessThan(60_000);
    await fleet.set(before[4]?.deviceId ?? '', 1, 10, 7);
    expect(await connect(fleet, 4).getCharacteristics(['1.10'])).toMatchObject({ characteristics: [{ value: 7 }] });
    await fleet.lose();
    await expect(connect(fleet, 0).getAccessories()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await fleet.restore();
    expect(fleet.members).toEqual(before);
    expect((await connect(fleet, 0).getAccessories()).accessories).toHaveLength(1);
    await eventually(async () => (await fleet.counts()).connections).toBe(0);
  });

  it('has at least twenty characteristics an accessory, and bridges of 149 children', () => {
    const sizes = [fullAccessory('Lamp'), ...bridgeDatabase(149).slice(1)].map(
      ({ services }) => services.flatMap(({ characteristics }) => characteristics).length,
    );
    expect(sizes).toHaveLength(150);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(20);
  });
});
