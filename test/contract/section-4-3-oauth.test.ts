/**
 * API §4.3 and §5.2, sentence by sentence; then Home Assistant's way through it (wire-facts §12), which must work
 * unchanged.
 */
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOAuthFixture, type OAuthFixture, WEB_REDIRECT } from '../support/oauth-fixture.ts';

let fixture: OAuthFixture;

beforeAll(async () => {
  fixture = await createOAuthFixture();
});

afterAll(() => fixture.close());

const json = async (path: string) => (await (await fetch(fixture.origin + path)).json()) as Record<string, unknown>;

describe('API §4.3: OAuth 2.1', () => {
  it('GET /.well-known/oauth-authorization-server has the fields of the document, with its values', async () => {
    expect(await json('/.well-known/oauth-authorization-server')).toMatchObject({
      issuer: expect.any(String),
      authorization_endpoint: expect.any(String),
      token_endpoint: expect.any(String),
      registration_endpoint: expect.any(String),
      scopes_supported: ['mcp:read', 'mcp:write', 'mcp:admin'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
    });
  });

  it('GET /.well-known/openid-configuration and oauth-protected-resource answer with metadata', async () => {
    expect(await json('/.well-known/openid-configuration')).toEqual(
      await json('/.well-known/oauth-authorization-server'),
    );
    expect(await json('/.well-known/oauth-protected-resource')).toHaveProperty('authorization_servers');
  });

  it('POST /oauth/register answers with the id, the secret, its times and the registered fields', async () => {
    const fields = {
      redirect_uris: [WEB_REDIRECT],
      client_name: 'Panel',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
    };
    const body = (await (await fixture.registerOverHttp(fields)).json()) as Record<string, unknown>;
    expect(body).toMatchObject(fields);
    expect(body).toMatchObject({ client_id: expect.any(String), client_secret: expect.any(String) });
    expect(body).toMatchObject({ client_id_issued_at: expect.any(Number), client_secret_expires_at: 0 });
  });

  it('GET /oauth/authorize ends in a redirect to redirect_uri with code, iss and state', async () => {
    const { callback, state } = await fixture.authorize(await fixture.register());
    expect(callback.origin + callback.pathname).toBe(WEB_REDIRECT);
    expect([...callback.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
    expect(callback.searchParams.get('state')).toBe(state);
    expect(callback.searchParams.get('iss')).toBe(fixture.origin);
  });

  it('POST /oauth/token exchanges the code, and then refresh tokens', async () => {
    const client = await fixture.register();
    const { callback, verifier } = await fixture.authorize(client);
    const exchanged = await fixture.exchange(client, callback.searchParams.get('code') ?? '', verifier);
    expect(exchanged.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.any(String),
      scope: 'mcp:read mcp:write',
    });
    const refreshed = await fixture.refresh(client, exchanged.body.refresh_token);
    expect(refreshed.body.access_token).not.toBe(exchanged.body.access_token);
    expect(refreshed.body.refresh_token).not.toBe(exchanged.body.refresh_token);
  });
});

describe('API §5.2: scopes', () => {
  const write = async (token: string) => {
    const lamp = fixture.home.named('Lamp');
    const query = `mutation { setCharacteristic(accessoryId: "${lamp.id}", characteristicType: "on", value: "true") { success } }`;
    const answer = await fixture.post('/graphql', JSON.stringify({ query }), {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
    });
    return (
      ((await answer.json()) as { data?: { setCharacteristic?: { success: boolean } } }).data?.setCharacteristic
        ?.success ?? false
    );
  };
  const manage = async (token: string) =>
    (
      await fixture.post(
        '/rest/rooms',
        JSON.stringify({ homeId: fixture.home.home.id, name: `Room ${randomBytes(3).toString('hex')}` }),
        {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${token}`,
        },
      )
    ).status;

  it.each([
    ['mcp:read', 'read', false, 403],
    ['mcp:write', 'write', true, 403],
    ['mcp:admin', 'admin', true, 200],
    ['read', 'read', false, 403],
    ['read write', 'write', true, 403],
    ['admin', 'admin', true, 200],
  ])('%s reads, and does what its name means besides', async (scope, level, mayWrite, managed) => {
    const { access_token: token } = await fixture.signIn(await fixture.register(), { scope }, { scope: level });
    expect(await fixture.statusOf(token, '/rest/state')).toBe(200);
    expect(await write(token)).toBe(mayWrite);
    expect(await manage(token)).toBe(managed);
  });

  it('lists authorized apps, changes what they reach and revokes them', async () => {
    const client = await fixture.register({ client_name: 'Wall panel' });
    const { access_token: token } = await fixture.signIn(client);
    const ask = async (query: string) => {
      const answer = await fixture.post('/graphql', JSON.stringify({ query }), {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${fixture.ann.token}`,
      });
      // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
      return ((await answer.json()) as any).data;
    };
    const { authorizedApps } = await ask(
      '{ authorizedApps { clientId clientName scope createdAt redirectDomain homePermissions } }',
    );
    expect(authorizedApps).toContainEqual({
      clientId: client.client_id,
      clientName: 'Wall panel',
      scope: 'mcp:read mcp:write',
      createdAt: expect.any(String),
      redirectDomain: 'app.example',
      homePermissions: null,
    });
    const permissions = JSON.stringify(JSON.stringify({ [fixture.home.home.id]: 'view' }));
    const changed = await ask(
      `mutation { updateAuthorizedApp(clientId: "${client.client_id}", homePermissions: ${permissions}) { success app { homePermissions } } }`,
    );
    expect(changed.updateAuthorizedApp).toEqual({
      success: true,
      app: { homePermissions: JSON.stringify({ [fixture.home.home.id]: 'view' }) },
    });
    expect(await write(token)).toBe(false);
    const revoke = `mutation { revokeAuthorizedApp(clientId: "${client.client_id}") { success error } }`;
    expect((await ask(revoke)).revokeAuthorizedApp).toEqual({ success: true, error: null });
    expect(await fixture.statusOf(token)).toBe(401);
    expect((await ask(revoke)).revokeAuthorizedApp).toEqual({ success: false, error: 'Not found' });
  });
});

