import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pruneOAuth } from '../../../src/app/oauth/create-oauth.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { LiveConfig } from '../../../src/config/live-config.ts';
import { createOAuthFixture, type OAuthFixture, WEB_REDIRECT } from '../../support/oauth-fixture.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { createTestHome, systemCaller } from '../../support/test-home.ts';
import { createUser } from '../../support/test-users.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let fixture: OAuthFixture;

beforeEach(async () => {
  fixture = await createOAuthFixture();
});

afterEach(() => fixture.close());

const REFUSED = { status: 400, body: { error: 'invalid_grant', error_description: expect.any(String) } };

describe('a code', () => {
  const begun = async (changes = {}, metadata = {}) => {
    const client = await fixture.register(metadata);
    const { callback, verifier } = await fixture.authorize(client, changes);
    return { client, verifier, code: callback.searchParams.get('code') ?? '' };
  };

  it('is good once; who comes with it again ends everything that came of it', async () => {
    const { client, code, verifier } = await begun();
    const first = await fixture.exchange(client, code, verifier);
    expect(first.status).toBe(200);
    expect(await fixture.statusOf(first.body.access_token)).toBe(200);
    expect(await fixture.exchange(client, code, verifier)).toMatchObject(REFUSED);
    expect(await fixture.statusOf(first.body.access_token)).toBe(401);
    expect(await fixture.refresh(client, first.body.refresh_token)).toMatchObject(REFUSED);
  });

  it('is good once even for twenty who come with it at the same moment', async () => {
    const { client, code, verifier } = await begun();
    const answers = await Promise.all(Array.from({ length: 20 }, () => fixture.exchange(client, code, verifier)));
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    for (const { body } of good) expect(await fixture.statusOf(body.access_token)).toBe(401);
  });

  it('belongs to its app, its address, its verifier and its resource', async () => {
    const { client, code, verifier } = await begun({ resource: `${fixture.origin}/mcp` });
    const other = await fixture.register();
    expect(await fixture.exchange(other, code, verifier)).toMatchObject(REFUSED);
    expect(await fixture.exchange(client, code, verifier, { redirect_uri: 'https://app.example/other' })).toMatchObject(
      REFUSED,
    );
    expect(await fixture.exchange(client, code, 'x'.repeat(43))).toMatchObject(REFUSED);
    expect((await fixture.exchange(client, code, '', { code_verifier: undefined })).status).toBe(400);
  });

  it('for MCP alone gives no token for everything', async () => {
    const { client, code, verifier } = await begun({ resource: `${fixture.origin}/mcp` });
    const answer = await fixture.exchange(client, code, verifier, { resource: fixture.origin });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
  });

  it('is good for ten minutes, and a clock set back does not bring it back', async () => {
    const { client, code, verifier } = await begun();
    await fixture.home.clock.advance(10 * MINUTE_MS + SECOND_MS);
    expect(await fixture.exchange(client, code, verifier)).toMatchObject(REFUSED);
    fixture.home.clock.jumpWallClock(-HOUR_MS);
    expect(await fixture.exchange(client, code, verifier)).toMatchObject(REFUSED);
  });

  it('is still good after nine minutes', async () => {
    const { client, code, verifier } = await begun();
    await fixture.home.clock.advance(9 * MINUTE_MS);
    expect((await fixture.exchange(client, code, verifier)).status).toBe(200);
  });
});

