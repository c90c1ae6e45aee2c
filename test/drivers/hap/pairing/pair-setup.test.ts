import { afterEach, describe, expect, it } from 'vitest';
import {
  methodFor,
  type PairingRecorder,
  type PairSetupRequest,
  pairSetup,
} from '../../../../src/drivers/hap/pairing/pair-setup.ts';
import { PairSetupError, type PairSetupFailure } from '../../../../src/drivers/hap/pairing/pair-setup-error.ts';
import { pairVerify } from '../../../../src/drivers/hap/pairing/pair-verify.ts';
import type { PairingConnection } from '../../../../src/drivers/hap/pairing/pairing-connection.ts';
import type { PairingKeys, TlvExchange } from '../../../../src/drivers/hap/wire/exchange.ts';
import { decodeTlv, encodeTlv } from '../../../../src/hap-spec/tlv.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { HearthError } from '../../../../src/kernel/errors.ts';
import { type RawAccessory, startRawAccessory } from '../../../support/accessories/raw-accessory.ts';
import { startReplayAccessory } from '../../../support/accessories/replay-accessory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { connectPlainly } from './plain-connection.ts';

const CODE = '031-45-154';
const STATE = 6;

const running: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const accessory of running.splice(0)) await accessory.stop();
});

async function raw(options: { setupCode?: string } = {}): Promise<RawAccessory> {
  const accessory = await startRawAccessory({ database: [], mdns: false, setupCode: CODE, ...options });
  running.push(accessory);
  return accessory;
}

/** Keeps its input, in order. */
class MemoryRecorder implements PairingRecorder {
  readonly calls: string[] = [];
  begun: PairingKeys | undefined;
  completed: PairingKeys | undefined;

  begin(keys: PairingKeys): void {
    this.calls.push('begin');
    this.begun = keys;
  }

  complete(keys: PairingKeys): void {
    this.calls.push('complete');
    this.completed = keys;
  }

  abandon(): void {
    this.calls.push('abandon');
  }
}

interface Setup extends PairSetupRequest {
  readonly recorder: MemoryRecorder;
  readonly steps: string[];
}

function setupFor(accessory: { port: number; deviceId: string }, overrides: Partial<Setup> = {}): Setup {
  const steps: string[] = [];
  return {
    connect: () => connectPlainly(accessory.port),
    deviceId: accessory.deviceId,
    setupCode: CODE,
    featureFlags: 0,
    rememberedMethod: null,
    recorder: new MemoryRecorder(),
    steps,
    onProgress: (step) => steps.push(step),
    clock: systemClock,
    ...overrides,
  };
}

