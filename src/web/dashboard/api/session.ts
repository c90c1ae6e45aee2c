/**
 * The session on this device. The browser stores the relay's token, either for as long as the session lasts ("stay
 * signed in") or for this tab only. The token is sent in the Authorization header only, so no other site's page can
 * send it.
 */
import { useSyncExternalStore } from 'react';
import { readStoredSession, SESSION_KEY, type Session, sessionStorages } from './stored-session.ts';

export type { Session };

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
    this.#session = readStoredSession();
    // Another tab signed in or out.
    addEventListener('storage', ({ key }) => {
      if (key !== SESSION_KEY && key !== null) return;
      this.#session = readStoredSession();
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
    const [lasting, ofTab] = sessionStorages();
    const place = session && (session.kept ? lasting : ofTab);
    // Overwrites the entry instead of removing it first: otherwise other tabs would briefly see a sign-out.
    for (const storage of sessionStorages()) if (storage !== place) storage.removeItem(SESSION_KEY);
    try {
      place?.setItem(SESSION_KEY, JSON.stringify(session));
    } catch {
      // Storage is full or blocked: the session lasts until the page closes.
      place?.removeItem(SESSION_KEY);
    }
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const sessionHolder = new SessionHolder();

export function useSession(): Session | undefined {
  return useSyncExternalStore(sessionHolder.subscribe, () => sessionHolder.get());
}
