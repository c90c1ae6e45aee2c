/**
 * Converts a client's parameters for the library: scopes by the relay's names, resources by names that do not depend on
 * the request's origin, and no unknown parameters (RFC 6749 §3.1: they are ignored). Duplicates stay, for the library
 * to reject.
 */
import { resourceUrn } from '../../app/oauth/resource.ts';
import { DEFAULT_LEVEL, parseScope, presentScope } from '../../contract/oauth-scope.ts';
import { parseUrl } from '../../kernel/parse-url.ts';
import { REFUSALS } from './provider.ts';

const AUTHORIZE = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'state',
  'prompt',
  // Passed on to be rejected: a client that uses it depends on its content.
  'request',
  'request_uri',
];

const TOKEN = [
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'client_id',
  'client_secret',
  'token',
  'token_type_hint',
];

/** A resource that the relay does not have; the library then responds `invalid_target`. */
const FOREIGN = 'urn:hearthd:none';

/** @param origin the origin of the client's request */
export function authorizeParameters(given: URLSearchParams, origin: string): URLSearchParams {
  const taken = take(given, AUTHORIZE);
  const scopes = given.getAll('scope');
  const [scope = ''] = scopes;
  const level = scope === '' ? DEFAULT_LEVEL : parseScope(scope);
  if (scopes.length > 1) for (const each of scopes) taken.append('scope', each);
  else if (level === undefined) taken.set(REFUSALS.scope, scope.replace(/[^\x21-\x7e]/g, ' '));
  else taken.set('scope', presentScope(level));
  takeResource(given, taken, origin);
  const mode = given.get('response_mode');
  if (mode !== null && mode !== '' && mode !== 'query') taken.set(REFUSALS.responseMode, mode);
  return taken;
}

export function tokenParameters(given: URLSearchParams, origin: string): URLSearchParams {
  const taken = take(given, TOKEN);
  const scope = given.get('scope');
  const level = scope === null ? undefined : parseScope(scope);
  if (scope !== null && scope !== '') taken.set('scope', level === undefined ? scope : presentScope(level));
  takeResource(given, taken, origin);
  return taken;
}

/** Whether no parameter is duplicated that must not be. */
export function isPlain(parameters: URLSearchParams): boolean {
  const names = [...parameters.keys()];
  return names.length === new Set(names).size;
}

function take(given: URLSearchParams, names: readonly string[]): URLSearchParams {
  const taken = new URLSearchParams();
  for (const [name, value] of given) if (names.includes(name)) taken.append(name, value);
  return taken;
}

/** A request for everything and for MCP is a request for everything. */
function takeResource(given: URLSearchParams, taken: URLSearchParams, origin: string): void {
  const urns = new Set(given.getAll('resource').map((uri) => urnOf(uri, origin)));
  if (urns.has(FOREIGN)) taken.set('resource', FOREIGN);
  else if (urns.has(resourceUrn('api'))) taken.set('resource', resourceUrn('api'));
  else if (urns.has(resourceUrn('mcp'))) taken.set('resource', resourceUrn('mcp'));
}

/** The relay's resources are the origin and the paths below `/mcp`, each with or without a trailing slash. */
function urnOf(uri: string, origin: string): string {
  const href = parseUrl(uri)?.href ?? '';
  if (href === `${origin}/`) return resourceUrn('api');
  return href === `${origin}/mcp` || href === `${origin}/mcp/` ? resourceUrn('mcp') : FOREIGN;
}
