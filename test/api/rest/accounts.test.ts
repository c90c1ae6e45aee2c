/** Accounts, members, sessions and settings over REST: who reaches what, and what comes of it for what they hold. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createRestClient,
  createTestApi,
  createToken,
  type RestClient,
  TEST_GUARDS,
} from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { createUser, type TestUser } from '../../support/test-users.ts';

const NO_SUCH_ID = '00000000-0000-4000-8000-000000000000';

let home: TestHome;
let socket: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  socket = createRestClient(createTestApi(home), undefined, { viaSocket: true });
});
afterEach(() => home.close());

const as = ({ token }: Pick<TestUser, 'token'>): RestClient => createRestClient(createTestApi(home), token);

describe('/rest/me', () => {
  it('is the caller', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    expect((await as(ada).get('/rest/me')).body).toEqual({
      id: ada.user.id,
      email: 'ada@example.org',
      name: 'Ada',
      isFounder: true,
      createdAt: expect.stringMatching(/Z$/),
      lastLoginAt: expect.stringMatching(/Z$/),
    });
    expect((await socket.get('/rest/me')).status).toBe(403);
  });

  it('another password ends the session that asks and gives a new one; a wrong one changes nothing', async () => {
    const bob = await createUser(home, { name: 'Bob', role: 'view' });
    const path = '/rest/me/password';
    const wrong = await as(bob).post(path, { currentPassword: 'not it', newPassword: 'brand new horse' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials']);
    expect((await as(bob).get('/rest/me')).status).toBe(200);
    const { body } = await as(bob).post(path, { currentPassword: bob.password, newPassword: 'brand new horse' });
    expect((await as(bob).get('/rest/me')).status).toBe(401);
    expect((await as(body).get('/rest/me')).body.name).toBe('Bob');
  });
});

describe('/rest/users', () => {
  it('are the business of the founder and the command line alone', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    const bob = await createUser(home, { name: 'Bob', role: 'owner' });
    const users: { name: string }[] = (await as(ada).get('/rest/users')).body;
    expect(users.map(({ name }) => name).sort()).toEqual(['Ada', 'Bob']);
    expect((await socket.get('/rest/users')).body).toHaveLength(2);
    for (const answer of [
      await as(bob).get('/rest/users'),
      await as(bob).post('/rest/users', { email: 'eve@example.org', password: 'some horse' }),
      await as(bob).patch(`/rest/users/${ada.user.id}`, { name: 'Eve' }),
      await as(bob).post(`/rest/users/${ada.user.id}/password`, { password: 'some horse' }),
      await as(bob).delete(`/rest/users/${ada.user.id}`),
      await as(bob).post('/rest/setup-code'),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_permissions']);
    }
  });

  it('a new password and the end of an account end its sessions and access tokens at once', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    const bob = await createUser(home, { name: 'Bob', role: 'admin' });
    home.userSettings.update(bob.caller, { developerMode: true });
    const { token } = home.tokens.create(bob.caller, { name: 'Script' });
    expect((await as({ token }).get('/rest/homes')).body).toHaveLength(1);
    await as(ada).post(`/rest/users/${bob.user.id}/password`, { password: 'third horse' });
    expect((await as(bob).get('/rest/homes')).status).toBe(401);
    // A token has its own end.
    expect((await as({ token }).get('/rest/homes')).status).toBe(200);
    expect((await as(ada).delete(`/rest/users/${bob.user.id}`)).body).toEqual({ success: true, userId: bob.user.id });
    expect((await as({ token }).get('/rest/homes')).status).toBe(401);
    expect((await as(ada).delete(`/rest/users/${bob.user.id}`)).body.code).toBe('user_not_found');
  });

  it.each([
    [{ email: 'eve@example.org' }, 400],
    [{ password: 'some horse' }, 422],
    [{ email: 'eve', password: 'some horse' }, 422],
    [{ email: 'eve@example.org', password: 'short' }, 422],
    [{ email: 'eve@example.org', password: 'some horse', role: 'king' }, 422],
    [{ email: 'eve@example.org', password: 'some horse', homeIds: [NO_SUCH_ID] }, 404],
    [{ email: 'eve@example.org', password: 'some horse', admin: true }, 400],
    [{ email: 'eve@example.org', password: ['some horse'] }, 422],
  ])('refuses %j with %i, and creates no user', async (body, status) => {
    expect((await socket.post('/rest/users', body)).status).toBe(status);
    expect(home.users.list(systemCaller)).toEqual([]);
  });

  it('the command line’s first one claims the relay', async () => {
    const { body } = await socket.post('/rest/users', { email: 'ada@example.org', password: 'some horse' });
    expect(body).toMatchObject({ name: 'ada', isFounder: true });
    expect((await socket.post('/rest/setup-code')).body.code).toBe('conflict');
  });
});

describe('/rest/homes/:id/members', () => {
  it('is managed by admins; admins and owners are made by owners alone; the last owner stays', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    const max = await createUser(home, { name: 'Max', role: 'admin' });
    const bob = await createUser(home, { name: 'Bob', role: 'view' });
    const members = `/rest/homes/${home.home.id}/members`;
    const listed: { name: string; role: string }[] = (await as(max).get(members)).body;
    expect(listed.map(({ name, role }) => `${name}: ${role}`).sort()).toEqual([
      'Ada: owner',
      'Bob: view',
      'Max: admin',
    ]);
    expect((await as(bob).get(members)).status).toBe(403);
    expect((await as(max).patch(`${members}/${bob.user.id}`, { role: 'control' })).body.role).toBe('control');
    expect((await as(max).patch(`${members}/${bob.user.id}`, { role: 'admin' })).status).toBe(403);
    expect((await as(max).patch(`${members}/${ada.user.id}`, { role: 'view' })).status).toBe(403);
    expect((await as(max).delete(`${members}/${ada.user.id}`)).status).toBe(403);
    expect((await as(ada).patch(`${members}/${bob.user.id}`, { role: 'king' })).status).toBe(422);
    expect((await as(ada).patch(`${members}/${NO_SUCH_ID}`, { role: 'view' })).body.code).toBe('user_not_found');
    const last = await as(ada).patch(`${members}/${ada.user.id}`, { role: 'admin' });
    expect([last.status, last.body.code]).toEqual([422, 'conflict']);
    expect((await as(bob).delete(`${members}/${bob.user.id}`)).status).toBe(200);
    expect((await as(bob).get('/rest/homes')).body).toEqual([]);
  });

  it('a role taken away is gone in sessions and tokens at once', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    const max = await createUser(home, { name: 'Max', role: 'admin' });
    home.userSettings.update(max.caller, { developerMode: true });
    const { token } = home.tokens.create(max.caller, { name: 'Script' });
    const lamp = { home: 'My Home', room: 'Living Room', accessory: 'Lamp', on: true };
    expect((await as({ token }).post('/rest/state', lamp)).status).toBe(200);
    await as(ada).patch(`/rest/homes/${home.home.id}/members/${max.user.id}`, { role: 'view' });
    expect((await as({ token }).post('/rest/state', lamp)).status).toBe(403);
    expect((await as(max).post('/rest/state', lamp)).status).toBe(403);
    await as(ada).delete(`/rest/homes/${home.home.id}/members/${max.user.id}`);
    expect((await as({ token }).get('/rest/homes')).body).toEqual([]);
  });

  it('links lead to the relay from other devices in the home, though the command line asks', async () => {
    const guards = { ...TEST_GUARDS, lanOrigin: () => 'http://192.168.1.5:5656' };
    const client = createRestClient(createTestApi(home, { guards }), undefined, { viaSocket: true });
    expect((await client.post('/rest/setup-code')).body.url).toBe('http://192.168.1.5:5656/');
    const grace = { email: 'grace@example.org', role: 'view' };
    const { invitation } = (await client.post(`/rest/homes/${home.home.id}/members`, grace)).body;
    expect(invitation.url).toBe(`http://192.168.1.5:5656/invite/${invitation.code}`);
    expect(home.members.findInvitation(invitation.code)?.email).toBe('grace@example.org');
  });

  it('an invitation is accepted by whom it is for, and by no one else', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    const bob = await createUser(home, { name: 'Bob' });
    const eve = await createUser(home, { name: 'Eve' });
    const members = `/rest/homes/${home.home.id}/members`;
    const invited = await as(ada).post(members, { email: 'BOB@example.org', role: 'control' });
    // An account holder finds it when they sign in.
    expect(invited.body).toMatchObject({ member: { status: 'awaiting_acceptance' }, invitation: null });
    const [invitation] = (await as(bob).get('/rest/invitations')).body;
    expect(invitation).toMatchObject({ homeName: 'My Home', role: 'control', inviterName: 'Ada' });
    expect((await as(bob).get('/rest/homes')).body).toEqual([]);
    const accept = `/rest/invitations/${home.home.id}/accept`;
    expect((await as(eve).post(accept)).status).toBe(404);
    expect((await as(bob).post(accept)).body).toMatchObject({ role: 'control', status: 'active' });
    expect((await as(bob).post(accept)).status).toBe(404);
    expect((await as(bob).get('/rest/homes')).body).toHaveLength(1);
  });
});

describe('/rest/sessions', () => {
  it('people see their own, the command line all', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    const bob = await createUser(home, { name: 'Bob', role: 'view' });
    const own = (await as(bob).get('/rest/sessions')).body;
    expect(own).toEqual([expect.objectContaining({ userId: bob.user.id, isCurrent: true })]);
    expect((await as(ada).get(`/rest/sessions/${own[0].id}`)).status).toBe(404);
    expect((await as(ada).delete(`/rest/sessions/${own[0].id}`)).status).toBe(404);
    const all = (await socket.get('/rest/sessions')).body;
    expect(all.map(({ userId }: { userId: string }) => userId)).toContain(ada.user.id);
    expect((await socket.delete(`/rest/sessions?user=${bob.user.id}`)).body).toEqual({ success: true, ended: 1 });
    expect((await as(bob).get('/rest/me')).status).toBe(401);
    expect((await as(ada).get('/rest/me')).status).toBe(200);
  });

  it('exceptCurrent keeps the one that asks', async () => {
    const bob = await createUser(home, { name: 'Bob', role: 'view' });
    const other = await home.users.logIn(bob.caller, { email: bob.user.email, password: bob.password });
    expect((await as(bob).delete('/rest/sessions?exceptCurrent=true')).body).toEqual({ success: true, ended: 1 });
    expect((await as(other).get('/rest/me')).status).toBe(401);
    expect((await as(bob).get('/rest/me')).status).toBe(200);
    expect((await as(bob).delete('/rest/sessions')).body.ended).toBe(1);
    expect((await as(bob).get('/rest/me')).status).toBe(401);
  });
});

describe('/rest/settings', () => {
  it('are each person’s own; what acts for them reads but does not change them', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    expect((await as(ada).patch('/rest/settings', { developerMode: true, sort: 'name' })).body).toEqual({
      developerMode: true,
      sort: 'name',
    });
    const { token } = home.tokens.create(ada.caller, { name: 'Script' });
    expect((await as({ token }).get('/rest/settings')).body).toEqual({ developerMode: true, sort: 'name' });
    expect((await as({ token }).patch('/rest/settings', { developerMode: false })).status).toBe(403);
    expect((await as({ token: createToken(home) }).get('/rest/settings')).status).toBe(403);
    expect((await as(ada).patch('/rest/settings', { developerMode: 'yes' })).status).toBe(422);
    expect((await as(ada).patch('/rest/settings', '{"__proto__":{"polluted":1}}')).status).toBe(200);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
