/**
 * Homes on real brokers, over real sockets. The home's clock runs ahead of the wall's, so that no test waits for a
 * minute.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { HomePublisher } from '../../../src/app/mqtt/home-publisher.ts';
import { PublishQueue } from '../../../src/app/mqtt/publish-queue.ts';
import { RetainedTopicStore } from '../../../src/app/mqtt/retained-topic-store.ts';
import { RetainedTopics } from '../../../src/app/mqtt/retained-topics.ts';
import { MqttJsConnector } from '../../../src/drivers/mqtt/mqtt-js-connector.ts';
import type { MqttEvents, MqttTarget } from '../../../src/home/mqtt-connector.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { LogThrottle, silentLogger } from '../../../src/kernel/logger.ts';
import { FakeMqtt, FakeMqttConnection } from '../../support/fake-mqtt.ts';
import { lastingPorts } from '../../support/free-port.ts';
import { Onlooker, retainedOn, TestBroker, type TestBrokerOptions, until } from '../../support/mqtt-broker.ts';
import { lamp, plainSwitch } from '../../support/sample-accessories.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { createTestHome, systemCaller, type TestHome, type TestHomeOptions } from '../../support/test-home.ts';

const LAMP = '10:00:00:00:00:01';
const BUTTON = '10:00:00:00:00:05';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function openHome(options: TestHomeOptions = {}): TestHome {
  const home = createTestHome({ sample: true, mqtt: new MqttJsConnector({ clock: systemClock }), ...options });
  const calm = retryNow(home);
  calming.set(home, calm);
  home.mqttBridge.start();
  closing.push(async () => {
    await home.mqttBridge.stop();
    calm();
    home.close();
  });
  return home;
}

const calming = new WeakMap<TestHome, () => void>();

/** Lets the home's clock run, ten times as fast as the wall's. @returns what stops it */
function retryNow({ clock }: TestHome): () => void {
  let isOver = false;
  const run = async (): Promise<void> => {
    while (!isOver) {
      await clock.advance(50);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  void run();
  return () => {
    isOver = true;
  };
}

async function startBroker(options: TestBrokerOptions = {}): Promise<TestBroker> {
  const broker = await TestBroker.start(options);
  closing.push(() => broker.stop());
  return broker;
}

async function lookOn(broker: TestBroker): Promise<Onlooker> {
  const onlooker = await Onlooker.start(broker);
  closing.push(() => onlooker.stop());
  return onlooker;
}

function connect(home: TestHome, port: number, more: object = {}): string {
  const { id } = home.brokers.add(systemCaller, home.home.id, {
    ...{ name: `Broker ${port}`, host: '127.0.0.1', port, haDiscovery: false },
    ...more,
  });
  return id;
}

/** Where an accessory or group of this name is published. */
function topicOf(home: TestHome, name: string): string {
  const hex = (id: string) => id.slice(0, 4);
  const slug = (of: { name: string; id: string }) => `${of.name.toLowerCase().replaceAll(' ', '-')}-${hex(of.id)}`;
  const accessory = home.named(name);
  const room = home.state.room(accessory.roomId);
  const rooms = room && !room.isDefault ? [slug(room)] : [];
  const { name: homeName, id } = home.state.home(home.home.id) as { name: string; id: string };
  return ['homecast', slug({ name: homeName, id }), ...rooms, slug(accessory)].join('/');
}

const homeTopic = (home: TestHome): string => topicOf(home, 'Heater').split('/').slice(0, 2).join('/');

async function published(options: TestHomeOptions & { readonly broker?: object } = {}) {
  const broker = await startBroker();
  const home = openHome(options);
  const id = connect(home, broker.port, options.broker);
  const onlooker = await lookOn(broker);
  await settled(home, id);
  // On a busy machine what was sent is still on its way.
  const noted = home.database.prepare('SELECT count(*) FROM mqtt_topics').pluck();
  await until(() => new Set(broker.published.map(({ topic }) => topic)).size >= Number(noted.get()), 'Everything');
  return { broker, home, id, onlooker };
}

/** Until the broker knows everything. */
async function settled(home: TestHome, id: string): Promise<void> {
  await until(() => home.mqttBridge.statusOf(id).status === 'connected', 'The connection');
  await until(() => home.mqttBridge.stats().dirty === 0, 'Publishing');
  await new Promise((resolve) => setTimeout(resolve, 30));
}

describe('what is published', () => {
  it('is everything in the home, whole and retained, for clients that come later', async () => {
    const { broker, home } = await published();
    const retained = await retainedOn(broker);
    expect(retained.get(`${homeTopic(home)}/status`)).toBe('online');
    expect(JSON.parse(retained.get(topicOf(home, 'Lamp')) ?? '')).toEqual({
      ...{ on: false, brightness: 50, hue: 0, saturation: 0 },
    });
    expect(JSON.parse(retained.get(topicOf(home, 'Thermostat')) ?? '')).toMatchObject({
      hvac_mode: 1,
      target_temp: 21,
    });
    for (const { name } of home.state.accessories()) {
      expect(retained.get(`${topicOf(home, name)}/availability`), name).toBe('online');
    }
    expect(retained.get(topicOf(home, 'Button'))).toBe('{}');
  });

  it('follows the home: what changes together is sent together, and what came back to its old value is not sent again', async () => {
    const { home, broker } = await published();
    const topic = topicOf(home, 'Lamp');
    const before = broker.published.filter((message) => message.topic === topic).length;
    home.driver.event(LAMP, '1', '9', true);
    home.driver.event(LAMP, '1', '10', 70);
    home.driver.event('10:00:00:00:00:03', '1', '9', 0);
    home.driver.event('10:00:00:00:00:03', '1', '9', 1);
    await until(() => broker.published.some((message) => message.payload.includes('"brightness":70')));
    const answered = broker.published.filter((message) => message.topic === topic).slice(before);
    expect(answered).toMatchObject([
      { payload: '{"on":true,"brightness":70,"hue":0,"saturation":0}', retain: true, qos: 1 },
    ]);
    expect(broker.published.filter((message) => message.topic === topicOf(home, 'Front Door'))).toHaveLength(1);
  });

  it('reports when a thing is out of reach, and when the home is', async () => {
    const { home, onlooker } = await published();
    home.driver.setReachable(LAMP, false);
    await until(() => onlooker.last(`${topicOf(home, 'Lamp')}/availability`) === 'offline');
    home.registry.setConnected(home.home.id, false);
    await until(() => onlooker.last(`${homeTopic(home)}/status`) === 'offline');
    home.registry.setConnected(home.home.id, true);
    await until(() => onlooker.last(`${homeTopic(home)}/status`) === 'online');
  });

  it('sends presses and retains none: two alike are two', async () => {
    const { home, onlooker, broker } = await published();
    const topic = topicOf(home, 'Button');
    home.driver.event(BUTTON, '1', '9', 0);
    home.driver.event(BUTTON, '1', '9', 0);
    home.driver.event(BUTTON, '1', '9', 2);
    const answered = () => onlooker.received.filter((message) => message.topic === `${topic}/event`);
    await until(() => answered().length === 3);
    expect(answered().map(({ payload }) => JSON.parse(payload).event_type)).toEqual(['single', 'single', 'long']);
    await until(() => onlooker.last(`${topic}/programmable_switch_event/event`)?.includes('"long"'));
    expect([...(await retainedOn(broker)).keys()].filter((one) => one.includes('event'))).toEqual([]);
  });

  it('has groups with their members, and virtual accessories', async () => {
    const { home, onlooker } = await published();
    const ids = ['Heater', 'Kettle'].map((name) => home.named(name).id);
    const group = home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Both', accessoryIds: ids });
    home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Guests', type: 'input_boolean' });
    const topic = `${homeTopic(home)}/both-${group.id.slice(0, 4)}`;
    const members = await until(() => onlooker.json(`${topic}/members`));
    expect(members.map((one: { name: string; topic: string }) => [one.name, one.topic])).toEqual(
      ['Heater', 'Kettle'].map((name) => [name, topicOf(home, name)]),
    );
    expect(onlooker.json(topic)).toMatchObject({ on: false });
    await until(() => onlooker.last(topicOf(home, 'Guests')));
    home.driver.event('10:00:00:00:00:06', '2', '9', true);
    await until(() => onlooker.json(topic)?.on === true);
  });

  it('is announced to Home Assistant if enabled, and withdrawn when disabled', async () => {
    const { home, onlooker, id } = await published({ broker: { haDiscovery: true } });
    const reported = () => onlooker.topics().filter((topic) => topic.startsWith('homeassistant/'));
    await until(() => reported().length > 5);
    home.brokers.update(systemCaller, id, { haDiscovery: false });
    await until(() => reported().length === 0);
    await until(() => onlooker.last(`${homeTopic(home)}/status`) === 'online');
    expect(onlooker.topics()).toContain(topicOf(home, 'Lamp'));
  });

  it('lacks what can’t be made out of an odd device, and nothing else', async () => {
    const home = createTestHome({ sample: true });
    closing.push(() => home.close());
    const { clock, state, database } = home;
    const broker = { ...home.brokers.add(systemCaller, home.home.id, { name: 'B', host: 'b.local' }), password: null };
    const errors: object[] = [];
    const logger = { ...silentLogger, error: (fields: object) => errors.push(fields) };
    const throttle = new LogThrottle(clock);
    const retained = new RetainedTopics({
      store: new RetainedTopicStore(database),
      brokerId: broker.id,
      logger,
      throttle,
    });
    const publisher = new HomePublisher({
      ...{ broker, state, clock, logger, throttle, retained },
      scenesOf: () => [],
      discover: ({ name }) => {
        if (name === 'Lamp') throw new Error('It says nonsense');
        return [];
      },
      discoverHome: () => [],
    });
    const connection = new FakeMqttConnection({} as MqttTarget, {} as MqttEvents);
    connection.isConnected = true;
    publisher.attach(new PublishQueue(connection, { published: 0, dropped: 0 }));
    await clock.advance(1_000);
    const lacking = state
      .accessories()
      .map(({ name }) => name)
      .filter((name) => !connection.retained.has(topicOf(home, name)));
    expect(lacking).toEqual(['Lamp']);
    expect(errors).toEqual([{ name: 'Lamp', error: 'It says nonsense' }]);
  });

  it('leaves the event loop to others while a large home is published, a slice at a time', async () => {
    const broker = await startBroker();
    const home = openHome();
    const accessories = Array.from({ length: 400 }, (_, index) => lamp(`Lamp ${index}`, String(index + 2)));
    home.driver.attach(home.home.id, { deviceId: '20:00:00:00:00:01', name: 'Hub', setupCode: '1', accessories });
    let turns = 0;
    let running = true;
    const turn = (): void => {
      turns += 1;
      if (running) setImmediate(turn);
    };
    const id = connect(home, broker.port);
    await until(() => home.mqttBridge.statusOf(id).status === 'connected');
    turn();
    await until(() => broker.published.filter(({ topic }) => topic.endsWith('/availability')).length >= 407);
    running = false;
    expect(turns).toBeGreaterThan(40);
  });
});

describe('names', () => {
  it('that are alike, or made to break topics, break nothing', async () => {
    const broker = await startBroker();
    const home = openHome();
    const names = ['+/#', '$SYS', 'a/b/set', 'Küche „Süd“ 東', '   Lamp\t2  ', '🎄'];
    const accessories = names.map((name, index) => plainSwitch(name, String(index + 2)));
    home.driver.attach(home.home.id, { deviceId: '20:00:00:00:00:02', name: 'Odd', setupCode: '1', accessories });
    // Case-folding distinguishes names, slugs do less.
    const second = home.homes.create(systemCaller, { name: `${home.home.name}!` });
    home.brokers.add(systemCaller, second.id, { name: 'Same', host: '127.0.0.1', port: broker.port });
    const id = connect(home, broker.port);
    await settled(home, id);
    const topics = new Set(broker.published.map(({ topic }) => topic));
    expect([...topics].filter((topic) => /[+#$\0\s"]/.test(topic))).toEqual([]);
    expect([...topics].filter((topic) => /^homecast\/[^/]+\/status$/.test(topic))).toHaveLength(2);
    const states = [...topics].filter((topic) => topic.endsWith('/availability'));
    expect(states).toHaveLength(home.state.accessories(home.home.id).length);
  });

  it('that change leave nothing behind: of things, rooms and the home', async () => {
    const { home, onlooker } = await published();
    const before = topicOf(home, 'Lamp');
    home.accessories.update(systemCaller, home.named('Lamp').id, { name: 'Ceiling' });
    await until(
      () => onlooker.last(topicOf(home, 'Ceiling')) && !onlooker.topics().some((topic) => topic.startsWith(before)),
    );
    home.homes.update(systemCaller, home.home.id, { name: 'Cottage' });
    await until(() => onlooker.last(`${homeTopic(home)}/status`) === 'online');
    await until(() => onlooker.topics().every((topic) => topic.startsWith('homecast/cottage-')), 'Clearing');
    await onlooker.send(`${topicOf(home, 'Ceiling')}/set`, { on: true });
    await until(() => onlooker.json(topicOf(home, 'Ceiling'))?.on === true);
  });
});

describe('what is retained', () => {
  it('is taken back after a restart too, of what went while nothing ran', async () => {
    const directory = createTempDirectory('mqtt');
    closing.push(() => directory.remove());
    const path = directory.file('relay.db');
    const broker = await startBroker();
    const first = createTestHome({ sample: true, path, mqtt: new MqttJsConnector({ clock: systemClock }) });
    const calm = retryNow(first);
    first.mqttBridge.start();
    const id = connect(first, broker.port);
    await settled(first, id);
    const old = topicOf(first, 'Kettle');
    await first.mqttBridge.stop();
    calm();
    first.accessories.update(systemCaller, first.named('Kettle').id, { name: 'Teapot' });
    first.close();
    expect((await retainedOn(broker)).has(old)).toBe(true);

    const second = openHome({ path, sample: true });
    await settled(second, id);
    await until(() => second.mqttBridge.stats().dirty === 0);
    const retained = await retainedOn(broker);
    expect([...retained.keys()].filter((topic) => topic.startsWith(old))).toEqual([]);
    expect(retained.has(topicOf(second, 'Teapot'))).toBe(true);
  });

  it.each<[string, (home: TestHome, id: string) => void]>([
    ['the broker is removed', (home, id) => home.brokers.remove(systemCaller, id)],
    ['the broker is switched off', (home, id) => home.brokers.update(systemCaller, id, { enabled: false })],
    ['the home is taken off all brokers', (home) => home.brokers.setEnabled(systemCaller, home.home.id, false)],
    ['the broker moves', (home, id) => home.brokers.update(systemCaller, id, { host: 'localhost' })],
  ])('goes when %s', async (_, act) => {
    const { home, id, broker, onlooker } = await published();
    const first = broker.published.length;
    act(home, id);
    await until(() =>
      broker.published.slice(first).some(({ topic, payload }) => topic.endsWith('/status') && payload === ''),
    );
    await until(() => broker.published.slice(first).filter(({ payload }) => payload === '').length >= 14);
    if (home.brokers.active().length === 0) {
      await until(() => onlooker.topics().length === 0);
      await until(() => home.mqttBridge.statusOf(id).status === 'disabled');
      expect(home.database.prepare('SELECT count(*) AS n FROM mqtt_topics').get()).toEqual({ n: 0 });
    } else {
      await until(() => onlooker.last(`${homeTopic(home)}/status`) === 'online');
    }
  });
});

describe('commands', () => {
  it('set things, one property or several, groups, virtual accessories and scenes', async () => {
    const { home, onlooker } = await published();
    const answer = (topic: string, payload: string | object) => onlooker.send(topic, payload);
    await answer(`${topicOf(home, 'Lamp')}/set`, { on: true, brightness: 30 });
    await until(() => onlooker.json(topicOf(home, 'Lamp'))?.brightness === 30);
    await answer(`${topicOf(home, 'Lamp')}/brightness/set`, '80');
    await until(() => onlooker.json(topicOf(home, 'Lamp'))?.brightness === 80);
    await answer(`${topicOf(home, 'Thermostat')}/set`, { hvac_mode: 'cool' });
    await until(() => onlooker.json(topicOf(home, 'Thermostat'))?.hvac_mode === 2);
    await answer(`${topicOf(home, 'Thermostat')}/hvac_mode/set`, '0');
    await until(() => onlooker.json(topicOf(home, 'Thermostat'))?.hvac_mode === 0);

    const ids = ['Heater', 'Kettle'].map((name) => home.named(name).id);
    const group = home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Both', accessoryIds: ids });
    home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Laps', type: 'counter' });
    const scene = home.scenes.create(systemCaller, {
      ...{ homeId: home.home.id, name: 'Dark' },
      actions: [{ accessoryId: home.named('Lamp').id, characteristicType: 'power_state', targetValue: false }],
    });
    const groupTopic = `${homeTopic(home)}/both-${group.id.slice(0, 4)}`;
    await until(() => onlooker.last(groupTopic) && onlooker.last(topicOf(home, 'Laps')));
    await answer(`${groupTopic}/set`, { on: true });
    await until(() => onlooker.json(topicOf(home, 'Heater'))?.on === true && onlooker.json(groupTopic)?.on === true);
    await answer(`${topicOf(home, 'Laps')}/set`, { operation: 'increment', value: 3 });
    await until(() => JSON.stringify(onlooker.json(topicOf(home, 'Laps'))).includes('3'));
    await answer(`${homeTopic(home)}/scene/dark-${scene.id.slice(0, 4)}/execute`, 'ON');
    await until(() => onlooker.json(topicOf(home, 'Lamp'))?.on === false);
  });

  it('that make no sense are answered with a sentence on the error topic, and do nothing', async () => {
    const { home, onlooker } = await published();
    const lampTopic = topicOf(home, 'Lamp');
    const cases: [string, string | Buffer | object, RegExp][] = [
      [`${lampTopic}/set`, 'ON', /no JSON/],
      [`${lampTopic}/set`, '[1]', /object/],
      [`${lampTopic}/set`, 'null', /object/],
      [`${lampTopic}/set`, '{}', /Nothing is to be set/],
      [`${lampTopic}/set`, Buffer.from([0xff, 0xfe]), /UTF-8/],
      [`${lampTopic}/set`, { brightness: 700 }, /brightness/],
      [`${lampTopic}/set`, { colour: 'red' }, /Unknown property/],
      [`${lampTopic}/set`, { on: { deeply: ['nested'] } }, /on/],
      [`${lampTopic}/set`, `{"on": "${'x'.repeat(20_000)}"}`, /16 KiB/],
      [`${lampTopic}/nothing/set`, '1', /Unknown property/],
      [`${topicOf(home, 'Motion')}/set`, { motion: true }, /read only/],
      [`${homeTopic(home)}/attic-0000/lamp-0000/set`, { on: true }, /Nothing here/],
    ];
    for (const [topic, payload, sentence] of cases) {
      const receivedEvents = onlooker.received.length;
      await onlooker.send(topic, payload);
      const answered = await until(
        () => onlooker.received.slice(receivedEvents).find((message) => message.topic.endsWith('/error')),
        topic,
      );
      expect(answered.payload, String(payload).slice(0, 40)).toMatch(sentence);
      expect(answered.payload.length).toBeLessThan(1_000);
      expect(answered.retain).toBe(false);
    }
    expect(home.driver.writes).toEqual([]);
  });

  it('that are retained act when they are sent, and never again', async () => {
    const { home, onlooker, broker, id } = await published();
    await onlooker.send(`${topicOf(home, 'Lamp')}/set`, { on: true }, true);
    await until(() => onlooker.json(topicOf(home, 'Lamp'))?.on === true);
    home.driver.event(LAMP, '1', '9', false);
    const writes = home.driver.writes.length;
    broker.cut();
    const again = await lookOn(broker);
    await until(() =>
      again.received.some(({ topic, payload }) => topic.endsWith('/error') && payload.includes('Retained')),
    );
    await settled(home, id);
    expect(home.driver.writes).toHaveLength(writes);
    await again.send(`${topicOf(home, 'Lamp')}/set`, '', true);
    await again.send(`${topicOf(home, 'Lamp')}/set`, { brightness: 11 });
    await until(() => again.json(topicOf(home, 'Lamp'))?.brightness === 11);
    expect(home.driver.writes).toHaveLength(writes + 1);
  });

  it('that fail show the state as it is once more, to clients that believe otherwise', async () => {
    const { home, broker, onlooker } = await published();
    const topic = topicOf(home, 'Lamp');
    home.driver.setReachable(LAMP, false);
    await until(() => onlooker.last(`${topic}/availability`) === 'offline');
    const before = broker.published.filter((message) => message.topic === topic).length;
    await onlooker.send(`${topic}/set`, { on: true });
    await until(() => broker.published.filter((message) => message.topic === topic).length > before);
    await until(() => onlooker.last(`${topic}/error`)?.includes('unreachable'));
    expect(onlooker.json(topic).on).toBe(false);
  });

  it('in a flood are left out beyond what a home can want, and counted', async () => {
    const { home, onlooker, id } = await published();
    calming.get(home)?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const topic = `${topicOf(home, 'Lamp')}/set`;
    await Promise.all(Array.from({ length: 800 }, (_, n) => onlooker.send(topic, { brightness: n % 100 })));
    const metrics = () => home.mqttBridge.statsByBroker().get(id);
    await until(() => metrics()?.received === 800);
    // The clock stands still: what may come at once has come, and no second has passed.
    await until(() => home.driver.writes.length === 500);
    expect(metrics()?.dropped).toBeGreaterThanOrEqual(300);
    await until(() => onlooker.received.some(({ payload }) => payload.startsWith('Too many commands')));
    calming.set(home, retryNow(home));
  });

  it('that come all at once leave the event loop to others between any two, and none is carried out after a stop', async () => {
    const fake = new FakeMqtt();
    const home = createTestHome({ sample: true, mqtt: fake });
    closing.push(() => home.close());
    home.mqttBridge.start();
    connect(home, 1883);
    const connection = fake.latest.accept();
    const topic = `${topicOf(home, 'Lamp')}/set`;
    for (let n = 0; n < 100; n++) connection.receive(topic, `{"brightness":${n}}`);
    const counts: number[] = [];
    for (let turn = 0; turn < 50; turn++) {
      counts.push(home.driver.writes.length);
      await nextTurn();
    }
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts.at(0)).toBeLessThanOrEqual(1);
    expect(counts.at(-1)).toBeGreaterThan(25);
    expect(Math.max(...counts.slice(1).map((count, turn) => count - (counts[turn] ?? 0)))).toBeLessThanOrEqual(2);
    await home.mqttBridge.stop();
    const begun = home.driver.writes.length;
    for (let turn = 0; turn < 60; turn++) await nextTurn();
    expect(home.driver.writes.length).toBeLessThanOrEqual(begun + 1);
    expect(begun).toBeLessThan(100);
  });

  it('never come from ourselves', async () => {
    const { home, id } = await published({ broker: { haDiscovery: true } });
    home.driver.event(LAMP, '1', '9', true);
    home.driver.event(BUTTON, '1', '9', 0);
    await settled(home, id);
    expect(home.mqttBridge.statsByBroker().get(id)?.received).toBe(0);
  });

  it('may be any bytes on any topic: nothing breaks', async () => {
    const { home, onlooker, id } = await published();
    const topics = [
      topicOf(home, 'Lamp'),
      topicOf(home, 'Button'),
      `${homeTopic(home)}/x/y`,
      `${homeTopic(home)}/scene`,
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...topics),
        fc.constantFrom('/set', '/on/set', '/__proto__/set', '/x/execute'),
        fc.oneof(
          fc.uint8Array({ maxLength: 60 }),
          fc.json().map((text) => new TextEncoder().encode(text)),
        ),
        async (topic, end, payload) => {
          await onlooker.send(topic + end, Buffer.from(payload));
        },
      ),
      { numRuns: 80 },
    );
    await onlooker.send(`${topicOf(home, 'Lamp')}/set`, { brightness: 42 });
    await until(() => onlooker.json(topicOf(home, 'Lamp'))?.brightness === 42);
    expect(home.mqttBridge.statusOf(id).status).toBe('connected');
  });
});

describe('a broker', () => {
  it('that goes away is found again when it comes back, and gets the whole current state; nothing gathers meanwhile', async () => {
    const [port] = (await lastingPorts(1)) as [number];
    const first = await TestBroker.start({ port });
    const home = openHome();
    const id = connect(home, port);
    await settled(home, id);
    await first.stop();
    await until(() => home.mqttBridge.statusOf(id).status === 'error');
    expect(home.mqttBridge.statusOf(id).error).toMatch(/refuses connections/);
    for (let n = 0; n < 200; n += 1) home.driver.event(LAMP, '1', '10', n % 100);
    expect(home.mqttBridge.stats().dirty).toBe(0);
    const second = await startBroker({ port });
    const onlooker = await lookOn(second);
    await until(() => onlooker.json(topicOf(home, 'Lamp'))?.brightness === 99);
    await until(() => onlooker.last(`${homeTopic(home)}/status`) === 'online');
    expect(home.mqttBridge.statusOf(id)).toMatchObject({ status: 'connected', error: null });
  });

  it('learns that the home is gone: by its will when the connection breaks off, and by a message at a stop', async () => {
    const { home, broker } = await published();
    const statuses = () =>
      broker.published.filter(({ topic }) => topic.endsWith('/status')).map(({ payload }) => payload);
    broker.cut();
    await until(() => statuses().includes('offline'), 'The will');
    await until(() => statuses().at(-1) === 'online', 'The next connection');
    calming.get(home)?.();
    await home.mqttBridge.stop();
    await until(() => statuses().at(-1) === 'offline');
    expect((await retainedOn(broker)).get(`${homeTopic(home)}/status`)).toBe('offline');
  });

  it('that refuses the password is reported, without the password, and connects once it is right', async () => {
    const broker = await startBroker({ credentials: { username: 'house', password: 'correct horse' } });
    const home = openHome();
    const id = connect(home, broker.port, { username: 'house', password: 'hunter2' });
    await until(() => home.mqttBridge.statusOf(id).status === 'error');
    expect(home.mqttBridge.statusOf(id).error).toMatch(/password/);
    expect(JSON.stringify(home.mqttBridge.statusOf(id))).not.toContain('hunter2');
    home.brokers.update(systemCaller, id, { password: 'correct horse' });
    await until(() => home.mqttBridge.statusOf(id).status === 'connected');
  });

  it('that refuses subscriptions still gets states, and the status shows it', async () => {
    const broker = await startBroker({ refuses: (filter) => filter.includes('/set') });
    const home = openHome();
    const id = connect(home, broker.port);
    await until(() => home.mqttBridge.statusOf(id).error !== null);
    await until(() => broker.published.some(({ topic }) => topic === topicOf(home, 'Lamp')));
    expect(home.mqttBridge.statusOf(id).status).toBe('connected');
  });

  it('that stops reading costs a bounded number of messages, and no stop waits for it', async () => {
    const { home, broker, id } = await published();
    broker.freeze();
    for (let round = 0; round < 200; round += 1) {
      home.driver.event(LAMP, '1', '10', round % 100);
      home.driver.event(BUTTON, '1', '9', 0);
      await new Promise(setImmediate);
    }
    // Each press is two messages, and a hundred at most are on their way.
    expect(home.mqttBridge.stats().dropped).toBeGreaterThanOrEqual(300);
    await home.mqttBridge.stop();
    expect(home.mqttBridge.statusOf(id).status).toBe('disabled');
  });

  it('holds up no other: two at once, each with all', async () => {
    const { home, onlooker } = await published();
    const other = await startBroker();
    const dead = connect(home, (await lastingPorts(1))[0] as number, { name: 'Nobody', topicPrefix: 'nobody' });
    const id = connect(home, other.port, { topicPrefix: 'house/up' });
    await settled(home, id);
    home.driver.event(LAMP, '1', '9', true);
    await until(() => onlooker.json(topicOf(home, 'Lamp'))?.on === true);
    await until(() =>
      other.published.some(({ topic, payload }) => topic.startsWith('house/up/') && payload.includes('"on":true')),
    );
    expect(home.mqttBridge.statusOf(dead).status).toBe('error');
    expect(home.mqttBridge.stats()).toMatchObject({ configured: 3, connected: 2 });
  });

  it('can be tried out without publishing anything', async () => {
    const broker = await startBroker();
    const home = openHome();
    const id = connect(home, broker.port, { enabled: false });
    expect(await home.brokers.test(systemCaller, id)).toMatchObject({ success: true, error: null });
    expect(broker.published).toEqual([]);
    home.brokers.update(systemCaller, id, { port: (await lastingPorts(1))[0] });
    expect(await home.brokers.test(systemCaller, id)).toMatchObject({ success: false, responseTimeMs: null });
  });
});
