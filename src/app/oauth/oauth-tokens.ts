/**
 * OAuth access tokens as our doors meet them: opaque, good for an hour, and never good for more than what the person allows the app
 * now. All of that is looked up at each request, so that whatever ends, ends at once: a token, its grant, the permission, the account.
 */
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { sha256Hex } from '../../kernel/secrets.ts';
import type { Principal } from '../access/caller.ts';
import type { Door } from '../access/credentials.ts';
import { LAST_USED_INTERVAL_MS, UseNotes } from '../access/use-notes.ts';
import type { Artifact, ArtifactStore } from './artifact-store.ts';
import type { Artifacts } from './artifacts.ts';
import type { OAuthClientStore } from './client-store.ts';
import type { Consent, ConsentStore } from './consent-store.ts';
import { coversResource, resourceOfUrn } from './resource.ts';
import { parseScope, weakerLevel } from './scope.ts';

/** 256 random bits, base64url. */
const FORM = /^[A-Za-z0-9_-]{43}$/;

type OAuthPrincipal = Extract<Principal, { kind: 'oauth_client' }>;

interface OAuthTokensParts {
  readonly store: ArtifactStore;
  readonly artifacts: Artifacts;
  readonly consents: ConsentStore;
  readonly clients: OAuthClientStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class OAuthTokens {
  readonly #parts: OAuthTokensParts;
  readonly #notes: UseNotes;
  /** Which token a principal came of. No operation has a use for it, so it is no part of the principal. */
  readonly #tokenOf = new WeakMap<OAuthPrincipal, string>();

  constructor(parts: OAuthTokensParts) {
    this.#parts = parts;
    this.#notes = new UseNotes(parts, 'an app');
  }

  /**
   * Whom a token stands for.
   * @param door where it came in: a token for the MCP endpoint opens no other (RFC 8707)
   * @throws `invalid_token`: "Token expired" past its hour, or "Invalid token"
   */
  authenticate(text: string, door: Door): Principal {
    const idHash = FORM.test(text) ? sha256Hex(text) : undefined;
    const token = idHash === undefined ? undefined : this.#parts.store.find({ kind: 'AccessToken', idHash });
    const consent = token && this.#consentOf(token);
    if (!token || !consent) throw new HearthError('invalid_token', 'Invalid token');
    if (this.#parts.artifacts.isPast(token)) throw new HearthError('invalid_token', 'Token expired');
    const principal = principalOf(token, consent, door);
    if (!principal) throw new HearthError('invalid_token', 'Invalid token');
    this.#tokenOf.set(principal, token.idHash);
    this.#noteUse(consent);
    return principal;
  }

  /** Whether the token that it came in with is still good. */
  isLive(principal: OAuthPrincipal): boolean {
    const idHash = this.#tokenOf.get(principal);
    if (idHash === undefined) return this.#parts.consents.find(principal.clientId, principal.userId) !== undefined;
    const token = this.#parts.store.find({ kind: 'AccessToken', idHash });
    return token !== undefined && !this.#parts.artifacts.isPast(token) && this.#consentOf(token) !== undefined;
  }

  /** What the person allows the app now, if the grant that the token came of still stands. */
  #consentOf({ clientId, userId, grantHash }: Artifact): Consent | undefined {
    const grant = this.#parts.store.find({ kind: 'Grant', idHash: grantHash });
    return grant && this.#parts.consents.find(clientId, userId);
  }

  #noteUse({ clientId, userId, lastUsedAt }: Consent): void {
    const now = this.#parts.clock.now();
    if (lastUsedAt !== null && Math.abs(now - lastUsedAt) < LAST_USED_INTERVAL_MS) return;
    this.#notes.tryWrite(() => {
      this.#parts.consents.setUsed(clientId, userId, now);
      this.#parts.clients.setUsed(clientId, now);
    });
  }
}

/** The narrower of what the token says and what is allowed now; nothing where that leaves nothing. */
function principalOf({ payload }: Artifact, consent: Consent, door: Door): OAuthPrincipal | undefined {
  const resource = resourceOfUrn(payload.aud);
  const level = typeof payload.scope === 'string' ? parseScope(payload.scope) : undefined;
  if (resource === undefined || level === undefined) return undefined;
  if (!coversResource(resource, door) || !coversResource(consent.resource, door)) return undefined;
  return Object.freeze({
    kind: 'oauth_client',
    clientId: consent.clientId,
    userId: consent.userId,
    scope: weakerLevel(level, consent.scope),
    homePermissions: consent.homePermissions,
  });
}
