/** API §2.6: token home permissions. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, type RestClient } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { createUser, type TestUser } from '../support/test-users.ts';

const CREATE = `mutation($permissions: JSON) {
  createAccessToken(name: "Script", homePermissions: $permissions) {
    success error code token accessToken { homePermissions } } }`;

let home: TestHome;
let ada: TestUser;
let cottage: string;

beforeEach(async () => {
  home = createTestHome({ sample: true });
  cottage = home.homes.create(systemCaller, { name: 'Cottage' }).id;
  ada = await createUser(home, { name: 'Ada', founder: true });
  home.userSettings.update(ada.caller, { developerMode: true });
});
afterEach(() => home.close());

const as = (token: string): RestClient => createRestClient(createTestApi(home), token);

async function create(permissions: unknown) {
  const { body } = await as(ada.token).post('/graphql', { query: CREATE, variables: { permissions } });
  return body.data.createAccessToken;
}

const homesOf = async (token: string): Promise<object> => {
  const homes: { id: string; role: string }[] = (await as(token).get('/rest/homes')).body;
  return Object.fromEntries(homes.map(({ id, role }) => [id, role]));
};

describe('API §2.6', () => {
  it('A JSON string holding an object that maps a home UUID (string) to `control` or `view`', async () => {
    const permissions = { [home.home.id]: 'control', [cottage]: 'view' };
    const created = await create(JSON.stringify(permissions));
    expect(created).toMatchObject({ success: true, error: null });
    expect(JSON.parse(created.accessToken.homePermissions)).toEqual(permissions);
    expect(await homesOf(created.token)).toEqual(permissions);
  });

  it('an object as it is is taken too', async () => {
    const { token } = await create({ [cottage]: 'view' });
    expect(await homesOf(token)).toEqual({ [cottage]: 'view' });
  });

  it.each([null, undefined])('If null or omitted, the token has full access to all homes: %j', async (permissions) => {
    const created = await create(permissions);
    expect(created.accessToken).toEqual({ homePermissions: null });
    expect(await homesOf(created.token)).toEqual({ [home.home.id]: 'owner', [cottage]: 'owner' });
  });

  it.each([
    ['"control"', 'invalid_value'],
    ['[]', 'invalid_value'],
    ['{}', 'invalid_value'],
    ['{', 'invalid_value'],
    ['{"cottage":"view"}', 'home_not_found'],
    ['{"COTTAGE":"owner"}', 'invalid_value'],
    ['{"COTTAGE":"admin"}', 'invalid_value'],
    ['{"COTTAGE":true}', 'invalid_value'],
  ])('anything else makes no token: %s', async (text, code) => {
    const before = home.tokens.list(systemCaller).length;
    expect(await create(text.replace('COTTAGE', cottage))).toMatchObject({ success: false, token: null, code });
    expect(home.tokens.list(systemCaller)).toHaveLength(before);
  });

  it('a home that its maker can’t see is one that does not exist', async () => {
    const bob = await createUser(home, { name: 'Bob', role: 'admin' });
    home.userSettings.update(bob.caller, { developerMode: true });
    const variables = { permissions: { [cottage]: 'view' } };
    const { body } = await as(bob.token).post('/graphql', { query: CREATE, variables });
    expect(body.data.createAccessToken).toMatchObject({ success: false, code: 'home_not_found' });
  });
});
