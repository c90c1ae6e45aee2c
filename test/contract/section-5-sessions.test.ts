/** API §5 and §5.1 where people are concerned: sessions, and what they need for access tokens. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';
import { createUser, type TestUser } from '../support/test-users.ts';

const DAY_MS = 24 * 60 * 60_000;

let home: TestHome;
let ada: TestUser;

beforeEach(async () => {
  home = createTestHome({ sample: true });
  ada = await createUser(home, { name: 'Ada', founder: true });
});
afterEach(() => home.close());

const as = (token: string): RestClient => createRestClient(createTestApi(home), token);

async function graphql(token: string, query: string) {
  return (await as(token).post('/graphql', { query })).body;
}

describe('API §5: a sign-in session token (a JWT) is also accepted', () => {
  it('sent as the header `Authorization: Bearer <token>`, by REST and GraphQL', async () => {
    expect(ada.token.split('.')).toHaveLength(3);
    expect((await as(ada.token).get('/rest/homes')).body).toMatchObject([{ name: 'My Home', role: 'owner' }]);
    expect((await graphql(ada.token, '{ homes { name role } }')).data).toEqual({
      homes: [{ name: 'My Home', role: 'owner' }],
    });
  });

  it('it expires after its configured lifetime (7 days) and is renewed by signing in again', async () => {
    await home.clock.advance(7 * DAY_MS - 60_000);
    expect((await as(ada.token).get('/rest/homes')).status).toBe(200);
    await home.clock.advance(120_000);
    const { status, body } = await as(ada.token).get('/rest/homes');
    expect([status, body]).toEqual([401, { error: 'invalid_token', message: 'Token expired', code: 'invalid_token' }]);
    const again = await home.users.logIn(ada.caller, { email: ada.user.email, password: ada.password });
    expect((await as(again.token).get('/rest/homes')).status).toBe(200);
    // A clock set back revives nothing.
    home.clock.jumpWallClock(-8 * DAY_MS);
    expect((await as(ada.token).get('/rest/homes')).status).toBe(401);
  });

  it.each([
    ['with another signature', (jwt: string) => `${jwt.slice(0, -4)}AAAA`],
    ['with another payload', (jwt: string) => jwt.replace(/\.([^.]+)\./, (_, body) => `.${body.slice(0, -2)}AA.`)],
    ['without a signature', (jwt: string) => `${jwt.split('.').slice(0, 2).join('.')}.`],
    [
      'that declares that it needs none',
      (jwt: string) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${jwt.split('.')[1]}.`,
    ],
    ['cut short', (jwt: string) => jwt.slice(0, jwt.lastIndexOf('.'))],
    ['twice', (jwt: string) => `${jwt}.${jwt}`],
  ])('a token %s is 401 invalid_token', async (_, forge) => {
    const { status, body } = await as(forge(ada.token)).get('/rest/homes');
    expect([status, body.error, body.message]).toEqual([401, 'invalid_token', 'Invalid token']);
  });
});

describe('API §5.1', () => {
  const CREATE = 'mutation { createAccessToken(name: "Script") { success token accessToken { id } } }';
  const REVOKE = 'mutation { revokeAccessToken(tokenId: "x") { success } }';
  const LIST = '{ accessTokens { id } }';

  it('1. Developer Mode must be enabled in the account settings before tokens can be managed by a session', async () => {
    for (const query of [CREATE, REVOKE, LIST]) {
      const { errors } = await graphql(ada.token, query);
      expect([query, errors[0].extensions]).toEqual([
        query,
        { code: 'DEVELOPER_MODE_REQUIRED', reason: 'developer_mode_required' },
      ]);
    }
    for (const [method, path, body] of [
      ['GET', '/rest/tokens', undefined],
      ['POST', '/rest/tokens', { name: 'Script' }],
      ['DELETE', '/rest/tokens/x', undefined],
    ] as const) {
      const answer = await as(ada.token).request(method, path, body);
      expect([method, answer.status, answer.body.error, answer.body.code]).toEqual([
        method,
        403,
        'insufficient_permissions',
        'developer_mode_required',
      ]);
    }
  });

  it('1. Created by the `createAccessToken` mutation once it is on', async () => {
    const on = 'mutation { updateSettings(data: "{\\"developerMode\\":true}") { success } }';
    expect((await graphql(ada.token, on)).data.updateSettings.success).toBe(true);
    const { data } = await graphql(ada.token, CREATE);
    expect(data.createAccessToken).toMatchObject({ success: true, token: expect.stringMatching(/^hc_[\w-]{43}$/) });
    expect((await graphql(ada.token, LIST)).data.accessTokens).toEqual([data.createAccessToken.accessToken]);
  });

  it('the command line and tokens that there are are unaffected', async () => {
    const token = createToken(home);
    expect((await graphql(token, LIST)).data.accessTokens).toHaveLength(1);
    const socket = createRestClient(createTestApi(home), undefined, { viaSocket: true });
    expect((await socket.post('/rest/tokens', { name: 'CLI' })).status).toBe(200);
  });

  it('a token never exceeds its maker’s roles, now or later', async () => {
    const max = await createUser(home, { name: 'Max', role: 'admin' });
    home.userSettings.update(max.caller, { developerMode: true });
    const { token } = home.tokens.create(max.caller, { name: 'Script' });
    const roleOf = async () => (await as(token).get('/rest/homes')).body[0]?.role;
    expect(await roleOf()).toBe('admin');
    for (const role of ['control', 'view']) {
      home.members.setRole(ada.caller, { homeId: home.home.id, memberId: max.user.id, role });
      expect(await roleOf()).toBe(role);
    }
    home.members.remove(ada.caller, { homeId: home.home.id, memberId: max.user.id });
    expect(await roleOf()).toBeUndefined();
  });
});
