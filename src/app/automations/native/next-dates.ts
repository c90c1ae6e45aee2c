import type { Home } from '../../../home/model.ts';
import { zoneOf } from '../../../home/schedule/time-zones.ts';
import { DAY_MS, dayOf, momentOf, wallAt, wallClock } from '../../../home/schedule/wall-time.ts';
import { type Automation, firesOnce } from './automation.ts';

/**
 * The number of consecutive days without a match after which there is no further date: a Monday that is a Tuesday
 * never comes.
 */
const MAX_DAYS_IN_VAIN = 50;

/**
 * The times at which the clock fires an automation, on its days.
 * @param count the maximum; an automation that fires once has one
 * @param next the first firing time of its triggers after the given one, if there is any
 */
export function nextDates(
  automation: Automation,
  home: Home,
  { after, count }: { readonly after: number; readonly count: number },
  next: (after: number) => number | undefined,
): readonly number[] {
  const isOn = isOnDay(automation, home);
  const wanted = firesOnce(automation.trigger) ? Math.min(count, 1) : count;
  const dates: number[] = [];
  let daysInVain = 0;
  for (let at = next(after); at !== undefined && dates.length < wanted && daysInVain < MAX_DAYS_IN_VAIN; ) {
    if (isOn(at)) {
      dates.push(at);
      daysInVain = 0;
      at = next(at);
    } else {
      daysInVain += 1;
      // Skips the rest of the day, regardless of how often it would fire.
      at = next(nextMidnight(home, at) - 1);
    }
  }
  return dates;
}

/** Whether a time is on one of the days on which an automation fires. */
function isOnDay({ trigger }: Automation, home: Home): (at: number) => boolean {
  if (trigger.type === 'timer' || trigger.weekdays.length === 0) return () => true;
  const zone = zoneOf(home);
  return (at) => trigger.weekdays.includes(wallClock(zone, at).weekday + 1);
}

function nextMidnight(home: Home, at: number): number {
  const zone = zoneOf(home);
  return momentOf(zone, (dayOf(wallAt(zone, at)) + 1) * DAY_MS);
}
