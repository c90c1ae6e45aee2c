import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOAuthLab, type OAuthLab, WEB_REDIRECT } from '../../support/oauth-lab.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { createTestHome, systemCaller } from '../../support/test-home.ts';
import { createUser } from '../../support/test-users.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let lab: OAuthLab;

beforeEach(async () => {
  lab = await createOAuthLab();
});

afterEach(() => lab.close());

const REFUSED = { status: 400, body: { error: 'invalid_grant', error_description: expect.any(String) } };

describe('a code', () => {
  const begun = async (changes = {}, metadata = {}) => {
    const client = await lab.register(metadata);
    const { callback, verifier } = await lab.authorize(client, changes);
    return { client, verifier, code: callback.searchParams.get('code') ?? '' };
  };

  it('is good once; who comes with it again ends everything that came of it', async () => {
    const { client, code, verifier } = await begun();
    const first = await lab.exchange(client, code, verifier);
    expect(first.status).toBe(200);
    expect(await lab.statusOf(first.body.access_token)).toBe(200);
    expect(await lab.exchange(client, code, verifier)).toMatchObject(REFUSED);
    expect(await lab.statusOf(first.body.access_token)).toBe(401);
    expect(await lab.refresh(client, first.body.refresh_token)).toMatchObject(REFUSED);
  });

  it('is good once even for twenty who come with it at the same moment', async () => {
    const { client, code, verifier } = await begun();
    const answers = await Promise.all(Array.from({ length: 20 }, () => lab.exchange(client, code, verifier)));
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    for (const { body } of good) expect(await lab.statusOf(body.access_token)).toBe(401);
  });

  it('belongs to its app, its address, its verifier and its resource', async () => {
    const { client, code, verifier } = await begun({ resource: `${lab.origin}/mcp` });
    const other = await lab.register();
    expect(await lab.exchange(other, code, verifier)).toMatchObject(REFUSED);
    expect(await lab.exchange(client, code, verifier, { redirect_uri: 'https://app.example/other' })).toMatchObject(
      REFUSED,
    );
    expect(await lab.exchange(client, code, 'x'.repeat(43))).toMatchObject(REFUSED);
    expect((await lab.exchange(client, code, '', { code_verifier: undefined })).status).toBe(400);
  });

  it('for MCP alone gives no token for everything', async () => {
    const { client, code, verifier } = await begun({ resource: `${lab.origin}/mcp` });
    const answer = await lab.exchange(client, code, verifier, { resource: lab.origin });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
  });

  it('is good for ten minutes, and a clock set back does not bring it back', async () => {
    const { client, code, verifier } = await begun();
    await lab.home.clock.advance(10 * MINUTE_MS + SECOND_MS);
    expect(await lab.exchange(client, code, verifier)).toMatchObject(REFUSED);
    lab.home.clock.jumpWallClock(-HOUR_MS);
    expect(await lab.exchange(client, code, verifier)).toMatchObject(REFUSED);
  });

  it('is still good after nine minutes', async () => {
    const { client, code, verifier } = await begun();
    await lab.home.clock.advance(9 * MINUTE_MS);
    expect((await lab.exchange(client, code, verifier)).status).toBe(200);
  });
});

