import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { MqttJsConnector } from '../../../src/drivers/mqtt/mqtt-js-connector.ts';
import { MAX_MESSAGES_PER_SECOND, MAX_PACKET_BYTES, PacketFilter } from '../../../src/drivers/mqtt/packet-filter.ts';
import type { MqttClosed, MqttConnection, MqttTarget, ReceivedMessage } from '../../../src/home/mqtt-connector.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { freePort } from '../../support/free-port.ts';
import { certificate, Onlooker, TestBroker, type TestBrokerOptions, until } from '../../support/mqtt-broker.ts';
import { TestClock } from '../../support/test-clock.ts';

const TLS = certificate();

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Attempt {
  readonly connection: MqttConnection;
  readonly messages: ReceivedMessage[];
  readonly closed: MqttClosed[];
  connected: number;
}

function attempt(target: Partial<MqttTarget>, clock = systemClock): Attempt {
  const messages: ReceivedMessage[] = [];
  const closed: MqttClosed[] = [];
  const made = { messages, closed, connected: 0 };
  const connection = new MqttJsConnector({ clock }).connect(
    {
      ...{ host: '127.0.0.1', port: 1, useTls: false, ca: null, username: null, password: null },
      ...{ clientId: 'hearthd-test', will: { topic: 'home/status', payload: 'offline', retain: true, qos: 1 } },
      ...target,
    },
    {
      onConnect: () => {
        made.connected += 1;
      },
      onClose: (reason) => closed.push(reason),
      onMessage: (message) => messages.push(message),
    },
  );
  closing.push(() => connection.close());
  return Object.assign(made, { connection });
}

async function startBroker(options: TestBrokerOptions = {}): Promise<TestBroker> {
  const broker = await TestBroker.start(options);
  closing.push(() => broker.stop());
  return broker;
}

describe('a connection with a broker', () => {
  it('publishes, is confirmed, and gets what it subscribed to, knowing what was retained', async () => {
    const broker = await startBroker();
    const onlooker = await Onlooker.start(broker);
    closing.push(() => onlooker.stop());
    await onlooker.send('home/old/set', 'kept', true);
    const made = attempt({ port: broker.port });
    await until(() => made.connected);
    await made.connection.publish({ topic: 'home/lamp', payload: '{"on":true}', retain: true, qos: 1 });
    await made.connection.subscribe(['home/+/set']);
    await onlooker.send('home/lamp/set', 'now');
    await until(() => made.messages.length === 2);
    expect(onlooker.last('home/lamp')).toBe('{"on":true}');
    const received = made.messages.map(({ topic, payload, retained }) => [
      topic,
      Buffer.from(payload).toString(),
      retained,
    ]);
    expect(received).toEqual([
      ['home/old/set', 'kept', true],
      ['home/lamp/set', 'now', false],
    ]);
  });

  it('leaves without its will, and breaks off with it', async () => {
    const broker = await startBroker();
    const onlooker = await Onlooker.start(broker);
    closing.push(() => onlooker.stop());
    const first = attempt({ port: broker.port });
    await until(() => first.connected);
    await first.connection.close();
    await onlooker.send('marker', 'x');
    await until(() => onlooker.last('marker'));
    expect(onlooker.last('home/status')).toBeUndefined();
    expect(first.closed).toEqual([]);
    await expect(first.connection.publish({ topic: 'a', payload: 'b', retain: false, qos: 1 })).rejects.toThrow();

    const second = attempt({ port: broker.port, clientId: 'second' });
    await until(() => second.connected);
    broker.cut();
    await until(() => second.closed.length === 1);
    expect(second.closed[0]?.fault).toBe('network');
    expect(second.connection.isConnected).toBe(false);
  });

  it('reports in a sentence without secrets why none came about', async () => {
    const guarded = await startBroker({ credentials: { username: 'house', password: 'right' } });
    const secured = await startBroker({ tls: TLS });
    const cases: [Partial<MqttTarget>, MqttClosed['fault'], RegExp][] = [
      [{ port: guarded.port, username: 'house', password: 'hunter2' }, 'credentials', /user name/],
      [{ port: secured.port, useTls: true }, 'certificate', /not trusted/],
      [{ port: guarded.port, useTls: true }, 'protocol', /does not speak TLS|broke/],
      [{ port: await freePort() }, 'network', /refuses connections/],
      [{ host: 'no-such-host.invalid' }, 'network', /unknown|looked up/],
    ];
    for (const [target, fault, sentence] of cases) {
      const made = attempt(target);
      const [closed] = await until(() => made.closed.length > 0 && made.closed);
      if (fault !== 'protocol') expect(closed?.fault, JSON.stringify(target)).toBe(fault);
      expect(closed?.message).toMatch(sentence);
      expect(closed?.message).not.toContain('hunter2');
      expect(made.connected).toBe(0);
    }
  });

  it('trusts the authority that it was given, and sends user name and password', async () => {
    const broker = await startBroker({ tls: TLS, credentials: { username: 'house', password: 'right' } });
    const made = attempt({
      host: 'localhost',
      port: broker.port,
      useTls: true,
      ca: TLS.cert,
      username: 'house',
      password: 'right',
    });
    await until(() => made.connected || made.closed.length > 0);
    expect(made.closed).toEqual([]);
  });

  it('breaks off where nothing is confirmed for half a minute, and gives every message up', async () => {
    const silent = createServer((socket: Socket) => {
      // A CONNACK, and never anything again.
      socket.once('data', () => socket.write(Buffer.from([0x20, 2, 0, 0])));
      socket.on('error', () => {});
      closing.push(() => socket.destroy());
    }).listen(0, '127.0.0.1');
    closing.push(() => silent.close());
    await once(silent, 'listening');
    const clock = new TestClock();
    const made = attempt({ port: (silent.address() as AddressInfo).port }, clock);
    await until(() => made.connected);
    const lost = made.connection
      .publish({ topic: 'a', payload: 'b', retain: true, qos: 1 })
      .catch((error: unknown) => error);
    await clock.advance(31_000);
    await clock.advance(31_000);
    expect(await lost).toBeInstanceOf(Error);
    expect(made.closed).toEqual([{ fault: 'network', message: expect.stringContaining('confirms nothing') }]);
  });

  /** @param talk what it does once it has accepted a client's CONNECT */
  const hostile = async (talk: (socket: Socket) => void): Promise<Attempt> => {
    const server = createServer((socket: Socket) => {
      socket.once('data', () => {
        socket.write(Buffer.from([0x20, 2, 0, 0]));
        talk(socket);
      });
      socket.on('error', () => {});
      closing.push(() => socket.destroy());
    }).listen(0, '127.0.0.1');
    closing.push(() => server.close());
    await once(server, 'listening');
    return attempt({ port: (server.address() as AddressInfo).port });
  };

  it('outlives a broker that releases what it never sent, after the connection has failed', async () => {
    // Refused, and in the same breath a release: MQTT.js looks it up in a store that it has just closed, where no code
    // can catch it.
    const made = await hostile((socket) => socket.write(Buffer.from([0x20, 2, 0, 5, 0x62, 2, 0, 9])));
    await until(() => made.closed.length > 0);
    expect(made.closed).toEqual([
      { fault: 'protocol', message: expect.stringContaining('sends messages without a subscription') },
    ]);
  });

  it('knows how much a broker has not taken, and breaks off where that grows without end', async () => {
    let broker: Socket | undefined;
    const made = await hostile((socket) => {
      socket.pause();
      broker = socket;
    });
    await until(() => made.connected);
    const message = { topic: 'a', payload: 'b'.repeat(1_000_000), retain: false, qos: 0 } as const;
    for (let count = 0; count < 20; count++) made.connection.publish(message).catch(() => {});
    expect(made.connection.bufferedBytes).toBeGreaterThan(2_000_000);
    broker?.write(Buffer.from([0x30, 4, 0, 1, 0x61, 0x62]));
    await until(() => made.closed.length > 0);
    expect(made.closed).toEqual([{ fault: 'network', message: expect.stringContaining('takes nothing') }]);
  });

  it('can be closed before it has begun', async () => {
    const broker = await startBroker();
    const made = attempt({ port: broker.port });
    await made.connection.close();
    await made.connection.close();
    expect(made).toMatchObject({ connected: 0, closed: [] });
  });
});

