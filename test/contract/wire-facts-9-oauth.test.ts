/**
 * Wire facts §9: what existing clients expect of OAuth, sentence by sentence. Where the original errs, what is right is
 * held instead.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOAuthFixture, type OAuthFixture, WEB_REDIRECT } from '../support/oauth-fixture.ts';

let fixture: OAuthFixture;

beforeAll(async () => {
  fixture = await createOAuthFixture();
});
afterAll(() => fixture.close());

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
const read = async (answer: Response): Promise<any> => answer.json();
const register = async (fields: object) => {
  const answer = await fixture.registerOverHttp(fields);
  return { status: answer.status, body: await read(answer) };
};

describe('metadata', () => {
  it('is on the three well-known paths; openid-configuration is the same document', async () => {
    const [server, openid, resource] = await Promise.all(
      ['oauth-authorization-server', 'openid-configuration', 'oauth-protected-resource'].map(async (name) =>
        read(await fetch(`${fixture.origin}/.well-known/${name}`)),
      ),
    );
    expect(openid).toEqual(server);
    expect(resource).toMatchObject({ resource: fixture.origin, authorization_servers: [fixture.origin] });
  });

  it('protected-resource: resource, authorization_servers, scopes_supported, bearer_methods_supported:["header"]', async () => {
    expect(await read(await fetch(`${fixture.origin}/.well-known/oauth-protected-resource`))).toMatchObject({
      resource: fixture.origin,
      authorization_servers: [fixture.origin],
      scopes_supported: ['mcp:read', 'mcp:write', 'mcp:admin'],
      bearer_methods_supported: ['header'],
    });
  });

  it('has the extra fields response_modes_supported:["query"] and service_documentation', async () => {
    const document = await read(await fetch(`${fixture.origin}/.well-known/oauth-authorization-server`));
    expect(document.response_modes_supported).toEqual(['query']);
    expect(document.service_documentation).toBe(`${fixture.origin}/docs`);
  });

  it('advertises neither read nor write nor admin, which are accepted and mean their mcp: counterparts', async () => {
    const document = await read(await fetch(`${fixture.origin}/.well-known/oauth-authorization-server`));
    expect(document.scopes_supported).toEqual(['mcp:read', 'mcp:write', 'mcp:admin']);
    const { scope } = await fixture.signIn(await fixture.register(), { scope: 'read write' });
    expect(scope).toBe('mcp:read mcp:write');
  });
});

describe('register', () => {
  it.each(['https://app.example/cb', 'http://localhost/cb', 'http://127.0.0.1:4711/cb', 'com.example.app://cb'])(
    '201 for the redirect URI %s',
    async (uri) => {
      expect(await register({ redirect_uris: [uri] })).toMatchObject({ status: 201, body: { redirect_uris: [uri] } });
    },
  );

  it('another redirect URI: 400 invalid_redirect_uri; none: 400 invalid_client_metadata', async () => {
    const answers = [{ redirect_uris: ['http://app.example/cb'] }, {}, { redirect_uris: [] }].map(register);
    const words = (await Promise.all(answers)).map(({ status, body }) => [status, body.error]);
    expect(words).toEqual([
      [400, 'invalid_redirect_uri'],
      [400, 'invalid_client_metadata'],
      [400, 'invalid_client_metadata'],
    ]);
  });

  it('has the alias path /register', async () => {
    const answer = await fixture.registerOverHttp({ redirect_uris: [WEB_REDIRECT] }, '/register');
    expect([answer.status, await read(answer)]).toEqual([
      201,
      expect.objectContaining({ client_id: expect.any(String) }),
    ]);
  });
});

describe('authorize', () => {
  it('takes a resource; and passes over client_name, logo_uri, client_uri and _token', async () => {
    const reported = {
      client_name: 'Somebody Else',
      logo_uri: 'https://e.example/l',
      client_uri: 'https://e.example',
      _token: 'x',
    };
    const client = await fixture.register({ client_name: 'Panel' });
    const { path } = await fixture.begin(client, { resource: `${fixture.origin}/mcp`, ...reported });
    const browser = fixture.browserOf();
    const page = await fixture.follow(browser, await browser.get(path));
    expect(page.text).toContain('Panel');
    expect(page.text).not.toContain('Somebody Else');
  });

  it.each([
    ['client', { client_id: 'made-up' }],
    ['redirect URI', { redirect_uri: 'https://app.example/other' }],
  ])('never registers an unknown %s by itself: a page refuses it, and there is no redirect', async (_, changes) => {
    const browser = fixture.browserOf();
    const { path } = await fixture.begin(await fixture.register(), changes);
    const answer = await fixture.follow(browser, await browser.get(path));
    expect([answer.status, answer.location]).toEqual([400, null]);
  });

  it('errors redirect with error, error_description and state', async () => {
    const browser = fixture.browserOf();
    const client = await fixture.register();
    // Errors of an app without consent stay on our page (RFC 9700 §4.11.2).
    await fixture.signIn(client);
    const { path, state } = await fixture.begin(client, { code_challenge: undefined });
    const answer = await fixture.follow(browser, await browser.get(path));
    const { searchParams } = new URL(answer.location ?? 'about:blank');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: 'invalid_request',
      error_description: expect.any(String),
      state,
    });
  });

  it('leads a signed-out user to /login and then to the consent page', async () => {
    const browser = fixture.browserOf();
    browser.jar.clear();
    const { path } = await fixture.begin(await fixture.register());
    const login = await fixture.follow(browser, await browser.get(path));
    expect(login.text).toContain('<h1>Sign in</h1>');
    const { email } = fixture.ann.user;
    const after = await browser.submit(login, '/login', { email, password: fixture.ann.password });
    expect([after.status, after.location]).toEqual([303, expect.stringContaining('/login?return_to=')]);
  });

  it('skips the page where consent exists', async () => {
    const client = await fixture.register();
    expect((await fixture.authorize(client)).askedAgain).toBe(true);
    const again = await fixture.authorize(client);
    expect(again.askedAgain).toBe(false);
    expect(again.callback.searchParams.get('code')).not.toBeNull();
  });
});

describe('token', () => {
  it('accepts JSON or a form, and does without the client_id of a client that has no secret', async () => {
    const client = await fixture.register();
    const { callback, verifier } = await fixture.authorize(client);
    const fields = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: WEB_REDIRECT,
      code_verifier: verifier,
    };
    const answer = await fixture.post('/oauth/token', JSON.stringify(fields), { 'Content-Type': 'application/json' });
    const { refresh_token: token } = await read(answer);
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token });
    expect((await fixture.post('/oauth/token', form)).status).toBe(200);
  });

  it('reads what the original’s integrations send: id and secret, both in the body', async () => {
    const { body: client } = await register({
      redirect_uris: [WEB_REDIRECT],
      token_endpoint_auth_method: 'client_secret_post',
    });
    expect(await fixture.signIn(client)).toMatchObject({ access_token: expect.any(String) });
  });

  it.each([
    ['password', 'unsupported_grant_type'],
    ['', 'invalid_request'],
  ])('other errors are 400: the grant type "%s" is %s', async (grantType, word) => {
    for (const client of [{ client_id: (await fixture.register()).client_id }, {}]) {
      const fields = { ...client, ...(grantType !== '' && { grant_type: grantType }) };
      const answer = await fixture.post('/oauth/token', new URLSearchParams(fields));
      expect([answer.status, (await read(answer)).error]).toEqual([400, word]);
    }
  });

  it('refresh uses the latest stored home permissions; empty or absent means all homes', async () => {
    const client = await fixture.register();
    const tokens = await fixture.signIn(client);
    const { authorizedApps, home } = fixture.home;
    const rolesOf = async (token: string): Promise<string[]> => {
      const answer = await fetch(`${fixture.origin}/rest/homes`, { headers: { Authorization: `Bearer ${token}` } });
      return (await read(answer)).map(({ role }: { role: string }) => role);
    };
    expect(await rolesOf(tokens.access_token)).toEqual(['control']);
    authorizedApps.update(fixture.ann.caller, client.client_id, { [home.id]: 'view' });
    const { body } = await fixture.refresh(client, tokens.refresh_token);
    expect(await rolesOf(body.access_token)).toEqual(['view']);
    authorizedApps.update(fixture.ann.caller, client.client_id, null);
    expect(await rolesOf(body.access_token)).toEqual(['control']);
  });
});

it('AuthorizedAppInfo: clientUri, logoUri, redirectDomain, homePermissions (JSON text) and lastUsedAt beside the document’s fields (§4.3)', async () => {
  const client = await fixture.register({
    client_name: 'Panel',
    client_uri: 'https://panel.example/',
    logo_uri: 'https://panel.example/logo.png',
  });
  const { access_token: token } = await fixture.signIn(client, {}, { homes: { [fixture.home.home.id]: 'view' } });
  expect(await fixture.statusOf(token)).toBe(200);
  const query =
    '{ authorizedApps { clientId clientName clientUri logoUri redirectDomain scope homePermissions createdAt lastUsedAt } }';
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${fixture.ann.token}` };
  const { data } = await read(await fixture.post('/graphql', JSON.stringify({ query }), headers));
  const now = new Date(fixture.home.clock.now()).toISOString();
  expect(data.authorizedApps).toContainEqual({
    clientId: client.client_id,
    clientName: 'Panel',
    clientUri: 'https://panel.example/',
    logoUri: 'https://panel.example/logo.png',
    redirectDomain: 'app.example',
    scope: 'mcp:read mcp:write',
    homePermissions: JSON.stringify({ [fixture.home.home.id]: 'view' }),
    createdAt: now,
    lastUsedAt: now,
  });
});

it.each(['/oauth/introspect', '/oauth/userinfo', '/userinfo', '/me', '/token/introspection', '/session/end', '/jwks'])(
  'there is no introspection, user info or session endpoint: %s',
  async (path) => {
    expect((await fetch(fixture.origin + path, { redirect: 'manual' })).status).toBe(401);
    const headers = { Authorization: `Bearer ${fixture.ann.token}` };
    expect((await fetch(fixture.origin + path, { headers, redirect: 'manual' })).status).toBe(404);
  },
);
