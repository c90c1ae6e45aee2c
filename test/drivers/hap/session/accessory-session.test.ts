import { afterEach, describe, expect, it } from 'vitest';
import { PairVerifyError } from '../../../../src/drivers/hap/pairing/pair-verify.ts';
import { parseAccessories } from '../../../../src/drivers/hap/wire/accessory-database.ts';
import { createSigningKeys } from '../../../support/accessories/identity.ts';
import { type RawAccessory, startRawAccessory } from '../../../support/accessories/raw-accessory.ts';
import type { RawRequest } from '../../../support/accessories/raw-wire.ts';
import { bridgeDatabase, lampAccessory, timedLockAccessory } from '../../../support/accessories/sample-databases.ts';
import { DeafPort } from '../../../support/deaf-port.ts';
import { freePort } from '../../../support/free-port.ts';
import { type FixtureOptions, KNOWN_CONTROLLER, quickClock, SessionFixture, until } from './session-fixture.ts';

const open: SessionFixture[] = [];
const others: RawAccessory[] = [];
const deafPorts: DeafPort[] = [];

async function ready(options?: FixtureOptions): Promise<SessionFixture> {
  const fixture = await SessionFixture.ready(options);
  open.push(fixture);
  return fixture;
}

async function prepared(options?: FixtureOptions): Promise<SessionFixture> {
  const fixture = await SessionFixture.open(options);
  open.push(fixture);
  return fixture;
}

