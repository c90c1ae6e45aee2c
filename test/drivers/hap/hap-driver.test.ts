import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HearthError } from '../../../src/kernel/errors.ts';
import { createControllerKeys, createDeviceId, pairingKeys } from '../../support/accessories/identity.ts';
import type { RawAccessory } from '../../support/accessories/raw-accessory.ts';
import type { RawRequest } from '../../support/accessories/raw-wire.ts';
import { bridgeDatabase, lampAccessory } from '../../support/accessories/sample-databases.ts';
import { DriverFixture, HOME, OTHER_HOME, writeTo } from './driver-fixture.ts';
import { until } from './session/session-fixture.ts';

let fixture: DriverFixture;

beforeEach(() => {
  fixture = new DriverFixture();
});

afterEach(() => fixture.close());

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
  it('connects to what is paired, reports to the home what is there, and that its homes are connected', async () => {
    const lamp = await fixture.paired();
    expect(fixture.sink.connected.size).toBe(0);
    fixture.driver.start();
    expect(Object.fromEntries(fixture.sink.connected)).toEqual({ [HOME]: true, [OTHER_HOME]: true });
    await fixture.untilStatus(lamp, 'connected');
    expect(fixture.sink.described.get(lamp.deviceId)).toMatchObject([{ aid: '1', name: 'Lamp' }]);
    expect(fixture.sink.calls).toContain(`describe ${lamp.deviceId} in ${HOME}`);
    expect(fixture.value(lamp, 10)).toBe(50);
    expect(fixture.sink.reachable.get(lamp.deviceId)).toBe(true);
    expect(fixture.device(lamp.deviceId)).toMatchObject({
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
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    await fixture.driver.stop();
    const { requests } = lamp;
    requests.length = 0;
    await fixture.restart();
    expect(fixture.sink.described.get(lamp.deviceId)).toMatchObject([{ aid: '1', name: 'Lamp' }]);
    expect(fixture.value(lamp, 10)).toBeUndefined();
    await fixture.untilStatus(lamp, 'connected');
    expect(requests.map(({ path }) => path)).not.toContain('/accessories');
    expect(fixture.value(lamp, 10)).toBe(50);
  });

  it('reaches a device where it answered last while mDNS is silent, and takes its database from the cache', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    await fixture.driver.stop();
    fixture.discovery.remove(lamp.deviceId);
    await fixture.restart();
    await fixture.untilStatus(lamp, 'connected');
    expect(fixture.device(lamp.deviceId)).toMatchObject({ name: lamp.name, address: `127.0.0.1:${lamp.port}` });
  });

  it('reads a spoilt cache again', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    await fixture.driver.stop();
    fixture.database.exec(`UPDATE accessory_databases SET body = '{"acc'`);
    await fixture.restart();
    expect(fixture.sink.described.has(lamp.deviceId)).toBe(false);
    await fixture.untilStatus(lamp, 'connected');
    expect(fixture.sink.described.get(lamp.deviceId)).toHaveLength(1);
  });

  it('follows a device that announces another port', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    const before = lamp.port;
    await lamp.restart({ port: 0 });
    fixture.announce(lamp);
    await until(() => fixture.device(lamp.deviceId)?.address === `127.0.0.1:${lamp.port}`, 'it to be reached there');
    expect(lamp.port).not.toBe(before);
    await fixture.untilStatus(lamp, 'connected');
  });

  it('asks the network where a device is that it lost, twice an outage', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    expect(fixture.discovery.refreshes).toEqual([]);
    await lamp.goOffline();
    await fixture.untilStatus(lamp, 'offline');
    await pause(500);
    expect(fixture.discovery.refreshes).toEqual([lamp.deviceId, lamp.deviceId]);
    await fixture.driver.stop();
    expect(fixture.discovery.refreshes).toHaveLength(2);
  });

  it('connects again when asked, once for all who ask, and searches the network for that device', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    const answers = await Promise.all([
      fixture.driver.reconnect(lamp.deviceId.toLowerCase()),
      fixture.driver.reconnect(lamp.deviceId),
    ]);
    expect(answers).toMatchObject([
      { status: 'connected', reconnects: 1 },
      { status: 'connected', reconnects: 1 },
    ]);
    expect(new Set(fixture.discovery.refreshes)).toEqual(new Set([lamp.deviceId]));
    expect(fixture.sink.reachable.get(lamp.deviceId)).toBe(true);
    expect((await fixture.driver.write([writeTo(lamp.deviceId, 9, true)])).map(({ ok }) => ok)).toEqual([true]);
  });

  it('connects when asked though the next attempt is minutes away, and reports why it can’t', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    const [[id, controller] = []] = lamp.pairing.controllers;
    lamp.pairing.controllers.clear();
    fixture.announce(lamp);
    lamp.disconnectAll();
    await fixture.untilStatus(lamp, 'pairing_lost');
    const refused = await failureOf(fixture.driver.reconnect(lamp.deviceId));
    expect([refused.code, refused.message]).toEqual([
      'accessory_unreachable',
      fixture.device(lamp.deviceId)?.statusDetail,
    ]);
    if (id === undefined || controller === undefined) throw new Error('It was not paired');
    lamp.pairing.controllers.set(id, controller);
    expect(await fixture.driver.reconnect(lamp.deviceId)).toMatchObject({ status: 'connected' });
    fixture.driver.setHomePaused(HOME, true);
    await fixture.untilStatus(lamp, 'paused');
    expect((await failureOf(fixture.driver.reconnect(lamp.deviceId))).details.reason).toBe('home_paused');
    expect((await failureOf(fixture.driver.reconnect(createDeviceId()))).code).toBe('not_found');
  });

  it('remembers over restarts how little a device takes', async () => {
    const bridge = await fixture.paired(HOME, { database: bridgeDatabase(3) });
    const spans = ({ method, body }: { method: string; body: Buffer }): boolean =>
      method === 'PUT' && new Set([...body.toString().matchAll(/"aid":(\d+)/g)].map(([, aid]) => aid)).size > 1;
    bridge.play({ on: spans, apply: false, status: 400, times: 1_000 });
    fixture.driver.start();
    await fixture.untilStatus(bridge, 'connected');
    bridge.requests.length = 0;
    await fixture.restart();
    await fixture.untilStatus(bridge, 'connected');
    expect(bridge.subscriptions().size).toBe(3 * 15);
    expect(bridge.requests.filter(spans)).toEqual([]);
  });

  it('reports children that are away apart from the rest', async () => {
    const bridge = await fixture.paired(HOME, { database: bridgeDatabase(3) });
    bridge.fail({ aid: 3, status: -70402 });
    fixture.driver.start();
    await fixture.untilStatus(bridge, 'connected');
    const reported = ['1', '2', '3', '4'].map((aid) => fixture.sink.reachable.get(`${bridge.deviceId}/${aid}`));
    expect(reported).toEqual([true, true, undefined, true]);
    expect(fixture.sink.reachable.get(bridge.deviceId), 'not all of them').not.toBe(true);
  });

  it('stops twice and starts again, whole', async () => {
    const lamp = await fixture.paired();
    for (let n = 0; n < 3; n += 1) {
      fixture.driver.start();
      await fixture.untilStatus(lamp, 'connected');
      await Promise.all([fixture.driver.stop(), fixture.driver.stop()]);
      expect(Object.fromEntries(fixture.sink.connected)).toEqual({ [HOME]: false, [OTHER_HOME]: false });
      expect(fixture.driver.listPaired()).toEqual([]);
      await until(() => lamp.connections() === 0, 'the connection to end');
    }
  });

  it('goes on with its devices though the disk is full', async () => {
    const lamp = await fixture.paired();
    fixture.database.pragma('query_only = ON');
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    expect(await fixture.driver.write([writeTo(lamp.deviceId, 10, 5)])).toEqual([{ ok: true, value: 5 }]);
    fixture.database.pragma('query_only = OFF');
  });
});

