/**
 * Aggregates the samples of one series into one hourly or daily roll-up. A value holds from its sample until the next
 * one, so each weighs as long as it held. The value before the bucket holds until the first sample in it. Pure
 * arithmetic.
 */
import type { SeriesKind } from './catalog.ts';
import type { RollupRow } from './rollup-store.ts';

interface Bucket {
  readonly start: number;
  readonly end: number;
  readonly kind: SeriesKind;
  /** The value when the bucket began; `undefined` if unknown. */
  readonly carried: number | undefined;
}

export class BucketFold {
  readonly #bucket: Bucket;
  readonly #stateMs = new Map<number, number>();
  #held: number | undefined;
  #since: number;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  /** Sum of values times milliseconds. */
  #area = 0;
  #coveredMs = 0;
  #count = 0;
  #transitions = 0;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
    this.#held = bucket.carried;
    this.#since = bucket.start;
  }

  /** Samples must be in order of time and within the bucket. */
  add(at: number, value: number): void {
    this.#pass(at);
    if (this.#held !== undefined && this.#held !== value) this.#transitions += 1;
    this.#see(value, value);
    this.#held = value;
    this.#count += 1;
  }

  /** Adds an hour that is already rolled up. In order of time and within the bucket. */
  addRollup(row: RollupRow, end: number): void {
    this.#pass(row.start);
    this.#see(row.min, row.max);
    this.#area += row.avg * row.coveredMs;
    this.#coveredMs += row.coveredMs;
    for (const [state, ms] of Object.entries(row.stateMs ?? {})) this.#addState(Number(state), ms);
    this.#held = row.last;
    this.#since = end;
    this.#count += row.count;
    this.#transitions += row.transitions;
  }

  /** @returns `undefined` if the bucket has no samples. Nothing can be added afterwards. */
  finish(): RollupRow | undefined {
    const { start, end, kind } = this.#bucket;
    this.#pass(end);
    if (this.#count === 0 || this.#held === undefined) return undefined;
    return {
      start,
      min: this.#min,
      max: this.#max,
      // A sample in the very last instant has no duration; rounding must not leave the measured range.
      avg: this.#coveredMs > 0 ? clamp(this.#area / this.#coveredMs, this.#min, this.#max) : this.#held,
      last: this.#held,
      count: this.#count,
      transitions: this.#transitions,
      coveredMs: this.#coveredMs,
      stateMs: kind === 'numeric' ? null : Object.fromEntries(this.#stateMs),
    };
  }

  /** The value held until `at`. */
  #pass(at: number): void {
    const ms = at - this.#since;
    this.#since = at;
    if (this.#held === undefined || ms <= 0) return;
    this.#see(this.#held, this.#held);
    this.#area += this.#held * ms;
    this.#coveredMs += ms;
    if (this.#bucket.kind !== 'numeric') this.#addState(this.#held, ms);
  }

  #see(min: number, max: number): void {
    this.#min = Math.min(this.#min, min);
    this.#max = Math.max(this.#max, max);
  }

  #addState(state: number, ms: number): void {
    this.#stateMs.set(state, (this.#stateMs.get(state) ?? 0) + ms);
  }
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
