/** The hours, days, weeks and months of a home's calendar. A day at a clock change has 23 or 25 hours. */

import { addMonths, dateOf, dayNumber } from '../../home/schedule/calendar.ts';
import { DAY_MS, dayOf, HOUR_MS, momentOf, wallAt, weekdayOf } from '../../home/schedule/wall-time.ts';
import type { EnergyStep } from '../../home/vocabulary/energy-words.ts';

const DAYS_A_WEEK = 7;

/** The beginning of the step that contains the time. */
export function startOfStep(by: EnergyStep, at: number, zone: string): number {
  const wall = wallAt(zone, at);
  if (by === 'hour') return at - (((wall % HOUR_MS) + HOUR_MS) % HOUR_MS);
  return momentOf(zone, firstDay(by, dayOf(wall)) * DAY_MS);
}

/** The beginning of the next step. @param start the beginning of a step */
export function nextStep(by: EnergyStep, start: number, zone: string): number {
  if (by === 'hour') {
    const next = start + HOUR_MS;
    // A clock change of half an hour moves the full hour.
    return next - (((wallAt(zone, next) % HOUR_MS) + HOUR_MS) % HOUR_MS);
  }
  const day = firstDay(by, dayOf(wallAt(zone, start)));
  const next = by === 'day' ? day + 1 : by === 'week' ? day + DAYS_A_WEEK : addMonths(day, 1);
  return momentOf(zone, next * DAY_MS);
}

/** The beginning of the step that is so many steps before. */
export function stepsBefore(by: EnergyStep, at: number, zone: string, count: number): number {
  const start = startOfStep(by, at, zone);
  if (by === 'hour') return startOfStep(by, start - count * HOUR_MS, zone);
  const day = dayOf(wallAt(zone, start));
  const first = by === 'day' ? day - count : by === 'week' ? day - count * DAYS_A_WEEK : addMonths(day, -count);
  return momentOf(zone, first * DAY_MS);
}

function firstDay(by: Exclude<EnergyStep, 'hour'>, day: number): number {
  if (by === 'day') return day;
  // Weeks begin on Monday.
  if (by === 'week') return day - ((weekdayOf(day) + DAYS_A_WEEK - 1) % DAYS_A_WEEK);
  return dayNumber({ ...dateOf(day), day: 1 });
}
