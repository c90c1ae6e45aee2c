/** Decisions §5: scenes, built-in scenes, service groups, zones, and what exists for sharing. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SceneStore } from '../../src/app/scenes/scene-store.ts';
import { slugKey } from '../../src/home/slug.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { characteristic, information, lamp, plainSwitch, service } from '../support/sample-accessories.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

const LAMP = '10:00:00:00:00:01';
const LOCK = '10:00:00:00:00:03';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});
afterEach(() => home.close());

const on = (name: string, targetValue: unknown = true) => ({
  accessoryId: home.named(name).id,
  characteristicType: 'public.hap.characteristic.on',
  targetValue,
});
const create = (name: string, actions: readonly unknown[]) =>
  rest.post('/rest/scenes', { homeId: home.home.id, name, actions });
const scenes = async (): Promise<readonly { name: string; id: string; actions: { targetValue: unknown }[] }[]> =>
  (await rest.get(`/rest/scenes?home=${home.home.id}`)).body;
const builtIn = async (name: string) => (await scenes()).find((scene) => scene.name === name);

function attach(deviceId: string, ...accessories: Parameters<typeof home.driver.describe>[1]): void {
  home.driver.attach(home.home.id, { deviceId, name: deviceId, setupCode: '1', accessories });
}

describe('decisions §5: a scene', () => {
  it('is a named list of {accessoryId, characteristicType, targetValue}, at least one', async () => {
    expect((await create('Evening', [on('Lamp')])).body.actions).toEqual([{ ...on('Lamp'), accessoryName: 'Lamp' }]);
    expect((await create('Nothing', [])).status).toBe(422);
  });

  it('has a name that ends in a letter or number and is unique in its home, ignoring case', async () => {
    await create('Evening', [on('Lamp')]);
    for (const name of ['EVENING', 'Party!', 'Party ', 'Party …']) {
      const answer = await create(name, [on('Lamp')]);
      // A blank at the end is no part of the name.
      expect([name, answer.status]).toEqual([name, name === 'Party ' ? 200 : 422]);
    }
  });

  it('writes all actions at once: one call to the driver, for any number of accessories', async () => {
    const { id } = (await create('All', [on('Lamp'), on('Heater'), on('Kettle')])).body;
    await rest.post(`/rest/scenes/${id}/execute`);
    expect(home.driver.writes.map((writes) => writes.length)).toEqual([3]);
  });

  it('answers {success, sceneId, failed, errors[]}, success only if every action succeeded', async () => {
    const { id } = (await create('All', [on('Lamp'), on('Heater')])).body;
    const good = await rest.post(`/rest/scenes/${id}/execute`);
    expect(good.body).toEqual({ success: true, sceneId: id, failed: 0, errors: [] });
    home.driver.setReachable(LAMP, false);
    const bad = await rest.post(`/rest/scenes/${id}/execute`);
    expect(bad.body).toMatchObject({ success: false, sceneId: id, failed: 1 });
    expect(bad.body.errors).toEqual([expect.stringContaining('Lamp')]);
    const byName = await rest.post('/rest/scene', { home: slugKey('My Home', home.home.id), name: 'All' });
    expect(byName.body).toEqual(bad.body);
  });

  it('is not created if any action is invalid', async () => {
    for (const wrong of [
      { ...on('Motion'), characteristicType: 'motion' },
      { ...on('Lamp'), targetValue: 'maybe' },
      { ...on('Lamp'), accessoryId: '00000000-0000-4000-8000-000000000000' },
      { ...on('Lamp'), characteristicType: 'target_temp' },
    ]) {
      expect((await create('Half', [on('Lamp'), wrong])).status).toBeGreaterThanOrEqual(404);
    }
    expect(await scenes()).toEqual([]);
  });

  it('that a native automation owns can be fetched by id, is not in _scenes, and its delete error names the automation', async () => {
    const owned = {
      id: '7f1f3c2e-55b5-4b39-9a3b-2f2f1a9d0c11',
      homeId: home.home.id,
      name: 'Sunset',
      actions: [{ accessoryId: home.named('Lamp').id, serviceIid: null, type: '25', value: true }],
      automationId: 'a1',
      icon: null,
      color: null,
      createdAt: 1,
    };
    home.storeAutomation('a1', 'Lights at dusk');
    new SceneStore(home.database).save(owned);
    home.state.scenes.put(owned);
    expect((await rest.get(`/rest/scenes/${owned.id}`)).body).toMatchObject({ automationName: 'Lights at dusk' });
    expect((await rest.get('/rest/state')).text).not.toContain('Sunset');
    const { status, body } = await rest.delete(`/rest/scenes/${owned.id}`);
    expect([status, body.error]).toEqual([422, expect.stringContaining('"Lights at dusk"')]);
  });
});

describe('decisions §5: built-in scenes', () => {
  it('"Good Night": lights off, locks locked, blinds closed', async () => {
    attach(
      'blind',
      {
        aid: '1',
        name: 'Blind',
        category: 14,
        services: [information('Blind'), service('8', '8C', [characteristic('9', '7C', 'uint8', 70)])],
      },
      plainSwitch('Fan Switch', '2'),
    );
    home.driver.event(LAMP, '1', '9', true);
    home.driver.event(LOCK, '1', '10', 0);
    home.driver.event('blind', '2', '9', true);
    const { actions } = (await builtIn('Good Night')) ?? { actions: [] };
    expect(actions).toMatchObject([
      { accessoryName: 'Blind', targetValue: 0 },
      { accessoryName: 'Front Door', targetValue: 1 },
      { accessoryName: 'Lamp', targetValue: false },
    ]);
  });

  it('"Leave Home": lights and outlets’ lights off, locks locked', async () => {
    const outlet = (aid: string, name: string) => ({
      aid,
      name,
      category: 7,
      services: [information(name), service('8', '47', [characteristic('9', '25', 'bool', true)])],
    });
    attach('outlets', outlet('1', 'Floor Lamp'), outlet('2', 'Freezer'));
    home.driver.event(LAMP, '1', '9', true);
    home.driver.event(LOCK, '1', '10', 0);
    expect((await builtIn('Leave Home'))?.actions).toMatchObject([
      { accessoryName: 'Floor Lamp', targetValue: false },
      { accessoryName: 'Front Door', targetValue: 1 },
      { accessoryName: 'Lamp', targetValue: false },
    ]);
  });

  it('are computed live, never empty-handed: listed only when they would do something', async () => {
    expect(await scenes()).toEqual([]);
    home.driver.event(LAMP, '1', '9', true);
    expect((await scenes()).map(({ name }) => name)).toEqual(['Good Night', 'Leave Home']);
    const { id } = (await builtIn('Good Night')) ?? { id: '' };
    await rest.post(`/rest/scenes/${id}/execute`);
    expect(await scenes()).toEqual([]);
  });

  it('never unlock, open or disarm', async () => {
    attach(
      'mixed',
      {
        aid: '1',
        name: 'Alarm',
        category: 11,
        services: [information('Alarm'), service('8', '7E', [characteristic('10', '67', 'uint8', 1)])],
      },
      {
        aid: '2',
        name: 'Garage',
        category: 4,
        services: [information('Garage'), service('8', '41', [characteristic('10', '32', 'uint8', 1)])],
      },
    );
    home.driver.event(LAMP, '1', '9', true);
    const all = (await scenes()).flatMap(({ actions }) => actions);
    expect(all).toMatchObject([{ accessoryName: 'Lamp' }, { accessoryName: 'Lamp' }]);
  });
});

describe('decisions §5: a service group', () => {
  const make = (name: string, ...members: string[]) =>
    rest.post('/rest/service-groups', {
      homeId: home.home.id,
      name,
      accessoryIds: members.map((member) => home.named(member).id),
    });

  it.each([
    ['light', '43', '25'],
    ['switch', '49', '25'],
    ['outlet', '47', '25'],
    ['fan', 'B7', 'B0'],
    ['blind', '8C', '7C'],
  ])('is a named set of services of one kind: %s', async (type, serviceType, first) => {
    const services = [service('8', serviceType, [characteristic('9', first, 'uint8', 0)])];
    attach(
      'kind',
      { aid: '1', name: 'One', category: 1, services: [information('One'), ...services] },
      { aid: '2', name: 'Two', category: 1, services: [information('Two'), ...services] },
    );
    expect((await make('Both', 'One', 'Two')).body).toMatchObject({ type });
    expect((await make('Mixed', 'One', 'Thermostat')).status).toBe(422);
  });

  it('is `on` if any member is on, and for numbers the mean of the members that are on', async () => {
    attach('second', lamp('Bedside'));
    const { id } = (await make('Lights', 'Lamp', 'Bedside')).body;
    const state = async () => (await rest.get(`/rest/service-groups/${id}`)).body.state;
    home.driver.event(LAMP, '1', '9', true);
    home.driver.event(LAMP, '1', '10', 20);
    home.driver.event('second', '1', '10', 90);
    expect(await state()).toMatchObject({ on: true, brightness: 20 });
    home.driver.event('second', '1', '9', true);
    expect(await state()).toMatchObject({ on: true, brightness: 55 });
  });
});

describe('decisions §5: sets of rooms, and what exists for sharing', () => {
  it('zones are named sets of rooms', async () => {
    const { roomId } = home.named('Lamp');
    const made = await rest.post('/rest/zones', { homeId: home.home.id, name: 'Downstairs', roomIds: [roomId] });
    expect(made.body).toMatchObject({ name: 'Downstairs', roomIds: [roomId] });
    expect((await rest.get(`/rest/zones?home=${home.home.id}`)).body).toEqual([made.body]);
  });

  it('room groups have the shape of wire-facts §4.4, collections their payload', async () => {
    const query = `mutation($h:String!,$r:[String!]!){
      createRoomGroup(name:"Ground floor",homeId:$h,roomIds:$r){id entityType entityId parentId dataJson layoutJson}
      createCollection(name:"Favourites"){id name payload createdAt}
    }`;
    const variables = { h: home.home.id, r: [home.named('Lamp').roomId] };
    const { createRoomGroup, createCollection } = (await rest.post('/graphql', { query, variables })).body.data;
    expect(createRoomGroup).toMatchObject({
      entityType: 'room_group',
      entityId: createRoomGroup.id,
      parentId: home.home.id,
    });
    expect(JSON.parse(createRoomGroup.dataJson)).toMatchObject({ name: 'Ground floor', roomIds: variables.r });
    expect(JSON.parse(createCollection.payload)).toEqual({ groups: [], items: [] });
  });
});
