/**
 * Wire facts §11.3, MQTT: topics, states and commands. Brokers and Home Assistant's discovery have files of their own.
 */
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reconnectDelay } from '../../src/app/mqtt/reconnect-delay.ts';
import { mqttSlug, slugsOf } from '../../src/app/mqtt/topics.ts';
import { bindingsOf } from '../../src/home/vocabulary/bindings.ts';
import { FakeMqtt } from '../support/fake-mqtt.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

const LAMP = '10:00:00:00:00:01';
const LOCK = '10:00:00:00:00:03';

let mqtt: FakeMqtt;
let home: TestHome;

beforeEach(async () => {
  mqtt = new FakeMqtt();
  home = createTestHome({ sample: true, mqtt });
  home.brokers.add(systemCaller, home.home.id, { name: 'Broker', host: 'broker.test', haDiscovery: false });
  home.mqttBridge.start();
  mqtt.latest.accept();
  await pass();
});

afterEach(async () => {
  const stopped = home.mqttBridge.stop();
  await pass();
  await stopped;
  home.close();
});

/** Long enough for everything that is to be published. */
async function pass(): Promise<void> {
  await home.clock.advance(300);
  for (let turns = 0; turns < 20; turns += 1) await turn();
}

const slug = ({ name, id }: { name: string; id: string }): string => mqttSlug({ name, id });
const base = (): string => `homecast/${slug(home.state.home(home.home.id) ?? home.home)}`;
const livingRoom = (): string => {
  const room = home.state.rooms().find(({ name }) => name === 'Living Room');
  return `${base()}/${room && slug(room)}`;
};
const inLivingRoom = (name: string): string => `${livingRoom()}/${slug(home.named(name))}`;
const roomless = (name: string): string => `${base()}/${slug(home.named(name))}`;
const state = (topic: string) => JSON.parse(mqtt.latest.retained.get(topic) ?? 'null');

describe('the slug', () => {
  it.each([
    ['Living Room', 'living-room-1a2b'],
    ['LAMP', 'lamp-1a2b'],
    [`Anna's "big" lamp`, 'annas-big-lamp-1a2b'],
    ['TV (left) #2', 'tv-left-2-1a2b'],
    ['Walk-in closet', 'walk-in-closet-1a2b'],
    ['Küche', 'küche-1a2b'],
    ['a/b+c#d$e\0f', 'abcdef-1a2b'],
    ['🎄', '1a2b'],
  ])(
    'of %j is lower case, with blanks as dashes, quotes and other signs dropped and the first four hex digits: %s',
    (name, wanted) => {
      expect(mqttSlug({ name, id: '1A2B3c4d-0000-4000-8000-00000000ffff' })).toBe(wanted);
    },
  );

  it('never breaks a topic, and no two beside each other are alike, for every name', () => {
    const item = fc.record({ name: fc.string({ unit: 'binary', maxLength: 12 }), id: fc.uuid() });
    const alike = fc.array(
      fc.record({ name: fc.constantFrom('Lamp', 'lamp!', ''), tail: fc.integer({ min: 0, max: 4_095 }) }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(item, { selector: ({ id }) => id, maxLength: 20 }), alike, (items, others) => {
        const ids = new Set(items.map(({ id }) => id));
        const near = others
          .map(({ name, tail }) => ({
            name,
            id: `1a2b3c4d-0000-4000-8000-000000000${tail.toString(16).padStart(3, '0')}`,
          }))
          .filter(({ id }) => !ids.has(id) && ids.add(id));
        const slugs = [...slugsOf([...items, ...near]).values()];
        expect(new Set(slugs).size).toBe(ids.size);
        for (const one of slugs) expect(one).toMatch(/^[\p{L}\p{M}\p{N}-]+$/u);
      }),
      { numRuns: 200 },
    );
  });

  it('of a thing does not depend on the order in which things are listed', () => {
    const twins = ['1a2b3c4d-0000-4000-8000-000000000001', '1a2b3c4d-0000-4000-8000-000000000002'];
    const items = twins.map((id) => ({ id, name: 'Lamp' }));
    expect([...slugsOf([...items].reverse())].sort()).toEqual([...slugsOf(items)].sort());
  });
});

