/**
 * The schedule of a share (decisions §8): from a moment to a moment, and within weekly windows by the wall clock of a
 * zone. The field names are those of the wire, because clients read and write it as a whole.
 *
 * At daylight saving changes the wall clock counts as shown: a skipped hour belongs to no window, a repeated hour is
 * open twice.
 */
import { isTimeZone } from '../../home/schedule/time-zones.ts';
import { dayOf, momentOf, wallAt, weekdayOf } from '../../home/schedule/wall-time.ts';
import { shorten } from '../../home/vocabulary/values.ts';
import { DAYS, type Day, isInWindow, type TimeWindow } from '../../home/vocabulary/weekly-window.ts';
import { parseIsoTime } from '../../kernel/clock.ts';
import { invalid } from './invalid-field.ts';

export interface AccessSchedule {
  /** ISO 8601; without an offset, in the zone's local time. */
  readonly starts_at?: string;
  /** The first moment after it. */
  readonly expires_at?: string;
  /** Open in any of them; always if absent. */
  readonly time_windows?: readonly TimeWindow[];
  /** IANA; the home's if absent. */
  readonly timezone?: string;
}

const MAX_WINDOWS = 50;
const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)$/;
const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/i;
const WITH_OFFSET = /T.*(Z|[+-]\d{2}:\d{2})$/i;

type JsonObject = Readonly<Record<string, unknown>>;

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
  const fields = requireFields(value, 'accessSchedule', ['starts_at', 'expires_at', 'time_windows', 'timezone']);
  const timezone = parseZone(fields.timezone);
  const starts_at = parseMoment(fields.starts_at, 'accessSchedule.starts_at', timezone ?? zone);
  const expires_at = parseMoment(fields.expires_at, 'accessSchedule.expires_at', timezone ?? zone);
  const windows = parseWindows(fields.time_windows);
  const schedule: AccessSchedule = {
    ...(starts_at !== undefined && { starts_at }),
    ...(expires_at !== undefined && { expires_at }),
    ...(windows.length > 0 && { time_windows: windows }),
    ...(timezone !== undefined && { timezone }),
  };
  if (starts_at === undefined && expires_at === undefined && windows.length === 0) return null;
  const [start, end] = [startOf(schedule, zone), expiryOf(schedule, zone)];
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
  return starts_at === undefined ? null : readMoment(starts_at, timezone ?? zone);
}

/** The first moment after its end; `null`: none. */
export function expiryOf({ expires_at, timezone }: AccessSchedule, zone: string): number | null {
  return expires_at === undefined ? null : readMoment(expires_at, timezone ?? zone);
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

function parseWindows(input: unknown): readonly TimeWindow[] {
  if (input === undefined || input === null) return [];
  const field = 'accessSchedule.time_windows';
  if (!Array.isArray(input) || input.length > MAX_WINDOWS) {
    throw invalid(field, `it takes a list of at most ${MAX_WINDOWS}`);
  }
  return input.map((item, index) => parseWindow(item, `${field}[${index}]`));
}

function parseWindow(input: unknown, field: string): TimeWindow {
  const { days, start, end } = requireFields(input, field, ['days', 'start', 'end']);
  return {
    ...(days !== undefined && days !== null && { days: parseDays(days, `${field}.days`) }),
    start: parseClock(start, `${field}.start`),
    end: parseClock(end, `${field}.end`),
  };
}

function parseDays(input: unknown, field: string): readonly Day[] {
  const words: readonly unknown[] = Array.isArray(input) ? input : [];
  const days = words.map((word) => DAYS.find((day) => day === word));
  const wanted = new Set(days);
  if (words.length === 0 || wanted.has(undefined) || wanted.size < words.length) {
    throw invalid(field, 'it takes a list of days, each once: mon, tue, wed, thu, fri, sat, sun');
  }
  return DAYS.filter((day) => wanted.has(day));
}

function parseClock(input: unknown, field: string): string {
  if (typeof input === 'string' && CLOCK.test(input)) return input;
  throw invalid(field, 'it takes a time of day, such as 07:30');
}

function parseZone(input: unknown): string | undefined {
  if (input === undefined || input === null) return undefined;
  if (typeof input === 'string' && input.length <= 64 && isTimeZone(input)) return input;
  throw invalid('accessSchedule.timezone', 'it takes an IANA time zone, such as Europe/Berlin');
}

function parseMoment(input: unknown, field: string, zone: string): string | undefined {
  if (input === undefined || input === null) return undefined;
  if (typeof input === 'string' && ISO.test(input) && Number.isFinite(readMoment(input, zone))) return input;
  throw invalid(field, 'it takes a time in ISO 8601, such as 2030-01-31T18:00:00Z');
}

/** @returns `NaN` for a time that does not exist. */
function readMoment(text: string, zone: string): number {
  if (WITH_OFFSET.test(text)) return parseIsoTime(text);
  const wall = parseIsoTime(text.length > 10 ? `${text}Z` : `${text}T00:00:00Z`);
  return Number.isFinite(wall) ? momentOf(zone, wall) : Number.NaN;
}

/** Refuses unknown fields: ignoring a misspelt one would leave a share open that should be closed. */
function requireFields(input: unknown, field: string, known: readonly string[]): JsonObject {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw invalid(field, 'it takes an object');
  const unknown = Object.keys(input).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw invalid(`${field}.${shorten(unknown)}`, `there is no such field; known are ${known.join(', ')}`);
  }
  return input as JsonObject;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('accessSchedule', 'it takes an object, or a text that is one in JSON');
  }
}
