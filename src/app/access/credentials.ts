/**
 * Resolves `Authorization: Bearer …` to a principal: an access token (`hc_…`), a session (a JWT, three parts) or an
 * OAuth token (opaque). This file only distinguishes the kinds; each kind has its own authenticator.
 */
import { unreachable } from '../../kernel/errors.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { Principal } from './caller.ts';

/** The API that received the credential: an OAuth token may be limited to one of them (RFC 8707). */
export type ApiEntry = 'api' | 'mcp';

type PrincipalOf<K extends Principal['kind']> = Extract<Principal, { kind: K }>;

/** Authenticates sessions. */
export interface SessionSource {
  /** @throws `invalid_token` */
  authenticate(jwt: string): Promise<Principal>;
  /** As `authenticate`, at once; `undefined` if the signature has not been checked yet. @throws `invalid_token` */
  known(jwt: string): Principal | undefined;
  isLive(principal: PrincipalOf<'user' | 'enrolling'>): boolean;
}

/** Authenticates OAuth tokens. */
export interface OAuthTokenSource {
  /** @throws `invalid_token` */
  authenticate(text: string, entry: ApiEntry): Principal;
  isLive(principal: PrincipalOf<'oauth_client'>): boolean;
}

/** A compact JWS (RFC 7515 §7.1). The relay's OAuth tokens contain no dots. */
const THREE_PARTS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*$/;

export class Credentials {
  readonly #tokens: Pick<AccessTokens, 'authenticate' | 'isLive'>;
  readonly #sessions: SessionSource;
  readonly #oauth: OAuthTokenSource;

  constructor(deps: {
    tokens: Pick<AccessTokens, 'authenticate' | 'isLive'>;
    sessions: SessionSource;
    oauth: OAuthTokenSource;
  }) {
    this.#tokens = deps.tokens;
    this.#sessions = deps.sessions;
    this.#oauth = deps.oauth;
  }

  /**
   * The principal; synchronous except for the first use of a session's JWT. @throws `invalid_token`: "Token expired",
   * "Token revoked" or "Invalid token"
   */
  authenticate(text: string, entry: ApiEntry = 'api'): Principal | Promise<Principal> {
    if (text.startsWith('hc_')) return this.#tokens.authenticate(text);
    if (THREE_PARTS.test(text)) return this.#sessions.known(text) ?? this.#sessions.authenticate(text);
    return this.#oauth.authenticate(text, entry);
  }

  /**
   * Whether an accepted credential is still valid: for open streams, which check it twice a second. Each operation
   * checks permissions separately. `shares.reopen` checks share links.
   */
  isLive(principal: Principal): boolean {
    switch (principal.kind) {
      case 'system':
      case 'anonymous':
      case 'automation':
      case 'mqtt_broker':
      case 'publication':
      case 'share_link':
        return true;
      case 'access_token':
        return this.#tokens.isLive(principal);
      case 'user':
      case 'enrolling':
        return this.#sessions.isLive(principal);
      case 'oauth_client':
        return this.#oauth.isLive(principal);
      default:
        return unreachable(principal);
    }
  }
}
