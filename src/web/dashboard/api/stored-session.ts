/** Where the browser stores the session. Without React: `first-requests.ts` reads it before the rest is loaded. */

export const SESSION_KEY = 'hearthd.session';

export interface Session {
  /** Stays the same while the account stays signed in on this device, for every token. It is not the relay's id. */
  readonly id: string;
  /** `Authorization: Bearer <token>`. */
  readonly token: string;
  /** ISO 8601; `null` for access tokens, which may never expire. */
  readonly expiresAt: string | null;
  /** True: kept as long as the session lasts. False: kept until the tab closes. */
  readonly kept: boolean;
}

/** Browsers without storage (private windows, policies) still show the home until the page closes. */
export function sessionStorages(): readonly Storage[] {
  try {
    return [localStorage, sessionStorage];
  } catch {
    return [];
  }
}

export function readStoredSession(): Session | undefined {
  for (const storage of sessionStorages()) {
    try {
      const kept = JSON.parse(storage.getItem(SESSION_KEY) || 'null') ?? {};
      if (typeof kept.token === 'string') return readSession(kept);
    } catch {
      // A damaged entry counts as no session.
    }
  }
  return undefined;
}

function readSession({ id, token, expiresAt, kept }: Record<string, unknown> & { readonly token: string }): Session {
  return {
    id: typeof id === 'string' ? id : token.slice(-16),
    token,
    expiresAt: typeof expiresAt === 'string' ? expiresAt : null,
    kept: kept === true,
  };
}
