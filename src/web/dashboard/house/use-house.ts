/** The home that is on the screen, for components. */
import { useSyncExternalStore } from 'react';
import type { House, HouseAccessory, HouseRoom } from './house-document.ts';
import { houseStore } from './house-store.ts';

/** Drawn again when rooms, groups, scenes, or which accessories there are, changed. @throws `Error` outside of `HouseGate` */
export function useHouse(): House {
  const house = useSyncExternalStore(houseStore.subscribeToLayout, () => houseStore.house);
  if (!house) throw new Error('No home is loaded');
  return house;
}

/** Drawn again when this accessory (or service group) changed, within a frame. */
export function useAccessory(id: string): HouseAccessory | undefined {
  return useSyncExternalStore(
    (listener) => houseStore.subscribe(id, listener),
    () => houseStore.accessory(id),
  );
}

/** Drawn again only when that changes: a home has hundreds of tiles. */
export function useIsPaused(): boolean {
  return useSyncExternalStore(houseStore.subscribeToLayout, () => houseStore.house?.paused ?? false);
}

export function useRooms(): readonly HouseRoom[] {
  return useHouse().rooms;
}

/** What the person may do here (decisions §7). */
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
  const role = useHouse().role ?? 'view';
  const isOwner = role === 'owner';
  const canManage = isOwner || role === 'admin';
  return { role, isOwner, canManage, canControl: canManage || role === 'control' };
}
