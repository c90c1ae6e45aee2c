/** Accounts without an e-mail address (decisions §14): their people sign in with the name, which is unique. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOAuthFixture, type OAuthFixture } from '../../support/oauth-fixture.ts';
import { callerOf, systemCaller } from '../../support/test-home.ts';
import { anonymousCaller, createUser } from '../../support/test-users.ts';

const PASSWORD = 'correct horse';

let fixture: OAuthFixture;
beforeEach(async () => {
  fixture = await createOAuthFixture();
});
afterEach(() => fixture.close());

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
async function graphql(query: string, token?: string): Promise<any> {
  const headers = {
    'Content-Type': 'application/json',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  return (await fixture.post('/graphql', JSON.stringify({ query }), headers)).json();
}

/** As existing clients call it. */
const create = (name: string, role = 'control') =>
  graphql(
    `mutation { createCommunityUser(name: ${JSON.stringify(name)}, password: "${PASSWORD}", role: "${role}") { id name email role } }`,
    fixture.ann.token,
  );
const logIn = (name: string, password = PASSWORD) =>
  fixture.home.users.logIn(anonymousCaller(), { email: name, password });

describe('createCommunityUser without an e-mail address', () => {
  it('makes an account that signs in by its name through GraphQL, in upper or lower case', async () => {
    const { data } = await create('Grandma Kim');
    expect(data.createCommunityUser).toMatchObject({ name: 'Grandma Kim', email: 'Grandma Kim', role: 'control' });
    for (const name of ['Grandma Kim', 'grandma kim', ' GRANDMA KIM ']) {
      const query = `mutation { login(email: "${name}", password: "${PASSWORD}") { success token user { name email } error } }`;
      const { login } = (await graphql(query)).data;
      expect(login).toMatchObject({ success: true, user: { name: 'Grandma Kim' } });
      expect(await fixture.statusOf(login.token)).toBe(200);
    }
    expect(
      (await graphql(`mutation { login(email: "Grandma Kim", password: "wrong") { token error } }`)).data.login,
    ).toEqual({
      token: null,
      error: 'Wrong e-mail address or password.',
    });
  });

  it.each([
    ['the same name', 'Kim', 'Kim'],
    ['the name in another case', 'Kim', 'kIM'],
    ['the name in other letters that look the same', 'Kim', 'Ｋｉｍ'],
  ])('refuses %s as taken', async (_, first, second) => {
    await create(first);
    const { errors, data } = await create(second);
    expect(data.createCommunityUser).toBeNull();
    expect(errors[0]).toMatchObject({
      message: expect.stringContaining('already'),
      extensions: { code: 'INVALID_VALUE' },
    });
  });

  it('refuses the name and the address of an account that has an address', async () => {
    const bob = await createUser(fixture.home, { name: 'Bob' });
    for (const name of ['bob', bob.user.email, bob.user.email.toUpperCase(), bob.user.email.replace('@', '＠')]) {
      const { errors, data } = await create(name);
      expect([name, data.createCommunityUser]).toEqual([name, null]);
      expect(errors[0].extensions.code).toBe('INVALID_VALUE');
    }
  });

  it('makes an account with an address where the name is one, as before', async () => {
    await create('eve@example.org');
    expect(await logIn('eve@example.org')).toMatchObject({
      user: { email: 'eve@example.org', name: 'eve@example.org' },
    });
  });
});