describe('pausing a home', () => {
  it('lets its devices go and no others, and takes them back when it is resumed', async () => {
    const [lamp, other] = [await fixture.paired(HOME), await fixture.paired(OTHER_HOME)];
    fixture.driver.start();
    await Promise.all([lamp, other].map((one) => fixture.untilStatus(one, 'connected')));
    fixture.driver.setHomePaused(HOME, true);
    expect(fixture.sink.connected.get(HOME)).toBe(false);
    await fixture.untilStatus(lamp, 'paused');
    expect(fixture.device(lamp.deviceId)?.statusDetail).toMatch(/hearthd home resume/);
    expect(fixture.sink.reachable.get(lamp.deviceId)).toBe(false);
    await until(() => lamp.connections() === 0, 'it to be let go');
    expect(fixture.device(other.deviceId)?.status).toBe('connected');
    fixture.driver.setHomePaused(HOME, false);
    expect(fixture.sink.connected.get(HOME)).toBe(true);
    await fixture.untilStatus(lamp, 'connected');
    expect(other.connections()).toBe(1);
  });

  it('in quick succession ends as was requested last, with one connection', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    for (let n = 0; n < 40; n += 1) {
      fixture.driver.setHomePaused(HOME, n % 2 === 0);
      if (n % 7 === 0) await pause(n);
    }
    await fixture.untilStatus(lamp, 'connected');
    await until(() => lamp.connections() === 1, 'one connection');
    for (let n = 0; n < 41; n += 1) fixture.driver.setHomePaused(HOME, n % 2 === 0);
    await fixture.untilStatus(lamp, 'paused');
    await pause(100);
    expect(fixture.device(lamp.deviceId)?.status).toBe('paused');
    expect(lamp.connections()).toBe(0);
  });

  it('holds over a restart, and reports it', async () => {
    const lamp = await fixture.paired();
    fixture.homes[0] = { id: HOME, paused: true };
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'paused');
    expect(fixture.sink.connected.get(HOME)).toBe(false);
    expect(lamp.requests).toEqual([]);
    fixture.driver.setHomePaused(HOME, false);
    await fixture.untilStatus(lamp, 'connected');
  });
});

