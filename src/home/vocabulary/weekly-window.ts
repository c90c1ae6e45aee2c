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
