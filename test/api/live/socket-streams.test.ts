/** Event streams over real connections, where no body of a response lies between a stream and its socket. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LiveRing } from '../../../src/api/live/live-ring.ts';
import type { HttpServer } from '../../../src/api/server.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { createTestApi, createToken } from '../../support/rest-client.ts';
import { serveApi } from '../../support/served-api.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

/** Events of this length fill the buffers of a connection long before there are as many as this. */
const LONG = 'long '.repeat(4_000);
const MANY = 2_000;
const RING = 50;

let home: TestHome;
let ring: LiveRing;
let server: HttpServer;
let app: ReturnType<typeof createTestApi>;
let token: string;
const open: IncomingMessage[] = [];

beforeEach(async () => {
  home = createTestHome({ sample: true });
  ring = new LiveRing({ ...home, logger: silentLogger }, { mostEvents: RING });
  app = createTestApi(home, { live: ring });
  server = await serveApi(app);
  token = createToken(home);
});
afterEach(async () => {
  for (const response of open.splice(0)) response.destroy();
  await server.stop();
  home.close();
});

const ORIGIN = 'https://dash.example';
const headersOf = (own: string) => ({ Host: 'localhost', Authorization: `Bearer ${own}`, Origin: ORIGIN });

async function follow(own = token) {
  const request = get(`${server.url}/events`, { headers: headersOf(own), agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  open.push(response);
  const stream = { response, text: '', isOver: false };
  response.setEncoding('utf8').on('data', (text) => {
    stream.text += text;
  });
  response.once('close', () => {
    stream.isOver = true;
  });
  await until(() => stream.text.includes('retry:'));
  return stream;
}

const until = (holds: () => boolean) => expect.poll(holds, { timeout: PATIENCE_MS, interval: 5 }).toBe(true);

function send(message: string): void {
  home.bus.emit('notification.sent', {
    ...{ notificationId: 'n', userId: null, homeId: home.home.id, automationId: null, title: null, message },
    ...{ buttons: 0, at: home.clock.now() },
  });
}

const changeLamp = () => home.state.setReachable(home.named('Lamp').id, !home.named('Lamp').reachable);

describe('an event stream over a connection', { timeout: 2 * PATIENCE_MS }, () => {
  it('has the head that it has without one', async () => {
    const { response } = await follow();
    const plain = await app.request('/events', { headers: headersOf(token) });
    await plain.body?.cancel();

    expect(response.statusCode).toBe(200);
    expect(plain.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers).toMatchObject(Object.fromEntries(plain.headers));
  });

  it('gets what happens, in order', async () => {
    const stream = await follow();
    for (let n = 1; n <= 20; n += 1) send(`number ${n}.`);

    await until(() => stream.text.includes('number 20.'));
    expect([...stream.text.matchAll(/number (\d+)\./g)].map(([, n]) => Number(n))).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    );
  });

  it('is given no more than its client reads, and learns what it missed', async () => {
    const stream = await follow();
    stream.response.pause();
    for (let n = 0; n < MANY; n += 1) {
      send(LONG);
      if (n % 10 > 0) continue;
      await home.clock.advance(25);
      await setImmediate();
    }
    stream.response.resume();

    await until(() => stream.text.includes('event: missed'));
    expect(ring.missed).toBeGreaterThan(0);
    send('the last one');
    await home.clock.advance(25);
    await until(() => stream.text.includes('the last one'));
    expect(stream.text.length).toBeLessThan((MANY * LONG.length) / 2);
  });

  it('ends with its token, and the connection with it', async () => {
    const made = home.tokens.create(systemCaller, { name: 'x', homePermissions: null });
    const stream = await follow(made.token);
    home.tokens.revoke(systemCaller, made.info.id);
    await home.clock.advance(1_000);
    changeLamp();

    await until(() => stream.isOver);
    expect(stream.text).toContain('{"reason":"revoked"}');
    expect(stream.text).not.toContain('reachability_changed');
    expect(stream.response.complete).toBe(true);
  });

  it('leaves nothing behind when its client goes', async () => {
    // What the start waits for is over.
    await home.clock.advance(60_000);
    const before = home.clock.pendingTimers;
    const stream = await follow();
    expect(home.clock.pendingTimers).toBeGreaterThan(before);
    stream.response.destroy();

    await until(() => home.clock.pendingTimers === before);
    send('too late');
    expect(home.clock.pendingTimers).toBe(before);
  });

  it('leaves nothing behind for a client that goes before it begins', async () => {
    await home.clock.advance(60_000);
    const before = home.clock.pendingTimers;
    let timers: number | undefined;
    const late = await serveApi({
      async fetch(request, env) {
        const { outgoing } = env as HttpBindings;
        outgoing.destroy();
        await once(outgoing, 'close');
        const response = await app.fetch(request, env as HttpBindings);
        timers = home.clock.pendingTimers;
        return response;
      },
    });
    get(`${late.url}/events`, { headers: headersOf(token), agent: false }).on('error', () => {});

    await until(() => timers !== undefined);
    expect(timers).toBeGreaterThan(before);
    await until(() => home.clock.pendingTimers === before);
    await late.stop();
  });
});