describe('writing', () => {
  it('to several devices gives one outcome for each, in the order asked, even if others fail', async () => {
    const [one, two, dead] = [await fixture.paired(), await fixture.paired(), await fixture.paired()];
    fixture.driver.start();
    await Promise.all([one, two, dead].map((device) => fixture.untilStatus(device, 'connected')));
    await dead.goOffline();
    await fixture.untilStatus(dead, 'offline');
    const outcomes = await fixture.driver.write([
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
    expect(await fixture.driver.write([])).toEqual([]);
  });

  it('is not held up by a silent device', async () => {
    const [quick, silent] = [await fixture.paired(), await fixture.paired()];
    fixture.driver.start();
    await Promise.all([quick, silent].map((device) => fixture.untilStatus(device, 'connected')));
    silent.silent = true;
    const stuck = fixture.driver.write([writeTo(silent.deviceId, 10, 1)]);
    expect(await fixture.driver.write([writeTo(quick.deviceId, 10, 1)])).toMatchObject([{ ok: true }]);
    await fixture.driver.stop();
    expect(await stuck, 'and the stop ends it').toMatchObject([{ ok: false, reason: 'unreachable' }]);
  });

  it('has an outcome for everything that is under way when the driver stops', async () => {
    const lamps = [await fixture.paired(), await fixture.paired()];
    fixture.driver.start();
    await Promise.all(lamps.map((lamp) => fixture.untilStatus(lamp, 'connected')));
    for (const lamp of lamps) lamp.play({ delayMs: 300, times: 100 });
    const calls = Array.from({ length: 10 }, (_, n) =>
      fixture.driver.write(lamps.map(({ deviceId }) => writeTo(deviceId, 10, n))),
    );
    await fixture.driver.stop();
    for (const outcomes of await Promise.all(calls)) expect(outcomes).toHaveLength(2);
    expect(await fixture.driver.write([writeTo(lamps[0]?.deviceId ?? '', 10, 1)])).toMatchObject([{ ok: false }]);
  });
});

describe('pairing', () => {
  it('ends with a device that is connected, read and stored', async () => {
    const lamp = await fixture.nearby({ name: 'Reading Lamp' });
    fixture.driver.start();
    const steps: string[] = [];
    const device = await fixture.pair(lamp, lamp.deviceId.toLowerCase(), steps);
    expect(device).toMatchObject({ deviceId: lamp.deviceId, homeId: HOME, name: 'Reading Lamp', status: 'connected' });
    expect(steps).toEqual(['connecting', 'exchanging', 'proving', 'saving', 'reading', 'done']);
    expect(fixture.value(lamp, 10)).toBe(50);
    expect(fixture.pairings.lastAddress(lamp.deviceId)).toEqual({ host: '127.0.0.1', port: lamp.port });
    expect(lamp.connections(), 'the pairing’s own connection is closed').toBe(1);
    await fixture.restart();
    await fixture.untilStatus(lamp, 'connected');
  });

  it('of two devices at once works, and of one device twice is refused to the second', async () => {
    const [one, two] = [await fixture.nearby(), await fixture.nearby()];
    fixture.driver.start();
    const first = fixture.pair(one);
    const again = await failureOf(fixture.pair(one));
    expect(again).toMatchObject({ code: 'conflict' });
    expect(again.message).toMatch(/at this moment/);
    const devices = await Promise.all([first, fixture.pair(two)]);
    expect(devices.map(({ status }) => status)).toEqual(['connected', 'connected']);
    expect(await failureOf(fixture.pair(one))).toMatchObject({ code: 'conflict', message: /paired here already/ });
  });

  it('is not listed as half-made while it is under way, nor can it be undone then', async () => {
    const lamp = await fixture.nearby();
    fixture.driver.start();
    lamp.play({ on: ({ path }) => path === '/pair-setup', delayMs: 150, times: 10 });
    const pairing = fixture.pair(lamp);
    await until(() => fixture.pairings.find(lamp.deviceId)?.state === 'exchanging', 'the keys to be written down');
    expect(fixture.driver.listPaired()).toEqual([]);
    expect(await failureOf(fixture.driver.unpair(lamp.deviceId, true))).toMatchObject({ code: 'conflict' });
    expect((await pairing).status).toBe('connected');
  });

  it('goes on while the device sends goodbye and comes back, as many do while they are paired', async () => {
    const lamp = await fixture.nearby();
    fixture.driver.start();
    lamp.stumble({ at: 'setup-M2', error: 3, retryDelayS: 2 });
    const pairing = fixture.pair(lamp);
    await until(() => lamp.requestCount > 0, 'the first attempt');
    fixture.discovery.remove(lamp.deviceId);
    await until(() => lamp.requestCount >= 4, 'the second attempt');
    fixture.announce(lamp);
    expect((await pairing).status).toBe('connected');
  });

  it('that is under way when the driver stops is finished, and the device is there after the restart', async () => {
    const lamp = await fixture.nearby();
    fixture.driver.start();
    lamp.play({ on: ({ path }) => path === '/pair-setup', delayMs: 100, times: 10 });
    const pairing = fixture.pair(lamp);
    await until(() => lamp.requestCount > 0, 'the exchange to begin');
    await fixture.driver.stop();
    await pairing;
    expect(fixture.pairings.find(lamp.deviceId)?.state).toBe('paired');
    expect(await failureOf(fixture.pair(lamp)), 'and nothing new begins').toMatchObject({
      code: 'relay_not_connected',
    });
    await fixture.restart();
    await fixture.untilStatus(lamp, 'connected');
  });

  it('into a home that is paused meanwhile leaves the device alone', async () => {
    const lamp = await fixture.nearby();
    fixture.driver.start();
    const pairing = fixture.pair(lamp);
    fixture.driver.setHomePaused(HOME, true);
    expect((await pairing).status).not.toBe('connected');
    await fixture.untilStatus(lamp, 'paused');
    fixture.driver.setHomePaused(HOME, false);
    await fixture.untilStatus(lamp, 'connected');
  });

  it('answers although the device does not let itself be read', async () => {
    const lamp = await fixture.nearby();
    lamp.play({ on: ({ path }) => path === '/accessories', body: '{"accessories":', times: 100 });
    fixture.driver.start();
    const pairing = fixture.pair(lamp);
    await until(() => fixture.device(lamp.deviceId)?.status === 'offline', 'it to be paired');
    fixture.driver.setHomePaused(HOME, true);
    expect(['offline', 'paused']).toContain((await pairing).status);
    expect(fixture.pairings.find(lamp.deviceId)?.state).toBe('paired');
  });

  it.each([
    ['nobody', 'AA:AA:AA:AA:AA:AA', 'not_found'],
    ['an id that lacks a byte', 'AA:AA:AA:AA:AA', 'not_found'],
    ['a name', 'Lamp', 'not_found'],
    ['a port that is none', '127.0.0.1:99999', 'invalid_value'],
    ['no address', ':80', 'invalid_value'],
  ])('with %s is refused', async (_who, device, code) => {
    fixture.driver.start();
    const { setupCode } = await fixture.accessory();
    expect(await failureOf(fixture.driver.pair({ device, homeId: HOME, setupCode }, () => {}))).toMatchObject({ code });
    expect(fixture.rows('manual_devices')).toBe(0);
  });

  it('learns which method the device answers and sends it at once the next time', async () => {
    const lamp = await fixture.nearby();
    lamp.pairing.rejectedMethod = 0;
    fixture.driver.start();
    await fixture.pair(lamp);
    await fixture.driver.unpair(lamp.deviceId, false);
    lamp.requests.length = 0;
    await fixture.pair(lamp);
    expect(lamp.requests.filter(({ path }) => path === '/pair-setup')).toHaveLength(3);
  });
});

describe('pairing by host and port', () => {
  const named = (port: number): string => `127.0.0.1:${port}`;

  it('needs no mDNS, is kept as a manual entry, and survives a restart', async () => {
    const lamp = await fixture.accessory();
    fixture.driver.start();
    const device = await fixture.pair(lamp, `  ${named(lamp.port)} `);
    expect(device).toMatchObject({ deviceId: lamp.deviceId, status: 'connected' });
    expect([...fixture.discovery.manual]).toEqual([named(lamp.port)]);
    fixture.discovery.manual.clear();
    await fixture.restart();
    expect([...fixture.discovery.manual]).toEqual([named(lamp.port)]);
    await fixture.untilStatus(lamp, 'connected');
  });

  it('works by host name too', async () => {
    const lamp = await fixture.accessory();
    fixture.driver.start();
    expect((await fixture.pair(lamp, `LOCALHOST:${lamp.port}`)).status).toBe('connected');
    expect([...fixture.discovery.manual]).toEqual([`localhost:${lamp.port}`]);
  });

  it('works once the entry is known under its device id, with either of the two', async () => {
    const [one, two] = [await fixture.accessory(), await fixture.accessory()];
    fixture.driver.start();
    for (const { deviceId, name, port } of [one, two]) {
      fixture.discovery.announce({ deviceId, name, port, host: '127.0.0.1', via: 'manual' });
    }
    expect(await fixture.pair(one, named(one.port))).toMatchObject({ deviceId: one.deviceId, name: one.name });
    expect(await fixture.pair(two, two.deviceId)).toMatchObject({ deviceId: two.deviceId, status: 'connected' });
    expect(await failureOf(fixture.pair(one, named(one.port)))).toMatchObject({ code: 'conflict' });
  });

  it('works while mDNS finds out who that is', async () => {
    const lamp = await fixture.accessory();
    fixture.driver.start();
    fixture.discovery.announce({ deviceId: named(lamp.port), port: lamp.port, host: '127.0.0.1', via: 'manual' });
    lamp.stumble({ at: 'setup-M2', error: 3, retryDelayS: 2 });
    const pairing = fixture.pair(lamp, named(lamp.port));
    await until(() => lamp.requestCount > 0, 'the first attempt');
    fixture.discovery.remove(named(lamp.port));
    fixture.announce(lamp);
    expect(await pairing).toMatchObject({ deviceId: lamp.deviceId, status: 'connected' });
    expect(fixture.driver.listPaired()).toHaveLength(1);
  });

  it('leaves no trace of an address where no device answers', async () => {
    fixture.driver.start();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    const error = await failureOf(
      fixture.driver.pair({ device: named(port), homeId: HOME, setupCode: '031-45-154' }, () => {}),
    );
    expect(error).toMatchObject({ code: 'pairing_failed' });
    expect([...fixture.discovery.manual]).toEqual([]);
    expect(fixture.rows('manual_devices')).toBe(0);
    expect(fixture.driver.listPaired()).toEqual([]);
  });

  it('finds what an earlier try by host and port left half-made, also when it is then asked for by id', async () => {
    const lamp = await fixture.accessory();
    fixture.driver.start();
    lamp.stumble({ at: 'setup-M6', instead: 'cut-after' });
    expect(await failureOf(fixture.pair(lamp, named(lamp.port)))).toMatchObject({ code: 'pairing_failed' });
    expect(fixture.driver.listPaired()).toMatchObject([{ deviceId: named(lamp.port), status: 'pairing_incomplete' }]);
    fixture.announce(lamp);
    expect((await fixture.pair(lamp)).status).toBe('connected');
    expect(lamp.pairing.controllers.size).toBe(1);
    expect(fixture.driver.listPaired()).toMatchObject([{ deviceId: lamp.deviceId }]);
  });
});

describe('a pairing of another controller', () => {
  it('with a device that is away is kept, over a restart as well, and used when the device is there', async () => {
    const other = createControllerKeys();
    const lamp = await fixture.accessory({ paired: [{ id: other.id, publicKey: other.publicKey }] });
    fixture.driver.start();
    const pairing = { ...pairingKeys(other, lamp), accessoryPublicKey: lamp.publicKey, name: 'Lamp', address: null };
    expect(await fixture.driver.adopt(pairing, HOME)).toBe('unreachable');
    await fixture.restart();
    await until(() => fixture.device(lamp.deviceId)?.lastError != null, 'it to be looked for in vain');
    expect(fixture.device(lamp.deviceId)).toMatchObject({ name: 'Lamp', homeId: HOME, lastSeenAt: null });
    fixture.announce(lamp);
    await fixture.untilStatus(lamp, 'connected');
  });
});

describe('manual entries', () => {
  it('are stored in one spelling and come back with the next start, until they are removed', async () => {
    fixture.driver.start();
    fixture.driver.addManual('LAMP.lan:51826');
    fixture.driver.addManual(' [FD00::7]:80 ');
    fixture.driver.addManual('lamp.lan:51826');
    expect([...fixture.discovery.manual]).toEqual(['lamp.lan:51826', '[fd00::7]:80']);
    fixture.driver.removeManual('Lamp.LAN:51826');
    fixture.discovery.manual.clear();
    await fixture.restart();
    expect([...fixture.discovery.manual]).toEqual(['[fd00::7]:80']);
    expect(() => fixture.driver.addManual('nonsense')).toThrow(/host:port/);
    expect(() => fixture.driver.removeManual('nonsense')).toThrow(/host:port/);
    expect(fixture.rows('manual_devices')).toBe(1);
  });
});

describe('unpairing', () => {
  it('removes us from the device, then everything about it here', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    await fixture.driver.unpair(lamp.deviceId.toLowerCase(), false);
    expect(lamp.pairing.controllers.size).toBe(0);
    expect(fixture.driver.listPaired()).toEqual([]);
    expect(fixture.sink.calls.at(-1)).toBe(`forget ${lamp.deviceId}`);
    expect([fixture.rows('pairings'), fixture.rows('accessory_databases')]).toEqual([0, 0]);
    await pause(50);
    expect(fixture.sink.calls.at(-1), 'and nothing brings it back').toBe(`forget ${lamp.deviceId}`);
    expect(await failureOf(fixture.driver.unpair(lamp.deviceId, true))).toMatchObject({ code: 'not_found' });
    fixture.announce(lamp);
    expect((await fixture.pair(lamp)).status).toBe('connected');
  });

  it('asked for twice at once happens once', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    const results = await Promise.allSettled([
      fixture.driver.unpair(lamp.deviceId, false),
      fixture.driver.unpair(lamp.deviceId, false),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(results[1]).toMatchObject({ reason: { code: 'conflict' } });
  });

  it('of a device that is away is refused, and with force forgets it', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    await lamp.goOffline();
    const refused = await failureOf(fixture.driver.unpair(lamp.deviceId, false));
    expect(refused).toMatchObject({ code: 'accessory_unreachable' });
    expect(refused.message).toMatch(/Bring it back.*force/);
    expect(fixture.pairings.find(lamp.deviceId)).toBeDefined();
    await fixture.driver.unpair(lamp.deviceId, true);
    expect([fixture.rows('pairings'), fixture.driver.listPaired().length]).toEqual([0, 0]);
    expect(fixture.sink.calls.at(-1)).toBe(`forget ${lamp.deviceId}`);
  });

  it('of a device that refuses it reports the reason', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    for (const controller of lamp.pairing.controllers.values()) controller.admin = false;
    expect((await failureOf(fixture.driver.unpair(lamp.deviceId, false))).message).toMatch(/admin controllers/);
    expect(fixture.device(lamp.deviceId)?.status).toBe('connected');
  });

  it('of a device that has forgotten us needs no force', async () => {
    const lamp = await fixture.paired();
    lamp.pairing.controllers.clear();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'pairing_lost');
    await fixture.driver.unpair(lamp.deviceId, false);
    expect(fixture.rows('pairings')).toBe(0);
    expect((await fixture.pair(lamp)).status).toBe('connected');
  });

  const onPairings = { on: ({ path }: RawRequest) => path === '/pairings', cutAt: 0 };

  it('succeeds on a device that closes the connection inside its handler', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    lamp.play(onPairings);
    await fixture.driver.unpair(lamp.deviceId, false);
    expect(lamp.pairing.controllers.size).toBe(0);
    expect(fixture.driver.listPaired()).toEqual([]);
    await until(() => lamp.connections() === 0, 'the last connection to close');
  });

  it('fails on a device that closes the connection and still knows us, and keeps the pairing', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    lamp.play({ ...onPairings, apply: false });
    const refused = await failureOf(fixture.driver.unpair(lamp.deviceId, false));
    expect(refused.code).toBe('accessory_unreachable');
    expect(refused.message).toMatch(/closed the connection.*still accepts this relay/);
    await fixture.untilStatus(lamp, 'connected');
    await fixture.driver.unpair(lamp.deviceId, false);
    expect(lamp.pairing.controllers.size).toBe(0);
  });

  it('reports that the outcome is not known where the device is gone afterwards, and keeps the pairing', async () => {
    const leaves = ({ path }: RawRequest): Promise<void> | undefined => {
      if (path !== '/pairings') return undefined;
      lamp.pairing.clear();
      return lamp.goOffline();
    };
    const lamp: RawAccessory = await fixture.paired(HOME, { takeOver: leaves });
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    expect((await failureOf(fixture.driver.unpair(lamp.deviceId, false))).message).toMatch(
      /Whether it removed the pairing is not known.*Bring it back/,
    );
    expect(fixture.pairings.find(lamp.deviceId)).toBeDefined();
    await lamp.restart();
    fixture.announce(lamp);
    await fixture.untilStatus(lamp, 'pairing_lost');
  });

  it('takes a device that refuses our keys and advertises that it is unpaired at its word', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    lamp.stumble({ at: 'verify-M4', error: 1, times: 1_000 });
    lamp.play(onPairings);
    const unpaired = fixture.driver.unpair(lamp.deviceId, false);
    await until(() => lamp.pairing.controllers.size === 0, 'the removal');
    fixture.announce(lamp);
    await unpaired;
    expect(fixture.driver.listPaired()).toEqual([]);
  });

  it('of a half-made pairing succeeds on a device that closes the connection inside its handler', async () => {
    const lamp = await fixture.nearby();
    fixture.driver.start();
    lamp.stumble({ at: 'setup-M6', instead: 'cut-after' });
    await failureOf(fixture.pair(lamp));
    lamp.play(onPairings);
    await fixture.driver.unpair(lamp.deviceId, false);
    expect([lamp.pairing.controllers.size, fixture.rows('pairings')]).toEqual([0, 0]);
  });

  it('in the middle of connecting leaves no connection behind', async () => {
    for (let n = 0; n < 6; n += 1) {
      const lamp = await fixture.paired();
      lamp.play({ on: ({ path }) => path === '/pair-verify', delayMs: 20 * n, times: 4 });
      await fixture.restart();
      await pause(7 * n);
      await fixture.driver.unpair(lamp.deviceId, true);
      await until(() => lamp.connections() === 0, 'it to be let go');
      expect(fixture.sink.calls.at(-1)).toBe(`forget ${lamp.deviceId}`);
      expect(fixture.driver.listPaired()).toEqual([]);
    }
  });

  it('in a paused home reports that the home must be resumed', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    fixture.driver.setHomePaused(HOME, true);
    await fixture.untilStatus(lamp, 'paused');
    expect((await failureOf(fixture.driver.unpair(lamp.deviceId, false))).message).toMatch(/paused\. Resume it/);
    await fixture.driver.unpair(lamp.deviceId, true);
    expect(fixture.driver.listPaired()).toEqual([]);
  });

  it('of a half-made pairing takes it off the device', async () => {
    const lamp = await fixture.nearby();
    fixture.driver.start();
    lamp.stumble({ at: 'setup-M6', instead: 'cut-after' });
    await failureOf(fixture.pair(lamp));
    expect(fixture.driver.listPaired()).toMatchObject([
      { deviceId: lamp.deviceId, status: 'pairing_incomplete', statusDetail: expect.stringMatching(/half-way/) },
    ]);
    expect(lamp.pairing.controllers.size).toBe(1);
    await fixture.driver.unpair(lamp.deviceId, false);
    expect(lamp.pairing.controllers.size).toBe(0);
    expect([fixture.rows('pairings'), fixture.driver.listPaired().length]).toEqual([0, 0]);
  });

  it('of a half-made pairing keeps the keys while the device can’t be asked, unless forced', async () => {
    const lamp = await fixture.nearby();
    fixture.driver.start();
    lamp.stumble({ at: 'setup-M6', instead: 'cut-after' });
    await failureOf(fixture.pair(lamp));
    await lamp.goOffline();
    expect(await failureOf(fixture.driver.unpair(lamp.deviceId, false))).toMatchObject({
      code: 'accessory_unreachable',
    });
    await fixture.restart();
    expect(fixture.driver.listPaired()).toMatchObject([{ status: 'pairing_incomplete' }]);
    fixture.discovery.remove(lamp.deviceId);
    expect(await failureOf(fixture.driver.unpair(lamp.deviceId, false))).toMatchObject({
      code: 'accessory_unreachable',
    });
    await fixture.driver.unpair(lamp.deviceId, true);
    expect(fixture.driver.listPaired()).toEqual([]);
  });
});

