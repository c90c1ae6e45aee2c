import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pairVerify } from '../../../../src/drivers/hap/pairing/pair-verify.ts';
import { type DeviceToPair, Pairer } from '../../../../src/drivers/hap/pairing/pairer.ts';
import type { ConnectForPairing } from '../../../../src/drivers/hap/pairing/pairing-connection.ts';
import { PairingCopy } from '../../../../src/drivers/hap/pairing/pairing-copy.ts';
import { PairingStore } from '../../../../src/drivers/hap/pairing/pairing-store.ts';
import { recoverIncompletePairing } from '../../../../src/drivers/hap/pairing/recover-pairing.ts';
import { WrongCodes } from '../../../../src/drivers/hap/pairing/wrong-codes.ts';
import { PublishedServers } from '../../../../src/drivers/hap/published-servers.ts';
import type { TlvExchange } from '../../../../src/drivers/hap/wire/exchange.ts';
import { decodeTlv } from '../../../../src/hap-spec/tlv.ts';
import { HearthError } from '../../../../src/kernel/errors.ts';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { type Database, openDatabase } from '../../../../src/storage/database.ts';
import { createControllerKeys, createSigningKeys } from '../../../support/accessories/identity.ts';
import { type RawAccessory, type RawOptions, startRawAccessory } from '../../../support/accessories/raw-accessory.ts';
import { startReplayAccessory } from '../../../support/accessories/replay-accessory.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { connectPlainly } from './plain-connection.ts';

const CODE = '031-45-154';
const WRONG_CODE = '482-91-573';
const HOME_ID = '11111111-1111-4111-8111-111111111111';
const STATE = 6;

let directory: TempDirectory;
let database: Database;
let store: PairingStore;
let pairer: Pairer;
const clock = new TestClock();
const running: { stop(): Promise<void> }[] = [];

beforeEach(() => {
  directory = createTempDirectory('pairer');
  start();
});

afterEach(async () => {
  for (const accessory of running.splice(0)) await accessory.stop();
  database.close();
  directory.remove();
});

function start(): void {
  database = openDatabase(directory.file('relay.db'));
  database
    .prepare("INSERT OR IGNORE INTO homes (id, name, name_key, created_at) VALUES (?, 'Home', 'home', 0)")
    .run(HOME_ID);
  store = new PairingStore(database, new PairingCopy(directory.file('pairings.json')), silentLogger);
  store.open();
  const published = new PublishedServers({
    ...{ discovery: { find: () => undefined }, ownDeviceIds: new Set(), arePairable: false },
  });
  pairer = new Pairer({ store, wrongCodes: new WrongCodes(database, clock), published, clock, logger: silentLogger });
}

/** What a killed daemon finds when it starts again: only what is on disk. */
function restart(): void {
  database.close();
  start();
}

async function raw(options: Partial<RawOptions> = {}): Promise<RawAccessory> {
  const accessory = await startRawAccessory({ database: [], mdns: false, setupCode: CODE, ...options });
  running.push(accessory);
  return accessory;
}

function deviceFor(accessory: { deviceId: string; port: number }, overrides: Partial<DeviceToPair> = {}): DeviceToPair {
  return {
    deviceId: accessory.deviceId,
    aliases: [`127.0.0.1:${accessory.port}`],
    name: 'Lamp',
    model: 'L1',
    category: 5,
    featureFlags: 0,
    rememberedMethod: null,
    ...overrides,
  };
}

function connectTo(accessory: { port: number }): ConnectForPairing {
  return () => connectPlainly(accessory.port);
}

function pair(accessory: RawAccessory, code = CODE, connect = connectTo(accessory), device = deviceFor(accessory)) {
  return pairer.pair(device, HOME_ID, code, connect, () => {});
}

async function failureOf(promise: Promise<unknown>): Promise<HearthError> {
  const error = await promise.then(
    () => new Error('It succeeded'),
    (reason: unknown) => reason,
  );
  if (error instanceof HearthError) return error;
  throw error;
}

async function verifies(accessory: { port: number }, deviceId: string): Promise<boolean> {
  const keys = store.find(deviceId)?.keys;
  if (!keys) return false;
  const connection = await connectPlainly(accessory.port);
  try {
    await pairVerify(connection.exchange, keys);
    return true;
  } finally {
    connection.close();
  }
}

