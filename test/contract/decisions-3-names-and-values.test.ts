/** Decisions §3: how characteristics, properties and device types are called, and what values are taken. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '../../src/home/model.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { characteristic, information, service } from '../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

/** Written with every bit set: no float holds it. */
const HUGE_AID = '18446744073709551615';
const HUGE_IID = '18446744073709551614';
const BUTTON = '10:00:00:00:00:05';

/** Target temperature in every spelling. */
const SPELLINGS = [
  'target_temperature',
  'targetTemperature',
  'TargetTemperature',
  'public.hap.characteristic.temperature.target',
  'public.hap.characteristic.target-temperature',
  '35',
  '00000035-0000-1000-8000-0026BB765291',
  '00000035-0000-1000-8000-0026bb765291',
  'target_temp',
] as const;

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});
afterEach(() => home.close());

let devices = 0;

function attach(name: string, services: readonly Service[], aid = '1', category = 1): void {
  devices += 1;
  home.driver.attach(home.home.id, {
    deviceId: `30:00:00:00:00:${(devices % 256).toString(16).padStart(2, '0')}`,
    name,
    setupCode: '1',
    accessories: [{ aid, name, category, services: [information(name), ...services] }],
  });
}

async function set(accessory: string, settings: object) {
  const { roomId } = home.named(accessory);
  const flat = { home: 'My Home', room: home.state.room(roomId)?.name, accessory, ...settings };
  return (await rest.post('/rest/state', flat)).body;
}

/** The accessory in the tree. */
async function entry(accessory: string): Promise<Record<string, unknown>> {
  const { homeId, roomId, id } = home.named(accessory);
  const { body } = await rest.get('/rest/state');
  const ending = (of: string) => (key: string) => !key.startsWith('_') && key.endsWith(`_${of.slice(-4)}`);
  const under = (tree: Record<string, Record<string, unknown>>, of: string) =>
    tree[Object.keys(tree).find(ending(of)) ?? ''] as Record<string, Record<string, unknown>>;
  return under(under(under(body, homeId) as never, roomId) as never, id);
}

async function ask(query: string, variables: object) {
  const { body } = await rest.post('/graphql', { query, variables });
  expect(body.errors).toBeUndefined();
  return body.data;
}

const lastWrite = () => home.driver.writes.at(-1)?.map(({ iid, value }) => [iid, value]);

describe('decisions §3: names on output', () => {
  it('characteristics are called in snake_case', async () => {
    const { id } = home.named('Thermostat');
    const { body } = await rest.get(`/rest/accessories/${id}`);
    const types = body.services[1].characteristics.map(({ type }: { type: string }) => type);
    const names = ['current_temperature', 'target_temperature', 'heating_cooling_current', 'heating_cooling_target'];
    expect(types).toEqual([...names, 'temperature_units']);
    const { accessory } = await ask('query($id:String!){accessory(accessoryId:$id){services{characteristics{type}}}}', {
      id,
    });
    expect(accessory.services[1].characteristics.map(({ type }: { type: string }) => type)).toEqual(types);
  });

  it('except in scenes’ actions, which use public.hap.characteristic.<hap-name>', async () => {
    const { id } = home.named('Thermostat');
    const actions = [{ accessoryId: id, characteristicType: 'target_temp', targetValue: 20 }];
    const made = (await rest.post('/rest/scenes', { homeId: home.home.id, name: 'Cool', actions })).body;
    expect(made.actions[0].characteristicType).toBe('public.hap.characteristic.temperature.target');
    const { scenes } = await ask('query($h:String!){scenes(homeId:$h){actions}}', { h: home.home.id });
    expect(JSON.parse(scenes[0].actions)[0].characteristicType).toBe('public.hap.characteristic.temperature.target');
  });
});

