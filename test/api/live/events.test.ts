/** `GET /events` without sockets, on a clock that the test moves. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveRing } from '../../../src/api/live/live-ring.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { EventStreamClient } from '../../support/event-stream.ts';
import { createRestClient, createTestApi, createToken } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { CountingHasher, createUser } from '../../support/test-users.ts';

let home: TestHome;
let app: ReturnType<typeof createTestApi>;
let isReady: boolean;
let open: EventStreamClient[];

beforeEach(() => {
  home = createTestHome({ sample: true, passwordHasher: new CountingHasher() });
  isReady = true;
  open = [];
  app = createTestApi(home, {
    isReady: () => isReady,
    live: new LiveRing({ ...home, logger: silentLogger }, { mostEvents: 1_000 }),
  });
});

afterEach(async () => {
  for (const stream of open) await stream.cancel();
  home.close();
});

interface Asking {
  readonly token?: string;
  readonly after?: string;
  readonly reads?: boolean;
}

async function follow(query = '', { token = createToken(home), after, reads = true }: Asking = {}) {
  const headers = { Host: 'localhost', Authorization: `Bearer ${token}`, ...(after && { 'Last-Event-ID': after }) };
  const stream = new EventStreamClient(await app.request(`/events${query}`, { headers }), { reads });
  open.push(stream);
  await pass(0);
  return stream;
}

/** Lets time and what hangs on it go on. */
async function pass(ms: number): Promise<void> {
  await home.clock.advance(ms);
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}

const setReachable = (name: string, reachable: boolean) => home.state.setReachable(home.named(name).id, reachable);

/** As many events as that, of one accessory. */
function change(times: number): void {
  for (let n = 0; n < times; n += 1) setReachable('Lamp', !home.named('Lamp').reachable);
}

