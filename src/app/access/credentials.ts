/**
 * From what somebody sends as `Authorization: Bearer …` to whom it stands for: an access token (`hc_…`), a session (a JWT, three
 * parts) or an OAuth token (opaque). It only tells them apart; each kind is judged by its owner.
 */
import { unreachable } from '../../kernel/errors.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { Principal } from './caller.ts';

/** Where it was sent to: an OAuth token may be meant for one of our doors only (RFC 8707). */
export type Door = 'api' | 'mcp';

type PrincipalOf<K extends Principal['kind']> = Extract<Principal, { kind: K }>;

/** The judge of sessions. */
export interface SessionSource {
  /** @throws `invalid_token` */
  authenticate(jwt: string): Promise<Principal>;
  isLive(principal: PrincipalOf<'user'>): boolean;
}

/** The judge of OAuth tokens. */
export interface OAuthTokenSource {
  /** @throws `invalid_token` */
  authenticate(text: string, door: Door): Principal;
  isLive(principal: PrincipalOf<'oauth_client'>): boolean;
}

/** A compact JWS (RFC 7515 §7.1). OAuth tokens of ours have no dots. */
const THREE_PARTS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*$/;

export class Credentials {
  readonly #tokens: Pick<AccessTokens, 'authenticate' | 'isLive'>;
  readonly #sessions: SessionSource;
  readonly #oauth: OAuthTokenSource;

  constructor(parts: {
    tokens: Pick<AccessTokens, 'authenticate' | 'isLive'>;
    sessions: SessionSource;
    oauth: OAuthTokenSource;
  }) {
    this.#tokens = parts.tokens;
    this.#sessions = parts.sessions;
    this.#oauth = parts.oauth;
  }

  /** Whom it stands for; at once but for sessions. @throws `invalid_token`: "Token expired", "Token revoked" or "Invalid token" */
  authenticate(text: string, door: Door = 'api'): Principal | Promise<Principal> {
    if (text.startsWith('hc_')) return this.#tokens.authenticate(text);
    if (THREE_PARTS.test(text)) return this.#sessions.authenticate(text);
    return this.#oauth.authenticate(text, door);
  }

  /**
   * Whether what somebody came in with still counts: for streams that stay open, which ask twice a second. What it may do is another
   * question, asked at each operation. Share links are asked about where they are kept (`shares.reopen`).
   */
  isLive(principal: Principal): boolean {
    switch (principal.kind) {
      case 'system':
      case 'anonymous':
      case 'automation':
      case 'mqtt_broker':
      case 'share_link':
        return true;
      case 'access_token':
        return this.#tokens.isLive(principal);
      case 'user':
        return this.#sessions.isLive(principal);
      case 'oauth_client':
        return this.#oauth.isLive(principal);
      default:
        return unreachable(principal);
    }
  }
}