describe('a change of controllers whose answer is lost', () => {
  const cut = { on: ({ path }: RawRequest) => path === '/pairings', cutAt: 0 };
  const guest = createControllerKeys();
  const publicKey = guest.publicKey.toString('hex');

  it('succeeds where the device’s list shows that it was carried out', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    lamp.play(cut);
    await fixture.driver.addController(lamp.deviceId, {
      id: guest.id,
      publicKey: publicKey.toUpperCase(),
      admin: false,
    });
    expect(lamp.pairing.controllers.has(guest.id)).toBe(true);
    lamp.play(cut);
    await fixture.driver.removeController(lamp.deviceId, guest.id);
    expect(lamp.pairing.controllers.has(guest.id)).toBe(false);
  });

  it('fails where the list shows that it was not', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    lamp.play({ ...cut, apply: false });
    const added = fixture.driver.addController(lamp.deviceId, { id: guest.id, publicKey, admin: false });
    expect((await failureOf(added)).message).toMatch(/closed the connection.*did not carry this out/);
  });

  it('reports that the outcome is not known where the device does not come back', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    lamp.play(cut);
    const added = failureOf(fixture.driver.addController(lamp.deviceId, { id: guest.id, publicKey, admin: false }));
    await until(() => lamp.pairing.controllers.has(guest.id), 'the change');
    await lamp.goOffline();
    expect((await added).message).toMatch(/is not known/);
  });
});