describe('GET /events', () => {
  it('sends what happens, each event with its id, its type and its data', async () => {
    const stream = await follow();
    await home.control.setProperties(systemCaller, [{ accessoryId: home.named('Lamp').id, settings: { on: true } }]);
    await pass(25);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.response.headers.get('cache-control')).toBe('no-store');
    expect(stream.events).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{12}-1$/),
        name: 'state.changed',
        data: {
          type: 'state.changed',
          timestamp: new Date(home.clock.now() - 25).toISOString(),
          data: {
            accessoryId: home.named('Lamp').id,
            accessoryName: 'Lamp',
            serviceId: `${home.named('Lamp').id}.8`,
            characteristicType: 'power_state',
            value: true,
            homeId: home.home.id,
            roomId: home.named('Lamp').roomId,
          },
        },
      },
    ]);
  });

  it('goes on behind the last event that its client had, by the header or the query', async () => {
    const first = await follow();
    change(1);
    await pass(25);
    await first.cancel();
    const [had] = first.events;
    change(3);
    const byHeader = await follow('', { after: had?.id ?? '' });
    const byQuery = await follow(`?lastEventId=${had?.id}`);
    await pass(25);
    for (const { events } of [byHeader, byQuery]) {
      expect(events.map(({ id }) => Number(id.split('-')[1]))).toEqual([2, 3, 4]);
    }
  });

  it('lets a client that received nothing yet go on from where it began', async () => {
    const first = await follow();
    await first.cancel();
    change(2);
    expect((await follow('', { after: first.lastId })).events).toHaveLength(2);
  });

  it('lets a client go on that received nothing because no event was for it', async () => {
    const first = await follow('?type=scene.executed');
    for (let time = 0; time < 3; time += 1) {
      change(600);
      await pass(15_000);
    }
    await first.cancel();
    change(1);
    expect((await follow('?type=scene.executed', { after: first.lastId })).received('missed')).toEqual([]);
  });

  it('reports what is missing if too much happened meanwhile, and goes on with what there is', async () => {
    const first = await follow();
    change(1);
    await pass(25);
    await first.cancel();
    change(1_500);
    const back = await follow('', { after: first.lastId });
    await pass(25);
    expect(back.events[0]).toMatchObject({ name: 'missed', data: { reason: 'overflow', count: 500 } });
    expect(back.events).toHaveLength(1_001);
  });

  it('reports that the relay has restarted to a client with an id of before', async () => {
    await follow();
    const back = await follow('', { after: '0123456789ab-77' });
    expect(back.received()).toEqual([{ reason: 'restarted' }]);
    // It is reported once: its next id belongs to this process.
    await back.cancel();
    expect((await follow('', { after: back.lastId })).received()).toEqual([]);
  });

  it.each([
    ['home', (id: string) => `?home=${id}`, ['Lamp', 'Kettle']],
    ['home in capitals', (id: string) => `?home=${id.toUpperCase()}`, ['Lamp', 'Kettle']],
    ['key of a home', (id: string) => `?home=my_home_${id.slice(-4)}`, ['Lamp', 'Kettle']],
    ['accessory', () => `?accessory=${home.named('Lamp').id}`, ['Lamp']],
    [
      'key and id of accessories',
      () => `?accessory=lamp_${home.named('Lamp').id.slice(-4)}&accessory=${home.named('Kettle').id}`,
      ['Lamp', 'Kettle'],
    ],
    ['type', () => '?type=scene.executed&type=accessory.reachability_changed', ['Lamp', 'Kettle']],
    ['other type', () => '?type=state.changed', []],
    ['nothing', () => '?home=&accessory=&type=', ['Lamp', 'Kettle']],
  ])('sends only what was asked for: %s', async (_, query, expected) => {
    const other = home.homes.create(systemCaller, { name: 'Cabin' });
    const filter = query(home.home.id);
    const stream = await follow(filter);
    for (const name of ['Lamp', 'Kettle']) setReachable(name, false);
    home.bus.emit('layout.changed', { homeId: other.id });
    await pass(25);
    const names = stream.received('accessory.reachability_changed').map(({ data }) => data.accessoryName);
    expect(names).toEqual(expected);
    expect(stream.received('layout.changed')).toHaveLength(filter.endsWith('type=') ? 1 : 0);
  });

  it.each([
    ['a home that is not there', '?home=00000000-0000-4000-8000-000000000000', 404, 'HOME_NOT_FOUND'],
    ['an accessory that is not there', '?accessory=nobody', 404, 'ACCESSORY_NOT_FOUND'],
    ['a type that there is not', '?type=weather.changed', 400, 'INVALID_REQUEST'],
    ['too many of one', `?${Array.from({ length: 101 }, (_, n) => `home=${n}`).join('&')}`, 400, 'INVALID_REQUEST'],
  ])('refuses %s', async (_, query, status, code) => {
    const { body, status: answered } = await createRestClient(app, createToken(home)).get(`/events${query}`);
    expect([answered, JSON.stringify(body).toUpperCase().includes(code)]).toEqual([status, true]);
  });

  it('hides a home that its caller may not see, as one that does not exist', async () => {
    const { id } = home.homes.create(systemCaller, { name: 'Cabin' });
    const client = createRestClient(app, createToken(home, { [home.home.id]: 'view' }));
    const { status, body } = await client.get(`/events?home=${id}`);
    const nothing = await client.get('/events?home=00000000-0000-4000-8000-000000000000');
    expect([status, body.error]).toEqual([404, nothing.body.error]);
  });

  it('answers a HEAD with the head, and refuses other methods and callers without credentials', async () => {
    const client = createRestClient(app, createToken(home));
    const head = await client.request('HEAD', '/events');
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([200, 'text/event-stream', '']);
    const post = await client.post('/events', {});
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'HEAD, GET']);
    expect((await createRestClient(app).get('/events')).status).toBe(401);
  });

  it('beats every fifteen seconds in which nothing happens', async () => {
    const stream = await follow();
    await pass(46_000);
    expect([stream.comments, stream.events]).toEqual([3, []]);
  });
});

describe('a stream of events sees what its caller may see', () => {
  it('and nothing of a home any more once its role there is gone, while it goes on with others', async () => {
    const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
    const { token, user } = await createUser(home, { role: 'view' });
    home.members.invite(systemCaller, { homeId: cabin.id, email: user.email, role: 'view' });
    home.members.accept((await signedIn(token)).caller, cabin.id);
    const stream = await follow('', { token });
    change(1);
    await pass(25);
    home.members.remove(systemCaller, { homeId: home.home.id, memberId: user.id });
    change(2);
    home.bus.emit('layout.changed', { homeId: cabin.id });
    await pass(1_000);
    expect([stream.received().map(({ type }) => type), stream.isOver]).toEqual([
      ['accessory.reachability_changed', 'layout.changed'],
      false,
    ]);
  });

  const signedIn = async (token: string) => ({
    caller: { principal: await home.sessions.authenticate(token), requestId: 'test', depth: 0 } as const,
  });
});

