/**
 * API §2.4, §2.5, §3, §4.2 and §5.3 about shares, through GraphQL and REST as clients reach them. One `it` a sentence.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { createUser } from '../support/test-users.ts';

let home: TestHome;
let owner: RestClient;
let stranger: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  const api = createTestApi(home);
  owner = createRestClient(api, createToken(home));
  stranger = createRestClient(api);
});
afterEach(() => home.close());

const lamp = () => home.named('Lamp');
const post = (client: RestClient, query: string) => client.post('/graphql', { query });
const ask = async (client: RestClient, query: string) => (await post(client, query)).body;

async function create(
  rest: string,
): Promise<{ success: boolean; entityAccess: { id: string }; shareHash: string; shareUrl: string }> {
  const fields = 'success error entityAccess { id } access { id } shareHash shareUrl';
  const { data } = await ask(
    owner,
    `mutation { createEntityAccess(homeId: "${home.home.id}", ${rest}) { ${fields} } }`,
  );
  return data.createEntityAccess;
}
const ofLamp = () => `entityType: "accessory", entityId: "${lamp().id}"`;

describe('API §4.2: sharing', () => {
  it('createEntityAccess answers success, entityAccess {id}, shareHash and shareUrl', async () => {
    const result = await create(`${ofLamp()}, accessType: "public", role: "view"`);
    expect(result).toEqual({
      success: true,
      error: null,
      entityAccess: { id: expect.any(String) },
      access: result.entityAccess,
      shareHash: expect.stringMatching(/^[\w-]{46}$/),
      shareUrl: `http://localhost/s/${result.shareHash}`,
    });
  });

  it('createEntityAccess takes passcode, userEmail, name and accessSchedule, a JSON string', async () => {
    await createUser(home, { name: 'Grace' });
    const schedule = JSON.stringify(JSON.stringify({ expires_at: '2999-01-01T00:00:00Z' }));
    await create(
      `${ofLamp()}, accessType: "passcode", role: "control", passcode: "493817", name: "Guests", accessSchedule: ${schedule}`,
    );
    await create(`${ofLamp()}, accessType: "user", role: "view", userEmail: "grace@example.org"`);
    const fields = 'accessType role name userEmail hasPasscode createdAt entityType entityId accessSchedule';
    const { data } = await ask(owner, `{ entityAccess(${ofLamp()}) { ${fields} } }`);
    const entity = {
      entityType: 'accessory',
      entityId: lamp().id,
      createdAt: new Date(home.clock.now()).toISOString(),
    };
    expect(data.entityAccess).toEqual([
      {
        ...entity,
        accessType: 'passcode',
        role: 'control',
        name: 'Guests',
        userEmail: null,
        hasPasscode: true,
        accessSchedule: '{"expires_at":"2999-01-01T00:00:00Z"}',
      },
      {
        ...entity,
        accessType: 'user',
        role: 'view',
        name: null,
        userEmail: 'grace@example.org',
        hasPasscode: false,
        accessSchedule: null,
      },
    ]);
  });

  it('sharingInfo is the sharing summary', async () => {
    const fields = 'isShared hasPublic publicRole passcodeCount userCount shareHash shareUrl';
    const query = `{ sharingInfo(${ofLamp()}) { ${fields} } }`;
    const nothing = {
      isShared: false,
      hasPublic: false,
      publicRole: null,
      passcodeCount: 0,
      userCount: 0,
      shareHash: null,
      shareUrl: null,
    };
    expect((await ask(owner, query)).data.sharingInfo).toEqual(nothing);
    const { shareHash, shareUrl } = await create(`${ofLamp()}, accessType: "public", role: "control"`);
    expect((await ask(owner, query)).data.sharingInfo).toEqual({
      ...nothing,
      isShared: true,
      hasPublic: true,
      publicRole: 'control',
      shareHash,
      shareUrl,
    });
  });

  it('mySharedEntities lists the entities shared by the caller', async () => {
    const { entityAccess } = await create(`${ofLamp()}, accessType: "public", role: "view"`);
    const { data } = await ask(owner, '{ mySharedEntities { id entityType entityId accessType role createdAt } }');
    expect(data.mySharedEntities).toMatchObject([
      { id: entityAccess.id, entityType: 'accessory', entityId: lamp().id, accessType: 'public', role: 'view' },
    ]);
  });

  it('updateEntityAccess changes the role and other fields, deleteEntityAccess removes the share', async () => {
    const { entityAccess, shareHash } = await create(`${ofLamp()}, accessType: "public", role: "view"`);
    const change = `updateEntityAccess(accessId: "${entityAccess.id}", role: "control", name: "All") { success entityAccess { role name } }`;
    expect((await ask(owner, `mutation { ${change} }`)).data.updateEntityAccess).toEqual({
      success: true,
      entityAccess: { role: 'control', name: 'All' },
    });
    const remove = `mutation { deleteEntityAccess(accessId: "${entityAccess.id}") { success code } }`;
    expect((await ask(owner, remove)).data.deleteEntityAccess).toEqual({ success: true, code: null });
    // §3: the link stops granting access.
    const { data, errors } = await ask(stranger, `{ publicEntity(shareHash: "${shareHash}") { entityName } }`);
    expect([data.publicEntity, errors[0].extensions.code]).toEqual([null, 'NOT_FOUND']);
    expect((await ask(owner, remove)).data.deleteEntityAccess).toEqual({ success: false, code: 'share_not_found' });
  });

  it('publicEntity needs no authentication: type, id, name, home and accessories', async () => {
    const room = lamp().roomId;
    const { shareHash } = await create(`entityType: "room", entityId: "${room}", accessType: "public", role: "view"`);
    const fields =
      'entityType entityId entityName homeName role requiresPasscode canUpgradeWithPasscode analyticsEnabled accessories { id name }';
    const { data } = await ask(stranger, `{ publicEntity(shareHash: "${shareHash}") { ${fields} } }`);
    expect(data.publicEntity).toEqual({
      entityType: 'room',
      entityId: room,
      entityName: 'Living Room',
      homeName: 'My Home',
      role: 'view',
      requiresPasscode: false,
      canUpgradeWithPasscode: false,
      analyticsEnabled: false,
      accessories: ['Lamp', 'Motion', 'Thermostat'].map((name) => ({ id: home.named(name).id, name })),
    });
  });

  it('publicEntity of a passcode share shows no name without the passcode, and role null for a wrong one', async () => {
    const { shareHash } = await create(`${ofLamp()}, accessType: "passcode", role: "control", passcode: "493817"`);
    const view = async (passcode: string) => {
      const fields = 'entityName homeName role requiresPasscode accessories { name }';
      return (await ask(stranger, `{ publicEntity(shareHash: "${shareHash}"${passcode}) { ${fields} } }`)).data
        .publicEntity;
    };
    const shut = { entityName: null, homeName: null, role: null, requiresPasscode: true, accessories: [] };
    expect(await view('')).toEqual(shut);
    expect(await view(', passcode: "000000"')).toEqual(shut);
    expect(await view(', passcode: "493817"')).toMatchObject({
      entityName: 'Lamp',
      role: 'control',
      accessories: [{ name: 'Lamp' }],
    });
  });

  it('publicEntityAccessories shows services and characteristics without authentication, and nothing of the device itself', async () => {
    const { shareHash } = await create(`${ofLamp()}, accessType: "public", role: "view"`);
    const fields = 'id name deviceId services { serviceType characteristics { characteristicType value isWritable } }';
    const { data } = await ask(stranger, `{ publicEntityAccessories(shareHash: "${shareHash}") { ${fields} } }`);
    expect(data.publicEntityAccessories).toMatchObject([
      { id: lamp().id, name: 'Lamp', deviceId: '', services: [{ serviceType: 'lightbulb' }] },
    ]);
    expect(JSON.stringify(data)).not.toContain('serial');
  });

  it('publicEntitySetCharacteristic sets a value without authentication, where the role is control', async () => {
    const { entityAccess, shareHash } = await create(`${ofLamp()}, accessType: "public", role: "control"`);
    const set = (value: string, accessoryId = lamp().id) =>
      ask(
        stranger,
        `mutation { publicEntitySetCharacteristic(shareHash: "${shareHash}", accessoryId: "${accessoryId}", characteristicType: "power_state", value: ${value}) { success error code value } }`,
      );
    expect((await set('true')).data.publicEntitySetCharacteristic).toEqual({
      success: true,
      error: null,
      code: null,
      value: true,
    });
    expect((await set('"false"')).data.publicEntitySetCharacteristic).toMatchObject({ success: true, value: false });
    expect((await set('true', home.named('Heater').id)).data.publicEntitySetCharacteristic).toMatchObject({
      success: false,
      code: 'accessory_not_found',
    });
    await home.shares.update(systemCaller, entityAccess.id, { role: 'view' });
    expect((await set('true')).data.publicEntitySetCharacteristic).toMatchObject({
      success: false,
      error: 'Access denied',
    });
    expect(home.driver.writes).toHaveLength(2);
  });

  it('creating and managing shares is limited to owners and admins', async () => {
    const { shareHash } = await create(`${ofLamp()}, accessType: "public", role: "view"`);
    const viewer = createRestClient(createTestApi(home), createToken(home, { [home.home.id]: 'control' }));
    const { errors } = await ask(
      viewer,
      `mutation { createEntityAccess(homeId: "${home.home.id}", ${ofLamp()}, accessType: "public", role: "control") { success } }`,
    );
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await ask(viewer, `{ entityAccess(${ofLamp()}) { id } }`)).errors[0].extensions.code).toBe('FORBIDDEN');
    // Without a token there is no such field at all, but what is public.
    expect(
      (await post(stranger, `{ publicEntity(shareHash: "${shareHash}") { role } mySharedEntities { id } }`)).status,
    ).toBe(401);
  });

  it('history is shown through a link only where its home shares it', async () => {
    const { shareHash } = await create(`${ofLamp()}, accessType: "public", role: "view"`);
    const query = `{ publicHistorySeries(shareHash: "${shareHash}") { accessoryName } }`;
    expect((await ask(stranger, query)).errors[0].extensions.code).toBe('FORBIDDEN');
    home.history.updateHome(systemCaller, home.home.id, { enabled: true, shared: true });
    const { data } = await ask(stranger, query);
    expect(
      new Set(data.publicHistorySeries.map(({ accessoryName }: { accessoryName: string }) => accessoryName)),
    ).toEqual(new Set(['Lamp']));
  });
});

describe('API §2.5: share enumerations', () => {
  it.each(['accessory', 'accessory_group', 'room', 'room_group', 'collection', 'collection_group', 'home', 'group'])(
    'has the entity type %s',
    async (entityType) => {
      const groups = [{ id: 'g', name: 'G' }];
      const { id: homeId } = home.home;
      const collection = home.collections.create(systemCaller, { name: 'C', payload: { groups, items: [] } }).id;
      const serviceGroup = home.serviceGroups.create(systemCaller, { homeId, name: 'S', accessoryIds: [lamp().id] }).id;
      const ids: Readonly<Record<string, string>> = {
        accessory: lamp().id,
        accessory_group: serviceGroup,
        group: serviceGroup,
        room: lamp().roomId,
        room_group: home.roomGroups.create(systemCaller, { homeId, name: 'R', roomIds: [] }).id,
        collection,
        collection_group: `${collection}:g`,
        home: homeId,
      };
      const { success, shareHash } = await create(
        `entityType: "${entityType}", entityId: "${ids[entityType]}", accessType: "public", role: "view"`,
      );
      expect(success).toBe(true);
      expect((await ask(stranger, `{ publicEntity(shareHash: "${shareHash}") { role } }`)).data.publicEntity).toEqual({
        role: 'view',
      });
    },
  );

  it.each([
    ['entityType', 'entityType: "floor", entityId: "x", accessType: "public", role: "view"'],
    ['accessType', 'entityType: "home", entityId: "{home}", accessType: "secret", role: "view"'],
    ['role', 'entityType: "home", entityId: "{home}", accessType: "public", role: "admin"'],
  ])('has no other %s', async (_, rest) => {
    expect(await create(rest.replace('{home}', home.home.id))).toMatchObject({ success: false });
  });
});

describe('decisions §8: guessing', () => {
  it('counts a thousand passcodes in aliases as a thousand, and never tries the sixth', async () => {
    const { shareHash } = await create(`${ofLamp()}, accessType: "passcode", role: "control", passcode: "493817"`);
    const codes = new Map<string, number>();
    // As many at once as a document may have of one field.
    for (let batch = 0; batch < 40; batch++) {
      const fields = Array.from(
        { length: 25 },
        (_, n) => `a${n}: publicEntityAccessories(shareHash: "${shareHash}", passcode: "${batch}-${n}") { id }`,
      );
      const { body, status } = await post(stranger, `{ ${fields.join(' ')} }`);
      expect([status, body.data === undefined ? body : 'data']).toEqual([200, 'data']);
      for (const { extensions } of body.errors ?? []) codes.set(extensions.code, (codes.get(extensions.code) ?? 0) + 1);
    }
    expect(Object.fromEntries(codes)).toEqual({ FORBIDDEN: 5, RATE_LIMITED: 995 });
    const right = await ask(stranger, `{ publicEntity(shareHash: "${shareHash}", passcode: "493817") { role } }`);
    expect(right.errors[0].extensions.code).toBe('RATE_LIMITED');
  });
});

describe('the same over REST', () => {
  it('lists, makes, changes and ends shares', async () => {
    const entity = { entityType: 'accessory', entityId: lamp().id };
    const { status, body } = await owner.post('/rest/shares', { ...entity, accessType: 'public', role: 'view' });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ ...entity, shareUrl: `http://localhost/s/${body.shareHash}` }),
    ]);
    expect((await owner.get(`/rest/shares?entityType=accessory&entityId=${lamp().id}`)).body).toEqual([body]);
    expect((await owner.get('/rest/shares')).body).toEqual([body]);
    expect((await owner.get('/rest/shares?entityType=accessory')).status).toBe(400);
    expect((await owner.patch(`/rest/shares/${body.id}`, { role: 'control' })).body).toEqual({
      ...body,
      role: 'control',
    });
    expect((await owner.patch(`/rest/shares/${body.id}`, { accessSchedule: { starts: 1 } })).body).toMatchObject({
      field: 'accessSchedule.starts',
    });
    expect((await owner.delete(`/rest/shares/${body.id}`)).body).toEqual({ success: true, shareId: body.id });
    expect((await owner.delete(`/rest/shares/${body.id}`)).status).toBe(404);
  });
});
