/** The caller: the first argument of every operation. Share links and automations are callers like any other. */

/** Roles on a home, weakest first (API §1). */
export const ROLES = ['view', 'control', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Per-home permissions of a token (API §2.6): `null` means no limit of its own. */
export type HomePermissions = Readonly<Record<string, 'control' | 'view'>> | null;

export type Principal =
  /** The daemon itself and the CLI on its Unix socket. */
  | { readonly kind: 'system' }
  /** No credential: reaches public operations and those that sign people in. */
  | { readonly kind: 'anonymous' }
  /** A person who signed in. */
  | { readonly kind: 'user'; readonly userId: string; readonly sessionId: string }
  /** A person who signed in and must set a second step up: reaches nothing else. */
  | { readonly kind: 'enrolling'; readonly userId: string; readonly sessionId: string }
  | {
      readonly kind: 'access_token';
      readonly tokenId: string;
      readonly homePermissions: HomePermissions;
      /** The user whose roles limit the token; `null` if the CLI created it. */
      readonly makerId: string | null;
      /** Milliseconds since the epoch; `null` or absent: never. */
      readonly expiresAt?: number | null;
    }
  | {
      readonly kind: 'oauth_client';
      readonly clientId: string;
      readonly userId: string;
      readonly scope: 'read' | 'write' | 'admin';
      readonly homePermissions: HomePermissions;
      /** The hash of the sign-in that issued the token. Never used for rights. */
      readonly grantHash?: string;
    }
  | {
      readonly kind: 'share_link';
      readonly shareHash: string;
      readonly role: 'view' | 'control';
      /** The homes that it covers: one, or several for a collection. */
      readonly homeIds: ReadonlySet<string>;
      readonly accessoryIds: ReadonlySet<string>;
    }
  | { readonly kind: 'automation'; readonly automationId: string; readonly homeId: string }
  /** A publisher on an MQTT broker that an admin connected with the home. */
  | { readonly kind: 'mqtt_broker'; readonly brokerId: string; readonly homeId: string }
  /** A controller of another ecosystem, through a publication. */
  | {
      readonly kind: 'publication';
      readonly publicationId: string;
      readonly homeId: string;
      /** As its publication knows it. Never used for rights. */
      readonly controller: string;
    };

export interface Caller {
  readonly principal: Principal;
  readonly requestId: string;
  /**
   * The caller's network address; absent on the Unix socket and inside the daemon. For counting attempts, never for
   * rights.
   */
  readonly address?: string | undefined;
  /** How many automations deep this call is; 0 for a call by a person. */
  readonly depth: number;
}

/**
 * The owner of what a caller creates: a user id; `null` for the home itself; `undefined` if the caller can own nothing.
 */
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
    case 'enrolling':
    case 'share_link':
    case 'automation':
    case 'mqtt_broker':
    case 'publication':
      return undefined;
  }
}

/** The run in which an automation calls. */
export function runOf({ principal, requestId }: Caller): string | null {
  return principal.kind === 'automation' ? requestId : null;
}

/** The session of a person who signed in. */
export function sessionOf({ principal }: Caller): string | null {
  return principal.kind === 'user' || principal.kind === 'enrolling' ? principal.sessionId : null;
}