describe('a stream of events ends within a second', () => {
  const ended = async (stream: EventStreamClient) => {
    await pass(1_000);
    return [stream.last?.name, stream.last?.data.reason, stream.isOver];
  };

  it('of its token’s revocation, and sends nothing of what comes after', async () => {
    const before = home.clock.pendingTimers;
    const { token, info } = home.tokens.create(systemCaller, { name: 'x', homePermissions: null });
    const stream = await follow('', { token });
    home.tokens.revoke(systemCaller, info.id);
    expect(await ended(stream)).toEqual(['end', 'revoked', true]);
    change(1);
    await pass(1_000);
    expect(stream.events).toHaveLength(1);
    expect(home.clock.pendingTimers).toBe(before);
  });

  it('of its token’s expiry', async () => {
    const expiresAt = home.clock.now() + 60_000;
    const { token } = home.tokens.create(systemCaller, { name: 'x', homePermissions: null, expiresAt });
    const stream = await follow('', { token });
    await pass(59_000);
    expect(stream.isOver).toBe(false);
    await pass(1_000);
    expect(await ended(stream)).toEqual(['end', 'revoked', true]);
  });

  it('of the end of its session, at once', async () => {
    const { token, caller } = await createUser(home, { role: 'view' });
    const stream = await follow('', { token });
    await home.sessions.endAll(caller, {});
    await pass(1);
    expect([stream.last?.data.reason, stream.isOver]).toEqual(['revoked', true]);
  });

  it('of the end of its account', async () => {
    const { token, user } = await createUser(home, { role: 'view' });
    const stream = await follow('', { token });
    await home.users.delete(systemCaller, user.id);
    expect(await ended(stream)).toEqual(['end', 'revoked', true]);
  });

  it('of the relay’s stop, so that its client comes back to the next one', async () => {
    const stream = await follow();
    isReady = false;
    expect(await ended(stream)).toEqual(['end', 'stopping', true]);
  });

  it('of a disk that can no longer confirm its token, sending nothing of it', async () => {
    const stream = await follow();
    vi.spyOn(home.credentials, 'isLive').mockImplementation(() => {
      throw new HearthError('storage_unavailable', 'The disk is gone.');
    });
    expect(await ended(stream)).toEqual(['end', 'stopping', true]);
  });
});

describe('streams of events are bounded', () => {
  it('for one token: the next learns when to retry, and a stream that ends makes room', async () => {
    const token = createToken(home);
    for (let count = 0; count < 64; count += 1) expect((await follow('', { token })).response.status).toBe(200);
    const { response } = await follow('', { token });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '15']);
    expect((await follow()).response.status).toBe(200);
    await open[0]?.cancel();
    expect((await follow('', { token })).response.status).toBe(200);
  });

  it('for one address, regardless of its tokens', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 81; count += 1) statuses.push((await follow()).response.status);
    expect(statuses).toEqual([...Array(80).fill(200), 429]);
  });

  it('in memory: a client that reads nothing learns what it missed once it reads', async () => {
    const stream = await follow('', { reads: false });
    for (let time = 0; time < 20; time += 1) {
      change(200);
      await pass(1_000);
    }
    void stream.read();
    await pass(25);
    // What was on its way when it stopped taking is the beginning; the rest is what the ring still had.
    // An event a second reports new activity.
    expect(stream.events[0]).toMatchObject({ name: 'missed', data: { reason: 'overflow', count: 3_020 } });
    expect(stream.events).toHaveLength(1_001);
    change(1);
    await pass(25);
    expect(stream.events).toHaveLength(1_002);
  });

  it('in time: one that takes nothing for a minute is let go', async () => {
    // What the start waits for is over.
    await pass(60_000);
    const before = home.clock.pendingTimers;
    const stream = await follow('', { reads: false });
    await pass(59_000);
    expect(home.clock.pendingTimers).toBeGreaterThan(before);
    await pass(2_000);
    expect(home.clock.pendingTimers).toBe(before);
    await stream.read();
    expect(stream.events).toEqual([]);
  });

  it('and leave nothing behind when their client goes', async () => {
    const before = home.clock.pendingTimers;
    const stream = await follow();
    await stream.cancel();
    change(3);
    // The activity is reported within a second.
    await pass(2_000);
    expect(home.clock.pendingTimers).toBe(before);
  });
});
