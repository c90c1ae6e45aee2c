/** The Gregorian calendar, with days counted from 1970-01-01. */
import { DAY_MS } from './wall-time.ts';

export interface CalendarDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** The calendar, including weekdays, repeats after this many years. */
export const CALENDAR_CYCLE_YEARS = 400;

export function dateOf(day: number): CalendarDate {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** A day after the month's last one counts into the next month; `NaN` outside the years that JavaScript supports. */
export function dayNumber({ year, month, day }: CalendarDate): number {
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Adds months; uses the month's last day if the month is too short. */
export function addMonths(day: number, months: number): number {
  const from = dateOf(day);
  const first = new Date(Date.UTC(from.year, from.month - 1 + months, 1));
  const year = first.getUTCFullYear();
  const month = first.getUTCMonth() + 1;
  return dayNumber({ year, month, day: Math.min(from.day, daysInMonth(year, month)) });
}
