import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/app/access/caller.ts';
import type { PairingStep } from '../../../src/home/pairing-driver.ts';
import { lamp, plainSwitch } from '../../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller, userCaller } from '../../support/test-home.ts';

const PLUG = {
  deviceId: 'AA:BB:CC:00:00:01',
  name: 'Plug',
  setupCode: '031-45-154',
  accessories: [plainSwitch('Plug')],
};
const LAMP = { deviceId: 'AA:BB:CC:00:00:02', name: 'Lamp', setupCode: '031-45-155', accessories: [lamp('Lamp')] };
const KEY = 'ab'.repeat(32);

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('pairings', () => {
  let test: TestHome;
  /** Ann is admin of the first home alone. */
  let ann: Caller;

  beforeEach(() => {
    test = createTestHome({
      roles: {
        roleOf: (userId, homeId) => (userId === 'ann' && homeId === test.home.id ? 'admin' : undefined),
        homesOf: (userId) => (userId === 'ann' ? [test.home.id] : []),
      },
    });
    ann = userCaller('ann');
    test.driver.addDevice(PLUG);
    test.driver.addDevice(LAMP);
  });

  afterEach(() => test.close());

  it('bring a device’s accessories into the home, step by step', async () => {
    const steps: PairingStep[] = [];
    const input = { device: PLUG.deviceId, setupCode: PLUG.setupCode };
    const paired = await test.pairings.pair(ann, input, (step) => steps.push(step));
    expect(paired).toMatchObject({ deviceId: PLUG.deviceId, homeId: test.home.id, status: 'connected' });
    expect(steps.at(0)).toBe('connecting');
    expect(steps.at(-1)).toBe('done');
    expect(test.named('Plug').homeId).toBe(test.home.id);
    expect(test.pairings.list(ann)).toEqual([paired]);
  });

  it('ask which home where there are several, and take the only one that the caller manages', async () => {
    const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
    const input = { device: PLUG.deviceId, setupCode: PLUG.setupCode };
    await expect(test.pairings.pair(systemCaller, input)).rejects.toThrow(code('invalid_request'));
    expect((await test.pairings.pair(ann, input)).homeId).toBe(test.home.id);
    const other = { device: LAMP.deviceId, setupCode: LAMP.setupCode, homeId: cottage.id.toUpperCase() };
    expect((await test.pairings.pair(systemCaller, other)).homeId).toBe(cottage.id);
  });

  it('report what is wrong with a request before a device is bothered', async () => {
    const good = { device: PLUG.deviceId, setupCode: PLUG.setupCode };
    const attempt = (changes: object) => test.pairings.pair(systemCaller, { ...good, ...changes });
    await expect(attempt({ homeId: 'no-such-home' })).rejects.toThrow(code('home_not_found'));
    await expect(attempt({ homeId: 5 })).rejects.toThrow(code('invalid_value'));
    await expect(attempt({ setupCode: 3145154 })).rejects.toThrow(code('invalid_value'));
    await expect(attempt({ setupCode: '1'.repeat(1_000) })).rejects.toThrow(code('invalid_value'));
    await expect(attempt({ device: ' ' })).rejects.toThrow(code('invalid_value'));
    await expect(attempt({ device: 'AA:BB:CC:00:00:99' })).rejects.toThrow(code('not_found'));
    await expect(attempt({ setupCode: '111-22-334' })).rejects.toThrow(code('pairing_failed'));
    expect(test.state.accessories()).toEqual([]);
  });

  it('are refused into a paused home', async () => {
    test.homes.update(systemCaller, test.home.id, { paused: true });
    await expect(
      test.pairings.pair(systemCaller, { device: PLUG.deviceId, setupCode: PLUG.setupCode }),
    ).rejects.toThrow(code('conflict'));
  });

  it('end with the accessories gone, for any case of the device id', async () => {
    await test.pairings.pair(ann, { device: PLUG.deviceId, setupCode: PLUG.setupCode });
    await test.pairings.unpair(ann, PLUG.deviceId.toLowerCase());
    expect(test.state.accessories()).toEqual([]);
    expect(test.pairings.list(ann)).toEqual([]);
    await expect(test.pairings.unpair(ann, PLUG.deviceId)).rejects.toThrow(code('not_found'));
  });

  it('end without the device only by force', async () => {
    await test.pairings.pair(ann, { device: PLUG.deviceId, setupCode: PLUG.setupCode });
    test.driver.setReachable(PLUG.deviceId, false);
    await expect(test.pairings.unpair(ann, PLUG.deviceId)).rejects.toThrow(code('accessory_unreachable'));
    expect(test.state.accessories()).toHaveLength(1);
    await test.pairings.unpair(ann, PLUG.deviceId, true);
    expect(test.state.accessories()).toEqual([]);
  });

  it('hide other homes: their devices, and that a device seen on the network belongs to one', async () => {
    const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
    await test.pairings.pair(systemCaller, { device: LAMP.deviceId, setupCode: LAMP.setupCode, homeId: cottage.id });
    const seen = (caller: Caller) => test.pairings.listDiscovered(caller).find(({ name }) => name === 'Lamp');
    expect(seen(systemCaller)).toMatchObject({ homeId: cottage.id, pairedHere: true });
    expect(seen(ann)).toMatchObject({ homeId: null, pairedHere: true });
    expect(test.pairings.list(ann)).toEqual([]);
    expect(test.pairings.list(systemCaller)).toHaveLength(1);
    expect(() => test.pairings.list(ann, cottage.id)).toThrow(code('home_not_found'));
    await expect(test.pairings.unpair(ann, LAMP.deviceId)).rejects.toThrow(code('not_found'));
    await expect(test.pairings.listControllers(ann, LAMP.deviceId)).rejects.toThrow(code('not_found'));
  });

  it('manage the controllers of a device', async () => {
    await test.pairings.pair(ann, { device: PLUG.deviceId, setupCode: PLUG.setupCode });
    const controller = { id: 'second', publicKey: KEY.toUpperCase(), admin: false };
    await test.pairings.addController(ann, PLUG.deviceId, controller);
    const ids = async () => (await test.pairings.listControllers(ann, PLUG.deviceId)).map(({ id, self }) => [id, self]);
    expect(await ids()).toEqual([
      [expect.any(String), true],
      ['second', false],
    ]);
    expect(await test.pairings.listControllers(ann, PLUG.deviceId)).toContainEqual({
      ...controller,
      publicKey: KEY,
      self: false,
    });
    await test.pairings.removeController(ann, PLUG.deviceId, 'second');
    expect(await ids()).toHaveLength(1);
  });

  it.each([{ id: '' }, { id: 'x'.repeat(37) }, { publicKey: 'abc' }, { publicKey: `${KEY}00` }, { admin: 'yes' }])(
    'refuse the controller %j',
    async (changes) => {
      await test.pairings.pair(ann, { device: PLUG.deviceId, setupCode: PLUG.setupCode });
      const controller = { id: 'second', publicKey: KEY, admin: true, ...(changes as object) };
      await expect(test.pairings.addController(ann, PLUG.deviceId, controller)).rejects.toThrow(code('invalid_value'));
    },
  );

  it('find devices by scanning again, by hand, and by letting one show itself', async () => {
    test.pairings.refresh(ann);
    expect(test.driver.refreshes).toBe(1);
    test.pairings.addManual(ann, ' 192.0.2.7:5001 ');
    expect(test.driver.manualEntries).toEqual(['192.0.2.7:5001']);
    expect(() => test.pairings.addManual(ann, 'nowhere')).toThrow(code('invalid_value'));
    expect(() => test.pairings.addManual(ann, 'x'.repeat(301))).toThrow(code('invalid_value'));
    test.pairings.removeManual(ann, '192.0.2.7:5001');
    expect(test.driver.manualEntries).toEqual([]);
    await test.pairings.identifyUnpaired(ann, PLUG.deviceId.toLowerCase());
    expect(test.driver.identified).toEqual([{ source: PLUG.deviceId, aid: '1' }]);
  });

  it('are the business of admins only', async () => {
    await test.pairings.pair(ann, { device: PLUG.deviceId, setupCode: PLUG.setupCode });
    const weak = tokenCaller({ [test.home.id]: 'control' });
    const acts: (() => unknown)[] = [
      () => test.pairings.listDiscovered(weak),
      () => test.pairings.refresh(weak),
      () => test.pairings.addManual(weak, '192.0.2.7:5001'),
      () => test.pairings.removeManual(weak, '192.0.2.7:5001'),
      () => test.pairings.list(weak),
      () => test.pairings.list(weak, test.home.id),
      () => test.pairings.pair(weak, { device: LAMP.deviceId, setupCode: LAMP.setupCode }),
      () => test.pairings.pair(weak, { device: LAMP.deviceId, setupCode: LAMP.setupCode, homeId: test.home.id }),
      () => test.pairings.unpair(weak, PLUG.deviceId, true),
      () => test.pairings.identifyUnpaired(weak, LAMP.deviceId),
      () => test.pairings.listControllers(weak, PLUG.deviceId),
      () => test.pairings.addController(weak, PLUG.deviceId, { id: 'x', publicKey: KEY, admin: true }),
      () => test.pairings.removeController(weak, PLUG.deviceId, 'x'),
    ];
    for (const act of acts) await expect((async () => act())()).rejects.toThrow(code('insufficient_permissions'));
    expect(test.pairings.list(ann)).toHaveLength(1);
    expect(test.driver.identified).toEqual([]);
  });
});
