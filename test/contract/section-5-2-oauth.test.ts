/** API §5.2, the rows of §8 about OAuth, and §7.2 and §7.3 on its errors: sentence by sentence, over HTTP. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOAuthFixture, type OAuthFixture, WEB_REDIRECT } from '../support/oauth-fixture.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let fixture: OAuthFixture;

beforeEach(async () => {
  fixture = await createOAuthFixture();
});
afterEach(() => fixture.close());

async function asBearer(token: string, path: string) {
  const answer = await fetch(fixture.origin + path, { headers: { Authorization: `Bearer ${token}` } });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
  return { status: answer.status, body: (await answer.json()) as any };
}

describe('API §5.2', () => {
  it.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['no method', { code_challenge_method: undefined }],
  ])('PKCE with method S256 is used: with %s there is no consent page', async (_, changes) => {
    const browser = fixture.browserOf();
    const client = await fixture.register();
    await fixture.signIn(client);
    const { path } = await fixture.begin(client, changes);
    const answer = await fixture.follow(browser, await browser.get(path));
    const { searchParams } = new URL(answer.location ?? 'about:blank');
    expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['invalid_request', null]);
  });

  it.each([
    ['none', false],
    ['client_secret_post', true],
  ])('clients register dynamically; token_endpoint_auth_method is %s', async (method, hasSecret) => {
    const answer = await fixture.registerOverHttp({
      redirect_uris: [WEB_REDIRECT],
      token_endpoint_auth_method: method,
    });
    const body = (await answer.json()) as Record<string, unknown>;
    expect([answer.status, body.token_endpoint_auth_method, 'client_secret' in body]).toEqual([201, method, hasSecret]);
  });

  it('no other token_endpoint_auth_method is taken', async () => {
    const fields = { redirect_uris: [WEB_REDIRECT], token_endpoint_auth_method: 'private_key_jwt' };
    const answer = await fixture.registerOverHttp(fields);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'invalid_client_metadata', error_description: expect.stringContaining('client_secret_post') },
    ]);
  });

  it('at consent the user chooses which homes to share and the permission level', async () => {
    const cottage = fixture.home.homes.create(fixture.ann.caller, { name: 'Cottage' });
    const homes = { [fixture.home.home.id]: 'none', [cottage.id]: 'view' };
    const { access_token: token } = await fixture.signIn(await fixture.register(), {}, { homes });
    const { body } = await asBearer(token, '/rest/homes');
    expect(body.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual([['Cottage', 'view']]);
  });

  it('the level is what the user chose, not what the app asked for', async () => {
    const { access_token: token, scope } = await fixture.signIn(
      await fixture.register(),
      { scope: 'mcp:admin' },
      { scope: 'read' },
    );
    expect(scope).toBe('mcp:read');
    const { body } = await asBearer(token, '/rest/homes');
    expect(body).toMatchObject([{ role: 'view' }]);
  });

  it('refresh uses rotation: every refresh returns a new refresh token and invalidates the old one', async () => {
    const client = await fixture.register();
    let { refresh_token: token } = await fixture.signIn(client);
    const used = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      used.add(token);
      token = (await fixture.refresh(client, token)).body.refresh_token;
      expect(used).not.toContain(token);
    }
    await fixture.home.clock.advance(MINUTE_MS);
    const [oldest = ''] = used;
    expect((await fixture.refresh(client, oldest)).body.error).toBe('invalid_grant');
  });

  it('the bearer token is sent as the header Authorization, is opaque, and is not taken from the address', async () => {
    const { access_token: token } = await fixture.signIn(await fixture.register());
    expect(token.split('.')).toHaveLength(1);
    expect((await asBearer(token, '/rest/homes')).status).toBe(200);
    expect((await fetch(`${fixture.origin}/rest/homes?access_token=${token}`)).status).toBe(401);
  });
});

describe('API §8', () => {
  it('authorization code lifetime: 10 minutes', async () => {
    const client = await fixture.register();
    const [early, late] = [await fixture.authorize(client), await fixture.authorize(client)];
    const exchange = ({ callback, verifier }: typeof early) =>
      fixture.exchange(client, callback.searchParams.get('code') ?? '', verifier);
    await fixture.home.clock.advance(10 * MINUTE_MS - 5 * SECOND_MS);
    expect((await exchange(early)).status).toBe(200);
    await fixture.home.clock.advance(10 * SECOND_MS);
    expect((await exchange(late)).body.error).toBe('invalid_grant');
  });

  it('OAuth access token lifetime: 1 hour (`expires_in` 3600)', async () => {
    const client = await fixture.register();
    const { callback, verifier } = await fixture.authorize(client);
    const { body } = await fixture.exchange(client, callback.searchParams.get('code') ?? '', verifier);
    expect(body.expires_in).toBe(3600);
    await fixture.home.clock.advance(HOUR_MS - 5 * SECOND_MS);
    expect(await fixture.statusOf(body.access_token)).toBe(200);
    await fixture.home.clock.advance(10 * SECOND_MS);
    expect(await asBearer(body.access_token, '/rest/homes')).toMatchObject({
      status: 401,
      body: { error: 'invalid_token', message: 'Token expired' },
    });
  });

  it('refresh token lifetime: 30 days', async () => {
    const client = await fixture.register();
    const [early, late] = [await fixture.signIn(client), await fixture.signIn(client)];
    await fixture.home.clock.advance(30 * DAY_MS - MINUTE_MS);
    expect((await fixture.refresh(client, early.refresh_token)).status).toBe(200);
    await fixture.home.clock.advance(2 * MINUTE_MS);
    expect((await fixture.refresh(client, late.refresh_token)).body.error).toBe('invalid_grant');
  });
});

describe('API §7.2 and §7.3: OAuth errors', () => {
  const shaped = (error: string) => ({ error, error_description: expect.stringMatching(/^[\x20-\x7e]+$/) });

  it('401 invalid_client: OAuth client credentials invalid', async () => {
    const client = await fixture.register({ token_endpoint_auth_method: 'client_secret_post' });
    const { refresh_token: token } = await fixture.signIn(client);
    for (const wrong of [
      { client_secret: 'wrong' },
      { client_secret: undefined },
      { client_id: 'nobody', client_secret: undefined },
    ]) {
      const { status, body } = await fixture.refresh(client, token, wrong);
      expect([status, body]).toEqual([401, shaped('invalid_client')]);
    }
    expect((await fixture.refresh(client, token)).status).toBe(200);
  });

  it('400 invalid_grant: authorization code or refresh token invalid or expired', async () => {
    const client = await fixture.register();
    for (const { status, body } of [
      await fixture.exchange(client, 'no-such-code', 'v'.repeat(43)),
      await fixture.refresh(client, 'no-such-token'),
      // As the document lists the requests: without a client.
      await fixture.exchange({ client_id: '' }, 'no-such-code', 'v'.repeat(43), { client_id: undefined }),
      await fixture.refresh({ client_id: '' }, 'no-such-token', { client_id: undefined }),
    ]) {
      expect([status, body]).toEqual([400, shaped('invalid_grant')]);
    }
  });

  it('a client with a secret that does not identify itself learns nothing of its token', async () => {
    const client = await fixture.register({ token_endpoint_auth_method: 'client_secret_post' });
    const { refresh_token: token } = await fixture.signIn(client);
    const nameless = { client_id: undefined, client_secret: undefined };
    const [real, forged] = [
      await fixture.refresh(client, token, nameless),
      await fixture.refresh(client, 'forged', nameless),
    ];
    expect(real.body).toEqual(forged.body);
    expect(real.body).toEqual(shaped('invalid_grant'));
    expect((await fixture.refresh(client, token)).status).toBe(200);
  });

  it('403 insufficient_permissions: token lacks access to the requested action', async () => {
    const { access_token: token } = await fixture.signIn(
      await fixture.register(),
      { scope: 'mcp:read' },
      { scope: 'read' },
    );
    const answer = await fixture.post('/rest/rooms', JSON.stringify({ homeId: fixture.home.home.id, name: 'Attic' }), {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
    });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      expect.objectContaining({ error: 'insufficient_permissions', message: expect.any(String) }),
    ]);
  });
});
