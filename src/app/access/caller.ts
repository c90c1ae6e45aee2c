/**
 * Who asks. A caller is the first argument of every operation; share links and automations are callers like any other.
 */

/** Roles on a home, weakest first (API §1). */
export const ROLES = ['view', 'control', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Per-home permissions of a token (API §2.6): `null` means no limit of its own. */
export type HomePermissions = Readonly<Record<string, 'control' | 'view'>> | null;

export type Principal =
  /** The daemon itself and the CLI on its Unix socket. */
  | { readonly kind: 'system' }
  /** Nobody has said who asks: reaches what is public, and what signs people in. */
  | { readonly kind: 'anonymous' }
  /** A person who signed in. */
  | { readonly kind: 'user'; readonly userId: string; readonly sessionId: string }
  | {
      readonly kind: 'access_token';
      readonly tokenId: string;
      readonly homePermissions: HomePermissions;
      /** The user whose roles bound the token; `null` for one made by the CLI. */
      readonly makerId: string | null;
    }
  | {
      readonly kind: 'oauth_client';
      readonly clientId: string;
      readonly userId: string;
      readonly scope: 'read' | 'write' | 'admin';
      readonly homePermissions: HomePermissions;
    }
  | {
      readonly kind: 'share_link';
      readonly shareHash: string;
      readonly role: 'view' | 'control';
      /** The homes that it reaches into: one, or several for a collection. */
      readonly homeIds: ReadonlySet<string>;
      readonly accessoryIds: ReadonlySet<string>;
    }
  | { readonly kind: 'automation'; readonly automationId: string; readonly homeId: string }
  /** Whoever publishes on an MQTT broker that an admin of the home connected it with. */
  | { readonly kind: 'mqtt_broker'; readonly brokerId: string; readonly homeId: string };

export interface Caller {
  readonly principal: Principal;
  readonly requestId: string;
  /** The network address that asks; none on the Unix socket and inside the daemon. For counting attempts, never for rights. */
  readonly address?: string | undefined;
  /** How many automations deep this call is; 0 for a person's. */
  readonly depth: number;
}

/** Whose is what a caller makes: a user’s; `null`, the house’s own; `undefined` for who can own nothing. */
export function ownerOf({ principal }: Caller): string | null | undefined {
  switch (principal.kind) {
    case 'system':
      return null;
    case 'user':
    case 'oauth_client':
      return principal.userId;
    case 'access_token':
      return principal.makerId;
    case 'anonymous':
    case 'share_link':
    case 'automation':
    case 'mqtt_broker':
      return undefined;
  }
}
