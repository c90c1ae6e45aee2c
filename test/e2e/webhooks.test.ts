/**
 * Deliveries of a whole relay, over real sockets, from real SQLite files: receivers that are down for long, that are
 * hostile, that are many; a daemon that is killed; and what nothing is ever sent to.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { E2eRelay, eventually } from '../support/e2e-relay.ts';
import { lastingPorts } from '../support/free-port.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Arrival {
  readonly headers: IncomingMessage['headers'];
  readonly raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
  readonly body: any;
}

async function relayFor(config: { readonly webhooksAllowLoopback: boolean }): Promise<E2eRelay> {
  const relay = await E2eRelay.start({ config });
  closers.push(() => relay[Symbol.asyncDispose]());
  return relay;
}

async function listen(listener: RequestListener, port = 0): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer(listener);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  closers.push(close);
  return { port: (server.address() as AddressInfo).port, close };
}

/** A receiver that takes everything and remembers it. */
function taking(arrivals: Arrival[], status = 204): RequestListener {
  return (incoming, answer) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const raw = Buffer.concat(parts).toString();
      arrivals.push({ headers: incoming.headers, raw, body: JSON.parse(raw) });
      answer.writeHead(status).end();
    });
  };
}

/** A server that speaks no HTTP of its own. */
async function listenRaw(talk: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    talk(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

async function createHook(relay: E2eRelay, port: number, more: object = {}) {
  const { status, body } = await relay.asSystem('POST', '/rest/webhooks', {
    ...{ name: 'Hook', url: `http://127.0.0.1:${port}/hook`, eventTypes: ['state.changed'], rateLimitPerMinute: null },
    ...more,
  });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return { id: (body.webhook ?? body).id as string, secret: body.rawSecret as string };
}

/** Something that happens in the home as often as it is called: a virtual switch, switched over REST. */
async function switchOf(relay: E2eRelay): Promise<() => Promise<void>> {
  const [home] = (await relay.get('/rest/homes')).body;
  await relay.asSystem('POST', '/rest/virtual-accessories', { homeId: home.id, name: 'Flag', type: 'switch' });
  const [homeKey, roomKey, key] = (await relay.state('Flag')).path;
  let on = false;
  return async () => {
    on = !on;
    const { body } = await relay.post('/rest/state', { [homeKey]: { [roomKey]: { [key]: { on } } } });
    expect(body).toMatchObject({ failed: 0 });
  };
}

const valuesOf = (arrivals: readonly Arrival[]) => arrivals.map(({ body }) => body.data.value);

describe('a delivery of the whole relay', () => {
  it('is verified with the standardwebhooks package, and by the formula', async () => {
    const relay = await relayFor({ webhooksAllowLoopback: true });
    const arrivals: Arrival[] = [];
    const { port } = await listen(taking(arrivals));
    const { secret, id } = await createHook(relay, port);
    const flip = await switchOf(relay);
    await flip();
    await eventually(() => arrivals.length > 0, 'the delivery');
    const [{ raw, headers, body }] = arrivals as [Arrival];
    expect(new StandardWebhook(secret).verify(raw, headers as Record<string, string>)).toEqual(body);
    const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-homecast-signature'])) ?? [];
    expect(hex).toBe(createHmac('sha256', secret).update(`${seconds}.${raw}`).digest('hex'));
    expect(body).toMatchObject({ type: 'state.changed', webhook_id: id, data: { accessoryName: 'Flag', value: true } });
  });

  it('is never lost: with the receiver down across twenty restarts, all arrive once it is back, in order', async () => {
    const relay = await relayFor({ webhooksAllowLoopback: true });
    const [port = 0] = await lastingPorts(1);
    await createHook(relay, port, { maxRetries: 10 });
    const flip = await switchOf(relay);
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < 3; i++) await flip();
      await relay.stop();
      await relay.start();
    }
    const arrivals: Arrival[] = [];
    await listen(taking(arrivals), port);
    // A longer wait may have begun: resuming sits it out no longer.
    const [hook] = (await relay.asSystem('GET', '/rest/webhooks')).body;
    await relay.asSystem('POST', `/rest/webhooks/${hook.id}/pause`);
    await relay.asSystem('POST', `/rest/webhooks/${hook.id}/resume`);
    await eventually(() => arrivals.length >= 60, 'sixty deliveries');
    await delay(200);
    expect(valuesOf(arrivals)).toEqual(Array.from({ length: 60 }, (_, index) => index % 2 === 0));
    expect(new Set(arrivals.map(({ headers }) => headers['x-homecast-delivery'])).size).toBe(60);
  });
});

describe('receivers that mean harm', () => {
  it('are cut off in time, followed nowhere, and delay no other', async () => {
    const relay = await relayFor({ webhooksAllowLoopback: true });
    const well: Arrival[] = [];
    const strayed: Arrival[] = [];
    const good = await listen(taking(well));
    const elsewhere = await listen(taking(strayed));
    const endless = await listen((_: IncomingMessage, answer: ServerResponse) => {
      answer.writeHead(500);
      const pour = (): void => {
        while (!answer.destroyed && answer.write('x'.repeat(16_384))) {}
      };
      answer.on('drain', pour);
      pour();
    });
    const trickling = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    const silent = await listenRaw(() => {});
    const redirecting = await listen((_, answer) =>
      answer.writeHead(307, { Location: `http://127.0.0.1:${elsewhere.port}/hook` }).end(),
    );
    const flooding = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      for (let i = 0; i < 2_000; i++) socket.write(`X-Flood-${i}: ${'y'.repeat(100)}\r\n`);
    });
    const hostile = { endless: endless.port, trickling, silent, redirecting: redirecting.port, flooding };
    const ids = new Map<string, string>();
    for (const [name, port] of Object.entries(hostile)) {
      ids.set(name, (await createHook(relay, port, { maxRetries: 0, timeoutMs: 1_000 })).id);
    }
    await createHook(relay, good.port);
    const flip = await switchOf(relay);
    for (let i = 0; i < 10; i++) await flip();
    await eventually(() => well.length === 10, 'all ten at the one that works');
    const ends = new Map<string, unknown>();
    await eventually(async () => {
      for (const [name, id] of ids) {
        const { body } = await relay.asSystem('GET', `/rest/webhooks/${id}/deliveries?status=failed`);
        const oldest = body.deliveries.at(-1);
        if (oldest) ends.set(name, oldest.errorMessage);
      }
      return ends.size === ids.size;
    }, 'each of the others to be given up');
    expect(Object.fromEntries(ends)).toEqual({
      endless: expect.stringMatching(/^HTTP 500: x{200}$/),
      trickling: 'Request timeout',
      silent: 'Request timeout',
      redirecting: expect.stringMatching(/^HTTP 307/),
      flooding: expect.stringMatching(/could not be reached|Request timeout/),
    });
    expect(strayed).toEqual([]);
    expect(valuesOf(well)).toEqual(Array.from({ length: 10 }, (_, index) => index % 2 === 0));
  });
});
