/**
 * Wire facts §8: what existing clients expect of shares beyond the API document, over GraphQL, sentence by sentence.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, type RestClient } from '../support/rest-client.ts';
import { lamp, plainSwitch } from '../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { createUser, type TestUser } from '../support/test-users.ts';

const MINUTE_MS = 60_000;

let home: TestHome;
let ada: TestUser;
let owner: RestClient;
let stranger: RestClient;

beforeEach(async () => {
  home = createTestHome({ sample: true });
  ada = await createUser(home, { name: 'Ada', founder: true });
  const api = createTestApi(home);
  owner = createRestClient(api, ada.token);
  stranger = createRestClient(api);
});
afterEach(() => home.close());

const ask = async (client: RestClient, query: string, variables: object = {}) =>
  (await client.post('/graphql', { query, variables })).body;

const CREATE = `mutation($type: String!, $id: String!, $accessType: String!, $role: String!, $homeId: String, $passcode: String, $schedule: JSON, $entityName: String) {
  createEntityAccess(entityType: $type, entityId: $id, accessType: $accessType, role: $role, homeId: $homeId, passcode: $passcode,
    accessSchedule: $schedule, entityName: $entityName) { success error entityAccess { id } access { id } shareHash shareUrl } }`;

async function share(options: Record<string, string>) {
  const defaults = { type: 'accessory', id: home.named('Lamp').id, accessType: 'public', role: 'view' };
  const { data } = await ask(owner, CREATE, { ...defaults, ...options });
  expect(data.createEntityAccess).toMatchObject({ success: true, error: null });
  return data.createEntityAccess as { entityAccess: { id: string }; shareHash: string };
}

async function view(hash: string, passcode?: string) {
  const query = `query($hash: String!, $passcode: String) { publicEntity(shareHash: $hash, passcode: $passcode) {
    entityName homeName role requiresPasscode canUpgradeWithPasscode analyticsEnabled data accessories { name } } }`;
  return ask(stranger, query, { hash, passcode });
}

describe('one hash for all rows of an entity', () => {
  it('a public row plus a passcode row: without the passcode the public role, with it the row’s (canUpgradeWithPasscode)', async () => {
    const { shareHash } = await share({});
    const second = await share({ accessType: 'passcode', role: 'control', passcode: '493817' });
    expect(second.shareHash).toBe(shareHash);
    const open = { entityName: 'Lamp', requiresPasscode: false, canUpgradeWithPasscode: true };
    expect((await view(shareHash)).data.publicEntity).toMatchObject({ ...open, role: 'view' });
    expect((await view(shareHash, '493817')).data.publicEntity).toMatchObject({
      role: 'control',
      canUpgradeWithPasscode: false,
    });
  });

  it('only passcode rows: requiresPasscode; role null for a wrong passcode', async () => {
    const { shareHash } = await share({ accessType: 'passcode', role: 'control', passcode: '493817' });
    const shut = { requiresPasscode: true, role: null, entityName: null, data: null };
    expect((await view(shareHash)).data.publicEntity).toMatchObject(shut);
    expect((await view(shareHash, 'no')).data.publicEntity).toMatchObject(shut);
  });
});

describe('accessSchedule', () => {
  const set = (hash: string) =>
    ask(
      stranger,
      'mutation($hash: String!, $id: String!) { publicEntitySetCharacteristic(shareHash: $hash, accessoryId: $id, characteristicType: "on", value: true) { success } }',
      { hash, id: home.named('Lamp').id },
    );

  it('is a JSON text with starts_at, expires_at, time_windows and timezone, and enforced, which the original forgot', async () => {
    // The test's clock: Thursday, 2026-01-15 12:00 UTC.
    const window = { days: ['thu'], start: '11:00', end: '12:30' };
    const schedule = JSON.stringify({
      expires_at: '2026-02-01T00:00:00Z',
      time_windows: [window],
      timezone: 'Etc/UTC',
    });
    const { shareHash, entityAccess } = await share({ role: 'control', schedule });
    expect((await view(shareHash)).data.publicEntity).toMatchObject({ role: 'control', entityName: 'Lamp' });
    expect((await set(shareHash)).data.publicEntitySetCharacteristic.success).toBe(true);
    await home.clock.advance(31 * MINUTE_MS);
    expect((await view(shareHash)).data.publicEntity).toMatchObject({ role: null, entityName: null });
    expect((await set(shareHash)).data.publicEntitySetCharacteristic.success).toBe(false);
    const { data } = await ask(owner, '{ mySharedEntities { id accessSchedule } }');
    expect(data.mySharedEntities).toEqual([{ id: entityAccess.id, accessSchedule: schedule }]);
  });

  it.each(['not JSON', '{"starts":1}', '{"time_windows":[{"days":["thursday"],"start":"09:00","end":"10:00"}]}'])(
    'that makes no sense is refused: %s',
    async (schedule) => {
      const variables = { type: 'home', id: home.home.id, accessType: 'public', role: 'view', schedule };
      const { data } = await ask(owner, CREATE, variables);
      expect(data.createEntityAccess).toMatchObject({
        success: false,
        error: expect.stringContaining('accessSchedule'),
      });
    },
  );
});

describe('operations', () => {
  it('createEntityAccess takes entityName too; updateEntityAccess takes passcode, name and accessSchedule', async () => {
    const { entityAccess, shareHash } = await share({
      accessType: 'passcode',
      passcode: '493817',
      entityName: 'As the client calls it',
    });
    const update = `mutation($id: String!) { updateEntityAccess(accessId: $id, passcode: "271828", name: "Guests",
      accessSchedule: "{\\"expires_at\\":\\"2026-01-16T00:00:00Z\\"}") { success error access { id name } } }`;
    const { data } = await ask(owner, update, { id: entityAccess.id });
    expect(data.updateEntityAccess).toEqual({
      success: true,
      error: null,
      access: { id: entityAccess.id, name: 'Guests' },
    });
    expect((await view(shareHash, '493817')).data.publicEntity.role).toBeNull();
    expect((await view(shareHash, '271828')).data.publicEntity).toMatchObject({ role: 'view', entityName: 'Lamp' });
    const mine = await ask(owner, '{ mySharedEntities { entityName homeId userId shareUrl accessSchedule } }');
    expect(mine.data.mySharedEntities).toEqual([
      {
        entityName: 'Lamp',
        homeId: home.home.id,
        userId: null,
        shareUrl: `http://localhost/s/${shareHash}`,
        accessSchedule: '{"expires_at":"2026-01-16T00:00:00Z"}',
      },
    ]);
  });

  it('publicEntitySetServiceGroup(shareHash, groupId, characteristicType, value, passcode) sets all of a group', async () => {
    home.driver.attach(home.home.id, {
      deviceId: '30:00:00:00:00:02',
      name: 'Other Lamp',
      setupCode: '031-45-160',
      accessories: [lamp('Other Lamp')],
    });
    const accessoryIds = [home.named('Lamp').id, home.named('Other Lamp').id];
    const group = home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Both', accessoryIds });
    const { shareHash } = await share({
      type: 'accessory_group',
      id: group.id,
      accessType: 'passcode',
      role: 'control',
      passcode: '493817',
    });
    const set = (passcode: string | null) =>
      ask(
        stranger,
        `mutation($hash: String!, $group: String!, $passcode: String) { publicEntitySetServiceGroup(shareHash: $hash,
          groupId: $group, characteristicType: "on", value: "true", passcode: $passcode) { success error accessoryId groupId characteristicType affectedCount } }`,
        { hash: shareHash, group: group.id, passcode },
      );
    expect((await set('493817')).data.publicEntitySetServiceGroup).toEqual({
      success: true,
      error: null,
      accessoryId: null,
      groupId: group.id,
      characteristicType: 'on',
      affectedCount: 2,
    });
    expect(home.driver.writes.flat()).toHaveLength(2);
    expect(JSON.stringify(await set(null))).toContain('passcode');
    expect(home.driver.writes.flat()).toHaveLength(2);
  });

  it('publicEntitySetCharacteristic returns accessoryId, characteristicType and value; takes any JSON value, or a text of it', async () => {
    const { shareHash } = await share({ role: 'control' });
    const target = { accessoryId: home.named('Lamp').id, characteristicType: 'brightness' };
    for (const value of ['40', '"41"', '42']) {
      const query = `mutation($hash: String!, $accessoryId: String!, $characteristicType: String!) { publicEntitySetCharacteristic(
        shareHash: $hash, accessoryId: $accessoryId, characteristicType: $characteristicType, value: ${value}) {
        success accessoryId characteristicType value } }`;
      const { data } = await ask(stranger, query, { hash: shareHash, ...target });
      expect(data.publicEntitySetCharacteristic).toEqual({
        success: true,
        ...target,
        value: Number.parseInt(value.replaceAll('"', ''), 10),
      });
    }
  });

  it('the view role gets {success: false, error: "Access denied"}', async () => {
    const { shareHash } = await share({});
    const query = `mutation($hash: String!, $id: String!) { publicEntitySetCharacteristic(shareHash: $hash, accessoryId: $id,
      characteristicType: "on", value: true) { success error } }`;
    const { data } = await ask(stranger, query, { hash: shareHash, id: home.named('Lamp').id });
    expect(data.publicEntitySetCharacteristic).toEqual({ success: false, error: 'Access denied' });
  });
});

describe('entity types', () => {
  it('collections may span homes, and have no analytics then; a collection_group is a group inside one', async () => {
    const cottage = home.homes.create(ada.caller, { name: 'Cottage' });
    home.driver.attach(cottage.id, {
      deviceId: '30:00:00:00:00:01',
      name: 'Stove',
      setupCode: '031-45-160',
      accessories: [plainSwitch('Stove')],
    });
    const items = [
      { home_id: home.home.id, accessory_id: home.named('Lamp').id },
      { home_id: cottage.id, accessory_id: home.named('Stove').id, group_id: 'far' },
    ];
    const payload = { groups: [{ id: 'far', name: 'Far away' }], items };
    const { id } = home.collections.create(ada.caller, { name: 'Favourites', payload });
    home.history.updateHome(systemCaller, home.home.id, { enabled: true, shared: true });
    const all = await share({ type: 'collection', id });
    expect((await view(all.shareHash)).data.publicEntity).toMatchObject({
      entityName: 'Favourites',
      homeName: null,
      analyticsEnabled: false,
      accessories: [{ name: 'Lamp' }, { name: 'Stove' }],
    });
    const group = await share({ type: 'collection_group', id: `${id}:far` });
    expect((await view(group.shareHash)).data.publicEntity).toMatchObject({
      entityName: 'Far away',
      homeName: 'Cottage',
      accessories: [{ name: 'Stove' }],
    });
  });
});
