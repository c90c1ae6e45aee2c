import { afterEach, describe, expect, it } from 'vitest';
import type { RawRequest } from '../../../support/accessories/raw-wire.ts';
import { bridgeDatabase, lampAccessory, timedLockAccessory } from '../../../support/accessories/sample-databases.ts';
import { type FixtureOptions, SessionFixture, until } from './session-fixture.ts';

/** A deadline beyond that of any test. */
const FAR_MS = 100_000;

const open: SessionFixture[] = [];

async function ready(options?: FixtureOptions): Promise<SessionFixture> {
  const fixture = await SessionFixture.ready(options);
  open.push(fixture);
  return fixture;
}

afterEach(() => Promise.all(open.splice(0).map((fixture) => fixture.close())));

const isWrite = ({ method, body }: RawRequest): boolean => method === 'PUT' && body.includes('"value"');
const writeRequests = (fixture: SessionFixture): RawRequest[] => fixture.accessory.requests.filter(isWrite);

describe('writes', () => {
  it('of one call travel in one request, and are true at once', async () => {
    const fixture = await ready();
    const outcomes = await fixture.session.write([
      { aid: '1', iid: '9', value: true },
      { aid: '1', iid: '10', value: 42 },
      { aid: '1', iid: '99', value: 1 },
    ]);
    expect(outcomes).toMatchObject([
      { ok: true, value: true },
      { ok: true, value: 42 },
      { ok: false, reason: 'not_found' },
    ]);
    expect(writeRequests(fixture)).toHaveLength(1);
    expect(writeRequests(fixture)[0]?.body.toString()).toBe(
      '{"characteristics":[{"aid":1,"iid":9,"value":true},{"aid":1,"iid":10,"value":42}]}',
    );
    expect(fixture.history(9, 'write')).toEqual([true]);
    expect(fixture.history(10, 'write')).toEqual([42]);
    expect(await fixture.session.write([])).toEqual([]);
  });

  it('keep to the device’s limits', async () => {
    const fixture = await ready({ accessory: { database: bridgeDatabase(60) } });
    const writes = Array.from({ length: 60 }, (_, index) => ({ aid: String(index + 2), iid: '10', value: index }));
    const outcomes = await fixture.session.write(writes);
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(fixture.accessory.writes.map(({ value }) => value)).toEqual(writes.map(({ value }) => value));
    for (const { bytes, body } of writeRequests(fixture)) {
      expect(bytes).toBeLessThanOrEqual(900);
      expect(body.toString().split('"aid"').length - 1).toBeLessThanOrEqual(49);
    }
  });

  it('fail one by one, each with its reason', async () => {
    const fixture = await ready({ accessory: { database: bridgeDatabase(4) } });
    fixture.accessory.fail({ aid: 2, status: -70402, on: 'write' });
    fixture.accessory.fail({ aid: 3, status: 70410, on: 'write' });
    fixture.accessory.fail({ aid: 4, status: -12345, on: 'write' });
    const outcomes = await fixture.session.write(['2', '3', '4', '5'].map((aid) => ({ aid, iid: '10', value: 7 })));
    expect(outcomes).toMatchObject([
      { reason: 'unreachable' },
      { reason: 'invalid_value' },
      { reason: 'device_error' },
      { ok: true },
    ]);
    expect(fixture.accessory.writes).toHaveLength(1);
  });

  it.each(['tlv8', 'data'])(
    'of %s that the device does not understand are invalid, not unreachable',
    async (format) => {
      const lamp = lampAccessory('Lamp');
      lamp.services.push({
        iid: 50,
        type: '43',
        characteristics: [{ iid: 51, type: '143', format, perms: ['pr', 'pw', 'wr'], value: '' }],
      });
      const fixture = await ready({ accessory: { database: [lamp] } });
      fixture.accessory.fail({ aid: 1, iid: 51, status: -70402, on: 'write' });
      expect(await fixture.set(51, 'nonsense')).toMatchObject({ ok: false, reason: 'invalid_value' });
      expect(fixture.reachable).toEqual(['all true']);
      fixture.accessory.fail({ aid: 1, status: -70402 });
      expect(await fixture.set(51, 'nonsense'), 'nothing of it answers').toMatchObject({ reason: 'unreachable' });
    },
  );

  it('of a value that gets −70402 find the accessory unreachable', async () => {
    const fixture = await ready();
    fixture.accessory.fail({ aid: 1, iid: 9, status: -70402, on: 'write' });
    expect(await fixture.set(9, true)).toMatchObject({ ok: false, reason: 'unreachable' });
  });

  it.each([
    ['{"status":-70410}', 422, 'invalid_value'],
    ['', 422, 'invalid_value'],
    ['<h1>Unprocessable</h1>', 422, 'invalid_value'],
    ['{"status":-70407}', 500, 'device_error'],
    ['{"status":-70412}', 400, 'device_error'],
  ])('that get %j with HTTP status %i have their reason', async (body, status, reason) => {
    const fixture = await ready();
    fixture.accessory.play({ on: isWrite, status, body });
    expect(await fixture.set(10, 12)).toMatchObject({ ok: false, reason });
  });

  it('are tried three times at most where the device is busy, and actuate once', async () => {
    const fixture = await ready();
    fixture.accessory.fail({ aid: 1, iid: 10, status: -70403, on: 'write', times: 2 });
    expect(await fixture.set(10, 5)).toEqual({ ok: true, value: 5 });
    fixture.accessory.fail({ aid: 1, iid: 10, status: -70403, on: 'write' });
    expect(await fixture.set(10, 6)).toMatchObject({ ok: false, reason: 'busy' });
    expect(writeRequests(fixture)).toHaveLength(6);
    expect(fixture.accessory.writes.map(({ value }) => value)).toEqual([5]);
  });

  it('that are refused as a whole are sent in parts', async () => {
    const fixture = await ready({ accessory: { database: bridgeDatabase(3) } });
    const isManifold = (request: RawRequest) => isWrite(request) && request.body.toString().split('"aid"').length > 2;
    fixture.accessory.play({ on: isManifold, apply: false, status: 400, body: '{"status":-70410}', times: 10 });
    const writes = ['2', '3', '4'].flatMap((aid) => [
      { aid, iid: '9', value: true },
      { aid, iid: '10', value: 3 },
    ]);
    const outcomes = await fixture.session.write(writes);
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(fixture.accessory.writes).toHaveLength(6);
  });

  it.each([
    ['204', {}],
    ['200 without a body', { replyText: 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n' }],
    ['207 with nothing but success', { status: 207, body: '{"characteristics":[{"aid":1,"iid":10,"status":0}]}' }],
    ['nonsense, and a look at the value', { body: '{"charact' }],
    ['207 that lists nothing', { status: 207, body: '{"characteristics":[]}' }],
  ])('are confirmed by %s', async (_name, trick) => {
    const fixture = await ready();
    fixture.accessory.play({ on: isWrite, ...trick });
    expect(await fixture.set(10, 8)).toEqual({ ok: true, value: 8 });
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
    const fixture = await ready();
    fixture.accessory.play({ on: isWrite, ...trick, times: 3 });
    expect(await fixture.set(10, 8)).toMatchObject({ ok: false, reason, detail: expect.stringMatching(/\.$/) });
    expect(fixture.session.state).toBe('ready');
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
    const fixture = await ready({ accessory: { database: [accessory] } });
    const [outcome] = await fixture.session.write([
      { aid: big, iid: '9223372036854775809', value: '18446744073709551614' },
    ]);
    expect(outcome).toEqual({ ok: true, value: '18446744073709551614' });
    expect(writeRequests(fixture)[0]?.body.toString()).toBe(
      `{"characteristics":[{"aid":${big},"iid":9223372036854775809,"value":18446744073709551614}]}`,
    );
  });

  it('that are timed are prepared, with nothing between the two', async () => {
    const fixture = await ready({ accessory: { database: [timedLockAccessory('Lock')] } });
    const outcomes = await Promise.all([fixture.set(10, 0), fixture.set(10, 1)]);
    expect(outcomes).toEqual([
      { ok: true, value: 0 },
      { ok: true, value: 1 },
    ]);
    expect(fixture.accessory.writes).toMatchObject([
      { value: 0, timed: true },
      { value: 1, timed: true },
    ]);
    const order = fixture.accessory.requests.slice(-4).map(({ path }) => path);
    expect(order).toEqual(['/prepare', '/characteristics', '/prepare', '/characteristics']);
  });

  it('whose preparation expired are prepared once more', async () => {
    const fixture = await ready({ accessory: { database: [timedLockAccessory('Lock')] } });
    fixture.accessory.fail({ aid: 1, iid: 10, status: -70410, on: 'write', times: 1 });
    expect(await fixture.set(10, 0)).toEqual({ ok: true, value: 0 });
    fixture.accessory.fail({ aid: 1, iid: 10, status: -70410, on: 'write' });
    expect(await fixture.set(10, 1)).toMatchObject({ ok: false, reason: 'invalid_value' });
    expect(fixture.accessory.writes).toHaveLength(1);
    expect(fixture.accessory.requests.filter(({ path }) => path === '/prepare')).toHaveLength(4);
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
    const fixture = await ready({ accessory: { database: [accessory] } });
    fixture.accessory.play({
      on: isWrite,
      status: 207,
      body: '{"characteristics":[{"aid":1,"iid":20,"status":0,"value":"AQEB"}]}',
    });
    expect(await fixture.set(20, 'AQEA')).toEqual({ ok: true, value: 'AQEB' });
    expect(writeRequests(fixture)[0]?.body.toString()).toContain('"value":"AQEA","r":true');
  });
});

describe('a write whose answer is lost', () => {
  it('is never carried out twice, and its true outcome is found, wherever the answer is cut', async () => {
    const fixture = await ready({ random: () => 0 });
    for (let cutAt = 0; cutAt < 45; cutAt += 1) {
      fixture.accessory.play({ on: isWrite, cutAt, cutWith: cutAt % 2 === 0 ? 'close' : 'reset' });
      const value = cutAt + 1;
      expect(await fixture.set(10, value)).toEqual({ ok: true, value });
      expect(fixture.accessory.writes.filter((write) => write.value === value)).toHaveLength(1);
      await fixture.untilReady();
    }
  });

  it('is carried out after all where the device had not done it', async () => {
    const fixture = await ready({ random: () => 0 });
    fixture.accessory.play({ on: isWrite, apply: false, cutAt: 0 });
    expect(await fixture.set(10, 99)).toEqual({ ok: true, value: 99 });
    expect(fixture.accessory.writes.map(({ value }) => value)).toEqual([99]);
  });

  it('is sent twice at most where the device breaks the connection at it', async () => {
    const fixture = await ready({ random: () => 0 });
    fixture.accessory.play({ on: isWrite, apply: false, cutAt: 0, times: 1_000 });
    expect(await fixture.set(10, 99)).toMatchObject({ ok: false, reason: 'unreachable' });
    expect(writeRequests(fixture)).toHaveLength(2);
  });

  it('is sent again on a connection that does not wait for the back-off', async () => {
    let random = (): number => 0;
    const fixture = await ready({ random: () => random() });
    // No other attempt comes in this test's time.
    random = () => 1_000;
    fixture.accessory.play({ on: isWrite, apply: false, cutAt: 0 });
    expect(await fixture.set(10, 99)).toEqual({ ok: true, value: 99 });
  });

  it('is not repeated where reading can’t show whether it was done', async () => {
    const fixture = await ready({ random: () => 0 });
    fixture.accessory.play({ on: isWrite, cutAt: 0 });
    expect(await fixture.set(2, true)).toMatchObject({
      ok: false,
      reason: 'unreachable',
      detail: expect.stringMatching(/not known\.$/),
    });
    expect(fixture.accessory.writes).toHaveLength(1);
  });

  it('fails within the deadline when the device stays away', async () => {
    let random = (): number => 0;
    const fixture = await ready({ deadlines: { writeMs: 800, offlineMs: FAR_MS }, random: () => random() });
    // No other deadline, and no other attempt, comes in this test's time.
    random = () => 1_000;
    fixture.accessory.onWrite(() => void fixture.accessory.goOffline());
    expect(await fixture.set(10, 1)).toMatchObject({ ok: false, reason: 'unreachable' });
  });

  it('fails at the deadline when the device is silent, and the next one succeeds', async () => {
    const fixture = await ready({ deadlines: { requestMs: 200, writeMs: 400 } });
    fixture.accessory.silent = true;
    expect(await fixture.set(10, 1)).toMatchObject({
      ok: false,
      reason: 'unreachable',
      detail: expect.stringMatching(/\.$/),
    });
    fixture.accessory.silent = false;
    await until(() => fixture.session.stats.reconnects > 0 && fixture.session.state === 'ready', 'it to be back');
    expect(await fixture.set(10, 2)).toMatchObject({ ok: true });
  });
});

describe('a write to a device that is not connected', () => {
  it('waits for the attempt that it prompts', async () => {
    const fixture = await ready({ random: () => 1 });
    await fixture.accessory.goOffline();
    await until(() => fixture.statuses.at(-1) === 'offline', 'it to be offline');
    await fixture.accessory.restart();
    expect(await fixture.set(10, 4)).toEqual({ ok: true, value: 4 });
  });

  it('fails soon when no device is there', async () => {
    const fixture = await ready();
    await fixture.accessory.goOffline();
    await until(() => fixture.statuses.at(-1) === 'offline', 'it to be offline');
    const started = performance.now();
    const outcomes = await Promise.all([fixture.set(10, 4), fixture.set(9, true)]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: false, reason: 'unreachable' });
    expect(performance.now() - started).toBeLessThan(3_500);
  });
});