describe('an answer to a pairing request that is no TLV8', () => {
  const answers = (path: string, status: number, body: string) => ({
    on: (request: RawRequest) => request.path === path,
    status,
    body,
    times: 100,
  });

  it.each([
    [
      400,
      '{"status":-70401}',
      /answered \/pairings with HTTP status 400 \(HAP status −70401, insufficient_privileges\)/,
    ],
    [500, '', /answered \/pairings with HTTP status 500\./],
    [404, '<h1>Not Found</h1>', /answered \/pairings with HTTP status 404\./],
    [400, 'Bad Request', /answered \/pairings with HTTP status 400\./],
    [200, '{"status":-70403}', /answered \/pairings with HTTP status 200 \(HAP status −70403, resource_busy\)/],
  ])('names what the device answered to a request for its controllers: %i %j', async (status, body, sentence) => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    lamp.play(answers('/pairings', status, body));
    const refused = await failureOf(fixture.driver.listControllers(lamp.deviceId));
    expect(refused.code).toBe('accessory_error');
    expect(refused.message).toMatch(sentence);
    expect(refused.message).not.toMatch(/TLV/);
    expect(fixture.device(lamp.deviceId)?.status, 'the connection lives').toBe('connected');
  });

  it('names it at pair-setup, where nothing was exchanged yet', async () => {
    const lamp = await fixture.nearby();
    fixture.driver.start();
    lamp.play(answers('/pair-setup', 500, '{"status":-70407}'));
    const refused = await failureOf(fixture.pair(lamp));
    expect(refused).toMatchObject({ code: 'pairing_failed', details: { reason: 'refused' } });
    expect(refused.message).toMatch(/HTTP status 500 \(HAP status −70407, out_of_resources\)/);
  });

  it('leaves a pairing half made where it comes after M5', async () => {
    const lamp = await fixture.nearby();
    fixture.driver.start();
    const isM5 = ({ path, body }: RawRequest): boolean => path === '/pair-setup' && body.includes(Buffer.of(6, 1, 5));
    lamp.play({ on: isM5, status: 500, body: '<h1>Oops</h1>' });
    const refused = await failureOf(fixture.pair(lamp));
    expect(refused).toMatchObject({ details: { reason: 'half_made' } });
    expect(refused.message).toMatch(/HTTP status 500/);
    expect(fixture.driver.listPaired()).toMatchObject([{ status: 'pairing_incomplete' }]);
    expect((await fixture.pair(lamp)).status).toBe('connected');
  });

  it('names it at pair-verify, and does not take the pairing for lost', async () => {
    const lamp = await fixture.paired();
    lamp.play(answers('/pair-verify', 400, '{"status":-70401}'));
    fixture.driver.start();
    const isNamed = (): boolean =>
      /HTTP status 400 \(HAP status −70401/.test(fixture.device(lamp.deviceId)?.statusDetail ?? '');
    await until(isNamed, 'the refusal');
    expect(fixture.device(lamp.deviceId)?.status).toBe('offline');
    lamp.clearTricks();
    fixture.announce(lamp);
    await fixture.untilStatus(lamp, 'connected');
  });

  it.each([
    [400, '{"status":-70401}', 'conflict'],
    [400, '', 'conflict'],
    [500, '', 'accessory_error'],
    [404, '<h1>Not Found</h1>', 'accessory_error'],
    [503, '{"status":-70403}', 'accessory_error'],
  ])('reports the answer of an accessory that is asked to identify itself: %i %j', async (status, body, code) => {
    const lamp = await fixture.nearby();
    fixture.driver.start();
    lamp.play(answers('/identify', status, body));
    const refused = await failureOf(fixture.driver.identifyUnpaired(lamp.deviceId));
    expect(refused.code).toBe(code);
    if (code === 'accessory_error') expect(refused.message).toContain(`HTTP status ${status}`);
  });
});

