/**
 * Between moments and what a zone's clocks show. A **wall time** here is what they show as a number: the milliseconds since
 * 1970-01-01T00:00 on a clock that is never changed. On that line there are no gaps and no repetitions, so that a plan is made on
 * it, strictly after what clocks have shown already, and then turned into a moment.
 *
 * The two functions that do so hold every rule for changed clocks (decisions §10): a wall time that is left out comes at the first
 * moment after the gap, together with whatever else was due in it; one that is shown twice comes the first time, and only then.
 */
import { spanAt } from './time-zones.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** More than any zone was ever away from UTC (Manila, 15:56 behind, until 1844), and than any clock was ever set back by. */
const LARGEST_OFFSET_MS = 16 * HOUR_MS;
const LONGEST_FOLD_MS = 25 * HOUR_MS;

/** The first moment at which the zone's clocks show this wall time, or would have, had it not been left out. */
export function momentOf(zone: string, wall: number): number {
  let span = spanAt(zone, wall - LARGEST_OFFSET_MS);
  while (wall >= span.until + span.offsetMs) span = spanAt(zone, span.until);
  return Math.max(wall - span.offsetMs, span.from);
}

/** The wall time that the zone's clocks show. */
export function wallAt(zone: string, atMs: number): number {
  return atMs + spanAt(zone, atMs).offsetMs;
}

/** The latest wall time that the zone's clocks have shown until now: later than what they show where they were just set back. */
export function latestShown(zone: string, atMs: number): number {
  let span = spanAt(zone, atMs);
  let latest = atMs + span.offsetMs;
  while (span.from > atMs - LONGEST_FOLD_MS) {
    span = spanAt(zone, span.from - 1);
    latest = Math.max(latest, span.until + span.offsetMs - 1);
  }
  return latest;
}

/** The day of a wall time, counted from 1970-01-01. */
export function dayOf(wall: number): number {
  return Math.floor(wall / DAY_MS);
}

/** 0 = Sunday … 6 = Saturday. 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

export interface WallClock {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** 0 = Sunday … 6 = Saturday. */
  readonly weekday: number;
}

/** What the zone's clocks show. */
export function wallClock(zone: string, atMs: number): WallClock {
  const wall = wallAt(zone, atMs);
  const date = new Date(wall);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: weekdayOf(dayOf(wall)),
  };
}

/** The moment at which the zone's clocks show this time on the day that they show at `atMs`. Milliseconds. */
export function atWallClock(
  zone: string,
  { hour, minute, second }: Pick<WallClock, 'hour' | 'minute' | 'second'>,
  atMs: number,
): number {
  const midnight = dayOf(wallAt(zone, atMs)) * DAY_MS;
  return momentOf(zone, midnight + hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS);
}