describe('wire-facts §12: Home Assistant', () => {
  it('registers, signs in with "read write", reads the state and refreshes, as it always did', async () => {
    const redirect = 'https://my.home-assistant.io/redirect/oauth';
    const registered = await fixture.registerOverHttp({
      redirect_uris: [redirect],
      client_name: 'Home Assistant',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'read write',
      token_endpoint_auth_method: 'client_secret_post',
    });
    expect(registered.status).toBeLessThan(400);
    const { client_id: clientId, client_secret: secret = '' } = (await registered.json()) as Record<string, string>;

    const verifier = randomBytes(64).toString('base64url');
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId ?? '',
      redirect_uri: redirect,
      state: 'eyJhbGciOiJIUzI1NiJ9.e30.signature',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'read write',
    });
    const browser = fixture.browserOf();
    const page = await fixture.follow(browser, await browser.get(`/oauth/authorize?${query}`));
    const callback = new URL((await fixture.allow(browser, page)).location ?? '');
    expect(callback.searchParams.get('state')).toBe('eyJhbGciOiJIUzI1NiJ9.e30.signature');

    // Home Assistant's own helper sends both with every request to the token endpoint.
    const ask = async (fields: Record<string, string>) => {
      const form = new URLSearchParams({ ...fields, client_id: clientId ?? '', client_secret: secret });
      const answer = await fixture.post('/oauth/token', form);
      expect(answer.status).toBe(200);
      return (await answer.json()) as Record<string, string | number>;
    };
    const code = callback.searchParams.get('code') ?? '';
    const token = await ask({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirect,
      code_verifier: verifier,
    });
    expect(Math.trunc(Number(token.expires_in))).toBe(3600);

    const state = await fetch(`${fixture.origin}/rest/state`, {
      headers: { Authorization: `Bearer ${token.access_token}`, 'Content-Type': 'application/json' },
    });
    expect(state.status).toBe(200);
    expect(state.headers.get('content-type')).toContain('application/json');
    expect(Object.keys((await state.json()) as object).length).toBeGreaterThan(0);

    const refreshed = await ask({ grant_type: 'refresh_token', refresh_token: String(token.refresh_token) });
    expect(refreshed.refresh_token).not.toBe(token.refresh_token);
    expect(await fixture.statusOf(String(refreshed.access_token), '/rest/state')).toBe(200);
  });
});
