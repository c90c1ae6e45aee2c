/**
 * API §4.2: every query and mutation of the document against the schema, and the facts in its rows, through the API.
 */
import { getNullableType, isScalarType } from 'graphql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../src/api/graphql/schema.ts';
import { documentedRootFields, readApiDocument } from '../api/graphql/api-document.ts';
import { createGraphqlFixture, type GraphqlFixture } from '../api/graphql/graphql-fixture.ts';
import { createToken } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

/** §4.2 lists them without a question mark, by §2.6 they may be omitted. */
const MAY_BE_LEFT_OUT = new Set([
  'createAccessToken.homePermissions',
  // A collection is in no home, and "other share fields" are changed without the role, too.
  'createEntityAccess.homeId',
  'updateEntityAccess.role',
  // Rows about notifications mark what is required with an exclamation mark, and nothing else.
  'notificationHistory.limit',
  'notificationHistory.offset',
  'notificationHistory.automationId',
  'registerPushToken.deviceName',
  'setNotificationPreference.scopeId',
  'deleteNotificationPreference.scopeId',
  'sendTestNotification.message',
]);
/** Where a number is what is meant. */
const NUMBERS =
  /^(notificationHistory|webhookDeliveryHistory)\.(limit|offset)$|^(create|update)Webhook\.(maxRetries|rateLimitPerMinute|timeoutMs)$/;
/** Where several texts are. */
const LISTS = /^(create|update)Webhook\.(eventTypes|homeIds|roomIds|accessoryIds|collectionIds)$/;

const document = readApiDocument();
const schema = createSchema();