describe('controllers and identify', () => {
  it('lists, adds and removes controllers, but not ourselves', async () => {
    const lamp = await fixture.nearby();
    fixture.driver.start();
    await fixture.pair(lamp);
    const guest = createControllerKeys();
    const publicKey = guest.publicKey.toString('hex');
    await fixture.driver.addController(lamp.deviceId, { id: guest.id, publicKey, admin: false });
    const listed = await fixture.driver.listControllers(lamp.deviceId);
    expect(listed).toContainEqual({ id: guest.id, publicKey, admin: false, self: false });
    const self = listed.find((controller) => controller.self);
    expect(self?.admin).toBe(true);
    expect(await failureOf(fixture.driver.removeController(lamp.deviceId, self?.id ?? ''))).toMatchObject({
      code: 'conflict',
    });
    await fixture.driver.removeController(lamp.deviceId, guest.id);
    expect(await fixture.driver.listControllers(lamp.deviceId)).toHaveLength(1);
    await lamp.goOffline();
    expect(await failureOf(fixture.driver.listControllers(lamp.deviceId))).toMatchObject({
      code: 'accessory_unreachable',
    });
    expect(await failureOf(fixture.driver.listControllers(createDeviceId()))).toMatchObject({ code: 'not_found' });
  });

  it('identifies what is paired by its accessory, and what is not by its device', async () => {
    const lamp = await fixture.nearby({ database: [lampAccessory('Lamp')] });
    fixture.driver.start();
    await fixture.driver.identifyUnpaired(lamp.deviceId);
    await fixture.driver.identifyUnpaired(`127.0.0.1:${lamp.port}`);
    expect(lamp.identified).toBe(2);
    expect(fixture.rows('manual_devices')).toBe(0);
    await fixture.pair(lamp);
    expect(await failureOf(fixture.driver.identifyUnpaired(lamp.deviceId))).toMatchObject({ code: 'conflict' });
    await fixture.driver.identify({ source: lamp.deviceId, aid: '1' });
    expect(lamp.writes).toMatchObject([{ iid: '2', value: true }]);
    expect(await failureOf(fixture.driver.identify({ source: createDeviceId(), aid: '1' }))).toMatchObject({
      code: 'not_found',
    });
  });

  it('reports why a device that others hold, or that is away, can’t show itself', async () => {
    const stranger = createControllerKeys();
    const taken = await fixture.nearby({ paired: [{ id: stranger.id, publicKey: stranger.publicKey }] });
    fixture.driver.start();
    expect(await failureOf(fixture.driver.identifyUnpaired(taken.deviceId))).toMatchObject({ code: 'conflict' });
    await taken.goOffline();
    expect(await failureOf(fixture.driver.identifyUnpaired(taken.deviceId))).toMatchObject({
      code: 'accessory_unreachable',
    });
  });
});

