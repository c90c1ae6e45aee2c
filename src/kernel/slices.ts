/** Splits long CPU work into slices, between which the event loop runs. */
import { setImmediate } from 'node:timers/promises';

/** Time per slice, independent of the injected clock. One step and the work after the last slice come on top. */
const SLICE_MS = 5;

/** Work that may pause at each `yield`. */
export type Steps<T> = Generator<void, T, void>;

export function isSteps<T>(value: T | Steps<T>): value is Steps<T> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && 'next' in value;
}

/** Starts in a later turn of the event loop. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    await setImmediate();
    const since = performance.now();
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() - since < SLICE_MS);
  }
}

/** The same without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
