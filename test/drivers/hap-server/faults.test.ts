/** Controllers that misbehave, break off or come in numbers: clear answers, nothing hangs, nothing stays. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { pairSetup } from '../../../src/drivers/hap/pairing/pair-setup.ts';
import { recoverIncompletePairing } from '../../../src/drivers/hap/pairing/recover-pairing.ts';
import { Connection } from '../../../src/drivers/hap/wire/connection.ts';
import type { PairingKeys } from '../../../src/drivers/hap/wire/exchange.ts';
import type { PairedController } from '../../../src/home/publication-port.ts';
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import { lampAccessory } from '../../support/accessories/sample-databases.ts';
import { eventually } from '../../support-tests/eventually.ts';
import type { RawClient } from '../../support-tests/raw-client.ts';
import { BridgeFixture, type BridgeOptions } from './bridge-fixture.ts';
import { exchange } from './raw-requests.ts';

const opened: BridgeFixture[] = [];

async function start(options: BridgeOptions = {}): Promise<BridgeFixture> {
  const fixture = await BridgeFixture.start(options);
  opened.push(fixture);
  return fixture;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((fixture) => fixture.close()));
});

/** Sends bytes on a connection that is not verified, and collects everything until it closes. */
async function sendPlain(fixture: BridgeFixture, bytes: Buffer | string): Promise<string> {
  const socket = connect(fixture.port, '127.0.0.1');
  fixture.onClose(() => socket.destroy());
  socket.on('error', () => {});
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  // A reset is an end, too.
  const closed = new Promise((resolve) => socket.on('close', resolve));
  await once(socket, 'connect');
  socket.write(bytes);
  await closed;
  return text;
}

const isWell = async (fixture: BridgeFixture): Promise<void> => {
  expect((await exchange(await fixture.raw(), 'GET', '/characteristics?id=2.9')).status).toBe(200);
};

