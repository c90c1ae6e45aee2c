import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOAuthFixture, type OAuthFixture } from '../../support/oauth-fixture.ts';

describe('what we publish about ourselves', () => {
  let fixture: OAuthFixture;

  beforeAll(async () => {
    fixture = await createOAuthFixture();
  });

  afterAll(() => fixture.close());

  it.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp',
    '/mcp/.well-known/openid-configuration',
  ])('%s is the authorization server’s metadata (RFC 8414), and names nothing that does not work', async (path) => {
    const answer = await fetch(fixture.origin + path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({
      issuer: fixture.origin,
      authorization_endpoint: `${fixture.origin}/oauth/authorize`,
      token_endpoint: `${fixture.origin}/oauth/token`,
      registration_endpoint: `${fixture.origin}/oauth/register`,
      revocation_endpoint: `${fixture.origin}/oauth/revoke`,
      scopes_supported: ['mcp:read', 'mcp:write', 'mcp:admin'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${fixture.origin}/docs`,
    });
  });

  it.each([
    ['/.well-known/oauth-protected-resource', ''],
    ['/.well-known/oauth-protected-resource/mcp', '/mcp'],
  ])('%s names the resource and who guards it (RFC 9728)', async (path, resource) => {
    expect(await (await fetch(fixture.origin + path)).json()).toEqual({
      resource: fixture.origin + resource,
      authorization_servers: [fixture.origin],
      scopes_supported: ['mcp:read', 'mcp:write', 'mcp:admin'],
      bearer_methods_supported: ['header'],
      resource_name: 'hearthd',
      resource_documentation: `${fixture.origin}/docs`,
    });
  });

  it('is found from the challenge to a caller without a token', async () => {
    const { headers } = await fetch(`${fixture.origin}/rest/homes`);
    expect(headers.get('www-authenticate')).toContain(
      `resource_metadata="${fixture.origin}/.well-known/oauth-protected-resource"`,
    );
  });
});
