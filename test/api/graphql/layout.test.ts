/** Homes, rooms, zones, room groups, service groups and collections through GraphQL. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { createToken } from '../../support/rest-client.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';
import { createGraphqlFixture, type GraphqlFixture } from './graphql-fixture.ts';

let home: TestHome;
let fixture: GraphqlFixture;

beforeEach(() => {
  home = createTestHome({ sample: true });
  fixture = createGraphqlFixture(home, createSchema());
});
afterEach(() => home.close());

/** The answer's data, which must be without errors. */
async function data(query: string, variables?: object) {
  const { body } = await fixture.ask(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

function roomIds(): readonly string[] {
  return home.state.rooms(home.home.id).map(({ id }) => id);
}

describe('homes', () => {
  it('return everything that REST returns', async () => {
    const { homes } = await data(
      '{ homes { id name key connected role isPrimary isAdmin roomCount accessoryCount paused privileges } }',
    );
    expect(homes).toEqual([
      {
        id: home.home.id,
        name: home.home.name,
        key: expect.stringMatching(new RegExp(`_${home.home.id.slice(-4)}$`)),
        connected: true,
        role: 'owner',
        isPrimary: true,
        isAdmin: true,
        roomCount: 2,
        accessoryCount: 7,
        paused: false,
        privileges: 'edit',
      },
    ]);
  });

  it('hold their scenes, zones, service groups and accessories for a caller who asks for all at once', async () => {
    const { home: whole } = await data(
      'query($id: String!) { home(homeId: $id) { accessories { name } scenes { name } zones { name } serviceGroups { name } rooms { accessoryCount } } }',
      { id: home.home.id },
    );
    expect(whole.accessories).toHaveLength(7);
    expect(whole.zones).toEqual([]);
    expect(whole.rooms.reduce((sum: number, room: { accessoryCount: number }) => sum + room.accessoryCount, 0)).toBe(7);
  });

  it('are made, renamed, paused, changed and deleted', async () => {
    const made = await data('mutation { createHome(name: "Cabin") { id name rooms { name isDefault } } }');
    const { id } = made.createHome;
    expect(made.createHome.rooms).toEqual([{ name: 'Default Room', isDefault: true }]);
    const changed = await data(
      `mutation($id: String!) {
        renameHome(homeId: $id, name: "Hut") { name }
        setHomePaused(homeId: $id, paused: true) { paused }
        updateHome(homeId: $id, privileges: "view", name: null) { name privileges isAdmin paused }
        deleteHome(homeId: $id) { success homeId error code }
      }`,
      { id },
    );
    expect(changed).toEqual({
      renameHome: { name: 'Hut' },
      setHomePaused: { paused: true },
      updateHome: { name: 'Hut', privileges: 'view', isAdmin: false, paused: true },
      deleteHome: { success: true, homeId: id, error: null, code: null },
    });
  });

  it('that have accessories stay, and the result gives the reason', async () => {
    await data('mutation { createHome(name: "Cabin") { id } }');
    const { deleteHome } = await data('mutation($id: String!) { deleteHome(homeId: $id) { success error code } }', {
      id: home.home.id,
    });
    expect(deleteHome).toEqual({ success: false, error: expect.stringContaining('Unpair'), code: 'conflict' });
  });
});

describe('rooms', () => {
  it('are made, renamed and deleted; the default one stays', async () => {
    const made = await data(
      'mutation($h: String!) { createRoom(homeId: $h, name: "Attic") { id name homeId isDefault } }',
      {
        h: home.home.id,
      },
    );
    const { id } = made.createRoom;
    expect(made.createRoom).toMatchObject({ name: 'Attic', homeId: home.home.id, isDefault: false });
    const rest = await data(
      `mutation($id: String!, $default: String!) {
        renameRoom(roomId: $id, name: "Loft") { name accessoryCount accessories { id } }
        gone: deleteRoom(roomId: $id) { success roomId }
        stays: deleteRoom(roomId: $default) { success code }
      }`,
      { id, default: home.state.rooms(home.home.id).find((room) => room.isDefault)?.id },
    );
    expect(rest).toEqual({
      renameRoom: { name: 'Loft', accessoryCount: 0, accessories: [] },
      gone: { success: true, roomId: id },
      stays: { success: false, code: 'conflict' },
    });
  });

  it('get a color and lose it; other changes leave it', async () => {
    const id = roomIds()[1];
    const changed = await data(
      `mutation($id: String!) {
        colored: updateRoom(roomId: $id, color: "teal") { color pictureHash }
        renamed: updateRoom(roomId: $id, name: "Lounge") { name color }
        plain: updateRoom(roomId: $id, color: null) { name color }
      }`,
      { id },
    );
    expect(changed).toEqual({
      colored: { color: 'teal', pictureHash: null },
      renamed: { name: 'Lounge', color: 'teal' },
      plain: { name: 'Lounge', color: null },
    });
    const { body } = await fixture.ask('mutation($id: String!) { updateRoom(roomId: $id, color: "tael") { id } }', {
      id,
    });
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining('Did you mean "teal"?'),
      extensions: { code: 'INVALID_VALUE', field: 'color' },
    });
  });

  it('of another home than the one named are not found', async () => {
    const { body } = await fixture.ask(
      'mutation($r: String!, $h: String) { renameRoom(roomId: $r, name: "X", homeId: $h) { id } }',
      {
        r: roomIds()[0],
        h: crypto.randomUUID(),
      },
    );
    expect(body.errors[0].extensions).toMatchObject({ code: 'NOT_FOUND', reason: 'room_not_found' });
  });

  it('show what a mutation earlier in the same document has moved', async () => {
    const living = home.state.rooms(home.home.id).find(({ name }) => name === 'Living Room');
    const result = await data(
      `mutation($a: String!, $r: String!) {
        before: renameRoom(roomId: $r, name: "Parlour") { accessoryCount }
        moveAccessory(accessoryId: $a, roomId: $r) { roomName }
        after: renameRoom(roomId: $r, name: "Lounge") { accessoryCount }
      }`,
      { a: home.named('Button').id, r: living?.id },
    );
    expect(result).toEqual({
      before: { accessoryCount: 3 },
      moveAccessory: { roomName: 'Parlour' },
      after: { accessoryCount: 4 },
    });
  });
});

