import type { Clock } from '../kernel/clock.ts';

/** By then a home is connected and read. */
const START_IS_OVER_MS = 30_000;

/**
 * Frees what only the start needed. V8 would hold it until the heap has grown by half, which a quiet home never does.
 * @param collect V8's own function, which it offers where the service starts it
 * @returns the function that cancels it
 */
export function freeStartMemory(clock: Clock, collect: (() => unknown) | undefined = globalThis.gc): () => void {
  return collect ? clock.after(START_IS_OVER_MS, () => void collect()) : () => {};
}
