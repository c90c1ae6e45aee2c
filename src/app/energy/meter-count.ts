/**
 * Counts the energy of one meter from what its device reports.
 *
 * A device with a total counter (kWh) is counted by the differences of its readings. So nothing is lost while the relay
 * or the device is off, and nothing is counted twice after a restart. A drop begins a new count: a reset, a rollover,
 * or another device. A rise that no home could have used is a new count too. A counter that drops and comes back within
 * an hour, as while a device starts, goes on from where it was.
 *
 * A device with power (W) alone is integrated over the time in which its power is known. The time in which it does not
 * answer is no energy. Where a device has both, its power decides only when the counted energy was used.
 */
import { add, distribute, HOUR_MS, MWH_PER_KWH, partsOf, type Quarters } from './quarters.ts';

export interface CounterReading {
  readonly mwh: number;
  readonly at: number;
}

/** What must outlive a restart. */
export interface MeterMemory {
  readonly counter: CounterReading | null;
  /** The counter before it last dropped, and when it dropped. */
  readonly dropped: CounterReading | null;
}

export const NO_MEMORY: MeterMemory = { counter: null, dropped: null };

const DAY_MS = 24 * HOUR_MS;
/** A watt for this long is a milliwatt-hour. */
const MS_PER_MWH = 3_600;

/** More than any meter shows; a larger number is noise. */
const MAX_KWH = 1_000_000_000;
/** More than any appliance takes; a larger number is noise. */
const MAX_WATTS = 1_000_000;
/** A home's connection carries less than this. */
const MAX_HOME_WATTS = 50_000;
/** A device reports its counter late by as much. */
const REPORTING_DELAY_MS = 15 * 60_000;
/** A counter that is a little lower was rounded differently, and was not reset. */
const ROUNDING_MWH = 0.05 * MWH_PER_KWH;
/** After a drop, a counter that comes back within this time was not reset. */
const RETURN_MS = HOUR_MS;
/** Between two readings of a counter that was watched, energy is attributed to this much time at most. */
const MAX_STEP_MS = HOUR_MS;
/** Energy of a longer absence is attributed to its end. */
const MAX_ABSENCE_MS = 31 * DAY_MS;
/** The longest time for which a power is held without a look at the device: while the computer slept, it is unknown. */
export const MAX_HOLD_MS = 5 * 60_000;
/** A day of quarters: for how long the course of the power is kept for a counter that does not change. */
const MAX_COURSE_QUARTERS = 96;

export class MeterCount {
  #counter: CounterReading | null;
  #dropped: CounterReading | null;
  /** The power since a moment. */
  #power: { readonly watts: number; readonly at: number } | null = null;
  /** Whether the device has answered ever since the last reading of its counter. */
  #isWatched = false;
  /** Energy by the power since the counter last changed: only its course is used. */
  readonly #course: Quarters = new Map();
  /** Of a milliwatt-hour. */
  #fraction = 0;
  #used: Quarters = new Map();

  constructor(memory: MeterMemory) {
    this.#counter = memory.counter;
    this.#dropped = memory.dropped;
  }

  get memory(): MeterMemory {
    return { counter: this.#counter, dropped: this.#dropped };
  }

  /** Energy that was counted and not taken yet. */
  get used(): ReadonlyMap<number, number> {
    return this.#used;
  }

  /** Removes what was counted, after it was written. */
  take(): Quarters {
    const used = this.#used;
    this.#used = new Map();
    return used;
  }

  /** The device reports its counter. A number that no meter shows is ignored. */
  readCounter(kwh: number, at: number): void {
    if (!(kwh >= 0 && kwh <= MAX_KWH)) return;
    this.cover(at);
    const mwh = Math.round(kwh * MWH_PER_KWH);
    const before = this.#counter;
    const wasWatched = this.#isWatched;
    this.#isWatched = true;
    if (!before) {
      this.#counter = { mwh, at };
      this.#course.clear();
      return;
    }
    if (isRounding(before.mwh, mwh)) {
      this.#counter = { mwh: before.mwh, at };
      return;
    }
    const used = this.#usedBetween(before, { mwh, at });
    this.#counter = { mwh, at };
    if (used > 0) this.#attribute(used, wasWatched, before.at, at);
    if (mwh !== before.mwh) this.#course.clear();
  }

  /** The device reports its power. */
  readPower(watts: number, at: number): void {
    this.cover(at);
    this.#power = Number.isFinite(watts) ? { watts: Math.min(Math.max(watts, 0), MAX_WATTS), at } : null;
  }

  /** The device still answers: its last power has held until now. */
  cover(at: number): void {
    if (!this.#power) return;
    const { watts, at: from } = this.#power;
    for (const { start, ms } of partsOf(Math.max(from, at - MAX_HOLD_MS), at)) {
      this.#integrate(start, (watts * ms) / MS_PER_MWH);
    }
    this.#power = { watts, at };
  }

  /** The device no longer answers: its power is unknown from now on. */
  interrupt(at: number): void {
    this.cover(at);
    this.#power = null;
    this.#isWatched = false;
    this.#course.clear();
  }

  #integrate(start: number, mwh: number): void {
    if (this.#counter) {
      add(this.#course, start, mwh);
      const [oldest] = this.#course.keys();
      if (this.#course.size > MAX_COURSE_QUARTERS && oldest !== undefined) this.#course.delete(oldest);
      return;
    }
    const whole = Math.floor(mwh + this.#fraction);
    this.#fraction += mwh - whole;
    add(this.#used, start, whole);
  }

  #usedBetween(before: CounterReading, { mwh, at }: CounterReading): number {
    const possible = (MAX_HOME_WATTS / MS_PER_MWH) * (Math.max(0, at - before.at) + REPORTING_DELAY_MS);
    const within = (amount: number): number => (amount >= 0 && amount <= possible ? amount : 0);
    const isRecent = this.#dropped !== null && at - this.#dropped.at <= RETURN_MS;
    const rise = mwh - before.mwh;
    if (rise < 0) {
      // A second drop of a device that starts: the highest count is the one to go on from.
      const isHighest = !isRecent || (this.#dropped?.mwh ?? 0) < before.mwh;
      if (isHighest) this.#dropped = { mwh: before.mwh, at };
      return within(mwh);
    }
    const dropped = this.#dropped;
    if (!dropped) return within(rise);
    if (isRecent && mwh >= dropped.mwh && rise * 2 > dropped.mwh) {
      this.#dropped = null;
      return within(mwh - dropped.mwh);
    }
    if (!isRecent || mwh >= dropped.mwh) this.#dropped = null;
    return within(rise);
  }

  #attribute(used: number, wasWatched: boolean, since: number, at: number): void {
    const from = Math.max(since, at - (wasWatched ? MAX_STEP_MS : MAX_ABSENCE_MS));
    const isCourseKnown = wasWatched && [...this.#course.values()].some((mwh) => mwh > 0);
    const weights = isCourseKnown
      ? this.#course
      : new Map([...partsOf(Math.min(from, at - 1), at)].map(({ start, ms }) => [start, ms]));
    for (const [start, mwh] of distribute(used, weights)) add(this.#used, start, mwh);
  }
}

function isRounding(before: number, now: number): boolean {
  return now < before && before - now <= ROUNDING_MWH && now * 2 >= before;
}
