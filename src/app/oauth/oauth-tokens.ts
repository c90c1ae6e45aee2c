/**
 * Authenticates OAuth access tokens: opaque, valid for an hour, and never for more than the user allows the app now.
 * Each request checks all of that, so that the end of a token, its grant, the consent or the account takes effect at
 * once.
 */

import { parseScope, weakerLevel } from '../../contract/oauth-scope.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { HearthError } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/secrets.ts';
import type { Principal } from '../access/caller.ts';
import type { ApiEntry } from '../access/credentials.ts';
import { LAST_USED_INTERVAL_MS, UseNotes } from '../access/use-notes.ts';
import type { Artifact, ArtifactStore } from './artifact-store.ts';
import type { Artifacts } from './artifacts.ts';
import type { OAuthClientStore } from './client-store.ts';
import type { Consent, ConsentStore } from './consent-store.ts';
import { coversResource, resourceOfUrn } from './resource.ts';

/** 256 random bits, base64url. */
const FORM = /^[A-Za-z0-9_-]{43}$/;

type OAuthPrincipal = Extract<Principal, { kind: 'oauth_client' }>;

interface OAuthTokensDeps extends HomeDeps<'clock' | 'logger'> {
  readonly store: ArtifactStore;
  readonly artifacts: Artifacts;
  readonly consents: ConsentStore;
  readonly clients: OAuthClientStore;
}

export class OAuthTokens {
  readonly #deps: OAuthTokensDeps;
  readonly #notes: UseNotes;
  /** The token of a principal. No operation needs it, so it is not part of the principal. */
  readonly #tokenOf = new WeakMap<OAuthPrincipal, string>();

  constructor(deps: OAuthTokensDeps) {
    this.#deps = deps;
    this.#notes = new UseNotes(deps, 'an app');
  }

  /**
   * Resolves a token to its principal.
   * @param entry the API that received it: a token for the MCP endpoint is valid for no other (RFC 8707)
   * @throws `invalid_token`: "Token expired" past its hour, or "Invalid token"
   */
  authenticate(text: string, entry: ApiEntry): Principal {
    const idHash = FORM.test(text) ? sha256Hex(text) : undefined;
    const token = idHash === undefined ? undefined : this.#deps.store.find({ kind: 'AccessToken', idHash });
    const consent = token && this.#consentOf(token);
    if (!token || !consent) throw new HearthError('invalid_token', 'Invalid token');
    if (this.#deps.artifacts.isPast(token)) throw new HearthError('invalid_token', 'Token expired');
    const principal = principalOf(token, consent, entry);
    if (!principal) throw new HearthError('invalid_token', 'Invalid token');
    this.#tokenOf.set(principal, token.idHash);
    this.#noteUse(consent);
    return principal;
  }

  /** Whether the principal's token is still valid. */
  isLive(principal: OAuthPrincipal): boolean {
    const idHash = this.#tokenOf.get(principal);
    if (idHash === undefined) return this.#deps.consents.find(principal.clientId, principal.userId) !== undefined;
    const token = this.#deps.store.find({ kind: 'AccessToken', idHash });
    return token !== undefined && !this.#deps.artifacts.isPast(token) && this.#consentOf(token) !== undefined;
  }

  /** The user's current consent to the app, if the token's grant still exists. */
  #consentOf({ clientId, userId, grantHash }: Artifact): Consent | undefined {
    const grant = this.#deps.store.find({ kind: 'Grant', idHash: grantHash });
    return grant && this.#deps.consents.find(clientId, userId);
  }

  #noteUse({ clientId, userId, lastUsedAt }: Consent): void {
    const now = this.#deps.clock.now();
    if (lastUsedAt !== null && Math.abs(now - lastUsedAt) < LAST_USED_INTERVAL_MS) return;
    this.#notes.tryWrite(() => {
      this.#deps.consents.setUsed(clientId, userId, now);
      this.#deps.clients.setUsed(clientId, now);
    });
  }
}

/** The intersection of the token's rights and the current consent; `undefined` if it is empty. */
function principalOf({ payload, grantHash }: Artifact, consent: Consent, entry: ApiEntry): OAuthPrincipal | undefined {
  const resource = resourceOfUrn(payload.aud);
  const level = typeof payload.scope === 'string' ? parseScope(payload.scope) : undefined;
  if (resource === undefined || level === undefined) return undefined;
  if (!coversResource(resource, entry) || !coversResource(consent.resource, entry)) return undefined;
  return Object.freeze({
    kind: 'oauth_client',
    clientId: consent.clientId,
    userId: consent.userId,
    scope: weakerLevel(level, consent.scope),
    homePermissions: consent.homePermissions,
    grantHash,
  });
}
