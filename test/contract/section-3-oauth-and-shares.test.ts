/**
 * API §3: states and transitions, the rows of refresh tokens, authorization codes and shares, over HTTP as apps see
 * them.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOAuthFixture, type OAuthFixture } from '../support/oauth-fixture.ts';
import { systemCaller } from '../support/test-home.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant' } };

let fixture: OAuthFixture;

beforeEach(async () => {
  fixture = await createOAuthFixture();
});
afterEach(() => fixture.close());

async function authorized(changes = {}) {
  const client = await fixture.register();
  const { callback, verifier } = await fixture.authorize(client, changes);
  return { client, verifier, code: callback.searchParams.get('code') ?? '' };
}

describe('API §3: refresh token', () => {
  it('valid → POST /oauth/token with grant_type=refresh_token → consumed; a new access token and a new refresh token are returned', async () => {
    const client = await fixture.register();
    const first = await fixture.signIn(client);
    const { status, body } = await fixture.refresh(client, first.refresh_token);
    expect(status).toBe(200);
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect(body.access_token).not.toBe(first.access_token);
    expect(await fixture.statusOf(body.access_token)).toBe(200);
    expect((await fixture.refresh(client, body.refresh_token)).status).toBe(200);
  });

  it('the old refresh token is invalid', async () => {
    const client = await fixture.register();
    const first = await fixture.signIn(client);
    const { body } = await fixture.refresh(client, first.refresh_token);
    // Beyond the moment in which a repeated request gets the same answer.
    await fixture.home.clock.advance(MINUTE_MS);
    expect(await fixture.refresh(client, first.refresh_token)).toMatchObject(INVALID_GRANT);
    // Reuse revokes the family (decisions §7).
    expect(await fixture.refresh(client, body.refresh_token)).toMatchObject(INVALID_GRANT);
    expect(await fixture.statusOf(body.access_token)).toBe(401);
  });

  it('the token must be unexpired', async () => {
    const client = await fixture.register();
    const { refresh_token: token } = await fixture.signIn(client);
    await fixture.home.clock.advance(30 * DAY_MS + MINUTE_MS);
    expect(await fixture.refresh(client, token)).toMatchObject(INVALID_GRANT);
  });
});

describe('API §3: authorization code', () => {
  it('issued → POST /oauth/token exchange → consumed; access and refresh tokens returned on exchange', async () => {
    const { client, code, verifier } = await authorized();
    const { status, body } = await fixture.exchange(client, code, verifier);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ access_token: expect.any(String), refresh_token: expect.any(String) }),
    ]);
    expect(await fixture.exchange(client, code, verifier)).toMatchObject(INVALID_GRANT);
  });

  it('issued → 10 minutes elapsing → expired', async () => {
    const { client, code, verifier } = await authorized();
    await fixture.home.clock.advance(10 * MINUTE_MS + 1);
    expect(await fixture.exchange(client, code, verifier)).toMatchObject(INVALID_GRANT);
  });

  it('on condition that the PKCE verifier matches', async () => {
    const { client, code, verifier } = await authorized();
    const other = `${verifier.slice(1)}${verifier[0] === 'A' ? 'B' : 'A'}`;
    expect(await fixture.exchange(client, code, other)).toMatchObject(INVALID_GRANT);
  });
});

describe('API §3: share', () => {
  it('exists → `deleteEntityAccess`, access id exists → removed; the link stops granting access', async () => {
    const { home } = fixture;
    const input = { entityType: 'accessory', entityId: home.named('Lamp').id, accessType: 'public', role: 'control' };
    const { share, shareHash } = await home.shares.create(systemCaller, input);
    const open = (path: string) => fetch(`${fixture.origin}/s/${shareHash}${path}`);
    expect((await open('/on')).status).toBe(200);
    const query = `mutation { deleteEntityAccess(accessId: "${share.id}") { success } }`;
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${fixture.ann.token}` };
    const deleted = await fixture.post('/graphql', JSON.stringify({ query }), headers);
    expect(await deleted.json()).toEqual({ data: { deleteEntityAccess: { success: true } } });
    for (const path of ['', '/off', '/qr.svg']) expect((await open(path)).status).toBe(404);
  });
});
