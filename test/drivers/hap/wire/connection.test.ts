import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  Connection,
  type ConnectionError,
  type ConnectionOptions,
} from '../../../../src/drivers/hap/wire/connection.ts';
import { dialable } from '../../../../src/drivers/hap/wire/dial.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { FrameCoder } from '../../../support/accessories/raw-wire.ts';
import { until } from '../session/session-fixture.ts';

const KEYS = { read: Buffer.alloc(32, 1), write: Buffer.alloc(32, 2) };
const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';

const servers: Server[] = [];
const connections: Connection[] = [];

afterEach(() => {
  for (const connection of connections.splice(0)) connection.close();
  for (const server of servers.splice(0)) server.close();
});

/** The other side: takes one connection and hands over its socket. */
async function listen(host = '127.0.0.1'): Promise<{ port: number; accepted: Promise<Socket> }> {
  const server = createServer();
  servers.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  const accepted = once(server, 'connection').then(([socket]: Socket[]) => {
    if (!socket) throw new Error('no socket');
    socket.on('error', () => {});
    return socket;
  });
  return { port: (server.address() as AddressInfo).port, accepted };
}

async function connect(options: Partial<ConnectionOptions> = {}) {
  const { port, accepted } = await listen();
  const connection = await Connection.open([{ host: '127.0.0.1', port }], {
    clock: systemClock,
    requestMs: 1_000,
    ...options,
  });
  connections.push(connection);
  const socket = await accepted;
  const seen: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => seen.push(bytes));
  return { connection, socket, seen };
}

async function connectSecurely(options: Partial<ConnectionOptions> = {}) {
  const fixture = await connect(options);
  fixture.connection.secure(KEYS);
  const coder = new FrameCoder(KEYS.write, KEYS.read);
  const report = (text: string): boolean => fixture.socket.write(coder.encrypt(Buffer.from(text)));
  return { ...fixture, coder, report };
}

const faultOf = (promise: Promise<unknown>): Promise<ConnectionError> =>
  promise.then(
    () => {
      throw new Error('It should have failed');
    },
    (error: ConnectionError) => error,
  );

const get = (connection: Connection) => connection.request({ method: 'GET', path: '/accessories' });

describe('a deadline that ran out while this process stood still', () => {
  it('does not end a connection on which the answer has come meanwhile', async () => {
    const { connection, socket } = await connect({ requestMs: 1_000 });
    const answer = get(connection);
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    const until = performance.now() + 1_200;
    while (performance.now() < until);
    expect((await answer).status).toBe(200);
    expect(connection.isOpen).toBe(true);
  });
});

