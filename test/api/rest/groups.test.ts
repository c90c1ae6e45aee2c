/** Service groups, zones, room groups and collections: what goes beyond the API. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});
afterEach(() => home.close());

const NO_CALLER = '00000000-0000-4000-8000-000000000000';

describe('service groups', () => {
  it('are created, shown, changed, set and deleted', async () => {
    const [heater, kettle] = [home.named('Heater'), home.named('Kettle')];
    const homeId = home.home.id;
    const created = await rest.post('/rest/service-groups', { homeId, name: 'Hot', accessoryIds: [heater.id] });
    const room = home.state.room(heater.roomId);
    expect([created.status, created.body]).toEqual([
      200,
      {
        id: expect.any(String),
        name: 'Hot',
        homeId,
        type: 'switch',
        icon: null,
        roomId: room?.id,
        roomName: room?.name,
        isReachable: true,
        serviceIds: [`${heater.id}.8`],
        accessoryIds: [heater.id],
        state: { on: false },
        settable: ['on'],
      },
    ]);
    const path = `/rest/service-groups/${created.body.id}`;
    const serviceIds = [`${kettle.id}.8`, `${heater.id}.8`];
    const changed = await rest.patch(path, { name: 'Hotter', serviceIds });
    expect(changed.body).toMatchObject({ name: 'Hotter', serviceIds, accessoryIds: [kettle.id, heater.id] });
    const set = await rest.post(`${path}/set`, { characteristicType: 'power_state', value: true });
    expect(set.body).toEqual({ success: true, groupId: created.body.id, affectedCount: 2, failed: 0, errors: [] });
    expect((await rest.get(path)).body.state).toEqual({ on: true });
    expect((await rest.get(`/rest/service-groups?home=${homeId}`)).body).toEqual(
      (await rest.get('/rest/service-groups')).body,
    );
    expect((await rest.delete(path)).body).toEqual({ success: true, groupId: created.body.id });
    expect((await rest.get(path)).body).toMatchObject({ code: 'service_group_not_found' });
  });

  it('are shown without a state while none of their members is there', async () => {
    const accessoryIds = [home.named('Lamp').id];
    const { id } = home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Away', accessoryIds });
    await home.driver.unpair('10:00:00:00:00:01', true);
    const { body } = await rest.get(`/rest/service-groups/${id}`);
    expect(body).toMatchObject({
      roomId: null,
      roomName: null,
      isReachable: false,
      state: {},
      settable: [],
      accessoryIds,
    });
  });

  it.each([
    [400, 'POST', '/rest/service-groups', { name: 'x' }],
    [422, 'POST', '/rest/service-groups', () => ({ homeId: home.home.id, name: 'x' })],
    [404, 'POST', '/rest/service-groups', () => ({ homeId: home.home.id, name: 'x', accessoryIds: [NO_CALLER] })],
    [422, 'POST', '/rest/service-groups', () => ({ homeId: home.home.id, name: 'x', accessoryIds: 'y' })],
    [400, 'POST', '/rest/service-groups', () => ({ homeId: home.home.id, name: 'x', members: [] })],
    [404, 'PATCH', `/rest/service-groups/${NO_CALLER}`, { name: 'x' }],
    [404, 'POST', `/rest/service-groups/${NO_CALLER}/set`, { characteristicType: 'on', value: true }],
    [400, 'POST', `/rest/service-groups/${NO_CALLER}/set`, { value: true }],
    [404, 'DELETE', `/rest/service-groups/${NO_CALLER}`, undefined],
    [400, 'GET', '/rest/service-groups?home=x', undefined],
  ])('%i answers %s %s', async (status, method, path, given) => {
    const answer = await rest.request(method, path, typeof given === 'function' ? given() : given);
    expect([answer.status, typeof answer.body.error]).toEqual([status, 'string']);
  });
});

describe.each([
  ['zones', 'zoneId'],
  ['room-groups', 'groupId'],
])('%s', (resource, idName) => {
  it('are created, listed, changed and deleted', async () => {
    const homeId = home.home.id;
    const roomIds = home.state.rooms(homeId).map(({ id }) => id);
    const { body } = await rest.post(`/rest/${resource}`, { homeId, name: 'Down', roomIds });
    expect(body).toEqual({ id: expect.any(String), homeId, name: 'Down', roomIds });
    const path = `/rest/${resource}/${body.id}`;
    const changed = { ...body, name: 'Up', roomIds: roomIds.slice(0, 1) };
    expect((await rest.patch(path, { name: 'Up', roomIds: roomIds.slice(0, 1) })).body).toEqual(changed);
    expect((await rest.get(`/rest/${resource}?home=${homeId}`)).body).toEqual([changed]);
    expect((await rest.delete(path)).body).toEqual({ success: true, [idName]: body.id });
    expect((await rest.delete(path)).status).toBe(404);
    expect((await rest.post(`/rest/${resource}`, { homeId, name: 'Down' })).status).toBe(400);
    expect((await rest.post(`/rest/${resource}`, { homeId, name: 'Down', roomIds: [NO_CALLER] })).status).toBe(404);
  });
});

describe('collections', () => {
  it('are created, listed, changed and deleted', async () => {
    const created = await rest.post('/rest/collections', { name: 'Evening' });
    const collection = { id: expect.any(String), name: 'Evening', payload: { groups: [], items: [] } };
    expect(created.body).toEqual({ ...collection, createdAt: new Date(home.clock.now()).toISOString() });
    const path = `/rest/collections/${created.body.id}`;
    const items = [{ home_id: home.home.id, accessory_id: home.named('Lamp').id }];
    const { body } = await rest.patch(path, { payload: { groups: [], items } });
    expect(body.payload.items).toEqual([{ ...items[0], home_name: 'My Home' }]);
    expect((await rest.get('/rest/collections')).body).toEqual([body]);
    expect((await rest.patch(path, { payload: { items: [{}] } })).status).toBe(422);
    expect((await rest.delete(path)).body).toEqual({ success: true, collectionId: created.body.id });
    expect((await rest.patch(path, {})).status).toBe(404);
  });
});
