/**
 * Reduces many samples to few buckets, in one pass and in memory that does not grow with the samples. A value holds
 * from its sample until the next one, because a sample is recorded on change. Averages therefore weigh each value by
 * how long it held, and a bucket without samples has the previous value. Pure arithmetic: no SQL, no catalog.
 */
import type { HistoryPoint, HistorySummary } from '../../contract/history.ts';

export interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly value: number;
}

/** Aggregate of a state in one bucket. */
export interface StateBucket {
  /** Start of the bucket. */
  readonly at: number;
  /** The state that held longest; on a tie, the earlier one. */
  readonly dominant: number;
  /** Milliseconds by state. */
  readonly stateMs: ReadonlyMap<number, number>;
  /** How often the state changed. */
  readonly transitions: number;
}

/** A time span of which only the aggregate is known: a rolled-up hour or day. */
interface Span {
  readonly start: number;
  readonly end: number;
  /** For how much of the span a value was known: the weight of its average. */
  readonly coveredMs: number;
  readonly last: number;
}

export interface NumericSpan extends Span {
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  readonly count: number;
}

export interface StateSpan extends Span {
  readonly stateMs: ReadonlyMap<number, number>;
  readonly transitions: number;
}

/** Bucket boundaries: `count` buckets from `from`, the last one ending at `to`. */
export interface Grid {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Splits the window evenly, on whole milliseconds. */
export function evenGrid(from: number, to: number, maxBuckets: number): Grid {
  return { from, to, count: Math.max(1, Math.min(maxBuckets, to - from)) };
}

/**
 * Covers the window in whole units of time (UTC hours or days). Each bucket spans as many units as `maxBuckets`
 * requires.
 */
export function alignedGrid(from: number, to: number, unitMs: number, maxBuckets: number): Grid {
  const first = Math.floor(from / unitMs);
  const units = Math.max(1, Math.ceil(to / unitMs) - first);
  const perBucket = Math.ceil(units / maxBuckets);
  const count = Math.ceil(units / perBucket);
  return { from: first * unitMs, to: (first + count * perBucket) * unitMs, count };
}

/** Shared by both kinds: tracks the current bucket, the current value and since when it holds. */
abstract class Downsampler<Bucket> {
  readonly #grid: Grid;
  #index = 0;
  #start: number;
  #end: number;
  #held: number | undefined;
  #heldSince: number;
  readonly #buckets: Bucket[] = [];
  #knownFrom: number | undefined;

  /** @param opening the value that holds when the grid begins; `undefined` if unknown. */
  constructor(grid: Grid, opening: number | undefined) {
    this.#grid = grid;
    this.#start = grid.from;
    this.#end = this.#boundary(1);
    this.#held = opening;
    this.#heldSince = grid.from;
    this.#knownFrom = opening === undefined ? undefined : grid.from;
  }

  /** The first moment of the grid with a known value; `undefined` if there is none. */
  get knownFrom(): number | undefined {
    return this.#knownFrom;
  }

  /** The value that holds after all samples added so far. */
  get held(): number | undefined {
    return this.#held;
  }

  /** Samples must be in ascending order and within the grid. */
  add(at: number, value: number): void {
    this.#advance(at);
    this.#knownFrom ??= at;
    this.tookSample(value, this.#held);
    this.#held = value;
  }

  /**
   * @param until the end of known data: the present, if the grid extends beyond it.
   * @returns the buckets with a known value. No samples can be added afterwards.
   */
  finish(until: number): readonly Bucket[] {
    this.#advance(Math.min(until, this.#grid.to));
    if (this.#index < this.#grid.count) this.#close();
    return this.#buckets;
  }

  /** Advances to a span, lets the subclass take it in, and advances past it. The span must lie within one bucket. */
  protected skip({ start, end, coveredMs, last }: Span, take: () => void): void {
    this.#advance(start);
    // Only the end of a span is known: a value holds from its first sample on.
    this.#knownFrom ??= end - coveredMs;
    take();
    this.#held = last;
    this.#heldSince = Math.max(this.#heldSince, end);
  }

  protected abstract tookSample(value: number, before: number | undefined): void;
  /** `value` held for `ms`, which is greater than 0. */
  protected abstract passed(value: number, ms: number): void;
  /** @returns the aggregate of the bucket, and resets it; `undefined` if the bucket has no known value. */
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

/** Minimum, maximum, weighted sum and total weight. */
class BucketTally {
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

  /** @param otherwise the average if no value has held for any time yet. */
  average(otherwise: number): number {
    if (this.#weightMs === 0) return otherwise;
    // Rounding must not move an average of equal values outside their range.
    return Math.min(this.max, Math.max(this.min, this.#sum / this.#weightMs));
  }
}

export class NumericDownsampler extends Downsampler<HistoryPoint> {
  #bucket = new BucketTally();
  #count = 0;
  readonly #whole = new BucketTally();

  addSpan(span: NumericSpan): void {
    const { coveredMs, min, max, avg, count } = span;
    this.skip(span, () => {
      for (const tally of [this.#bucket, this.#whole]) {
        tally.see(min);
        tally.see(max);
        tally.weigh(avg, coveredMs);
      }
      this.#count += count;
    });
  }

  /** Summary of all samples and the opening value for as long as it held. Call after `finish`. */
  summary(): HistorySummary | undefined {
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

  protected override close(at: number, last: number): HistoryPoint | undefined {
    const bucket = this.#bucket;
    const count = this.#count;
    this.#bucket = new BucketTally();
    this.#count = 0;
    if (bucket.isEmpty) return undefined;
    return { at, min: bucket.min, avg: bucket.average(last), max: bucket.max, last, count };
  }
}

export class StateDownsampler extends Downsampler<StateBucket> {
  #stateMs = new Map<number, number>();
  readonly #whole = new Map<number, number>();
  #transitions = 0;

  /** How long each state held over all samples, in milliseconds. Call after `finish`. */
  get stateMs(): ReadonlyMap<number, number> {
    return this.#whole;
  }

  addSpan(span: StateSpan): void {
    const { stateMs, transitions } = span;
    this.skip(span, () => {
      for (const [state, ms] of stateMs) this.passed(state, ms);
      this.#transitions += transitions;
    });
  }

  protected override tookSample(value: number, before: number | undefined): void {
    if (before !== undefined && before !== value) this.#transitions += 1;
    // A state that has just begun is listed, even with no duration.
    if (!this.#stateMs.has(value)) this.#stateMs.set(value, 0);
  }

  protected override passed(state: number, ms: number): void {
    for (const tally of [this.#stateMs, this.#whole]) tally.set(state, (tally.get(state) ?? 0) + ms);
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
