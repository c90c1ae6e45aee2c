import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOAuthFixture, INSECURE, type OAuthFixture, WEB_REDIRECT } from '../../support/oauth-fixture.ts';

describe('an app that is not from here', () => {
  let fixture: OAuthFixture;

  beforeAll(async () => {
    fixture = await createOAuthFixture();
  });

  afterAll(() => fixture.close());

  it.each(['none', 'client_secret_post'])('signs in, refreshes and revokes with %s', async (method) => {
    const server = await fixture.discover();
    const registered = await oauth.dynamicClientRegistrationRequest(
      server,
      { redirect_uris: [WEB_REDIRECT], client_name: 'Panel', token_endpoint_auth_method: method },
      INSECURE,
    );
    const client = await oauth.processDynamicClientRegistrationResponse(registered);
    const proof = method === 'none' ? oauth.None() : oauth.ClientSecretPost(String(client.client_secret));

    const { callback, verifier, state } = await fixture.authorize(client);
    const parameters = oauth.validateAuthResponse(server, client, callback, state);
    const exchanged = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(server, client, proof, parameters, WEB_REDIRECT, verifier, INSECURE),
    );
    expect(exchanged).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'mcp:read mcp:write' });
    expect(await fixture.statusOf(exchanged.access_token)).toBe(200);

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, proof, String(exchanged.refresh_token), INSECURE),
    );
    expect(refreshed.refresh_token).not.toBe(exchanged.refresh_token);
    expect(await fixture.statusOf(refreshed.access_token)).toBe(200);

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, proof, String(refreshed.refresh_token), INSECURE),
    );
    expect(await fixture.statusOf(refreshed.access_token)).toBe(401);
    expect(await fixture.statusOf(exchanged.access_token)).toBe(401);
  });
});
