import { useSyncExternalStore } from 'react';
import { dateFormat } from '../../../texts/intl.ts';
import { homeStore } from './home-store.ts';

/**
 * The time zone of the displayed home. `undefined` if it follows the relay's zone, if none is displayed, or if an old
 * browser does not know it: then this device's is the best guess.
 */
export function useHomeZone(): string | undefined {
  return useSyncExternalStore(homeStore.subscribeToLayout, zoneNow);
}

function zoneNow(): string | undefined {
  const timeZone = homeStore.inventory?.timeZone || undefined;
  try {
    dateFormat('en', { timeZone });
    return timeZone;
  } catch {
    return undefined;
  }
}