describe('a home on a broker', () => {
  it('is published under homecast by default', () => {
    const levels = [...mqtt.latest.retained.keys()].map((topic) => topic.split('/')[0]);
    expect([...new Set(levels)]).toEqual(['homecast']);
  });

  it('has {p}/{home}/{room}/{accessory}: retained JSON of simplified names with raw values', () => {
    expect(state(inLivingRoom('Thermostat'))).toEqual({
      ...{ current_temp: 20.5, target_temp: 21, active: true, hvac_mode: 1, hvac_state: 1, temperature_units: 0 },
      ...{ heating_cooling_target: 1, heating_cooling_current: 1 },
    });
    expect(state(roomless('Front Door'))).toMatchObject({ locked: 1, lock_target: 1 });
    expect(state(inLivingRoom('Motion'))).toMatchObject({ battery: 80, low_battery: 0 });
  });

  it('sends true and false where HAP has a bool', () => {
    expect(state(inLivingRoom('Lamp'))).toMatchObject({ on: false });
    expect(state(inLivingRoom('Motion'))).toMatchObject({ motion: false });
  });

  it('is sent whole each time, not by the key that changed', async () => {
    home.driver.event(LAMP, '1', '9', true);
    await pass();
    expect(state(inLivingRoom('Lamp'))).toEqual({ on: true, brightness: 50, hue: 0, saturation: 0 });
  });

  it('takes JSON commands on /set', async () => {
    mqtt.latest.receive(`${inLivingRoom('Lamp')}/set`, '{"on": true, "brightness": 20}');
    await pass();
    expect(state(inLivingRoom('Lamp'))).toMatchObject({ on: true, brightness: 20 });
  });

  it('takes back what it sends: any property that can be set, as it stands in the state', async () => {
    for (const name of ['Lamp', 'Thermostat', 'Heater']) {
      const accessory = home.named(name);
      const topic = accessory.roomId === home.named('Lamp').roomId ? inLivingRoom(name) : roomless(name);
      const published = mqtt.latest.published.length;
      mqtt.latest.receive(`${topic}/set`, JSON.stringify(settable(name, state(topic))));
      await pass();
      const errors = mqtt.latest.published.slice(published).filter((message) => message.topic.endsWith('/error'));
      expect(errors).toEqual([]);
    }
  });

  it('has /availability: online or offline, retained', async () => {
    expect(mqtt.latest.retained.get(`${inLivingRoom('Lamp')}/availability`)).toBe('online');
    home.driver.setReachable(LAMP, false);
    await pass();
    expect(mqtt.latest.retained.get(`${inLivingRoom('Lamp')}/availability`)).toBe('offline');
  });

  it('has {p}/{home}/status, with a last will', async () => {
    const topic = `${base()}/status`;
    expect(mqtt.latest.retained.get(topic)).toBe('online');
    expect(mqtt.latest.target.will).toEqual({ topic, payload: 'offline', retain: true, qos: 1 });
    const stopped = home.mqttBridge.stop();
    await pass();
    await stopped;
    expect(mqtt.latest.retained.get(topic)).toBe('offline');
  });

  it('has what is in no room at {p}/{home}/{accessory}', () => {
    expect(state(roomless('Heater'))).toEqual({ on: false });
  });

  it('has groups like accessories, and their /members', async () => {
    const accessoryIds = ['Heater', 'Kettle'].map((name) => home.named(name).id);
    const group = home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Both', accessoryIds });
    await pass();
    const topic = `${base()}/${slug(group)}`;
    expect(state(topic)).toEqual({ on: false });
    expect(state(`${topic}/members`)).toEqual(
      ['Heater', 'Kettle'].map((name) => ({ id: home.named(name).id, name, topic: roomless(name) })),
    );
    mqtt.latest.receive(`${topic}/set`, '{"on": true}');
    await pass();
    expect(state(roomless('Kettle'))).toEqual({ on: true });
    expect(state(topic)).toEqual({ on: true });
  });

  it('has {p}/{home}/scene/{slug}/execute, for built-in scenes too; nothing empty and nothing retained executes one', async () => {
    const actions = [{ accessoryId: home.named('Lamp').id, characteristicType: 'on', targetValue: true }];
    const scene = home.scenes.create(systemCaller, { homeId: home.home.id, name: 'Bright', actions });
    await pass();
    const topic = `${base()}/scene/${slug(scene)}/execute`;
    mqtt.latest.receive(topic, '');
    mqtt.latest.receive(topic, 'ON', true);
    await pass();
    expect(state(inLivingRoom('Lamp'))).toMatchObject({ on: false });
    mqtt.latest.receive(topic, 'ON');
    await pass();
    expect(state(inLivingRoom('Lamp'))).toMatchObject({ on: true });
    const goodNight = home.scenes.findByName(systemCaller, home.home.id, 'Good Night');
    mqtt.latest.receive(`${base()}/scene/${slug(goodNight)}/execute`, 'ON');
    await pass();
    expect(state(inLivingRoom('Lamp'))).toMatchObject({ on: false });
  });

  it('keeps nothing of what is gone, nor of what has moved to another room', async () => {
    const guests = home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Guests', type: 'input_boolean' });
    await pass();
    const [gone, moved] = [roomless('Guests'), roomless('Heater')];
    expect(mqtt.latest.retained.has(gone)).toBe(true);
    home.virtuals.delete(systemCaller, guests.id);
    home.accessories.update(systemCaller, home.named('Heater').id, { roomId: home.named('Lamp').roomId });
    await pass();
    const topics = [...mqtt.latest.retained.keys()];
    expect(topics.filter((topic) => topic.startsWith(gone) || topic.startsWith(moved))).toEqual([]);
    expect(state(inLivingRoom('Heater'))).toEqual({ on: false });
    const noted = home.database.prepare('SELECT topic FROM mqtt_topics ORDER BY topic').pluck().all();
    expect(noted).toEqual([...topics].sort());
  });

  it('subscribes to commands alone, to nothing that it publishes', () => {
    const { subscribed, published } = mqtt.latest;
    const patterns = subscribed.map((filter) => new RegExp(`^${filter.replaceAll('+', '[^/]+')}$`));
    expect(subscribed).toHaveLength(4);
    expect(published.length).toBeGreaterThan(10);
    expect(published.filter(({ topic }) => patterns.some((pattern) => pattern.test(topic)))).toEqual([]);
  });

  it('is not reached by a client that publishes below another home’s name', async () => {
    const other = home.homes.create(systemCaller, { name: 'Cottage' });
    mqtt.latest.receive(`homecast/${slug(other)}/${slug(home.named('Heater'))}/set`, '{"on": true}');
    await pass();
    expect(state(roomless('Heater'))).toEqual({ on: false });
  });
});