/** Breaks off when a message of pair-setup is about to be sent, or when its answer has arrived. */
function killedAt(accessory: { port: number }, message: number, when: 'before' | 'after'): ConnectForPairing {
  return async () => {
    const connection = await connectPlainly(accessory.port);
    const exchange: TlvExchange = async (path, body) => {
      const matches = path === '/pair-setup' && decodeTlv(body).findNumber(STATE) === message;
      if (matches && when === 'before') throw new Error('killed');
      const answer = await connection.exchange(path, body);
      if (matches) throw new Error('killed');
      return answer;
    };
    return { ...connection, exchange };
  };
}

describe('pairing a device', () => {
  it('takes any form of the code and leaves a record, good for pair-verify, that outlives a restart', async () => {
    const accessory = await startReplayAccessory({ database: [], mdns: false, setupCode: CODE });
    running.push(accessory);
    const steps: string[] = [];
    const { record, method } = await pairer.pair(
      deviceFor(accessory),
      HOME_ID,
      '03145154',
      connectTo(accessory),
      (step) => steps.push(step),
    );
    expect(record).toMatchObject({ state: 'paired', homeId: HOME_ID, name: 'Lamp', model: 'L1', category: 5 });
    expect(method).toBe(0);
    expect(steps).toEqual(['connecting', 'exchanging', 'proving', 'saving']);
    restart();
    expect(store.find(accessory.deviceId)).toEqual(record);
    expect(await verifies(accessory, accessory.deviceId)).toBe(true);
  });

  it('is refused before anything is sent: bad code, paired already, five wrong codes', async () => {
    const accessory = await raw();
    const refusing: ConnectForPairing = () => Promise.reject(new Error('connected'));
    expect((await failureOf(pair(accessory, '123-45-678', refusing))).code).toBe('invalid_value');
    await pair(accessory);
    const before = accessory.requests.length;
    expect(await failureOf(pair(accessory, CODE, refusing))).toMatchObject({ code: 'conflict' });
    expect(accessory.requests).toHaveLength(before);
  });

  it('lets five wrong codes an hour through to the device, across restarts, and no sixth', async () => {
    const accessory = await raw();
    for (let time = 1; time <= 5; time += 1) {
      expect((await failureOf(pair(accessory, WRONG_CODE))).message).toMatch(/code is wrong/);
      if (time === 3) restart();
    }
    const before = accessory.requests.length;
    expect(await failureOf(pair(accessory))).toMatchObject({
      code: 'rate_limited',
      details: { retryAfterSeconds: expect.any(Number) },
    });
    expect(accessory.requests).toHaveLength(before);
    await clock.advance(3_600_000);
    expect((await pair(accessory)).record.state).toBe('paired');
  });
});

describe('a pairing that was killed half-way', () => {
  it.each([
    [1, 'before'],
    [1, 'after'],
    [3, 'before'],
    [3, 'after'],
    [5, 'before'],
    [5, 'after'],
  ] as const)('at M%i, %s it: after a restart, pairing again leads to a pairing that works', async (message, when) => {
    const accessory = await raw();
    const error = await failureOf(pair(accessory, CODE, killedAt(accessory, message, when)));
    expect(error.code).toBe('pairing_failed');
    restart();
    expect(store.find(accessory.deviceId)?.state).toBe(message === 5 ? 'exchanging' : undefined);
    expect(accessory.pairing.controllers.size).toBe(message === 5 && when === 'after' ? 1 : 0);
    await pair(accessory);
    expect(store.list().map(({ keys, state }) => [keys.deviceId, state])).toEqual([[accessory.deviceId, 'paired']]);
    expect(accessory.pairing.controllers.size).toBe(1);
    expect(await verifies(accessory, accessory.deviceId)).toBe(true);
  });

  it('with a genuine HAP-NodeJS accessory that has saved us: the half-made pairing is removed and made again', async () => {
    const accessory = await startReplayAccessory({ database: [], mdns: false, setupCode: CODE });
    running.push(accessory);
    const device = deviceFor(accessory);
    await failureOf(pairer.pair(device, HOME_ID, CODE, killedAt(accessory, 5, 'after'), () => {}));
    const [halfMade] = accessory.controllers;
    restart();
    const { record } = await pairer.pair(device, HOME_ID, CODE, connectTo(accessory), () => {});
    expect(accessory.controllers).toEqual([record.keys.controllerId]);
    expect(halfMade).not.toBe(record.keys.controllerId);
  });

  it('and whose database was lost too: the keys for the removal are in the second copy', async () => {
    const accessory = await raw();
    await failureOf(pair(accessory, CODE, killedAt(accessory, 5, 'after')));
    database.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(directory.file(`relay.db${suffix}`), { force: true });
    start();
    expect((await pair(accessory)).record.state).toBe('paired');
  });

  it('by host and port is found again when the device is paired by its id', async () => {
    const accessory = await raw();
    const byAddress = deviceFor(accessory, { deviceId: `127.0.0.1:${accessory.port}` });
    await failureOf(pair(accessory, CODE, killedAt(accessory, 5, 'after'), byAddress));
    expect(store.list().map(({ keys }) => keys.deviceId)).toEqual([`127.0.0.1:${accessory.port}`]);
    const { record } = await pair(accessory);
    expect(store.list()).toEqual([record]);
  });

  it('advises to reset the device where the half-made pairing can’t be removed', async () => {
    const accessory = await raw();
    await failureOf(pair(accessory, CODE, killedAt(accessory, 5, 'after')));
    accessory.pairing.stumble({ at: 'verify-M2', error: 1, times: 10 });
    const error = await failureOf(pair(accessory));
    expect(error.message).toMatch(/reset it to factory settings/);
    expect(store.find(accessory.deviceId)?.state).toBe('exchanging');
  });

  it('is forgotten once the device was reset, even if it refuses pair-verify while unpaired', async () => {
    const accessory = await raw();
    await failureOf(pair(accessory, CODE, killedAt(accessory, 5, 'after')));
    accessory.pairing.clear();
    accessory.pairing.stumble({ at: 'verify-M2', error: 1, times: 10 });
    expect((await pair(accessory)).record.state).toBe('paired');
  });
});