afterEach(async () => {
  await Promise.all([
    ...open.splice(0).map((fixture) => fixture.close()),
    ...others.splice(0).map((one) => one.stop()),
  ]);
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
    const fixture = await ready();
    expect(fixture.statuses).toEqual(['connecting', 'connected']);
    expect(fixture.databases).toEqual([1]);
    expect(fixture.reports.indexOf('database')).toBeLessThan(fixture.reports.indexOf('values'));
    expect(fixture.reachable).toEqual(['all true']);
    expect(fixture.value(10)).toBe(50);
    expect(fixture.value(9)).toBe(false);
    expect(fixture.accessory.connections()).toBe(1);
    expect(fixture.accessory.subscriptions()).toEqual(new Set(['1.9', '1.10', '1.11', '1.12', '1.13']));
    expect(fixture.connectedTo).toEqual(fixture.addresses);
    expect(fixture.session.stats).toMatchObject({ reconnects: 0 });
  });

  it('shows what was read, not the value of the database', async () => {
    const fixture = await prepared();
    fixture.accessory.play({
      on: ({ path }) => path === '/accessories',
      body: JSON.stringify({ accessories: JSON.parse(LAMP_TEXT.replace('"value":50', '"value":100')) }),
    });
    fixture.session.start();
    await fixture.untilReady();
    expect(fixture.history(10)).toEqual([50]);
  });

  it('spares the device its database while c# is the same', async () => {
    const fixture = await ready({ cached: { configNumber: 1, database: parseAccessories(LAMP_TEXT) } });
    expect(paths(fixture.accessory)).not.toContain('GET /accessories');
    expect(fixture.databases).toEqual([]);
    expect(fixture.value(10)).toBe(50);
  });

  it.each([
    ['rose', 2],
    ['fell', 1],
    ['wrapped', 65_535],
    ['is not advertised, and was not before', null],
  ])('reads the database when c# %s', async (_how, configNumber) => {
    const before = configNumber === null ? null : 7;
    const fixture = await ready({ configNumber, cached: { configNumber: before, database: parseAccessories('[]') } });
    expect(fixture.databases).toEqual([configNumber]);
    expect(fixture.value(10)).toBe(50);
  });

  it('takes the cache on trust until discovery has c#', async () => {
    const fixture = await ready({
      configNumber: null,
      cached: { configNumber: 1, database: parseAccessories(LAMP_TEXT) },
    });
    expect(fixture.databases).toEqual([]);
    fixture.advertisedConfig = 1;
    fixture.session.advertisementChanged();
    fixture.advertisedConfig = 2;
    fixture.session.advertisementChanged();
    await until(() => fixture.databases.length > 0, 'the database to be read');
    expect(fixture.databases).toEqual([2]);
  });

  it('reads again when children come and go, and watches the new ones', async () => {
    const fixture = await ready({ accessory: { database: bridgeDatabase(2) } });
    for (const [children, config] of [
      [3, 2],
      [1, 1],
      [4, 65_535],
      [2, 3],
    ] as const) {
      await fixture.accessory.setDatabase(bridgeDatabase(children), config);
      fixture.advertisedConfig = config;
      fixture.session.advertisementChanged();
      await until(() => fixture.databases.at(-1) === config && fixture.session.state === 'ready', 'the new database');
      expect(fixture.cached?.database).toHaveLength(children + 1);
      expect(fixture.accessory.subscriptions().has(`${children + 1}.9`)).toBe(true);
      expect(await fixture.set(9, true, children + 1)).toEqual({ ok: true, value: true });
    }
    expect(fixture.accessory.connections()).toBe(1);
    expect(fixture.session.stats.reconnects).toBe(0);
  });

  it('does not read again at every whim, and ends with what was advertised last', async () => {
    const fixture = await ready();
    const reads = (): number => paths(fixture.accessory).filter((path) => path === 'GET /accessories').length;
    const begun = performance.now();
    for (let config = 2; config < 500; config += 1) {
      fixture.advertisedConfig = config;
      fixture.session.advertisementChanged();
      if (config % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const seconds = (performance.now() - begun) / 1_000;
    await until(() => fixture.databases.at(-1) === 499, 'the last one');
    expect(reads()).toBeLessThanOrEqual(4 + seconds);
  });

  it('tries again until a changed database could be read, and serves the last one meanwhile', async () => {
    const fixture = await ready();
    fixture.accessory.play({ on: ({ path }) => path === '/accessories', body: '{"accessories":', times: 1 });
    fixture.advertisedConfig = 2;
    fixture.session.advertisementChanged();
    await until(
      () => paths(fixture.accessory).filter((path) => path === 'GET /accessories').length === 2,
      'the attempt',
    );
    await fixture.untilReady();
    expect(await fixture.set(10, 12)).toMatchObject({ ok: true });
    expect(fixture.databases).toEqual([1]);
    fixture.advertisedConfig = 3;
    fixture.session.advertisementChanged();
    await until(() => fixture.databases.length === 2, 'the database');
    expect(fixture.databases).toEqual([1, 3]);
  });

  it('is silent about a device that describes nothing, and reports why it is not connected', async () => {
    const fixture = await prepared();
    fixture.accessory.play({ on: ({ path }) => path === '/accessories', body: '{"status":-70407}', times: 50 });
    fixture.session.start();
    await until(() => fixture.statuses.includes('offline'), 'it to give up for now');
    expect(fixture.statusDetail).toMatch(/accessories\.$/);
    expect(fixture.value(10)).toBeUndefined();
  });

  it('can be stopped and started again at any moment', async () => {
    const fixture = await prepared();
    for (let n = 0; n < 12; n += 1) {
      fixture.session.start();
      await new Promise((resolve) => setTimeout(resolve, n * 2));
      await Promise.all([fixture.session.stop(), fixture.session.stop()]);
      expect(fixture.session.state).toBe('stopped');
      expect(await fixture.set(10, 1)).toMatchObject({ ok: false, reason: 'unreachable' });
    }
    await until(() => fixture.accessory.connections() === 0, 'all connections to end');
    fixture.session.start();
    fixture.session.start();
    await fixture.untilReady();
    expect(fixture.accessory.connections()).toBe(1);
  });
});

