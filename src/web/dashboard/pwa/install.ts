/** Installing as an app, where the browser offers it: Chromium says so once, early, and the offer is kept until somebody asks. */
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

/** @returns what asks the person; `undefined` where the browser does not offer it, or it is installed already */
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
    // It works once.
    set(undefined);
    void current.prompt();
  };
}
