/**
 * From many samples to few buckets, in one pass and in memory that does not grow with the samples. A value holds from its
 * sample until the next one (it was recorded because it changed), so averages weigh each value by how long it held, and a
 * bucket without samples has the value from before. Pure arithmetic: knows neither SQL nor the catalog.
 */

export interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly value: number;
}

/** What became of a numeric value in one bucket, or one sample that stands for itself. */
export interface Point {
  /** Start of the bucket, or the sample's own time. */
  readonly at: number;
  readonly min: number;
  /** Each value weighs as long as it held. */
  readonly avg: number;
  readonly max: number;
  /** The value at the end of the bucket. */
  readonly last: number;
  /** Samples in the bucket; 0 where the value from before still held. */
  readonly count: number;
}

/** What became of a state in one bucket. */
export interface StateBucket {
  /** Start of the bucket. */
  readonly at: number;
  /** The state that held longest; of two that held equally long the one that held first. */
  readonly dominant: number;
  /** Milliseconds by state. */
  readonly stateMs: ReadonlyMap<number, number>;
  /** How often the state changed. */
  readonly transitions: number;
}

/** A stretch of time of which only the outcome is known: an hour or a day that was rolled up. */
export interface NumericSpan {
  readonly start: number;
  readonly end: number;
  /** For how much of it a value was known: that is what its average weighs. */
  readonly coveredMs: number;
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  readonly last: number;
  readonly count: number;
}

export interface StateSpan {
  readonly start: number;
  readonly end: number;
  readonly last: number;
  readonly stateMs: ReadonlyMap<number, number>;
  readonly transitions: number;
}

/** Where buckets begin: `count` of them from `from` on, the last one ending at `to`. */
export interface Grid {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface Summary {
  readonly min: number;
  readonly avg: number;
  readonly max: number;
  readonly latest: number;
}

/** Evenly over the window, on whole milliseconds. */
export function evenGrid(from: number, to: number, maxBuckets: number): Grid {
  return { from, to, count: Math.max(1, Math.min(maxBuckets, to - from)) };
}

/** On whole units of time (UTC hours or days) that cover the window: as many units a bucket as it takes to keep to `maxBuckets`. */
export function alignedGrid(from: number, to: number, unitMs: number, maxBuckets: number): Grid {
  const first = Math.floor(from / unitMs);
  const units = Math.max(1, Math.ceil(to / unitMs) - first);
  const perBucket = Math.ceil(units / maxBuckets);
  const count = Math.ceil(units / perBucket);
  return { from: first * unitMs, to: (first + count * perBucket) * unitMs, count };
}

/** The clockwork of both kinds: which bucket time is in, and which value holds since when. */
abstract class Downsampler<Bucket> {
  readonly #grid: Grid;
  #index = 0;
  #start: number;
  #end: number;
  #held: number | undefined;
  #heldSince: number;
  readonly #buckets: Bucket[] = [];

  /** @param opening the value that held when the grid begins; `undefined` if none is known. */
  constructor(grid: Grid, opening: number | undefined) {
    this.#grid = grid;
    this.#start = grid.from;
    this.#end = this.#boundary(1);
    this.#held = opening;
    this.#heldSince = grid.from;
  }

  /** The value that holds after everything added so far. */
  get held(): number | undefined {
    return this.#held;
  }

  /** In ascending order, all of them within the grid. */
  add(at: number, value: number): void {
    this.#advance(at);
    this.tookSample(value, this.#held);
    this.#held = value;
  }

  /**
   * @param until the end of what has happened: the present, if the grid goes beyond it.
   * @returns the buckets in which a value is known. Nothing can be added after it.
   */
  finish(until: number): readonly Bucket[] {
    this.#advance(Math.min(until, this.#grid.to));
    if (this.#index < this.#grid.count) this.#close();
    return this.#buckets;
  }

  /** Moves on to a span, for subclasses to take in, and beyond it. The span must lie within one bucket. */
  protected skip(start: number, end: number, last: number, take: () => void): void {
    this.#advance(start);
    take();
    this.#held = last;
    this.#heldSince = Math.max(this.#heldSince, end);
  }

  protected abstract tookSample(value: number, before: number | undefined): void;
  /** `value` held for `ms`, which is more than nothing. */
  protected abstract passed(value: number, ms: number): void;
  /** @returns what the bucket came to, and begins anew; `undefined` if nothing is known of it. */
  protected abstract close(start: number, held: number): Bucket | undefined;

  #boundary(index: number): number {
    const { from, to, count } = this.#grid;
    return from + Math.floor((index * (to - from)) / count);
  }

  #advance(at: number): void {
    while (at >= this.#end && this.#index < this.#grid.count) {
      this.#pass(this.#end);
      this.#close();
      this.#index += 1;
      this.#start = this.#end;
      this.#end = this.#boundary(this.#index + 1);
    }
    this.#pass(at);
  }