describe('an access token', () => {
  it('is opaque, good for an hour, and a clock set back extends nothing', async () => {
    const { access_token: token } = await lab.signIn(await lab.register());
    expect(token).toMatch(/^[\w-]{43}$/);
    await lab.home.clock.advance(59 * MINUTE_MS);
    expect(await lab.statusOf(token)).toBe(200);
    lab.home.clock.jumpWallClock(-DAY_MS);
    await lab.home.clock.advance(2 * MINUTE_MS);
    expect(await lab.statusOf(token)).toBe(401);
    lab.home.clock.jumpWallClock(-DAY_MS);
    expect(await lab.statusOf(token)).toBe(401);
  });

  it('for MCP opens no other door, and one for everything does', async () => {
    const client = await lab.register();
    const mcp = await lab.signIn(client, { resource: `${lab.origin}/mcp` });
    const api = await lab.signIn(client, { resource: lab.origin });
    const enter = (token: string, door: 'api' | 'mcp') => () => lab.home.oauthTokens.authenticate(token, door);
    expect(await lab.statusOf(mcp.access_token)).toBe(401);
    expect(enter(mcp.access_token, 'mcp')().kind).toBe('oauth_client');
    expect(enter(api.access_token, 'mcp')().kind).toBe('oauth_client');
    expect(await lab.statusOf(api.access_token)).toBe(200);
    expect(enter('x'.repeat(43), 'mcp')).toThrow('Invalid token');
  });

  it('reaches what was chosen at the consent, and what the person may now', async () => {
    const { home } = lab;
    const other = home.homes.create(lab.ann.caller, { name: 'Cottage' });
    const client = await lab.register();
    const { access_token: token } = await lab.signIn(client, {}, { homes: { [home.home.id]: 'view' } });
    const principal = home.oauthTokens.authenticate(token, 'api');
    const caller = { principal, requestId: 'test', depth: 0 };
    expect(home.access.roleIn(caller, home.home.id)).toBe('view');
    expect(home.access.roleIn(caller, other.id)).toBeUndefined();

    home.authorizedApps.update(lab.ann.caller, client.client_id, { [other.id]: 'control' });
    const now = { ...caller, principal: home.oauthTokens.authenticate(token, 'api') };
    expect(home.access.roleIn(now, home.home.id)).toBeUndefined();
    expect(home.access.roleIn(now, other.id)).toBe('control');
  });

  it.each([
    ['the app is shut out', (_: string, clientId: string) => lab.home.authorizedApps.revoke(lab.ann.caller, clientId)],
    [
      'the command line shuts it out',
      (_: string, clientId: string) => lab.home.authorizedApps.revoke(systemCaller, clientId),
    ],
  ])('ends at once when %s, for what is open too', async (_, end) => {
    const client = await lab.register();
    const { access_token: token, refresh_token: refreshToken } = await lab.signIn(client);
    const principal = lab.home.oauthTokens.authenticate(token, 'api');
    expect(lab.home.credentials.isLive(principal)).toBe(true);
    end(token, client.client_id);
    expect(lab.home.credentials.isLive(principal)).toBe(false);
    expect(await lab.statusOf(token)).toBe(401);
    expect(await lab.refresh(client, refreshToken)).toMatchObject(REFUSED);
  });

  it('ends with the person’s account, and outlives a change of the password', async () => {
    const bob = await createUser(lab.home, { name: 'Bob', role: 'control' });
    const client = await lab.register();
    const browser = lab.browserOf(bob);
    const { path, verifier } = await lab.begin(client);
    const page = await lab.follow(browser, await browser.get(path));
    const answer = await lab.allow(browser, page, { password: bob.password });
    const code = new URL(answer.location ?? '').searchParams.get('code') ?? '';
    const { body } = await lab.exchange(client, code, verifier);
    await lab.home.users.setPassword(systemCaller, bob.user.id, 'another password');
    expect(await lab.statusOf(body.access_token)).toBe(200);
    lab.home.users.delete(systemCaller, bob.user.id);
    expect(await lab.statusOf(body.access_token)).toBe(401);
    expect((await lab.refresh(client, body.refresh_token)).status).toBe(400);
    expect(lab.home.authorizedApps.list(systemCaller)).toEqual([]);
  });
});

