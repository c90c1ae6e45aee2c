/** Members of homes and the accounts of the relay over GraphQL, in the words of existing clients (wire-facts §4.4). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { anonymousCaller, createUser, type TestUser } from '../../support/test-users.ts';

let home: TestHome;
let ada: TestUser;

beforeEach(async () => {
  home = createTestHome({ sample: true });
  ada = await createUser(home, { name: 'Ada', founder: true });
});
afterEach(() => home.close());

async function ask({ token }: Pick<TestUser, 'token'>, query: string, variables: object = {}) {
  const client = createRestClient(createTestApi(home), token);
  return (await client.post('/graphql', { query, variables: { home: home.home.id, ...variables } })).body;
}

const MEMBER = 'id homeId email name role isPending status createdAt';
const INVITE = `mutation($home: String!, $email: String!, $role: String!) {
  inviteHomeMember(homeId: $home, email: $email, role: $role) { success error code member { ${MEMBER} } invitationCode invitationUrl } }`;
const SET_ROLE = `mutation($home: String!, $email: String!, $role: String!) {
  updateHomeMemberRole(homeId: $home, email: $email, role: $role) { success error code member { ${MEMBER} } } }`;
const REMOVE = `mutation($home: String!, $email: String!) {
  removeHomeMember(homeId: $home, email: $email) { success error code } }`;
const PENDING = '{ pendingInvitations { id homeId homeName role inviterName createdAt expiresAt } }';

describe('members', () => {
  it('are named by their address, in any case', async () => {
    await createUser(home, { name: 'Bob', role: 'view' });
    const changed = await ask(ada, SET_ROLE, { email: 'BOB@example.org', role: 'control' });
    expect(changed.data.updateHomeMemberRole).toMatchObject({
      success: true,
      member: { name: 'Bob', role: 'control', status: 'active', isPending: false },
    });
    expect((await ask(ada, REMOVE, { email: 'bob@example.org' })).data.removeHomeMember).toEqual({
      success: true,
      error: null,
      code: null,
    });
    const { data } = await ask(ada, `query($home: String!) { homeMembers(homeId: $home) { ${MEMBER} } }`);
    expect(data.homeMembers).toEqual([expect.objectContaining({ email: 'ada@example.org', role: 'owner' })]);
    const gone = await ask(ada, REMOVE, { email: 'bob@example.org' });
    expect(gone.data.removeHomeMember).toMatchObject({ success: false, code: 'user_not_found' });
    const anonymous = await ask(ada, 'mutation($home: String!) { removeHomeMember(homeId: $home) { success code } }');
    expect(anonymous.data.removeHomeMember).toEqual({ success: false, code: 'invalid_request' });
  });

  it('expected failures are in the result; missing permissions are in errors', async () => {
    const max = await createUser(home, { name: 'Max', role: 'admin' });
    for (const [variables, code] of [
      [{ email: 'nobody', role: 'view' }, 'invalid_value'],
      [{ email: 'eve@example.org', role: 'king' }, 'invalid_value'],
      [{ email: 'ada@example.org', role: 'view' }, 'conflict'],
      [{ email: 'eve@example.org', role: 'view', home: '00000000-0000-4000-8000-000000000000' }, 'home_not_found'],
    ] as const) {
      const { data } = await ask(max, INVITE, variables);
      expect(data.inviteHomeMember).toMatchObject({ success: false, code, member: null, invitationCode: null });
    }
    const { errors } = await ask(max, INVITE, { email: 'eve@example.org', role: 'admin' });
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it.each([
    ['acceptHomeInvitation', 'rejectHomeInvitation'],
    ['acceptPendingInvitation', 'rejectPendingInvitation'],
  ])('answer invitations with %s and %s', async (accept, reject) => {
    const bob = await createUser(home, { name: 'Bob' });
    const invited = await ask(ada, INVITE, { email: bob.user.email, role: 'view' });
    expect(invited.data.inviteHomeMember).toMatchObject({ success: true, invitationCode: null, invitationUrl: null });
    const { data } = await ask(bob, PENDING);
    expect(data.pendingInvitations).toEqual([
      expect.objectContaining({ homeName: 'My Home', role: 'view', inviterName: 'Ada' }),
    ]);
    const answer = (field: string) => ask(bob, `mutation($home: String!) { ${field}(homeId: $home) { success code } }`);
    expect((await answer(reject)).data[reject]).toEqual({ success: true, code: null });
    expect((await answer(accept)).data[accept]).toEqual({ success: false, code: 'not_found' });
    await ask(ada, INVITE, { email: bob.user.email, role: 'view' });
    expect((await answer(accept)).data[accept]).toEqual({ success: true, code: null });
    const shared = await ask(bob, '{ mySharedHomes { homeId name role ownerEmail memberCount } cachedHomes { role } }');
    expect(shared.data).toEqual({
      mySharedHomes: [
        { homeId: home.home.id, name: 'My Home', role: 'view', ownerEmail: 'ada@example.org', memberCount: 2 },
      ],
      cachedHomes: [{ role: 'view' }],
    });
    expect((await ask(ada, '{ mySharedHomes { name } }')).data.mySharedHomes).toEqual([]);
    const leave = 'mutation($home: String!) { dismissHome(homeId: $home) }';
    expect((await ask(bob, leave)).data).toEqual({ dismissHome: true });
    expect((await ask(bob, '{ homes { id } }')).data.homes).toEqual([]);
    expect((await ask(ada, leave)).errors[0]).toMatchObject({ extensions: { reason: 'conflict' } });
  });
});

describe('the accounts of the relay', () => {
  const CREATE = `mutation($name: String!, $password: String!, $role: String, $email: String) {
    createCommunityUser(name: $name, password: $password, role: $role, email: $email) { id name email role createdAt } }`;
  const result = (call: string) => `mutation($user: String!) { result: ${call} { success error code } }`;

  it('are created, changed and removed by the founder', async () => {
    const account = { name: 'Bob', email: 'bob@example.org', password: 'another horse', role: 'control' };
    const { data } = await ask(ada, CREATE, account);
    expect(data.createCommunityUser).toMatchObject({ name: 'Bob', email: 'bob@example.org', role: 'control' });
    const user = data.createCommunityUser.id;
    const listed = await ask(ada, '{ communityUsers { name role isFounder } }');
    expect(listed.data.communityUsers).toEqual(
      expect.arrayContaining([
        { name: 'Ada', role: 'owner', isFounder: true },
        { name: 'Bob', role: 'control', isFounder: false },
      ]),
    );
    const done = { data: { result: { success: true, error: null, code: null } } };
    expect(await ask(ada, result('updateCommunityUserRole(userId: $user, role: "admin")'), { user })).toEqual(done);
    expect(home.members.list(systemCaller, home.home.id).find(({ id }) => id === user)?.role).toBe('admin');
    const renamed = await ask(
      ada,
      'mutation($user: String!) { renameCommunityUser(userId: $user, name: "Rob") { name } }',
      {
        user,
      },
    );
    expect(renamed.data).toEqual({ renameCommunityUser: { name: 'Rob' } });
    const password = 'changeCommunityUserPassword(userId: $user, password: "third horse")';
    expect(await ask(ada, result(password), { user })).toEqual(done);
    const signedIn = await home.users.logIn(anonymousCaller(), { email: account.email, password: 'third horse' });
    expect(await ask(ada, result('deleteCommunityUser(userId: $user)'), { user })).toEqual(done);
    expect((await ask(signedIn, '{ me { id } }')).errors[0].extensions.code).toBe('AUTHENTICATION_REQUIRED');
    const gone = await ask(ada, result('deleteCommunityUser(userId: $user)'), { user });
    expect(gone.data.result).toMatchObject({ success: false, code: 'user_not_found' });
    const own = await ask(ada, result('deleteCommunityUser(userId: $user)'), { user: ada.user.id });
    expect(own.data.result).toMatchObject({ success: false, code: 'conflict' });
  });

  it('a role in no home is none: they are to be invited first', async () => {
    const { user } = await createUser(home, { name: 'Bob' });
    const { data } = await ask(ada, result('updateCommunityUserRole(userId: $user, role: "view")'), { user: user.id });
    expect(data.result).toMatchObject({ success: false, code: 'conflict' });
    const { data: listed } = await ask(ada, '{ communityUsers { name role } }');
    expect(listed.communityUsers).toContainEqual({ name: 'Bob', role: null });
  });

  it('no other user sees or touches them', async () => {
    const max = await createUser(home, { name: 'Max', role: 'owner' });
    for (const query of [
      '{ communityUsers { id } }',
      `mutation { createCommunityUser(name: "eve@example.org", password: "some horse", role: "view") { id } }`,
      `mutation { changeCommunityUserPassword(userId: "${ada.user.id}", password: "some horse") { success } }`,
      `mutation { deleteCommunityUser(userId: "${ada.user.id}") { success } }`,
      'mutation { renewSetupCode { code } }',
    ]) {
      const { errors } = await ask(max, query);
      expect([query, errors?.[0].extensions.code]).toEqual([query, 'FORBIDDEN']);
    }
  });
});
