/**
 * GraphQL subscriptions as the API serves them: who receives what, when they end, and what a slow or hostile client
 * gets.
 */
import type { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiEnv } from '../../../src/api/env.ts';
import { LiveRing } from '../../../src/api/live/live-ring.ts';
import type { HomePermissions } from '../../../src/app/access/caller.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createRestClient, createTestApi, createToken } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { openEventStream } from './event-stream-reader.ts';

const LAMP = '10:00:00:00:00:01';
const MOTION = '10:00:00:00:00:04';
const ON = 'subscription { stateChanged { value missed { reason count } } }';

let home: TestHome;
let app: Hono<ApiEnv>;
let isReady = true;

beforeEach(() => {
  home = createTestHome({ sample: true });
  isReady = true;
  app = createTestApi(home, { isReady: () => isReady });
});

afterEach(() => home.close());

const subscribe = (query: string, permissions: HomePermissions = null, headers: Record<string, string> = {}) =>
  openEventStream(app, { query, token: createToken(home, permissions), headers });

const switchLamp = (value: boolean): void => home.driver.event(LAMP, '1', '9', value);

/** So that the burst's pause of the ring is over. */
async function laterOn(act: () => void): Promise<void> {
  await home.clock.advance(25);
  act();
}

describe('what is sent', () => {
  it('of one home, or some accessories, and nothing else', async () => {
    const lamp = home.named('Lamp').id;
    const ofLamp = await subscribe(
      `subscription { events(accessoryIds: ["${lamp.toUpperCase()}"]) { type accessoryId data } }`,
    );
    home.driver.setReachable(MOTION, false);
    switchLamp(true);
    const { data } = await ofLamp.next();
    expect(data.events).toMatchObject({ type: 'state.changed', accessoryId: lamp, data: { value: true } });
    await ofLamp.close();
  });

  it('only of the types that were asked for', async () => {
    const stream = await subscribe(
      'subscription { events(types: ["layout.changed"]) { type homeId roomId accessoryId } }',
    );
    switchLamp(true);
    home.rooms.create(systemCaller, { homeId: home.home.id, name: 'Attic' });
    const liveMessage = { type: 'layout.changed', homeId: home.home.id, roomId: null, accessoryId: null };
    expect(await stream.next()).toEqual({ data: { events: liveMessage } });
    await stream.close();
  });

  it('of accessories that come and go, and automations that run', async () => {
    const away = await subscribe('subscription { accessoryReachabilityChanged { accessoryName isReachable roomId } }');
    home.driver.setReachable(MOTION, false);
    const { roomId } = home.named('Motion');
    const liveMessage = { accessoryName: 'Motion', isReachable: false, roomId };
    expect(await away.next()).toEqual({ data: { accessoryReachabilityChanged: liveMessage } });

    const fired = await subscribe('subscription { automationFired { automationId automationName kind runId homeId } }');
    const run = { automationId: 'a1', automationName: 'Evening', kind: 'flow', runId: 'r1', homeId: home.home.id };
    const { automationName: name, ...event } = run;
    await laterOn(() => home.bus.emit('automation.fired', { ...event, name, kind: 'flow', at: home.clock.now() }));
    expect(await fired.next()).toEqual({ data: { automationFired: run } });
    await Promise.all([away.close(), fired.close()]);
  });

  it('from where the caller was before', async () => {
    const first = await subscribe('subscription { events { id } }');
    switchLamp(true);
    const { id } = (await first.next()).data.events;
    await first.close();
    switchLamp(false);
    const again = await subscribe(`subscription { events(after: "${id}") { data missed { reason } } }`);
    expect((await again.next()).data.events).toMatchObject({ data: { value: false }, missed: null });
    await again.close();

    const other = await subscribe('subscription { events(after: "000000000000-7") { missed { reason count } } }');
    await laterOn(() => switchLamp(true));
    expect((await other.next()).data.events).toEqual({ missed: { reason: 'restarted', count: null } });
    await other.close();
  });

  it('with what was lost before it, where the client was too slow', async () => {
    const live = new LiveRing({ ...home, logger: silentLogger }, { mostEvents: 4 });
    app = createTestApi(home, { live, isReady: () => true });
    const stream = await subscribe(ON);
    for (let at = 0; at < 20; at += 1) switchLamp(at % 2 === 0);
    const { data } = await stream.next();
    // The first ones may have been on their way already.
    expect(data.stateChanged.missed).toMatchObject({ reason: 'overflow', count: expect.any(Number) });
    expect(data.stateChanged.missed.count).toBeGreaterThanOrEqual(15);
    await stream.close();
  });
});

describe('who is notified', () => {
  it('no unknown user, and no member of a home that they may not see', async () => {
    const stranger = await openEventStream(app, { query: ON });
    expect([stranger.status, await stranger.next()]).toEqual([401, undefined]);
    const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
    const query = `subscription { events(homeId: "${home.home.id}") { id } }`;
    const foreign = await subscribe(query, { [cabin.id]: 'control' });
    expect((await foreign.next()).errors[0].extensions).toMatchObject({ code: 'NOT_FOUND', reason: 'home_not_found' });
    expect(await foreign.next()).toBeUndefined();
  });

  it('each of what it may see when it happens', async () => {
    const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
    const stream = await subscribe('subscription { events { homeId } }', { [cabin.id]: 'view' });
    switchLamp(true);
    home.rooms.create(systemCaller, { homeId: cabin.id, name: 'Attic' });
    expect((await stream.next()).data.events.homeId).toBe(cabin.id);
    await stream.close();
  });
});

