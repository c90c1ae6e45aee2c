/** An app that registers itself with a relay and asks for access, as any public client of OAuth does. */
import { createHash, randomBytes } from 'node:crypto';

interface OauthAppOptions {
  readonly name: string;
  readonly redirectUri: string;
  /** What the relay hands back with the code. */
  readonly state?: string;
}

export interface OauthApp {
  readonly clientId: string;
  /** Of PKCE: what proves that the code is for this app. */
  readonly verifier: string;
  /** Where it sends the browser: an address of the relay without its origin. */
  readonly path: string;
}

export async function registerApp(origin: string, { name, redirectUri, state }: OauthAppOptions): Promise<OauthApp> {
  const answer = await fetch(`${origin}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
  });
  const { client_id: clientId } = (await answer.json()) as { readonly client_id: string };
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'mcp:read mcp:write',
    ...(state !== undefined && { state }),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return { clientId, verifier, path: `/oauth/authorize?${query}` };
}
