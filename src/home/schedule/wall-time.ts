/**
 * Converts between times and the wall clock of a zone. A **wall time** here is the wall clock's reading as a number:
 * the milliseconds since 1970-01-01T00:00 on a clock that never changes. Wall times have no gaps and no repetitions. A
 * schedule therefore finds its next wall time strictly after all that the clock has shown already, and converts it to a
 * time.
 *
 * The two conversion functions hold every rule for clock changes (decisions §10). A skipped wall time occurs at the
 * first moment after the gap, together with all other wall times of the gap. A repeated wall time occurs the first time
 * only.
 */
import { spanAt } from './time-zones.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * More than the largest offset of any zone from UTC (Manila, 15:56 behind, until 1844), and than any clock change
 * backwards.
 */
const MAX_OFFSET_MS = 16 * HOUR_MS;
const MAX_FOLD_MS = 25 * HOUR_MS;

/** The first time at which the zone's clocks show this wall time; for a skipped wall time, the end of the gap. */
export function momentOf(zone: string, wall: number): number {
  let span = spanAt(zone, wall - MAX_OFFSET_MS);
  while (wall >= span.until + span.offsetMs) span = spanAt(zone, span.until);
  return Math.max(wall - span.offsetMs, span.from);
}

/** The wall time of the zone. */
export function wallAt(zone: string, atMs: number): number {
  return atMs + spanAt(zone, atMs).offsetMs;
}

/**
 * The latest wall time that the zone's clocks have shown so far: later than the current one after a change backwards.
 */
export function latestShown(zone: string, atMs: number): number {
  let span = spanAt(zone, atMs);
  let latest = atMs + span.offsetMs;
  while (span.from > atMs - MAX_FOLD_MS) {
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

/** The wall clock of the zone. */
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

/** The time at which the zone's clocks show this wall clock time on their date at `atMs`. Milliseconds. */
export function atWallClock(
  zone: string,
  { hour, minute, second }: Pick<WallClock, 'hour' | 'minute' | 'second'>,
  atMs: number,
): number {
  const midnight = dayOf(wallAt(zone, atMs)) * DAY_MS;
  return momentOf(zone, midnight + hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS);
}
