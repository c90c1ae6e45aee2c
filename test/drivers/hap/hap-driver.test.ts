import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HearthError } from '../../../src/kernel/errors.ts';
import { createControllerKeys, createDeviceId, pairingKeys } from '../../support/accessories/identity.ts';
import { bridgeDatabase, lampAccessory } from '../../support/accessories/sample-databases.ts';
import { DriverLab, HOME, OTHER_HOME, writeTo } from './driver-lab.ts';
import { until } from './session-lab.ts';

let lab: DriverLab;

beforeEach(() => {
  lab = new DriverLab();
});

afterEach(() => lab.close());

async function failureOf(promise: Promise<unknown>): Promise<HearthError> {
  const error = await promise.then(
    () => new Error('It succeeded'),
    (reason: unknown) => reason,
  );
  if (error instanceof HearthError) return error;
  throw error;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('a driver that starts', () => {
  it('connects to what is paired, tells the home what is there, and that its homes are connected', async () => {
    const lamp = await lab.paired();
    expect(lab.sink.connected.size).toBe(0);
    lab.driver.start();
    expect(Object.fromEntries(lab.sink.connected)).toEqual({ [HOME]: true, [OTHER_HOME]: true });
    await lab.untilStatus(lamp, 'connected');
    expect(lab.sink.described.get(lamp.deviceId)).toMatchObject([{ aid: '1', name: 'Lamp' }]);
    expect(lab.sink.calls).toContain(`describe ${lamp.deviceId} in ${HOME}`);
    expect(lab.value(lamp, 10)).toBe(50);
    expect(lab.sink.reachable.get(lamp.deviceId)).toBe(true);
    expect(lab.device(lamp.deviceId)).toMatchObject({
      homeId: HOME,
      name: lamp.name,
      status: 'connected',
      statusDetail: null,
      address: `127.0.0.1:${lamp.port}`,
      reconnects: 0,
      pairedAt: 1,
    });
  });

  it('shows the home as it was before devices answer, and reads no database that it knows', async () => {
    const lamp = await lab.paired();
    lab.driver.start();
    await lab.untilStatus(lamp, 'connected');
    await lab.driver.stop();
    const { requests } = lamp;
    requests.length = 0;
    await lab.restart();
    expect(lab.sink.described.get(lamp.deviceId)).toMatchObject([{ aid: '1', name: 'Lamp' }]);
    expect(lab.value(lamp, 10)).toBeUndefined();
    await lab.untilStatus(lamp, 'connected');
    expect(requests.map(({ path }) => path)).not.toContain('/accessories');
    expect(lab.value(lamp, 10)).toBe(50);
  });

  it('reaches a device where it answered last while mDNS is silent, and takes its database from the cache', async () => {
    const lamp = await lab.paired();
    lab.driver.start();
    await lab.untilStatus(lamp, 'connected');
    await lab.driver.stop();
    lab.discovery.remove(lamp.deviceId);
    await lab.restart();
    await lab.untilStatus(lamp, 'connected');
    expect(lab.device(lamp.deviceId)).toMatchObject({ name: lamp.name, address: `127.0.0.1:${lamp.port}` });
  });

  it('reads a spoilt cache anew', async () => {
    const lamp = await lab.paired();
    lab.driver.start();
    await lab.untilStatus(lamp, 'connected');
    await lab.driver.stop();
    lab.database.exec(`UPDATE accessory_databases SET body = '{"acc'`);
    await lab.restart();
    expect(lab.sink.described.has(lamp.deviceId)).toBe(false);
    await lab.untilStatus(lamp, 'connected');
    expect(lab.sink.described.get(lamp.deviceId)).toHaveLength(1);
  });

  it('follows a device that announces another port', async () => {
    const lamp = await lab.paired();
    lab.driver.start();
    await lab.untilStatus(lamp, 'connected');
    const before = lamp.port;
    await lamp.restart({ port: 0 });
    lab.announce(lamp);
    await until(() => lab.device(lamp.deviceId)?.address === `127.0.0.1:${lamp.port}`, 'it to be reached there');
    expect(lamp.port).not.toBe(before);
    await lab.untilStatus(lamp, 'connected');
  });

  it('asks the network where a device is that it lost, twice an outage', async () => {
    const lamp = await lab.paired();
    lab.driver.start();
    await lab.untilStatus(lamp, 'connected');
    expect(lab.discovery.refreshes).toEqual([]);
    await lamp.goOffline();
    await lab.untilStatus(lamp, 'offline');
    await pause(500);
    expect(lab.discovery.refreshes).toEqual([lamp.deviceId, lamp.deviceId]);
    await lab.driver.stop();
    expect(lab.discovery.refreshes).toHaveLength(2);
  });

  it('remembers over restarts how little a device takes', async () => {
    const bridge = await lab.paired(HOME, { database: bridgeDatabase(3) });
    const spans = ({ method, body }: { method: string; body: Buffer }): boolean =>
      method === 'PUT' && new Set([...body.toString().matchAll(/"aid":(\d+)/g)].map(([, aid]) => aid)).size > 1;
    bridge.play({ on: spans, apply: false, status: 400, times: 1_000 });
    lab.driver.start();
    await lab.untilStatus(bridge, 'connected');
    bridge.requests.length = 0;
    await lab.restart();
    await lab.untilStatus(bridge, 'connected');
    expect(bridge.subscriptions().size).toBe(3 * 15);
    expect(bridge.requests.filter(spans)).toEqual([]);
  });

  it('tells of children that are away apart from the rest', async () => {
    const bridge = await lab.paired(HOME, { database: bridgeDatabase(3) });
    bridge.fail({ aid: 3, status: -70402 });
    lab.driver.start();
    await lab.untilStatus(bridge, 'connected');
    const told = ['1', '2', '3', '4'].map((aid) => lab.sink.reachable.get(`${bridge.deviceId}/${aid}`));
    expect(told).toEqual([true, true, undefined, true]);
    expect(lab.sink.reachable.get(bridge.deviceId), 'not all of them').not.toBe(true);
  });

  it('stops twice and starts again, whole', async () => {
    const lamp = await lab.paired();
    for (let n = 0; n < 3; n += 1) {
      lab.driver.start();
      await lab.untilStatus(lamp, 'connected');
      await Promise.all([lab.driver.stop(), lab.driver.stop()]);
      expect(Object.fromEntries(lab.sink.connected)).toEqual({ [HOME]: false, [OTHER_HOME]: false });
      expect(lab.driver.listPaired()).toEqual([]);
      await until(() => lamp.connections() === 0, 'the connection to end');
    }
  });

  it('goes on with its devices though the disk is full', async () => {
    const lamp = await lab.paired();
    lab.database.pragma('query_only = ON');
    lab.driver.start();
    await lab.untilStatus(lamp, 'connected');
    expect(await lab.driver.write([writeTo(lamp.deviceId, 10, 5)])).toEqual([{ ok: true, value: 5 }]);
    lab.database.pragma('query_only = OFF');
  });
});

describe('pausing a home', () => {
  it('lets its devices go and no others, and takes them back when it is resumed', async () => {
    const [lamp, other] = [await lab.paired(HOME), await lab.paired(OTHER_HOME)];
    lab.driver.start();
    await Promise.all([lamp, other].map((one) => lab.untilStatus(one, 'connected')));
    lab.driver.setHomePaused(HOME, true);
    expect(lab.sink.connected.get(HOME)).toBe(false);
    await lab.untilStatus(lamp, 'paused');
    expect(lab.device(lamp.deviceId)?.statusDetail).toMatch(/hearthd home resume/);
    expect(lab.sink.reachable.get(lamp.deviceId)).toBe(false);
    await until(() => lamp.connections() === 0, 'it to be let go');
    expect(lab.device(other.deviceId)?.status).toBe('connected');
    lab.driver.setHomePaused(HOME, false);
    expect(lab.sink.connected.get(HOME)).toBe(true);
    await lab.untilStatus(lamp, 'connected');
    expect(other.connections()).toBe(1);
  });

  it('in quick succession ends as was said last, with one connection', async () => {
    const lamp = await lab.paired();
    lab.driver.start();
    for (let n = 0; n < 40; n += 1) {
      lab.driver.setHomePaused(HOME, n % 2 === 0);
      if (n % 7 === 0) await pause(n);
    }
    await lab.untilStatus(lamp, 'connected');
    await until(() => lamp.connections() === 1, 'one connection');
    for (let n = 0; n < 41; n += 1) lab.driver.setHomePaused(HOME, n % 2 === 0);
    await lab.untilStatus(lamp, 'paused');
    await pause(100);
    expect(lab.device(lamp.deviceId)?.status).toBe('paused');
    expect(lamp.connections()).toBe(0);
  });

  it('holds over a restart, and says so', async () => {
    const lamp = await lab.paired();
    lab.homes[0] = { id: HOME, paused: true };
    lab.driver.start();
    await lab.untilStatus(lamp, 'paused');
    expect(lab.sink.connected.get(HOME)).toBe(false);
    expect(lamp.requests).toEqual([]);
    lab.driver.setHomePaused(HOME, false);
    await lab.untilStatus(lamp, 'connected');
  });
});

describe('writing', () => {
  it('to several devices gives one outcome for each, in the order asked, whatever becomes of the others', async () => {
    const [one, two, dead] = [await lab.paired(), await lab.paired(), await lab.paired()];
    lab.driver.start();
    await Promise.all([one, two, dead].map((device) => lab.untilStatus(device, 'connected')));
    await dead.goOffline();
    await lab.untilStatus(dead, 'offline');
    const outcomes = await lab.driver.write([
      writeTo(two.deviceId, 10, 1),
      writeTo(dead.deviceId, 10, 2),
      writeTo(one.deviceId, 10, 3),
      writeTo('00:00:00:00:00:00', 10, 4),
      writeTo(two.deviceId, 99, 5),
      writeTo(one.deviceId, 9, true),
      writeTo(dead.deviceId, 9, true),
    ]);
    expect(outcomes).toMatchObject([
      { ok: true, value: 1 },
      { ok: false, reason: 'unreachable' },
      { ok: true, value: 3 },
      { ok: false, reason: 'unreachable', detail: 'The device is not paired here.' },
      { ok: false, reason: 'not_found' },
      { ok: true, value: true },
      { ok: false, reason: 'unreachable' },
    ]);
    expect(one.writes.map(({ iid }) => iid)).toEqual(['10', '9']);
    expect(one.requests.filter(({ method, body }) => method === 'PUT' && body.includes('"value"'))).toHaveLength(1);
    expect(await lab.driver.write([])).toEqual([]);
  });

  it('is not held up by a device that says nothing', async () => {
    const [quick, silent] = [await lab.paired(), await lab.paired()];
    lab.driver.start();
    await Promise.all([quick, silent].map((device) => lab.untilStatus(device, 'connected')));
    silent.silent = true;
    const stuck = lab.driver.write([writeTo(silent.deviceId, 10, 1)]);
    expect(await lab.driver.write([writeTo(quick.deviceId, 10, 1)])).toMatchObject([{ ok: true }]);
    await lab.driver.stop();
    expect(await stuck, 'and the stop ends it').toMatchObject([{ ok: false, reason: 'unreachable' }]);
  });

  it('has an outcome for everything that is under way when the driver stops', async () => {
    const lamps = [await lab.paired(), await lab.paired()];
    lab.driver.start();
    await Promise.all(lamps.map((lamp) => lab.untilStatus(lamp, 'connected')));
    for (const lamp of lamps) lamp.play({ delayMs: 300, times: 100 });
    const calls = Array.from({ length: 10 }, (_, n) =>
      lab.driver.write(lamps.map(({ deviceId }) => writeTo(deviceId, 10, n))),
    );
    await lab.driver.stop();
    for (const outcomes of await Promise.all(calls)) expect(outcomes).toHaveLength(2);
    expect(await lab.driver.write([writeTo(lamps[0]?.deviceId ?? '', 10, 1)])).toMatchObject([{ ok: false }]);
  });
});

describe('pairing', () => {
  it('ends with a device that is connected, read and stored', async () => {
    const lamp = await lab.nearby({ name: 'Reading Lamp' });
    lab.driver.start();
    const steps: string[] = [];
    const device = await lab.pair(lamp, lamp.deviceId.toLowerCase(), steps);
    expect(device).toMatchObject({ deviceId: lamp.deviceId, homeId: HOME, name: 'Reading Lamp', status: 'connected' });
    expect(steps).toEqual(['connecting', 'exchanging', 'proving', 'saving', 'reading', 'done']);
    expect(lab.value(lamp, 10)).toBe(50);
    expect(lab.pairings.lastAddress(lamp.deviceId)).toEqual({ host: '127.0.0.1', port: lamp.port });
    expect(lamp.connections(), 'the pairing’s own connection is closed').toBe(1);
    await lab.restart();
    await lab.untilStatus(lamp, 'connected');
  });

  it('of two devices at once works, and of one device twice is refused to the second', async () => {
    const [one, two] = [await lab.nearby(), await lab.nearby()];
    lab.driver.start();
    const first = lab.pair(one);
    const again = await failureOf(lab.pair(one));
    expect(again).toMatchObject({ code: 'conflict' });
    expect(again.message).toMatch(/at this moment/);
    const devices = await Promise.all([first, lab.pair(two)]);
    expect(devices.map(({ status }) => status)).toEqual(['connected', 'connected']);
    expect(await failureOf(lab.pair(one))).toMatchObject({ code: 'conflict', message: /paired here already/ });
  });

  it('is not listed as half-made while it is under way, nor can it be undone then', async () => {
    const lamp = await lab.nearby();
    lab.driver.start();
    lamp.play({ on: ({ path }) => path === '/pair-setup', delayMs: 150, times: 10 });
    const pairing = lab.pair(lamp);
    await until(() => lab.pairings.find(lamp.deviceId)?.state === 'exchanging', 'the keys to be written down');
    expect(lab.driver.listPaired()).toEqual([]);
    expect(await failureOf(lab.driver.unpair(lamp.deviceId, true))).toMatchObject({ code: 'conflict' });
    expect((await pairing).status).toBe('connected');
  });

  it('goes on while the device says goodbye and comes back, as many do while they are paired', async () => {
    const lamp = await lab.nearby();
    lab.driver.start();
    lamp.stumble({ at: 'setup-M2', error: 3, retryDelayS: 2 });
    const pairing = lab.pair(lamp);
    await until(() => lamp.requestCount > 0, 'the first attempt');
    lab.discovery.remove(lamp.deviceId);
    await until(() => lamp.requestCount >= 4, 'the second attempt');
    lab.announce(lamp);
    expect((await pairing).status).toBe('connected');
  });

  it('that is under way when the driver stops is finished, and the device is there after the restart', async () => {
    const lamp = await lab.nearby();
    lab.driver.start();
    lamp.play({ on: ({ path }) => path === '/pair-setup', delayMs: 100, times: 10 });
    const pairing = lab.pair(lamp);
    await until(() => lamp.requestCount > 0, 'the exchange to begin');
    await lab.driver.stop();
    await pairing;
    expect(lab.pairings.find(lamp.deviceId)?.state).toBe('paired');
    expect(await failureOf(lab.pair(lamp)), 'and nothing new begins').toMatchObject({ code: 'relay_not_connected' });
    await lab.restart();
    await lab.untilStatus(lamp, 'connected');
  });

  it('into a home that is paused meanwhile leaves the device alone', async () => {
    const lamp = await lab.nearby();
    lab.driver.start();
    const pairing = lab.pair(lamp);
    lab.driver.setHomePaused(HOME, true);
    expect((await pairing).status).not.toBe('connected');
    await lab.untilStatus(lamp, 'paused');
    lab.driver.setHomePaused(HOME, false);
    await lab.untilStatus(lamp, 'connected');
  });

  it('answers although the device does not let itself be read', async () => {
    const lamp = await lab.nearby();
    lamp.play({ on: ({ path }) => path === '/accessories', body: '{"accessories":', times: 100 });
    lab.driver.start();
    const pairing = lab.pair(lamp);
    await until(() => lab.device(lamp.deviceId)?.status === 'offline', 'it to be paired');
    lab.driver.setHomePaused(HOME, true);
    expect(['offline', 'paused']).toContain((await pairing).status);
    expect(lab.pairings.find(lamp.deviceId)?.state).toBe('paired');
  });

  it.each([
    ['nobody', 'AA:AA:AA:AA:AA:AA', 'not_found'],
    ['an id that lacks a byte', 'AA:AA:AA:AA:AA', 'not_found'],
    ['a name', 'Lamp', 'not_found'],
    ['a port that is none', '127.0.0.1:99999', 'invalid_value'],
    ['no address', ':80', 'invalid_value'],
  ])('with %s is refused', async (_who, device, code) => {
    lab.driver.start();
    const { setupCode } = await lab.accessory();
    expect(await failureOf(lab.driver.pair({ device, homeId: HOME, setupCode }, () => {}))).toMatchObject({ code });
    expect(lab.rows('manual_devices')).toBe(0);
  });

  it('learns which method the device answers and says it at once the next time', async () => {
    const lamp = await lab.nearby();
    lamp.pairing.rejectedMethod = 0;
    lab.driver.start();
    await lab.pair(lamp);
    await lab.driver.unpair(lamp.deviceId, false);
    lamp.requests.length = 0;
    await lab.pair(lamp);
    expect(lamp.requests.filter(({ path }) => path === '/pair-setup')).toHaveLength(3);
  });
});

describe('pairing by host and port', () => {
  const named = (port: number): string => `127.0.0.1:${port}`;

  it('needs no mDNS, is kept as a manual entry, and survives a restart', async () => {
    const lamp = await lab.accessory();
    lab.driver.start();
    const device = await lab.pair(lamp, `  ${named(lamp.port)} `);
    expect(device).toMatchObject({ deviceId: lamp.deviceId, status: 'connected' });
    expect([...lab.discovery.manual]).toEqual([named(lamp.port)]);
    lab.discovery.manual.clear();
    await lab.restart();
    expect([...lab.discovery.manual]).toEqual([named(lamp.port)]);
    await lab.untilStatus(lamp, 'connected');
  });

  it('works by host name too', async () => {
    const lamp = await lab.accessory();
    lab.driver.start();
    expect((await lab.pair(lamp, `LOCALHOST:${lamp.port}`)).status).toBe('connected');
    expect([...lab.discovery.manual]).toEqual([`localhost:${lamp.port}`]);
  });

  it('works once the entry is known under its device id, whichever of the two is said', async () => {
    const [one, two] = [await lab.accessory(), await lab.accessory()];
    lab.driver.start();
    for (const { deviceId, name, port } of [one, two]) {
      lab.discovery.announce({ deviceId, name, port, host: '127.0.0.1', via: 'manual' });
    }
    expect(await lab.pair(one, named(one.port))).toMatchObject({ deviceId: one.deviceId, name: one.name });
    expect(await lab.pair(two, two.deviceId)).toMatchObject({ deviceId: two.deviceId, status: 'connected' });
    expect(await failureOf(lab.pair(one, named(one.port)))).toMatchObject({ code: 'conflict' });
  });

  it('works while mDNS finds out who that is', async () => {
    const lamp = await lab.accessory();
    lab.driver.start();
    lab.discovery.announce({ deviceId: named(lamp.port), port: lamp.port, host: '127.0.0.1', via: 'manual' });
    lamp.stumble({ at: 'setup-M2', error: 3, retryDelayS: 2 });
    const pairing = lab.pair(lamp, named(lamp.port));
    await until(() => lamp.requestCount > 0, 'the first attempt');
    lab.discovery.remove(named(lamp.port));
    lab.announce(lamp);
    expect(await pairing).toMatchObject({ deviceId: lamp.deviceId, status: 'connected' });
    expect(lab.driver.listPaired()).toHaveLength(1);
  });

  it('leaves no trace of an address where nobody answers', async () => {
    lab.driver.start();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    const error = await failureOf(
      lab.driver.pair({ device: named(port), homeId: HOME, setupCode: '031-45-154' }, () => {}),
    );
    expect(error).toMatchObject({ code: 'pairing_failed' });
    expect([...lab.discovery.manual]).toEqual([]);
    expect(lab.rows('manual_devices')).toBe(0);
    expect(lab.driver.listPaired()).toEqual([]);
  });

  it('finds what an earlier try by host and port left half-made, also when it is then asked for by id', async () => {
    const lamp = await lab.accessory();
    lab.driver.start();
    lamp.stumble({ at: 'setup-M6', instead: 'cut-after' });
    expect(await failureOf(lab.pair(lamp, named(lamp.port)))).toMatchObject({ code: 'pairing_failed' });
    expect(lab.driver.listPaired()).toMatchObject([{ deviceId: named(lamp.port), status: 'pairing_incomplete' }]);
    lab.announce(lamp);
    expect((await lab.pair(lamp)).status).toBe('connected');
    expect(lamp.pairing.controllers.size).toBe(1);
    expect(lab.driver.listPaired()).toMatchObject([{ deviceId: lamp.deviceId }]);
  });
});

describe('a pairing of another controller', () => {
  it('with a device that is away is kept, over a restart as well, and used when the device is there', async () => {
    const other = createControllerKeys();
    const lamp = await lab.accessory({ paired: [{ id: other.id, publicKey: other.publicKey }] });
    lab.driver.start();
    const pairing = { ...pairingKeys(other, lamp), accessoryPublicKey: lamp.publicKey, name: 'Lamp', address: null };
    expect(await lab.driver.adopt(pairing, HOME)).toBe('unreachable');
    await lab.restart();
    await until(() => lab.device(lamp.deviceId)?.lastError != null, 'it to be looked for in vain');
    expect(lab.device(lamp.deviceId)).toMatchObject({ name: 'Lamp', homeId: HOME, lastSeenAt: null });
    lab.announce(lamp);
    await lab.untilStatus(lamp, 'connected');
  });
});

describe('manual entries', () => {
  it('are stored in one spelling and come back with the next start, until they are removed', async () => {
    lab.driver.start();
    lab.driver.addManual('LAMP.lan:51826');
    lab.driver.addManual(' [FD00::7]:80 ');
    lab.driver.addManual('lamp.lan:51826');
    expect([...lab.discovery.manual]).toEqual(['lamp.lan:51826', '[fd00::7]:80']);
    lab.driver.removeManual('Lamp.LAN:51826');
    lab.discovery.manual.clear();
    await lab.restart();
    expect([...lab.discovery.manual]).toEqual(['[fd00::7]:80']);
    expect(() => lab.driver.addManual('nonsense')).toThrow(/host:port/);
    expect(() => lab.driver.removeManual('nonsense')).toThrow(/host:port/);
    expect(lab.rows('manual_devices')).toBe(1);
  });
});

describe('unpairing', () => {
  it('removes us from the device, then everything about it here', async () => {
    const lamp = await lab.paired();
    lab.driver.start();
    await lab.untilStatus(lamp, 'connected');
    await lab.driver.unpair(lamp.deviceId.toLowerCase(), false);
    expect(lamp.pairing.controllers.size).toBe(0);
    expect(lab.driver.listPaired()).toEqual([]);
    expect(lab.sink.calls.at(-1)).toBe(`forget ${lamp.deviceId}`);
    expect([lab.rows('pairings'), lab.rows('accessory_databases')]).toEqual([0, 0]);
    await pause(50);
    expect(lab.sink.calls.at(-1), 'and nothing brings it back').toBe(`forget ${lamp.deviceId}`);
    expect(await failureOf(lab.driver.unpair(lamp.deviceId, true))).toMatchObject({ code: 'not_found' });
    lab.announce(lamp);
    expect((await lab.pair(lamp)).status).toBe('connected');
  });

  it('asked for twice at once happens once', async () => {
    const lamp = await lab.paired();
    lab.driver.start();
    await lab.untilStatus(lamp, 'connected');
    const results = await Promise.allSettled([
      lab.driver.unpair(lamp.deviceId, false),
      lab.driver.unpair(lamp.deviceId, false),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(results[1]).toMatchObject({ reason: { code: 'conflict' } });
  });

  it('of a device that is away is refused, and with force forgets it', async () => {
    const lamp = await lab.paired();
    lab.driver.start();
    await lab.untilStatus(lamp, 'connected');
    await lamp.goOffline();
    const refused = await failureOf(lab.driver.unpair(lamp.deviceId, false));
    expect(refused).toMatchObject({ code: 'accessory_unreachable' });
    expect(refused.message).toMatch(/Bring it back.*force/);
    expect(lab.pairings.find(lamp.deviceId)).toBeDefined();
    await lab.driver.unpair(lamp.deviceId, true);
    expect([lab.rows('pairings'), lab.driver.listPaired().length]).toEqual([0, 0]);
    expect(lab.sink.calls.at(-1)).toBe(`forget ${lamp.deviceId}`);
  });

  it('of a device that refuses it says why', async () => {
    const lamp = await lab.paired();
    lab.driver.start();
    await lab.untilStatus(lamp, 'connected');
    for (const controller of lamp.pairing.controllers.values()) controller.admin = false;
    expect((await failureOf(lab.driver.unpair(lamp.deviceId, false))).message).toMatch(/admin controllers/);
    expect(lab.device(lamp.deviceId)?.status).toBe('connected');
  });

  it('of a device that has forgotten us needs no force', async () => {
    const lamp = await lab.paired();
    lamp.pairing.controllers.clear();
    lab.driver.start();
    await lab.untilStatus(lamp, 'pairing_lost');
    await lab.driver.unpair(lamp.deviceId, false);
    expect(lab.rows('pairings')).toBe(0);
    expect((await lab.pair(lamp)).status).toBe('connected');
  });

  it('in the middle of connecting leaves no connection behind', async () => {
    for (let n = 0; n < 6; n += 1) {
      const lamp = await lab.paired();
      lamp.play({ on: ({ path }) => path === '/pair-verify', delayMs: 20 * n, times: 4 });
      await lab.restart();
      await pause(7 * n);
      await lab.driver.unpair(lamp.deviceId, true);
      await until(() => lamp.connections() === 0, 'it to be let go');
      expect(lab.sink.calls.at(-1)).toBe(`forget ${lamp.deviceId}`);
      expect(lab.driver.listPaired()).toEqual([]);
    }
  });

  it('in a paused home says that the home must be resumed', async () => {
    const lamp = await lab.paired();
    lab.driver.start();
    lab.driver.setHomePaused(HOME, true);
    await lab.untilStatus(lamp, 'paused');
    expect((await failureOf(lab.driver.unpair(lamp.deviceId, false))).message).toMatch(/paused\. Resume it/);
    await lab.driver.unpair(lamp.deviceId, true);
    expect(lab.driver.listPaired()).toEqual([]);
  });

  it('of a half-made pairing takes it off the device', async () => {
    const lamp = await lab.nearby();
    lab.driver.start();
    lamp.stumble({ at: 'setup-M6', instead: 'cut-after' });
    await failureOf(lab.pair(lamp));
    expect(lab.driver.listPaired()).toMatchObject([
      { deviceId: lamp.deviceId, status: 'pairing_incomplete', statusDetail: expect.stringMatching(/half-way/) },
    ]);
    expect(lamp.pairing.controllers.size).toBe(1);
    await lab.driver.unpair(lamp.deviceId, false);
    expect(lamp.pairing.controllers.size).toBe(0);
    expect([lab.rows('pairings'), lab.driver.listPaired().length]).toEqual([0, 0]);
  });

  it('of a half-made pairing keeps the keys while the device can’t be asked, unless forced', async () => {
    const lamp = await lab.nearby();
    lab.driver.start();
    lamp.stumble({ at: 'setup-M6', instead: 'cut-after' });
    await failureOf(lab.pair(lamp));
    await lamp.goOffline();
    expect(await failureOf(lab.driver.unpair(lamp.deviceId, false))).toMatchObject({ code: 'accessory_unreachable' });
    await lab.restart();
    expect(lab.driver.listPaired()).toMatchObject([{ status: 'pairing_incomplete' }]);
    lab.discovery.remove(lamp.deviceId);
    expect(await failureOf(lab.driver.unpair(lamp.deviceId, false))).toMatchObject({ code: 'accessory_unreachable' });
    await lab.driver.unpair(lamp.deviceId, true);
    expect(lab.driver.listPaired()).toEqual([]);
  });
});

describe('controllers and identify', () => {
  it('lists, adds and removes controllers, but not ourselves', async () => {
    const lamp = await lab.nearby();
    lab.driver.start();
    await lab.pair(lamp);
    const guest = createControllerKeys();
    const publicKey = guest.publicKey.toString('hex');
    await lab.driver.addController(lamp.deviceId, { id: guest.id, publicKey, admin: false });
    const listed = await lab.driver.listControllers(lamp.deviceId);
    expect(listed).toContainEqual({ id: guest.id, publicKey, admin: false, self: false });
    const self = listed.find((controller) => controller.self);
    expect(self?.admin).toBe(true);
    expect(await failureOf(lab.driver.removeController(lamp.deviceId, self?.id ?? ''))).toMatchObject({
      code: 'conflict',
    });
    await lab.driver.removeController(lamp.deviceId, guest.id);
    expect(await lab.driver.listControllers(lamp.deviceId)).toHaveLength(1);
    await lamp.goOffline();
    expect(await failureOf(lab.driver.listControllers(lamp.deviceId))).toMatchObject({ code: 'accessory_unreachable' });
    expect(await failureOf(lab.driver.listControllers(createDeviceId()))).toMatchObject({ code: 'not_found' });
  });

  it('identifies what is paired by its accessory, and what is not by its device', async () => {
    const lamp = await lab.nearby({ database: [lampAccessory('Lamp')] });
    lab.driver.start();
    await lab.driver.identifyUnpaired(lamp.deviceId);
    await lab.driver.identifyUnpaired(`127.0.0.1:${lamp.port}`);
    expect(lamp.identified).toBe(2);
    expect(lab.rows('manual_devices')).toBe(0);
    await lab.pair(lamp);
    expect(await failureOf(lab.driver.identifyUnpaired(lamp.deviceId))).toMatchObject({ code: 'conflict' });
    await lab.driver.identify({ source: lamp.deviceId, aid: '1' });
    expect(lamp.writes).toMatchObject([{ iid: '2', value: true }]);
    expect(await failureOf(lab.driver.identify({ source: createDeviceId(), aid: '1' }))).toMatchObject({
      code: 'not_found',
    });
  });

  it('says of a device that others hold, or that is away, why it can’t show itself', async () => {
    const stranger = createControllerKeys();
    const taken = await lab.nearby({ paired: [{ id: stranger.id, publicKey: stranger.publicKey }] });
    lab.driver.start();
    expect(await failureOf(lab.driver.identifyUnpaired(taken.deviceId))).toMatchObject({ code: 'conflict' });
    await taken.goOffline();
    expect(await failureOf(lab.driver.identifyUnpaired(taken.deviceId))).toMatchObject({
      code: 'accessory_unreachable',
    });
  });
});

describe('what is discovered', () => {
  it('says what can be paired, what is paired here, and into which home', async () => {
    const [ours, free] = [await lab.paired(OTHER_HOME, { name: 'Ours' }), await lab.nearby({ name: 'Free' })];
    lab.driver.start();
    expect(lab.driver.listDiscovered()).toMatchObject([
      { deviceId: free.deviceId, pairable: true, pairedHere: false, homeId: null, via: 'mdns', port: free.port },
      { deviceId: ours.deviceId, pairable: false, pairedHere: true, homeId: OTHER_HOME },
    ]);
    lab.driver.refreshDiscovery();
    expect(lab.discovery.refreshes).toEqual([undefined]);
  });

  it('and says that it is unpaired is lost once it refuses us, and not before', async () => {
    const lamp = await lab.paired();
    lab.driver.start();
    await lab.untilStatus(lamp, 'connected');
    lab.discovery.announce({ deviceId: lamp.deviceId, statusFlags: 1 });
    await pause(50);
    expect(lab.device(lamp.deviceId)).toMatchObject({ status: 'connected', reconnects: 0 });
    lamp.stumble({ at: 'verify-M2', error: 2, times: 100 });
    lamp.disconnectAll();
    await lab.untilStatus(lamp, 'pairing_lost');
    expect(lab.device(lamp.deviceId)?.statusDetail).toMatch(/Unpair it here and pair it again/);
  });
});
