/**
 * Wire-facts §4 through the whole API: how GraphQL is spoken to, and what answers hold where the API document and
 * clients name things differently. That each document of theirs is valid is in api/graphql/clients.test.ts.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});
afterEach(() => home.close());

async function ask(query: string, variables: object = {}) {
  const { body } = await rest.post('/graphql', { query, variables });
  expect(body.errors).toBeUndefined();
  return body.data;
}

describe('wire-facts §4.1: transport', () => {
  it('real execution: operationName chooses, aliases and selections count, variables are taken', async () => {
    const query = 'query A { homes { id } } query B($id: String!) { one: rooms(homeId: $id) { name } }';
    const { body } = await rest.post('/graphql', { query, operationName: 'B', variables: { id: home.home.id } });
    expect(body).toEqual({ data: { one: [{ name: 'Default Room' }, { name: 'Living Room' }] } });
  });

  it('GET takes a query too, and no mutation', async () => {
    expect((await rest.get(`/graphql?query=${encodeURIComponent('{homes{name}}')}`)).body).toEqual({
      data: { homes: [{ name: 'My Home' }] },
    });
    const written = await rest.get(`/graphql?query=${encodeURIComponent('mutation{createHome(name:"X"){id}}')}`);
    expect(written.status).toBe(405);
    expect(home.state.homes()).toHaveLength(1);
  });

  it('an empty query is reported in GraphQL’s shape', async () => {
    for (const body of [{}, { query: '' }, { query: '', operationName: 'GetHomes', variables: {} }]) {
      const answer = await rest.post('/graphql', body);
      expect(answer.body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    }
  });

  it('errors come as `errors:[{message}]` with the code that the API document requires', async () => {
    const { body } = await createRestClient(createTestApi(home)).post('/graphql', { query: '{homes{id}}' });
    expect(body.errors).toMatchObject([
      { message: expect.any(String), extensions: { code: 'AUTHENTICATION_REQUIRED' } },
    ]);
  });
});

describe('wire-facts §4.2: the union of names, with one value under both', () => {
  it('Accessory, service and characteristic', async () => {
    const { accessory } = await ask(
      `query($id:String!){accessory(accessoryId:$id){reachable isReachable roomName services{
        id name type serviceType characteristics{
          id type characteristicType value canRead isReadable canWrite isWritable minValue maxValue minStep stepValue
          format description unit validValues
        }
      }}}`,
      { id: home.named('Thermostat').id },
    );
    expect(accessory).toMatchObject({ reachable: true, isReachable: true, roomName: 'Living Room' });
    const [, thermostat] = accessory.services;
    expect([thermostat.type, thermostat.serviceType]).toEqual(['thermostat', 'thermostat']);
    for (const each of thermostat.characteristics) {
      expect(each).toMatchObject({
        characteristicType: each.type,
        isReadable: each.canRead,
        isWritable: each.canWrite,
        stepValue: each.minStep,
      });
    }
    const target = thermostat.characteristics.find(({ type }: { type: string }) => type === 'target_temperature');
    expect(target).toMatchObject({
      value: 21,
      canRead: true,
      canWrite: true,
      minValue: 10,
      maxValue: 30,
      minStep: 0.1,
    });
  });

  it('CachedHome and Home', async () => {
    const { homes, cachedHomes } = await ask(
      `{ homes{id name role isPrimary roomCount accessoryCount isAdmin}
         cachedHomes{homeId id name role isConnected memberCount updatedAt ownerEmail mqttEnabled relayConnected relayLastSeenAt} }`,
    );
    expect(homes).toEqual([
      {
        id: home.home.id,
        name: 'My Home',
        role: 'owner',
        isPrimary: true,
        roomCount: 2,
        accessoryCount: 7,
        isAdmin: true,
      },
    ]);
    const [cached] = cachedHomes;
    expect(cached).toMatchObject({ homeId: home.home.id, id: home.home.id, isConnected: true, relayConnected: true });
  });

  it('Room and Scene; a scene’s actions are a JSON text', async () => {
    const actions = [{ accessoryId: home.named('Lamp').id, characteristicType: 'on', targetValue: true }];
    await rest.post('/rest/scenes', { homeId: home.home.id, name: 'Evening', actions });
    const { rooms, scenes } = await ask(
      'query($h:String!){rooms(homeId:$h){id name homeId accessoryCount} scenes(homeId:$h){id name homeId actionCount actionSetType automationName actions}}',
      { h: home.home.id },
    );
    expect(rooms[1]).toMatchObject({ name: 'Living Room', homeId: home.home.id, accessoryCount: 3 });
    expect(scenes[0]).toMatchObject({
      name: 'Evening',
      actionCount: 1,
      actionSetType: 'user_defined',
      automationName: null,
    });
    expect(JSON.parse(scenes[0].actions)).toMatchObject([{ accessoryName: 'Lamp', targetValue: true }]);
  });

  it('SetCharacteristicResult: success, accessoryId, characteristicType, value, error', async () => {
    const accessoryId = home.named('Lamp').id;
    const { setCharacteristic } = await ask(
      `mutation($a:String!){setCharacteristic(accessoryId:$a,characteristicType:"on",value:"true"){
        success accessoryId characteristicType value error
      }}`,
      { a: accessoryId },
    );
    expect(setCharacteristic).toEqual({
      success: true,
      accessoryId,
      characteristicType: 'power_state',
      value: true,
      error: null,
    });
  });

  it('createAccessToken: the string wins for `token`; rawToken has the same, accessToken the row', async () => {
    const homePermissions = JSON.stringify({ [home.home.id]: 'view' });
    const { createAccessToken } = await ask(
      `mutation($p:String){createAccessToken(name:"Panel",homePermissions:$p){
        success error token rawToken accessToken{id name tokenPrefix homePermissions}
      }}`,
      { p: homePermissions },
    );
    expect(createAccessToken.token).toMatch(/^hc_[\w-]{43}$/);
    expect(createAccessToken.rawToken).toBe(createAccessToken.token);
    expect(createAccessToken.accessToken).toMatchObject({ name: 'Panel', homePermissions });
  });

  it.each([
    ['"true"', true],
    ['true', true],
    ['"\\"true\\""', true],
    ['"on"', true],
    ['1', true],
    ['"0"', false],
  ])('values: send native JSON, decode strings on input: value: %s', async (value, written) => {
    const a = home.named('Lamp').id;
    const query = `mutation($a:String!){setCharacteristic(accessoryId:$a,characteristicType:"on",value:${value}){success value}}`;
    expect((await ask(query, { a })).setCharacteristic).toEqual({ success: true, value: written });
  });
});

describe('wire-facts §4.3: types that the API document leaves open', () => {
  it('Zone, ServiceGroup, CharacteristicValue, ExecuteSceneResult, DeleteSceneResult, SetServiceGroupResult', async () => {
    const lamp = home.named('Lamp');
    const made = await ask(
      `mutation($h:String!,$a:String!,$r:String!){
        createZone(homeId:$h,name:"Down",roomIds:[$r]){id name roomIds}
        createServiceGroup(homeId:$h,name:"Lights",accessoryIds:[$a]){id name serviceIds accessoryIds homeId}
        createScene(homeId:$h,name:"Evening",actions:[{accessoryId:$a,characteristicType:"on",targetValue:true}]){id}
      }`,
      { h: lamp.homeId, a: lamp.id, r: lamp.roomId },
    );
    expect(made.createZone).toMatchObject({ name: 'Down', roomIds: [lamp.roomId] });
    expect(made.createServiceGroup).toMatchObject({
      accessoryIds: [lamp.id],
      serviceIds: [`${lamp.id}.8`],
      homeId: lamp.homeId,
    });
    const [g, s] = [made.createServiceGroup.id, made.createScene.id];
    const done = await ask(
      `mutation($h:String!,$g:String!,$s:String!){
        setServiceGroup(homeId:$h,groupId:$g,characteristicType:"brightness",value:"35"){success groupId affectedCount}
        executeScene(sceneId:$s){success sceneId}
        deleteScene(sceneId:$s,homeId:$h){success sceneId}
      }`,
      { h: lamp.homeId, g, s },
    );
    expect(done).toEqual({
      setServiceGroup: { success: true, groupId: g, affectedCount: 1 },
      executeScene: { success: true, sceneId: s },
      deleteScene: { success: true, sceneId: s },
    });
    const { characteristicGet } = await ask(
      'query($a:String!){characteristicGet(accessoryId:$a,characteristicType:"brightness"){accessoryId characteristicType value}}',
      { a: lamp.id },
    );
    expect(characteristicGet).toEqual({ accessoryId: lamp.id, characteristicType: 'brightness', value: 35 });
  });

  it('AccessTokenInfo: homePermissions; tokenPrefix is the first 11 characters', async () => {
    const { createAccessToken } = await ask(
      'mutation{createAccessToken(name:"Panel"){token accessToken{tokenPrefix}}}',
    );
    expect(createAccessToken.accessToken.tokenPrefix).toBe(createAccessToken.token.slice(0, 11));
  });
});

describe('wire-facts §4.4: operations beyond the API document', () => {
  it('scenes: createScene(actions JSON string), updateScene, deleteScene', async () => {
    const actions = JSON.stringify([
      { accessoryId: home.named('Lamp').id, characteristicType: 'on', targetValue: true },
    ]);
    const { createScene } = await ask(
      'mutation($h:String!,$a:String!){createScene(homeId:$h,name:"Evening",actions:$a){id name actionCount}}',
      { h: home.home.id, a: actions },
    );
    expect(createScene).toMatchObject({ name: 'Evening', actionCount: 1 });
    const changed = await ask(
      'mutation($s:String!,$h:String,$a:String){updateScene(sceneId:$s,homeId:$h,name:"Night",actions:$a){name}}',
      { s: createScene.id, h: home.home.id, a: actions },
    );
    expect(changed.updateScene.name).toBe('Night');
  });

  it('collections: create, update (payload JSON), list, delete → Boolean', async () => {
    const { createCollection } = await ask('mutation{createCollection(name:"Favourites"){id name payload createdAt}}');
    const payload = JSON.stringify({
      groups: [{ id: 'g1', name: 'Lights' }],
      items: [{ home_id: home.home.id, accessory_id: home.named('Lamp').id, group_id: 'g1' }],
    });
    const { updateCollection } = await ask(
      'mutation($c:String!,$p:String){updateCollection(collectionId:$c,payload:$p){payload}}',
      { c: createCollection.id, p: payload },
    );
    expect(JSON.parse(updateCollection.payload)).toMatchObject(JSON.parse(payload));
    expect((await ask('{collections{id name payload createdAt}}')).collections).toHaveLength(1);
    const gone = await ask('mutation($c:String!){deleteCollection(collectionId:$c)}', { c: createCollection.id });
    expect(gone).toEqual({ deleteCollection: true });
  });

  it('room groups: rows with dataJson; virtual accessories: saveVirtualAccessory(data), deleteVirtualAccessory → Boolean', async () => {
    const ROW = 'id entityType entityId parentId dataJson layoutJson updatedAt';
    const { createRoomGroup } = await ask(
      `mutation($h:String!,$r:[String!]!){createRoomGroup(name:"Down",homeId:$h,roomIds:$r){${ROW}}}`,
      { h: home.home.id, r: [home.named('Lamp').roomId] },
    );
    expect(JSON.parse(createRoomGroup.dataJson)).toMatchObject({ name: 'Down' });
    const { saveVirtualAccessory } = await ask(
      `mutation($h:String!,$d:String!){saveVirtualAccessory(homeId:$h,data:$d){${ROW}}}`,
      { h: home.home.id, d: '{"name":"Home mode","type":"mode","options":["Home","Away"]}' },
    );
    expect(JSON.parse(saveVirtualAccessory.dataJson)).toMatchObject({ name: 'Home mode', options: ['Home', 'Away'] });
    const a = saveVirtualAccessory.entityId;
    expect(await ask('mutation($a:String!){deleteVirtualAccessory(accessoryId:$a)}', { a })).toEqual({
      deleteVirtualAccessory: true,
    });
  });

  it('health, version', async () => {
    expect(await ask('{health version deployedAt}')).toEqual({ health: 'ok', version: '0.0.0-test', deployedAt: null });
  });
});
