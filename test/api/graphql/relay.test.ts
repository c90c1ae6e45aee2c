/** The relay's own fields, and access tokens, through the whole API. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

let home: TestHome;
let client: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  client = createRestClient(createTestApi(home), createToken(home));
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

  it('shows its status to admins of a home, its log and settings to owners of all, and secrets to no one', async () => {
    home.logs.write(JSON.stringify({ level: 40, time: 1, msg: 'Odd', device: 'Lamp' }));
    home.relaySettings.update(systemCaller, { ntfy_url: 'https://ntfy.sh/very-secret' });
    const query = `{
      relay { status { uptimeMs counts { accessories } warnings { code values } } }
      relayLogs(level: "warn") { seq level message fields }
      relaySettings { name value isSet source }
    }`;
    const socket = createRestClient(createTestApi(home), undefined, { viaSocket: true });
    const { text, body } = await socket.post('/graphql', { query });
    expect(body.data.relay.status).toMatchObject({ uptimeMs: 90_000, counts: { accessories: 7 } });
    expect(body.data.relayLogs).toEqual([{ seq: 1, level: 'warn', message: 'Odd', fields: { device: 'Lamp' } }]);
    expect(body.data.relaySettings).toContainEqual({ name: 'ntfy_url', value: null, isSet: true, source: 'stored' });
    expect(text).not.toContain('very-secret');
    const { data, errors } = (await client.post('/graphql', { query })).body;
    expect(data).toMatchObject({ relay: { status: { uptimeMs: 90_000 } }, relayLogs: null, relaySettings: null });
    expect(errors).toHaveLength(2);
  });

  it('changes settings, and reports why it does not', async () => {
    const socket = createRestClient(createTestApi(home), undefined, { viaSocket: true });
    const query = 'mutation($s: JSON!) { updateRelaySettings(settings: $s) { name } }';
    const change = async (s: unknown) => (await socket.post('/graphql', { query, variables: { s } })).body;
    await change({ history_max_mb: 60 });
    expect(home.live.current.historyMaxMb).toBe(60);
    expect((await change({ port: 1 })).errors[0]).toMatchObject({
      message: expect.stringContaining('restart hearthd'),
    });
  });

  it('compresses what is large for those who take that, and nothing else', async () => {
    const ask = async (query: string, encoding: string) => {
      const { headers } = await client.request('POST', '/graphql', { query }, { 'Accept-Encoding': encoding });
      return [headers.get('content-encoding'), headers.get('vary')];
    };
    const part = 'accessories { id name services { id characteristics { id characteristicType value } } }';
    const large = `{ a: ${part} b: ${part} c: ${part} d: ${part} }`;
    expect(await ask(large, 'gzip, br')).toEqual(['gzip', 'Accept-Encoding']);
    expect(await ask(large, 'gzip;q=0')).toEqual([null, 'Accept-Encoding']);
    expect(await ask('{ health }', 'gzip')).toEqual([null, 'Accept-Encoding']);
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

  it('is not available to a caller who manages no home', async () => {
    const guest = createRestClient(createTestApi(home), createToken(home, { [home.home.id]: 'control' }));
    const { body } = await guest.post('/graphql', { query: '{ accessTokens { id } }' });
    expect(body.data).toEqual({ accessTokens: null });
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
  });
});