describe('a person without an address', () => {
  let id: string;
  beforeEach(async () => {
    id = (await create('Kim', 'control')).data.createCommunityUser.id;
  });
  const callerOfKim = async () => callerOf(await fixture.home.sessions.authenticate((await logIn('Kim')).token));

  it('signs in at the page, sees the account once by name, and changes the password there', async () => {
    const browser = fixture.browserOf(null);
    const login = await browser.get('/login');
    expect(login.text).toContain('Email address or name');
    expect(login.text).toMatch(/<input[^>]*name="email"[^>]*type="text"|<input[^>]*type="text"[^>]*name="email"/);
    expect((await browser.submit(login, '/login', { email: 'Kim', password: PASSWORD })).location).toBe('/account');
    const account = await browser.get('/account');
    expect(account.text.match(/>Kim</g)).toHaveLength(1);
    const change = { currentPassword: PASSWORD, newPassword: 'another horse entirely' };
    expect((await browser.submit(account, '/account/password', change)).location).toBe('/account?done=password');
    await expect(logIn('Kim')).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await logIn('Kim', 'another horse entirely')).toMatchObject({ user: { id } });
  });

  it('signs in for an app and allows it', async () => {
    const client = await fixture.register();
    const browser = fixture.browserOf(null);
    const login = await fixture.follow(browser, await browser.get((await fixture.begin(client)).path));
    const going = await browser.submit(login, '/login', { email: 'Kim', password: PASSWORD });
    const consent = await browser.get(
      /\/oauth\/interaction\/[\w-]+/.exec((await browser.get(going.location ?? '')).text)?.[0] ?? '',
    );
    const callback = await fixture.allow(browser, consent, { password: PASSWORD });
    expect(callback.location).toContain('code=');
    expect(fixture.home.authorizedApps.list(systemCaller)).toHaveLength(1);
  });

  it('is in the lists of members and accounts, and gets another role', async () => {
    const members = await graphql(
      `{ homeMembers(homeId: "${fixture.home.home.id}") { email name role } }`,
      fixture.ann.token,
    );
    expect(members.data.homeMembers).toContainEqual({ email: 'Kim', name: 'Kim', role: 'control' });
    const listed = await graphql('{ communityUsers { id email name role } }', fixture.ann.token);
    expect(listed.data.communityUsers).toContainEqual({ id, email: 'Kim', name: 'Kim', role: 'control' });
    await graphql(`mutation { updateCommunityUserRole(userId: "${id}", role: "view") { success } }`, fixture.ann.token);
    expect(fixture.home.members.strongestRole(id)).toBe('view');
  });

  it('is invited into another home and given a share by the name', async () => {
    const cabin = fixture.home.homes.create(fixture.ann.caller, { name: 'Cabin' });
    const invited = fixture.home.members.invite(fixture.ann.caller, { homeId: cabin.id, email: 'kim', role: 'view' });
    expect(invited).toMatchObject({ member: { email: 'Kim', status: 'awaiting_acceptance' }, invitation: null });
    expect(fixture.home.members.accept(await callerOfKim(), cabin.id)).toMatchObject({ role: 'view' });
    const lamp = { entityType: 'accessory', entityId: fixture.home.named('Lamp').id, accessType: 'user', role: 'view' };
    const { share } = await fixture.home.shares.create(fixture.ann.caller, { ...lamp, userEmail: 'Kim' });
    expect(share).toMatchObject({ userId: id, userEmail: 'Kim' });
  });

  it('signs in with another name after a rename, and no longer with the old one', async () => {
    fixture.home.users.rename(fixture.ann.caller, id, 'Kimberly');
    expect(await logIn('kimberly')).toMatchObject({ user: { id, name: 'Kimberly' } });
    await expect(logIn('Kim')).rejects.toMatchObject({ code: 'invalid_credentials' });
  });

  it('takes no name that is taken, and none that would be an address', async () => {
    await createUser(fixture.home, { name: 'Bob' });
    const caller = await callerOfKim();
    for (const name of ['Bob', 'bob@example.org', 'carl@example.org', 'carl＠example.org']) {
      await expect(fixture.home.users.update(caller, { name })).rejects.toMatchObject({ code: 'conflict' });
      expect(() => fixture.home.users.rename(systemCaller, id, name)).toThrow(
        expect.objectContaining({ code: 'conflict' }),
      );
    }
    await fixture.home.users.update(caller, { name: 'KIM' });
    expect(await logIn('kim')).toMatchObject({ user: { id, name: 'KIM' } });
  });

  it('comes by no invitation that is for an address', async () => {
    const invited = { homeId: fixture.home.home.id, email: 'carl@example.org', role: 'owner' };
    const { invitation } = fixture.home.members.invite(fixture.ann.caller, invited);
    const caller = await callerOfKim();
    expect(() => fixture.home.members.acceptCode(caller, invitation?.code)).toThrow('not for this address');
  });

  it('is deleted as any other, and the name is free again', async () => {
    const { token } = await logIn('Kim');
    fixture.home.users.delete(fixture.ann.caller, id);
    await expect(fixture.home.sessions.authenticate(token)).rejects.toMatchObject({ code: 'invalid_token' });
    expect((await create('Kim')).data.createCommunityUser).toMatchObject({ name: 'Kim' });
  });

  it('is counted like any other when the password is guessed', async () => {
    const guess = () => fixture.home.users.logIn(anonymousCaller('192.0.2.77'), { email: 'Kim', password: 'x' });
    for (let n = 0; n < 2; n += 1) await expect(guess()).rejects.toMatchObject({ code: 'invalid_credentials' });
    await expect(guess()).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
