/**
 * Who is signed in on this device. The relay's token is kept in this browser, for as long as the session lasts ("stay signed in") or for
 * this tab only, and travels in the Authorization header alone: no other site's page can send it.
 */
import { useSyncExternalStore } from 'react';

const KEY = 'hearthd.session';

export interface Session {
  /** `Authorization: Bearer <token>`. */
  readonly token: string;
  /** ISO 8601; `null` for access tokens, which may never end. */
  readonly expiresAt: string | null;
  /** Until the tab is closed, or as long as it lasts. */
  readonly kept: boolean;
}

type Listener = () => void;

class SessionHolder {
  #session: Session | undefined = read();
  readonly #listeners = new Set<Listener>();

  constructor() {
    // Another tab signed in or out.
    addEventListener('storage', ({ key }) => {
      if (key !== KEY && key !== null) return;
      this.#session = read();
      this.#tell();
    });
  }

  get(): Session | undefined {
    return this.#session;
  }

  begin(session: Session): void {
    this.#write(session);
    this.#session = session;
    this.#tell();
  }

  end(): void {
    this.#write(undefined);
    this.#session = undefined;
    this.#tell();
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #write(session: Session | undefined): void {
    for (const storage of storages()) storage.removeItem(KEY);
    const [lasting, ofTab] = storages();
    (session?.kept ? lasting : ofTab)?.setItem(KEY, session ? JSON.stringify(session) : '');
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
      const { token, expiresAt = null, kept = false } = JSON.parse(storage.getItem(KEY) || 'null') ?? {};
      if (typeof token === 'string') return { token, expiresAt, kept };
    } catch {
      // What is damaged is no session.
    }
  }
  return undefined;
}

export const sessionHolder = new SessionHolder();

export function useSession(): Session | undefined {
  return useSyncExternalStore(sessionHolder.subscribe, () => sessionHolder.get());
}
