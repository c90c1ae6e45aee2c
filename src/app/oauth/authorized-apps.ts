/**
 * What people allowed which apps (API §5.2): asked for at consent, seen and changed afterwards, ended at any time. It is the person's
 * own affair: no admin of a home sees it. The command line sees everybody's, to help where somebody can't.
 *
 * Apps stay allowed when a password changes: they never had it, and each is listed with a button to end it. They end with the account.
 */
import type { HomeState } from '../../home/home-state.ts';
import type { Clock } from '../../kernel/clock.ts';
import { parseHomePermissions } from '../access/access-token.ts';
import { type Access, insufficientPermissions, notFound, requireSession } from '../access/authorize.ts';
import type { Caller, HomePermissions } from '../access/caller.ts';
import type { OAuthClientStore } from './client-store.ts';
import { nameOf } from './clients.ts';
import type { Consent, ConsentStore } from './consent-store.ts';
import { redirectDomain } from './redirect-uri.ts';
import { coversResource, type ResourceKind, widerResource } from './resource.ts';
import { presentScope, type ScopeLevel, weakerLevel } from './scope.ts';

/** An app that somebody allowed something. Times in milliseconds since the epoch. */
export interface AuthorizedApp {
  readonly clientId: string;
  /** What it calls itself. Nobody has verified that. */
  readonly clientName: string;
  readonly clientUri: string | null;
  readonly logoUri: string | null;
  /** Where it is sent back to: a host, or the scheme of an app of its own. */
  readonly redirectDomain: string;
  /** As the wire has it: `mcp:read mcp:write`. */
  readonly scope: string;
  /** `null`: all homes. */
  readonly homePermissions: HomePermissions;
  readonly userId: string;
  readonly createdAt: number;
  /** To the minute; `null`: never. */
  readonly lastUsedAt: number | null;
}

/** What a person allows an app. */
export interface Permission {
  readonly clientId: string;
  readonly scope: ScopeLevel;
  /** Home id → `control` | `view`, or `null` for all homes. */
  readonly homePermissions: unknown;
  readonly resource: ResourceKind;
}

interface AuthorizedAppsParts {
  readonly consents: ConsentStore;
  readonly clients: OAuthClientStore;
  readonly access: Access;
  readonly state: HomeState;
  readonly clock: Clock;
}

export class AuthorizedApps {
  readonly #parts: AuthorizedAppsParts;

  constructor(parts: AuthorizedAppsParts) {
    this.#parts = parts;
  }

  /**
   * The apps that the caller allowed something, oldest first; for the system, everybody's. For people who signed in, themselves: no
   * token and no app may look after the others.
   * @throws `insufficient_permissions`
   */
  list(caller: Caller): readonly AuthorizedApp[] {
    return this.#parts.consents.list(personOf(caller)).flatMap((consent) => this.#present(consent) ?? []);
  }

  /**
   * Ends what an app was allowed, with all its tokens, at once. The system ends it for everybody. For whoever may list it.
   * @throws `insufficient_permissions` · `not_found`
   */
  revoke(caller: Caller, clientId: string): void {
    const userId = personOf(caller);
    if (this.#parts.consents.delete(clientId, userId) === 0) throw notFound('not_found');
  }

  /**
   * Changes which homes an app reaches, at once, for the tokens that it has. For whoever may list it, but not for the system: only
   * the person can say which of their homes.
   * @param homePermissions as the API document, §2.6; `null` for all homes
   * @throws `insufficient_permissions` · `not_found` · `invalid_value` · `home_not_found`
   */
  update(caller: Caller, clientId: string, homePermissions: unknown): AuthorizedApp {
    const userId = personOf(caller);
    if (userId === null) throw insufficientPermissions();
    const consent = this.#parts.consents.find(clientId, userId);
    if (!consent) throw notFound('not_found');
    const changed = { ...consent, homePermissions: this.#parsePermissions(caller, homePermissions) };
    this.#parts.consents.save(changed, this.#parts.clock.now());
    const app = this.#present(changed);
    if (!app) throw notFound('not_found');
    return app;
  }

  /**
   * Allows an app something, in place of what it was allowed before. For people who signed in, themselves.
   * @throws `insufficient_permissions` · `not_found` no such app · `invalid_value` · `home_not_found`
   */
  allow(caller: Caller, { clientId, scope, homePermissions, resource }: Permission): void {
    const userId = requireSession(caller);
    if (!this.#parts.clients.find(clientId)) throw notFound('not_found');
    const before = this.#parts.consents.find(clientId, userId);
    const permissions = this.#parsePermissions(caller, homePermissions);
    const now = this.#parts.clock.now();
    // What it has tokens for already goes on.
    const reach = before ? widerResource(before.resource, resource) : resource;
    const consent = { clientId, userId, scope, homePermissions: permissions, resource: reach };
    this.#parts.consents.transaction(() => {
      this.#parts.consents.save(consent, now);
      this.#parts.clients.setUsed(clientId, now);
    });
  }

  /**
   * The level that an app may have without the person being asked again: the one that it asks for, if it was allowed as much, for this
   * resource, in a home that the person still sees. For people who signed in, themselves.
   * @throws `insufficient_permissions`
   */
  allowed(caller: Caller, clientId: string, scope: ScopeLevel, resource: ResourceKind): ScopeLevel | undefined {
    const consent = this.#parts.consents.find(clientId, requireSession(caller));
    if (!consent || weakerLevel(scope, consent.scope) !== scope) return undefined;
    if (!coversResource(consent.resource, resource)) return undefined;
    const { homePermissions } = consent;
    const homes = this.#parts.access.visibleHomes(caller, this.#parts.state.homes());
    const reachesAny = homePermissions === null || homes.some(({ id }) => Object.hasOwn(homePermissions, id));
    return reachesAny ? scope : undefined;
  }

  #parsePermissions(caller: Caller, input: unknown): HomePermissions {
    const { access, state } = this.#parts;
    return parseHomePermissions(input, (id) => state.home(id) !== undefined && access.roleIn(caller, id) !== undefined);
  }

  #present(consent: Consent): AuthorizedApp | undefined {
    const client = this.#parts.clients.find(consent.clientId);
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
    };
  }
}

/** The person whose apps these are; `null` for the system, which sees everybody's. */
function personOf(caller: Caller): string | null {
  return caller.principal.kind === 'system' ? null : requireSession(caller);
}
