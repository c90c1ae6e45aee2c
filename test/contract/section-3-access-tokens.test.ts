/** API §3: states and transitions, the rows of access tokens. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, type RestClient } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { createUser, type TestUser } from '../support/test-users.ts';

const CREATE = `mutation($expiresAt: String) { createAccessToken(name: "Script", expiresAt: $expiresAt) {
  success token accessToken { id expiresAt revokedAt } } }`;
const REVOKE = 'mutation($id: String!) { revokeAccessToken(tokenId: $id) { success error code } }';
const LIST = '{ accessTokens { id name tokenPrefix lastUsedAt expiresAt revokedAt createdAt } }';

let home: TestHome;
let ada: TestUser;

beforeEach(async () => {
  home = createTestHome({ sample: true });
  ada = await createUser(home, { name: 'Ada', founder: true });
  home.userSettings.update(ada.caller, { developerMode: true });
});
afterEach(() => home.close());

const as = (token: string): RestClient => createRestClient(createTestApi(home), token);

async function ask(query: string, variables?: object) {
  return (await as(ada.token).post('/graphql', { query, variables })).body.data;
}

describe('API §3: access token', () => {
  it('active (`revokedAt` null) → `revokeAccessToken`, token exists → revoked (`revokedAt` set); requests with it get 401 `invalid_token`', async () => {
    const { createAccessToken: created } = await ask(CREATE);
    expect(created.accessToken.revokedAt).toBeNull();
    expect((await as(created.token).get('/rest/homes')).status).toBe(200);
    const { revokeAccessToken: revoked } = await ask(REVOKE, { id: created.accessToken.id });
    expect(revoked).toEqual({ success: true, error: null, code: null });
    const { status, body } = await as(created.token).get('/rest/homes');
    expect([status, body.error]).toEqual([401, 'invalid_token']);
    const { accessTokens } = await ask(LIST);
    expect(accessTokens).toEqual([expect.objectContaining({ revokedAt: '2026-01-15T12:00:00.000Z' })]);
  });

  it('of a token that does not exist nothing is revoked', async () => {
    const { revokeAccessToken } = await ask(REVOKE, { id: '00000000-0000-4000-8000-000000000000' });
    expect(revokeAccessToken).toMatchObject({ success: false, code: 'not_found' });
  });

  it('nor of one that another user made', async () => {
    const { info, token } = home.tokens.create(systemCaller, { name: 'The home’s own' });
    expect((await ask(REVOKE, { id: info.id })).revokeAccessToken).toMatchObject({ success: false, code: 'not_found' });
    expect((await as(token).get('/rest/homes')).status).toBe(200);
  });

  it('active → passing of `expiresAt`, which was set at creation → expired; requests with it are rejected', async () => {
    const { createAccessToken: created } = await ask(CREATE, { expiresAt: '2026-01-15T13:00:00Z' });
    expect(created.accessToken.expiresAt).toBe('2026-01-15T13:00:00.000Z');
    expect((await as(created.token).get('/rest/homes')).status).toBe(200);
    await home.clock.advance(3_600_001);
    const { status, body } = await as(created.token).get('/rest/homes');
    expect([status, body.error, body.message]).toEqual([401, 'invalid_token', 'Token expired']);
    expect((await ask(LIST)).accessTokens[0].revokedAt).toBeNull();
  });

  it('`lastUsedAt` is null until it is used', async () => {
    const { createAccessToken: created } = await ask(CREATE);
    expect((await ask(LIST)).accessTokens[0].lastUsedAt).toBeNull();
    await as(created.token).get('/rest/homes');
    expect((await ask(LIST)).accessTokens[0].lastUsedAt).toBe('2026-01-15T12:00:00.000Z');
  });
});
