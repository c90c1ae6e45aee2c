import { afterEach, describe, expect, it } from 'vitest';
import { parseAccessories } from '../../../src/drivers/hap/accessory-database.ts';
import { PairVerifyError } from '../../../src/drivers/hap/pairing/pair-verify.ts';
import { createSigningKeys } from '../../support/accessories/identity.ts';
import { type RawAccessory, startRawAccessory } from '../../support/accessories/raw-accessory.ts';
import type { RawRequest } from '../../support/accessories/raw-wire.ts';
import { bridgeDatabase, lampAccessory, timedLockAccessory } from '../../support/accessories/sample-databases.ts';
import { DeafPort } from '../../support/deaf-port.ts';
import { freePort } from '../../support/free-port.ts';
import { KNOWN_CONTROLLER, type LabOptions, quickClock, SessionLab, until } from './session-lab.ts';

const open: SessionLab[] = [];
const others: RawAccessory[] = [];
const deafPorts: DeafPort[] = [];

async function ready(options?: LabOptions): Promise<SessionLab> {
  const lab = await SessionLab.ready(options);
  open.push(lab);
  return lab;
}

async function prepared(options?: LabOptions): Promise<SessionLab> {
  const lab = await SessionLab.open(options);
  open.push(lab);
  return lab;
}

afterEach(async () => {
  await Promise.all([...open.splice(0).map((lab) => lab.close()), ...others.splice(0).map((one) => one.stop())]);
  for (const deaf of deafPorts.splice(0)) deaf.close();
});

const paths = (accessory: RawAccessory): string[] => accessory.requests.map(({ method, path }) => `${method} ${path}`);
const isSubscription = ({ method, body }: RawRequest): boolean => method === 'PUT' && body.includes('"ev"');
const isRead = ({ path }: RawRequest): boolean => path.startsWith('/characteristics?');
/** A deadline beyond that of any test, and a jitter that makes each wait between attempts as long. */
const FAR_MS = 100_000;
const PATIENT = (): number => 10_000;
const LAMP_TEXT = JSON.stringify([lampAccessory('Lamp')]);