describe('what is discovered', () => {
  it('reports what can be paired, what is paired here, and into which home', async () => {
    const [ours, free] = [await fixture.paired(OTHER_HOME, { name: 'Ours' }), await fixture.nearby({ name: 'Free' })];
    fixture.driver.start();
    expect(fixture.driver.listDiscovered()).toMatchObject([
      { deviceId: free.deviceId, pairable: true, pairedHere: false, homeId: null, via: 'mdns', port: free.port },
      { deviceId: ours.deviceId, pairable: false, pairedHere: true, homeId: OTHER_HOME },
    ]);
    fixture.driver.refreshDiscovery();
    expect(fixture.discovery.refreshes).toEqual([undefined]);
  });

  it('and is reported as unpaired is lost once it refuses us, and not before', async () => {
    const lamp = await fixture.paired();
    fixture.driver.start();
    await fixture.untilStatus(lamp, 'connected');
    fixture.discovery.announce({ deviceId: lamp.deviceId, statusFlags: 1 });
    await pause(50);
    expect(fixture.device(lamp.deviceId)).toMatchObject({ status: 'connected', reconnects: 0 });
    lamp.stumble({ at: 'verify-M2', error: 2, times: 100 });
    lamp.disconnectAll();
    await fixture.untilStatus(lamp, 'pairing_lost');
    expect(fixture.device(lamp.deviceId)?.statusDetail).toMatch(/Unpair it here and pair it again/);
  });
});