describe('an access token', () => {
  it('is opaque, good for an hour, and a clock set back extends nothing', async () => {
    const { access_token: token } = await fixture.signIn(await fixture.register());
    expect(token).toMatch(/^[\w-]{43}$/);
    await fixture.home.clock.advance(59 * MINUTE_MS);
    expect(await fixture.statusOf(token)).toBe(200);
    fixture.home.clock.jumpWallClock(-DAY_MS);
    await fixture.home.clock.advance(2 * MINUTE_MS);
    expect(await fixture.statusOf(token)).toBe(401);
    fixture.home.clock.jumpWallClock(-DAY_MS);
    expect(await fixture.statusOf(token)).toBe(401);
  });

  it('notes that it was used once a minute, and again where the clock was set back', async () => {
    const { client_id: clientId } = await fixture.register();
    const { access_token: token } = await fixture.signIn({ client_id: clientId });
    const used = () => {
      fixture.home.oauthTokens.authenticate(token, 'api');
      return fixture.home.authorizedApps.list(systemCaller)[0]?.lastUsedAt;
    };
    const first = used();
    expect(first).toBe(fixture.home.clock.now());
    await fixture.home.clock.advance(MINUTE_MS - 1);
    expect(used()).toBe(first);
    await fixture.home.clock.advance(1);
    expect(used()).toBe(fixture.home.clock.now());
    fixture.home.clock.jumpWallClock(-MINUTE_MS);
    expect(used()).toBe(fixture.home.clock.now());
    expect(fixture.home.oauthClients.find(clientId)?.lastUsedAt).toBe(fixture.home.clock.now());
  });

  it('is live until it, its grant or the consent ends', async () => {
    const client = await fixture.register();
    const { access_token: token } = await fixture.signIn(client);
    const { oauthTokens, authorizedApps, clock } = fixture.home;
    const app = oauthTokens.authenticate(token, 'api') as Parameters<typeof oauthTokens.isLive>[0];
    const sameApp = { ...app };
    expect([oauthTokens.isLive(app), oauthTokens.isLive(sameApp)]).toEqual([true, true]);
    await clock.advance(HOUR_MS);
    expect([oauthTokens.isLive(app), oauthTokens.isLive(sameApp)]).toEqual([false, true]);
    authorizedApps.revoke(systemCaller, client.client_id);
    expect(oauthTokens.isLive(sameApp)).toBe(false);
  });

  it('for MCP opens no other door, and one for everything does', async () => {
    const client = await fixture.register();
    const mcp = await fixture.signIn(client, { resource: `${fixture.origin}/mcp` });
    const api = await fixture.signIn(client, { resource: fixture.origin });
    const enter = (token: string, door: 'api' | 'mcp') => () => fixture.home.oauthTokens.authenticate(token, door);
    expect(await fixture.statusOf(mcp.access_token)).toBe(401);
    expect(enter(mcp.access_token, 'mcp')().kind).toBe('oauth_client');
    expect(enter(api.access_token, 'mcp')().kind).toBe('oauth_client');
    expect(await fixture.statusOf(api.access_token)).toBe(200);
    expect(enter('x'.repeat(43), 'mcp')).toThrow('Invalid token');
  });

  it('reaches what was chosen at the consent, and what the person may now', async () => {
    const { home } = fixture;
    const other = home.homes.create(fixture.ann.caller, { name: 'Cottage' });
    const client = await fixture.register();
    const { access_token: token } = await fixture.signIn(client, {}, { homes: { [home.home.id]: 'view' } });
    const principal = home.oauthTokens.authenticate(token, 'api');
    const caller = { principal, requestId: 'test', depth: 0 };
    expect(home.access.roleIn(caller, home.home.id)).toBe('view');
    expect(home.access.roleIn(caller, other.id)).toBeUndefined();

    home.authorizedApps.update(fixture.ann.caller, client.client_id, { [other.id]: 'control' });
    const now = { ...caller, principal: home.oauthTokens.authenticate(token, 'api') };
    expect(home.access.roleIn(now, home.home.id)).toBeUndefined();
    expect(home.access.roleIn(now, other.id)).toBe('control');
  });

  it.each([
    [
      'the access of the app is removed',
      (_: string, clientId: string) => fixture.home.authorizedApps.revoke(fixture.ann.caller, clientId),
    ],
    [
      'the command line shuts it out',
      (_: string, clientId: string) => fixture.home.authorizedApps.revoke(systemCaller, clientId),
    ],
  ])('ends at once when %s, for what is open too', async (_, end) => {
    const client = await fixture.register();
    const { access_token: token, refresh_token: refreshToken } = await fixture.signIn(client);
    const principal = fixture.home.oauthTokens.authenticate(token, 'api');
    expect(fixture.home.credentials.isLive(principal)).toBe(true);
    end(token, client.client_id);
    expect(fixture.home.credentials.isLive(principal)).toBe(false);
    expect(await fixture.statusOf(token)).toBe(401);
    expect(await fixture.refresh(client, refreshToken)).toMatchObject(REFUSED);
  });

  it('ends with the person’s account, and outlives a change of the password', async () => {
    const bob = await createUser(fixture.home, { name: 'Bob', role: 'control' });
    const client = await fixture.register();
    const browser = fixture.browserOf(bob);
    const { path, verifier } = await fixture.begin(client);
    const page = await fixture.follow(browser, await browser.get(path));
    const answer = await fixture.allow(browser, page, { password: bob.password });
    const code = new URL(answer.location ?? '').searchParams.get('code') ?? '';
    const { body } = await fixture.exchange(client, code, verifier);
    await fixture.home.users.setPassword(systemCaller, bob.user.id, 'another password');
    expect(await fixture.statusOf(body.access_token)).toBe(200);
    fixture.home.users.delete(systemCaller, bob.user.id);
    expect(await fixture.statusOf(body.access_token)).toBe(401);
    expect((await fixture.refresh(client, body.refresh_token)).status).toBe(400);
    expect(fixture.home.authorizedApps.list(systemCaller)).toEqual([]);
  });
});

