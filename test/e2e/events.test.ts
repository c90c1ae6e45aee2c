/**
 * `GET /events` of a whole relay, through its real API, and of the API behind a real socket whose client is slow or
 * many.
 */
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveRing } from '../../src/api/live/live-ring.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { E2eRelay } from '../support/e2e-relay.ts';
import { EventStreamClient } from '../support/event-stream.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { createTestApi, createToken } from '../support/rest-client.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

const PATIENCE = { timeout: PATIENCE_MS };

describe('a relay', () => {
  it('sends what happens, ends its streams when it stops, and reports after a restart that something may be missing', async () => {
    await using relay = await E2eRelay.start();
    const follow = async (after?: string) =>
      new EventStreamClient(
        await fetch(`${relay.url}/events`, {
          headers: { Authorization: `Bearer ${relay.token}`, ...(after && { 'Last-Event-ID': after }) },
        }),
      );
    const stream = await follow();
    const [home] = (await relay.get('/rest/homes')).body;
    await relay.post('/rest/virtual-accessories', { homeId: home.id, name: 'Mood', type: 'switch' });
    await relay.set('Mood', { on: true });
    await expect.poll(() => stream.received('state.changed').length, PATIENCE).toBe(1);
    expect(stream.received('state.changed')[0].data).toMatchObject({ accessoryName: 'Mood', value: true });
    expect(stream.received('accessory.added')).toHaveLength(1);

    await relay.stop();
    await expect.poll(() => stream.isOver, PATIENCE).toBe(true);
    expect(stream.last).toMatchObject({ name: 'end', data: { reason: 'stopping' } });

    await relay.start();
    const back = await follow(stream.lastId);
    await expect.poll(() => back.received('missed'), PATIENCE).toEqual([{ reason: 'restarted' }]);
    await back.cancel();
  });
});

describe('the API behind a real socket', () => {
  let home: TestHome;
  let live: LiveRing;
  let server: Server;
  let token: string;

  beforeEach(async () => {
    home = createTestHome({ sample: true });
    // Sockets know no other time than the machine's.
    live = new LiveRing({ ...home, clock: systemClock, logger: silentLogger }, { mostEvents: 2_000 });
    const app = createTestApi(home, { live });
    const listener = getRequestListener((request, env) => app.fetch(request, env as never));
    server = createServer((request, response) => void listener(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    token = createToken(home);
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    home.close();
  });

  const port = () => (server.address() as AddressInfo).port;

  /** As many changes as that, in one turn of the loop. */
  function change(times: number): void {
    const { id } = home.named('Lamp');
    for (let n = 0; n < times; n += 1) home.state.setReachable(id, !home.named('Lamp').reachable);
  }

  async function ask(): Promise<Socket> {
    const socket = connect(port(), '127.0.0.1');
    socket.on('error', () => {});
    const request = `GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    await new Promise<void>((resolve) => socket.write(request, () => resolve()));
    return socket;
  }

  it('sends twenty clients all of two thousand changes, each once and in order', async () => {
    const headers = { Authorization: `Bearer ${token}` };
    const streams = await Promise.all(
      Array.from(
        { length: 20 },
        async () => new EventStreamClient(await fetch(`http://127.0.0.1:${port()}/events`, { headers })),
      ),
    );
    for (let burst = 0; burst < 20; burst += 1) {
      change(100);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const wanted = Array.from({ length: 2_000 }, (_, n) => n + 1);
    for (const stream of streams) {
      await expect.poll(() => stream.events.length, PATIENCE).toBe(2_000);
      expect(stream.events.map(({ id }) => Number(id.split('-')[1]))).toEqual(wanted);
      await stream.cancel();
    }
  });

  it('keeps for a client that reads nothing no more than the ring, and reports what it missed once it reads', async () => {
    const socket = await ask();
    let text = '';
    let seen = 0;
    socket.on('data', (piece) => {
      text += piece;
    });
    await expect.poll(() => text.includes('retry:'), PATIENCE).toBe(true);
    socket.pause();
    // Until the network holds no more, and the ring has gone past what waits behind it.
    for (; seen < 60_000; seen += 2_000) {
      change(2_000);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(live.nextSeq - live.oldestSeq).toBe(2_000);
    socket.resume();
    await expect.poll(() => text.includes(`-${live.nextSeq - 1}\n`), PATIENCE).toBe(true);
    expect(text).toMatch(/^event: missed\ndata: \{"reason":"overflow","count":\d+\}$/m);
    const reported = text.match(/^event: accessory\.reachability_changed$/gm)?.length ?? 0;
    const counts = [...text.matchAll(/"overflow","count":(\d+)/g)].map(([, count]) => Number(count));
    // Each lost event is reported as lost.
    expect(reported + counts.reduce((sum, count) => sum + count, 0)).toBe(seen);
    const ids = [...text.matchAll(/^id: \w+-(\d+)\nevent: accessory/gm)].map(([, seq]) => Number(seq));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    socket.destroy();
  });

  it('cuts off a client that takes nothing for a minute', async () => {
    const socket = await ask();
    socket.pause();
    await expect.poll(connections, PATIENCE).toBe(1);
    const goOn = async (): Promise<number> => {
      for (let burst = 0; burst < 10; burst += 1) {
        change(2_000);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      await home.clock.advance(61_000);
      return connections();
    };
    // Only once the network holds no more does anything wait for it.
    await expect.poll(goOn, PATIENCE).toBe(0);
    socket.destroy();
  });

  const connections = () =>
    new Promise<number>((resolve, reject) => {
      server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });

  it('is left by clients that vanish without a word, and prints nothing', async () => {
    const printed = [vi.spyOn(console, 'error'), vi.spyOn(console, 'info')];
    const before = home.clock.pendingTimers;
    const sockets = await Promise.all(Array.from({ length: 10 }, ask));
    await expect.poll(() => home.clock.pendingTimers, PATIENCE).toBeGreaterThan(before);
    for (const [n, socket] of sockets.entries()) {
      change(10);
      if (n % 2 === 0) socket.resetAndDestroy();
      else socket.destroy();
    }
    // What is saved in batches is saved.
    const idle = async (): Promise<number> => {
      await home.clock.advance(200);
      return home.clock.pendingTimers;
    };
    await expect.poll(idle, PATIENCE).toBe(before);
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });
});