describe('decisions §3: on input every spelling is accepted everywhere', () => {
  it.each(SPELLINGS)('%s: POST /rest/state, nested and by names', async (spelling) => {
    expect(await set('Thermostat', { [spelling]: 23 })).toMatchObject({ updated: 1, errors: [] });
    expect(lastWrite()).toEqual([['10', 23]]);
  });

  it.each(SPELLINGS)('%s: scenes in REST and GraphQL', async (characteristicType) => {
    const { id } = home.named('Thermostat');
    const actions = [{ accessoryId: id, characteristicType, targetValue: 24 }];
    const made = (await rest.post('/rest/scenes', { homeId: home.home.id, name: 'Warm', actions })).body;
    await rest.post(`/rest/scenes/${made.id}/execute`);
    expect(lastWrite()).toEqual([['10', 24]]);
    const query = 'mutation($h:String!,$a:JSON!){createScene(homeId:$h,name:"Warm 2",actions:$a){actions}}';
    const { createScene } = await ask(query, { h: home.home.id, a: JSON.stringify(actions) });
    expect(JSON.parse(createScene.actions)).toEqual(made.actions);
  });

  it.each(SPELLINGS)('%s: characteristicGet and setCharacteristic', async (type) => {
    const { id } = home.named('Thermostat');
    const { setCharacteristic, characteristicGet } = await ask(
      'mutation($id:String!,$type:String!){setCharacteristic(accessoryId:$id,characteristicType:$type,value:"19.5"){success value characteristicType}}',
      { id, type },
    ).then(async (written) => ({
      ...written,
      ...(await ask(
        'query($id:String!,$type:String!){characteristicGet(accessoryId:$id,characteristicType:$type){characteristicType value}}',
        { id, type },
      )),
    }));
    const expected = { characteristicType: 'target_temperature', value: 19.5 };
    expect(setCharacteristic).toEqual({ success: true, ...expected });
    expect(characteristicGet).toEqual(expected);
  });

  it.each(SPELLINGS)('%s: history, asked for and set up', async (characteristicType) => {
    home.history.setEnabled(systemCaller, home.home.id, true);
    const query = `accessory=thermostat&characteristic=${encodeURIComponent(characteristicType)}`;
    const { body } = await rest.get(`/rest/history?${query}`);
    expect(body.series).toMatchObject([{ characteristic: 'target_temperature' }]);
    const key = { homeId: home.home.id, accessoryId: home.named('Thermostat').id, characteristicType };
    const changed = await rest.patch('/rest/history/series', { ...key, deadband: 0.5 });
    expect(changed.body).toMatchObject({ characteristicType: 'target_temperature', deadband: 0.5 });
  });

  it.each(['brightness', 'Brightness', 'public.hap.characteristic.brightness', '8'])(
    '%s: setServiceGroup',
    async (as) => {
      const group = { homeId: home.home.id, name: 'Lights', accessoryIds: [home.named('Lamp').id] };
      const { id } = (await rest.post('/rest/service-groups', group)).body;
      const { body } = await rest.post(`/rest/service-groups/${id}/set`, { characteristicType: as, value: 30 });
      expect(body).toMatchObject({ success: true, affectedCount: 1 });
      expect(lastWrite()).toEqual([['10', 30]]);
    },
  );
});

describe('decisions §3: device types', () => {
  it.each([
    ['camera', '110', '120', 'other'],
    ['blind', '41', 'E', 'garage door'],
    ['blind', '81', '7C', 'door'],
    ['blind', '8B', '7C', 'window'],
    ['purifier', 'BB', 'B0', 'air purifier'],
    ['humidifier', 'BD', 'B0', 'humidifier'],
    ['motion', '86', '71', 'occupancy'],
    ['sensor', '82', '10', 'humidity'],
    ['sensor', '83', '70', 'leak'],
    ['sensor', '87', '76', 'smoke'],
    ['sensor', '7F', '69', 'carbon monoxide'],
    ['sensor', '97', '92', 'carbon dioxide'],
    ['sensor', '8D', '95', 'air quality'],
  ])('%s: service %s', async (type, serviceType, first) => {
    attach('Device', [service('8', serviceType, [characteristic('9', first, 'uint8', 1)])]);
    expect((await entry('Device')).type).toBe(type);
    expect((await rest.get(`/rest/state?type=${type}&name=device`)).body._meta.message).toMatch(/^Found 1 /);
  });

  it('garage doors, doors and windows have blind’s properties target and position', async () => {
    attach('Window', [
      service('8', '8B', [
        characteristic('9', '6D', 'uint8', 40, {}, ['pr', 'ev']),
        characteristic('10', '7C', 'uint8', 60),
      ]),
    ]);
    attach('Garage', [
      service('8', '41', [
        characteristic('9', 'E', 'uint8', 0, {}, ['pr', 'ev']),
        characteristic('10', '32', 'uint8', 1),
      ]),
    ]);
    expect(await entry('Window')).toMatchObject({ position: 40, target: 60 });
    expect(await entry('Garage')).toMatchObject({ position: 100, target: 0 });
  });

  it('occupancy is motion with the property occupancy', async () => {
    attach('Sofa', [service('8', '86', [characteristic('9', '71', 'uint8', 1, {}, ['pr', 'ev'])])]);
    expect(await entry('Sofa')).toMatchObject({ type: 'motion', occupancy: true });
  });

  it('a virtual accessory’s type is its virtualType, and type=switch also finds input_boolean', async () => {
    await rest.post('/rest/virtual-accessories', { homeId: home.home.id, name: 'Guests', type: 'switch' });
    expect((await entry('Guests')).type).toBe('input_boolean');
    for (const type of ['switch', 'input_boolean'])
      expect(JSON.stringify((await rest.get(`/rest/state?type=${type}`)).body)).toContain('guests_');
  });

  it('the filter accepts service names too', async () => {
    const { body } = await rest.get('/rest/state?type=lightbulb');
    expect(body._meta.message).toBe('Found 1 accessory across 1 home');
  });
});

