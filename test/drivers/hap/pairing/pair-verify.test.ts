import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { listControllers } from '../../../../src/drivers/hap/pairing/controllers.ts';
import { PairVerifyError, pairVerify } from '../../../../src/drivers/hap/pairing/pair-verify.ts';
import type { PairingKeys, TlvExchange } from '../../../../src/drivers/hap/wire/exchange.ts';
import { decodeTlv, encodeTlv } from '../../../../src/hap-spec/tlv.ts';
import { createControllerKeys, pairingKeys } from '../../../support/accessories/identity.ts';
import { type RawAccessory, startRawAccessory } from '../../../support/accessories/raw-accessory.ts';
import { type ReplayAccessory, startReplayAccessory } from '../../../support/accessories/replay-accessory.ts';
import { connectPlainly } from './plain-connection.ts';

const STATE = 6;
const ENCRYPTED = 5;

const open: { close(): void }[] = [];
const running: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const connection of open.splice(0)) connection.close();
  for (const accessory of running.splice(0)) await accessory.stop();
});

async function exchangeWith(accessory: { port: number }): Promise<TlvExchange> {
  const connection = await connectPlainly(accessory.port);
  open.push(connection);
  return connection.exchange;
}

async function genuine(): Promise<{ accessory: ReplayAccessory; keys: PairingKeys }> {
  const controller = createControllerKeys();
  const accessory = await startReplayAccessory({ database: [], mdns: false, paired: [controller] });
  running.push(accessory);
  return { accessory, keys: pairingKeys(controller, accessory) };
}

async function raw(): Promise<{ accessory: RawAccessory; keys: PairingKeys }> {
  const controller = createControllerKeys();
  const accessory = await startRawAccessory({ database: [], mdns: false, paired: [controller] });
  running.push(accessory);
  return {
    accessory,
    keys: pairingKeys(controller, { deviceId: accessory.deviceId, publicKey: accessory.pairing.publicKey }),
  };
}

async function failureOf(promise: Promise<unknown>): Promise<PairVerifyError> {
  const error = await promise.then(
    () => new Error('It succeeded'),
    (reason: unknown) => reason,
  );
  if (error instanceof PairVerifyError) return error;
  throw error;
}

/** Changes every answer on its way. */
function altered(exchange: TlvExchange, alter: (answer: Buffer, state: number) => Buffer): TlvExchange {
  return async (path, body) => {
    const state = (decodeTlv(body).findNumber(STATE) ?? 0) + 1;
    return alter(await exchange(path, body), state);
  };
}

describe('pair-verify with HAP-NodeJS', () => {
  it('proves both sides, and the keys it gives open the encrypted connection', async () => {
    const { accessory, keys } = await genuine();
    const connection = await connectPlainly(accessory.port);
    open.push(connection);
    connection.secure(await pairVerify(connection.exchange, keys));
    const controllers = await listControllers((body) => connection.exchange('/pairings', body), keys.controllerId);
    expect(controllers).toEqual([
      { id: keys.controllerId, publicKey: keys.controllerPublicKey.toString('hex'), admin: true, self: true },
    ]);
  });

  it('compares device ids ignoring case', async () => {
    const { accessory, keys } = await genuine();
    const lower = { ...keys, deviceId: keys.deviceId.toLowerCase() };
    const session = await pairVerify(await exchangeWith(accessory), lower);
    expect([session.read.length, session.write.length]).toEqual([32, 32]);
  });

  it('refuses another device at the address as wrong_device, before revealing who we are', async () => {
    const { accessory, keys } = await genuine();
    const sent: number[] = [];
    const exchange = await exchangeWith(accessory);
    const error = await failureOf(
      pairVerify(
        (path, body) => {
          sent.push(decodeTlv(body).findNumber(STATE) ?? 0);
          return exchange(path, body);
        },
        { ...keys, deviceId: '00:11:22:33:44:55' },
      ),
    );
    expect(error.kind).toBe('wrong_device');
    expect(error.message).toContain(accessory.deviceId);
    expect(sent).toEqual([1]);
  });

  it('reports unproved for a device with the right id and another key', async () => {
    const { accessory, keys } = await genuine();
    const stranger = createControllerKeys();
    const error = await failureOf(
      pairVerify(await exchangeWith(accessory), { ...keys, accessoryPublicKey: stranger.publicKey }),
    );
    expect(error.kind).toBe('unproved');
    expect(error.message).toMatch(/unpair it and pair it again/);
  });

  it('reports unknown_controller once the device has forgotten us', async () => {
    const { accessory, keys } = await genuine();
    await accessory.forgetPairings();
    const error = await failureOf(pairVerify(await exchangeWith(accessory), keys));
    expect(error.kind).toBe('unknown_controller');
    expect(error.message).toMatch(/pair it again/);
  });

  it('reports unknown_controller if our own key is not the one registered', async () => {
    const { accessory, keys } = await genuine();
    const { seed, publicKey } = createControllerKeys();
    const other = { controllerSecretKey: seed, controllerPublicKey: publicKey };
    const error = await failureOf(pairVerify(await exchangeWith(accessory), { ...keys, ...other }));
    expect(error.kind).toBe('unknown_controller');
  });

  it('asks nothing of the network for a pairing that was never completed', async () => {
    const { keys } = await genuine();
    const error = await failureOf(
      pairVerify(() => Promise.reject(new Error('asked')), { ...keys, accessoryPublicKey: null }),
    );
    expect(error.kind).toBe('protocol');
    expect(error.message).toMatch(/never completed/);
  });
});

