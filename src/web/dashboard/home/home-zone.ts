import { useSyncExternalStore } from 'react';
import { homeStore } from './home-store.ts';

/**
 * The time zone of the displayed home. `undefined` if it follows the relay's zone, or none is displayed: then this
 * device's is the best guess.
 */
export function useHomeZone(): string | undefined {
  return useSyncExternalStore(homeStore.subscribeToLayout, () => homeStore.inventory?.timeZone || undefined);
}