describe('a session whose connection breaks', () => {
  it('is back on events after each of many drops', async () => {
    const fixture = await ready({ random: () => 0, clock: quickClock(3) });
    for (let n = 1; n <= 30; n += 1) {
      const cut = n % 2 === 0;
      if (cut) fixture.accessory.play({ on: isSubscription, cutAt: n % 20, cutWith: n % 4 === 0 ? 'reset' : 'close' });
      const expected = fixture.session.stats.reconnects + (cut ? 2 : 1);
      fixture.accessory.disconnectAll();
      await until(() => fixture.session.stats.reconnects === expected, 'the next connection');
      await fixture.untilReady();
      fixture.accessory.set(1, 10, n);
      await until(() => fixture.history(10, 'event').at(-1) === n, 'the event');
    }
    expect(fixture.reachable, 'nobody noticed').toEqual(['all true']);
    expect(fixture.accessory.connections()).toBe(1);
  });

  it('reports a device that is gone, and comes back by itself', async () => {
    const fixture = await ready({ random: () => 0.1 });
    await fixture.accessory.goOffline();
    await until(() => fixture.statuses.at(-1) === 'offline', 'it to be offline');
    expect(fixture.statusDetail).toMatch(/ECONNREFUSED/);
    fixture.accessory.setSilently(1, 10, 77);
    await fixture.accessory.restart();
    await fixture.untilReady();
    expect(fixture.statuses.at(-1)).toBe('connected');
    expect(fixture.value(10)).toBe(77);
  });

  it('cuts its back-off short when the device is seen, also on another port', async () => {
    let random = (): number => 0;
    const fixture = await ready({ random: () => random(), clock: quickClock() });
    await fixture.accessory.goOffline();
    random = PATIENT;
    await until(() => fixture.session.state === 'backing_off', 'it to wait');
    await fixture.accessory.restart({ port: 0 });
    fixture.addresses = [{ host: '127.0.0.1', port: fixture.accessory.port }];
    fixture.session.advertisementChanged();
    await fixture.untilReady();
    expect(fixture.connectedTo.at(-1)).toEqual(fixture.addresses[0]);
  });

  it('does not wait after an attempt that failed when the device was seen meanwhile', async () => {
    const fixture = await prepared({ random: PATIENT, clock: quickClock() });
    fixture.accessory.pairing.stumble({ at: 'verify-M2', instead: 'silence' });
    fixture.session.start();
    await until(() => fixture.accessory.requests.length > 0, 'the attempt');
    fixture.session.discovered();
    await fixture.untilReady();
    expect(fixture.statuses, 'the attempt failed').toContain('offline');
  });

  it('waits after a connection that was lost, however often the device was seen before it came about', async () => {
    const fixture = await prepared({ random: PATIENT, clock: quickClock() });
    fixture.session.start();
    for (let n = 0; n < 20; n += 1) fixture.session.discovered();
    await fixture.untilReady();
    fixture.accessory.disconnectAll();
    await until(() => fixture.session.state === 'backing_off', 'the loss');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(fixture.session.state).toBe('backing_off');
    fixture.session.discovered();
    await fixture.untilReady();
  });

  it('leaves an attempt at an address where no device answers when the device announces another one', async () => {
    const fixture = await prepared({ random: PATIENT, deadlines: { connectMs: FAR_MS, requestMs: FAR_MS } });
    const own = fixture.addresses;
    const deaf = await DeafPort.open();
    deafPorts.push(deaf);
    fixture.addresses = [{ host: '127.0.0.1', port: deaf.port }];
    fixture.session.start();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(fixture.session.state).toBe('connecting');
    fixture.addresses = own;
    fixture.session.advertisementChanged();
    await fixture.untilReady();
    expect(fixture.statuses, 'it was never away').toEqual(['connecting', 'connected']);
    expect(fixture.session.stats.lastFault).toBeNull();
  });

  it('leaves a silent peer that takes the connection when the device announces another address', async () => {
    const fixture = await prepared({ random: PATIENT, deadlines: { requestMs: FAR_MS } });
    const own = fixture.addresses;
    const silent = await startRawAccessory({ database: [lampAccessory('Silent')], mdns: false });
    others.push(silent);
    silent.silent = true;
    fixture.addresses = [{ host: '127.0.0.1', port: silent.port }];
    fixture.session.start();
    await until(() => silent.requests.length > 0, 'the attempt');
    fixture.session.advertisementChanged();
    expect(silent.connections(), 'an advertisement of the same address ends nothing').toBe(1);
    fixture.addresses = own;
    fixture.session.advertisementChanged();
    await fixture.untilReady();
    expect(fixture.connectedTo).toEqual(own);
  });

  it('waits for an unseen device, and goes there when it is seen', async () => {
    const fixture = await prepared();
    const { addresses } = fixture;
    fixture.addresses = [];
    fixture.session.start();
    await until(() => fixture.session.state === 'waiting', 'it to wait');
    expect(fixture.statuses.at(-1)).toBe('offline');
    fixture.addresses = addresses;
    fixture.session.discovered();
    await fixture.untilReady();
  });

  it('leaves a dead connection when the device announces another address', async () => {
    const keys = createSigningKeys();
    const fixture = await ready({ deadlines: { requestMs: 60_000 }, accessory: { keys }, clock: quickClock() });
    const second = await startRawAccessory({
      database: [lampAccessory('Lamp')],
      mdns: false,
      deviceId: fixture.accessory.deviceId,
      keys,
      paired: [KNOWN_CONTROLLER],
    });
    others.push(second);
    fixture.accessory.silent = true;
    fixture.addresses = [{ host: '127.0.0.1', port: second.port }, ...fixture.addresses];
    fixture.session.advertisementChanged();
    await until(() => second.subscriptions().size === 5, 'it to move');
  });

  it('asks a device no more than one question at a time, however often it announces another address', async () => {
    const fixture = await ready();
    fixture.addresses = [{ host: '127.0.0.2', port: fixture.accessory.port }, ...fixture.addresses];
    const before = fixture.accessory.requests.length;
    for (let n = 0; n < 200; n += 1) fixture.session.advertisementChanged();
    expect(await fixture.set(10, 4)).toMatchObject({ ok: true });
    expect(fixture.accessory.requests.length - before).toBeLessThanOrEqual(3);
  });

  it('verifies again after 470 and reports nothing', async () => {
    const fixture = await ready();
    fixture.accessory.forgetSessions();
    expect(await fixture.set(10, 33)).toEqual({ ok: true, value: 33 });
    expect(fixture.accessory.writes.map(({ value }) => value)).toEqual([33]);
    await fixture.untilReady();
    expect(fixture.reachable).toEqual(['all true']);
  });

  it('survives any byte of an answer being changed, and any cut', async () => {
    const fixture = await ready({ random: () => 0, deadlines: { requestMs: 150 } });
    for (let at = 0; at < 40; at += 1) {
      fixture.accessory.play(at % 2 === 0 ? { on: isRead, corruptAt: at } : { on: isRead, cutAt: at });
      fixture.accessory.disconnectAll();
      await until(() => fixture.session.stats.reconnects > at, 'the next connection');
    }
    fixture.accessory.clearTricks();
    await fixture.untilReady();
    expect(await fixture.set(10, 9)).toMatchObject({ ok: true });
  });
});