describe('a refresh token', () => {
  it('is invalid at once after a refresh, and its reuse revokes the whole family', async () => {
    const client = await fixture.register();
    const first = await fixture.signIn(client);
    const { body: second } = await fixture.refresh(client, first.refresh_token);
    expect(second).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'mcp:read mcp:write' });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await fixture.refresh(client, first.refresh_token)).toMatchObject(REFUSED);
    expect(await fixture.refresh(client, second.refresh_token)).toMatchObject(REFUSED);
    expect(await fixture.statusOf(second.access_token)).toBe(401);
  });

  it('is answered to one of fifty refreshes at once, and the others revoke the family', async () => {
    const client = await fixture.register({ token_endpoint_auth_method: 'client_secret_post' });
    const { refresh_token: token } = await fixture.signIn(client);
    const answers = await Promise.all(Array.from({ length: 50 }, () => fixture.refresh(client, token)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(REFUSED);
    expect(await fixture.refresh(client, winners[0]?.body.refresh_token)).toMatchObject(REFUSED);
    expect(await fixture.statusOf(winners[0]?.body.access_token ?? '')).toBe(401);
  });

  it('keeps no answer in the database while there is no retry window', async () => {
    const client = await fixture.register();
    const { refresh_token: token } = await fixture.signIn(client);
    await fixture.refresh(client, token);
    expect(
      fixture.home.database.prepare('SELECT count(*) AS n FROM oauth_artifacts WHERE replay IS NOT NULL').get(),
    ).toEqual({
      n: 0,
    });
  });

  it('may ask for less and not for more', async () => {
    const client = await fixture.register();
    const { refresh_token: token } = await fixture.signIn(client);
    const more = await fixture.refresh(client, token, { scope: 'admin' });
    expect(more).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    const less = await fixture.refresh(client, token, { scope: 'read' });
    expect(less).toMatchObject({ status: 200, body: { scope: 'mcp:read' } });
  });

  it('gives an access token that is refused if a damaged disk has changed what it is for', async () => {
    const client = await fixture.register();
    const { access_token: token } = await fixture.signIn(client);
    expect(await fixture.statusOf(token)).toBe(200);
    const change = fixture.home.database.prepare(
      "UPDATE oauth_artifacts SET payload = json_set(payload, @field, 'x') WHERE kind = 'AccessToken'",
    );
    for (const field of ['$.scope', '$.aud']) {
      change.run({ field });
      expect(await fixture.statusOf(token)).toBe(401);
    }
  });

  it('is good for thirty days, restarted by each rotation', async () => {
    const client = await fixture.register();
    const first = await fixture.signIn(client);
    fixture.home.clock.jumpWallClock(29 * DAY_MS);
    const second = await fixture.refresh(client, first.refresh_token);
    expect(second.status).toBe(200);
    fixture.home.clock.jumpWallClock(29 * DAY_MS);
    fixture.home.oauthArtifacts.prune();
    const third = await fixture.refresh(client, second.body.refresh_token);
    expect(third.status).toBe(200);
    fixture.home.clock.jumpWallClock(30 * DAY_MS + SECOND_MS);
    expect(await fixture.refresh(client, third.body.refresh_token)).toMatchObject(REFUSED);
    fixture.home.clock.jumpWallClock(-10 * DAY_MS);
    expect(await fixture.refresh(client, third.body.refresh_token)).toMatchObject(REFUSED);
  });
});