describe('recovering an incomplete pairing', () => {
  it('never uses the session for anything but the removal, and trusts no other device', async () => {
    const accessory = await raw();
    await failureOf(pair(accessory, CODE, killedAt(accessory, 5, 'after')));
    const keys = store.find(accessory.deviceId)?.keys;
    if (!keys) throw new Error('Nothing was written down');
    const other = { ...keys, deviceId: '00:11:22:33:44:55' };
    expect(await recoverIncompletePairing(connectTo(accessory), other)).toBe('unresolved');
    expect(accessory.pairing.controllers.size).toBe(1);
    expect(await recoverIncompletePairing(() => Promise.reject(new Error('off')), keys)).toBe('unresolved');
    const before = accessory.requests.length;
    expect(await recoverIncompletePairing(connectTo(accessory), keys)).toBe('removed');
    expect(accessory.requests.slice(before).map(({ path }) => path)).toEqual([
      '/pair-verify',
      '/pair-verify',
      '/pairings',
    ]);
    expect(accessory.pairing.controllers.size).toBe(0);
    expect(await recoverIncompletePairing(connectTo(accessory), keys)).toBe('not_registered');
  });
});

describe('a pairing that must not stand', () => {
  it('is taken off a device that is not the one asked for', async () => {
    const accessory = await raw();
    const device = deviceFor(accessory, { deviceId: '00:11:22:33:44:55' });
    const error = await failureOf(pair(accessory, CODE, connectTo(accessory), device));
    expect(error.message).toContain(`${accessory.deviceId}, not 00:11:22:33:44:55`);
    expect(accessory.pairing.controllers.size).toBe(0);
    expect(store.list()).toEqual([]);
  });

  it('is taken off a clone of a device that is paired already, which stays as it was', async () => {
    const first = await raw();
    const { record } = await pair(first);
    const clone = await raw({ deviceId: first.deviceId, keys: createSigningKeys() });
    const device = deviceFor(clone, { deviceId: `127.0.0.1:${clone.port}` });
    const error = await failureOf(pair(clone, CODE, connectTo(clone), device));
    expect(error).toMatchObject({ code: 'conflict', message: expect.stringContaining('paired here already') });
    expect(clone.pairing.controllers.size).toBe(0);
    expect(store.list()).toEqual([record]);
    expect(await verifies(first, first.deviceId)).toBe(true);
  });

  it('is kept on record under the proven id if it can’t be taken off at once, and removed at the next pairing', async () => {
    const accessory = await raw();
    const device = deviceFor(accessory, { deviceId: '00:11:22:33:44:55' });
    accessory.pairing.stumble({ at: 'verify-M2', error: 7 });
    await failureOf(pair(accessory, CODE, connectTo(accessory), device));
    expect(store.list().map(({ keys, state }) => [keys.deviceId, state])).toEqual([[accessory.deviceId, 'exchanging']]);
    expect((await pair(accessory)).record.state).toBe('paired');
    expect(accessory.pairing.controllers.size).toBe(1);
  });

  it('does not disturb the accessory’s other controllers', async () => {
    const other = createControllerKeys();
    const accessory = await raw({ paired: [other] });
    expect((await failureOf(pair(accessory))).message).toMatch(/already paired with another controller/);
    expect([...accessory.pairing.controllers.keys()]).toEqual([other.id]);
  });
});
