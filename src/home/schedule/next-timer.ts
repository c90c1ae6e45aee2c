/** A fire date and its recurrences: the home platform's timers. */
import { addMonths } from './calendar.ts';
import { type DateParts, nextCalendar } from './next-calendar.ts';
import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS, momentOf, SECOND_MS, wallAt, wallClock } from './wall-time.ts';

/** The longest month, for a first estimate of the number of recurrences so far. */
const MAX_DAYS_IN_MONTH = 31;

export interface FireDate {
  /** ISO 8601. */
  readonly fireDate: string;
  /**
   * With `weekday`: the dates that have these components; components it lacks come from the fire date. Otherwise the
   * interval between two.
   */
  readonly recurrence?: DateParts | undefined;
}

/** The first due time after `after`: the fire date, then its recurrences; `null` if there is none. Milliseconds. */
export function nextTimer({ fireDate: text, recurrence }: FireDate, zone: string, after: number): number | null {
  const fireDate = Date.parse(text);
  if (after < fireDate) return fireDate;
  if (!recurrence || Number.isNaN(fireDate)) return null;
  if (recurrence.weekday !== undefined) return nextCalendar(withTimeOf(recurrence, zone, fireDate), zone, after);
  return nextInterval(fireDate, readInterval(recurrence), zone, after);
}

function withTimeOf({ hour, minute, second, ...day }: DateParts, zone: string, fireDate: number): DateParts {
  const clock = wallClock(zone, fireDate);
  return { ...day, hour: hour ?? clock.hour, minute: minute ?? clock.minute, second: second ?? clock.second };
}

/**
 * Months and days follow the wall clock: a day has the length that the home's clocks give it. Hours and shorter units
 * are exact.
 */
interface Interval {
  readonly months: number;
  readonly days: number;
  readonly elapsedMs: number;
}

function readInterval({ year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 }: DateParts): Interval {
  const elapsedMs = hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS;
  return { months: year * 12 + month, days: day, elapsedMs };
}

/**
 * Counts from the fire date and not from the previous occurrence, so that a 31st stays a 31st after a shorter month.
 */
function nextInterval(fireDate: number, interval: Interval, zone: string, after: number): number | null {
  const { months, days, elapsedMs } = interval;
  const atMostMs = (months * MAX_DAYS_IN_MONTH + days) * DAY_MS + elapsedMs;
  if (!(atMostMs > 0)) return null;
  const wall = wallAt(zone, fireDate);
  const time = wall - dayOf(wall) * DAY_MS;
  const moment = (count: number): number => {
    if (months === 0 && days === 0) return fireDate + count * elapsedMs;
    const day = addMonths(dayOf(wall), count * months) + count * days;
    return momentOf(zone, day * DAY_MS + time) + count * elapsedMs;
  };
  // Never too high: no interval is longer, apart from the hours of clock changes since then.
  let count = Math.max(1, Math.floor((after - fireDate - DAY_MS) / atMostMs));
  while (moment(count) <= after) count++;
  const due = moment(count);
  return Number.isFinite(due) ? due : null;
}
