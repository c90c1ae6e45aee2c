/**
 * A weekly window of a share's schedule (decisions §8), by a wall clock. A window belongs to the day on which it
 * begins. One that ends before it begins ends on the next day; one that ends as it begins lasts a whole day. The
 * dashboard loads this file too.
 */

/** As JavaScript numbers the days of a week. */
export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Day = (typeof DAYS)[number];

export interface TimeWindow {
  /** The days on which it begins; every day if absent. */
  readonly days?: readonly Day[] | undefined;
  /** `HH:MM` */
  readonly start: string;
  /** The first minute after it. */
  readonly end: string;
}

/**
 * @param day number of the day, 0 is Sunday
 * @param time `HH:MM` on that day
 */
export function isInWindow({ days, start, end }: TimeWindow, day: number, time: string): boolean {
  const beginsOn = (number: number): boolean => days === undefined || days.includes(DAYS[number % 7] as Day);
  if (start < end) return beginsOn(day) && start <= time && time < end;
  return (beginsOn(day) && start <= time) || (beginsOn(day + 6) && time < end);
}

/** A time of the week. */
export interface WeekTime {
  readonly day: Day;
  /** `HH:MM` */
  readonly time: string;
}

/** What keeps windows from covering a week, each moment once. */
export type WeekProblem =
  | { readonly kind: 'gap'; readonly from: WeekTime; readonly to: WeekTime }
  /** The window `window` begins or continues where the earlier window `other` already is. */
  | { readonly kind: 'overlap'; readonly window: number; readonly other: number; readonly at: WeekTime };

const MINUTES_A_QUARTER = 15;
const QUARTERS_A_DAY = 96;
const QUARTERS_A_WEEK = 7 * QUARTERS_A_DAY;

/**
 * Lays windows on quarters of an hour into a week.
 * @returns the index of the window of each quarter, from Sunday 00:00 on; or the first problem, from Monday on
 */
export function coverWeek(windows: readonly TimeWindow[]): readonly number[] | WeekProblem {
  const week = new Array<number>(QUARTERS_A_WEEK).fill(-1);
  for (const [window, { days = DAYS, start, end }] of windows.entries()) {
    const first = quarterOf(start);
    const last = quarterOf(end) > first ? quarterOf(end) : quarterOf(end) + QUARTERS_A_DAY;
    for (const day of new Set(days)) {
      for (let quarter = first; quarter < last; quarter += 1) {
        const place = (DAYS.indexOf(day) * QUARTERS_A_DAY + quarter) % QUARTERS_A_WEEK;
        const other = week[place] as number;
        if (other >= 0) return { kind: 'overlap', window, other, at: weekTimeOf(place) };
        week[place] = window;
      }
    }
  }
  const isFree = (step: number): boolean => week[(QUARTERS_A_DAY + step) % QUARTERS_A_WEEK] === -1;
  const steps = Array.from({ length: QUARTERS_A_WEEK }, (_, step) => step);
  const from = steps.find(isFree);
  if (from === undefined) return week;
  const to = steps.find((step) => step > from && !isFree(step)) ?? QUARTERS_A_WEEK;
  return { kind: 'gap', from: weekTimeOf(QUARTERS_A_DAY + from), to: weekTimeOf(QUARTERS_A_DAY + to) };
}

/** The index of a quarter of the week in the result of `coverWeek`. @param minute of the day */
export function quarterOfWeek(day: number, minute: number): number {
  return day * QUARTERS_A_DAY + Math.floor(minute / MINUTES_A_QUARTER);
}

function weekTimeOf(quarter: number): WeekTime {
  const place = quarter % QUARTERS_A_WEEK;
  const minutes = (place % QUARTERS_A_DAY) * MINUTES_A_QUARTER;
  const two = (value: number): string => String(value).padStart(2, '0');
  return {
    day: DAYS[Math.floor(place / QUARTERS_A_DAY)] as Day,
    time: `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`,
  };
}

function quarterOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return (hour * 60 + minute) / MINUTES_A_QUARTER;
}
