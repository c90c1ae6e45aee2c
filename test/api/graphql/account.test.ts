/** Signing in, accounts, sessions and settings over GraphQL, as clients of people use them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, stepAt } from '../../../src/app/users/totp.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { turnOnSecondFactor } from '../../support/second-factor.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { createUser } from '../../support/test-users.ts';

let home: TestHome;

beforeEach(() => {
  home = createTestHome({ sample: true });
});
afterEach(() => home.close());

const clientOf = (token?: string): RestClient => createRestClient(createTestApi(home), token);

const ASK_HEADERS = { 'User-Agent': 'Wall panel/1.0' };

async function ask(token: string | undefined, query: string, variables?: object) {
  const { body } = await clientOf(token).post('/graphql', { query, variables }, ASK_HEADERS);
  return body;
}

const LOGIN = `mutation($email: String!, $password: String!) {
  login(email: $email, password: $password) {
    success token error code expiresAt userId email message user { id email name accountType emailVerified isAdmin } } }`;
const SIGNUP = `mutation($email: String!, $password: String!, $name: String, $setupCode: String, $invitationCode: String) {
  signup(email: $email, password: $password, name: $name, setupCode: $setupCode, invitationCode: $invitationCode) {
    success token error code user { id name isAdmin } } }`;
const ACCOUNT = { email: 'ada@example.org', password: 'correct horse' };

describe('signup', () => {
  it('with the setup code makes the owner, once', async () => {
    const { code: setupCode } = home.setupCodes.renew(systemCaller);
    const { data } = await ask(undefined, SIGNUP, { ...ACCOUNT, name: 'Ada', setupCode });
    expect(data.signup).toMatchObject({ success: true, error: null, code: null, user: { name: 'Ada', isAdmin: true } });
    const me = await ask(data.signup.token, '{ me { email name isAdmin } homes { role } }');
    expect(me.data).toEqual({
      me: { email: 'ada@example.org', name: 'Ada', isAdmin: true },
      homes: [{ role: 'owner' }],
    });
    const second = await ask(undefined, SIGNUP, { ...ACCOUNT, email: 'eve@example.org', setupCode });
    expect(second.data.signup).toMatchObject({ success: false, token: null, code: 'conflict', user: null });
    expect(second.data.signup.error).toContain('already has an owner');
  });

  it('with a wrong setup code creates no account', async () => {
    home.setupCodes.renew(systemCaller);
    const { data } = await ask(undefined, SIGNUP, { ...ACCOUNT, setupCode: 'AAAA-AAAA' });
    expect(data.signup).toMatchObject({ success: false, code: 'invalid_credentials' });
    expect(home.users.isClaimed()).toBe(false);
  });

  it('with an invitation makes a member; without one registration is disabled', async () => {
    const { token } = await createUser(home, { name: 'Ada', founder: true });
    const invited = await ask(
      token,
      `mutation($home: String!) { inviteHomeMember(homeId: $home, email: "grace@example.org", role: "control") {
        success error member { email status isPending role } invitationCode invitationUrl expiresAt } }`,
      { home: home.home.id },
    );
    const { invitationCode, invitationUrl, ...rest } = invited.data.inviteHomeMember;
    expect(rest).toEqual({
      success: true,
      error: null,
      member: { email: 'grace@example.org', status: 'awaiting_signup', isPending: true, role: 'control' },
      expiresAt: '2026-01-22T12:00:00.000Z',
    });
    expect(invitationUrl).toBe(`http://localhost/invite/${invitationCode}`);
    const grace = { email: 'grace@example.org', password: 'another horse' };
    const none = await ask(undefined, SIGNUP, grace);
    expect(none.errors[0]).toMatchObject({
      message: 'Registration is disabled. Ask an admin to invite you.',
      extensions: { code: 'FORBIDDEN' },
    });
    const signedUp = await ask(undefined, SIGNUP, { ...grace, invitationCode });
    expect(signedUp.data.signup).toMatchObject({ success: true, user: { isAdmin: false } });
    const seen = await ask(
      signedUp.data.signup.token,
      '{ homes { role } mySharedHomes { name role ownerEmail memberCount } }',
    );
    expect(seen.data).toEqual({
      homes: [{ role: 'control' }],
      mySharedHomes: [{ name: 'My Home', role: 'control', ownerEmail: 'ada@example.org', memberCount: 2 }],
    });
  });
});

describe('login', () => {
  it('answers with a token and who it is; wrong ones by one sentence', async () => {
    const { user, password } = await createUser(home, { name: 'Ada', founder: true });
    const { data } = await ask(undefined, LOGIN, { email: user.email.toUpperCase(), password });
    expect(data.login).toEqual({
      success: true,
      token: expect.stringMatching(/^ey/),
      error: null,
      code: null,
      expiresAt: '2026-01-22T12:00:00.000Z',
      userId: user.id,
      email: user.email,
      message: null,
      user: {
        id: user.id,
        email: user.email,
        name: 'Ada',
        accountType: 'community',
        emailVerified: true,
        isAdmin: true,
      },
    });
    const wrong = await ask(undefined, LOGIN, { email: user.email, password: 'wrong horse' });
    const unknown = await ask(undefined, LOGIN, { email: 'nobody@example.org', password: 'wrong horse' });
    expect(wrong.data.login).toMatchObject({ success: false, token: null, code: 'invalid_credentials', user: null });
    expect(unknown).toEqual(wrong);
  });

  it('of an account with a second step names it as the reason, and takes a code', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    const factor = await turnOnSecondFactor(home, ada);
    const { email } = ada.user;
    const login = async (code: string) => {
      const args = `email: "${email}", password: "${ada.password}"${code && `, code: "${code}"`}`;
      return (await ask(undefined, `mutation { login(${args}) { success code reason token } }`)).data.login;
    };
    const refused = { success: false, code: 'invalid_credentials', token: null };
    expect(await login('')).toEqual({ ...refused, reason: 'second_factor_required' });
    expect(await login(factor.code(3))).toEqual({ ...refused, reason: 'wrong_second_factor' });
    expect(await login(factor.code())).toMatchObject({ success: true, token: expect.stringMatching(/^ey/) });
  });

  it('a person’s session is a person everywhere: GraphQL and REST, and not once it is ended', async () => {
    const { token } = await createUser(home, { name: 'Bob', role: 'view' });
    expect((await clientOf(token).get('/rest/homes')).body).toMatchObject([{ role: 'view' }]);
    const { data } = await ask(
      token,
      '{ sessions { id isCurrent name deviceId sessionType lastSeenAt } account { accountType accessoryLimit hasSubscription } }',
    );
    expect(data.account).toEqual({ accountType: 'community', accessoryLimit: null, hasSubscription: false });
    const [session] = data.sessions;
    expect(session).toMatchObject({ isCurrent: true, deviceId: session.id, sessionType: 'session' });
    const one = await ask(token, 'query($id: String!) { session(deviceId: $id) { id } }', { id: session.id });
    expect(one.data).toEqual({ session: { id: session.id } });
    const ended = await ask(token, 'mutation($id: String!) { removeSession(deviceId: $id) }', { id: session.id });
    expect(ended.data).toEqual({ removeSession: true });
    expect((await clientOf(token).get('/rest/homes')).status).toBe(401);
    expect((await ask(token, '{ health }')).errors[0].extensions.code).toBe('AUTHENTICATION_REQUIRED');
  });

  it('remembers what signed in, to distinguish sessions', async () => {
    const { user, password, token } = await createUser(home, { name: 'Bob', role: 'view' });
    await ask(undefined, LOGIN, { email: user.email, password });
    const { data } = await ask(token, '{ sessions { name isCurrent } }');
    expect(data.sessions).toEqual([
      { name: 'Wall panel/1.0', isCurrent: false },
      { name: null, isCurrent: true },
    ]);
    expect((await ask(token, 'mutation { removeOtherSessions }')).data).toEqual({ removeOtherSessions: true });
    expect((await ask(token, '{ sessions { isCurrent } }')).data.sessions).toEqual([{ isCurrent: true }]);
  });

  it('another’s session is not there', async () => {
    const { token } = await createUser(home, { name: 'Bob', role: 'view' });
    const other = await createUser(home, { name: 'Eve', role: 'view' });
    const { data } = await ask(other.token, '{ sessions { id } }');
    const id = data.sessions[0].id;
    const { errors } = await ask(token, 'mutation($id: String!) { removeSession(deviceId: $id) }', { id });
    expect(errors[0].extensions.code).toBe('NOT_FOUND');
    expect((await clientOf(other.token).get('/rest/homes')).status).toBe(200);
  });
});

describe('the account', () => {
  it('changePassword ends the session and gives a new one', async () => {
    const { token, password } = await createUser(home, { name: 'Bob', role: 'view' });
    const change = `mutation($old: String!, $new: String!) {
      changePassword(currentPassword: $old, newPassword: $new) { success code token error } }`;
    const wrong = await ask(token, change, { old: 'not it at all', new: 'brand new horse' });
    expect(wrong.data.changePassword).toMatchObject({ success: false, code: 'invalid_credentials', token: null });
    const short = await ask(token, change, { old: password, new: 'short' });
    expect(short.data.changePassword).toMatchObject({ success: false, code: 'invalid_value' });
    const { data } = await ask(token, change, { old: password, new: 'brand new horse' });
    expect(data.changePassword).toMatchObject({ success: true, code: null });
    expect((await clientOf(token).get('/rest/homes')).status).toBe(401);
    expect((await clientOf(data.changePassword.token).get('/rest/homes')).status).toBe(200);
  });

  it('updateProfile changes the name', async () => {
    const { token } = await createUser(home, { name: 'Bob', role: 'view' });
    const { data } = await ask(token, 'mutation { updateProfile(name: "Robert") { success user { name } } }');
    expect(data.updateProfile).toEqual({ success: true, user: { name: 'Robert' } });
  });

  it('settings are one text of JSON; keys that are given are replaced, null takes one away', async () => {
    const { token } = await createUser(home, { name: 'Bob', role: 'view' });
    const update = 'mutation($data: String!) { updateSettings(data: $data) { success error settings { data } } }';
    const first = await ask(token, update, { data: JSON.stringify({ layout: { a: 1 }, sort: 'name' }) });
    expect(JSON.parse(first.data.updateSettings.settings.data)).toEqual({
      developerMode: false,
      layout: { a: 1 },
      sort: 'name',
    });
    await ask(token, update, { data: '{"sort":null,"developerMode":true}' });
    const { data } = await ask(token, '{ settings { data } }');
    expect(JSON.parse(data.settings.data)).toEqual({ developerMode: true, layout: { a: 1 } });
    for (const bad of [
      'not json',
      '[]',
      '"text"',
      '{"developerMode":"yes"}',
      JSON.stringify({ x: 'x'.repeat(70_000) }),
    ]) {
      const { data: refused } = await ask(token, update, { data: bad });
      expect(refused.updateSettings).toMatchObject({ success: false, settings: null });
    }
  });

  it('a caller without a person has no account; a person’s token has theirs', async () => {
    const { errors } = await ask(createToken(home), '{ me { id } }');
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
    const { user, caller } = await createUser(home, { name: 'Ada', founder: true });
    home.userSettings.update(caller, { developerMode: true });
    const { token } = home.tokens.create(caller, { name: 'Script' });
    expect((await ask(token, '{ me { id } }')).data).toEqual({ me: { id: user.id } });
    // A token that acts for a person is not the person.
    const change = 'mutation { changePassword(currentPassword: "a", newPassword: "b") { success } }';
    expect((await ask(token, change)).errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await ask(token, '{ sessions { id } }')).errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it.each([
    'verifyEmail(token: "x")',
    'resendVerificationEmail',
    'requestPasswordReset(email: "a@b.c")',
    'resetPassword(token: "x", newPassword: "12345678")',
  ])('%s is for the Cloud edition only, and the answer states it', async (call) => {
    const { token } = await createUser(home, { name: 'Bob', role: 'view' });
    const { data } = await ask(token, `mutation { result: ${call} { success error code } }`);
    expect(data.result).toEqual({
      success: false,
      error: expect.stringContaining('sends no mails'),
      code: 'cloud_only',
    });
  });
});

describe('the second step', () => {
  it('is turned on, gets new recovery codes and is turned off', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    const { token, password } = ada;
    const status = async () => (await ask(token, '{ secondFactor { isOn createdAt recoveryCodesLeft } }')).data;
    expect(await status()).toEqual({ secondFactor: { isOn: false, createdAt: null, recoveryCodesLeft: 0 } });
    const begin =
      'mutation($currentPassword: String!) { beginSecondFactor(currentPassword: $currentPassword) { success reason secret uri } }';
    const wrong = await ask(token, begin, { currentPassword: 'wrong horse' });
    expect(wrong.data.beginSecondFactor).toEqual({ success: false, reason: 'wrong_password', secret: null, uri: null });
    const { secret, uri } = (await ask(token, begin, { currentPassword: password })).data.beginSecondFactor;
    expect(uri).toContain(secret);
    const mutate = async (field: string, code: string, fields = 'recoveryCodes') =>
      (await ask(token, `mutation($code: String!) { ${field}(code: $code) { success reason ${fields} } }`, { code }))
        .data[field];
    const { recoveryCodes } = await mutate('confirmSecondFactor', codeOf(secret, stepAt(home.clock.now())));
    expect(recoveryCodes).toHaveLength(10);
    expect(await status()).toEqual({
      secondFactor: { isOn: true, createdAt: '2026-01-15T12:00:00.000Z', recoveryCodesLeft: 10 },
    });
    expect(await mutate('turnOffSecondFactor', 'x', '')).toEqual({ success: false, reason: 'wrong_second_factor' });
    const renewed = await mutate('renewRecoveryCodes', recoveryCodes[0]);
    expect(renewed).toMatchObject({ success: true, reason: null });
    expect(await mutate('turnOffSecondFactor', renewed.recoveryCodes[9], '')).toEqual({ success: true, reason: null });
  });

  it('of another person, and its passkeys, need a proof once the sign-in is ten minutes ago', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    const bob = await createUser(home, { name: 'Bob', role: 'view' });
    await turnOnSecondFactor(home, bob);
    await home.clock.advance(10 * 60_000);
    const reset = `mutation { resetSecondFactor(userId: "${bob.user.id}") { success } }`;
    const [error] = (await ask(ada.token, reset)).errors;
    expect(error.extensions).toMatchObject({ reason: 'insufficient_permissions', cause: 'proof_needed' });
    const give = async (proof: string) =>
      (await ask(ada.token, `mutation { giveProof(${proof}) { success code reason } }`)).data.giveProof;
    expect(await give('currentPassword: "no"')).toEqual({
      success: false,
      code: 'invalid_credentials',
      reason: 'wrong_password',
    });
    expect(await give('response: "{}"')).toMatchObject({ success: false, code: 'invalid_credentials' });
    expect(await give(`currentPassword: "${ada.password}"`)).toEqual({ success: true, code: null, reason: null });
    expect((await ask(ada.token, reset)).data.resetSecondFactor).toEqual({ success: true });
  });

  it('of another person is turned off by the founder', async () => {
    const ada = await createUser(home, { name: 'Ada', founder: true });
    const bob = await createUser(home, { name: 'Bob', role: 'view' });
    await turnOnSecondFactor(home, bob);
    const listed = await ask(ada.token, '{ communityUsers { name hasSecondFactor } }');
    // Both joined at the same moment.
    expect(listed.data.communityUsers).toHaveLength(2);
    expect(listed.data.communityUsers).toContainEqual({ name: 'Ada', hasSecondFactor: false });
    expect(listed.data.communityUsers).toContainEqual({ name: 'Bob', hasSecondFactor: true });
    const reset = 'mutation($userId: String!) { resetSecondFactor(userId: $userId) { success reason userId } }';
    const answer = await ask(ada.token, reset, { userId: bob.user.id });
    expect(answer.data.resetSecondFactor).toEqual({ success: true, reason: null, userId: bob.user.id });
    expect(home.secondFactors.status(bob.caller).isOn).toBe(false);
  });
});
