/**
 * Counting what happens, so cheaply that it is always done: plain numbers, which somebody may look at later. They only ever rise, and
 * begin anew with the process. What is counted is named by our own code: a name that came from outside would have no bound.
 */

/** How often each of a few things happened. */
export class Tally<Name extends string = string> {
  readonly #counts = new Map<Name, number>();

  /** @param names are there from the start, with zero: a rate needs something to begin from. */
  constructor(names: Iterable<Name> = []) {
    for (const name of names) this.#counts.set(name, 0);
  }

  add(name: Name, by = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
  }

  [Symbol.iterator](): IterableIterator<[Name, number]> {
    return this.#counts.entries();
  }
}

/** Upper bounds in milliseconds: from what is answered out of memory to what a sleepy device takes. */
const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

/** How long something took, by size. */
export class Durations {
  /** Of each bound, what was longer than the one before; the last one has no bound. */
  readonly #counts = new Float64Array(BOUNDS_MS.length + 1);
  #sumMs = 0;

  add(durationMs: number): void {
    let at = 0;
    while (at < BOUNDS_MS.length && durationMs > (BOUNDS_MS[at] as number)) at += 1;
    this.#counts[at] = (this.#counts[at] as number) + 1;
    this.#sumMs += durationMs;
  }

  /** How many took at most so long, bound by bound; all of them, and their sum. */
  read(): DurationCounts {
    let count = 0;
    const buckets = BOUNDS_MS.map((boundMs, at) => {
      count += this.#counts[at] as number;
      return { boundMs, count };
    });
    return { buckets, count: count + (this.#counts[BOUNDS_MS.length] as number), sumMs: this.#sumMs };
  }
}

export interface DurationCounts {
  readonly buckets: readonly { readonly boundMs: number; readonly count: number }[];
  readonly count: number;
  readonly sumMs: number;
}