describe('zones and room groups', () => {
  it('are made, changed and deleted', async () => {
    const [first, second] = roomIds();
    const made = await data(
      `mutation($h: String!, $rooms: [String!]!) {
        createZone(homeId: $h, name: "Downstairs", roomIds: $rooms) { id name homeId roomIds }
        createRoomGroup(homeId: $h, name: "Guests", roomIds: $rooms) { id name roomIds entityType entityId parentId dataJson layoutJson updatedAt }
      }`,
      { h: home.home.id, rooms: [first, second] },
    );
    const { createZone: zone, createRoomGroup: group } = made;
    expect(zone).toMatchObject({ name: 'Downstairs', homeId: home.home.id, roomIds: [first, second] });
    expect(group).toMatchObject({
      entityType: 'room_group',
      entityId: group.id,
      parentId: home.home.id,
      layoutJson: null,
    });
    expect(JSON.parse(group.dataJson)).toEqual({ name: 'Guests', homeId: home.home.id, roomIds: [first, second] });
    const rest = await data(
      `mutation($z: String!, $g: String!, $rooms: [String!]) {
        updateZone(zoneId: $z, roomIds: $rooms) { name roomIds }
        updateRoomGroup(groupId: $g, name: "Friends") { name roomIds }
        deleteZone(zoneId: $z) { success zoneId }
        again: deleteZone(zoneId: $z) { success code }
        deleteRoomGroup(groupId: $g) { success groupId }
      }`,
      { z: zone.id, g: group.id, rooms: [second] },
    );
    expect(rest).toEqual({
      updateZone: { name: 'Downstairs', roomIds: [second] },
      updateRoomGroup: { name: 'Friends', roomIds: [first, second] },
      deleteZone: { success: true, zoneId: zone.id },
      again: { success: false, code: 'zone_not_found' },
      deleteRoomGroup: { success: true, groupId: group.id },
    });
    expect(
      await data('query($h: String!) { zones(homeId: $h) { id } roomGroups(homeId: $h) { id } }', { h: home.home.id }),
    ).toEqual({
      zones: [],
      roomGroups: [],
    });
  });
});

