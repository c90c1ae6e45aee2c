import { afterEach, describe, expect, it } from 'vitest';
import type { RawRequest } from '../../support/accessories/raw-wire.ts';
import { bridgeDatabase, lampAccessory, timedLockAccessory } from '../../support/accessories/sample-databases.ts';
import { type LabOptions, SessionLab, until } from './session-lab.ts';

/** A deadline beyond that of any test. */
const FAR_MS = 100_000;

const open: SessionLab[] = [];

async function ready(options?: LabOptions): Promise<SessionLab> {
  const lab = await SessionLab.ready(options);
  open.push(lab);
  return lab;
}

afterEach(() => Promise.all(open.splice(0).map((lab) => lab.close())));

const isWrite = ({ method, body }: RawRequest): boolean => method === 'PUT' && body.includes('"value"');
const writeRequests = (lab: SessionLab): RawRequest[] => lab.accessory.requests.filter(isWrite);

describe('writes', () => {
  it('of one call travel in one request, and are true at once', async () => {
    const lab = await ready();
    const outcomes = await lab.session.write([
      { aid: '1', iid: '9', value: true },
      { aid: '1', iid: '10', value: 42 },
      { aid: '1', iid: '99', value: 1 },
    ]);
    expect(outcomes).toMatchObject([
      { ok: true, value: true },
      { ok: true, value: 42 },
      { ok: false, reason: 'not_found' },
    ]);
    expect(writeRequests(lab)).toHaveLength(1);
    expect(writeRequests(lab)[0]?.body.toString()).toBe(
      '{"characteristics":[{"aid":1,"iid":9,"value":true},{"aid":1,"iid":10,"value":42}]}',
    );
    expect(lab.history(9, 'write')).toEqual([true]);
    expect(lab.history(10, 'write')).toEqual([42]);
    expect(await lab.session.write([])).toEqual([]);
  });

  it('keep to the device’s limits', async () => {
    const lab = await ready({ accessory: { database: bridgeDatabase(60) } });
    const writes = Array.from({ length: 60 }, (_, index) => ({ aid: String(index + 2), iid: '10', value: index }));
    const outcomes = await lab.session.write(writes);
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(lab.accessory.writes.map(({ value }) => value)).toEqual(writes.map(({ value }) => value));
    for (const { bytes, body } of writeRequests(lab)) {
      expect(bytes).toBeLessThanOrEqual(900);
      expect(body.toString().split('"aid"').length - 1).toBeLessThanOrEqual(49);
    }
  });

  it('fail one by one, each with its reason', async () => {
    const lab = await ready({ accessory: { database: bridgeDatabase(4) } });
    lab.accessory.fail({ aid: 2, status: -70402, on: 'write' });
    lab.accessory.fail({ aid: 3, status: 70410, on: 'write' });
    lab.accessory.fail({ aid: 4, status: -12345, on: 'write' });
    const outcomes = await lab.session.write(['2', '3', '4', '5'].map((aid) => ({ aid, iid: '10', value: 7 })));
    expect(outcomes).toMatchObject([
      { reason: 'unreachable' },
      { reason: 'invalid_value' },
      { reason: 'device_error' },
      { ok: true },
    ]);
    expect(lab.accessory.writes).toHaveLength(1);
  });

  it('are tried three times at most where the device is busy, and actuate once', async () => {
    const lab = await ready();
    lab.accessory.fail({ aid: 1, iid: 10, status: -70403, on: 'write', times: 2 });
    expect(await lab.set(10, 5)).toEqual({ ok: true, value: 5 });
    lab.accessory.fail({ aid: 1, iid: 10, status: -70403, on: 'write' });
    expect(await lab.set(10, 6)).toMatchObject({ ok: false, reason: 'busy' });
    expect(writeRequests(lab)).toHaveLength(6);
    expect(lab.accessory.writes.map(({ value }) => value)).toEqual([5]);
  });

  it('that are refused as a whole are sent in parts', async () => {
    const lab = await ready({ accessory: { database: bridgeDatabase(3) } });
    const isManifold = (request: RawRequest) => isWrite(request) && request.body.toString().split('"aid"').length > 2;
    lab.accessory.play({ on: isManifold, apply: false, status: 400, body: '{"status":-70410}', times: 10 });
    const writes = ['2', '3', '4'].flatMap((aid) => [
      { aid, iid: '9', value: true },
      { aid, iid: '10', value: 3 },
    ]);
    const outcomes = await lab.session.write(writes);
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(lab.accessory.writes).toHaveLength(6);
  });

  it.each([
    ['204', {}],
    ['200 without a body', { replyText: 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n' }],
    ['207 with nothing but success', { status: 207, body: '{"characteristics":[{"aid":1,"iid":10,"status":0}]}' }],
    ['nonsense, and a look at the value', { body: '{"charact' }],
    ['207 that lists nothing', { status: 207, body: '{"characteristics":[]}' }],
  ])('are confirmed by %s', async (_name, trick) => {
    const lab = await ready();
    lab.accessory.play({ on: isWrite, ...trick });
    expect(await lab.set(10, 8)).toEqual({ ok: true, value: 8 });
  });

  it.each([
    ['a status for all', { status: 207, body: '{"status":-70402}' }, 'unreachable'],
    ['HTTP 400', { status: 400, body: '{"status":-70410}' }, 'invalid_value'],
    [
      'HTTP 500 without a word',
      { apply: false as const, replyText: 'HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n' },
      'device_error',
    ],
  ])('fail with a reason on %s', async (_name, trick, reason) => {
    const lab = await ready();
    lab.accessory.play({ on: isWrite, ...trick, times: 3 });
    expect(await lab.set(10, 8)).toMatchObject({ ok: false, reason, detail: expect.stringMatching(/\.$/) });
    expect(lab.session.state).toBe('ready');
  });

  it('carry 64-bit ids and values exactly', async () => {
    const big = '18446744073709551615';
    const accessory = lampAccessory('Lamp', big);
    accessory.services[1]?.characteristics.push({
      iid: '9223372036854775809',
      type: 'E863F131-079E-48FF-8F27-9C2605A29F52',
      format: 'uint64',
      perms: ['pr', 'pw', 'ev'],
      value: 1,
    });
    const lab = await ready({ accessory: { database: [accessory] } });
    const [outcome] = await lab.session.write([
      { aid: big, iid: '9223372036854775809', value: '18446744073709551614' },
    ]);
    expect(outcome).toEqual({ ok: true, value: '18446744073709551614' });
    expect(writeRequests(lab)[0]?.body.toString()).toBe(
      `{"characteristics":[{"aid":${big},"iid":9223372036854775809,"value":18446744073709551614}]}`,
    );
  });

  it('that are timed are prepared, with nothing between the two', async () => {
    const lab = await ready({ accessory: { database: [timedLockAccessory('Lock')] } });
    const outcomes = await Promise.all([lab.set(10, 0), lab.set(10, 1)]);
    expect(outcomes).toEqual([
      { ok: true, value: 0 },
      { ok: true, value: 1 },
    ]);
    expect(lab.accessory.writes).toMatchObject([
      { value: 0, timed: true },
      { value: 1, timed: true },
    ]);
    const order = lab.accessory.requests.slice(-4).map(({ path }) => path);
    expect(order).toEqual(['/prepare', '/characteristics', '/prepare', '/characteristics']);
  });

  it('whose preparation expired are prepared once more', async () => {
    const lab = await ready({ accessory: { database: [timedLockAccessory('Lock')] } });
    lab.accessory.fail({ aid: 1, iid: 10, status: -70410, on: 'write', times: 1 });
    expect(await lab.set(10, 0)).toEqual({ ok: true, value: 0 });
    lab.accessory.fail({ aid: 1, iid: 10, status: -70410, on: 'write' });
    expect(await lab.set(10, 1)).toMatchObject({ ok: false, reason: 'invalid_value' });
    expect(lab.accessory.writes).toHaveLength(1);
    expect(lab.accessory.requests.filter(({ path }) => path === '/prepare')).toHaveLength(4);
  });

  it('ask for the response where there is one', async () => {
    const accessory = lampAccessory('Lamp');
    accessory.services[1]?.characteristics.push({
      iid: 20,
      type: '20E',
      format: 'tlv8',
      perms: ['pr', 'pw', 'wr'],
      value: '',
    });
    const lab = await ready({ accessory: { database: [accessory] } });
    lab.accessory.play({
      on: isWrite,
      status: 207,
      body: '{"characteristics":[{"aid":1,"iid":20,"status":0,"value":"AQEB"}]}',
    });
    expect(await lab.set(20, 'AQEA')).toEqual({ ok: true, value: 'AQEB' });
    expect(writeRequests(lab)[0]?.body.toString()).toContain('"value":"AQEA","r":true');
  });
});

describe('a write whose answer is lost', () => {
  it('is never carried out twice, and its true outcome is found, wherever the answer is cut', async () => {
    const lab = await ready({ random: () => 0 });
    for (let cutAt = 0; cutAt < 45; cutAt += 1) {
      lab.accessory.play({ on: isWrite, cutAt, cutWith: cutAt % 2 === 0 ? 'close' : 'reset' });
      const value = cutAt + 1;
      expect(await lab.set(10, value)).toEqual({ ok: true, value });
      expect(lab.accessory.writes.filter((write) => write.value === value)).toHaveLength(1);
      await lab.untilReady();
    }
  });

  it('is carried out after all where the device had not done it', async () => {
    const lab = await ready({ random: () => 0 });
    lab.accessory.play({ on: isWrite, apply: false, cutAt: 0 });
    expect(await lab.set(10, 99)).toEqual({ ok: true, value: 99 });
    expect(lab.accessory.writes.map(({ value }) => value)).toEqual([99]);
  });

  it('is not repeated where reading can’t tell whether it was done', async () => {
    const lab = await ready({ random: () => 0 });
    lab.accessory.play({ on: isWrite, cutAt: 0 });
    expect(await lab.set(2, true)).toMatchObject({
      ok: false,
      reason: 'unreachable',
      detail: expect.stringMatching(/not known\.$/),
    });
    expect(lab.accessory.writes).toHaveLength(1);
  });

  it('fails within the deadline when the device stays away', async () => {
    let random = (): number => 0;
    const lab = await ready({ deadlines: { writeMs: 800, offlineMs: FAR_MS }, random: () => random() });
    // No other deadline, and no other attempt, comes in this test's time.
    random = () => 1_000;
    lab.accessory.onWrite(() => void lab.accessory.goOffline());
    expect(await lab.set(10, 1)).toMatchObject({ ok: false, reason: 'unreachable' });
  });

  it('fails at the deadline when the device is silent, and the next one succeeds', async () => {
    const lab = await ready({ deadlines: { requestMs: 200, writeMs: 400 } });
    lab.accessory.silent = true;
    expect(await lab.set(10, 1)).toMatchObject({
      ok: false,
      reason: 'unreachable',
      detail: expect.stringMatching(/\.$/),
    });
    lab.accessory.silent = false;
    await until(() => lab.session.stats.reconnects > 0 && lab.session.state === 'ready', 'it to be back');
    expect(await lab.set(10, 2)).toMatchObject({ ok: true });
  });
});

describe('a write to a device that is not connected', () => {
  it('waits for the attempt that it prompts', async () => {
    const lab = await ready({ random: () => 1 });
    await lab.accessory.goOffline();
    await until(() => lab.statuses.at(-1) === 'offline', 'it to be offline');
    await lab.accessory.restart();
    expect(await lab.set(10, 4)).toEqual({ ok: true, value: 4 });
  });

  it('fails soon when nobody is there', async () => {
    const lab = await ready();
    await lab.accessory.goOffline();
    await until(() => lab.statuses.at(-1) === 'offline', 'it to be offline');
    const started = performance.now();
    const outcomes = await Promise.all([lab.set(10, 4), lab.set(9, true)]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: false, reason: 'unreachable' });
    expect(performance.now() - started).toBeLessThan(3_500);
  });
});
