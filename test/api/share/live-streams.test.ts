/**
 * The live stream of a share: whole states, as long as the share is open, and never more than fits (security checklist,
 * row 28).
 */
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemCaller } from '../../support/test-home.ts';
import { createShareHome, type ShareHome } from './share-home.ts';

let inventory: ShareHome;
let isReady: boolean;
let open: Stream[];

beforeEach(() => {
  isReady = true;
  open = [];
  inventory = createShareHome({ isReady: () => isReady });
});

afterEach(async () => {
  for (const stream of open) await stream.cancel();
  inventory.home.close();
});

interface SentEvent {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
  readonly data: any;
}

/** Reads a stream as it comes. */
class Stream {
  readonly status: number;
  readonly headers: Headers;
  readonly events: SentEvent[] = [];
  text = '';
  isOver = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(response: Response) {
    this.status = response.status;
    this.headers = response.headers;
    this.#reader = response.body?.getReader();
    void this.#read();
    open.push(this);
  }

  get last(): SentEvent | undefined {
    return this.events.at(-1);
  }

  async cancel(): Promise<void> {
    await this.#reader?.cancel();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    for (;;) {
      const piece = await this.#reader?.read();
      if (!piece || piece.done) break;
      this.text += decoder.decode(piece.value, { stream: true });
      this.events.splice(0, this.events.length, ...parse(this.text));
    }
    this.isOver = true;
  }
}

