/**
 * The tiles that are selected on the home page or a room's page, for an action on several at once. While there is a
 * selection, each tile is a checkbox.
 */
import { useSyncExternalStore } from 'react';

export interface TileSelection {
  /** Ids of accessories and groups, in the order of their selection. */
  readonly ids: readonly string[];
  /** The tile that was chosen last: it has the focus, and ranges begin there. */
  readonly last: SelectedTile;
}

/** A favourite is in two grids. */
export interface SelectedTile {
  readonly id: string;
  readonly grid: string;
}

let current: TileSelection | undefined;
const listeners = new Set<() => void>();

function set(next: TileSelection | undefined): void {
  current = next;
  for (const listener of listeners) listener();
}

export function toggled(selection: TileSelection | undefined, last: SelectedTile): TileSelection {
  const { id } = last;
  const ids = selection?.ids ?? [];
  return { ids: ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id], last };
}

/** Everything between the last one and this; this alone if the last one is elsewhere. @param order the tiles there */
export function withRange(
  selection: TileSelection | undefined,
  last: SelectedTile,
  order: readonly string[],
): TileSelection {
  const before = selection?.last.grid === last.grid ? selection.last.id : last.id;
  const [from, to] = [order.indexOf(before), order.indexOf(last.id)];
  const range = from === -1 ? [last.id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: [...new Set([...(selection?.ids ?? []), ...range])], last };
}

export function toggleSelected(tile: SelectedTile): void {
  set(toggled(current, tile));
}

export function selectRange(tile: SelectedTile, order: readonly string[]): void {
  set(withRange(current, tile, order));
}

/** Makes each tile a checkbox, before one is chosen. */
export function beginSelection(): void {
  set({ ids: [], last: { id: '', grid: '' } });
}

export function endSelection(): void {
  if (current) set(undefined);
}

/** Whether no element has the focus: what had it is gone or can't be used now. */
export function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.closest('[inert]') !== null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @returns `undefined`: nothing is being selected, and tiles act as usual */
export function useSelection(): TileSelection | undefined {
  return useSyncExternalStore(subscribe, () => current);
}
