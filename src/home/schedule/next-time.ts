/** Times of day, `HH:MM` or `HH:MM:SS`, and their next occurrence. */
import { HearthError } from '../../kernel/errors.ts';
import { shorten } from '../vocabulary/values.ts';
import { nextMoment } from './next-wall-time.ts';
import { weekdayOf } from './wall-time.ts';

export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;

/** @param field the position, for the error. @throws `invalid_value` */
export function parseTimeOfDay(input: unknown, field: string): TimeOfDay {
  const time = typeof input === 'string' ? readTimeOfDay(input) : undefined;
  if (time) return time;
  const what = typeof input === 'string' ? `"${shorten(input)}" is no time of day` : 'it is not a text';
  throw new HearthError('invalid_value', `${field}: ${what}; write it as 07:30 or 07:30:15.`, { field });
}

export interface DailyTime {
  /** In the form that `parseTimeOfDay` accepts. */
  readonly at: string;
  /** 0 = Sunday … 6 = Saturday; every day if omitted. */
  readonly weekdays?: readonly number[] | undefined;
}

/** The first occurrence of this time on one of these weekdays after `after`; `null` if there is none. Milliseconds. */
export function nextTime({ at, weekdays }: DailyTime, zone: string, after: number): number | null {
  const time = readTimeOfDay(at);
  if (!time) return null;
  const due = time.hour * 3_600 + time.minute * 60 + time.second;
  return nextMoment(
    {
      day: (from) => nextWeekday(weekdays, from),
      second: (from) => (from <= due ? due : null),
    },
    zone,
    after,
  );
}

function readTimeOfDay(text: string): TimeOfDay | undefined {
  const match = TIME_OF_DAY.exec(text);
  if (!match) return undefined;
  const [, hour, minute, second = 0] = match;
  return { hour: Number(hour), minute: Number(minute), second: Number(second) };
}

function nextWeekday(weekdays: readonly number[] | undefined, from: number): number | null {
  if (!weekdays) return from;
  for (let day = from; day < from + 7; day++) {
    if (weekdays.includes(weekdayOf(day))) return day;
  }
  return null;
}
