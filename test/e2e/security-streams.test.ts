/**
 * Who receives what, over all streams at once: a user who views one home, manages another and does not know of a third,
 * on each kind of stream. Events are of the homes that they may see at that moment, and metrics name nothing.
 */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Home } from '../../src/home/model.ts';
import { Receivers } from '../app/webhooks/delivery-fixture.ts';
import { EventStreamClient } from '../support/event-stream.ts';
import { FakeMqtt } from '../support/fake-mqtt.ts';
import { apiDeps, createRestClient, createTestApi, type RestClient } from '../support/rest-client.ts';
import { lamp } from '../support/sample-accessories.ts';
import { TestClock } from '../support/test-clock.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { CountingHasher, createUser, type TestUser } from '../support/test-users.ts';
import { type Message, type SessionClient, SessionFixture } from '../support/web-socket-client.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Ann's. */
const HOOK = 'http://192.168.1.20/';

/**
 * The homes, with the device of each and the lamp on it; Ann views the first, manages the second and has no role in the
 * third.
 */
const HOMES = {
  Vista: { deviceId: 'AA:00:00:00:00:01', lamp: 'Vista Lamp', role: 'view' },
  Manor: { deviceId: 'BB:00:00:00:00:01', lamp: 'Manor Lamp', role: 'admin' },
  Lair: { deviceId: 'CC:00:00:00:00:01', lamp: 'Lair Lamp', role: undefined },
} as const;
type Name = keyof typeof HOMES;
const NAMES = Object.keys(HOMES) as Name[];
/** The scene that is executed in a home. */
const sceneOf = (name: Name): string => `${name} Scene`;

let home: TestHome;
let homes: Readonly<Record<Name, Home>>;
let receivers: Receivers;
let mqtt: FakeMqtt;
let ann: TestUser;
let app: ReturnType<typeof createTestApi>;
let rest: RestClient;
let sockets: SessionFixture;
const streams: EventStreamClient[] = [];

beforeEach(async () => {
  const clock = new TestClock();
  receivers = new Receivers(clock);
  mqtt = new FakeMqtt();
  home = createTestHome({ clock, http: receivers, mqtt, passwordHasher: new CountingHasher() });
  home.homes.update(systemCaller, home.home.id, { name: 'Vista' });
  const [Manor, Lair] = ['Manor', 'Lair'].map((name) => home.homes.create(systemCaller, { name }));
  homes = { Vista: home.home, Manor: Manor as Home, Lair: Lair as Home };
  for (const name of NAMES) {
    const { deviceId, lamp: lampName } = HOMES[name];
    const device = { deviceId, name: lampName, setupCode: '031-45-154', accessories: [lamp(lampName)] };
    home.driver.attach(homes[name].id, device);
    home.brokers.add(systemCaller, homes[name].id, { name: `${name} Broker`, host: `${name.toLowerCase()}.example` });
  }
  ann = await createUser(home, { name: 'Ann', role: 'view' });
  home.members.give(homes.Manor.id, ann.user.id, 'admin');
  home.userSettings.update(ann.caller, { developerMode: true });
  const deps = apiDeps(home);
  app = createTestApi(home, { live: deps.live });
  rest = createRestClient(app, ann.token);
  sockets = new SessionFixture(home, { live: deps.live });
  home.deliverer.start();
  await pass(0);
});

afterEach(async () => {
  await home.deliverer.stop();
  for (const stream of streams.splice(0)) await stream.cancel();
  home.close();
});

/** Lets time and what hangs on it go on. */
async function pass(ms: number): Promise<void> {
  await home.clock.advance(ms);
  for (let turn = 0; turn < 6; turn += 1) await setImmediate();
}

/** In each home the lamp changes and a scene is executed; and what belongs to no home happens to the whole relay. */
async function happen(): Promise<void> {
  for (const name of NAMES) {
    home.driver.event(
      HOMES[name].deviceId,
      '1',
      '9',
      !home.named(HOMES[name].lamp).services[0]?.characteristics[0]?.value,
    );
    home.driver.setReachable(HOMES[name].deviceId, false);
    home.driver.setReachable(HOMES[name].deviceId, true);
    const { id: homeId } = homes[name];
    home.bus.emit('scene.executed', { homeId, sceneId: 's', name: sceneOf(name), success: true, at: home.clock.now() });
  }
  home.bus.emit('relay.started', { version: '1', at: home.clock.now() });
  await pass(SECOND_MS);
}

/** A stream for a signed-in user: each message is recorded as text. */
interface Way {
  open(): Promise<() => string>;
  /** In whose events a home appears: users who may view it, or manage it. */
  readonly needs: 'view' | 'manage';
}

async function follow(path: string, init: RequestInit = {}): Promise<() => string> {
  const headers = { Host: 'localhost', Authorization: `Bearer ${ann.token}`, ...init.headers };
  const stream = new EventStreamClient(await app.request(path, { ...init, headers }));
  streams.push(stream);
  await pass(0);
  return () => JSON.stringify(stream.events);
}

