/** Splits long CPU work into slices, between which the event loop runs. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time per slice, independent of the injected clock. One step and the work after the last slice come on top. */
const SLICE_MS = 5;

/** Work that may pause at each `yield`. */
export type SlicedWork<T> = Generator<void, T, void>;

/** Starts in a later turn of the event loop. */
export async function inSlices<T>(steps: SlicedWork<T>): Promise<T> {
  for (;;) {
    await nextTurn();
    const since = performance.now();
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() - since < SLICE_MS);
  }
}

/** The same without a pause. */
export function atOnce<T>(steps: SlicedWork<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Tasks that run at once until they took a slice of this turn. The others follow in later turns, in order. */
export class TaskSlices {
  readonly #waiting = new Set<() => void>();
  /** What the tasks of this turn took, in milliseconds. */
  #spent: number | undefined;

  /** @returns the function that drops the task if it has not run */
  run(task: () => void): () => void {
    if (this.#spent === undefined) this.#beginSlice();
    if (this.#waiting.size === 0 && this.#hasTime()) {
      this.#do(task);
      return () => {};
    }
    // The same task may be given twice.
    const waiting = () => task();
    this.#waiting.add(waiting);
    return () => void this.#waiting.delete(waiting);
  }

  #beginSlice(): void {
    this.#spent = 0;
    setImmediate(() => {
      this.#spent = undefined;
      if (this.#waiting.size > 0) this.#goOn();
    });
  }

  #goOn(): void {
    this.#beginSlice();
    for (const task of this.#waiting) {
      this.#waiting.delete(task);
      this.#do(task);
      if (!this.#hasTime()) return;
    }
  }

  #do(task: () => void): void {
    const since = performance.now();
    task();
    this.#spent = (this.#spent ?? 0) + performance.now() - since;
  }

  #hasTime(): boolean {
    return (this.#spent ?? 0) < SLICE_MS;
  }
}