describe('a session', () => {
  it('connects once, describes, reads and subscribes, and is then connected', async () => {
    const lab = await ready();
    expect(lab.statuses).toEqual(['connecting', 'connected']);
    expect(lab.databases).toEqual([1]);
    expect(lab.told.indexOf('database')).toBeLessThan(lab.told.indexOf('values'));
    expect(lab.reachable).toEqual(['all true']);
    expect(lab.value(10)).toBe(50);
    expect(lab.value(9)).toBe(false);
    expect(lab.accessory.connections()).toBe(1);
    expect(lab.accessory.subscriptions()).toEqual(new Set(['1.9', '1.10', '1.11', '1.12', '1.13']));
    expect(lab.connectedTo).toEqual(lab.addresses);
    expect(lab.session.stats).toMatchObject({ reconnects: 0 });
  });

  it('shows what was read, not what the database said', async () => {
    const lab = await prepared();
    lab.accessory.play({
      on: ({ path }) => path === '/accessories',
      body: JSON.stringify({ accessories: JSON.parse(LAMP_TEXT.replace('"value":50', '"value":100')) }),
    });
    lab.session.start();
    await lab.untilReady();
    expect(lab.history(10)).toEqual([50]);
  });

  it('spares the device its database while c# is the same', async () => {
    const lab = await ready({ cached: { configNumber: 1, database: parseAccessories(LAMP_TEXT) } });
    expect(paths(lab.accessory)).not.toContain('GET /accessories');
    expect(lab.databases).toEqual([]);
    expect(lab.value(10)).toBe(50);
  });

  it.each([
    ['rose', 2],
    ['fell', 1],
    ['wrapped', 65_535],
    ['is not advertised, and was not before', null],
  ])('reads the database when c# %s', async (_how, configNumber) => {
    const before = configNumber === null ? null : 7;
    const lab = await ready({ configNumber, cached: { configNumber: before, database: parseAccessories('[]') } });
    expect(lab.databases).toEqual([configNumber]);
    expect(lab.value(10)).toBe(50);
  });

  it('takes the cache on trust until discovery tells c#', async () => {
    const lab = await ready({ configNumber: null, cached: { configNumber: 1, database: parseAccessories(LAMP_TEXT) } });
    expect(lab.databases).toEqual([]);
    lab.advertisedConfig = 1;
    lab.session.advertisementChanged();
    lab.advertisedConfig = 2;
    lab.session.advertisementChanged();
    await until(() => lab.databases.length > 0, 'the database to be read');
    expect(lab.databases).toEqual([2]);
  });

  it('reads again when children come and go, and watches the new ones', async () => {
    const lab = await ready({ accessory: { database: bridgeDatabase(2) } });
    for (const [children, config] of [
      [3, 2],
      [1, 1],
      [4, 65_535],
      [2, 3],
    ] as const) {
      await lab.accessory.setDatabase(bridgeDatabase(children), config);
      lab.advertisedConfig = config;
      lab.session.advertisementChanged();
      await until(() => lab.databases.at(-1) === config && lab.session.state === 'ready', 'the new database');
      expect(lab.cached?.database).toHaveLength(children + 1);
      expect(lab.accessory.subscriptions().has(`${children + 1}.9`)).toBe(true);
      expect(await lab.set(9, true, children + 1)).toEqual({ ok: true, value: true });
    }
    expect(lab.accessory.connections()).toBe(1);
    expect(lab.session.stats.reconnects).toBe(0);
  });

  it('does not read again at every whim, and ends with what was advertised last', async () => {
    const lab = await ready();
    const reads = (): number => paths(lab.accessory).filter((path) => path === 'GET /accessories').length;
    const begun = performance.now();
    for (let config = 2; config < 500; config += 1) {
      lab.advertisedConfig = config;
      lab.session.advertisementChanged();
      if (config % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const seconds = (performance.now() - begun) / 1_000;
    await until(() => lab.databases.at(-1) === 499, 'the last one');
    expect(reads()).toBeLessThanOrEqual(4 + seconds);
  });

  it('tries again until a changed database could be read, and serves the last one meanwhile', async () => {
    const lab = await ready();
    lab.accessory.play({ on: ({ path }) => path === '/accessories', body: '{"accessories":', times: 1 });
    lab.advertisedConfig = 2;
    lab.session.advertisementChanged();
    await until(() => paths(lab.accessory).filter((path) => path === 'GET /accessories').length === 2, 'the attempt');
    await lab.untilReady();
    expect(await lab.set(10, 12)).toMatchObject({ ok: true });
    expect(lab.databases).toEqual([1]);
    lab.advertisedConfig = 3;
    lab.session.advertisementChanged();
    await until(() => lab.databases.length === 2, 'the database');
    expect(lab.databases).toEqual([1, 3]);
  });

  it('is silent about a device that describes nothing, and says why it is not connected', async () => {
    const lab = await prepared();
    lab.accessory.play({ on: ({ path }) => path === '/accessories', body: '{"status":-70407}', times: 50 });
    lab.session.start();
    await until(() => lab.statuses.includes('offline'), 'it to give up for now');
    expect(lab.statusDetail).toMatch(/accessories\.$/);
    expect(lab.value(10)).toBeUndefined();
  });

  it('can be stopped and started again at any moment', async () => {
    const lab = await prepared();
    for (let n = 0; n < 12; n += 1) {
      lab.session.start();
      await new Promise((resolve) => setTimeout(resolve, n * 2));
      await Promise.all([lab.session.stop(), lab.session.stop()]);
      expect(lab.session.state).toBe('stopped');
      expect(await lab.set(10, 1)).toMatchObject({ ok: false, reason: 'unreachable' });
    }
    await until(() => lab.accessory.connections() === 0, 'all connections to end');
    lab.session.start();
    lab.session.start();
    await lab.untilReady();
    expect(lab.accessory.connections()).toBe(1);
  });
});

describe('a session whose connection breaks', () => {
  it('is back on events after each of many drops', async () => {
    const lab = await ready({ random: () => 0, clock: quickClock(3) });
    for (let n = 1; n <= 30; n += 1) {
      const cut = n % 2 === 0;
      if (cut) lab.accessory.play({ on: isSubscription, cutAt: n % 20, cutWith: n % 4 === 0 ? 'reset' : 'close' });
      const expected = lab.session.stats.reconnects + (cut ? 2 : 1);
      lab.accessory.disconnectAll();
      await until(() => lab.session.stats.reconnects === expected, 'the next connection');
      await lab.untilReady();
      lab.accessory.set(1, 10, n);
      await until(() => lab.history(10, 'event').at(-1) === n, 'the event');
    }
    expect(lab.reachable, 'nobody noticed').toEqual(['all true']);
    expect(lab.accessory.connections()).toBe(1);
  });

  it('tells of a device that is gone, and comes back by itself', async () => {
    const lab = await ready({ random: () => 0.1 });
    await lab.accessory.goOffline();
    await until(() => lab.statuses.at(-1) === 'offline', 'it to be offline');
    expect(lab.statusDetail).toMatch(/ECONNREFUSED/);
    lab.accessory.setSilently(1, 10, 77);
    await lab.accessory.restart();
    await lab.untilReady();
    expect(lab.statuses.at(-1)).toBe('connected');
    expect(lab.value(10)).toBe(77);
  });

  it('cuts its back-off short when the device is seen, also on another port', async () => {
    let random = (): number => 0;
    const lab = await ready({ random: () => random(), clock: quickClock() });
    await lab.accessory.goOffline();
    random = PATIENT;
    await until(() => lab.session.state === 'backing_off', 'it to wait');
    await lab.accessory.restart({ port: 0 });
    lab.addresses = [{ host: '127.0.0.1', port: lab.accessory.port }];
    lab.session.advertisementChanged();
    await lab.untilReady();
    expect(lab.connectedTo.at(-1)).toEqual(lab.addresses[0]);
  });

  it('does not wait after an attempt that failed when the device was seen meanwhile', async () => {
    const lab = await prepared({ random: PATIENT, clock: quickClock() });
    lab.accessory.pairing.stumble({ at: 'verify-M2', instead: 'silence' });
    lab.session.start();
    await until(() => lab.accessory.requests.length > 0, 'the attempt');
    lab.session.sighted();
    await lab.untilReady();
    expect(lab.statuses, 'the attempt failed').toContain('offline');
  });

  it('waits after a connection that was lost, however often the device was seen before it came about', async () => {
    const lab = await prepared({ random: PATIENT, clock: quickClock() });
    lab.session.start();
    for (let n = 0; n < 20; n += 1) lab.session.sighted();
    await lab.untilReady();
    lab.accessory.disconnectAll();
    await until(() => lab.session.state === 'backing_off', 'the loss');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(lab.session.state).toBe('backing_off');
    lab.session.sighted();
    await lab.untilReady();
  });

  it('leaves an attempt at an address where nobody answers when the device announces another one', async () => {
    const lab = await prepared({ random: PATIENT, deadlines: { connectMs: FAR_MS, requestMs: FAR_MS } });
    const own = lab.addresses;
    const deaf = await DeafPort.open();
    deafPorts.push(deaf);
    lab.addresses = [{ host: '127.0.0.1', port: deaf.port }];
    lab.session.start();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(lab.session.state).toBe('connecting');
    lab.addresses = own;
    lab.session.advertisementChanged();
    await lab.untilReady();
    expect(lab.statuses, 'it was never away').toEqual(['connecting', 'connected']);
    expect(lab.session.stats.lastFault).toBeNull();
  });

  it('leaves one who takes the connection and says nothing when the device announces another address', async () => {
    const lab = await prepared({ random: PATIENT, deadlines: { requestMs: FAR_MS } });
    const own = lab.addresses;
    const silent = await startRawAccessory({ database: [lampAccessory('Silent')], mdns: false });
    others.push(silent);
    silent.silent = true;
    lab.addresses = [{ host: '127.0.0.1', port: silent.port }];
    lab.session.start();
    await until(() => silent.requests.length > 0, 'the attempt');
    lab.session.advertisementChanged();
    expect(silent.connections(), 'an advertisement of the same address ends nothing').toBe(1);
    lab.addresses = own;
    lab.session.advertisementChanged();
    await lab.untilReady();
    expect(lab.connectedTo).toEqual(own);
  });

  it('waits for a device that nobody has seen, and goes there when it is', async () => {
    const lab = await prepared();
    const { addresses } = lab;
    lab.addresses = [];
    lab.session.start();
    await until(() => lab.session.state === 'waiting', 'it to wait');
    expect(lab.statuses.at(-1)).toBe('offline');
    lab.addresses = addresses;
    lab.session.sighted();
    await lab.untilReady();
  });

  it('leaves a dead connection when the device announces another address', async () => {
    const keys = createSigningKeys();
    const lab = await ready({ deadlines: { requestMs: 60_000 }, accessory: { keys }, clock: quickClock() });
    const second = await startRawAccessory({
      database: [lampAccessory('Lamp')],
      mdns: false,
      deviceId: lab.accessory.deviceId,
      keys,
      paired: [KNOWN_CONTROLLER],
    });
    others.push(second);
    lab.accessory.silent = true;
    lab.addresses = [{ host: '127.0.0.1', port: second.port }, ...lab.addresses];
    lab.session.advertisementChanged();
    await until(() => second.subscriptions().size === 5, 'it to move');
  });

  it('asks a device no more than one question at a time, however often it announces another address', async () => {
    const lab = await ready();
    lab.addresses = [{ host: '127.0.0.2', port: lab.accessory.port }, ...lab.addresses];
    const before = lab.accessory.requests.length;
    for (let n = 0; n < 200; n += 1) lab.session.advertisementChanged();
    expect(await lab.set(10, 4)).toMatchObject({ ok: true });
    expect(lab.accessory.requests.length - before).toBeLessThanOrEqual(3);
  });

  it('verifies again after 470 and says nothing of it', async () => {
    const lab = await ready();
    lab.accessory.forgetSessions();
    expect(await lab.set(10, 33)).toEqual({ ok: true, value: 33 });
    expect(lab.accessory.writes.map(({ value }) => value)).toEqual([33]);
    await lab.untilReady();
    expect(lab.reachable).toEqual(['all true']);
  });

  it('survives any byte of an answer being changed, and any cut', async () => {
    const lab = await ready({ random: () => 0, deadlines: { requestMs: 150 } });
    for (let at = 0; at < 40; at += 1) {
      lab.accessory.play(at % 2 === 0 ? { on: isRead, corruptAt: at } : { on: isRead, cutAt: at });
      lab.accessory.disconnectAll();
      await until(() => lab.session.stats.reconnects > at, 'the next connection');
    }
    lab.accessory.clearTricks();
    await lab.untilReady();
    expect(await lab.set(10, 9)).toMatchObject({ ok: true });
  });
});

describe('a session and the wrong device', () => {
  const impostor = async (lab: SessionLab): Promise<RawAccessory> => {
    const other = await startRawAccessory({
      database: [lampAccessory('Other')],
      mdns: false,
      paired: [KNOWN_CONTROLLER],
    });
    others.push(other);
    lab.addresses = [{ host: '127.0.0.1', port: other.port }, ...lab.addresses];
    return other;
  };

  it('goes on to the next address, and sends the wrong one nothing', async () => {
    const lab = await prepared();
    const other = await impostor(lab);
    lab.session.start();
    await lab.untilReady();
    expect(await lab.set(10, 5)).toMatchObject({ ok: true });
    expect(lab.connectedTo).toEqual([lab.addresses[1]]);
    expect(other.requests.every(({ path }) => path === '/pair-verify')).toBe(true);
  });

  it('says so where there is no other address, and comes back to it later', async () => {
    const lab = await prepared({ random: () => 0.05 });
    const [own] = lab.addresses;
    const other = await impostor(lab);
    lab.addresses = lab.addresses.slice(0, 1);
    lab.session.start();
    await until(() => lab.statuses.at(-1) === 'offline', 'it to be offline');
    expect(lab.statusDetail).toMatch(/Another device/);
    expect(await lab.set(10, 5)).toMatchObject({ ok: false, reason: 'unreachable' });
    if (own) lab.addresses = [own];
    await lab.untilReady();
    expect(other.writes).toEqual([]);
  });

  it('comes back to an address that was another’s for a while, although its other one leads nowhere', async () => {
    const lab = await prepared({ random: () => 0.05 });
    const { port } = lab.accessory;
    const elsewhere = await freePort();
    await lab.accessory.goOffline();
    const other = await startRawAccessory({ database: [lampAccessory('Other')], mdns: false, port });
    lab.addresses = [port, elsewhere].map((one) => ({ host: '127.0.0.1', port: one }));
    lab.session.start();
    await until(() => lab.statuses.at(-1) === 'offline', 'it to be offline');
    expect(lab.statusDetail).toMatch(new RegExp(`${elsewhere} can't be reached`));
    await other.stop();
    await lab.accessory.restart();
    await lab.untilReady();
  });
});

describe('a session that the device no longer knows', () => {
  it('says so after asking twice, and does not storm', async () => {
    const lab = await ready({ random: () => 0, clock: quickClock() });
    const before = lab.accessory.requests.length;
    lab.accessory.pairing.controllers.clear();
    lab.accessory.disconnectAll();
    await until(() => lab.statuses.at(-1) === 'pairing_lost', 'it to be noticed');
    expect(lab.statusDetail).toMatch(/pair it again/i);
    expect(lab.reachable.at(-1)).toBe('all false');
    for (let n = 0; n < 20; n += 1) lab.session.sighted();
    expect(await lab.set(10, 1)).toMatchObject({
      ok: false,
      reason: 'unreachable',
      detail: expect.stringMatching(/pair/i),
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(lab.accessory.requests.length - before).toBeLessThanOrEqual(4);
  });

  it('tries again when the advertisement changes', async () => {
    const lab = await ready({ random: () => 0, clock: quickClock() });
    const controllers = new Map(lab.accessory.pairing.controllers);
    lab.accessory.pairing.controllers.clear();
    lab.accessory.disconnectAll();
    await until(() => lab.statuses.at(-1) === 'pairing_lost', 'it to be noticed');
    for (const [id, controller] of controllers) lab.accessory.pairing.controllers.set(id, controller);
    lab.session.advertisementChanged();
    await lab.untilReady();
    expect(lab.reachable.at(-1)).toBe('all true');
  });

  it.each([
    ['refuses before it has proved itself', false],
    ['has made itself new keys', true],
  ])('takes one that %s for reset if its advertisement says so, and for a stranger if not', async (_how, newKeys) => {
    const lab = await prepared({ random: () => 0, clock: quickClock() });
    const [own] = lab.addresses;
    const reset = await startRawAccessory({
      database: [lampAccessory('Lamp')],
      mdns: false,
      deviceId: lab.accessory.deviceId,
      paired: [KNOWN_CONTROLLER],
    });
    others.push(reset);
    if (newKeys) lab.addresses = [{ host: '127.0.0.1', port: reset.port }];
    else lab.accessory.stumble({ at: 'verify-M2', error: 2, times: 1_000 });
    lab.session.start();
    await until(() => lab.statuses.at(-1) === 'offline', 'it to be offline');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(lab.statuses).not.toContain('pairing_lost');

    lab.unpaired = true;
    lab.session.advertisementChanged();
    await until(() => lab.statuses.at(-1) === 'pairing_lost', 'the reset to be noticed');
    expect(lab.statusDetail).toMatch(/pair it again/i);
    expect(reset.requests.every(({ path }) => path === '/pair-verify')).toBe(true);

    if (!newKeys || !own) return;
    lab.unpaired = false;
    lab.addresses = [own];
    lab.session.advertisementChanged();
    await lab.untilReady();
    expect(lab.statuses.at(-1), 'it was a lie, and is over').toBe('connected');
  });

  it('is not talked out of a working pairing by an advertisement', async () => {
    const lab = await ready({ random: () => 0, clock: quickClock() });
    const impostor = await startRawAccessory({ database: [], mdns: false, deviceId: lab.accessory.deviceId });
    others.push(impostor);
    lab.unpaired = true;
    lab.addresses = [{ host: '127.0.0.1', port: impostor.port }, ...lab.addresses];
    lab.session.advertisementChanged();
    expect(await lab.set(10, 7)).toMatchObject({ ok: true });
    expect(lab.session.stats.reconnects).toBe(0);
    for (let n = 1; n <= 4; n += 1) {
      lab.accessory.disconnectAll();
      await until(() => lab.session.stats.reconnects === n, 'the right device to be found behind the wrong one');
      await lab.untilReady();
    }
    expect(lab.statuses).not.toContain('pairing_lost');
    expect(lab.reachable).toEqual(['all true']);
  });

  it('takes a single refusal for a stumble', async () => {
    let calls = 0;
    const { pairVerify } = await import('../../../src/drivers/hap/pairing/pair-verify.ts');
    const lab = await ready({
      clock: quickClock(),
      verify: (exchange, keys) => {
        calls += 1;
        if (calls === 1) return Promise.reject(new PairVerifyError('unknown_controller', 'Who are you?'));
        return pairVerify(exchange, keys);
      },
    });
    expect(lab.statuses).not.toContain('pairing_lost');
  });
});

describe('a session’s other requests', () => {
  it('identify an accessory', async () => {
    const lab = await ready();
    await lab.session.identify('1');
    expect(lab.accessory.writes).toMatchObject([{ iid: '2', value: true }]);
    await expect(lab.session.identify('9')).rejects.toMatchObject({ code: 'accessory_error' });
    await lab.accessory.goOffline();
    await expect(lab.session.identify('1')).rejects.toMatchObject({ code: 'accessory_unreachable' });
  });

  it('reach /pairings, encrypted', async () => {
    const lab = await ready();
    const answer = await lab.session.pairingsExchange(Buffer.from([6, 1, 1, 0, 1, 5]));
    expect(answer.includes(KNOWN_CONTROLLER.id)).toBe(true);
    expect(lab.accessory.requests.at(-1)).toMatchObject({ path: '/pairings', encrypted: true });
  });

  it('never read a button', async () => {
    const lab = await ready({ accessory: { database: [timedLockAccessory('Lock')] } });
    expect(lab.accessory.subscriptions().has('1.13')).toBe(true);
    for (const path of paths(lab.accessory)) expect(path).not.toMatch(/[=,]1\.13\b/);
  });

  it('need one connection slot', async () => {
    const lab = await ready({ accessory: { maxConnections: 1 }, clock: quickClock(5) });
    for (let n = 0; n < 5; n += 1) {
      lab.accessory.disconnectAll();
      await until(() => lab.session.stats.reconnects > n, 'the next connection');
      await lab.untilReady();
      expect(await lab.set(10, n)).toMatchObject({ ok: true });
    }
  });
});
