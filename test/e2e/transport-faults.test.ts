import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import type { RawRequest } from '../support/accessories/raw-wire.ts';
import { lampAccessory, timedLockAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

const ON = { aid: 1, iid: 9 };
const BRIGHTNESS = { aid: 1, iid: 10 };

/** A write of a value: not a subscription, and not a read. */
const isWrite = (request: RawRequest): boolean => request.method === 'PUT' && request.body.includes('"value"');

describe('a session with a server whose bytes go wrong', () => {
  const directory = createTempDirectory('faults');
  let relay: E2eRelay;
  let accessory: RawAccessory;
  let bystander: RawAccessory;

  beforeAll(async () => {
    const paired = [KNOWN_CONTROLLER];
    [accessory, bystander] = await Promise.all([
      startRawAccessory({ database: [lampAccessory('Lamp')], name: 'Lamp', paired }),
      startRawAccessory({ database: [lampAccessory('Bystander')], name: 'Bystander', paired }),
    ]);
    sharePairings(directory, [accessory, bystander]);
    relay = await E2eRelay.start({ directory });
    await relay.untilStatus(accessory.deviceId, 'connected');
    await relay.untilStatus(bystander.deviceId, 'connected');
  });

  afterEach(async () => {
    accessory.clearTricks();
    accessory.silent = false;
    await relay.untilStatus(accessory.deviceId, 'connected');
  });

  afterAll(async () => {
    await relay[Symbol.asyncDispose]();
    await Promise.all([accessory.stop(), bystander.stop()]);
    directory.remove();
  });

  it('ends every write whose reply is cut, at whichever byte, and the next one succeeds', async () => {
    // A reply of 204 is some 45 bytes on the wire: cut at each of many offsets within length, text and tag.
    for (const [index, cutAt] of [0, 1, 2, 3, 10, 17, 18, 25, 33, 40, 44].entries()) {
      accessory.play({ on: isWrite, cutAt, cutWith: index % 2 === 0 ? 'close' : 'reset' });
      const value = 20 + index;
      const cut = await relay.set('Lamp', { brightness: value });
      // The device did carry it out; whether we could still learn so decides the answer, which comes in any case.
      expect(cut.body.updated + cut.body.failed).toBe(1);
      await relay.untilStatus(accessory.deviceId, 'connected');
      expect(
        accessory.writes.filter((write) => write.value === value),
        'never actuated twice',
      ).toHaveLength(1);
      await relay.untilState('Lamp', 'brightness', value);
    }
    expect((await relay.set('Lamp', { brightness: 77 })).body).toMatchObject({ updated: 1, failed: 0 });
  });

  it('closes on a corrupt frame and comes back', async () => {
    for (const corruptAt of [0, 1, 2, 9, -1]) {
      accessory.play({ on: isWrite, corruptAt });
      await relay.set('Lamp', { brightness: 31 });
      await relay.untilStatus(accessory.deviceId, 'connected');
    }
    expect((await relay.set('Lamp', { brightness: 32 })).body.failed).toBe(0);
  });

  it('closes on bytes that are no frame and comes back', async () => {
    accessory.sendBytes(Buffer.from('ffffdeadbeefdeadbeefdeadbeef', 'hex'));
    accessory.sendBytes(Buffer.alloc(4096));
    await eventually(() => accessory.connections() <= 1, 'the old connection to end');
    await relay.untilStatus(accessory.deviceId, 'connected');
    expect((await relay.set('Lamp', { brightness: 33 })).body.failed).toBe(0);
  });

  it('reads replies in any fragmentation, chunked, and glued to events', async () => {
    const tricks = [
      { pieces: 1 },
      { frameBytes: 1 },
      { frameBytes: 7, pieces: 5 },
      { chunkBytes: 3 },
      { chunkBytes: 1, frameBytes: 2 },
    ];
    for (const [index, trick] of tricks.entries()) {
      accessory.play({ on: isWrite, ...trick, eventAfter: [{ ...ON, value: index % 2 === 0 }] });
      expect((await relay.set('Lamp', { brightness: 50 + index })).body).toMatchObject({ updated: 1, failed: 0 });
      await relay.untilState('Lamp', 'on', index % 2 === 0);
    }
  });

  it('loses no event that comes between a request and its answer', async () => {
    for (let n = 0; n < 50; n += 1) {
      accessory.play({ on: isWrite, eventBefore: [{ aid: 1, iid: 11, value: n }] });
      const { body } = await relay.set('Lamp', { brightness: n + 1 });
      expect(body).toMatchObject({ updated: 1, failed: 0 });
      expect((await relay.state('Lamp')).properties).toMatchObject({ hue: n, brightness: n + 1 });
    }
  });

  it('takes chunked events and events split over frames', async () => {
    for (const [index, options] of [{ chunkBytes: 5 }, { frameBytes: 3 }, { chunkBytes: 2, frameBytes: 1 }].entries()) {
      accessory.sendEvent([{ ...BRIGHTNESS, value: 60 + index }], options);
      await relay.untilState('Lamp', 'brightness', 60 + index);
    }
  });

  it('survives a malformed event and receives the ones after it', async () => {
    accessory.sendText('EVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: 9\r\n\r\n{"charact');
    await relay.untilStatus(accessory.deviceId, 'connected');
    accessory.setSilently(1, 10, 12);
    await eventually(async () => {
      accessory.set(1, 10, 13);
      return (await relay.state('Lamp')).properties.brightness === 13;
    }, 'events to be heard again');
  });

  it('ends in the last state when changes come coalesced, newest first', async () => {
    for (let round = 0; round < 20; round += 1) {
      const last = round % 2 === 0;
      accessory.setSilently(1, 9, last);
      const burst = [last, !last, last, !last].map((value) => ({ ...ON, value }));
      accessory.sendEvent(burst);
      await relay.untilState('Lamp', 'on', last);
      const reversed = [...burst].reverse();
      accessory.sendEvent(reversed);
      await new Promise((resolve) => setTimeout(resolve, 30));
      await relay.untilState('Lamp', 'on', last);
    }
  });

  it('verifies again after 470 and carries the write out once', async () => {
    const before = accessory.writes.length;
    accessory.forgetSessions();
    expect((await relay.set('Lamp', { brightness: 88 })).body).toMatchObject({ updated: 1, failed: 0 });
    expect(accessory.writes.slice(before).map(({ value }) => value)).toEqual([88]);
  });

  it('delays no others while one server is silent', async () => {
    accessory.silent = true;
    const stuck = relay.set('Lamp', { brightness: 44 });
    for (let n = 0; n < 20; n += 1) {
      expect((await relay.set('Bystander', { brightness: n })).body).toMatchObject({ updated: 1, failed: 0 });
    }
    let settled = false;
    void stuck.then(() => {
      settled = true;
    });
    await Promise.resolve();
    expect(settled, 'the silent one still waits for its deadline').toBe(false);
    const { body } = await stuck;
    expect(body).toMatchObject({ updated: 0, failed: 1 });
    expect(body.errors[0]).toMatch(/unreachable/i);
    accessory.silent = false;
    accessory.disconnectAll();
    await relay.untilStatus(accessory.deviceId, 'connected');
  });

  it('keeps within the bytes that a device takes', async () => {
    accessory.ignoreRequestsOver = 1_023;
    accessory.disconnectAll();
    await eventually(() => accessory.connections() === 1, 'it to connect');
    await relay.untilStatus(accessory.deviceId, 'connected');
    accessory.ignoreRequestsOver = Number.POSITIVE_INFINITY;
    const secured = accessory.requests.filter(({ encrypted }) => encrypted);
    expect(Math.max(...secured.map(({ bytes }) => bytes))).toBeLessThanOrEqual(900);
  });

  it('sends each request in one segment, with a Host that has no port and JSON that has no spaces', () => {
    const secured = accessory.requests.filter(({ encrypted }) => encrypted);
    expect(secured.length).toBeGreaterThan(20);
    for (const request of secured) {
      expect(request.parts).toBe(1);
      expect(request.head).toMatch(/^Host: 127\.0\.0\.1\r?$/m);
      expect(request.body.toString()).not.toMatch(/[,:] |\n/);
    }
  });
});

describe('a characteristic that wants timed writes', () => {
  it('is prepared first, and a button is never read', async () => {
    using directory = createTempDirectory('timed');
    const accessory = await startRawAccessory({
      database: [timedLockAccessory('Front Door')],
      name: 'Front Door',
      paired: [KNOWN_CONTROLLER],
    });
    sharePairings(directory, [accessory]);
    const relay = await E2eRelay.start({ directory });
    try {
      await relay.untilStatus(accessory.deviceId, 'connected');
      expect((await relay.set('Front Door', { lock_target: false })).body).toMatchObject({ updated: 1, failed: 0 });
      expect(accessory.writes).toMatchObject([{ iid: '10', timed: true }]);
      const reads = accessory.requests
        .filter(({ path }) => path.startsWith('/characteristics?'))
        .map(({ path }) => path);
      expect(reads.length).toBeGreaterThan(0);
      for (const path of reads) expect(path).not.toMatch(/[=,]1\.13\b/);
    } finally {
      await relay[Symbol.asyncDispose]();
      await accessory.stop();
    }
  });
});
