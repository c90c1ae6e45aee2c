import { nextTimer } from '../../../home/schedule/next-timer.ts';
import { zoneOf } from '../../../home/schedule/time-zones.ts';
import { clockKind } from './clock-kind.ts';

/** Native: a time, and optional recurrences, in the trigger's own time zone or the home's. */
export const timer = clockKind({
  type: 'timer',
  summarize({ fireDate, recurrence }) {
    return recurrence === undefined ? `Once, at ${fireDate}` : `At ${fireDate}, and again and again from then on`;
  },
  next: ({ fireDate, recurrence, timeZone }, home, after) =>
    nextTimer({ fireDate, recurrence }, timeZone ?? zoneOf(home), after),
});
