/**
 * The session on this device. The browser stores the relay's token, either for as long as the session lasts ("stay
 * signed in") or for this tab only. The token is sent in the Authorization header only, so no other site's page can
 * send it.
 */
import { useSyncExternalStore } from 'react';

const KEY = 'hearthd.session';

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

/** `refused`: the relay no longer accepts the token, because it expired or was ended elsewhere. */
type Ending = 'signed-out' | 'refused';

type Listener = () => void;

class SessionHolder {
  #session: Session | undefined;
  #ending: Ending | undefined;
  #isOpen = false;
  readonly #listeners = new Set<Listener>();

  get(): Session | undefined {
    this.#open();
    return this.#session;
  }

  begin({ token, expiresAt, kept }: Omit<Session, 'id'>): void {
    this.#set({ id: token.slice(-16), token, expiresAt, kept });
  }

  /** Replaces the token of the same account; the page keeps its state. */
  renew(token: string, expiresAt: string | null): void {
    const session = this.get();
    if (session) this.#set({ ...session, token, expiresAt });
  }

  end(ending: Ending = 'signed-out'): void {
    this.#set(undefined, ending);
  }

  /** Why the session ended, if one ended since this page opened. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#open();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Opens at first use, not at load, so that modules without a page also load outside a browser. */
  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#session = read();
    // Another tab signed in or out.
    addEventListener('storage', ({ key }) => {
      if (key !== KEY && key !== null) return;
      this.#session = read();
      this.#notify();
    });
  }

  #set(session: Session | undefined, ending?: Ending): void {
    this.#open();
    this.#write(session);
    this.#session = session;
    this.#ending = ending;
    this.#notify();
  }

  #write(session: Session | undefined): void {
    const [lasting, ofTab] = storages();
    const place = session && (session.kept ? lasting : ofTab);
    // Overwrites the entry instead of removing it first: otherwise other tabs would briefly see a sign-out.
    for (const storage of storages()) if (storage !== place) storage.removeItem(KEY);
    try {
      place?.setItem(KEY, JSON.stringify(session));
    } catch {
      // Storage is full or blocked: the session lasts until the page closes.
      place?.removeItem(KEY);
    }
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Browsers without storage (private windows, policies) still show the home until the page closes. */
function storages(): readonly Storage[] {
  try {
    return [localStorage, sessionStorage];
  } catch {
    return [];
  }
}

function read(): Session | undefined {
  for (const storage of storages()) {
    try {
      const kept = JSON.parse(storage.getItem(KEY) || 'null') ?? {};
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

export const sessionHolder = new SessionHolder();

export function useSession(): Session | undefined {
  return useSyncExternalStore(sessionHolder.subscribe, () => sessionHolder.get());
}
