/**
 * When a share is open: parses the API's JSON, writes it, evaluates it for a moment and describes it. The relay decides
 * access (decisions §8); this only shows users what they entered.
 */

import {
  type Day,
  isInWindow,
  type TimeWindow as RelayWindow,
  DAYS as WEEKDAYS,
} from '../../../../home/vocabulary/weekly-window.ts';
import { WALL_LENGTH, wallText } from '../../texts/wall-time.ts';

export type { Day };

/** In the order of the week as people see it. */
export const DAYS: readonly Day[] = [...WEEKDAYS.slice(1), ...WEEKDAYS.slice(0, 1)];

/** Its days in the order of the week. */
export type ShareWindow = RelayWindow & { readonly days: readonly Day[] };

export interface ShareSchedule {
  /** In the zone's local time, `YYYY-MM-DDTHH:MM`. */
  readonly startsAt: string | undefined;
  readonly expiresAt: string | undefined;
  /** Open in any of these windows; always open if there is none. */
  readonly windows: readonly ShareWindow[];
  /** IANA */
  readonly zone: string;
}

/** `later`: opens in the future. `over`: never opens again. `closed`: between two windows. */
export type Openness = 'open' | 'later' | 'closed' | 'over';

const WITH_OFFSET = /T.*(Z|[+-]\d{2}:\d{2})$/i;

export function alwaysOpen(zone: string): ShareSchedule {
  return { startsAt: undefined, expiresAt: undefined, windows: [], zone };
}

/** Ends that people mean when they share with guests. */
const USUAL_ENDS = ['today', 'weekend', 'week'] as const;
export type UsualEnd = (typeof USUAL_ENDS)[number];

const DAYS_AHEAD: Readonly<Record<UsualEnd, (weekday: number) => number>> = {
  today: () => 1,
  // The midnight after the next Sunday, today's if it is one.
  weekend: (weekday) => (weekday === 0 ? 1 : 8 - weekday),
  week: () => 7,
};

/** On Sundays, tonight is Sunday night: one of both is enough. */
export function usualEndsAt(zone: string, at: number): readonly UsualEnd[] {
  const ends = USUAL_ENDS.map((end) => untilUsualEnd(end, zone, at).expiresAt);
  return USUAL_ENDS.filter((_, index) => ends.lastIndexOf(ends[index]) === index);
}

/** From now on, until a midnight; a week ends at the time of day at which it begins. */
export function untilUsualEnd(end: UsualEnd, zone: string, at: number): ShareSchedule {
  const now = new Date(`${localText(at, zone)}Z`);
  now.setUTCDate(now.getUTCDate() + DAYS_AHEAD[end](now.getUTCDay()));
  if (end !== 'week') now.setUTCHours(0, 0);
  return { ...alwaysOpen(zone), expiresAt: now.toISOString().slice(0, WALL_LENGTH) };
}

/** @param text in the API's format. @param homeZone the default if the schedule names no zone */
export function parseSchedule(text: string | null, homeZone: string): ShareSchedule {
  const fields = parseObject(text);
  const zone = typeof fields.timezone === 'string' ? fields.timezone : homeZone;
  return {
    startsAt: parseMoment(fields.starts_at, zone),
    expiresAt: parseMoment(fields.expires_at, zone),
    windows: Array.isArray(fields.time_windows) ? fields.time_windows.flatMap(parseWindow) : [],
    zone,
  };
}

/** @returns the value of `accessSchedule`, JSON as text; an empty text removes the schedule. */
export function scheduleJson({ startsAt, expiresAt, windows, zone }: ShareSchedule): string {
  if (!startsAt && !expiresAt && windows.length === 0) return '';
  return JSON.stringify({
    ...(startsAt && { starts_at: startsAt }),
    ...(expiresAt && { expires_at: expiresAt }),
    ...(windows.length > 0 && {
      time_windows: windows.map(({ days, start, end }) => ({
        ...(days.length < DAYS.length && { days }),
        start,
        end,
      })),
    }),
    timezone: zone,
  });
}

/** The error of a schedule; `undefined` if it is valid. */
export function problemOf({ startsAt, expiresAt, windows }: ShareSchedule): 'order' | 'days' | 'times' | undefined {
  if (startsAt && expiresAt && expiresAt <= startsAt) return 'order';
  if (windows.some(({ days }) => days.length === 0)) return 'days';
  if (windows.some(({ start, end }) => !start || !end)) return 'times';
  return undefined;
}

/** @param at milliseconds since the epoch */
export function opennessAt({ startsAt, expiresAt, windows, zone }: ShareSchedule, at: number): Openness {
  const now = localText(at, zone);
  if (expiresAt && now >= expiresAt) return 'over';
  if (startsAt && now < startsAt) return 'later';
  if (windows.length === 0) return 'open';
  const time = now.slice('YYYY-MM-DDT'.length, WALL_LENGTH);
  const day = new Date(`${now}Z`).getUTCDay();
  return windows.some((window) => isInWindow(window, day, time)) ? 'open' : 'closed';
}

/** The local time in a zone that people typed; UTC if there is none such. */
function localText(at: number, zone: string): string {
  return wallText(at, isZone(zone) ? zone : 'UTC');
}

export function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}

/** Days as ranges: `[['mon', 'fri'], ['sun', 'sun']]`. */
export function runsOfDays(days: readonly Day[]): readonly (readonly [Day, Day])[] {
  const runs: [Day, Day][] = [];
  for (const day of DAYS.filter((each) => days.includes(each))) {
    const last = runs.at(-1);
    if (last && DAYS.indexOf(day) === DAYS.indexOf(last[1]) + 1) last[1] = day;
    else runs.push([day, day]);
  }
  return runs;
}

function parseWindow(input: unknown): readonly ShareWindow[] {
  if (typeof input !== 'object' || input === null) return [];
  const { days, start, end } = input as Readonly<Record<string, unknown>>;
  if (typeof start !== 'string' || typeof end !== 'string') return [];
  return [{ days: Array.isArray(days) ? DAYS.filter((day) => days.includes(day)) : DAYS, start, end }];
}

/** A time with an offset is converted to the zone's local time; a time without one already is local. */
function parseMoment(input: unknown, zone: string): string | undefined {
  if (typeof input !== 'string') return undefined;
  if (WITH_OFFSET.test(input)) {
    const at = Date.parse(input);
    return Number.isNaN(at) ? undefined : localText(at, zone);
  }
  return (input.includes('T') ? input : `${input}T00:00`).slice(0, WALL_LENGTH);
}

function parseObject(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