describe('an open stream', () => {
  it('ends within a second once its token is revoked, and reports it', async () => {
    const { token, info } = home.tokens.create(systemCaller, { name: 'test', homePermissions: null });
    const stream = await openEventStream(app, { query: ON, token });
    await stream.read();
    home.tokens.revoke(systemCaller, info.id);
    await home.clock.advance(999);
    const text = await stream.rest();
    expect(text).toMatch(
      /^event: next\ndata: \{"errors":\[.*"AUTHENTICATION_REQUIRED".*\n\nevent: complete\ndata:\n\n$/,
    );
  });

  it('ends without "complete" when the relay stops, so that clients come back', async () => {
    const stream = await subscribe(ON);
    await stream.read();
    isReady = false;
    await home.clock.advance(500);
    expect(await stream.rest()).toBe('');
  });

  it('shows that it is alive while nothing happens, and counts as read', async () => {
    const stream = await subscribe(ON);
    await stream.read();
    for (let beat = 0; beat < 7; beat += 1) {
      const comes = stream.read();
      for (let tick = 0; tick < 30; tick += 1) await home.clock.advance(500);
      expect(await comes).toMatch(/^:.*\n\n$/);
    }
    await laterOn(() => switchLamp(true));
    expect((await stream.next()).data.stateChanged.value).toBe(true);
    await stream.close();
  });

  it('is cut off after a minute in which its client read nothing', async () => {
    let cuts = 0;
    const outgoing = { destroy: () => (cuts += 1) } as unknown as NonNullable<ApiEnv['Bindings']['outgoing']>;
    const token = createToken(home);
    const stream = await openEventStream(app, { query: ON, token, env: { outgoing } });
    switchLamp(true);
    for (let tick = 0; tick < 119; tick += 1) await home.clock.advance(500);
    expect(cuts).toBe(0);
    for (let tick = 0; tick < 3; tick += 1) await home.clock.advance(500);
    expect(cuts).toBe(1);
    await stream.close();
  });

  it('is one of so many: sixteen of a token, and room again when one ends', async () => {
    const token = createToken(home);
    const streams = [];
    for (let at = 0; at < 16; at += 1) streams.push(await openEventStream(app, { query: ON, token }));
    expect(streams.map(({ status }) => status)).toEqual(Array(16).fill(200));
    const refused = await openEventStream(app, { query: ON, token });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15']);
    await streams.pop()?.close();
    streams.push(await openEventStream(app, { query: ON, token }));
    expect(streams.at(-1)?.status).toBe(200);
    await Promise.all(streams.map(({ close }) => close()));
  });
});

describe('what is refused', () => {
  it.each([
    ['a type that there is not', 'subscription { events(types: ["state.change"]) { id } }', 'INVALID_VALUE'],
    ['an accessory that is not there', 'subscription { stateChanged(accessoryIds: ["x"]) { value } }', 'NOT_FOUND'],
    ['a field that there is not', 'subscription { nothing }', 'BAD_USER_INPUT'],
    ['two at once', 'subscription { events { id } automationFired { runId } }', 'BAD_USER_INPUT'],
    ['no document', 'subscription {', 'BAD_USER_INPUT'],
  ])('%s, as the only result', async (_, query, code) => {
    const stream = await subscribe(query);
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const text = await stream.rest();
    expect(text).toMatch(/^event: next\ndata: \{"errors":.*\n\nevent: complete\ndata:\n\n$/);
    expect(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '').errors[0].extensions.code).toBe(code);
  });

  it('a document beyond the limits, before anything is opened', async () => {
    const aliases = Array.from({ length: 60 }, (_, at) => `a${at}: id`).join(' ');
    const stream = await subscribe(`subscription { events { ${aliases} } }`);
    expect(stream.status).toBe(400);
    await stream.close();
  });

  it('a subscription of those who take no stream', async () => {
    const rest = createRestClient(app, createToken(home));
    const { status, body } = await rest.post('/graphql', { query: ON }, { Accept: 'application/json' });
    expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining('Accept: text/event-stream')]);
    const head = await rest.request('HEAD', `/graphql?query=${encodeURIComponent(ON)}`, undefined, {
      Accept: 'text/event-stream',
    });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });
});

describe('queries and mutations', () => {
  it('come as a stream of one result where nothing else is taken, and as JSON to those who take both', async () => {
    const stream = await subscribe('{ health }');
    expect(await stream.rest()).toBe('event: next\ndata: {"data":{"health":"ok"}}\n\nevent: complete\ndata:\n\n');
    const accept = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed';
    const both = await subscribe('{ health }', null, { Accept: accept });
    expect([both.headers.get('content-type'), await both.rest()]).toEqual([
      'application/graphql-response+json; charset=utf-8',
      '{"data":{"health":"ok"}}',
    ]);
  });
});