describe('a session and the wrong device', () => {
  const impostor = async (fixture: SessionFixture): Promise<RawAccessory> => {
    const other = await startRawAccessory({
      database: [lampAccessory('Other')],
      mdns: false,
      paired: [KNOWN_CONTROLLER],
    });
    others.push(other);
    fixture.addresses = [{ host: '127.0.0.1', port: other.port }, ...fixture.addresses];
    return other;
  };

  it('goes on to the next address, and sends the wrong one nothing', async () => {
    const fixture = await prepared();
    const other = await impostor(fixture);
    fixture.session.start();
    await fixture.untilReady();
    expect(await fixture.set(10, 5)).toMatchObject({ ok: true });
    expect(fixture.connectedTo).toEqual([fixture.addresses[1]]);
    expect(other.requests.every(({ path }) => path === '/pair-verify')).toBe(true);
  });

  it('reports that there is no other address, and comes back to it later', async () => {
    const fixture = await prepared({ random: () => 0.05 });
    const [own] = fixture.addresses;
    const other = await impostor(fixture);
    fixture.addresses = fixture.addresses.slice(0, 1);
    fixture.session.start();
    await until(() => fixture.statuses.at(-1) === 'offline', 'it to be offline');
    expect(fixture.statusDetail).toMatch(/Another device/);
    expect(await fixture.set(10, 5)).toMatchObject({ ok: false, reason: 'unreachable' });
    if (own) fixture.addresses = [own];
    await fixture.untilReady();
    expect(other.writes).toEqual([]);
  });

  it('comes back to an address that was another’s for a while, although its other one leads nowhere', async () => {
    const fixture = await prepared({ random: () => 0.05 });
    const { port } = fixture.accessory;
    const elsewhere = await freePort();
    await fixture.accessory.goOffline();
    const other = await startRawAccessory({ database: [lampAccessory('Other')], mdns: false, port });
    fixture.addresses = [port, elsewhere].map((one) => ({ host: '127.0.0.1', port: one }));
    fixture.session.start();
    await until(() => fixture.statuses.at(-1) === 'offline', 'it to be offline');
    expect(fixture.statusDetail).toMatch(new RegExp(`${elsewhere} can't be reached`));
    await other.stop();
    await fixture.accessory.restart();
    await fixture.untilReady();
  });
});

