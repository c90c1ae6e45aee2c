/** The time under the cursor: all plots and bands of the page show what was then. */
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let pointed: number | null = null;
let owner: unknown;

/** @param at in milliseconds @param by the graph that the pointer or the focus is on */
export function pointAt(at: number, by: unknown): void {
  move(Math.round(at), by);
}

/** The pointer or the focus left a graph. If another one has the cursor by now, it stays there. */
export function leaveGraph(by: unknown): void {
  if (owner === by) move(null, undefined);
}

function move(at: number | null, by: unknown): void {
  owner = by;
  if (at === pointed) return;
  pointed = at;
  for (const listener of listeners) listener();
}

export function pointedTime(): number | null {
  return pointed;
}

export function isPointedBy(graph: unknown): boolean {
  return owner === graph;
}

/** @returns unsubscribes */
export function onPointed(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePointedTime(): number | null {
  return useSyncExternalStore(onPointed, pointedTime);
}