describe('a connection that is lost', () => {
  it('is tried again after 1, 2, 4 … 60 seconds, and with jitter not all at once; where only people can help after 60', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 500].map((failures) => reconnectDelay('network', failures, 0) / 1_000);
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(reconnectDelay('network', 3, 1)).toBe(2_800);
    for (const fault of ['credentials', 'certificate', 'protocol'] as const)
      expect(reconnectDelay(fault, 1, 0)).toBe(60_000);
  });

  it('costs nothing while it lasts, and everything is sent again afterwards', async () => {
    const first = mqtt.latest;
    first.fail({ fault: 'network', message: 'The broker is away.' });
    home.driver.event(LOCK, '1', '9', 0);
    home.driver.event(LAMP, '1', '9', true);
    expect(home.mqttBridge.stats()).toMatchObject({ connected: 0, dirty: 0 });
    const id = home.brokers.list(systemCaller, home.home.id)[0]?.id ?? '';
    expect(home.mqttBridge.statusOf(id)).toMatchObject({ status: 'connecting', error: 'The broker is away.' });
    await home.clock.advance(1_001);
    expect(mqtt.attempts).toHaveLength(2);
    expect(mqtt.latest.target.clientId).toBe(first.target.clientId);
    mqtt.latest.accept();
    await pass();
    expect([...mqtt.latest.retained.keys()].sort()).toEqual([...first.retained.keys()].sort());
    expect(state(inLivingRoom('Lamp'))).toMatchObject({ on: true });
    expect(state(roomless('Front Door'))).toMatchObject({ locked: 0 });
  });

  it('that never lasts does not begin again at one second: two clients of one id would take turns for ever', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { length } = mqtt.attempts;
      mqtt.latest.fail({ fault: 'network', message: 'The broker broke the connection off.' });
      await home.clock.advance(60_001);
      expect(mqtt.attempts).toHaveLength(length + 1);
      mqtt.latest.accept();
    }
    mqtt.latest.fail({ fault: 'network', message: 'The broker broke the connection off.' });
    const { length } = mqtt.attempts;
    await home.clock.advance(30_000);
    expect(mqtt.attempts).toHaveLength(length);
  });
});

/** What of a state can be set. */
function settable(name: string, properties: Record<string, unknown>): Record<string, unknown> {
  const writable = bindingsOf(home.named(name).services).list.filter((binding) => binding.writable);
  return Object.fromEntries(writable.map(({ property }) => [property, properties[property]]));
}