  #pass(until: number): void {
    if (until <= this.#heldSince) return;
    if (this.#held !== undefined) this.passed(this.#held, until - this.#heldSince);
    this.#heldSince = until;
  }

  #close(): void {
    if (this.#held === undefined) return;
    const bucket = this.close(this.#start, this.#held);
    if (bucket !== undefined) this.#buckets.push(bucket);
  }
}

/** The extremes, the weighted sum and its weight. */
class Tally {
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  #sum = 0;
  #weightMs = 0;

  see(value: number): void {
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  weigh(value: number, ms: number): void {
    this.#sum += value * ms;
    this.#weightMs += ms;
  }

  get isEmpty(): boolean {
    return this.min > this.max;
  }

  /** @param otherwise the average of values none of which has held yet. */
  average(otherwise: number): number {
    if (this.#weightMs === 0) return otherwise;
    // Rounding must not carry an average of equal values beyond them.
    return Math.min(this.max, Math.max(this.min, this.#sum / this.#weightMs));
  }
}

export class NumericDownsampler extends Downsampler<Point> {
  #bucket = new Tally();
  #count = 0;
  readonly #whole = new Tally();

  addSpan({ start, end, coveredMs, min, max, avg, last, count }: NumericSpan): void {
    this.skip(start, end, last, () => {
      for (const tally of [this.#bucket, this.#whole]) {
        tally.see(min);
        tally.see(max);
        tally.weigh(avg, coveredMs);
      }
      this.#count += count;
    });
  }

  /** Over everything that was added and the opening value as far as it held; to be asked after `finish`. */
  summary(): Summary | undefined {
    const { held } = this;
    if (held === undefined || this.#whole.isEmpty) return undefined;
    const { min, max } = this.#whole;
    return { min, avg: this.#whole.average(held), max, latest: held };
  }

  protected override tookSample(value: number): void {
    this.#bucket.see(value);
    this.#whole.see(value);
    this.#count += 1;
  }

  protected override passed(value: number, ms: number): void {
    for (const tally of [this.#bucket, this.#whole]) {
      tally.see(value);
      tally.weigh(value, ms);
    }
  }

  protected override close(at: number, last: number): Point | undefined {
    const bucket = this.#bucket;
    const count = this.#count;
    this.#bucket = new Tally();
    this.#count = 0;
    if (bucket.isEmpty) return undefined;
    return { at, min: bucket.min, avg: bucket.average(last), max: bucket.max, last, count };
  }
}

export class StateDownsampler extends Downsampler<StateBucket> {
  #stateMs = new Map<number, number>();
  #transitions = 0;

  addSpan({ start, end, last, stateMs, transitions }: StateSpan): void {
    this.skip(start, end, last, () => {
      for (const [state, ms] of stateMs) this.passed(state, ms);
      this.#transitions += transitions;
    });
  }

  protected override tookSample(value: number, before: number | undefined): void {
    if (before !== undefined && before !== value) this.#transitions += 1;
    // A state that has just begun is there, if only for a moment.
    if (!this.#stateMs.has(value)) this.#stateMs.set(value, 0);
  }

  protected override passed(state: number, ms: number): void {
    this.#stateMs.set(state, (this.#stateMs.get(state) ?? 0) + ms);
  }

  protected override close(at: number): StateBucket | undefined {
    const stateMs = this.#stateMs;
    const transitions = this.#transitions;
    this.#stateMs = new Map();
    this.#transitions = 0;
    const dominant = longest(stateMs);
    return dominant === undefined ? undefined : { at, dominant, stateMs, transitions };
  }
}

function longest(stateMs: ReadonlyMap<number, number>): number | undefined {
  let dominant: number | undefined;
  let most = -1;
  for (const [state, ms] of stateMs) {
    if (ms <= most) continue;
    dominant = state;
    most = ms;
  }
  return dominant;
}