describe('a request that is no request', () => {
  it.each([
    ['garbage', 'garbage\r\n\r\n', 400],
    ['bytes', Buffer.alloc(64, 0x80), 400],
    ['a response', 'HTTP/1.1 200 OK\r\n\r\n', 400],
    ['a target that is none', 'GET http://[ HTTP/1.1\r\n\r\n', 400],
    ['another version', 'GET / HTTP/2.0\r\n\r\n', 400],
    ['a header without a colon', 'GET / HTTP/1.1\r\nnothing\r\n\r\n', 400],
    ['a length that is none', 'GET / HTTP/1.1\r\nContent-Length: many\r\n\r\n', 400],
    ['two lengths', 'GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['a body without a length', 'POST /pair-setup HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n', 411],
    ['a body that is too large', 'POST /pair-setup HTTP/1.1\r\nContent-Length: 9000\r\n\r\n', 413],
    ['a head that is too long', `GET /${'x'.repeat(9_000)} HTTP/1.1\r\n\r\n`, 431],
    ['a head that does not end', `GET /${'x'.repeat(9_000)}`, 431],
    ['empty lines without end', '\r\n'.repeat(100), 400],
  ])('%s is answered with an HTTP error, and its connection closes', async (_what, bytes, status) => {
    const fixture = await start();
    expect(await sendPlain(fixture, bytes)).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} .*\\r\\nConnection: close\\r\\n\\r\\n$`),
    );
    await isWell(fixture);
  });

  it('of any bytes does no harm', async () => {
    const fixture = await start({ timersByFactor: 3_000 });
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        await sendPlain(fixture, Buffer.from(bytes));
      }),
      { numRuns: 60 },
    );
    await eventually(() => fixture.server.connections()).toEqual([]);
  });

  it('on a verified connection closes it', async () => {
    const fixture = await start();
    const clients = [await fixture.raw(), await fixture.raw(), await fixture.raw()];
    const [wrongTag, wrongLength, wrongText] = clients as [RawClient, RawClient, RawClient];
    wrongTag.socket.write(Buffer.concat([Buffer.of(4, 0), randomBytes(20)]));
    wrongLength.socket.write(Buffer.of(0xff, 0xff));
    wrongText.send('GET', '/ x y');
    await eventually(() => clients.map(({ closed }) => closed)).toEqual([true, true, true]);
    expect(wrongText.text).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    await isWell(fixture);
  });

  it('behind a good one does not cost that one its answer', async () => {
    const fixture = await start();
    let finish = (_statuses: readonly number[]): void => {};
    fixture.content.onWrite = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    const client = await fixture.raw();
    client.send('PUT', '/characteristics', '{"characteristics":[{"aid":2,"iid":9,"value":1}]}');
    await eventually(() => fixture.content.writes).toHaveLength(1);
    client.send('GET', '/ x y');
    // The server has read it when it has answered on another connection.
    await isWell(fixture);
    finish([0]);
    await eventually(() => client.closed).toBe(true);
    expect(client.text).toMatch(/^HTTP\/1\.1 204 No Content/);
  });
});

describe('a connection', () => {
  it.each([
    ['sends nothing', ''],
    ['begins a request and does not end it', 'POST /pair-setup HTTP/1.1\r\nContent-Length: 100\r\n\r\nhalf'],
    ['begins a head and does not end it', 'GET /acc'],
  ])('that %s is closed', async (_what, bytes) => {
    // Three minutes are 60 ms.
    const fixture = await start({ timersByFactor: 3_000 });
    await sendPlain(fixture, bytes);
  });

  it('that is verified and stops within a request, or within a frame, is closed; one that is silent is not', async () => {
    const fixture = await start({ timersByFactor: 300 });
    const clients = [await fixture.raw(), await fixture.raw(), await fixture.raw()];
    const [request, frame, silent] = clients as [RawClient, RawClient, RawClient];
    request.sendText('PUT /characteristics HTTP/1.1\r\nContent-Length: 100\r\n\r\nhalf');
    frame.socket.write(Buffer.of(30, 0, 1, 2, 3));
    await eventually(() => [request.closed, frame.closed]).toEqual([true, true]);
    expect(silent.closed).toBe(false);
    await exchange(silent, 'GET', '/characteristics?id=2.9');
  });

  it('whose controller asks and does not read is closed, and does not hold up the others', async () => {
    const accessories = Array.from({ length: 150 }, (_, n) => lampAccessory(`Lamp ${n}`, n + 1));
    const fixture = await start({ accessories, timersByFactor: 100 });
    const silent = await fixture.raw();
    silent.socket.pause();
    for (let n = 0; n < 500; n += 1) silent.send('GET', '/accessories');
    await isWell(fixture);
    await eventually(() => fixture.server.connections().length).toBe(1);
  });

  it('gives way to new ones beyond 64: those that are not verified first, then the one that was silent longest', async () => {
    const fixture = await start();
    const controller = fixture.addController();
    const verified: RawClient[] = [];
    for (let n = 0; n < 60; n += 1) verified.push(await fixture.raw(controller));
    const strangers: RawClient[] = [];
    for (let n = 0; n < 80; n += 1) strangers.push(await fixture.plain());
    await eventually(() => strangers.filter(({ closed }) => !closed).length).toBe(4);
    expect(strangers.slice(-4).every(({ closed }) => !closed)).toBe(true);
    expect(verified.some(({ closed }) => closed)).toBe(false);
    const [first] = verified as [RawClient];
    await exchange(first, 'GET', '/characteristics?id=2.9');
    for (let n = 0; n < 5; n += 1) verified.push(await fixture.raw(controller));
    await eventually(() => verified[1]?.closed).toBe(true);
    expect(first.closed).toBe(false);
    expect(fixture.server.connections()).toHaveLength(64);
  });
});

describe('500 writes at once on one connection', () => {
  it('are all executed and answered in order', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    for (let n = 0; n < 500; n += 1) {
      client.send('PUT', '/characteristics', `{"characteristics":[{"aid":2,"iid":10,"value":${n}}]}`);
    }
    await eventually(() => client.text.split('HTTP/1.1 204 No Content').length - 1).toBe(500);
    expect(fixture.content.writes.map(({ value }) => value)).toEqual(Array.from({ length: 500 }, (_, n) => n));
  });
});

describe('content that fails', () => {
  it('is answered with an error, and the connection stays', async () => {
    const fixture = await start();
    const client = await fixture.raw();
    fixture.content.onWrite = () => Promise.reject(new Error('broken'));
    const body = '{"characteristics":[{"aid":2,"iid":9,"value":1}]}';
    const failed = { status: 500, body: '{"status":-70403}' };
    expect(await exchange(client, 'PUT', '/characteristics', body)).toEqual(failed);
    const { read } = fixture.content;
    fixture.content.read = () => {
      throw new Error('broken');
    };
    expect(await exchange(client, 'GET', '/characteristics?id=2.9')).toEqual(failed);
    fixture.content.read = read;
    expect((await exchange(client, 'GET', '/characteristics?id=2.9')).status).toBe(200);
  });
});

describe('a stop', () => {
  it('closes every connection, cancels every timer, and can be followed by a start', async () => {
    let timers = 0;
    const clock: Clock = {
      ...systemClock,
      after(ms, callback) {
        timers += 1;
        let isOver = false;
        const over = (): void => {
          if (!isOver) timers -= 1;
          isOver = true;
        };
        const cancel = systemClock.after(ms, () => {
          over();
          callback();
        });
        return () => {
          over();
          cancel();
        };
      },
    };
    const fixture = await start({ clock });
    const clients = [await fixture.raw(), await fixture.raw(), await fixture.plain()];
    clients[0]?.sendText('GET /char');
    fixture.content.onWrite = () => new Promise(() => {});
    clients[1]?.send('PUT', '/characteristics', '{"characteristics":[{"aid":2,"iid":9,"value":1}]}');
    await eventually(() => fixture.content.writes).toHaveLength(1);
    await fixture.server.stop();
    await fixture.server.stop();
    await eventually(() => clients.map(({ closed }) => closed)).toEqual([true, true, true]);
    expect(fixture.server.connections()).toEqual([]);
    // The write continues until its deadline; nothing else is left.
    expect(timers).toBe(1);
    await fixture.server.start();
    fixture.content.onWrite = undefined;
    await isWell(fixture);
  });
});

describe('a pairing whose last answer is lost', () => {
  it('is stored: the controller removes it with its keys and pairs again, also after a restart of the server', async () => {
    const before = await start();
    const { deviceId, setupCode } = before.identity;
    let port = before.port;
    let keys: PairingKeys | undefined;
    const open = async () => {
      const connection = await Connection.open([{ host: '127.0.0.1', port }], { clock: systemClock });
      before.onClose(() => connection.close());
      return connection;
    };
    const attempt = (fixture: BridgeFixture, isCut: boolean) => {
      port = fixture.port;
      return pairSetup({
        connect: async () => {
          const connection = await open();
          if (isCut) fixture.controllers.onPut = () => connection.close();
          return connection;
        },
        ...{ deviceId, setupCode, featureFlags: 0, rememberedMethod: null, onProgress: () => {}, clock: systemClock },
        recorder: {
          begin: (begun) => {
            keys = begun;
          },
          complete: () => {},
          abandon: () => {},
        },
      });
    };
    await expect(attempt(before, true)).rejects.toMatchObject({ details: { reason: 'half_made' } });
    const stored: PairedController[] = [...before.controllers.list()];
    expect(stored).toMatchObject([{ identifier: keys?.controllerId, isAdmin: true }]);
    await before.server.stop();

    const after = await start({ identity: before.identity });
    after.controllers.controllers = stored;
    port = after.port;
    if (!keys) throw new Error('The keys were not saved');
    expect(await recoverIncompletePairing(open, keys)).toBe('removed');
    expect(after.controllers.list()).toEqual([]);
    await attempt(after, false);
    expect(after.controllers.list()).toHaveLength(1);
  });
});
