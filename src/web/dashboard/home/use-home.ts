/** Hooks that give components the displayed home. */
import { useSyncExternalStore } from 'react';
import type { HomeAccessory, HomeInventory, HomeRoom } from './home-document.ts';
import { homeStore } from './home-store.ts';

/**
 * Re-renders when rooms, groups or scenes change, or when accessories come or go. @throws `Error` outside of `HomeGate`
 */
export function useHome(): HomeInventory {
  const inventory = useSyncExternalStore(homeStore.subscribeToLayout, () => homeStore.inventory);
  if (!inventory) throw new Error('No home is loaded');
  return inventory;
}

/** Re-renders within a frame when this accessory (or service group) changes. */
export function useAccessory(id: string): HomeAccessory | undefined {
  return useSyncExternalStore(
    (listener) => homeStore.subscribe(id, listener),
    () => homeStore.accessory(id),
  );
}

/** Re-renders only when the pause state changes: a home has hundreds of tiles. */
export function useIsPaused(): boolean {
  return useSyncExternalStore(homeStore.subscribeToLayout, () => homeStore.inventory?.paused ?? false);
}

/** When the displayed values are from, if this device kept them; `undefined` once the relay has answered. */
export function useKeptAt(): number | undefined {
  return useSyncExternalStore(homeStore.subscribeToLayout, () => homeStore.keptAt);
}

export function useRooms(): readonly HomeRoom[] {
  return useHome().rooms;
}

/** What the user may do in this home (decisions §7). */
export interface Rights {
  readonly role: string;
  /** Set values, run scenes. */
  readonly canControl: boolean;
  /** Rooms, names, pairings, scenes, automations, shares, members. */
  readonly canManage: boolean;
  /** Delete the home, change roles of admins. */
  readonly isOwner: boolean;
}

export function useRights(): Rights {
  const role = useHome().role ?? 'view';
  const isOwner = role === 'owner';
  const canManage = isOwner || role === 'admin';
  return { role, isOwner, canManage, canControl: canManage || role === 'control' };
}
