import fc from 'fast-check';
import { HttpClient } from 'hap-controller';
import { afterEach, describe, expect, it } from 'vitest';
import { parseExact, stringifyExact } from '../support/accessories/exact-json.ts';
import { createControllerKeys, hapControllerPairing } from '../support/accessories/identity.ts';
import { type RawAccessory, type RawOptions, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { PAIRING_ERROR } from '../support/accessories/raw-pairing.ts';
import { lampAccessory, timedLockAccessory } from '../support/accessories/sample-databases.ts';
import { decodeTlv, encodeTlv } from '../support/accessories/tlv.ts';
import { eventually } from './eventually.ts';
import { RawClient } from './raw-client.ts';

const controller = createControllerKeys();
const opened: { close(): unknown }[] = [];

async function start(options: Partial<RawOptions> = {}): Promise<RawAccessory> {
  const accessory = await startRawAccessory({
    database: [lampAccessory('Lamp')],
    mdns: false,
    paired: [controller],
    ...options,
  });
  opened.push({ close: () => accessory.stop() });
  return accessory;
}

async function connect(accessory: RawAccessory): Promise<RawClient> {
  const client = await RawClient.open(accessory.port, controller);
  opened.push(client);
  return client;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

describe('a raw accessory', () => {
  it('pairs, verifies, reads, writes, notifies and unpairs with a controller of another make', async () => {
    const accessory = await start({ paired: [] });
    const client = new HttpClient(accessory.deviceId, '127.0.0.1', accessory.port);
    await expect(client.pairSetup('111-22-333', 0)).rejects.toThrow('M4: Error: 2');
    await client.pairSetup(accessory.setupCode, 0);
    expect((await client.getAccessories()).accessories).toHaveLength(1);
    const seen: unknown[] = [];
    client.on('event', (event) => seen.push(event.characteristics[0]?.value));
    await client.subscribeCharacteristics(['1.10']);
    await client.setCharacteristics({ '1.9': true });
    accessory.set(1, 10, 77);
    await eventually(() => seen).toEqual([77]);
    expect(accessory.writes).toMatchObject([{ aid: '1', iid: '9', value: true }]);
    const [id = ''] = accessory.pairing.controllers.keys();
    await client.addPairing(controller.id, controller.publicKey, false);
    expect(accessory.pairing.controllers.get(controller.id)).toMatchObject({ admin: false });
    await client.removePairing(Buffer.from(id));
    expect(accessory.pairing.controllers.size).toBe(0);
    await client.close();
  });

  it('stumbles in pairing as configured', async () => {
    const accessory = await start({ paired: [] });
    const client = new HttpClient(accessory.deviceId, '127.0.0.1', accessory.port);
    accessory.stumble({ at: 'setup-M2', error: PAIRING_ERROR.maxTries });
    accessory.stumble({ at: 'setup-M2', error: PAIRING_ERROR.busy });
    await expect(client.startPairing(0)).rejects.toThrow('M2: Error: 5');
    await expect(client.startPairing(0)).rejects.toThrow('M2: Error: 7');
    await client.close();
    const verified = await start();
    verified.stumble({ at: 'verify-M4', error: PAIRING_ERROR.authentication });
    await expect(RawClient.open(verified.port, controller)).rejects.toThrow('pair-verify failed: 2');
  });

  it('carries ids above 2^53 exactly', async () => {
    const accessory = await start({ database: [lampAccessory('Far', '18168078900403521793')] });
    const client = await connect(accessory);
    client.send('GET', '/accessories');
    await eventually(() => client.text).toContain('"aid":18168078900403521793,');
    client.send('PUT', '/characteristics', '{"characteristics":[{"aid":18168078900403521793,"iid":9,"value":1}]}');
    await eventually(() => accessory.writes).toMatchObject([{ aid: '18168078900403521793', iid: '9', value: 1 }]);
    client.send('GET', '/characteristics?id=18168078900403521793.9');
    await eventually(() => client.text).toContain('{"aid":18168078900403521793,"iid":9,"value":true}');
  });

  it('sends events between request and reply, in the order given, and chunked', async () => {
    const accessory = await start();
    const client = await connect(accessory);
    const burst = [3, 1, 2].map((value) => ({ aid: '1', iid: '10', value }));
    accessory.play({ eventBefore: burst, chunkBytes: 7 });
    client.send('GET', '/characteristics?id=1.9');
    await eventually(() => client.text).toMatch(/^EVENT.+HTTP\/1.1 200 OK.+\r\n0\r\n\r\n$/s);
    expect(client.text.replace(/\r\n[0-9a-f]+\r\n/g, '')).toContain('"value":3},{"aid":1,"iid":10,"value":1}');
    client.clear();
    accessory.sendEvent(burst);
    await eventually(() => client.text).toMatch(/^EVENT\/1.0 200 OK\r\nContent-Type.+\r\nContent-Length/);
  });

  it('fragments, corrupts and cuts replies at the very byte', async () => {
    const accessory = await start();
    const client = await connect(accessory);
    accessory.play({ pieces: 1, frameBytes: 5 });
    client.send('GET', '/characteristics?id=1.10');
    // To the last piece: what is left of this answer would count to the next one.
    await eventually(() => client.text).toMatch(/"value":50\}\]\}$/);
    client.clear();
    accessory.play({ cutAt: 33 });
    client.send('GET', '/characteristics?id=1.10');
    await eventually(() => client.closed).toBe(true);
    expect(client.bytes).toBe(33);
    const other = await connect(accessory);
    accessory.play({ corruptAt: -1 });
    other.send('GET', '/characteristics?id=1.10');
    await eventually(() => other.fault).toBeInstanceOf(Error);
  });

  it('answers 470, nothing, or 503 for want of slots', async () => {
    const accessory = await start({ maxConnections: 1 });
    const client = await connect(accessory);
    await expect(RawClient.open(accessory.port, controller)).rejects.toThrow();
    accessory.forgetSessions();
    client.send('GET', '/accessories');
    await eventually(() => client.text).toContain('HTTP/1.1 470');
    accessory.silent = true;
    client.clear();
    client.send('GET', '/accessories');
    await eventually(() => accessory.requests.filter(({ path }) => path === '/accessories')).toHaveLength(2);
    expect(client.text).toBe('');
  });

  it('takes timed writes only after a prepare, and each prepare once', async () => {
    const accessory = await start({ database: [timedLockAccessory('Lock')] });
    const client = await connect(accessory);
    const write = '{"characteristics":[{"aid":1,"iid":10,"value":0}],"pid":12345678901234567890}';
    client.send('PUT', '/characteristics', write);
    await eventually(() => client.text).toContain('"status":-70410');
    client.send('PUT', '/prepare', '{"ttl":5000,"pid":12345678901234567890}');
    client.send('PUT', '/characteristics', write);
    await eventually(() => accessory.writes).toMatchObject([{ value: 0, timed: true }]);
    client.send('PUT', '/characteristics', write);
    await eventually(() => client.text.match(/-70410/g)).toHaveLength(2);
  });

  it('reads back what it writes: TLV items and exact JSON', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(254)), fc.uint8Array({ maxLength: 600 }), (types, bytes) => {
        const items = types.map((type) => [type, Buffer.from(bytes)] as const);
        expect([...decodeTlv(encodeTlv(items))]).toEqual(items);
      }),
    );
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
        fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
        (id, value) => {
          const text = stringifyExact({ aid: String(id), iid: id, value });
          expect(text).toContain(`"aid":${id},"iid":${id}`);
          expect(parseExact(text)).toEqual({
            aid: String(id),
            iid: String(id),
            value: JSON.parse(JSON.stringify(value)),
          });
        },
      ),
    );
  });
});

it('gives hap-controller a pairing it accepts', async () => {
  const accessory = await start();
  const pairing = hapControllerPairing(controller, accessory);
  const client = new HttpClient(accessory.deviceId, '127.0.0.1', accessory.port, pairing);
  expect((await client.getAccessories()).accessories).toHaveLength(1);
  await client.close();
});
