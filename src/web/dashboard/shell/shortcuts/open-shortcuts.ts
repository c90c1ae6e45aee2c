/** Whether the keyboard shortcuts are shown. The search opens them too; the frame renders them. */
import { useSyncExternalStore } from 'react';

let isOpen = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

export const openShortcuts = (): void => set(true);

export const closeShortcuts = (): void => set(false);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useAreShortcutsOpen(): boolean {
  return useSyncExternalStore(subscribe, () => isOpen);
}
