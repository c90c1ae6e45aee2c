/**
 * The certified authorization server (oidc-provider), configured for this relay: code flow with PKCE, refresh,
 * revocation, resource indicators, and nothing else. OpenID Connect, its keys and its sessions are not used: people
 * sign in on the relay's own pages, apps get opaque tokens. The relay has its own registration and metadata:
 * `oauth-routes.tsx` and `metadata.ts`.
 */
import { generateKeyPairSync } from 'node:crypto';
import type { Configuration, JWK, Provider } from 'oidc-provider';
import { resourceOfUrn, resourceUrn } from '../../app/oauth/resource.ts';
import type { Users } from '../../app/users/users.ts';
import { AUTH_METHODS } from '../../contract/oauth-clients.ts';
import { SCOPES } from '../../contract/oauth-scope.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { INTERACTION_MS } from './interaction-store.ts';
import { type AdapterDeps, createAdapter } from './provider-adapter.ts';

/** API §8, in seconds, as OAuth counts. */
const CODE_S = 10 * 60;
const ACCESS_TOKEN_S = 60 * 60;
const REFRESH_TOKEN_S = 30 * 24 * 60 * 60;
/** A grant lasts as long as any of its tokens. */
const GRANT_S = 100 * 365 * 24 * 60 * 60;
/** At 6 bits a character: 43 characters. */
const TOKEN_BITS = 256;

export const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  register: '/oauth/register',
  interaction: '/oauth/interaction',
} as const;

/**
 * The library's cookies that tie a sign-in to the browser that began it. `interaction-cookie.ts` decides what the
 * browser gets of them.
 */
export const INTERACTION_COOKIES = { interaction: 'hearthd_app', resume: 'hearthd_app_resume' } as const;
/**
 * A parameter that a route adds: why the request can't be granted. Used after client and redirect URI are validated.
 */
export const REFUSALS = { scope: 'hearthd_refused_scope', responseMode: 'hearthd_refused_response_mode' } as const;

export interface ProviderDeps extends AdapterDeps {
  readonly users: Pick<Users, 'find'>;
  readonly logger: Logger;
}

/** Loaded by the first app's request: most homes never have one. */
export async function loadProvider(): Promise<(issuer: string, deps: ProviderDeps) => Provider> {
  const [{ Provider }, errors] = await Promise.all([
    import('oidc-provider/lib/provider.js'),
    import('oidc-provider/lib/helpers/errors.js'),
  ]);
  return (issuer, parts) => {
    const provider = new Provider(issuer, configure(parts, errors));
    const note = (error: unknown): void =>
      parts.logger.error({ error: messageOf(error), stack: stackOf(error) }, 'The authorization server failed');
    provider.on('server_error', (_ctx, error) => note(error));
    // Otherwise Koa would print it.
    provider.silent = true;
    return provider;
  };
}

type Errors = Pick<typeof import('oidc-provider').errors, 'InvalidRequest' | 'InvalidScope' | 'InvalidTarget'>;

function configure(deps: ProviderDeps, errors: Errors): Configuration {
  return {
    adapter: createAdapter(deps),
    // The relay's scopes belong to resources, below.
    scopes: [],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: [...AUTH_METHODS],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    routes: { authorization: PATHS.authorize, token: PATHS.token, revocation: PATHS.revoke },
    cookies: {
      names: { session: 'hearthd_unused', ...INTERACTION_COOKIES },
      long: { httpOnly: true, sameSite: 'lax' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      AuthorizationCode: CODE_S,
      AccessToken: ACCESS_TOKEN_S,
      RefreshToken: REFRESH_TOKEN_S,
      Grant: GRANT_S,
      Interaction: INTERACTION_MS / 1_000,
      Session: INTERACTION_MS / 1_000,
      IdToken: ACCESS_TOKEN_S,
    },
    formats: { bitsOfOpaqueRandomness: TOKEN_BITS },
    // Required, but nothing is ever signed with it.
    jwks: { keys: [unusedKey()] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    extraParams: refusals(errors),
    findAccount: (_ctx, id) => {
      const isThere = deps.users.find(id) !== undefined;
      return isThere ? { accountId: id, claims: () => ({ sub: id }) } : undefined;
    },
    interactions: { url: (_ctx, { uid }) => `${PATHS.interaction}/${uid}` },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    // A revoked token ends its whole sign-in: the revocation means the app (RFC 7009 §2.1).
    revokeGrantPolicy: () => true,
    clientBasedCORS: () => false,
    renderError: (ctx, out) => {
      ctx.body = out;
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      resourceIndicators: resources(errors),
    },
  };
}

function refusals(errors: Errors): Configuration['extraParams'] {
  return {
    [REFUSALS.scope]: (_ctx, value) => {
      if (value !== undefined) throw new errors.InvalidScope(`scope must be among ${SCOPES.join(' ')}`, value);
    },
    [REFUSALS.responseMode]: (_ctx, value) => {
      if (value !== undefined) throw new errors.InvalidRequest('response_mode must be query');
    },
  };
}

/** RFC 8707, with the names that `request-parameters.ts` uses in place of URLs. */
function resources(errors: Errors): NonNullable<Configuration['features']>['resourceIndicators'] {
  return {
    enabled: true,
    defaultResource: () => resourceUrn('api'),
    useGrantedResource: () => true,
    getResourceServerInfo: (_ctx, urn) => {
      if (resourceOfUrn(urn) === undefined) throw new errors.InvalidTarget();
      return { scope: SCOPES.join(' '), audience: urn, accessTokenFormat: 'opaque', accessTokenTTL: ACCESS_TOKEN_S };
    },
  };
}

function unusedKey(): JWK {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' } as JWK;
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
