/**
 * One home, many APIs: what is written through REST's two forms and through GraphQL ends in the same state with the
 * same outcomes, and everyone lists the same accessories.
 */
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { slugKey } from '../../src/home/slug.ts';
import { startDaemon } from '../cli/running-daemon.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

const WRITES = 1_000;
/** Fixed, so that a failure is the same failure tomorrow. */
const SEED = 20_261;

/** A home and a client at its door. */
interface Entry {
  readonly test: TestHome;
  readonly client: RestClient;
  /** @returns `undefined` for success, else the reason. */
  write(accessory: string, property: string, value: unknown): Promise<string | undefined>;
}

const open: TestHome[] = [];
afterEach(() => {
  for (const test of open.splice(0)) test.close();
});

/** The same home each time: devices of every kind, one virtual accessory of every kind, one unreachable accessory. */
function furnish(): TestHome {
  const test = createTestHome({ sample: true });
  open.push(test);
  const homeId = test.home.id;
  const kinds: readonly Record<string, unknown>[] = [
    { type: 'input_boolean', name: 'Lever' },
    { type: 'input_select', name: 'Mode', options: ['Home', 'Away', 'Night'] },
    { type: 'counter', name: 'Counter', min: 0, max: 50 },
    { type: 'timer', name: 'Timer', duration: 3_600 },
    { type: 'input_number', name: 'Level', min: 0, max: 10, step: 0.5 },
    { type: 'input_text', name: 'Text', maxLength: 12 },
    { type: 'input_datetime', name: 'Alarm Time', hasDate: false, hasTime: true },
    { type: 'input_number', name: 'Watched', min: 0, max: 10, controllable: false },
  ];
  for (const input of kinds) test.virtuals.create(systemCaller, { homeId, ...input } as never);
  test.driver.setReachable('10:00:00:00:00:06', false);
  return test;
}

function clientOf(test: TestHome): RestClient {
  return createRestClient(createTestApi(test), createToken(test));
}

function roomOf(test: TestHome, name: string) {
  const accessory = test.named(name);
  const room = test.state.room(accessory.roomId);
  if (!room) throw new Error(`${name} has no room`);
  return { accessory, room };
}

/** REST's report names the place in front of the reason: `<path>.<property>: <reason>`. */
function reasonOf({ body }: { body: { failed: number; errors: string[]; error?: string } }, property: string) {
  if (body.error !== undefined) return body.error;
  const [error] = body.errors;
  return error?.slice(error.indexOf(`.${property}: `) + property.length + 3);
}

const ENTRIES: Readonly<Record<string, () => Entry>> = {
  'REST, nested': () => {
    const test = furnish();
    const client = clientOf(test);
    return {
      test,
      client,
      async write(name, property, value) {
        const { accessory, room } = roomOf(test, name);
        const keys = [slugKey(test.home.name, test.home.id), slugKey(room.name, room.id), slugKey(name, accessory.id)];
        const [home = '', inRoom = '', key = ''] = keys;
        return reasonOf(
          await client.post('/rest/state', { [home]: { [inRoom]: { [key]: { [property]: value } } } }),
          property,
        );
      },
    };
  },
  'REST, flat': () => {
    const test = furnish();
    const client = clientOf(test);
    return {
      test,
      client,
      async write(accessory, property, value) {
        const { room } = roomOf(test, accessory);
        const body = { home: test.home.name, room: room.name, accessory, [property]: value };
        return reasonOf(await client.post('/rest/state', body), property);
      },
    };
  },
  GraphQL: () => {
    const test = furnish();
    const client = clientOf(test);
    const query = `mutation ($id: String!, $type: String!, $value: String!) {
      setCharacteristic(accessoryId: $id, characteristicType: $type, value: $value) { success error }
    }`;
    return {
      test,
      client,
      async write(name, type, value) {
        const variables = { id: test.named(name).id, type, value: JSON.stringify(value) };
        const { body } = await client.post('/graphql', { query, variables });
        const { success, error } = body.data.setCharacteristic;
        return success ? undefined : error;
      },
    };
  },
};

