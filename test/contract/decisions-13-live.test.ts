/** Decisions §13, "Live", of `GET /events`, and what is asked of streams that stay open. One `it` a sentence. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LiveRing } from '../../src/api/live/live-ring.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { EventStreamClient } from '../support/event-stream.ts';
import { createRestClient, createTestApi } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { CountingHasher, createUser, type TestUser } from '../support/test-users.ts';

let home: TestHome;
let app: ReturnType<typeof createTestApi>;
let bob: TestUser;

beforeEach(async () => {
  home = createTestHome({ sample: true, passwordHasher: new CountingHasher() });
  app = createTestApi(home, { live: new LiveRing({ ...home, logger: silentLogger }, { mostEvents: 100 }) });
  bob = await createUser(home, { name: 'Bob', role: 'control' });
});
afterEach(() => home.close());

async function follow(headers: Record<string, string> = {}, reads = true): Promise<EventStreamClient> {
  const authorized = { Host: 'localhost', Authorization: `Bearer ${bob.token}`, ...headers };
  const stream = new EventStreamClient(await app.request('/events', { headers: authorized }), { reads });
  await pass(0);
  return stream;
}

async function pass(ms: number): Promise<void> {
  await home.clock.advance(ms);
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}

const setLamp = (on: boolean) =>
  home.control.setProperties(systemCaller, [{ accessoryId: home.named('Lamp').id, settings: { on } }]);

describe('decisions §13: GET /events', () => {
  it('is SSE', async () => {
    const stream = await follow();
    await setLamp(true);
    await pass(25);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.received('state.changed').map(({ data }) => data.value)).toEqual([true]);
  });

  it('is resumable with Last-Event-ID', async () => {
    const stream = await follow();
    await setLamp(true);
    await pass(25);
    await stream.cancel();
    await setLamp(false);
    await setLamp(true);
    const back = await follow({ 'Last-Event-ID': stream.lastId });
    expect(back.received('state.changed').map(({ data }) => data.value)).toEqual([false, true]);
  });

  it('has a heartbeat', async () => {
    const stream = await follow();
    await pass(16_000);
    expect(stream.comments).toBe(1);
  });

  it('is filtered by what the caller may see', async () => {
    const secret = home.homes.create(systemCaller, { name: 'Secret Lair' });
    const stream = await follow();
    home.registry.setConnected(secret.id, true);
    home.virtuals.create(systemCaller, { homeId: secret.id, name: 'Death Ray', type: 'switch' });
    await setLamp(true);
    await pass(25);
    expect(stream.events.length).toBeGreaterThan(0);
    expect(stream.received().filter(({ data }) => data.homeId !== home.home.id)).toEqual([]);
  });

  it('notifies a person’s clients that their settings have changed, and no one else', async () => {
    const eve = await createUser(home, { name: 'Eve', role: 'owner' });
    const stream = await follow();
    await createRestClient(app, eve.token).patch('/rest/settings', { theme: 'light' });
    await createRestClient(app, bob.token).patch('/rest/settings', { theme: 'dark' });
    await pass(25);
    expect(stream.received('settings.changed')).toHaveLength(1);
  });
});

describe('streams that stay open', () => {
  it('are closed within a second by a revocation', async () => {
    const stream = await follow();
    await home.sessions.endAll(bob.caller, {});
    await pass(1_000);
    expect([stream.last?.data, stream.isOver]).toEqual([{ reason: 'revoked' }, true]);
  });

  it('are bounded where their consumer is slow, who learns what it missed', async () => {
    const stream = await follow({}, false);
    for (let count = 0; count < 250; count += 1) await setLamp(count % 2 === 0);
    await pass(25);
    void stream.read();
    await pass(25);
    expect(stream.events[0]).toMatchObject({ name: 'missed', data: { reason: 'overflow', count: 150 } });
    expect(stream.events).toHaveLength(101);
  });
});