function parse(text: string): readonly SentEvent[] {
  return [...text.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(([, name = '', data = '']) => ({
    name,
    data: JSON.parse(data),
  }));
}

async function follow(path: string, headers: Record<string, string> = {}): Promise<Stream> {
  const stream = new Stream(await inventory.app.request(path, { headers: { Host: 'localhost', ...headers } }));
  await inventory.home.clock.advance(1);
  return stream;
}

function power(data: {
  accessories: readonly { services: readonly { characteristics: readonly { value: unknown }[] }[] }[];
}) {
  return data.accessories[0]?.services[0]?.characteristics[0]?.value;
}

function endShares(): void {
  for (const { id } of inventory.home.shares.mine(systemCaller)) inventory.home.shares.delete(systemCaller, id);
}

const setLamp = (on: boolean) =>
  inventory.home.control.setProperties(systemCaller, [
    { accessoryId: inventory.home.named('Lamp').id, settings: { on } },
  ]);

describe('a stream', () => {
  it('begins with the whole state, as GET answers it', async () => {
    const link = await inventory.share('Lamp');
    const stream = await follow(`${link}/events`);
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(stream.headers.get('cache-control')).toBe('no-store');
    expect(stream.events).toEqual([{ name: 'state', data: (await inventory.client.get(link)).body }]);
  });

  it('sends a change, and many at once in one state', async () => {
    const stream = await follow(`${await inventory.share('Lamp')}/events`);
    for (const on of [true, false, true]) await setLamp(on);
    await inventory.home.clock.advance(200);
    expect(stream.events.map(({ data }) => power(data))).toEqual([false, true]);
  });

  it('sends nothing of what is not in the share', async () => {
    const stream = await follow(`${await inventory.share('Front Door')}/events`);
    await setLamp(true);
    await inventory.home.clock.advance(10_000);
    expect(stream.events).toHaveLength(1);
  });

  it('ends within a second of the share', async () => {
    const stream = await follow(`${await inventory.share('Lamp')}/events`);
    endShares();
    await inventory.home.clock.advance(1_000);
    expect([stream.last, stream.isOver]).toEqual([{ name: 'end', data: { reason: 'closed' } }, true]);
  });

  it('sends nothing that happened after the share ended', async () => {
    const stream = await follow(`${await inventory.share('Lamp')}/events`);
    endShares();
    await setLamp(true);
    await inventory.home.clock.advance(1_000);
    expect(stream.events.map(({ name }) => name)).toEqual(['state', 'end']);
  });

  it('ends when the hour is over', async () => {
    const accessSchedule = { expires_at: '2026-01-15T12:10:00Z' };
    const stream = await follow(`${await inventory.share('Lamp', { accessSchedule })}/events`);
    await inventory.home.clock.advance(9 * 60_000);
    expect(stream.isOver).toBe(false);
    await inventory.home.clock.advance(61_000);
    expect(stream.isOver).toBe(true);
  });

  it('ends with the passcode that opened it', async () => {
    const link = await inventory.share('Lamp', { accessType: 'passcode', passcode: 'fir tree' });
    const stream = await follow(`${link}/events?passcode=fir%20tree`);
    const [row] = inventory.home.shares.mine(systemCaller);
    await inventory.home.shares.update(systemCaller, row?.id ?? '', { passcode: 'oak tree' });
    await inventory.home.clock.advance(1_000);
    expect(stream.isOver).toBe(true);
  });

  it('ends when the relay stops, so that its reader comes back to the next one', async () => {
    const stream = await follow(`${await inventory.share('Lamp')}/events`);
    await inventory.home.clock.advance(1_000);
    isReady = false;
    await inventory.home.clock.advance(1_000);
    expect([stream.last, stream.isOver]).toEqual([{ name: 'end', data: { reason: 'stopping' } }, true]);
  });

  it('beats while nothing happens', async () => {
    const stream = await follow(`${await inventory.share('Lamp')}/events`);
    await inventory.home.clock.advance(40_000);
    expect(stream.text.match(/^: still here$/gm)?.length).toBe(2);
  });

  it('sends what was put into the share', async () => {
    const { home } = inventory;
    const ids = (...names: string[]) =>
      names.map((name) => ({ accessory_id: home.named(name).id, home_id: home.home.id }));
    const { id } = home.collections.create(systemCaller, { name: 'Picks', payload: { items: ids('Lamp') } });
    const stream = await follow(`${await inventory.shareEntity('collection', id)}/events`);
    home.collections.update(systemCaller, id, { payload: { items: ids('Lamp', 'Kettle') } });
    await home.clock.advance(1_000);
    expect(stream.events.map(({ data }) => data.accessories.length)).toEqual([1, 2]);
  });

  it('ends where the disk fails, sending nothing of it', async () => {
    const stream = await follow(`${await inventory.share('Lamp')}/events`);
    inventory.home.shares.reopen = () => {
      throw new Error('disk I/O error');
    };
    await inventory.home.clock.advance(1_000);
    expect([stream.last?.data, stream.isOver]).toEqual([{ reason: 'stopping' }, true]);
    expect(stream.text).not.toContain('disk');
  });

  it('leaves nothing behind when its reader goes', async () => {
    const link = await inventory.share('Lamp');
    await inventory.home.clock.advance(1);
    const before = inventory.home.clock.pendingTimers;
    const stream = await follow(`${link}/events`);
    await setLamp(true);
    await stream.cancel();
    // The activity is reported within a second.
    await inventory.home.clock.advance(2_000);
    expect(inventory.home.clock.pendingTimers).toBe(before);
  });

  it('needs the same as the share', async () => {
    const link = await inventory.share('Lamp', { accessType: 'passcode', passcode: 'fir tree' });
    expect((await follow(`${link}/events`)).status).toBe(403);
    expect((await inventory.client.request('HEAD', `${link}/events?passcode=fir%20tree`)).status).toBe(200);
  });

  it('in the words of the page shows a change, and by its shape what to reload', async () => {
    const link = await inventory.share('Lamp');
    const stream = await follow(`${link}/events?view=page`);
    await setLamp(true);
    await inventory.home.clock.advance(200);
    const { id } = inventory.home.named('Lamp');
    const [first, second] = stream.events.map(({ data }) => data);
    expect(first.cards[id]).toMatchObject({ summary: 'Off', isActive: false, reachable: true });
    expect(second.cards[id]).toMatchObject({
      summary: 'On · 50%',
      isActive: true,
      values: { on: true, brightness: 50 },
    });
    expect(second.shape).toBe(first.shape);
    inventory.home.accessories.update(systemCaller, id, { name: 'Sun' });
    await inventory.home.clock.advance(200);
    expect(stream.last?.data.shape).not.toBe(first.shape);
  });
});

describe('streams are bounded', () => {
  it('for one address', async () => {
    const link = await inventory.share('Lamp');
    const streams: Stream[] = [];
    for (let count = 0; count < 9; count += 1) streams.push(await follow(`${link}/events`));
    expect(streams.map(({ status }) => status)).toEqual([...Array(8).fill(200), 429]);
    await streams[0]?.cancel();
    expect((await follow(`${link}/events`)).status).toBe(200);
  });

  it('in memory: a reader that takes nothing is sent nothing more, and is let go', async () => {
    const link = await inventory.share('Lamp');
    const response = await inventory.app.request(`${link}/events`, { headers: { Host: 'localhost' } });
    const pending = inventory.home.clock.pendingTimers;
    for (let change = 0; change < 500; change += 1) {
      await setLamp(change % 2 === 0);
      await inventory.home.clock.advance(200);
    }
    // It has been let go: what it would have been sent is nowhere.
    expect(inventory.home.clock.pendingTimers).toBeLessThan(pending);
    expect(parse(await response.text())).toHaveLength(0);
  });

  it('on a real socket: one that reads nothing costs no more than a state', async () => {
    const server = await listen();
    const { port } = server.address() as AddressInfo;
    const link = await inventory.share('Lamp');
    const socket = connect(port, '127.0.0.1');
    try {
      socket.pause();
      socket.write(`GET ${link}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await delay(100);
      for (let change = 0; change < 300; change += 1) {
        await setLamp(change % 2 === 0);
        await inventory.home.clock.advance(200);
      }
      let text = '';
      socket.on('data', (piece) => {
        text += piece;
      });
      socket.resume();
      endShares();
      await inventory.home.clock.advance(1_000);
      await expect.poll(() => text.includes('event: end')).toBe(true);
    } finally {
      socket.destroy();
      server.close();
    }
  });

  async function listen(): Promise<Server> {
    const listener = getRequestListener((request, env) => inventory.app.fetch(request, env as never));
    const server = createServer((request, response) => void listener(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  }
});
