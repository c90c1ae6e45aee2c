import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { bridgeDatabase, fullAccessory, lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { hastyClock } from './chaos-fixture.ts';

const UNREACHABLE = -70402;
const BUSY = -70403;
/** So many times faster passes the grace of a device that is away. */
const HASTE = 5;

describe('a bridge with 149 children', () => {
  const directory = createTempDirectory('bridge');
  let relay: E2eRelay;
  let bridge: RawAccessory;

  beforeAll(async () => {
    bridge = await startRawAccessory({ database: bridgeDatabase(149), name: 'Bridge', paired: [KNOWN_CONTROLLER] });
    sharePairings(directory, [bridge]);
    relay = await E2eRelay.start({ directory });
    await relay.untilStatus(bridge.deviceId, 'connected');
  });

  afterAll(async () => {
    await relay[Symbol.asyncDispose]();
    await bridge.stop();
    directory.remove();
  });

  it('is served whole, over one connection, and every child is watched', async () => {
    const { body } = await relay.get('/rest/accessories');
    expect(body).toHaveLength(150);
    expect(body.every((accessory: { reachable: boolean }) => accessory.reachable)).toBe(true);
    expect(bridge.connections()).toBe(1);
    expect(bridge.subscriptions().has('150.9')).toBe(true);
    bridge.set(150, 10, 42);
    await relay.untilState('Lamp 149', 'brightness', 42);
  });

  it('marks one child that answers −70402 as unreachable, and it alone', async () => {
    const repair = bridge.fail({ aid: 7, status: UNREACHABLE });
    const { body } = await relay.set('Lamp 6', { on: true });
    expect(body).toMatchObject({ updated: 0, failed: 1 });
    expect(body.errors[0]).toMatch(/unreachable/i);
    await eventually(async () => (await relay.accessory('Lamp 6')).reachable === false, 'it to be unreachable', 30_000);
    const others = (await relay.get('/rest/accessories')).body.filter(
      ({ name }: { name: string }) => name !== 'Lamp 6',
    );
    expect(others.every((accessory: { reachable: boolean }) => accessory.reachable)).toBe(true);
    repair();
    expect((await relay.set('Lamp 6', { on: true })).body).toMatchObject({ updated: 1, failed: 0 });
    await eventually(async () => (await relay.accessory('Lamp 6')).reachable, 'it to be reachable again', 30_000);
  });

  it('writes the good parts of a batch and reports the bad ones', async () => {
    const repair = bridge.fail({ aid: 9, iid: 10, status: UNREACHABLE, on: 'write' });
    const [home, room] = (await relay.state('Lamp 1')).path;
    const keys = await Promise.all(
      ['Lamp 7', 'Lamp 8', 'Lamp 9'].map(async (name) => (await relay.state(name)).path[2]),
    );
    const settings = Object.fromEntries(keys.map((key) => [key, { brightness: 9 }]));
    const { body } = await relay.post('/rest/state', { [home]: { [room]: settings } });
    expect(body).toMatchObject({ updated: 2, failed: 1 });
    expect(bridge.get(8, 10)).toBe(9);
    expect(bridge.get(10, 10)).toBe(9);
    repair();
  });

  it('tries a busy child again, and actuates once', async () => {
    bridge.fail({ aid: 5, iid: 10, status: BUSY, on: 'write', times: 2 });
    const before = bridge.writes.length;
    expect((await relay.set('Lamp 4', { brightness: 66 })).body).toMatchObject({ updated: 1, failed: 0 });
    expect(bridge.writes.slice(before)).toHaveLength(1);
  });

  it('follows children that come and go, keeping ids, names and rooms', async () => {
    const { id } = await relay.accessory('Lamp 20');
    await relay.asSystem('PATCH', `/rest/accessories/${id}`, { name: 'Porch' });
    const all = bridgeDatabase(149);
    const without = all.filter(({ aid }) => aid !== 21);
    await bridge.setDatabase(without);
    await eventually(async () => !(await relay.get(`/rest/accessories/${id}`)).body.reachable, 'the child to be gone');
    await bridge.setDatabase(all);
    await eventually(async () => (await relay.get(`/rest/accessories/${id}`)).body.reachable, 'the child to be back');
    expect((await relay.get(`/rest/accessories/${id}`)).body.name).toBe('Porch');
    expect((await relay.set('Porch', { on: true })).body.failed).toBe(0);
  });

  it.each([
    ['falls', 1],
    ['wraps', 65_535],
    ['restarts', 2],
  ])('reads its database again when c# %s', async (_how, configNumber) => {
    const extra = fullAccessory(`Extra ${configNumber}`, 1_000 + configNumber);
    await bridge.setDatabase([...bridgeDatabase(149), extra], configNumber);
    await eventually(async () => (await relay.accessory(`Extra ${configNumber}`))?.reachable, 'the new child');
  });
});

describe('ids above 2^53', () => {
  it('are exact from the device to the API and back, across a restart', async () => {
    using directory = createTempDirectory('ids');
    const aids = ['1', '9007199254740993', '9223372036854775809', '18446744073709551615'];
    const database = aids.map((aid, index) => lampAccessory(`Lamp ${index}`, aid));
    const bridge = await startRawAccessory({ database, name: 'Bridge', paired: [KNOWN_CONTROLLER] });
    sharePairings(directory, [bridge]);
    const relay = await E2eRelay.start({ directory });
    try {
      await relay.untilStatus(bridge.deviceId, 'connected');
      for (const [index, aid] of aids.entries()) {
        expect((await relay.set(`Lamp ${index}`, { brightness: 10 + index })).body.failed).toBe(0);
        expect(bridge.writes.at(-1)).toMatchObject({ aid, iid: '10', value: 10 + index });
        bridge.set(aid, 10, 80 + index);
        await relay.untilState(`Lamp ${index}`, 'brightness', 80 + index);
      }
      const before = (await relay.get('/rest/accessories')).body.map(({ id }: { id: string }) => id);
      await relay.stop();
      await relay.start();
      await relay.untilStatus(bridge.deviceId, 'connected');
      expect((await relay.get('/rest/accessories')).body.map(({ id }: { id: string }) => id)).toEqual(before);
      await relay.untilState('Lamp 3', 'brightness', 83);
    } finally {
      await relay[Symbol.asyncDispose]();
      await bridge.stop();
    }
  });
});

describe('a restart of the daemon', () => {
  it('shows the last known values until the device answers', async () => {
    using directory = createTempDirectory('last');
    const accessory = await startRawAccessory({
      database: [lampAccessory('Lamp')],
      name: 'Lamp',
      paired: [KNOWN_CONTROLLER],
      mdns: false,
    });
    sharePairings(directory, [accessory]);
    const relay = await E2eRelay.start({ directory, overrides: { clock: hastyClock(HASTE) } });
    try {
      await relay.untilStatus(accessory.deviceId, 'connected');
      accessory.set(1, 10, 37);
      await relay.untilState('Lamp', 'brightness', 37);
      await relay.stop();
      await accessory.goOffline();
      await relay.start();
      expect((await relay.state('Lamp')).properties.brightness).toBe(37);
      await eventually(async () => !(await relay.accessory('Lamp')).reachable, 'it to be unreachable');
      const { body } = await relay.set('Lamp', { on: true });
      expect(body).toMatchObject({ updated: 0, failed: 1 });
      accessory.setSilently(1, 10, 38);
      await accessory.restart();
      await relay.untilState('Lamp', 'brightness', 38);
      await eventually(async () => (await relay.accessory('Lamp')).reachable, 'it to be reachable');
    } finally {
      await relay[Symbol.asyncDispose]();
      await accessory.stop();
    }
  });
});
