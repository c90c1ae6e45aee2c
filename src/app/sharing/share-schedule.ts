/**
 * The schedule of a share (decisions §8): from a moment to a moment, and within weekly windows by the wall clock of a
 * zone. The field names are those of the wire, because clients read and write it as a whole.
 *
 * At daylight saving changes the wall clock counts as shown: a skipped hour belongs to no window, a repeated hour is
 * open twice.
 */
import { parseInput } from '../../contract/parse.ts';
import { type AccessSchedule, readMoment, WithSchedule } from '../../contract/shares.ts';
import { dayOf, momentOf, wallAt, weekdayOf } from '../../home/schedule/wall-time.ts';
import { isInWindow } from '../../home/vocabulary/weekly-window.ts';
import { invalid } from './invalid-field.ts';

/**
 * @param input an object, or a JSON string of one; `null` and an empty text are no schedule.
 * @param zone the default zone.
 * @returns `null` if it restricts nothing.
 * @throws `invalid_value` naming the field
 */
export function parseSchedule(input: unknown, zone: string): AccessSchedule | null {
  if (input === null || input === '') return null;
  const value = typeof input === 'string' ? parseJson(input) : input;
  if (value === null) return null;
  const { accessSchedule } = parseInput(WithSchedule, { accessSchedule: value });
  const { time_windows: windows = [], timezone, ...span } = accessSchedule;
  const schedule: AccessSchedule = {
    ...span,
    ...(windows.length > 0 && { time_windows: windows }),
    ...(timezone !== undefined && { timezone }),
  };
  const [start, end] = [startOf(schedule, zone), expiryOf(schedule, zone)];
  if (start === null && end === null && windows.length === 0) return null;
  if (start !== null && end !== null && end <= start)
    throw invalid('accessSchedule.expires_at', 'it is before starts_at');
  return schedule;
}

/** Ended long ago. */
const CLOSED: AccessSchedule = { expires_at: '1970-01-01T00:00:00Z' };

/** Reads a stored schedule. An unreadable one keeps its share closed, because it restricted something. */
export function readSchedule(text: string): AccessSchedule {
  try {
    return parseSchedule(text, 'UTC') ?? CLOSED;
  } catch {
    return CLOSED;
  }
}

/** Its start, in milliseconds since the epoch; `null`: none. @param zone the default zone */
export function startOf({ starts_at, timezone }: AccessSchedule, zone: string): number | null {
  return starts_at === undefined ? null : momentAt(starts_at, timezone ?? zone);
}

/** The first moment after its end; `null`: none. */
export function expiryOf({ expires_at, timezone }: AccessSchedule, zone: string): number | null {
  return expires_at === undefined ? null : momentAt(expires_at, timezone ?? zone);
}

/** Whether it is open at a moment, in milliseconds since the epoch. @param zone the default zone */
export function isOpenAt(schedule: AccessSchedule, zone: string, at: number): boolean {
  const start = startOf(schedule, zone);
  const end = expiryOf(schedule, zone);
  if (start !== null && at < start) return false;
  if (end !== null && at >= end) return false;
  const { time_windows: windows } = schedule;
  if (!windows) return true;
  const wall = wallAt(schedule.timezone ?? zone, at);
  const time = new Date(wall).toISOString().slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length);
  return windows.some((window) => isInWindow(window, weekdayOf(dayOf(wall)), time));
}

function momentAt(text: string, zone: string): number {
  const { at, hasOffset } = readMoment(text);
  return hasOffset ? at : momentOf(zone, at);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('accessSchedule', 'it takes an object, or a text that is one in JSON');
  }
}
