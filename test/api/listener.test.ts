/** Which connection makes room when there are as many as there may be, and all of them wait for their answers. */
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, HttpListener } from '../../src/api/listener.ts';
import { RequestTurns } from '../../src/api/request-turns.ts';

const MAX_CONNECTIONS = 4;
/** All of 127.0.0.0/8 is this machine: two addresses without a network. */
const MANY = '127.0.0.2';
const OTHER = '127.0.0.1';
const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** No request begins until the test lets it, as in a flood. */
class HeldTurns extends RequestTurns {
  readonly held: { readonly key: string; readonly start: () => void }[] = [];

  override take(key: string, start: () => void): void {
    this.held.push({ key, start });
  }
}

let turns: HeldTurns;
let listener: HttpListener;
let answering: ServerResponse[];
let sockets: Socket[];

beforeEach(async () => {
  turns = new HeldTurns();
  answering = [];
  sockets = [];
  const handle: RequestListener = (_request, response) => answering.push(response);
  listener = new HttpListener({ handle, limits: { ...DEFAULT_LIMITS, maxConnections: MAX_CONNECTIONS }, turns });
  await listener.listen({ host: '0.0.0.0', port: 0 });
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await listener.stop(0);
});

/** A connection with one request that is read. */
async function ask(localAddress: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: listener.port ?? 0, localAddress });
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  const before = turns.held.length;
  socket.write(REQUEST);
  const isDropped = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await Promise.race([isDropped, expect.poll(() => turns.held.length).toBeGreaterThan(before)]);
  return socket;
}

async function askFrom(addresses: readonly string[]): Promise<readonly Socket[]> {
  const asked: Socket[] = [];
  for (const address of addresses) asked.push(await ask(address));
  return asked;
}

const areOpen = (asked: readonly Socket[]): readonly boolean[] => asked.map(({ closed }) => !closed);

describe('when connections are full and all wait', () => {
  it('the address with the most gives up one, and the newcomer gets its answer', async () => {
    const subscribers = await askFrom([MANY, OTHER, MANY, MANY]);
    const newcomer = await ask(OTHER);
    await expect.poll(() => areOpen([...subscribers, newcomer])).toEqual([false, true, true, true, true]);
    for (const { start } of turns.held) start();
    // What was given up never begins.
    expect(answering).toHaveLength(MAX_CONNECTIONS);
    for (const response of answering) response.end('done');
    const [answer] = await once(newcomer, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('a newcomer from the address with the most is refused', async () => {
    const subscribers = await askFrom([MANY, OTHER, MANY, MANY]);
    const newcomer = await ask(MANY);
    await expect.poll(() => areOpen([...subscribers, newcomer])).toEqual([true, true, true, true, false]);
  });

  it('a newcomer is refused where each address has as many as its own', async () => {
    const asked = await askFrom([MANY, OTHER, MANY, OTHER]);
    const newcomer = await ask(OTHER);
    await expect.poll(() => areOpen([...asked, newcomer])).toEqual([true, true, true, true, false]);
  });

  it('a request that has begun is not given up, and one that waits is', async () => {
    const subscribers = await askFrom([MANY, MANY, MANY, MANY]);
    for (const { start } of turns.held.slice(0, 3)) start();
    const [first, second] = [await ask(OTHER), await ask(OTHER)];
    await expect.poll(() => areOpen([...subscribers, first, second])).toEqual([true, true, true, false, true, false]);
  });
});
