/** Decisions §13: GraphQL subscriptions over SSE, as the protocol's own client conducts them over real sockets. */
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type ExecutionResult } from 'graphql-sse';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../src/api/server.ts';
import { createTestApi, createToken } from '../support/rest-client.ts';
import { serveApi } from '../support/served-api.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

const LAMP = '10:00:00:00:00:01';
/** A liveness bound. */
const SOON_MS = 10_000;

let home: TestHome;
let server: HttpServer;
let isReady: boolean;

beforeEach(async () => {
  home = createTestHome({ sample: true });
  isReady = true;
  const api = createTestApi(home, { isReady: () => isReady });
  server = await serveApi(api);
});

afterEach(async () => {
  await server.stop();
  home.close();
});

/** @param retries how often it connects again by itself. */
const clientWith = (token: string, retries = 0) =>
  createClient({
    url: `http://127.0.0.1:${server.port}/graphql`,
    headers: { Authorization: `Bearer ${token}` },
    retryAttempts: retries,
    retry: async () => {},
  });

type Result = ExecutionResult<Record<string, unknown>, unknown>;
type Iteration = AsyncIterableIterator<Result>;

interface Subscribing {
  readonly token?: string;
  readonly retries?: number;
}

/** Subscribes, and waits until the relay has it: earlier events belong to no subscription. */
async function subscribe(query: string, { token = createToken(home), retries = 0 }: Subscribing = {}) {
  const client = clientWith(token, retries);
  let connections = 0;
  const results = client.iterate<Record<string, unknown>>(
    { query },
    { connected: () => (connections += 1) },
  ) as Iteration;
  let pending: ReturnType<Iteration['next']> | undefined = results.next();
  pending.catch(() => {});
  const untilConnected = async (count: number): Promise<void> => {
    for (const until = Date.now() + SOON_MS; connections < count; await delay(5)) {
      if (Date.now() > until) throw new Error('It did not connect');
    }
  };
  await untilConnected(1);
  return {
    untilConnected,
    /** The next result; `undefined` once the relay has reported the end. */
    async next(): Promise<Result | undefined> {
      const result = await (pending ?? results.next());
      pending = undefined;
      return result.done ? undefined : result.value;
    },
    [Symbol.dispose]: () => client.dispose(),
  };
}

const switchLamp = (value: boolean): void => home.driver.event(LAMP, '1', '9', value);

describe('GraphQL subscriptions over SSE', () => {
  it('send new values as they come', async () => {
    using stream = await subscribe('subscription { stateChanged { accessoryName characteristicType value homeId } }');
    switchLamp(true);
    const liveMessage = { accessoryName: 'Lamp', characteristicType: 'power_state', value: true, homeId: home.home.id };
    expect(await stream.next()).toEqual({ data: { stateChanged: liveMessage } });
    switchLamp(false);
    await home.clock.advance(25);
    expect(await stream.next()).toEqual({ data: { stateChanged: { ...liveMessage, value: false } } });
  });

  it('send a burst in the order in which it happened, all of it', async () => {
    using stream = await subscribe('subscription { stateChanged { value missed { count } } }');
    const values = Array.from({ length: 500 }, (_, at) => at % 2 === 0);
    for (const value of values) switchLamp(value);
    await home.clock.advance(25);
    for (const value of values)
      expect(await stream.next()).toEqual({ data: { stateChanged: { value, missed: null } } });
  });

  it('report what is wrong with them as their one result', async () => {
    using stream = await subscribe('subscription { stateChanged(homeId: "nowhere") { value } }');
    const [error] = (await stream.next())?.errors ?? [];
    expect(error).toMatchObject({
      message: 'Home not found',
      path: ['stateChanged'],
      extensions: { code: 'NOT_FOUND' },
    });
    expect(await stream.next()).toBeUndefined();
  });

  it('end within a second when the token that opened them is revoked', async () => {
    const { token, info } = home.tokens.create(systemCaller, { name: 'test', homePermissions: null });
    using stream = await subscribe('subscription { events { id } }', { token, retries: 3 });
    home.tokens.revoke(systemCaller, info.id);
    await home.clock.advance(999);
    expect((await stream.next())?.errors?.[0]?.extensions).toMatchObject({ code: 'AUTHENTICATION_REQUIRED' });
    expect(await stream.next()).toBeUndefined();
  });

  it('go on by themselves when the relay was restarted', async () => {
    using stream = await subscribe('subscription { stateChanged { value } }', { retries: 3 });
    isReady = false;
    await home.clock.advance(500);
    isReady = true;
    await stream.untilConnected(2);
    switchLamp(true);
    expect(await stream.next()).toEqual({ data: { stateChanged: { value: true } } });
  });

  it('are for those who are signed in', async () => {
    const client = clientWith(`hc_${'x'.repeat(43)}`);
    const results = client.iterate({ query: 'subscription { events { id } }' });
    await expect(results.next()).rejects.toMatchObject({ response: { status: 401 } });
    client.dispose();
  });

  it('leave queries and mutations possible over the same client', async () => {
    using query = await subscribe('{ homes { name } }');
    expect(await query.next()).toEqual({ data: { homes: [{ name: 'My Home' }] } });
    expect(await query.next()).toBeUndefined();
    using mutation = await subscribe(`mutation { createRoom(homeId: "${home.home.id}", name: "Attic") { name } }`);
    expect(await mutation.next()).toEqual({ data: { createRoom: { name: 'Attic' } } });
  });
});
