/** Times with certain date components, as in the home platform's calendar events and recurrences. */
import { CALENDAR_CYCLE_YEARS, dateOf, dayNumber, daysInMonth } from './calendar.ts';
import { ANY, type ClockRule, FIRST, nextMoment, nextSecondOfDay } from './next-wall-time.ts';
import { weekdayOf } from './wall-time.ts';

/** Parts of a date in the Gregorian calendar. `month`: 1 to 12. `weekday`: 1 = Sunday … 7 = Saturday. */
export interface DateParts {
  readonly year?: number | undefined;
  readonly month?: number | undefined;
  readonly day?: number | undefined;
  readonly weekday?: number | undefined;
  readonly hour?: number | undefined;
  readonly minute?: number | undefined;
  readonly second?: number | undefined;
}

/**
 * The first time after `after` that has all of these components. Components finer than the finest given one take their
 * minimum (`{hour: 7}` is 07:00:00). Any other omitted component matches everything (`{month: 3, hour: 7}` is each
 * morning in March).
 * @returns milliseconds; `null` if there is none, as for a 31st of April or without any component
 */
export function nextCalendar(parts: DateParts, zone: string, after: number): number | null {
  const { year, month, day, weekday, hour, minute, second } = parts;
  const given = [year, month, day ?? weekday, hour, minute, second].map((part) => part !== undefined);
  const finest = given.lastIndexOf(true);
  if (finest < 0) return null;
  const rule = (value: number | undefined, place: number): ClockRule => {
    if (value !== undefined) return { exactly: value };
    return place > finest ? FIRST : ANY;
  };
  const clock = { hour: rule(hour, 3), minute: rule(minute, 4), second: rule(second, 5) };
  const date = {
    year,
    month: month ?? (finest < 1 ? 1 : undefined),
    day: day ?? (finest < 2 ? 1 : undefined),
    weekday,
  };
  return nextMoment(
    { day: (from) => nextDay(date, from), second: (from) => nextSecondOfDay(clock, from) },
    zone,
    after,
  );
}

type DayParts = Pick<DateParts, 'year' | 'month' | 'day' | 'weekday'>;

/** The first matching day from this one on. A day that does not occur in one full calendar cycle never occurs. */
function nextDay({ year, month, day, weekday }: DayParts, from: number): number | null {
  const start = dateOf(from);
  const fits = (number: number): boolean =>
    number >= from && (weekday === undefined || weekdayOf(number) === weekday - 1);
  const lastYear = year ?? start.year + CALENDAR_CYCLE_YEARS;
  for (let y = Math.max(year ?? start.year, start.year); y <= lastYear; y++) {
    const isFirstYear = y === start.year;
    for (let m = month ?? (isFirstYear ? start.month : 1); m <= (month ?? 12); m++) {
      const last = daysInMonth(y, m);
      const firstDay = isFirstYear && m === start.month ? start.day : 1;
      for (let d = day ?? firstDay; d <= Math.min(day ?? last, last); d++) {
        const number = dayNumber({ year: y, month: m, day: d });
        if (fits(number)) return number;
      }
    }
  }
  return null;
}
