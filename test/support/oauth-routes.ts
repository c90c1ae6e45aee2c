/**
 * Every address of OAuth, as it stands in the list of routes: open without a token, since it is a way to come by one.
 */

const METADATA_ROUTES = [
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-authorization-server/mcp',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/openid-configuration',
  'GET /.well-known/openid-configuration/mcp',
  'GET /mcp/.well-known/openid-configuration',
];

const FLOW_ROUTES = [
  'GET /oauth/authorize',
  'GET /oauth/authorize/:uid',
  'GET /oauth/interaction/:uid',
  'POST /oauth/interaction/:uid',
  'POST /oauth/register',
  'POST /register',
  'POST /oauth/revoke',
  'POST /oauth/token',
];

export const OAUTH_ROUTES = [...METADATA_ROUTES, ...FLOW_ROUTES];

/** What each answers to an empty request. */
export const BARE_OAUTH_ANSWERS = [
  ...METADATA_ROUTES.map((route) => `${route} 200`),
  ...FLOW_ROUTES.map((route) => `${route.replace(':uid', ':id')} 400`),
];
