/** What WebSockets do with clients that are hostile, slow, many or gone; and who may open one. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveRing } from '../../../src/api/live/live-ring.ts';
import { SocketSession } from '../../../src/api/live/websocket/session.ts';
import { textFrame } from '../../../src/api/live/websocket/text-frame.ts';
import { MAX_MESSAGE_BYTES } from '../../../src/api/live/websocket/web-sockets.ts';
import type { HttpServer } from '../../../src/api/server.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { createTestApi, createToken, TEST_GUARDS } from '../../support/rest-client.ts';
import { serveApi } from '../../support/served-api.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { CountingHasher, createUser } from '../../support/test-users.ts';
import { readFrames, SessionFixture, TestWebSocket } from '../../support/web-socket-client.ts';

const SYSTEM = { kind: 'system' } as const;
const PATIENCE = { timeout: PATIENCE_MS, interval: 20 };

describe('a session', () => {
  let home: TestHome;
  let fixture: SessionFixture;
  let isReady: boolean;
  beforeEach(() => {
    isReady = true;
    home = createTestHome({ sample: true, passwordHasher: new CountingHasher() });
    const live = new LiveRing({ ...home, logger: silentLogger }, { mostEvents: 1_000 });
    fixture = new SessionFixture(home, { isReady: () => isReady, live });
  });
  afterEach(() => home.close());

  const flip = (times: number): void => {
    const { id, reachable } = home.named('Lamp');
    for (let n = 1; n <= times; n += 1) home.state.setReachable(id, n % 2 === 0 ? reachable : !reachable);
  };

  it.each([
    ['no JSON', '{"type":', null],
    ['no object', '[1]', null],
    ['no type', '{}', null],
    ['an unknown type', '{"id":"1","type":"shout"}', '1'],
    ['a request without an id', '{"type":"request","action":"ping"}', null],
    ['an id that is an object', '{"type":"request","id":{},"action":"ping"}', null],
    ['an endless id', `{"type":"request","id":"${'x'.repeat(500)}","action":"ping"}`, null],
    ['a request without an action', '{"type":"request","id":7}', 7],
    ['an action that is no name', '{"type":"request","id":7,"action":["ping"]}', 7],
    ['a share without a hash', '{"type":"subscribe","id":"1"}', '1'],
    ['a passcode that is a number', '{"type":"subscribe","shareHash":"x","passcode":1}', null],
    ['a payload that is a list', '{"type":"request","id":7,"action":"homes.list","payload":[]}', 7],
    ['a payload without what is needed', '{"type":"request","id":7,"action":"accessory.get","payload":{}}', 7],
    [
      'scopes of an unknown type',
      '{"type":"request","id":7,"action":"subscribe","payload":{"scopes":[{"type":"moon"}]}}',
      7,
    ],
    [
      'a scope with an endless id',
      `{"type":"request","id":7,"action":"subscribe","payload":{"scopes":[{"type":"home","id":"${' '.repeat(999)}"}]}}`,
      7,
    ],
    ['prototypes', '{"type":"request","id":7,"action":"__proto__"}', 7],
  ])('answers %s with an error, for every caller, and lives on', async (_what, text, id) => {
    for (const client of [fixture.open(SYSTEM), fixture.open()]) {
      client.send(text);
      await fixture.pass(0);
      const { error, ...answer } = client.outlet.messages.at(-1);
      expect(answer).toMatchObject({ id, type: 'response' });
      expect(error).toEqual(expect.objectContaining({ code: expect.stringMatching(/^(INVALID_|UNKNOWN_|AUTH_)/) }));
      expect(await client.ask('ping')).toMatchObject({ pong: true });
    }
  });

  it('answers any text at all, and bytes, and never ends the process', async () => {
    const client = fixture.open(SYSTEM);
    const message = fc.record(
      {
        type: fc.constantFrom('request', 'subscribe', 'unsubscribe', 'ping'),
        id: fc.oneof(fc.string(), fc.integer(), fc.jsonValue()),
        action: fc.constantFrom('subscribe', 'state.set', 'characteristics.set', 'authenticate', 'scene.create'),
        payload: fc.oneof(
          fc.jsonValue(),
          fc.dictionary(fc.constantFrom('scopes', 'ttl', 'state', 'writes', 'token'), fc.jsonValue()),
        ),
      },
      { requiredKeys: ['type'] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.json(),
          message.map((value) => JSON.stringify(value)),
        ),
        async (text) => {
          const other = fixture.open(SYSTEM);
          other.send(text);
          other.session.receiveBinary();
          await fixture.pass(5);
          expect(other.outlet.messages.length).toBeGreaterThanOrEqual(2);
          expect(other.outlet.ofType('response').every(({ error }) => error?.code !== 'INTERNAL_ERROR')).toBe(true);
          other.session.closed();
        },
      ),
      { numRuns: 150 },
    );
    expect(await client.ask('ping')).toMatchObject({ pong: true });
  });

  it('ends after five wrong tokens, once each has been answered', async () => {
    const client = fixture.open();
    for (let n = 0; n < 5; n += 1)
      expect(await client.ask('authenticate', { token: 'x' })).toMatchObject({ code: 'AUTH_FAILED' });
    await fixture.pass(0);
    expect(client.outlet.closed).toBe('policy');
  });

  it('ends after half a minute without authentication, but not for guests of a share', async () => {
    const { shareHash } = await home.shares.create(systemCaller, {
      ...{ entityType: 'accessory', entityId: home.named('Lamp').id, accessType: 'public', role: 'view' },
    });
    const [anonymous, guest] = [fixture.open(), fixture.open()];
    guest.send({ type: 'subscribe', shareHash });
    await anonymous.subscribe(home.home.id);
    await fixture.pass(29_000);
    expect(anonymous.outlet.closed).toBeUndefined();
    await fixture.pass(2_000);
    expect([anonymous.outlet.closed, anonymous.outlet.messages.at(-1)]).toEqual(['policy', { type: 'auth_required' }]);
    await fixture.pass(60_000);
    expect(guest.outlet.closed).toBeUndefined();
  });

  it('needs authentication to subscribe, and then follows what the caller may see', async () => {
    const other = home.homes.create(systemCaller, { name: 'Other' });
    const { token } = await createUser(home, { role: 'view' });
    const client = fixture.open();
    await client.subscribe(home.home.id, other.id, 'no_such_home_1234');
    flip(1);
    expect(await client.received('reachability_update')).toEqual([]);
    await client.ask('authenticate', { token });
    flip(1);
    expect(await client.received('reachability_update')).toHaveLength(1);
    expect(client.outlet.ofType('subscription_invalidated').map(({ scope }) => scope.id)).toEqual([
      other.id,
      'no_such_home_1234',
    ]);
  });

  it('sends clients of a room or an accessory nothing else', async () => {
    const [lamp, heater] = [home.named('Lamp'), home.named('Heater')];
    const client = fixture.open(SYSTEM);
    const scopes = [
      { type: 'room', id: lamp.roomId },
      { type: 'accessory', id: heater.id },
    ];
    await client.ask('subscribe', { scopes });
    for (const name of ['Lamp', 'Heater', 'Kettle', 'Front Door']) home.state.setReachable(home.named(name).id, false);
    const reported = await client.received('reachability_update');
    expect(reported.map(({ accessoryId }) => accessoryId)).toEqual([lamp.id, heater.id]);
  });

  it('receives a change in the same turn of the loop, and many in one write', async () => {
    const client = fixture.open(SYSTEM);
    await client.subscribe(home.home.id);
    flip(1);
    await setImmediate();
    expect(client.outlet.ofType('reachability_update')).toHaveLength(1);
    flip(100);
    await fixture.pass(50);
    expect(client.outlet.ofType('reachability_update')).toHaveLength(101);
    expect(client.outlet.writes).toBe(2);
  });

  it('gets the rest once it has read what it was sent, and learns how many events it missed', async () => {
    const client = fixture.open(SYSTEM);
    await client.subscribe(home.home.id);
    client.outlet.isFull = true;
    client.outlet.waitingBytes = 100_000;
    flip(500);
    await fixture.pass(50);
    expect(client.outlet.ofType('reachability_update')).toEqual([]);
    client.drain();
    expect(client.outlet.ofType('reachability_update')).toHaveLength(500);
    client.outlet.isFull = true;
    client.outlet.waitingBytes = 100_000;
    flip(2_500);
    await fixture.pass(50);
    client.drain();
    expect(client.outlet.ofType('missed')).toEqual([{ type: 'missed', count: 1_500 }]);
    expect(client.outlet.ofType('reachability_update')).toHaveLength(1_500);
  });

  it('is cut off when its client takes nothing for a minute, or answers no ping', async () => {
    const [stuck, gone, well] = [fixture.open(SYSTEM), fixture.open(SYSTEM), fixture.open(SYSTEM)];
    await stuck.subscribe(home.home.id);
    stuck.outlet.isFull = true;
    gone.outlet.answerPing = undefined;
    flip(1);
    await fixture.pass(59_000);
    expect(stuck.outlet.closed).toBeUndefined();
    await fixture.pass(3_000);
    expect([stuck, gone, well].map(({ outlet }) => outlet.closed)).toEqual(['cut', 'cut', undefined]);
    expect(fixture.webSockets.size).toBe(1);
  });

  it('goes on with a client that reads everything, late or not, where its connection never was full and so sends no drain', async () => {
    const client = fixture.open(SYSTEM);
    await client.subscribe(home.home.id);
    for (let minute = 0; minute < 3; minute += 1) {
      client.outlet.isFull = true;
      flip(1);
      await fixture.pass(50);
      client.outlet.isFull = false;
      client.outlet.waitingBytes = 0;
      await fixture.pass(60_000);
    }
    expect(client.outlet.closed).toBeUndefined();
  });

  it('refuses messages beyond an allowance, and ends with a client that goes on all the same', async () => {
    const client = fixture.open(SYSTEM);
    for (let n = 0; n < 200; n += 1) client.send({ type: 'ping' });
    await fixture.pass(0);
    expect(client.outlet.ofType('pong')).toHaveLength(120);
    expect(client.outlet.ofType('response').at(-1)?.error.code).toBe('INVALID_REQUEST');
    for (let n = 0; n < 500; n += 1) client.send({ type: 'ping' });
    expect(client.outlet.closed).toBe('policy');
  });

  it('ends, and nothing else with it, when its share can’t be read as its client takes more', async () => {
    const lamp = home.named('Lamp').id;
    const share = { entityType: 'accessory', entityId: lamp, accessType: 'public', role: 'view' };
    const { shareHash } = await home.shares.create(systemCaller, share);
    const [guest, other] = [fixture.open(), fixture.open(SYSTEM)];
    guest.send({ type: 'subscribe', shareHash });
    await fixture.pass(0);
    guest.outlet.isFull = true;
    guest.outlet.waitingBytes = 100_000;
    flip(1);
    vi.spyOn(home.shares, 'reopen').mockImplementation(() => {
      throw new Error('disk I/O error');
    });
    guest.drain();
    expect([guest.outlet.messages.at(-1), guest.outlet.closed]).toEqual([{ type: 'reconnect' }, 'failed']);
    expect(await other.ask('ping')).toMatchObject({ pong: true });
  });

  it('is asked to reconnect when the relay stops', async () => {
    const client = fixture.open(SYSTEM);
    isReady = false;
    await fixture.pass(1_000);
    expect([client.outlet.messages.at(-1), client.outlet.closed]).toEqual([{ type: 'reconnect' }, 'restart']);
  });

  it.each([
    ['a password is changed', (user: Ann) => home.users.setPassword(systemCaller, user.user.id, 'another password')],
    ['the session ends', (user: Ann) => home.sessions.end(user.caller, sessionOf(user))],
    ['the account is deleted', (user: Ann) => home.users.delete(systemCaller, user.user.id)],
  ])('ends within a second when %s', async (_when, end) => {
    const user = await createUser(home, { role: 'control' });
    const client = fixture.open();
    await client.ask('authenticate', { token: user.token });
    await end(user);
    await fixture.pass(1_000);
    expect([client.outlet.messages.at(-1), client.outlet.closed]).toEqual([{ type: 'auth_required' }, 'policy']);
  });
  type Ann = Awaited<ReturnType<typeof createUser>>;
  const sessionOf = ({ caller: { principal } }: Ann) => (principal.kind === 'user' ? principal.sessionId : '');

  it('makes room for others when strangers fill the place, and refuses who has too many', async () => {
    const strangers = Array.from({ length: 64 }, () => fixture.open());
    const newcomer = fixture.open();
    expect([strangers[0]?.outlet.closed, newcomer.outlet.closed]).toEqual(['later', undefined]);
    expect(await newcomer.ask('authenticate', { token: createToken(home) })).toMatchObject({ success: true });
    const own = Array.from({ length: 64 }, () => fixture.open(SYSTEM));
    expect(own.every(({ outlet }) => outlet.closed === undefined)).toBe(true);
    expect(fixture.open(SYSTEM).outlet.closed).toBe('later');
  });

  it('keeps no timer and no reader once all are gone, though one went while it was looked at who it is', async () => {
    const { token } = await createUser(home, { role: 'view' });
    const before = home.clock.pendingTimers;
    const clients = [fixture.open(SYSTEM), fixture.open(), fixture.open()];
    clients[2]?.send({ id: 1, type: 'request', action: 'authenticate', payload: { token } });
    // Time to ask who it is, and not to be answered: signatures are verified on other threads.
    await Promise.resolve();
    for (const { session } of clients) session.closed();
    await delay(50);
    await fixture.pass(0);
    expect([home.clock.pendingTimers, fixture.webSockets.size]).toEqual([before, 0]);
  });
});

describe('frames', () => {
  it('are as RFC 6455 has them, for every length', () => {
    for (const length of [0, 1, 125, 126, 127, 65_535, 65_536, 70_000]) {
      const text = 'é'.repeat(length >> 1) + 'x'.repeat(length % 2);
      const frame = textFrame(text);
      expect(frame.readUInt8(0)).toBe(0x81);
      expect(readFrames(Buffer.concat([frame, textFrame('end')]))).toEqual([text, 'end']);
    }
  });
});

describe('a connection', () => {
  let home: TestHome;
  let server: HttpServer;
  let token: string;
  const open: TestWebSocket[] = [];
  beforeAll(async () => {
    home = createTestHome({ sample: true });
    // Sockets live in real time.
    const api = createTestApi(home, {
      clock: systemClock,
      guards: { ...TEST_GUARDS, ownUrl: () => server.url },
    });
    server = await serveApi(api, { wsPort: 0 });
    token = createToken(home);
  });
  afterAll(async () => {
    for (const client of open) client.close();
    await server.stop();
    home.close();
  });
  const dial = async (headers: Record<string, string> = {}, port = server.wsPort) => {
    const client = await TestWebSocket.open(`ws://127.0.0.1:${port}/ws`, { headers });
    open.push(client);
    return client;
  };

  it('is opened by programs, by our own pages on either port and by those of allowed origins, and by no other page', async () => {
    const own = `http://127.0.0.1:${server.port}`;
    for (const [origin, port] of [
      [own, server.port],
      [own, server.wsPort],
      ['https://dash.example', server.wsPort],
    ] as const) {
      expect(await (await dial({ Origin: origin }, port)).ask('ping')).toMatchObject({ pong: true });
    }
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', `https://127.0.0.1:${server.port}`]) {
      for (const port of [server.port, server.wsPort]) {
        await expect(dial({ Origin: origin }, port)).rejects.toThrow('HTTP 403');
        await expect(dial({ Origin: origin, Authorization: `Bearer ${token}` }, port)).rejects.toThrow('HTTP 403');
      }
    }
  });

  it('is refused under a foreign host name, with a wrong token and with half a handshake, each in JSON', async () => {
    await expect(dial({ Host: 'evil.example' })).rejects.toThrow('HTTP 403');
    await expect(dial({ Authorization: 'Bearer hc_no' })).rejects.toThrow('HTTP 401');
    const socket = connect(server.wsPort, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"invalid_request"/);
    socket.destroy();
  });

  it('leaves programs that offer HTTP/2 on the way their plain answer, bodies and all', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const body = '{"home":"Nowhere","name":"Evening"}';
    const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`;
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA';
    socket.write(`POST /rest/scene HTTP/1.1\r\n${head}\r\n${offer}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 404 [\s\S]*Home not found: Nowhere/);
    socket.destroy();
  });

  it('ends with 1009 where a message is too large, and with 1007 where it is no UTF-8', async () => {
    const large = await dial();
    large.send('x'.repeat(MAX_MESSAGE_BYTES + 1));
    expect((await large.untilClosed()).code).toBe(1009);
    const garbled = await dial();
    garbled.socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect((await garbled.untilClosed()).code).toBe(1007);
  });

  it('is refused where there are too many, and what its client sends all the same ends nothing else', async () => {
    const own = await Promise.all(Array.from({ length: 64 }, () => dial({ Authorization: `Bearer ${token}` })));
    const socket = connect(server.wsPort, '127.0.0.1');
    const handshake = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
    const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`;
    const head = `GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${handshake}\r\n${key}`;
    socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.alloc(64, 0xff)]));
    await once(socket.resume(), 'close');
    expect(await own[0]?.ask('ping')).toMatchObject({ pong: true });
    for (const client of own) client.close();
  });

  it('is cut if its client does not close, soon if very many do not, so that connections stay limited', async () => {
    const handshake = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
    const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`;
    let left = 0;
    let upgraded = 0;
    const sockets = Array.from({ length: 400 }, () =>
      connect({ port: server.wsPort, host: '127.0.0.1', allowHalfOpen: true })
        .on('error', () => {})
        .once('data', () => {
          upgraded += 1;
        })
        .once('end', () => {
          left += 1;
        }),
    );
    for (const socket of sockets) socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${handshake}\r\n${key}\r\n\r\n`);
    // 64 strangers may stay, and 256 of those who made room for others may take their time.
    await vi.waitFor(() => expect(upgraded === sockets.length && left >= 400 - 64 - 256).toBe(true), PATIENCE);
    await vi.waitFor(() => expect(left === 400 - 64).toBe(true), PATIENCE);
    for (const socket of sockets) socket.destroy();
  });

  it('takes one message in each turn of the loop, however many come in one packet', async () => {
    const client = await dial({ Authorization: `Bearer ${token}` });
    let turn = 0;
    let isOver = false;
    const count = (): void => {
      turn += 1;
      if (!isOver) globalThis.setImmediate(count);
    };
    const turns: number[] = [];
    const received = vi.spyOn(SocketSession.prototype, 'receive').mockImplementation(() => turns.push(turn));
    count();
    for (let n = 0; n < 60; n += 1) client.send({ type: 'ping' });
    await vi.waitFor(() => expect(turns).toHaveLength(60), PATIENCE);
    isOver = true;
    received.mockRestore();
    expect(new Set(turns).size).toBeGreaterThan(30);
  });

  it('carries answers and updates side by side, whole and in order', async () => {
    const client = await dial({ Authorization: `Bearer ${token}` });
    await client.ask('subscribe', { scopes: [{ type: 'home', id: home.home.id }] });
    const { id } = home.named('Lamp');
    const lists = Array.from({ length: 20 }, async (_, n) => {
      home.state.setReachable(id, n % 2 === 1);
      return (await client.ask('accessories.list')).accessories.length;
    });
    expect(await Promise.all(lists)).toEqual(Array.from({ length: 20 }, () => 7));
    await home.clock.advance(100);
    await client.find(({ type, isReachable }) => type === 'reachability_update' && isReachable, 'the last update');
    await client.request('ping');
    const reported = client.messages.filter(({ type }) => type === 'reachability_update');
    expect(reported.map(({ isReachable }) => isReachable)).toEqual(Array.from({ length: 20 }, (_, n) => n % 2 === 1));
  });

  it('is not read from while its client does not take the answers', async () => {
    const client = await dial({ Authorization: `Bearer ${token}` });
    client.socket.pause();
    for (let n = 0; n < 100; n += 1) client.send({ id: n, type: 'request', action: 'accessories.list' });
    await delay(200);
    client.socket.resume();
    for (let n = 0; n < 100; n += 1) await client.find(({ id }) => id === n, `answer ${n}`);
    const answered = client.messages.filter(({ payload, error }) => payload?.accessories ?? error);
    expect(answered).toHaveLength(100);
  });
});