/** A small generator of numbers (mulberry32): the same for the same seed. */
function randomness(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PROPERTIES = [
  'on',
  'power_state',
  'brightness',
  'Brightness',
  'hue',
  'saturation',
  'active',
  'hvac_mode',
  'target_temp',
  'heat_target',
  'lock_target',
  'public.hap.characteristic.lock-mechanism.target-state',
  'locked',
  'motion',
  'virtual_mode',
  'virtual_count',
  'virtual_timer',
  'virtual_number',
  'number',
  'virtual_text',
  'virtual_datetime',
  'no_such_thing',
];

const VALUES: readonly unknown[] = [
  true,
  false,
  0,
  1,
  7,
  20.5,
  42,
  100,
  101,
  -1,
  'on',
  'off',
  'heat',
  'cool',
  'auto',
  'Home',
  'Night',
  'active',
  'paused',
  '07:30',
  '25:99',
  'a text that is far too long',
  '21',
];

/** What each accessory would be asked in earnest; most of it is possible. */
const SENSIBLE: readonly (readonly [name: string, properties: readonly string[], values: readonly unknown[]])[] = [
  ['Lamp', ['on', 'power_state', 'PowerState', '25'], [true, false, 1, 0, 'on', 'off']],
  ['Lamp', ['brightness', 'Brightness', 'public.hap.characteristic.brightness'], [0, 1, 40, 99.6, 100, '70']],
  ['Lamp', ['hue', 'saturation'], [0, 12.5, 100, 300]],
  ['Thermostat', ['on', 'active'], [true, false]],
  ['Thermostat', ['hvac_mode', 'heating_cooling_target'], ['off', 'heat', 'cool', 'auto', 0, 1, 2, 3]],
  ['Thermostat', ['target_temp', 'target_temperature', 'targetTemperature'], [18, 20.5, '21', 4]],
  ['Front Door', ['lock_target', 'lock_target_state'], [true, false, 1, 0]],
  ['Kettle', ['on'], [true, false]],
  ['Lever', ['on', 'active', 'power_state'], [true, false, 'on']],
  ['Mode', ['virtual_mode', 'mode'], ['Home', 'Away', 'Night', 'Noon']],
  ['Counter', ['virtual_count', 'count'], [0, 7, 50, 51]],
  ['Timer', ['virtual_timer', 'timer'], ['active', 'idle', true]],
  ['Level', ['virtual_number', 'number'], [0, 2.5, 9.9, 11]],
  ['Text', ['virtual_text', 'text'], ['Hello', '', '42', 'far too long a text']],
  ['Alarm Time', ['virtual_datetime', 'datetime'], ['07:30', '23:59', '24:00']],
  ['Watched', ['virtual_number'], [3]],
];

/** What the home shows: everything but its own random ids. */
function shownBy({ state }: TestHome): unknown {
  return state.accessories().map(({ name, reachable, services }) => ({
    name,
    reachable,
    values: services.map(({ characteristics }) => characteristics.map(({ value }) => value)),
  }));
}

describe(`${WRITES} random writes through each door`, () => {
  it('leave identical state and have identical outcomes', async () => {
    const entries = Object.values(ENTRIES).map((make) => make());
    const random = randomness(SEED);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const names = entries[0]?.test.state.accessories().map(({ name }) => name) ?? [];
    const succeeded = new Set<string>();
    const reasons = new Set<string>();
    for (let n = 0; n < WRITES; n += 1) {
      const [likely, properties, values] = pick(SENSIBLE);
      const isSensible = random() < 0.7;
      const name = isSensible ? likely : pick(names);
      const property = pick(isSensible ? properties : PROPERTIES);
      const value = pick(isSensible ? values : VALUES);
      const outcomes = await Promise.all(entries.map((entry) => entry.write(name, property, value)));
      expect(new Set(outcomes).size, `${name}.${property} = ${JSON.stringify(value)}: ${outcomes.join(' | ')}`).toBe(1);
      if (outcomes[0] === undefined) succeeded.add(`${name}.${property}`);
      else reasons.add(outcomes[0].split(/[:;']/)[0] ?? '');
    }
    const [first, ...others] = entries.map(({ test }) => shownBy(test));
    for (const other of others) expect(other).toEqual(first);
    // Both good and bad ones were among them.
    expect(succeeded.size).toBeGreaterThan(25);
    expect(reasons.size).toBeGreaterThan(4);
  });
});

describe('REST, GraphQL and the command line', () => {
  it('list the same accessories, virtual ones among them', async () => {
    const daemon = await startDaemon();
    onTestFinished(() => daemon.stop());
    const test = daemon.home;
    test.virtuals.create(systemCaller, { homeId: test.home.id, name: 'Lever', type: 'input_boolean' });
    const client = clientOf(test);
    const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id).sort();
    const expected = idsOf(test.state.accessories());
    expect(idsOf((await client.get('/rest/accessories')).body)).toEqual(expected);
    const { body } = await client.post('/graphql', {
      query: '{ accessories { id } homes { rooms { accessories { id } } } }',
    });
    expect(idsOf(body.data.accessories)).toEqual(expected);
    const nested = body.data.homes.flatMap((home: { rooms: { accessories: { id: string }[] }[] }) =>
      home.rooms.flatMap(({ accessories }) => accessories),
    );
    expect(idsOf(nested)).toEqual(expected);
    const { out } = await daemon.hearthd('accessories', '--json');
    const namesOf = (list: readonly { name: string }[]): string[] => list.map(({ name }) => name).sort();
    expect(namesOf(JSON.parse(out))).toEqual(namesOf(test.state.accessories()));
    const tree = (await client.get('/rest/state')).body;
    const keys = Object.entries<object>(tree)
      .filter(([key]) => !key.startsWith('_'))
      .flatMap(([, rooms]) => Object.entries<object>(rooms as never).filter(([key]) => !key.startsWith('_')))
      .flatMap(([, accessories]) => Object.keys(accessories));
    expect(keys.sort()).toEqual(
      test.state
        .accessories()
        .map(({ name, id }) => slugKey(name, id))
        .sort(),
    );
  });
});