describe('service groups', () => {
  it('are made of services or accessories, show their state, are set, changed and deleted', async () => {
    const [heater, kettle] = [home.named('Heater').id, home.named('Kettle').id];
    const made = await data(
      `mutation($h: String!, $a: [String!], $s: [String!]) {
        all: createServiceGroup(homeId: $h, name: "Hot", accessoryIds: $a) { id kind serviceIds accessoryIds accessory { type reachable } }
        one: createServiceGroup(homeId: $h, name: "Tea", serviceIds: $s) { id accessoryIds }
      }`,
      { h: home.home.id, a: [heater, kettle], s: [`${kettle}.8`] },
    );
    expect(made.all).toEqual({
      id: expect.any(String),
      kind: 'switch',
      serviceIds: [`${heater}.8`, `${kettle}.8`],
      accessoryIds: [heater, kettle],
      accessory: { type: 'switch', reachable: true },
    });
    expect(made.one.accessoryIds).toEqual([kettle]);
    const set = await data(
      `mutation($h: String!, $g: String!, $v: Boolean!) {
        setServiceGroup(homeId: $h, groupId: $g, characteristicType: "on", value: $v) {
          success affectedCount failed errors characteristicType value outcomes { accessoryId success value }
        }
      }`,
      { h: home.home.id, g: made.all.id, v: true },
    );
    expect(set.setServiceGroup).toEqual({
      success: true,
      affectedCount: 2,
      failed: 0,
      errors: [],
      characteristicType: 'on',
      value: true,
      outcomes: [
        { accessoryId: heater, success: true, value: true },
        { accessoryId: kettle, success: true, value: true },
      ],
    });
    const shown = await data(
      'query($h: String!) { serviceGroups(homeId: $h) { name accessory { services { characteristics { type value } } } } }',
      { h: home.home.id },
    );
    expect(shown.serviceGroups[0].accessory.services[0].characteristics).toContainEqual({
      type: 'power_state',
      value: true,
    });
    const rest = await data(
      `mutation($g: String!, $a: [String!]) {
        updateServiceGroup(groupId: $g, name: "Warm", accessoryIds: $a) { name accessoryIds }
        deleteServiceGroup(groupId: $g) { success groupId }
      }`,
      { g: made.all.id, a: [heater] },
    );
    expect(rest).toEqual({
      updateServiceGroup: { name: 'Warm', accessoryIds: [heater] },
      deleteServiceGroup: { success: true, groupId: made.all.id },
    });
  });

  it('report the members that did not take it', async () => {
    const made = await data(
      'mutation($h: String!, $a: [String!]) { createServiceGroup(homeId: $h, name: "Hot", accessoryIds: $a) { id } }',
      { h: home.home.id, a: [home.named('Heater').id, home.named('Kettle').id] },
    );
    home.driver.setReachable('10:00:00:00:00:06', false);
    const { setServiceGroup: result } = await data(
      `mutation($h: String!, $g: String!) { setServiceGroup(homeId: $h, groupId: $g, characteristicType: "on", value: "true") {
        success affectedCount failed error errors code } }`,
      { h: home.home.id, g: made.createServiceGroup.id },
    );
    expect(result).toMatchObject({ success: false, affectedCount: 0, failed: 2, code: 'accessory_unreachable' });
    expect(result.errors).toHaveLength(2);
    expect(result.error).toBe(result.errors[0]);
  });

  it('are not found in another home', async () => {
    const { setServiceGroup } = await data(
      `mutation($g: String!) { setServiceGroup(homeId: "${crypto.randomUUID()}", groupId: $g, characteristicType: "on", value: true) {
        success code affectedCount } }`,
      { g: crypto.randomUUID() },
    );
    expect(setServiceGroup).toEqual({ success: false, code: 'service_group_not_found', affectedCount: 0 });
  });
});

describe('collections', () => {
  it('are read once a request, by however many names they are asked for', async () => {
    const list = vi.spyOn(home.collections, 'list');
    await data('{ a: collections { id } b: collections { name } c: collections { payload } }');
    expect(list).toHaveBeenCalledTimes(1);
  });

  it('are made, filled with a JSON text or an object, and deleted', async () => {
    const made = await data('mutation { createCollection(name: "Favourites") { id name payload content createdAt } }');
    const { id, payload, content } = made.createCollection;
    expect(JSON.parse(payload)).toEqual(content);
    const filled = { groups: [], items: [{ home_id: home.home.id, accessory_id: home.named('Lamp').id }] };
    const update =
      'mutation($id: String!, $p: JSON) { updateCollection(collectionId: $id, payload: $p) { name payload } }';
    const byText = await data(update, { id, p: JSON.stringify(filled) });
    const byObject = await data(update, { id, p: filled });
    expect(byObject).toEqual(byText);
    expect(JSON.parse(byText.updateCollection.payload)).toMatchObject(filled);
    expect(await data('mutation($id: String!) { deleteCollection(collectionId: $id) }', { id })).toEqual({
      deleteCollection: true,
    });
    expect(await data('{ collections { id } }')).toEqual({ collections: [] });
    const { body } = await fixture.ask('mutation($id: String!) { deleteCollection(collectionId: $id) }', { id });
    expect(body.data).toEqual({ deleteCollection: null });
    expect(body.errors[0].extensions.code).toBe('NOT_FOUND');
  });
});

describe('who may change the layout', () => {
  it('takes an admin for each of it, reported in errors', async () => {
    const headers = { Authorization: `Bearer ${createToken(home, { [home.home.id]: 'control' })}` };
    const { body } = await fixture.ask(
      `mutation($h: String!, $r: String!) {
        createHome(name: "X") { id }
        renameHome(homeId: $h, name: "X") { id }
        createRoom(homeId: $h, name: "X") { id }
        deleteRoom(roomId: $r) { success }
        createZone(homeId: $h, name: "X", roomIds: []) { id }
        createRoomGroup(homeId: $h, name: "X", roomIds: []) { id }
        createServiceGroup(homeId: $h, name: "X", accessoryIds: []) { id }
      }`,
      { h: home.home.id, r: roomIds()[0] },
      headers,
    );
    expect(new Set(Object.values(body.data))).toEqual(new Set([null]));
    expect(body.errors).toHaveLength(7);
    expect(new Set(body.errors.map((error: { extensions: { code: string } }) => error.extensions.code))).toEqual(
      new Set(['FORBIDDEN']),
    );
  });
});