describe('decisions §3: an accessory with several services that carry the same property', () => {
  const outlet = (iid: number, on: boolean, primary = false): Service =>
    service(String(iid), '47', [characteristic(String(iid + 1), '25', 'bool', on)], { primary });

  it('shows the primary one’s value under the plain name, each further one as <property>_<n>, settable alike', async () => {
    attach('Strip', [outlet(10, false), outlet(20, true, true), outlet(30, false)]);
    const strip = await entry('Strip');
    expect(strip).toMatchObject({ on: true, on_2: false, on_3: false });
    expect(new Set(strip._settable as string[])).toEqual(new Set(['on', 'on_2', 'on_3']));
    expect(await set('Strip', { on_3: true })).toMatchObject({ updated: 1, errors: [] });
    expect(lastWrite()).toEqual([['31', true]]);
    await set('Strip', { on: false });
    expect(lastWrite()).toEqual([['21', false]]);
  });

  it('services in /rest/accessories shows all', async () => {
    attach('Strip', [outlet(10, false), outlet(20, true, true), outlet(30, false)]);
    const { body } = await rest.get(`/rest/accessories/${home.named('Strip').id}`);
    expect(body.services.map(({ type }: { type: string }) => type)).toEqual([
      'accessory_information',
      'outlet',
      'outlet',
      'outlet',
    ]);
  });
});

describe('decisions §3: values', () => {
  it('out of range are refused with "Invalid value" before anything is sent, naming the range; 422 where one value is all', async () => {
    const body = await set('Lamp', { on: true, brightness: 101 });
    expect(body.errors[0]).toMatch(/Lamp\.brightness: Invalid value 101 for brightness: .*0 to 100$/);
    expect(home.driver.writes.flat().map(({ iid }) => iid)).not.toContain('10');
    const group = { homeId: home.home.id, name: 'Lights', accessoryIds: [home.named('Lamp').id] };
    const { id } = (await rest.post('/rest/service-groups', group)).body;
    const refused = await rest.post(`/rest/service-groups/${id}/set`, { characteristicType: 'brightness', value: 101 });
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_value']);
    expect(refused.body.error).toMatch(/^Invalid value 101 for brightness: .*0 to 100/);
  });

  it('the range is the device’s own where it gives one', async () => {
    expect((await set('Thermostat', { target_temp: 31 })).errors[0]).toContain('10 to 30');
    expect((await set('Thermostat', { target_temp: 30 })).updated).toBe(1);
  });

  it('numbers are snapped to the device’s step', async () => {
    await set('Thermostat', { target_temp: 21.26 });
    expect(lastWrite()).toEqual([['10', 21.3]]);
    await set('Lamp', { brightness: 40.4 });
    expect(lastWrite()).toEqual([['10', 40]]);
  });

  it.each([
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
    [1, true],
    [0, false],
    ['1', true],
    ['0', false],
    ['on', true],
    ['off', false],
  ])('booleans accept true/false/1/0/"on"/"off": %j', async (value, written) => {
    expect(await set('Lamp', { on: value })).toMatchObject({ updated: 1, errors: [] });
    expect(lastWrite()).toEqual([['9', written]]);
  });

  it('`on` and `active` stand in for each other on devices that have only one', async () => {
    attach('Fan', [service('8', 'B7', [characteristic('9', 'B0', 'uint8', 0)])]);
    expect((await set('Fan', { on: true })).errors).toEqual([]);
    expect(lastWrite()).toEqual([['9', 1]]);
    expect((await set('Lamp', { active: true })).errors).toEqual([]);
    expect(lastWrite()).toEqual([['9', true]]);
  });

  it('aids and iids are unsigned 64-bit: carried exactly, never through a float', async () => {
    attach('Giant', [service('8', '49', [characteristic(HUGE_IID, '25', 'bool', false)])], HUGE_AID);
    const { text, body } = await rest.get(`/rest/accessories/${home.named('Giant').id}`);
    expect(body.aid).toBe(HUGE_AID);
    expect(text).toContain(`.${HUGE_IID}"`);
    await set('Giant', { on: true });
    expect(home.driver.writes.at(-1)).toMatchObject([{ address: { aid: HUGE_AID }, iid: HUGE_IID, value: true }]);
  });

  it('a button event is an event, not a state: never restored, shown for 10 s', async () => {
    expect(await entry('Button')).not.toHaveProperty('programmable_switch_event');
    home.driver.event(BUTTON, '1', '9', 1);
    expect(await entry('Button')).toMatchObject({ programmable_switch_event: 1 });
    await home.clock.advance(9_000);
    expect(await entry('Button')).toMatchObject({ programmable_switch_event: 1 });
    await home.clock.advance(1_001);
    expect(await entry('Button')).not.toHaveProperty('programmable_switch_event');
    home.lastValues.flush();
    const { id } = home.named('Button');
    expect(home.database.prepare('SELECT count(*) FROM last_values WHERE accessory_id = ?').pluck().get(id)).toBe(0);
  });
});