describe('pair-verify with an answer changed on its way', () => {
  it('notices a change anywhere in M2; only the type of its State may be wrong, which is the same as no State', async () => {
    const { accessory, keys } = await raw();
    const lengths: number[] = [];
    await pairVerify(
      altered(await exchangeWith(accessory), (answer) => {
        lengths.push(answer.length);
        return answer;
      }),
      keys,
    );
    const length = lengths[0] ?? 0;
    expect(length).toBeGreaterThan(100);
    for (let position = 1; position < length; position += 2) {
      const exchange = altered(await exchangeWith(accessory), (answer, state) => {
        if (state !== 2) return answer;
        const changed = Buffer.from(answer);
        changed.writeUInt8(changed.readUInt8(position) ^ 0x10, position);
        return changed;
      });
      const error = await failureOf(pairVerify(exchange, keys));
      expect(['protocol', 'wrong_device', 'unproved', 'refused', 'unknown_controller']).toContain(error.kind);
      for (const connection of open.splice(0)) connection.close();
    }
  });

  it('takes answers without State, as some accessories send them', async () => {
    const { accessory, keys } = await raw();
    accessory.pairing.stumble({ at: 'verify-M2', omitState: true });
    accessory.pairing.stumble({ at: 'verify-M4', omitState: true });
    const session = await pairVerify(await exchangeWith(accessory), keys);
    expect(session.read).toHaveLength(32);
  });

  it('calls busy and back-off busy, with the time the device asks for', async () => {
    const { accessory, keys } = await raw();
    accessory.pairing.stumble({ at: 'verify-M2', error: 7 });
    expect(await failureOf(pairVerify(await exchangeWith(accessory), keys))).toMatchObject({
      kind: 'busy',
      retryAfterMs: null,
    });
    accessory.pairing.stumble({ at: 'verify-M4', error: 3, retryDelayS: 20 });
    expect(await failureOf(pairVerify(await exchangeWith(accessory), keys))).toMatchObject({
      kind: 'busy',
      retryAfterMs: 20_000,
    });
  });

  it('takes a refusal before the device proved itself for no statement about the pairing', async () => {
    const { accessory, keys } = await raw();
    accessory.pairing.stumble({ at: 'verify-M2', error: 2 });
    expect((await failureOf(pairVerify(await exchangeWith(accessory), keys))).kind).toBe('refused');
    accessory.pairing.stumble({ at: 'verify-M4', error: 99 });
    expect((await failureOf(pairVerify(await exchangeWith(accessory), keys))).kind).toBe('refused');
  });

  it('calls malformed answers protocol errors: empty, cut, of the wrong state, with keys of the wrong length or of no effect', async () => {
    const { keys } = await raw();
    const sealed: [number, Buffer] = [ENCRYPTED, randomBytes(64)];
    const answers = [
      Buffer.alloc(0),
      Buffer.of(6, 5, 1),
      encodeTlv([[STATE, 4]]),
      encodeTlv([[STATE, 2], [3, randomBytes(31)], sealed]),
      encodeTlv([[STATE, 2], [3, Buffer.alloc(32)], sealed]),
      encodeTlv([
        [STATE, 2],
        [3, randomBytes(32)],
        [ENCRYPTED, randomBytes(8)],
      ]),
      encodeTlv([[STATE, 2], [3, randomBytes(32)], sealed]),
    ];
    for (const answer of answers) {
      expect((await failureOf(pairVerify(() => Promise.resolve(answer), keys))).kind).toBe('protocol');
    }
  });

  it('passes on what the transport rejects with', async () => {
    const { keys } = await raw();
    const closed = new Error('the connection closed');
    await expect(pairVerify(() => Promise.reject(closed), keys)).rejects.toBe(closed);
  });
});

it('reports how long connecting and pair-verify take', async () => {
  const { accessory, keys } = await raw();
  const rounds = 50;
  const started = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    const connection = await connectPlainly(accessory.port);
    await pairVerify(connection.exchange, keys);
    connection.close();
  }
  const each = (performance.now() - started) / rounds;
  process.stdout.write(`connect and pair-verify, both ends in this process: ${each.toFixed(2)} ms each\n`);
  expect(accessory.requests.length).toBe(2 * rounds);
});
