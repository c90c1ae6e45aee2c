/**
 * Users' consents to apps (API §5.2): given at the consent page, listed and changed afterwards, revoked at any time.
 * They are private to the user: no admin of a home sees them. The command line sees all of them, to help users who
 * can't revoke one.
 *
 * Apps stay authorized when a password changes: they never had it, and each is listed with a button to revoke it. They
 * end with the account.
 */
import type * as contract from '../../contract/authorized-apps.ts';
import type { MadeThing } from '../../contract/made-things.ts';
import { presentScope, type ScopeLevel, weakerLevel } from '../../contract/oauth-scope.ts';
import type { InMilliseconds } from '../../contract/parse.ts';
import { redirectDomain } from '../../contract/redirect-uri.ts';
import { parseHomePermissions } from '../access/access-token.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { requireMaker } from '../access/authority.ts';
import { insufficientPermissions, notFound, requireSession } from '../access/authorize.ts';
import { type Caller, type HomePermissions, ownerOf } from '../access/caller.ts';
import type { OAuthClientStore } from './client-store.ts';
import { nameOf } from './clients.ts';
import type { Consent, ConsentStore } from './consent-store.ts';
import { coversResource, type ResourceKind, widerResource } from './resource.ts';

/** An authorized app; its scope is as on the wire. */
export type AuthorizedApp = InMilliseconds<contract.AuthorizedApp, 'createdAt' | 'lastUsedAt'>;

/** A user's consent to an app. */
export interface AppConsent {
  readonly clientId: string;
  readonly scope: ScopeLevel;
  /** Home id → `control` | `view`, or `null` for all homes. */
  readonly homePermissions: unknown;
  readonly resource: ResourceKind;
}

interface AuthorizedAppsDeps extends AppDeps<'state' | 'access' | 'makers' | 'clock'> {
  readonly consents: ConsentStore;
  readonly clients: OAuthClientStore;
}

export class AuthorizedApps {
  readonly #deps: AuthorizedAppsDeps;

  constructor(deps: AuthorizedAppsDeps) {
    this.#deps = deps;
  }

  /**
   * Lists the apps that the caller's user has authorized, oldest first; for the system and its tokens, those of all
   * users. For signed-in users. Tokens without home limits and apps with `mcp:admin` may only list and revoke.
   * @throws `insufficient_permissions`
   */
  list(caller: Caller): readonly AuthorizedApp[] {
    return this.#deps.consents.list(personOf(caller)).flatMap((consent) => this.#present(consent) ?? []);
  }

  /**
   * Revokes an app's consent at once, with all its tokens and what it made. The system revokes it for all users. For
   * callers that may list it.
   * @returns what ended with it.
   * @throws `insufficient_permissions` · `not_found`
   */
  revoke(caller: Caller, clientId: string): readonly MadeThing[] {
    const { consents, makers } = this.#deps;
    const userId = personOf(caller);
    const made = consents
      .list(userId)
      .filter((consent) => consent.clientId === clientId)
      .flatMap((consent) => makers.ofApp(clientId, consent.userId));
    if (consents.delete(clientId, userId) === 0) throw notFound('not_found');
    makers.sweep();
    return made;
  }

  /**
   * Changes which homes an app reaches, at once, for its existing tokens. Only for signed-in users: only they can
   * choose among their homes.
   * @param homePermissions as the API document, §2.6; `null` for all homes
   * @throws `insufficient_permissions` · `not_found` · `invalid_value` · `home_not_found`
   */
  update(caller: Caller, clientId: string, homePermissions: unknown): AuthorizedApp {
    requireMaker(caller, 'app_consent');
    const userId = requireSession(caller);
    const consent = this.#deps.consents.find(clientId, userId);
    if (!consent) throw notFound('not_found');
    const changed = { ...consent, homePermissions: this.#parsePermissions(caller, homePermissions) };
    this.#deps.consents.save(changed, this.#deps.clock.now());
    this.#deps.makers.sweep();
    const app = this.#present(changed);
    if (!app) throw notFound('not_found');
    return app;
  }

  /**
   * Saves a consent, replacing the earlier one. Only for signed-in users.
   * @throws `insufficient_permissions` · `not_found` no such app · `invalid_value` · `home_not_found`
   */
  allow(caller: Caller, { clientId, scope, homePermissions, resource }: AppConsent): void {
    requireMaker(caller, 'app_consent');
    const userId = requireSession(caller);
    if (!this.#deps.clients.find(clientId)) throw notFound('not_found');
    const before = this.#deps.consents.find(clientId, userId);
    const permissions = this.#parsePermissions(caller, homePermissions);
    const now = this.#deps.clock.now();
    // Keep the resources for which it already has tokens.
    const reach = before ? widerResource(before.resource, resource) : resource;
    const consent = { clientId, userId, scope, homePermissions: permissions, resource: reach };
    this.#deps.consents.transaction(() => {
      this.#deps.consents.save(consent, now);
      this.#deps.clients.setUsed(clientId, now);
    });
    this.#deps.makers.sweep();
  }

  /**
   * The scope level that an app may have without asking the user again: the requested one, if the user has allowed as
   * much, for this resource, in a home that the user still sees. Only for signed-in users.
   * @throws `insufficient_permissions`
   */
  allowed(caller: Caller, clientId: string, scope: ScopeLevel, resource: ResourceKind): ScopeLevel | undefined {
    const consent = this.#deps.consents.find(clientId, requireSession(caller));
    if (!consent || weakerLevel(scope, consent.scope) !== scope) return undefined;
    if (!coversResource(consent.resource, resource)) return undefined;
    const { homePermissions } = consent;
    const homes = this.#deps.access.visibleHomes(caller, this.#deps.state.homes());
    const reachesAny = homePermissions === null || homes.some(({ id }) => Object.hasOwn(homePermissions, id));
    return reachesAny ? scope : undefined;
  }

  #parsePermissions(caller: Caller, input: unknown): HomePermissions {
    // A role ends with its home.
    return parseHomePermissions(input, (id) => this.#deps.access.roleIn(caller, id) !== undefined);
  }

  #present(consent: Consent): AuthorizedApp | undefined {
    const client = this.#deps.clients.find(consent.clientId);
    if (!client) return undefined;
    const { metadata } = client;
    const [firstUri] = metadata.redirectUris;
    return {
      clientId: client.id,
      clientName: nameOf(metadata, client.id),
      clientUri: metadata.clientUri,
      logoUri: metadata.logoUri,
      redirectDomain: firstUri === undefined ? '' : redirectDomain(firstUri),
      scope: presentScope(consent.scope),
      homePermissions: consent.homePermissions,
      userId: consent.userId,
      createdAt: consent.createdAt,
      lastUsedAt: consent.lastUsedAt,
      made: this.#deps.makers.ofApp(consent.clientId, consent.userId),
    };
  }
}

/**
 * The user whose apps the caller manages; `null` for the system and its tokens, which see those of all users. Apps and
 * tokens with limits of their own do not manage other apps.
 * @throws `insufficient_permissions`
 */
function personOf(caller: Caller): string | null {
  const { principal } = caller;
  const isUnlimitedToken = principal.kind === 'access_token' && principal.homePermissions === null;
  const isAdminApp = principal.kind === 'oauth_client' && principal.scope === 'admin';
  const owner = ownerOf(caller);
  if (owner === undefined) throw insufficientPermissions();
  if (principal.kind === 'system' || principal.kind === 'user' || isUnlimitedToken || isAdminApp) return owner;
  throw insufficientPermissions();
}