describe('the filter before it', () => {
  const publish = (size: number): Buffer => {
    const body = Buffer.alloc(size, 0x61);
    body.writeUInt16BE(1, 0);
    const length: number[] = [];
    for (let rest = size; rest > 0 || length.length === 0; rest = Math.floor(rest / 128)) {
      length.push((rest % 128) + (rest >= 128 ? 128 : 0));
    }
    return Buffer.concat([Buffer.from([0x30, ...length]), body]);
  };

  it.each([1, 7, 4_096, 1_000_000])(
    'lets no message through that is too large, and all others, in pieces of %i bytes',
    async (size) => {
      const filter = new PacketFilter(systemClock);
      const passed: Buffer[] = [];
      filter.on('data', (chunk: Buffer) => passed.push(chunk));
      const small = [publish(10), Buffer.from([0xd0, 0]), publish(200)];
      const huge = publish(MAX_PACKET_BYTES + 1);
      const all = Buffer.concat([small[0] as Buffer, huge, small[1] as Buffer, huge, small[2] as Buffer]);
      for (let at = 0; at < all.length; at += size) filter.write(all.subarray(at, at + size));
      filter.end();
      await once(filter, 'end');
      expect(Buffer.concat(passed).equals(Buffer.concat(small))).toBe(true);
    },
  );

  it('reads two thousand messages a second and leaves the rest to the broker', async () => {
    const clock = new TestClock();
    const filter = new PacketFilter(clock);
    let bytes = 0;
    filter.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    const one = publish(4);
    filter.write(Buffer.concat(Array.from({ length: 2 * MAX_MESSAGES_PER_SECOND + 500 }, () => one)));
    const read: number[] = [];
    for (let second = 0; second < 3; second++) {
      await setImmediate();
      read.push(bytes / one.length);
      await clock.advance(1_000);
    }
    expect(read).toEqual([2_000, 4_000, 4_500]);
  });

  it.each([
    ['a length that never ends', [0x30, 0xff, 0xff, 0xff, 0xff]],
    ['a huge packet that is no message', [0x90, 0xff, 0xff, 0xff, 0x7f]],
    ['a huge message that must be confirmed', [0x32, 0xff, 0xff, 0xff, 0x7f]],
    ['a message of which it would have to be kept that it came', [0x34, 6, 0, 1, 0x61, 0, 1, 0x62]],
    ['the release of such a message', [0x62, 2, 0, 1]],
    ['a request, as if we were the broker', [0x82, 6, 0, 1, 0, 1, 0x61, 0]],
  ])('ends the connection at %s', async (_, bytes) => {
    const filter = new PacketFilter(systemClock);
    const failed = once(filter, 'error');
    filter.write(Buffer.from(bytes));
    expect((await failed)[0]).toBeInstanceOf(Error);
  });
});