describe.each(['Queries', 'Mutations'] as const)('API §4.2: the table of %s', (kind) => {
  const rows = documentedRootFields(document, kind);
  const own = (kind === 'Queries' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {};

  it('has every field', () => {
    expect(rows.length).toBeGreaterThan(20);
    const missing = rows.filter(({ name }) => own[name] === undefined).map(({ name }) => name);
    expect(missing).toEqual([]);
  });

  it('returns what is written, nullability included', () => {
    const faults = rows.flatMap(({ name, returns }) => {
      const actual = String(own[name]?.type);
      return returns === null || actual === returns ? [] : [`${name} returns ${actual}, not ${returns}`];
    });
    expect(faults).toEqual([]);
  });

  it('takes every argument, required unless it has a question mark, as a text or what may be one', () => {
    const faults: string[] = [];
    for (const { name, args } of rows) {
      for (const { name: argument, required } of args) {
        const actual = own[name]?.args.find((arg) => arg.name === argument);
        const mayBeLeftOut = !required || MAY_BE_LEFT_OUT.has(`${name}.${argument}`);
        if (!actual) faults.push(`${name} does not take ${argument}`);
        else {
          const type = getNullableType(actual.type);
          const takesText =
            isScalarType(type) && (type.name === 'String' || type.name === 'JSON' || type.name === 'Boolean');
          const takesNumber = type.toString() === 'Int' && NUMBERS.test(`${name}.${argument}`);
          const takesList = type.toString() === '[String!]' && LISTS.test(`${name}.${argument}`);
          if (!takesText && !takesNumber && !takesList) faults.push(`${name}.${argument} is ${type}`);
          if (String(actual.type).endsWith('!') === mayBeLeftOut) faults.push(`${name}.${argument} is ${actual.type}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('demands nothing that the document does not name', () => {
    const faults = rows.flatMap(({ name, args }) =>
      (own[name]?.args ?? [])
        .filter((arg) => String(arg.type).endsWith('!') && !args.some((documented) => documented.name === arg.name))
        .map((arg) => `${name}.${arg.name}`),
    );
    expect(faults).toEqual([]);
  });
});

describe('API §4.2: what the rows define', () => {
  let home: TestHome;
  let fixture: GraphqlFixture;

  beforeEach(() => {
    home = createTestHome({ sample: true });
    fixture = createGraphqlFixture(home, createSchema());
  });
  afterEach(() => home.close());

  it('lists homes with their rooms and the accessories of those', async () => {
    const { body } = await fixture.ask('{ homes { id name role rooms { name accessories { name } } } }');
    expect(body.errors).toBeUndefined();
    expect(body.data.homes).toHaveLength(1);
    const [{ role, rooms }] = body.data.homes;
    expect(role).toBe('owner');
    const living = rooms.find((room: { name: string }) => room.name === 'Living Room');
    expect(living.accessories.map((accessory: { name: string }) => accessory.name)).toEqual([
      'Lamp',
      'Motion',
      'Thermostat',
    ]);
  });

  it('lists cachedHomes', async () => {
    const { body } = await fixture.ask('{ cachedHomes { homeId name role isConnected memberCount } }');
    expect(body.data.cachedHomes).toEqual([
      { homeId: home.home.id, name: home.home.name, role: 'owner', isConnected: true, memberCount: 0 },
    ]);
  });

  it('lists rooms, zones, service groups and scenes of a home', async () => {
    home.zones.create(systemCaller, {
      homeId: home.home.id,
      name: 'Downstairs',
      roomIds: home.state.rooms(home.home.id).map(({ id }) => id),
    });
    const { body } = await fixture.ask(
      `query($homeId: String!) {
        rooms(homeId: $homeId) { id name homeId }
        zones(homeId: $homeId) { id name roomIds }
        serviceGroups(homeId: $homeId) { id name serviceIds accessoryIds }
        scenes(homeId: $homeId) { id name homeId }
      }`,
      { homeId: home.home.id.toUpperCase() },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.rooms).toHaveLength(2);
    expect(body.data.zones).toEqual([{ id: expect.any(String), name: 'Downstairs', roomIds: expect.any(Array) }]);
    expect(body.data.serviceGroups).toEqual([]);
    expect(body.data.scenes.map((scene: { homeId: string }) => scene.homeId)).toEqual(
      body.data.scenes.map(() => home.home.id),
    );
  });

  it('lists accessories of a home or a room, with services and characteristics', async () => {
    const { roomId } = home.named('Lamp');
    const { body } = await fixture.ask(
      `query($roomId: String) { accessories(roomId: $roomId) {
        id name homeId roomId category reachable
        services { id type name characteristics { type value description format unit minValue maxValue minStep validValues canRead canWrite } }
      } }`,
      { roomId },
    );
    expect(body.errors).toBeUndefined();
    const lamp = body.data.accessories.find((accessory: { name: string }) => accessory.name === 'Lamp');
    expect(lamp).toMatchObject({ category: 'Lightbulb', reachable: true, roomId });
    const bulb = lamp.services.find((service: { type: string }) => service.type === 'lightbulb');
    expect(bulb.characteristics[1]).toMatchObject({
      type: 'brightness',
      value: 50,
      format: 'int',
      unit: 'percentage',
      minValue: 0,
      maxValue: 100,
      minStep: 1,
      validValues: null,
      canRead: true,
      canWrite: true,
    });
  });

  it('gets one accessory, and one characteristic in any spelling', async () => {
    const { id } = home.named('Lamp');
    const { body } = await fixture.ask(
      `query($id: String!) {
        accessory(accessoryId: $id) { name }
        plain: characteristicGet(accessoryId: $id, characteristicType: "brightness") { accessoryId characteristicType value }
        long: characteristicGet(accessoryId: $id, characteristicType: "public.hap.characteristic.brightness") { characteristicType value }
      }`,
      { id },
    );
    expect(body.data.accessory).toEqual({ name: 'Lamp' });
    expect(body.data.plain).toEqual({ accessoryId: id, characteristicType: 'brightness', value: 50 });
    expect(body.data.long).toEqual({ characteristicType: 'brightness', value: 50 });
  });

  it('sets a characteristic to the value that a text holds', async () => {
    const { id } = home.named('Lamp');
    const { body } = await fixture.ask(
      `mutation($id: String!, $value: String!) {
        setCharacteristic(accessoryId: $id, characteristicType: "on", value: $value) { success value error }
      }`,
      { id, value: 'true' },
    );
    expect(body).toEqual({ data: { setCharacteristic: { success: true, value: true, error: null } } });
  });

  it('controls all devices of a service group with setServiceGroup', async () => {
    const accessoryIds = [home.named('Heater').id, home.named('Kettle').id];
    const group = home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Hot', accessoryIds });
    const { body } = await fixture.ask(
      `mutation($homeId: String!, $groupId: String!) {
        setServiceGroup(homeId: $homeId, groupId: $groupId, characteristicType: "power_state", value: "true") {
          success groupId affectedCount error
        }
      }`,
      { homeId: home.home.id, groupId: group.id },
    );
    expect(body.data.setServiceGroup).toEqual({ success: true, groupId: group.id, affectedCount: 2, error: null });
    expect(home.state.characteristic({ accessoryId: accessoryIds[1] ?? '', iid: '9' })?.value).toBe(true);
  });

  it('executes a scene', async () => {
    const scene = home.scenes.create(systemCaller, {
      homeId: home.home.id,
      name: 'Movie',
      actions: [{ accessoryId: home.named('Lamp').id, characteristicType: 'brightness', targetValue: 20 }],
    });
    const { body } = await fixture.ask(
      'mutation($id: String!) { executeScene(sceneId: $id) { success sceneId error } }',
      {
        id: scene.id,
      },
    );
    expect(body.data.executeScene).toEqual({ success: true, sceneId: scene.id, error: null });
  });

  it('creates an access token with permissions as a JSON text, lists and revokes it', async () => {
    const created = await fixture.ask(
      `mutation($permissions: String) {
        createAccessToken(name: "Script", homePermissions: $permissions, expiresAt: "2999-01-01T00:00:00Z") {
          success token rawToken error accessToken { id name tokenPrefix homePermissions }
        }
      }`,
      { permissions: JSON.stringify({ [home.home.id]: 'view' }) },
    );
    const { success, token, rawToken, accessToken } = created.body.data.createAccessToken;
    expect(success).toBe(true);
    expect(rawToken).toBe(token);
    expect(token.startsWith(accessToken.tokenPrefix)).toBe(true);
    expect(JSON.parse(accessToken.homePermissions)).toEqual({ [home.home.id]: 'view' });
    const revoked = await fixture.ask('mutation($id: String!) { revokeAccessToken(tokenId: $id) { success error } }', {
      id: accessToken.id,
    });
    expect(revoked.body.data.revokeAccessToken).toEqual({ success: true, error: null });
    const listed = await fixture.ask(
      '{ accessTokens { id name tokenPrefix lastUsedAt expiresAt revokedAt createdAt } }',
    );
    const row = listed.body.data.accessTokens.find(({ id }: { id: string }) => id === accessToken.id);
    expect(row).toMatchObject({ expiresAt: '2999-01-01T00:00:00.000Z', revokedAt: expect.any(String) });
  });
});

describe('API §7.2, decisions §7: where a failure is reported', () => {
  let home: TestHome;
  let fixture: GraphqlFixture;

  beforeEach(() => {
    home = createTestHome({ sample: true });
    fixture = createGraphqlFixture(home, createSchema());
  });
  afterEach(() => home.close());

  const set = `mutation($id: String!, $value: JSON!, $homeId: String) {
    setCharacteristic(accessoryId: $id, characteristicType: "brightness", value: $value, homeId: $homeId) { success value error code }
  }`;

  it('reports what was expected in the result: a value out of range, an unknown accessory, another home', async () => {
    const { id } = home.named('Lamp');
    const other = home.homes.create(systemCaller, { name: 'Cabin' });
    const answers = await Promise.all([
      fixture.ask(set, { id, value: 101 }),
      fixture.ask(set, { id: crypto.randomUUID(), value: 10 }),
      fixture.ask(set, { id, value: 10, homeId: other.id }),
    ]);
    for (const { body } of answers) expect(body.errors).toBeUndefined();
    const [range, unknown, foreign] = answers.map(({ body }) => body.data.setCharacteristic);
    expect(range).toMatchObject({ success: false, value: null, code: 'invalid_value' });
    expect(range.error).toMatch(/^Invalid value/);
    expect(unknown).toEqual({ success: false, value: null, error: 'Accessory not found', code: 'accessory_not_found' });
    expect(foreign).toEqual(unknown);
  });

  it('reports missing permissions in errors', async () => {
    const token = createToken(home, { [home.home.id]: 'view' });
    const { body } = await fixture.ask(
      set,
      { id: home.named('Lamp').id, value: 10 },
      { Authorization: `Bearer ${token}` },
    );
    expect(body.data).toEqual({ setCharacteristic: null });
    expect(body.errors).toEqual([
      expect.objectContaining({
        message: 'Insufficient permissions',
        extensions: expect.objectContaining({ code: 'FORBIDDEN', reason: 'insufficient_permissions' }),
      }),
    ]);
  });

  it('hides from a token what is in other homes, in results and in errors alike', async () => {
    const other = home.homes.create(systemCaller, { name: 'Cabin' });
    const token = createToken(home, { [other.id]: 'control' });
    const headers = { Authorization: `Bearer ${token}` };
    const { id } = home.named('Lamp');
    const written = await fixture.ask(set, { id, value: 10 }, headers);
    expect(written.body.data.setCharacteristic).toMatchObject({ success: false, code: 'accessory_not_found' });
    const read = await fixture.ask('query($id: String!) { accessory(accessoryId: $id) { name } }', { id }, headers);
    expect(read.body.data).toEqual({ accessory: null });
    expect(read.body.errors[0].extensions).toMatchObject({ code: 'NOT_FOUND', reason: 'accessory_not_found' });
    const homes = await fixture.ask('{ homes { name } accessories { name } }', {}, headers);
    expect(homes.body.data).toEqual({ homes: [{ name: 'Cabin' }], accessories: [] });
  });
});