describe('a refresh token with oauth_refresh_grace_seconds = 30', () => {
  let graceful: OAuthFixture;
  beforeAll(async () => {
    const flags = { dataDir: '/nonexistent/hearthd', oauthRefreshGraceSeconds: '30' };
    graceful = await createOAuthFixture({ live: new LiveConfig(loadConfig(flags, {})) });
  });
  afterAll(() => graceful.close());

  it('gives one successor to fifty who ask with it at once', async () => {
    const client = await graceful.register({ token_endpoint_auth_method: 'client_secret_post' });
    const { refresh_token: token } = await graceful.signIn(client);
    const answers = await Promise.all(Array.from({ length: 50 }, () => graceful.refresh(client, token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
    const successor = answers[0]?.body.refresh_token;
    expect((await graceful.refresh(client, successor)).status).toBe(200);
  });

  it('gives the same answer again within the window, until that was used', async () => {
    const client = await graceful.register();
    const { refresh_token: token } = await graceful.signIn(client);
    const first = await graceful.refresh(client, token);
    await graceful.home.clock.advance(20 * SECOND_MS);
    graceful.home.oauthArtifacts.noteExpired();
    const again = await graceful.refresh(client, token);
    expect(again.body).toEqual(first.body);
    expect((await graceful.refresh(client, first.body.refresh_token)).status).toBe(200);
    expect(await graceful.refresh(client, token)).toMatchObject(REFUSED);
  });

  it('revokes the family when it is used after the window', async () => {
    const client = await graceful.register();
    const { refresh_token: token } = await graceful.signIn(client);
    const first = await graceful.refresh(client, token);
    await graceful.home.clock.advance(31 * SECOND_MS);
    expect(await graceful.refresh(client, token)).toMatchObject(REFUSED);
    expect(await graceful.refresh(client, first.body.refresh_token)).toMatchObject(REFUSED);
  });

  it('is answered again to its own app only', async () => {
    const client = await graceful.register({ token_endpoint_auth_method: 'client_secret_post' });
    const { refresh_token: token } = await graceful.signIn(client);
    await graceful.refresh(client, token);
    const other = await graceful.register();
    expect((await graceful.refresh(other, token)).status).toBe(400);
    const unproven = await graceful.refresh({ client_id: client.client_id }, token);
    expect(unproven).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });
});

describe('the token endpoint', () => {
  it('takes JSON, and does without the id of an app that has no secret', async () => {
    const client = await fixture.register();
    const { callback, verifier } = await fixture.authorize(client);
    const body = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code'),
      redirect_uri: WEB_REDIRECT,
      code_verifier: verifier,
    };
    const answer = await fixture.post('/oauth/token', JSON.stringify(body), { 'Content-Type': 'application/json' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const { refresh_token: token } = (await answer.json()) as { refresh_token: string };
    expect(
      (await fixture.askToken(client, { client_id: undefined, grant_type: 'refresh_token', refresh_token: token }))
        .status,
    ).toBe(200);
  });

  it('wants the secret of an app that has one', async () => {
    const client = await fixture.register({ token_endpoint_auth_method: 'client_secret_post' });
    const { callback, verifier } = await fixture.authorize(client);
    const code = callback.searchParams.get('code') ?? '';
    for (const secret of [undefined, 'wrong', fixture.home.oauthClients.find(client.client_id)?.secretHash ?? '']) {
      const answer = await fixture.exchange(client, code, verifier, { client_secret: secret });
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    }
    expect((await fixture.exchange(client, code, verifier)).status).toBe(200);
  });

  it.each<[string, string, Record<string, string>, number, string]>([
    ['nothing', '', {}, 400, 'invalid_request'],
    ['an unknown grant', 'grant_type=password&client_id=ID', {}, 400, 'unsupported_grant_type'],
    ['a grant of its own', 'grant_type=client_credentials&client_id=ID', {}, 400, 'unsupported_grant_type'],
    ['no code', 'grant_type=authorization_code&client_id=ID', {}, 400, 'invalid_request'],
    [
      'a code that was never issued',
      'grant_type=authorization_code&client_id=ID&code=x&redirect_uri=x',
      {},
      400,
      'invalid_grant',
    ],
    [
      'a token that was never issued',
      'grant_type=refresh_token&client_id=ID&refresh_token=x',
      {},
      400,
      'invalid_grant',
    ],
    ['an unknown app', 'grant_type=refresh_token&client_id=x&refresh_token=x', {}, 401, 'invalid_client'],
    ['a parameter twice', 'grant_type=refresh_token&client_id=ID&client_id=ID', {}, 400, 'invalid_request'],
    ['its secret in the header', 'grant_type=refresh_token', { Authorization: 'Basic eDp4' }, 401, 'invalid_client'],
    ['JSON that is none', '{', { 'Content-Type': 'application/json' }, 400, 'invalid_request'],
    ['a list', '[]', { 'Content-Type': 'application/json' }, 400, 'invalid_request'],
    ['XML', '<x/>', { 'Content-Type': 'text/xml' }, 400, 'invalid_request'],
    ['a request for a page', 'grant_type=refresh_token&client_id=x', { Accept: 'text/html' }, 401, 'invalid_client'],
  ])('answers %s in the shape of RFC 6749', async (_, body, headers, status, error) => {
    const { client_id: id } = await fixture.register();
    const answer = await fixture.post('/oauth/token', body.replaceAll('ID', id), {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...headers,
    });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({ error, error_description: expect.stringMatching(/^[\x20-\x7e]+$/) });
    expect(answer.status).toBe(status);
  });

  it('is for POST only, and not for other sites’ pages', async () => {
    const get = await fetch(`${fixture.origin}/oauth/token`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    const foreign = await fixture.post('/oauth/token', new URLSearchParams(), { Origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
  });

  it('revokes for the app that a token belongs to, and reveals nothing to others', async () => {
    const client = await fixture.register();
    const other = await fixture.register();
    const { access_token: token } = await fixture.signIn(client);
    const revoke = (clientId: string, value: string) =>
      fixture.post('/oauth/revoke', new URLSearchParams({ client_id: clientId, token: value }));
    expect((await revoke(other.client_id, token)).status).toBe(200);
    expect(await fixture.statusOf(token)).toBe(200);
    expect((await revoke(client.client_id, 'unknown')).status).toBe(200);
    const revoked = await revoke(client.client_id, token);
    expect([revoked.status, await revoked.text()]).toEqual([200, '']);
    expect(await fixture.statusOf(token)).toBe(401);
  });
});

describe('what is kept', () => {
  it('has no token, code, secret or verifier in the clear, and outlives a restart', async () => {
    const directory = createTempDirectory();
    try {
      const path = directory.file('relay.db');
      const kept = await createOAuthFixture({ path });
      const client = await kept.register({ token_endpoint_auth_method: 'client_secret_post' });
      const { callback, verifier } = await kept.authorize(client);
      const code = callback.searchParams.get('code') ?? '';
      const { body: first } = await kept.exchange(client, code, verifier);
      const { body: second } = await kept.refresh(client, first.refresh_token);
      const secrets = [
        client.client_secret,
        code,
        verifier,
        first.access_token,
        first.refresh_token,
        second.access_token,
        second.refresh_token,
      ];
      const files = () =>
        readdirSync(directory.path).map((name) => readFileSync(directory.file(name)).toString('latin1'));
      for (const secret of secrets) for (const file of files()) expect(file).not.toContain(secret);
      await kept.close();
      for (const secret of secrets) for (const file of files()) expect(file).not.toContain(secret);

      const clock = kept.home.clock;
      const again = createTestHome({ path, clock });
      expect(again.oauthTokens.authenticate(second.access_token, 'api')).toMatchObject({ clientId: client.client_id });
      again.close();
    } finally {
      directory.remove();
    }
  });

  it('is bounded: the oldest of twenty-one sign-ins makes room, and a night later nothing is left of what ended', async () => {
    const client = await fixture.register();
    const first = await fixture.signIn(client);
    for (let n = 0; n < 20; n += 1) {
      await fixture.home.clock.advance(SECOND_MS);
      await fixture.signIn(client);
    }
    expect(await fixture.statusOf(first.access_token)).toBe(401);
    const count = () =>
      (fixture.home.database.prepare('SELECT count(*) AS n FROM oauth_artifacts').get() as { n: number }).n;
    expect(count()).toBeLessThanOrEqual(20 * 4);
    fixture.home.clock.jumpWallClock(32 * DAY_MS);
    fixture.home.oauthArtifacts.noteExpired();
    fixture.home.clock.jumpWallClock(DAY_MS + SECOND_MS);
    pruneOAuth(fixture.home);
    expect(count()).toBe(0);
  });
});