async function failureOf(promise: Promise<unknown>): Promise<PairSetupError> {
  const error = await promise.then(
    () => new Error('It succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PairSetupError)) throw error;
  expect(everythingIn(error)).not.toContain(CODE);
  expect(everythingIn(error)).not.toContain(CODE.replaceAll('-', ''));
  return error;
}

/** The error as a careless logger would print it, causes and all. */
function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return [error.stack, JSON.stringify(error), error.cause ? everythingIn(error.cause) : ''].join('\n');
}

/** Changes the answer of one step (2, 4 or 6), or refuses to pass its request on. */
function bent(accessory: { port: number }, state: number, bend: (pass: () => Promise<Buffer>) => Promise<Buffer>) {
  return async (): Promise<PairingConnection> => {
    const connection = await connectPlainly(accessory.port);
    const exchange: TlvExchange = (path, body) => {
      const pass = (): Promise<Buffer> => connection.exchange(path, body);
      return (decodeTlv(body).findNumber(STATE) ?? 0) + 1 === state ? bend(pass) : pass();
    };
    return { ...connection, exchange };
  };
}

describe('pair-setup with HAP-NodeJS', () => {
  it('pairs: the keys are written down before M5, completed after M6, and good for pair-verify', async () => {
    const accessory = await startReplayAccessory({ database: [], mdns: false, setupCode: CODE });
    running.push(accessory);
    const setup = setupFor(accessory);
    const { keys, method } = await pairSetup(setup);
    expect(setup.recorder.calls).toEqual(['begin', 'complete']);
    expect(setup.recorder.begun).toEqual({ ...keys, accessoryPublicKey: null });
    expect(setup.recorder.completed).toEqual(keys);
    expect(setup.steps).toEqual(['connecting', 'exchanging', 'proving', 'saving']);
    expect(method).toBe(0);
    expect(keys.accessoryPublicKey).toEqual(accessory.publicKey);
    expect(accessory.controllers).toEqual([keys.controllerId]);
    const connection = await connectPlainly(accessory.port);
    await pairVerify(connection.exchange, keys);
    connection.close();
  });

  it('learns the device id from M6 where it was given host and port only', async () => {
    const accessory = await startReplayAccessory({ database: [], mdns: false, setupCode: CODE });
    running.push(accessory);
    const setup = setupFor(accessory, { deviceId: `127.0.0.1:${accessory.port}` });
    const { keys } = await pairSetup(setup);
    expect(setup.recorder.begun?.deviceId).toBe(`127.0.0.1:${accessory.port}`);
    expect(keys.deviceId).toBe(accessory.deviceId);
  });

  it('reports that the code is wrong, writes nothing down, and pairs with the right one afterwards', async () => {
    const accessory = await startReplayAccessory({ database: [], mdns: false, setupCode: '482-91-573' });
    running.push(accessory);
    const setup = setupFor(accessory);
    const error = await failureOf(pairSetup(setup));
    expect(error).toMatchObject({ kind: 'wrong_code', code: 'pairing_failed', keys: null });
    expect(error.message).toMatch(/code is wrong.*Check the eight digits/);
    expect(setup.recorder.calls).toEqual([]);
    expect(setup.steps).toEqual(['connecting', 'exchanging', 'proving']);
    await pairSetup(setupFor(accessory, { setupCode: '482-91-573' }));
    expect(accessory.controllers).toHaveLength(1);
  });

  it('reports that it is paired already and what to do', async () => {
    const accessory = await startReplayAccessory({ database: [], mdns: false, setupCode: CODE });
    running.push(accessory);
    await pairSetup(setupFor(accessory));
    const error = await failureOf(pairSetup(setupFor(accessory)));
    expect(error.kind).toBe('unavailable');
    expect(error.message).toMatch(/already paired.*Remove it.*or reset it/);
  });
});

describe('each refusal has its own sentence about what to do', () => {
  const rows: readonly [number, PairSetupFailure, RegExp][] = [
    [1, 'refused', /gave no reason.*Cut its power/],
    [4, 'max_peers', /no room.*Remove one/],
    [5, 'max_tries', /too many wrong setup codes.*Cut its power/],
    [6, 'unavailable', /already paired.*Remove it/],
    [99, 'refused', /error 99/],
  ];
  it.each(rows)('error %i is %s', async (error, kind, sentence) => {
    const accessory = await raw();
    accessory.pairing.stumble({ at: 'setup-M2', error, times: 2 });
    const failure = await failureOf(pairSetup(setupFor(accessory)));
    expect(failure.kind).toBe(kind);
    expect(failure.message).toMatch(sentence);
  });

  it('a refusal of our keys in M6 takes them out of the record again, and nothing is tried twice', async () => {
    for (const [error, kind] of [
      [4, 'max_peers'],
      [2, 'refused'],
      [7, 'busy'],
    ] as const) {
      const accessory = await raw();
      accessory.pairing.stumble({ at: 'setup-M6', error });
      const setup = setupFor(accessory);
      expect(await failureOf(pairSetup(setup))).toMatchObject({ kind });
      expect(setup.recorder.calls).toEqual(['begin', 'abandon']);
    }
  });
});

describe('patience', () => {
  it('waits as long as the accessory asks, then pairs', async () => {
    const accessory = await raw();
    accessory.pairing.stumble({ at: 'setup-M2', error: 3, retryDelayS: 12 });
    const clock = new TestClock();
    const pairing = pairSetup(setupFor(accessory, { clock }));
    await expect.poll(() => clock.pendingTimers).toBe(1);
    await clock.advance(11_999);
    expect(accessory.requests).toHaveLength(1);
    await clock.advance(1);
    const { keys } = await pairing;
    expect(keys.deviceId).toBe(accessory.deviceId);
    expect(accessory.requests).toHaveLength(4);
  });

  it('reports the time instead where it is longer than a pairing may take', async () => {
    const accessory = await raw();
    accessory.pairing.stumble({ at: 'setup-M4', error: 3, retryDelayS: 240 });
    const failure = await failureOf(pairSetup(setupFor(accessory, { clock: new TestClock() })));
    expect(failure).toMatchObject({ kind: 'back_off', details: { retryAfterSeconds: 240 } });
    expect(failure.message).toContain('Wait 240 seconds');
  });

  it('tries a busy accessory again a little later, but not for ever', async () => {
    const accessory = await raw();
    accessory.pairing.stumble({ at: 'setup-M2', error: 7, times: 2 });
    const clock = new TestClock();
    const pairing = pairSetup(setupFor(accessory, { clock }));
    for (let pause = 1; pause <= 2; pause += 1) {
      await expect.poll(() => clock.pendingTimers).toBe(1);
      await clock.advance(3_000);
    }
    await pairing;

    const always = await raw();
    always.pairing.stumble({ at: 'setup-M2', error: 7, times: 100 });
    const failing = failureOf(pairSetup(setupFor(always, { clock })));
    for (let pause = 1; pause <= 3; pause += 1) {
      await expect.poll(() => clock.pendingTimers).toBe(1);
      await clock.advance(3_000);
    }
    expect((await failing).kind).toBe('busy');
    expect(always.requests).toHaveLength(4);
  });
});

describe('the pair method', () => {
  it('follows bit 0 of ff', () => {
    expect([methodFor(0), methodFor(1), methodFor(2), methodFor(3)]).toEqual([0, 1, 0, 1]);
  });

  it('is exchanged for the other one where the device refuses it, and the one that worked is reported', async () => {
    for (const [featureFlags, rejected] of [
      [0, 0],
      [1, 1],
    ] as const) {
      const accessory = await raw();
      accessory.pairing.rejectedMethod = rejected;
      const { method } = await pairSetup(setupFor(accessory, { featureFlags }));
      expect(method).toBe(1 - rejected);
      expect(accessory.requests).toHaveLength(4);
    }
  });

  it('is the remembered one at once', async () => {
    const accessory = await raw();
    accessory.pairing.rejectedMethod = 0;
    await pairSetup(setupFor(accessory, { rememberedMethod: 1 }));
    expect(accessory.requests).toHaveLength(3);
  });

  it('is exchanged also where the device hangs up on it', async () => {
    const accessory = await raw();
    accessory.pairing.stumble({ at: 'setup-M2', instead: 'cut' });
    expect((await pairSetup(setupFor(accessory))).method).toBe(1);
  });

  it('is not exchanged after a wrong code, which would count twice', async () => {
    const accessory = await raw({ setupCode: '482-91-573' });
    await failureOf(pairSetup(setupFor(accessory)));
    expect(accessory.requests).toHaveLength(2);
  });

  it('failing both ways gives the more useful reason', async () => {
    const accessory = await raw();
    accessory.pairing.stumble({ at: 'setup-M2', error: 1 });
    accessory.pairing.stumble({ at: 'setup-M2', error: 6 });
    expect((await failureOf(pairSetup(setupFor(accessory)))).kind).toBe('unavailable');
    accessory.pairing.stumble({ at: 'setup-M2', error: 6 });
    accessory.pairing.stumble({ at: 'setup-M2', error: 1 });
    expect((await failureOf(pairSetup(setupFor(accessory)))).kind).toBe('unavailable');
  });
});

describe('answers that bend the protocol', () => {
  it('are taken without State at every step', async () => {
    const accessory = await raw();
    for (const at of ['setup-M2', 'setup-M4', 'setup-M6'] as const) accessory.pairing.stumble({ at, omitState: true });
    const { keys } = await pairSetup(setupFor(accessory));
    expect(keys.accessoryPublicKey).toEqual(accessory.pairing.publicKey);
  });

  it('are refused if malformed: cut short, empty, of another state, without what the step needs', async () => {
    const accessory = await raw();
    const answers = [
      Buffer.of(6, 9, 2),
      Buffer.alloc(0),
      encodeTlv([[STATE, 4]]),
      encodeTlv([
        [STATE, 2],
        [2, 'salt'],
      ]),
    ];
    for (const answer of answers) {
      const connect = bent(accessory, 2, () => Promise.resolve(answer));
      const failure = await failureOf(pairSetup(setupFor(accessory, { connect })));
      expect(failure).toMatchObject({ kind: 'protocol', state: 2 });
      expect(failure.message).toMatch(/step M2 is not valid.*pair again/);
    }
  });

  it('are refused if the public key of SRP is one that gives the secret away', async () => {
    const accessory = await raw();
    const connect = bent(accessory, 2, () =>
      Promise.resolve(
        encodeTlv([
          [2, Buffer.alloc(16, 1)],
          [3, Buffer.alloc(384)],
        ]),
      ),
    );
    expect((await failureOf(pairSetup(setupFor(accessory, { connect })))).kind).toBe('protocol');
  });

  it('are refused if the accessory can’t prove that it knows the code, and no second guess is given', async () => {
    const accessory = await raw();
    const connect = bent(accessory, 4, () =>
      Promise.resolve(
        encodeTlv([
          [STATE, 4],
          [4, Buffer.alloc(64, 1)],
        ]),
      ),
    );
    const setup = setupFor(accessory, { connect });
    const failure = await failureOf(pairSetup(setup));
    expect(failure.kind).toBe('impostor');
    expect(failure.message).toMatch(/does not know it itself/);
    expect(accessory.requests).toHaveLength(1);
    expect(setup.recorder.calls).toEqual([]);
  });

  it('leave it open whether the accessory keeps us, if M6 is tampered with', async () => {
    const accessory = await raw();
    const connect = bent(accessory, 6, async (pass) => {
      const answer = Buffer.from(await pass());
      answer.writeUInt8(answer.readUInt8(answer.length - 1) ^ 1, answer.length - 1);
      return answer;
    });
    const setup = setupFor(accessory, { connect });
    expect(await failureOf(pairSetup(setup))).toMatchObject({ keys: null });
    expect(setup.recorder.calls).toEqual(['begin']);
  });
});

describe('an exchange that stops', () => {
  it('reports that the device can’t be reached, without a second try', async () => {
    let tries = 0;
    const connect = (): Promise<PairingConnection> => {
      tries += 1;
      return Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:9'));
    };
    const failure = await failureOf(pairSetup(setupFor({ port: 0, deviceId: 'AA:BB:CC:DD:EE:FF' }, { connect })));
    expect(failure.message).toMatch(/can't be reached.*Check that it has power/);
    expect(tries).toBe(1);
  });

  it('before M5 leaves nothing written down, at M5 leaves our keys written down', async () => {
    for (const [state, calls] of [
      [2, []],
      [4, []],
      [6, ['begin']],
    ] as const) {
      const accessory = await raw();
      const connect = bent(accessory, state, () => Promise.reject(new Error('the connection closed')));
      const setup = setupFor(accessory, { connect });
      const failure = await failureOf(pairSetup(setup));
      const reason = state === 6 ? 'half_made' : 'unreachable';
      expect(failure).toMatchObject({ kind: 'connection', state, keys: null, details: { reason } });
      expect(failure.message).toMatch(/the connection closed|no answer/);
      expect(setup.recorder.calls).toEqual(calls);
      expect(accessory.pairing.controllers.size).toBe(0);
    }
  });

  it('after M5 has our keys on record while the accessory has them too', async () => {
    const accessory = await raw();
    accessory.pairing.stumble({ at: 'setup-M6', instead: 'cut-after' });
    const setup = setupFor(accessory);
    const failure = await failureOf(pairSetup(setup));
    expect(failure.message).toMatch(/Pair it again: the half-made pairing is removed first/);
    expect([...accessory.pairing.controllers.keys()]).toEqual([setup.recorder.begun?.controllerId]);
  });

  it('because the keys can’t be saved never sends M5', async () => {
    const accessory = await raw();
    const recorder = new MemoryRecorder();
    recorder.begin = () => {
      throw new Error('ENOSPC: no space left on device');
    };
    const failure = await failureOf(pairSetup(setupFor(accessory, { recorder })));
    expect(failure).toMatchObject({ kind: 'not_saved' });
    expect(failure.message).toContain('before the accessory learned them');
    expect(accessory.requests).toHaveLength(2);
  });

  it('because the finished pairing can’t be saved hands the keys out, so that it can be undone', async () => {
    const accessory = await raw();
    const recorder = new MemoryRecorder();
    recorder.complete = () => {
      throw new HearthError('conflict', 'A device with this id is paired here already.', { reason: 'paired_here' });
    };
    const failure = await failureOf(pairSetup(setupFor(accessory, { recorder })));
    expect(failure).toMatchObject({ kind: 'not_saved', code: 'conflict', details: { reason: 'paired_here' } });
    expect(failure.keys?.accessoryPublicKey).toEqual(accessory.pairing.publicKey);
  });

  it('with another device than the one asked for hands the keys out too', async () => {
    const accessory = await raw();
    const failure = await failureOf(pairSetup(setupFor(accessory, { deviceId: '00:11:22:33:44:55' })));
    expect(failure).toMatchObject({ kind: 'wrong_device' });
    expect(failure.message).toContain(`${accessory.deviceId}, not 00:11:22:33:44:55`);
    expect(failure.keys?.deviceId).toBe(accessory.deviceId);
  });
});