function subscribe(query: string): Promise<() => string> {
  const headers = { Accept: 'text/event-stream', 'Content-Type': 'application/json' };
  return follow('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
}

/** Without what it asked for itself: an answer, and that there is nothing any more at what it named. */
const reported = (client: SessionClient): readonly Message[] =>
  client.outlet.messages.filter(({ type }: Message) => type !== 'response' && type !== 'subscription_invalidated');

const WAYS: Readonly<Record<string, Way>> = {
  'GET /events': { needs: 'view', open: () => follow('/events') },
  'a GraphQL subscription': { needs: 'view', open: () => subscribe('subscription { events { type homeId data } }') },
  'a WebSocket': {
    needs: 'view',
    async open() {
      const { principal } = ann.caller;
      const client = sockets.open(principal);
      await client.subscribe(...NAMES.map((name) => homes[name].id));
      return () => JSON.stringify(reported(client));
    },
  },
  'a webhook': {
    needs: 'manage',
    async open() {
      home.webhooks.create(ann.caller, { name: 'W', url: HOOK, rateLimitPerMinute: null });
      return () => JSON.stringify(receivers.at(HOOK).map(({ body }) => body));
    },
  },
};

/** The homes that a text mentions: their ids, their names, or the names of their parts. */
function homesIn(text: string): readonly Name[] {
  return NAMES.filter((name) => text.includes(homes[name].id) || text.includes(name));
}

function setRole(name: Name, role: 'view' | 'admin' | null): void {
  const { id: homeId } = homes[name];
  const memberId = home.members.list(systemCaller, homeId).find(({ email }) => email === ann.user.email)?.id ?? '';
  if (role === null) home.members.remove(systemCaller, { homeId, memberId });
  else home.members.setRole(systemCaller, { homeId, memberId, role });
}

describe('a user who views one home and manages another', () => {
  it.each(Object.entries(WAYS))('receives by %s what they may see, and nothing of other homes', async (_, way) => {
    const answered = await way.open();
    await happen();
    expect(homesIn(answered())).toEqual(way.needs === 'view' ? ['Vista', 'Manor'] : ['Manor']);
  });

  it.each(Object.entries(WAYS))(
    'receives by %s nothing of what happens after their access was removed',
    async (_, way) => {
      const answered = await way.open();
      setRole('Manor', null);
      await happen();
      expect(homesIn(answered())).toEqual(way.needs === 'view' ? ['Vista'] : []);
      setRole('Vista', null);
      const before = answered();
      await happen();
      expect(homesIn(answered().slice(before.length - 1))).toEqual([]);
    },
  );

  it('gets what was queued for their webhook while they managed the home, and nothing of what came after', async () => {
    home.webhooks.create(ann.caller, {
      name: 'W',
      url: HOOK,
      rateLimitPerMinute: null,
      eventTypes: ['scene.executed'],
    });
    receivers.answer(HOOK, () => 503);
    await happen();
    setRole('Manor', 'view');
    const before = receivers.received.length;
    await happen();
    receivers.answer(HOOK, () => 204);
    await pass(10 * MINUTE_MS);
    const delivered = receivers.received.slice(before).map(({ body }) => [body.data.sceneName, body.id]);
    expect(new Set(delivered.map(String)).size).toBe(1);
    expect(delivered[0]?.[0]).toBe(sceneOf('Manor'));
  });

  it('sees the brokers of the home that they manage, and no others', async () => {
    const answers = await Promise.all(NAMES.map((name) => rest.get(`/rest/homes/${homes[name].id}/mqtt`)));
    expect(answers.map(({ status }) => status)).toEqual([403, 200, 404]);
    expect(homesIn(answers.map(({ text }) => text).join())).toEqual(['Manor']);
    expect(answers[1]?.text).toContain('manor.example');
  });

  it('reads metrics that name no home, no room, no accessory, no person, no webhook and no address', async () => {
    home.webhooks.create(ann.caller, { name: 'Figaro', url: HOOK, rateLimitPerMinute: null });
    for (const [, way] of Object.entries(WAYS)) await way.open();
    await happen();
    const { status, text } = await rest.get('/metrics');
    expect([status, text.includes('hearthd_events_total')]).toEqual([200, true]);
    const ids = [...NAMES.map((name) => homes[name].id), ...home.state.accessories().map(({ id }) => id), ann.user.id];
    const words = [...NAMES, ...ids, 'Lamp', 'Ann', 'ann@', 'Figaro', 'example', '192.168', 'AA:00', 'Default'];
    expect(words.filter((word) => text.includes(word))).toEqual([]);
  });

  it('reads no metrics once they manage nothing', async () => {
    setRole('Manor', 'view');
    expect((await rest.get('/metrics')).status).toBe(403);
  });
});

describe('that a webhook was disabled', () => {
  const DISABLED = 'was disabled';

  /** Another admin of the same home, with a webhook whose receiver takes nothing. */
  async function disableHookOf(owner: TestUser): Promise<void> {
    home.userSettings.update(owner.caller, { developerMode: true });
    const url = 'http://192.168.1.21/gone';
    receivers.answer(url, () => 410);
    home.webhooks.create(owner.caller, { name: 'Intimate', url, rateLimitPerMinute: null });
    await happen();
    expect(home.webhooks.list(owner.caller)[0]?.status).toBe('disabled');
  }

  it('is sent to its owner and to no other manager of the same home', async () => {
    const bob = await createUser(home, { name: 'Bob', role: 'admin', homeId: homes.Manor.id });
    const answered = await Promise.all(Object.values(WAYS).map((way) => way.open()));
    const own = new EventStreamClient(
      await app.request('/events', { headers: { Host: 'localhost', Authorization: `Bearer ${bob.token}` } }),
    );
    streams.push(own);
    await disableHookOf(bob);
    expect(answered.map((write) => write()).join()).not.toContain('Intimate');
    expect(home.notifications.history(ann.caller)).toEqual([]);
    expect(JSON.stringify(own.events)).toContain(DISABLED);
    expect(home.notifications.history(bob.caller).map(({ message }) => message)).toEqual([
      expect.stringContaining('“Intimate” was disabled'),
    ]);
  });

  it('is forgotten with its owner’s account', async () => {
    const bob = await createUser(home, { name: 'Bob', role: 'admin', homeId: homes.Manor.id });
    await disableHookOf(bob);
    home.users.delete(systemCaller, bob.user.id);
    expect(home.database.prepare('SELECT message FROM notifications').all()).toEqual([]);
  });
});
