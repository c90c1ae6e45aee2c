/**
 * Public metadata: of the authorization server (RFC 8414; OpenID Connect discovery reads the same) and of the resources
 * it guards (RFC 9728). It names only supported functions.
 */
import { Hono } from 'hono';
import { AUTH_METHODS, GRANT_TYPES, RESPONSE_TYPES } from '../../contract/oauth-clients.ts';
import { SCOPES } from '../../contract/oauth-scope.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { answerJson } from '../respond.ts';
import { PATHS } from './provider.ts';

/** Clients use both: RFC 8414 §3.1 puts a path behind the well-known one, OpenID Connect before it. */
const SERVER_PATHS = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration',
  '/.well-known/openid-configuration/mcp',
  '/mcp/.well-known/openid-configuration',
];
const RESOURCE_PATH = '/.well-known/oauth-protected-resource';

/** Public. */
export function metadataRoutes(originOf: (c: ApiContext) => string): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  for (const path of SERVER_PATHS) app.get(path, (c) => answerJson(serverMetadata(originOf(c))));
  return app
    .get(RESOURCE_PATH, (c) => answerJson(resourceMetadata(originOf(c), '')))
    .get(`${RESOURCE_PATH}/mcp`, (c) => answerJson(resourceMetadata(originOf(c), '/mcp')));
}

function serverMetadata(origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: origin + PATHS.authorize,
    token_endpoint: origin + PATHS.token,
    registration_endpoint: origin + PATHS.register,
    revocation_endpoint: origin + PATHS.revoke,
    scopes_supported: SCOPES,
    response_types_supported: RESPONSE_TYPES,
    response_modes_supported: ['query'],
    grant_types_supported: GRANT_TYPES,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${origin}/docs`,
  };
}

function resourceMetadata(origin: string, path: '' | '/mcp'): object {
  return {
    resource: origin + path,
    authorization_servers: [origin],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'hearthd',
    resource_documentation: `${origin}/docs`,
  };
}
