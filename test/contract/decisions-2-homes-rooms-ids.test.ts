/** Decisions §2, through the APIs that clients have: homes, rooms, ids, slugs, and what has vanished. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { slugKey } from '../../src/home/slug.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { plainSwitch } from '../support/sample-accessories.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

const DAY_MS = 86_400_000;
const BRIDGE = '10:00:00:00:00:06';
const KETTLE_AID = '18168078900403521793';
const UUID_V5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let home: TestHome;
let rest: RestClient;

beforeEach(() => open(createTestHome({ sample: true })));
afterEach(() => home.close());

function open(opened: TestHome): void {
  home = opened;
  rest = createRestClient(createTestApi(home), createToken(home));
}

async function ask(query: string, variables: object = {}) {
  const { body } = await rest.post('/graphql', { query, variables });
  expect(body.errors).toBeUndefined();
  return body.data;
}

const namesOf = (list: readonly { name: string }[]): readonly string[] => list.map(({ name }) => name);
const accessory = async (id: string) => (await rest.get(`/rest/accessories/${id}`)).body;

describe('decisions §2: homes and rooms', () => {
  it('a relay holds one or more homes', async () => {
    const { id } = (await rest.post('/rest/homes', { name: 'Cottage' })).body;
    expect([...namesOf((await rest.get('/rest/homes')).body)].sort()).toEqual(['Cottage', 'My Home']);
    expect((await rest.delete(`/rest/homes/${id}`)).status).toBe(200);
    const last = await rest.delete(`/rest/homes/${home.home.id}`);
    expect([last.status, last.body.code]).toEqual([422, 'conflict']);
  });

  it('a pairing belongs to one home', async () => {
    const { id: cottage } = (await rest.post('/rest/homes', { name: 'Cottage' })).body;
    home.driver.addDevice({ deviceId: 'AA', name: 'Sauna', setupCode: '1', accessories: [plainSwitch('Sauna')] });
    await rest.post('/rest/pairings', { device: 'AA', homeId: cottage, setupCode: '1' });
    const { id, homeId } = home.named('Sauna');
    expect(homeId).toBe(cottage);
    const listed = async (of: string) =>
      (await rest.get(`/rest/pairings?home=${of}`)).body.map(({ deviceId }: { deviceId: string }) => deviceId);
    expect(await listed(cottage)).toEqual(['AA']);
    expect(await listed(home.home.id)).not.toContain('AA');
    const moved = await rest.patch(`/rest/accessories/${id}`, { roomId: home.named('Lamp').roomId });
    expect([moved.status, moved.body.code]).toEqual([404, 'room_not_found']);
  });

  it('homes, rooms, zones, service groups, scenes, names and room assignments are set by GraphQL and outlive the process', async () => {
    using directory = createTempDirectory('decisions-2');
    home.close();
    open(createTestHome({ path: directory.file('relay.db'), sample: true }));
    const lampId = home.named('Lamp').id;
    const h = home.home.id;
    const { createRoom: room } = await ask('mutation($h:String!){createRoom(homeId:$h,name:"Attic"){id}}', { h });
    await ask(
      `mutation($h:String!,$lamp:String!,$room:String!,$actions:JSON!){
        renameHome(homeId:$h,name:"House"){id}
        createHome(name:"Cottage"){id}
        createZone(homeId:$h,name:"Upstairs",roomIds:[$room]){id}
        createServiceGroup(homeId:$h,name:"Lights",accessoryIds:[$lamp]){id}
        createScene(homeId:$h,name:"Evening",actions:$actions){id}
        renameAccessory(accessoryId:$lamp,name:"Reading Lamp"){id}
        moveAccessory(accessoryId:$lamp,roomId:$room){id}
      }`,
      {
        h,
        lamp: lampId,
        room: room.id,
        actions: [{ accessoryId: lampId, characteristicType: 'on', targetValue: true }],
      },
    );
    const everything = `query($h:String!,$lamp:String!){
      homes{id name} rooms(homeId:$h){id name} zones(homeId:$h){id name roomIds}
      serviceGroups(homeId:$h){id name serviceIds} scenes(homeId:$h){id name actions}
      accessory(accessoryId:$lamp){id name roomId roomName}
    }`;
    const before = await ask(everything, { h, lamp: lampId });
    expect([...namesOf(before.homes)].sort()).toEqual(['Cottage', 'House']);
    expect(before.accessory).toMatchObject({ name: 'Reading Lamp', roomId: room.id, roomName: 'Attic' });
    home.close();
    open(createTestHome({ path: directory.file('relay.db') }));
    expect(await ask(everything, { h, lamp: lampId })).toEqual(before);
  });

  it('every home has a default room ("Default Room", isDefault), so roomId is never null', async () => {
    const { id } = (await rest.post('/rest/homes', { name: 'Cottage' })).body;
    const { body: rooms } = await rest.get(`/rest/rooms?home=${id}`);
    expect(rooms).toEqual([expect.objectContaining({ name: 'Default Room', isDefault: true })]);
    expect((await rest.delete(`/rest/rooms/${rooms[0].id}`)).status).toBe(422);
    for (const { roomId } of (await rest.get('/rest/accessories')).body) expect(roomId).toMatch(UUID);
    await rest.delete(`/rest/rooms/${home.named('Lamp').roomId}`);
    expect((await accessory(home.named('Lamp').id)).roomName).toBe('Default Room');
  });

  it('rooms’ names are unique in a home, ignoring case', async () => {
    const again = await rest.post('/rest/rooms', { homeId: home.home.id, name: 'LIVING room' });
    expect([again.status, again.body.code]).toEqual([422, 'conflict']);
    const { id } = (await rest.post('/rest/homes', { name: 'Cottage' })).body;
    expect((await rest.post('/rest/rooms', { homeId: id, name: 'Living Room' })).status).toBe(200);
  });
});

describe('decisions §2: ids', () => {
  it('are UUIDs in lower case, matched case-insensitively, in REST and GraphQL', async () => {
    const { id, roomId, homeId } = home.named('Lamp');
    for (const each of [id, roomId, homeId]) expect(each).toMatch(UUID);
    expect((await accessory(id.toUpperCase())).name).toBe('Lamp');
    const query = `/rest/accessories?home=${homeId.toUpperCase()}&room=${roomId.toUpperCase()}`;
    expect(namesOf((await rest.get(query)).body)).toContain('Lamp');
    const upper = { h: homeId.toUpperCase(), a: id.toUpperCase() };
    const found = await ask('query($h:String!,$a:String!){accessory(accessoryId:$a,homeId:$h){id}}', upper);
    expect(found.accessory.id).toBe(id);
  });

  it('an accessory’s derives from device id and aid (UUID v5), so that re-pairing gives the same; then it is stored', async () => {
    const { id } = home.named('Kettle');
    expect(id).toMatch(UUID_V5);
    expect(home.database.prepare('SELECT count(*) FROM accessories WHERE id = ?').pluck().get(id)).toBe(1);
    await rest.delete(`/rest/pairings/${BRIDGE}`);
    expect((await rest.get(`/rest/accessories/${id}`)).status).toBe(404);
    await rest.post('/rest/pairings', { device: BRIDGE, setupCode: '031-45-159' });
    expect(home.named('Kettle').id).toBe(id);
    const elsewhere = createTestHome({ sample: true });
    expect(elsewhere.named('Kettle').id).toBe(id);
    elsewhere.close();
  });

  it('no two of {accessories, virtual accessories, service groups} of a home share their last four characters', () => {
    // Among a thousand ids some eight pairs would, without care.
    const many = Array.from({ length: 940 }, (_, index) => plainSwitch(`Switch ${index}`, String(index + 1)));
    home.driver.attach(home.home.id, { deviceId: 'BB', name: 'Big', setupCode: '1', accessories: many });
    const homeId = home.home.id;
    for (let index = 0; index < 30; index += 1) {
      home.virtuals.create(systemCaller, { homeId, name: `Mode ${index}`, type: 'mode' });
      const accessoryIds = [home.named(`Switch ${index}`).id];
      home.serviceGroups.create(systemCaller, { homeId, name: `Group ${index}`, accessoryIds });
    }
    const ids = [...home.state.accessories(homeId), ...home.state.serviceGroups.list(homeId)].map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(1_000);
    expect(new Set(ids.map((id) => id.slice(-4))).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/[0-9a-f]{4}$/);
  });
});

describe('decisions §2: slugs', () => {
  it('two items of one parent never share a key, for every name', async () => {
    const twins = ['1', '2', '3'].map((aid) => plainSwitch('Twin', aid));
    home.driver.attach(home.home.id, { deviceId: 'CC', name: 'Twins', setupCode: '1', accessories: twins });
    const { body } = await rest.get('/rest/state?name=twin');
    const rooms = body[slugKey(home.home.name, home.home.id)];
    const [room] = Object.keys(rooms).filter((key) => !key.startsWith('_'));
    expect(Object.keys(rooms[room ?? ''])).toHaveLength(3);
  });
});

describe('decisions §2: a vanished accessory or bridge child', () => {
  const vanish = (): void => home.driver.describe(BRIDGE, [plainSwitch('Heater', '2')]);
  const comeBack = (): void => {
    home.driver.describe(BRIDGE, [plainSwitch('Heater', '2'), plainSwitch('Kettle', KETTLE_AID)]);
    home.driver.setReachable(BRIDGE, true);
  };

  it('keeps its id, name, room, scenes and groups for 30 days, unreachable', async () => {
    const { id } = home.named('Kettle');
    const { roomId } = home.named('Lamp');
    await rest.patch(`/rest/accessories/${id}`, { name: 'Tea', roomId });
    const actions = [{ accessoryId: id, characteristicType: 'on', targetValue: true }];
    const scene = (await rest.post('/rest/scenes', { homeId: home.home.id, name: 'Breakfast', actions })).body;
    const group = { homeId: home.home.id, name: 'Counter', accessoryIds: [id] };
    const groupId = (await rest.post('/rest/service-groups', group)).body.id;
    vanish();
    await home.clock.advance(29 * DAY_MS);
    expect(await accessory(id)).toMatchObject({ name: 'Tea', roomId, reachable: false });
    expect((await rest.get(`/rest/scenes/${scene.id}`)).body.actions).toEqual(scene.actions);
    expect((await rest.get(`/rest/service-groups/${groupId}`)).body.accessoryIds).toEqual([id]);
    comeBack();
    expect(await accessory(id)).toMatchObject({ name: 'Tea', roomId, reachable: true });
  });

  it('is forgotten after that only if nothing refers to it', async () => {
    const { id } = home.named('Kettle');
    const group = { homeId: home.home.id, name: 'Counter', accessoryIds: [id] };
    const groupId = (await rest.post('/rest/service-groups', group)).body.id;
    vanish();
    await home.clock.advance(60 * DAY_MS);
    expect((await accessory(id)).reachable).toBe(false);
    await rest.delete(`/rest/service-groups/${groupId}`);
    await home.clock.advance(2 * DAY_MS);
    expect((await rest.get(`/rest/accessories/${id}`)).status).toBe(404);
  });
});
