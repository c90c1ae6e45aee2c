/** What the relay tells of itself, and access tokens, through the whole face. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestFace, createToken, type RestClient } from '../../support/rest-client.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';

let home: TestHome;
let client: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  client = createRestClient(createTestFace(home), createToken(home));
});
afterEach(() => home.close());

describe('the relay in GraphQL', () => {
  it('answers health, version and what it is', async () => {
    const { body } = await client.post('/graphql', {
      query: '{ health version deployedAt relay { name version instanceId } }',
    });
    expect(body).toEqual({
      data: {
        health: 'ok',
        version: '0.0.0-test',
        deployedAt: null,
        relay: { name: 'hearth', version: '0.0.0-test', instanceId: '0a1b2c3d' },
      },
    });
  });

  it('answers a query in the address of a GET', async () => {
    const { body } = await client.get(`/graphql?${new URLSearchParams({ query: '{ health }' })}`);
    expect(body).toEqual({ data: { health: 'ok' } });
  });
});

describe('access tokens in GraphQL', () => {
  const create =
    'mutation($p: JSON, $e: String) { createAccessToken(name: "T", homePermissions: $p, expiresAt: $e) { success token error code accessToken { homePermissions expiresAt } } }';
  const ask = async (variables: object) => (await client.post('/graphql', { query: create, variables })).body;

  it('take permissions as an object too, and none for all homes', async () => {
    const one = await ask({ p: { [home.home.id]: 'control' } });
    expect(JSON.parse(one.data.createAccessToken.accessToken.homePermissions)).toEqual({ [home.home.id]: 'control' });
    const all = await ask({});
    expect(all.data.createAccessToken).toMatchObject({
      success: true,
      accessToken: { homePermissions: null, expiresAt: null },
    });
  });

  it('are refused in the result: text that is no JSON, a time without a zone, a home that is not there', async () => {
    for (const variables of [{ p: '{' }, { e: '2030-01-01' }, { p: { [crypto.randomUUID()]: 'view' } }]) {
      const { data, errors } = await ask(variables);
      expect(errors).toBeUndefined();
      expect(data.createAccessToken).toMatchObject({ success: false, token: null, accessToken: null });
      expect(data.createAccessToken.code).toMatch(/invalid_value|home_not_found/);
    }
    expect(home.tokens.list({ principal: { kind: 'system' }, requestId: 'test', depth: 0 })).toHaveLength(1);
  });

  it('can’t be had by whoever manages no home', async () => {
    const guest = createRestClient(createTestFace(home), createToken(home, { [home.home.id]: 'control' }));
    const { body } = await guest.post('/graphql', { query: '{ accessTokens { id } }' });
    expect(body.data).toEqual({ accessTokens: null });
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
  });
});
