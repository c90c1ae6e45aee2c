/**
 * The challenge for clients without a token, or with too narrow a one: where this resource's metadata is and which
 * scope to request (RFC 6750 §3, RFC 9728 §5.1). From there they can start a sign-in by themselves.
 */
import type { Principal } from '../../app/access/caller.ts';
import { HearthError } from '../../kernel/errors.ts';
import { answerHead, presentErrorBody } from '../error-table.ts';
import { answerJson } from '../respond.ts';
import type { McpTool } from './tools/mcp-tool.ts';

type Scope = Extract<Principal, { kind: 'oauth_client' }>['scope'];

/** The maximum permission of each scope (decisions §7), weakest first. */
const SCOPES: readonly { readonly scope: Scope; readonly needs: McpTool['needs'] }[] = [
  { scope: 'read', needs: 'view' },
  { scope: 'write', needs: 'control' },
  { scope: 'admin', needs: 'manage' },
];

/** The scope that an app lacks for this; `undefined` if it has it, or is not an app: then only roles decide. */
export function missingScope(principal: Principal, needs: McpTool['needs']): string | undefined {
  if (principal.kind !== 'oauth_client') return undefined;
  const has = SCOPES.findIndex(({ scope }) => scope === principal.scope);
  const needed = SCOPES.findIndex((row) => row.needs === needs);
  return has >= needed ? undefined : `mcp:${SCOPES[needed]?.scope}`;
}

export function answerMissingScope(scope: string, requestId: string, origin: string): Response {
  const error = new HearthError('insufficient_permissions', `This app needs the scope ${scope} for that.`);
  const { status, headers } = answerHead(error, requestId, origin);
  const challenge = challengeOf({ error: 'insufficient_scope', error_description: error.message, scope }, origin);
  return answerJson(presentErrorBody(error), status, { ...headers, 'WWW-Authenticate': challenge });
}

/** Like every API's errors; with 401 the link is to this resource's own metadata. */
export function presentMcpError(error: HearthError, requestId: string, origin: string): Response {
  const { status, headers } = answerHead(error, requestId, origin);
  if (status === 401) {
    // No scope: the app chooses the scope to request, and its user the scope to grant.
    const facts = { error: 'invalid_token', error_description: error.message };
    headers['WWW-Authenticate'] = challengeOf(facts, origin);
  }
  return answerJson(presentErrorBody(error), status, headers);
}

function challengeOf(facts: Readonly<Record<string, string>>, origin: string): string {
  const all = { realm: 'hearthd', ...facts, resource_metadata: `${origin}/.well-known/oauth-protected-resource/mcp` };
  // Printable ASCII without quotes and backslashes only.
  const parts = Object.entries(all).map(
    ([name, text]) => `${name}="${text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'")}"`,
  );
  return `Bearer ${parts.join(', ')}`;
}
