/**
 * Installation as an app, if the browser offers it. Chromium fires its event once, early; the event is kept for the
 * install button.
 */
import { useSyncExternalStore } from 'react';

/** Chromium's; not in TypeScript's DOM. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

let offer: InstallOffer | undefined;
const listeners = new Set<() => void>();

function set(next: InstallOffer | undefined): void {
  offer = next;
  for (const listener of listeners) listener();
}

export function listenForInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    set(event as InstallOffer);
  });
  addEventListener('appinstalled', () => set(undefined));
}

/**
 * @returns a function that opens the browser's prompt; `undefined` if the browser has no offer, or the app is installed
 */
export function useInstall(): (() => void) | undefined {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offer,
  );
  if (!current) return undefined;
  return () => {
    // An offer works once.
    set(undefined);
    void current.prompt();
  };
}
