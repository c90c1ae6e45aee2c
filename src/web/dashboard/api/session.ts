/**
 * Who is signed in on this device. The relay's token is kept in this browser, for as long as the session lasts ("stay signed in") or for
 * this tab only, and travels in the Authorization header alone: no other site's page can send it.
 */
import { useSyncExternalStore } from 'react';

const KEY = 'hearthd.session';

export interface Session {
  /** The same as long as the person stays signed in on this device, whatever token is in use. Not the relay's. */
  readonly id: string;
  /** `Authorization: Bearer <token>`. */
  readonly token: string;
  /** ISO 8601; `null` for access tokens, which may never end. */
  readonly expiresAt: string | null;
  /** Until the tab is closed, or as long as it lasts. */
  readonly kept: boolean;
}

/** `refused`: the relay does not take the token any more, since it ran out or was ended elsewhere. */
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

  /** A longer life for who is signed in: nothing on the page begins anew. */
  renew(token: string, expiresAt: string | null): void {
    const session = this.get();
    if (session) this.#set({ ...session, token, expiresAt });
  }

  end(ending: Ending = 'signed-out'): void {
    this.#set(undefined, ending);
  }

  /** Why nobody is signed in any more, if somebody was since this page was opened. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#open();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** When it is first used, not when it is loaded: what needs no page can be loaded where there is no browser. */
  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#session = read();
    // Another tab signed in or out.
    addEventListener('storage', ({ key }) => {
      if (key !== KEY && key !== null) return;
      this.#session = read();
      this.#tell();
    });
  }

  #set(session: Session | undefined, ending?: Ending): void {
    this.#open();
    this.#write(session);
    this.#session = session;
    this.#ending = ending;
    this.#tell();
  }

  #write(session: Session | undefined): void {
    const [lasting, ofTab] = storages();
    const place = session && (session.kept ? lasting : ofTab);
    // Written over, not removed before: other tabs would be told in between that nobody is signed in.
    for (const storage of storages()) if (storage !== place) storage.removeItem(KEY);
    try {
      place?.setItem(KEY, JSON.stringify(session));
    } catch {
      // Full, or not allowed: it lasts until the page is left.
      place?.removeItem(KEY);
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Browsers that keep nothing (private windows, policies) still show the house until the page is left. */
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
      // What is damaged is no session.
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
