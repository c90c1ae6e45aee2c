/**
 * Counters that are cheap enough to be always active: plain numbers for the metrics. They only increase and reset with
 * the process. Our own code names the counters: names from outside would be unbounded.
 */

/** Counts a few named events. */
export class Tally<Name extends string = string> {
  readonly #counts = new Map<Name, number>();

  /** @param names exist from the start with zero: a rate needs a first value. */
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

/** Upper bounds in milliseconds: from a response out of memory to one of a sleepy device. */
const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

/** A histogram of durations. */
export class Durations {
  /** For each bound, the number of durations above the previous bound; the last bucket has no bound. */
  readonly #counts = new Float64Array(BOUNDS_MS.length + 1);
  #sumMs = 0;

  add(durationMs: number): void {
    let at = 0;
    while (durationMs > (BOUNDS_MS[at] ?? Number.POSITIVE_INFINITY)) at += 1;
    this.#counts[at] = (this.#counts[at] as number) + 1;
    this.#sumMs += durationMs;
  }

  /** The cumulative count per bound, the total count and the sum. */
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