describe('a connection', () => {
  it('posts pairing bodies in plain text, with a Host that is the address alone', async () => {
    const { connection, socket, seen } = await connect();
    const answer = connection.exchange('/pair-verify', Buffer.from([6, 1, 1]));
    await until(() => seen.length > 0, 'the request');
    expect(Buffer.concat(seen).toString('latin1')).toBe(
      'POST /pair-verify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/pairing+tlv8\r\nContent-Length: 3\r\n\r\n\x06\x01\x01',
    );
    socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 3\r\n\r\n\x07\x01\x02');
    expect([...(await answer)]).toEqual([7, 1, 2]);
  });

  it('reports what is wrong when a pairing request is refused without a body', async () => {
    const { connection, socket } = await connect();
    const answer = faultOf(connection.exchange('/pair-setup', Buffer.from([6, 1, 1])));
    socket.write('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n');
    expect((await answer).message).toMatch(/503/);
  });

  it('sends one request at a time, urgent ones first, each in one segment', async () => {
    const { connection, seen, coder, report } = await connectSecurely();
    const order: string[] = [];
    const ask = (path: string, urgent: boolean) =>
      connection.request({ method: 'GET', path, urgent }).then(() => order.push(path));
    const all = [ask('/a', false), ask('/b', false), ask('/c', true), ask('/d', true)];
    for (let n = 1; n <= 4; n += 1) {
      await until(() => seen.length === n, 'the next request');
      report(NO_CONTENT);
    }
    await Promise.all(all);
    expect(order).toEqual(['/a', '/c', '/d', '/b']);
    expect(seen.map((bytes) => coder.decrypt(bytes)[0]?.toString().split('\r\n')[0])).toEqual(
      ['/a', '/c', '/d', '/b'].map((path) => `GET ${path} HTTP/1.1`),
    );
  });

  it('hands an event over although an answer is awaited, ten thousand times', async () => {
    const events: string[] = [];
    const { connection, coder, socket } = await connectSecurely({
      onEvent: (body) => {
        events.push(body.toString());
        return 0;
      },
    });
    const message = (start: string, body: string) => `${start}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    let asked = 0;
    socket.on('data', () => {
      asked += 1;
      const event = message('EVENT/1.0 200 OK', `e${asked}`);
      socket.write(coder.encrypt(Buffer.from(event + message('HTTP/1.1 200 OK', `r${asked}`))));
    });
    for (let n = 1; n <= 10_000; n += 1) {
      const answer = await get(connection);
      if (answer.body.toString() !== `r${n}`) throw new Error(`answer ${n} is ${answer.body}`);
    }
    expect(events).toEqual(Array.from({ length: 10_000 }, (_, index) => `e${index + 1}`));
  });

  it('ends at a request’s deadline, and fails those behind it as never sent', async () => {
    const { connection } = await connectSecurely({ requestMs: 60 });
    const [first, second] = await Promise.all([faultOf(get(connection)), faultOf(get(connection))]);
    expect([first.fault, first.maybeDone]).toEqual(['timeout', true]);
    expect([second.fault, second.maybeDone]).toEqual(['timeout', false]);
    expect((await connection.closed).fault).toBe('timeout');
    expect((await faultOf(get(connection))).maybeDone).toBe(false);
    expect(connection.isOpen).toBe(false);
  });

  it('fails what is in flight at once when the other side hangs up or resets', async () => {
    for (const cut of ['end', 'destroy', 'resetAndDestroy'] as const) {
      const { connection, socket, seen } = await connectSecurely({ requestMs: 60_000 });
      const fault = faultOf(get(connection));
      await until(() => seen.length > 0, 'the request');
      socket[cut]();
      expect(await fault).toMatchObject({ fault: 'hang_up', maybeDone: true, partly: false });
    }
  });

  it('does not send what has waited too long', async () => {
    const { connection, seen, report } = await connectSecurely();
    const first = get(connection);
    const late = faultOf(
      connection.request({ method: 'PUT', path: '/x', body: '{}', sendBy: systemClock.monotonic() + 20 }),
    );
    await new Promise((resolve) => setTimeout(resolve, 40));
    report(NO_CONTENT);
    await first;
    expect(await late).toMatchObject({ fault: 'expired', maybeDone: false });
    expect(seen).toHaveLength(1);
    expect(connection.isOpen).toBe(true);
  });

  it.each([
    ['bytes that are no frame', Buffer.from('HTTP/1.1 470 Connection Authorization Required\r\n\r\n')],
    ['an empty frame', Buffer.alloc(40)],
    ['a frame with a wrong tag', Buffer.concat([Buffer.from([1, 0]), Buffer.alloc(17)])],
  ])('closes on %s', async (_name, bytes) => {
    const { connection, socket } = await connectSecurely();
    const fault = faultOf(get(connection));
    socket.write(bytes);
    expect((await fault).fault).toBe('corrupt');
    await once(socket, 'close');
  });

  it.each([
    ['an unrequested answer', NO_CONTENT],
    ['no HTTP', 'What do you want?\r\n\r\n'],
    ['a body beyond all reason', 'HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n'],
    ['an event beyond all reason', 'EVENT/1.0 200 OK\r\nContent-Length: 2000000\r\n\r\n'],
  ])('closes on %s', async (_name, text) => {
    const { connection, report } = await connectSecurely();
    report(text);
    expect((await connection.closed).fault).toBe('corrupt');
  });

  it('closes on an event before pair-verify', async () => {
    const { connection, socket } = await connect({ onEvent: () => 0 });
    socket.write('EVENT/1.0 200 OK\r\nContent-Length: 0\r\n\r\n');
    expect((await connection.closed).fault).toBe('corrupt');
  });

  it('goes on after an event that it need not report', async () => {
    const { connection, report } = await connectSecurely();
    const answer = get(connection);
    report('EVENT/1.0 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    expect((await answer).status).toBe(200);
    expect(connection.isOpen).toBe(true);
  });

  it('closes on an event that begins and never ends', async () => {
    const { connection, report } = await connectSecurely({ requestMs: 50 });
    report('EVENT/1.0 200 OK\r\nContent-Length: 10\r\n\r\n{');
    expect((await connection.closed).fault).toBe('timeout');
  });

  it('distinguishes a request that wants verifying from one that may have been carried out', async () => {
    const { connection, report } = await connectSecurely();
    const fault = faultOf(get(connection));
    report('HTTP/1.1 470 Connection Authorization Required\r\nContent-Length: 0\r\n\r\n');
    expect(await fault).toMatchObject({ fault: 'unverified', maybeDone: false });
  });

  it('reads a device more slowly that sends more than it may', async () => {
    const events: number[] = [];
    const { connection, report } = await connectSecurely({
      onEvent: () => {
        events.push(performance.now());
        return events.length === 1 ? 150 : 0;
      },
    });
    const event = 'EVENT/1.0 200 OK\r\nContent-Length: 0\r\n\r\n';
    report(event);
    await until(() => events.length === 1, 'the first event');
    report(event);
    await until(() => events.length === 2, 'the second event');
    const [first = 0, second = 0] = events;
    expect(second - first).toBeGreaterThan(100);
    expect(connection.isOpen).toBe(true);
  });

  it('identifies an accessory that is not paired', async () => {
    const { connection, socket, seen } = await connect();
    const answer = connection.identify();
    await until(() => seen.length > 0, 'the request');
    expect(Buffer.concat(seen).toString()).toBe(
      'POST /identify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n',
    );
    socket.write(NO_CONTENT);
    expect(await answer).toMatchObject({ status: 204 });
  });
});

describe('dialling', () => {
  const open = (addresses: readonly { host: string; port: number }[], options: Partial<ConnectionOptions> = {}) =>
    Connection.open(addresses, { clock: systemClock, connectMs: 2_000, ...options });

  it('takes the address that answers, in any order', async () => {
    const { port } = await listen();
    const good = { host: '127.0.0.1', port };
    const dead = [
      { host: 'fe80::1', port },
      { host: '127.0.0.1', port: 1 },
      { host: '::1', port: 1 },
      { host: '0.0.0.0', port },
      { host: '127.0.0.1', port: 0 },
      { host: '127.0.0.1', port: 70_000 },
    ];
    for (let place = 0; place <= dead.length; place += 1) {
      const connection = await open(dead.toSpliced(place, 0, good));
      expect(connection.address).toEqual(good);
      connection.close();
    }
  });

  it('brackets IPv6 in the Host header', async () => {
    const { port, accepted } = await listen('::1');
    const connection = await open([{ host: '::1', port }]);
    connections.push(connection);
    const first = accepted.then((socket) => once(socket, 'data'));
    connection.identify().catch(() => {});
    expect(String((await first)[0])).toContain('Host: [::1]\r\n');
  });

  it('leaves out link-local addresses without a zone, and nothing else that may work', () => {
    const hosts = ['fe80::1', 'FE80::1%eth0', 'fd00::1', '169.254.1.1', '192.168.1.5', 'bridge.lan', '::'];
    expect(dialable(hosts.map((host) => ({ host, port: 80 }))).map(({ host }) => host)).toEqual([
      'FE80::1%eth0',
      'fd00::1',
      '169.254.1.1',
      '192.168.1.5',
      'bridge.lan',
    ]);
  });

  it('reports which address failed and why, or that there is none', async () => {
    expect(await faultOf(open([{ host: '127.0.0.1', port: 1 }]))).toMatchObject({
      fault: 'unreachable',
      message: expect.stringMatching(/127\.0\.0\.1:1 .*ECONNREFUSED/),
    });
    expect((await faultOf(open([]))).message).toMatch(/no address/);
  });

  it('can be given up', async () => {
    const { port } = await listen();
    const life = new AbortController();
    life.abort();
    expect((await faultOf(open([{ host: '127.0.0.1', port }], { signal: life.signal }))).fault).toBe('unreachable');
  });
});

describe('notifications in pieces', () => {
  const event = (n: number): string => {
    const body = `{"characteristics":[{"aid":1,"iid":9,"value":${n}}]}`;
    return `EVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };

  it('that follow each other without a gap are no stall, however long that goes on', async () => {
    let events = 0;
    const onEvent = (): number => {
      events += 1;
      return 0;
    };
    const { connection, report } = await connectSecurely({ requestMs: 200, onEvent });
    report(event(0).slice(0, 40));
    for (let n = 0; n < 30; n += 1) {
      report(event(n).slice(40) + event(n + 1).slice(0, 40));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(connection.isOpen).toBe(true);
    expect(events).toBe(30);
  });
});

describe('a flood of events', () => {
  const event = (value: number): string => `EVENT/1.0 200 OK\r\nContent-Length: 1\r\n\r\n${value}`;
  const PAUSE_MS = 3_600_000;

  /** Each event asks for an hour's pause. */
  async function flooded() {
    const events: string[] = [];
    const onEvent = (body: Buffer): number => {
      events.push(body.toString());
      return PAUSE_MS;
    };
    return { ...(await connectSecurely({ onEvent, requestMs: 60_000 })), events };
  }

  it('is read no further while it is paused, until someone sends a command', async () => {
    const { connection, report, events, seen } = await flooded();
    report(event(1));
    await until(() => events.length === 1, 'the first event');
    report(event(2));
    // What a connection that reads would have received long ago, in as many turns of both sides.
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    expect(events).toEqual(['1']);
    const answer = connection.request({ method: 'PUT', path: '/characteristics', body: '{}', urgent: true });
    await until(() => events.length === 2, 'the second event');
    await until(() => seen.length > 0, 'the command');
    report(NO_CONTENT);
    expect((await answer).status).toBe(204);
  });

  it('is read on while a command is under way, whose answer is behind it', async () => {
    const { connection, report, events, seen } = await flooded();
    const answer = connection.request({ method: 'PUT', path: '/characteristics', body: '{}', urgent: true });
    await until(() => seen.length > 0, 'the command');
    for (let value = 1; value <= 5; value += 1) report(event(value));
    await until(() => events.length === 5, 'five events');
    report(NO_CONTENT);
    expect((await answer).status).toBe(204);
  });

  it('delays no command that waits for the answer to another request', async () => {
    const { connection, report, events, seen } = await flooded();
    const poll = get(connection);
    await until(() => seen.length === 1, 'the poll');
    report(event(1));
    await until(() => events.length === 1, 'the first event');
    const answer = connection.request({ method: 'PUT', path: '/characteristics', body: '{}', urgent: true });
    report(event(2));
    await until(() => events.length === 2, 'the second event');
    report(NO_CONTENT);
    await poll;
    await until(() => seen.length === 2, 'the command');
    report(NO_CONTENT);
    expect((await answer).status).toBe(204);
  });
});
