import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pruneOAuth } from '../../../src/app/oauth/create-oauth.ts';
import { RegisteredApp } from '../../../src/contract/oauth-clients.ts';
import { createOAuthFixture, type OAuthFixture, WEB_REDIRECT } from '../../support/oauth-fixture.ts';

const DAY_MS = 86_400_000;

describe('registering (RFC 7591)', () => {
  let fixture: OAuthFixture;

  beforeAll(async () => {
    fixture = await createOAuthFixture();
  });

  afterAll(() => fixture.close());

  it.each(['/oauth/register', '/register'])('at %s echoes what it keeps and gives a secret once', async (path) => {
    const answer = await fixture.registerOverHttp(
      {
        redirect_uris: [WEB_REDIRECT],
        client_name: 'Panel',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        scope: 'read write',
        token_endpoint_auth_method: 'client_secret_post',
        software_id: 'passed over',
      },
      path,
    );
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const body = (await answer.json()) as Record<string, unknown>;
    expect(RegisteredApp.parse(body)).toEqual(body);
    expect(body).toEqual({
      client_id: expect.stringMatching(/^[\da-f-]{36}$/),
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      client_secret_expires_at: 0,
      client_id_issued_at: Math.floor(fixture.home.clock.now() / 1_000),
      redirect_uris: [WEB_REDIRECT],
      client_name: 'Panel',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'mcp:read mcp:write',
      token_endpoint_auth_method: 'client_secret_post',
    });
  });

  it('makes an app that names no way of proving itself a public one', async () => {
    const answer = await fixture.registerOverHttp({ redirect_uris: [WEB_REDIRECT] });
    const body = (await answer.json()) as Record<string, unknown>;
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none' });
    expect(body).not.toHaveProperty('client_secret');
    expect(RegisteredApp.parse(body)).toEqual(body);
  });

  it.each([
    'http://app.example/callback',
    'http://192.168.1.5/callback',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'vbscript:x',
    'blob:https://app.example/1',
    'about:blank',
    'view-source:https://app.example/',
    'intent://x#Intent;end',
    'https://app.example/callback#fragment',
    'https://app.example/callback#',
    'https://user@app.example/callback',
    'https://user:password@app.example/callback',
    'https://@app.example/callback',
    'https:app.example',
    'https:///app.example',
    'https://app.example\\@evil.example',
    'https://app.example/ callback',
    'https://app.example/\ncallback',
    'https://',
    'http://localhost.evil.example/callback',
    'http://127.0.0.1.evil.example/',
    '/callback',
    'callback',
    '',
    7,
    null,
  ])('refuses to redirect to %j', async (uri) => {
    const answer = await fixture.registerOverHttp({ redirect_uris: [uri] });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: 'invalid_redirect_uri', error_description: expect.any(String) });
  });

  it.each([
    ['https', 'https://app.example/callback?tenant=1'],
    ['http on this computer', 'http://localhost/callback'],
    ['http on this computer, by address', 'http://127.0.0.1:8123/callback'],
    ['http on this computer, by its IPv6 address', 'http://[::1]:8123/callback'],
    ['a scheme of its own', 'com.example.app:/callback'],
    ['a scheme of its own with a host', 'com.example.app://oauth'],
    ['the scheme of a program that is widely used', 'cursor://anysphere.cursor-retrieval/oauth/callback'],
  ])('takes %s', async (_, uri) => {
    expect((await fixture.registerOverHttp({ redirect_uris: [uri] })).status).toBe(201);
  });

  it.each(['myapp', 'tel', 'sms', 'ms-settings', 'steam', 'itms-apps', 'search-ms', 'intent', 'x', 'vscode-'])(
    'a scheme without a dot that no known app has is refused: %s',
    async (scheme) => {
      for (const rest of ['://callback', ':/callback', ':callback']) {
        const answer = await fixture.registerOverHttp({ redirect_uris: [scheme + rest] });
        expect(answer.status).toBe(400);
        expect(await answer.json()).toMatchObject({ error: 'invalid_redirect_uri' });
      }
    },
  );

  it.each<[string, unknown]>([
    [
      'a name that changes the direction of text',
      { redirect_uris: [WEB_REDIRECT], client_name: 'Home\u202etnatsissA' },
    ],
    ['a name with a zero-width blank', { redirect_uris: [WEB_REDIRECT], client_name: 'Home\u200bAssistant' }],
    ['no addresses', { client_name: 'x' }],
    ['an empty list of them', { redirect_uris: [] }],
    ['more than is ever needed', { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://app.example/${n}`) }],
    [
      'an unknown way of proving itself',
      { redirect_uris: [WEB_REDIRECT], token_endpoint_auth_method: 'private_key_jwt' },
    ],
    ['another grant alone', { redirect_uris: [WEB_REDIRECT], grant_types: ['client_credentials'] }],
    ['another answer alone', { redirect_uris: [WEB_REDIRECT], response_types: ['token'] }],
    ['a site that would run', { redirect_uris: [WEB_REDIRECT], client_uri: 'javascript:alert(1)' }],
    ['a list in the place of an object', [WEB_REDIRECT]],
  ])('refuses %s', async (_, body) => {
    const answer = await fixture.registerOverHttp(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: 'invalid_client_metadata', error_description: expect.any(String) });
  });

  it('answers what is no JSON, and another method, in the shape of OAuth', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const broken = await fixture.post('/oauth/register', '{', headers);
    expect([broken.status, await broken.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_request' })]);
    const form = await fixture.post('/oauth/register', new URLSearchParams({ a: 'b' }));
    expect([form.status, await form.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_request' })]);
    const get = await fetch(`${fixture.origin}/oauth/register`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    const large = await fixture.registerOverHttp({ redirect_uris: [WEB_REDIRECT], client_name: 'x'.repeat(70_000) });
    expect(large.status).toBe(413);
  });
});

describe('registering without end', () => {
  let fixture: OAuthFixture;

  beforeEach(async () => {
    fixture = await createOAuthFixture();
  });

  afterEach(() => fixture.close());

  it('stops one address after twenty in an hour, and lets it on afterwards', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 22; n += 1)
      statuses.push((await fixture.registerOverHttp({ redirect_uris: [WEB_REDIRECT] })).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429, 429]);
    await fixture.home.clock.advance(61 * 60_000);
    expect((await fixture.registerOverHttp({ redirect_uris: [WEB_REDIRECT] })).status).toBe(201);
  });

  it('stops ten thousand from as many addresses, keeps no more than its limit, and forgets them in a day', async () => {
    const { oauthClients, clock, database } = fixture.home;
    const count = () => (database.prepare('SELECT count(*) AS n FROM oauth_clients').get() as { n: number }).n;
    let registered = 0;
    for (let n = 0; n < 10_000; n += 1) {
      // Again each hour, until the total limit is reached.
      if (n % 1_000 === 0) clock.jumpWallClock(61 * 60_000);
      try {
        oauthClients.register({ address: `198.51.${n >> 8}.${n & 255}` }, { redirect_uris: [WEB_REDIRECT] });
        registered += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: 'rate_limited' });
      }
    }
    expect(registered).toBeLessThanOrEqual(2_000);
    expect(count()).toBeLessThanOrEqual(1_000);
    clock.jumpWallClock(DAY_MS + 1);
    pruneOAuth(fixture.home);
    expect(count()).toBe(0);
  });

  it('keeps an app that a person authorized, for as long as they do and then for a season', async () => {
    const [client, left] = [await fixture.register(), await fixture.register()];
    for (const each of [client, left]) await fixture.signIn(each);
    const { oauthClients, clock, authorizedApps } = fixture.home;
    const isKept = ({ client_id: id }: typeof client) => oauthClients.find(id) !== undefined;
    authorizedApps.revoke(fixture.ann.caller, left.client_id);
    clock.jumpWallClock(80 * DAY_MS);
    oauthClients.prune();
    expect([isKept(client), isKept(left)]).toEqual([true, true]);
    clock.jumpWallClock(120 * DAY_MS);
    oauthClients.prune();
    expect([isKept(client), isKept(left)]).toEqual([true, false]);
    authorizedApps.revoke(fixture.ann.caller, client.client_id);
    oauthClients.prune();
    expect(isKept(client)).toBe(false);
  });

  it('takes any description of an app without failing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.string({ unit: 'binary', maxLength: 400 }), async (value, text) => {
        const body = { redirect_uris: [WEB_REDIRECT, value], client_name: text, scope: value, client_uri: text };
        const answers = [body, { redirect_uris: [WEB_REDIRECT], client_name: text }, { redirect_uris: value }, value];
        for (const each of answers) {
          let code = 'registered';
          try {
            fixture.home.oauthClients.register({}, each);
          } catch (error) {
            code = (error as { error?: string; code?: string }).error ?? (error as { code?: string }).code ?? 'broken';
          }
          expect(['registered', 'invalid_redirect_uri', 'invalid_client_metadata', 'rate_limited']).toContain(code);
        }
      }),
      { numRuns: 100 },
    );
  });
});
