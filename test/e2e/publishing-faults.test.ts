/** A published home and everything that goes wrong around it: devices that hang, controllers that misbehave, ports. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { HttpClient } from 'hap-controller';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { hastyClock } from './chaos-fixture.ts';
import {
  accessoryNamed,
  controllerOf,
  interceptPairing,
  type PairingData,
  pairWith,
  pointOf,
  readBridge,
  type SeenDatabase,
  type ShownBridge,
} from './publishing-fixture.ts';

const UNREACHABLE = -70_402;
const TIMED_OUT = -70_408;
const MAX_CONNECTIONS = 64;

let directory: TempDirectory;
let relay: E2eRelay;
let slow: RawAccessory;
let quick: RawAccessory;
let bridge: ShownBridge;
let publicationId: string;
let pairing: PairingData;
let database: SeenDatabase;
let controller: HttpClient;

const point = (name: string): string => pointOf(accessoryNamed(database, name));

async function shown(id = publicationId): Promise<ShownBridge> {
  return (await relay.asSystem('GET', `/rest/publications/${id}`)).body.bridges[0];
}

beforeAll(async () => {
  directory = createTempDirectory('publishing-faults');
  const device = (name: string) => ({
    ...{ name, database: [lampAccessory(name)], paired: [KNOWN_CONTROLLER], mdns: false },
  });
  [slow, quick] = await Promise.all([startRawAccessory(device('Slow')), startRawAccessory(device('Quick'))]);
  sharePairings(directory, [slow, quick]);
  relay = await E2eRelay.start({ directory, overrides: { clock: hastyClock(3) } });
  await Promise.all([slow, quick].map(({ deviceId }) => relay.untilStatus(deviceId, 'connected')));
  const created = await relay.asSystem('POST', '/rest/publications', { name: 'Hearth', kind: 'homekit' });
  publicationId = created.body.id;
  bridge = created.body.bridges[0];
});

afterAll(async () => {
  await controller?.close();
  await relay.stop();
  await Promise.all([slow.stop(), quick.stop()]);
  directory.remove();
});

describe('a controller that pairs', () => {
  it.each([
    [1, 'asked'],
    [1, 'answered'],
    [2, 'asked'],
    [2, 'answered'],
    [3, 'asked'],
  ] as const)('and is gone at request %i of pair-setup, %s, leaves nothing', async (step, when) => {
    let isGone = (): void => {};
    const gone = new Promise<void>((resolve) => {
      isGone = resolve;
    });
    using between = await interceptPairing(bridge.port, { step, when }, isGone);
    void pairWith(bridge, between.port).catch(() => {});
    await gone;
    expect((await shown()).controllers).toBe(0);
  });

  it('with wrong codes has to wait, and pairs with the right one afterwards', async () => {
    const wrong = { ...bridge, setupCode: '999-88-777' };
    const refusals: string[] = [];
    for (let guess = 0; guess < 7; guess += 1) {
      refusals.push(
        await pairWith(wrong).then(
          () => 'paired',
          (error: Error) => error.message,
        ),
      );
    }
    // Authentication, and back off: nothing is even computed.
    expect(refusals).toEqual([...Array(5).fill('M4: Error: 2'), ...Array(2).fill('M2: Error: 3')]);
    pairing = await eventually(() => pairWith(bridge).catch(() => undefined), 'the waits to end');
    expect((await shown()).controllers).toBe(1);
    database = await readBridge(bridge, pairing);
    controller = controllerOf(bridge, pairing);
  });
});

describe('a device that hangs', () => {
  it('keeps no read waiting: others are answered before its write ends, with an error of its own', async () => {
    slow.play({ on: (one) => one.method === 'PUT' && one.body.includes('"value"'), silence: true });
    const ended: string[] = [];
    const other = controllerOf(bridge, pairing);
    const write = controller.setCharacteristics({ [point('Slow')]: true }).then(
      (answer: object) => ended.push(`write ${JSON.stringify(answer)}`),
      (error: Error) => ended.push(`write ${error.message}`),
    );
    for (const name of ['Quick', 'Slow']) {
      const { characteristics } = await other.getCharacteristics([point(name)]);
      ended.push(`${name} ${characteristics[0]?.value}`);
    }
    await other.setCharacteristics({ [point('Quick')]: true });
    ended.push('quick write');
    await write;
    await other.close();
    expect(ended.slice(0, 3)).toEqual(['Quick 0', 'Slow 0', 'quick write']);
    expect(ended[3]).toMatch(new RegExp(`^write .*(${UNREACHABLE}|${TIMED_OUT})`));
    expect(quick.get(1, 9)).toBe(true);
  });
});

describe('a device that is gone', () => {
  it('answers with −70402 alone, until it is back', async () => {
    await slow.goOffline();
    await eventually(async () => (await relay.pairing(slow.deviceId)).status !== 'connected', 'it to be missed');
    const read = () => controller.getCharacteristics([point('Slow'), point('Quick')]);
    const gone = await eventually(async () => {
      const { characteristics } = await read();
      return characteristics[0]?.status === UNREACHABLE && characteristics;
    }, 'it to be unreachable');
    expect(gone).toMatchObject([{ status: UNREACHABLE }, { status: 0, value: 1 }]);
    expect((await readBridge(bridge, pairing)).accessories).toHaveLength(database.accessories.length);
    await slow.restart();
    await relay.untilStatus(slow.deviceId, 'connected');
    await eventually(async () => (await read()).characteristics[0]?.value !== undefined, 'its value');
    expect((await shown()).configNumber).toBe(bridge.configNumber);
  });
});

describe('controllers that misbehave', () => {
  const garbage: readonly Buffer[] = [
    Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
    Buffer.from('GET /accessories HTTP/9.9\r\n\r\n'),
    Buffer.from('POST /pair-setup HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n'),
    Buffer.from('POST /pair-setup HTTP/1.1\r\nContent-Length: 6\r\n\r\n\x00\xff\x01'),
    Buffer.from('POST /pair-verify HTTP/1.1\r\nContent-Length: 3\r\n\r\n\x06\x01\x03'),
    Buffer.from(`GET /${'x'.repeat(20_000)}`),
    Buffer.alloc(100_000, 0xff),
  ];

  it('with garbage, half requests and more connections than there is room for disturb no other', async () => {
    await controller.getCharacteristics([point('Quick')]);
    const sockets: Socket[] = [];
    for (let n = 0; n < MAX_CONNECTIONS + 16; n += 1) {
      const socket = connect(bridge.port, '127.0.0.1');
      socket.on('error', () => {});
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write(garbage[n % garbage.length] ?? '');
    }
    const { characteristics } = await controller.getCharacteristics([point('Quick')]);
    expect(characteristics[0]).toMatchObject({ value: 1 });
    // The oldest one that is not verified makes room for one that is.
    expect((await readBridge(bridge, pairing)).shape).toBe(database.shape);
    for (const socket of sockets) socket.destroy();
  });

  it('with 500 requests at once get 500 answers', async () => {
    const asked = Array.from({ length: 500 }, () => controller.getCharacteristics([point('Quick'), point('Slow')]));
    const answers = await Promise.all(asked);
    expect(answers.filter(({ characteristics }) => characteristics.length === 2)).toHaveLength(500);
  });

  it('with values that are none are refused one by one', async () => {
    const brightness = point('Quick').replace(/9$/, '10');
    for (const value of [101, -1, 'bright', null, {}, Number.MAX_SAFE_INTEGER]) {
      const answer = await controller.setCharacteristics({ [brightness]: { value } }).then(
        (one) => JSON.stringify(one),
        (error: Error & { body?: object }) => JSON.stringify(error.body),
      );
      expect(answer, String(value)).toMatch(/-704/);
    }
  });
});

describe('a port', () => {
  it('that another program took is given up for another one, which is shown, and controllers are at home there', async () => {
    await controller.close();
    const { port } = await shown();
    await relay.stop();
    const squatter = createServer();
    squatter.listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    await relay.start();
    const moved = await shown();
    expect(moved.port).not.toBe(port);
    expect((await readBridge(moved, pairing)).shape).toBe(database.shape);
    expect(moved.configNumber).toBe(bridge.configNumber);
    squatter.close();
    await relay.stop();
    await relay.start();
    expect((await shown()).port, 'it stays there').toBe(moved.port);
    expect((squatter.address() as AddressInfo | null)?.port).toBeUndefined();
  });
});