describe('a session that the device no longer knows', () => {
  it('reports it after asking twice, and does not storm', async () => {
    const fixture = await ready({ random: () => 0, clock: quickClock() });
    const before = fixture.accessory.requests.length;
    fixture.accessory.pairing.controllers.clear();
    fixture.accessory.disconnectAll();
    await until(() => fixture.statuses.at(-1) === 'pairing_lost', 'it to be noticed');
    expect(fixture.statusDetail).toMatch(/pair it again/i);
    expect(fixture.reachable.at(-1)).toBe('all false');
    for (let n = 0; n < 20; n += 1) fixture.session.discovered();
    expect(await fixture.set(10, 1)).toMatchObject({
      ok: false,
      reason: 'unreachable',
      detail: expect.stringMatching(/pair/i),
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(fixture.accessory.requests.length - before).toBeLessThanOrEqual(4);
  });

  it('tries again when the advertisement changes', async () => {
    const fixture = await ready({ random: () => 0, clock: quickClock() });
    const controllers = new Map(fixture.accessory.pairing.controllers);
    fixture.accessory.pairing.controllers.clear();
    fixture.accessory.disconnectAll();
    await until(() => fixture.statuses.at(-1) === 'pairing_lost', 'it to be noticed');
    for (const [id, controller] of controllers) fixture.accessory.pairing.controllers.set(id, controller);
    fixture.session.advertisementChanged();
    await fixture.untilReady();
    expect(fixture.reachable.at(-1)).toBe('all true');
  });

  it.each([
    ['refuses before it has proved itself', false],
    ['has made itself new keys', true],
  ])(
    'takes one that %s for reset if its advertisement confirms it, and for a stranger if not',
    async (_how, newKeys) => {
      const fixture = await prepared({ random: () => 0, clock: quickClock() });
      const [own] = fixture.addresses;
      const reset = await startRawAccessory({
        database: [lampAccessory('Lamp')],
        mdns: false,
        deviceId: fixture.accessory.deviceId,
        paired: [KNOWN_CONTROLLER],
      });
      others.push(reset);
      if (newKeys) fixture.addresses = [{ host: '127.0.0.1', port: reset.port }];
      else fixture.accessory.stumble({ at: 'verify-M2', error: 2, times: 1_000 });
      fixture.session.start();
      await until(() => fixture.statuses.at(-1) === 'offline', 'it to be offline');
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(fixture.statuses).not.toContain('pairing_lost');

      fixture.unpaired = true;
      fixture.session.advertisementChanged();
      await until(() => fixture.statuses.at(-1) === 'pairing_lost', 'the reset to be noticed');
      expect(fixture.statusDetail).toMatch(/pair it again/i);
      expect(reset.requests.every(({ path }) => path === '/pair-verify')).toBe(true);

      if (!newKeys || !own) return;
      fixture.unpaired = false;
      fixture.addresses = [own];
      fixture.session.advertisementChanged();
      await fixture.untilReady();
      expect(fixture.statuses.at(-1), 'it was a lie, and is over').toBe('connected');
    },
  );

  it('is not talked out of a working pairing by an advertisement', async () => {
    const fixture = await ready({ random: () => 0, clock: quickClock() });
    const impostor = await startRawAccessory({ database: [], mdns: false, deviceId: fixture.accessory.deviceId });
    others.push(impostor);
    fixture.unpaired = true;
    fixture.addresses = [{ host: '127.0.0.1', port: impostor.port }, ...fixture.addresses];
    fixture.session.advertisementChanged();
    expect(await fixture.set(10, 7)).toMatchObject({ ok: true });
    expect(fixture.session.stats.reconnects).toBe(0);
    for (let n = 1; n <= 4; n += 1) {
      fixture.accessory.disconnectAll();
      await until(() => fixture.session.stats.reconnects === n, 'the right device to be found behind the wrong one');
      await fixture.untilReady();
    }
    expect(fixture.statuses).not.toContain('pairing_lost');
    expect(fixture.reachable).toEqual(['all true']);
  });

  it('takes a single refusal for a stumble', async () => {
    let calls = 0;
    const { pairVerify } = await import('../../../../src/drivers/hap/pairing/pair-verify.ts');
    const fixture = await ready({
      clock: quickClock(),
      verify: (exchange, keys) => {
        calls += 1;
        if (calls === 1) return Promise.reject(new PairVerifyError('unknown_controller', 'Who are you?'));
        return pairVerify(exchange, keys);
      },
    });
    expect(fixture.statuses).not.toContain('pairing_lost');
  });
});

describe('a session’s other requests', () => {
  it('identify an accessory', async () => {
    const fixture = await ready();
    await fixture.session.device.identify('1');
    expect(fixture.accessory.writes).toMatchObject([{ iid: '2', value: true }]);
    await expect(fixture.session.device.identify('9')).rejects.toMatchObject({ code: 'accessory_error' });
    await fixture.accessory.goOffline();
    await expect(fixture.session.device.identify('1')).rejects.toMatchObject({ code: 'accessory_unreachable' });
  });

  it('reach /pairings, encrypted', async () => {
    const fixture = await ready();
    const answer = await fixture.session.device.pairingsExchange(Buffer.from([6, 1, 1, 0, 1, 5]));
    expect(answer.includes(KNOWN_CONTROLLER.id)).toBe(true);
    expect(fixture.accessory.requests.at(-1)).toMatchObject({ path: '/pairings', encrypted: true });
  });

  it('never read a button', async () => {
    const fixture = await ready({ accessory: { database: [timedLockAccessory('Lock')] } });
    expect(fixture.accessory.subscriptions().has('1.13')).toBe(true);
    for (const path of paths(fixture.accessory)) expect(path).not.toMatch(/[=,]1\.13\b/);
  });

  it('need one connection slot', async () => {
    const fixture = await ready({ accessory: { maxConnections: 1 }, clock: quickClock(5) });
    for (let n = 0; n < 5; n += 1) {
      fixture.accessory.disconnectAll();
      await until(() => fixture.session.stats.reconnects > n, 'the next connection');
      await fixture.untilReady();
      expect(await fixture.set(10, n)).toMatchObject({ ok: true });
    }
  });
});