describe('a refresh token', () => {
  it('is rotated; used later again, it ends the whole sign-in', async () => {
    const client = await lab.register();
    const first = await lab.signIn(client);
    const { body: second } = await lab.refresh(client, first.refresh_token);
    expect(second).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'mcp:read mcp:write' });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    await lab.home.clock.advance(31 * SECOND_MS);
    expect(await lab.refresh(client, first.refresh_token)).toMatchObject(REFUSED);
    expect(await lab.refresh(client, second.refresh_token)).toMatchObject(REFUSED);
    expect(await lab.statusOf(second.access_token)).toBe(401);
  });

  it('gives one successor to fifty who ask with it at once', async () => {
    const client = await lab.register({ token_endpoint_auth_method: 'client_secret_post' });
    const { refresh_token: token } = await lab.signIn(client);
    const answers = await Promise.all(Array.from({ length: 50 }, () => lab.refresh(client, token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
    const successor = answers[0]?.body.refresh_token;
    expect((await lab.refresh(client, successor)).status).toBe(200);
  });

  it('gives the same answer again within seconds, until that was used', async () => {
    const client = await lab.register();
    const { refresh_token: token } = await lab.signIn(client);
    const first = await lab.refresh(client, token);
    await lab.home.clock.advance(20 * SECOND_MS);
    const again = await lab.refresh(client, token);
    expect(again.body).toEqual(first.body);
    expect((await lab.refresh(client, first.body.refresh_token)).status).toBe(200);
    expect(await lab.refresh(client, token)).toMatchObject(REFUSED);
  });

  it('is answered again to its own app only', async () => {
    const client = await lab.register({ token_endpoint_auth_method: 'client_secret_post' });
    const { refresh_token: token } = await lab.signIn(client);
    await lab.refresh(client, token);
    const other = await lab.register();
    expect((await lab.refresh(other, token)).status).toBe(400);
    const unproven = await lab.refresh({ client_id: client.client_id }, token);
    expect(unproven).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('may ask for less and not for more', async () => {
    const client = await lab.register();
    const { refresh_token: token } = await lab.signIn(client);
    const more = await lab.refresh(client, token, { scope: 'admin' });
    expect(more).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    const less = await lab.refresh(client, token, { scope: 'read' });
    expect(less).toMatchObject({ status: 200, body: { scope: 'mcp:read' } });
  });

  it('is good for thirty days, which each rotation begins anew', async () => {
    const client = await lab.register();
    const first = await lab.signIn(client);
    lab.home.clock.jumpWallClock(29 * DAY_MS);
    const second = await lab.refresh(client, first.refresh_token);
    expect(second.status).toBe(200);
    lab.home.clock.jumpWallClock(29 * DAY_MS);
    lab.home.oauthArtifacts.prune();
    const third = await lab.refresh(client, second.body.refresh_token);
    expect(third.status).toBe(200);
    lab.home.clock.jumpWallClock(30 * DAY_MS + SECOND_MS);
    expect(await lab.refresh(client, third.body.refresh_token)).toMatchObject(REFUSED);
    lab.home.clock.jumpWallClock(-10 * DAY_MS);
    expect(await lab.refresh(client, third.body.refresh_token)).toMatchObject(REFUSED);
  });
});

describe('the token endpoint', () => {
  it('takes JSON, and does without the id of an app that has no secret', async () => {
    const client = await lab.register();
    const { callback, verifier } = await lab.authorize(client);
    const body = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code'),
      redirect_uri: WEB_REDIRECT,
      code_verifier: verifier,
    };
    const answer = await lab.post('/oauth/token', JSON.stringify(body), { 'Content-Type': 'application/json' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const { refresh_token: token } = (await answer.json()) as { refresh_token: string };
    expect(
      (await lab.askToken(client, { client_id: undefined, grant_type: 'refresh_token', refresh_token: token })).status,
    ).toBe(200);
  });

  it('wants the secret of an app that has one', async () => {
    const client = await lab.register({ token_endpoint_auth_method: 'client_secret_post' });
    const { callback, verifier } = await lab.authorize(client);
    const code = callback.searchParams.get('code') ?? '';
    for (const secret of [undefined, 'wrong', lab.home.oauthClients.find(client.client_id)?.secretHash ?? '']) {
      const answer = await lab.exchange(client, code, verifier, { client_secret: secret });
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    }
    expect((await lab.exchange(client, code, verifier)).status).toBe(200);
  });

  it.each<[string, string, Record<string, string>, number, string]>([
    ['nothing', '', {}, 400, 'invalid_request'],
    ['an unknown grant', 'grant_type=password&client_id=ID', {}, 400, 'unsupported_grant_type'],
    ['a grant of its own', 'grant_type=client_credentials&client_id=ID', {}, 400, 'unsupported_grant_type'],
    ['no code', 'grant_type=authorization_code&client_id=ID', {}, 400, 'invalid_request'],
    [
      'a code that nobody got',
      'grant_type=authorization_code&client_id=ID&code=x&redirect_uri=x',
      {},
      400,
      'invalid_grant',
    ],
    ['a token that nobody got', 'grant_type=refresh_token&client_id=ID&refresh_token=x', {}, 400, 'invalid_grant'],
    ['an unknown app', 'grant_type=refresh_token&client_id=x&refresh_token=x', {}, 401, 'invalid_client'],
    ['a parameter twice', 'grant_type=refresh_token&client_id=ID&client_id=ID', {}, 400, 'invalid_request'],
    ['its secret in the header', 'grant_type=refresh_token', { Authorization: 'Basic eDp4' }, 401, 'invalid_client'],
    ['JSON that is none', '{', { 'Content-Type': 'application/json' }, 400, 'invalid_request'],
    ['a list', '[]', { 'Content-Type': 'application/json' }, 400, 'invalid_request'],
    ['XML', '<x/>', { 'Content-Type': 'text/xml' }, 400, 'invalid_request'],
    ['a wish for a page', 'grant_type=refresh_token&client_id=x', { Accept: 'text/html' }, 401, 'invalid_client'],
  ])('answers %s in the shape of RFC 6749', async (_, body, headers, status, error) => {
    const { client_id: id } = await lab.register();
    const answer = await lab.post('/oauth/token', body.replaceAll('ID', id), {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...headers,
    });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({ error, error_description: expect.stringMatching(/^[\x20-\x7e]+$/) });
    expect(answer.status).toBe(status);
  });

  it('is for POST only, and not for other sites’ pages', async () => {
    const get = await fetch(`${lab.origin}/oauth/token`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    const foreign = await lab.post('/oauth/token', new URLSearchParams(), { Origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
  });

  it('revokes for the app that a token belongs to, and tells nobody else anything', async () => {
    const client = await lab.register();
    const other = await lab.register();
    const { access_token: token } = await lab.signIn(client);
    const revoke = (clientId: string, value: string) =>
      lab.post('/oauth/revoke', new URLSearchParams({ client_id: clientId, token: value }));
    expect((await revoke(other.client_id, token)).status).toBe(200);
    expect(await lab.statusOf(token)).toBe(200);
    expect((await revoke(client.client_id, 'unknown')).status).toBe(200);
    const revoked = await revoke(client.client_id, token);
    expect([revoked.status, await revoked.text()]).toEqual([200, '']);
    expect(await lab.statusOf(token)).toBe(401);
  });
});

describe('what is kept', () => {
  it('has no token, code, secret or verifier in the clear, and outlives a restart', async () => {
    const directory = createTempDirectory();
    try {
      const path = directory.file('relay.db');
      const kept = await createOAuthLab({ path });
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
    const client = await lab.register();
    const first = await lab.signIn(client);
    for (let n = 0; n < 20; n += 1) {
      await lab.home.clock.advance(SECOND_MS);
      await lab.signIn(client);
    }
    expect(await lab.statusOf(first.access_token)).toBe(401);
    const count = () =>
      (lab.home.database.prepare('SELECT count(*) AS n FROM oauth_artifacts').get() as { n: number }).n;
    expect(count()).toBeLessThanOrEqual(20 * 4);
    lab.home.clock.jumpWallClock(32 * DAY_MS);
    lab.home.oauthArtifacts.prune();
    expect(count()).toBe(0);
  });
});
