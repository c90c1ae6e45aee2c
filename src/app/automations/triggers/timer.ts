import { nextTimer } from '../../../home/schedule/next-timer.ts';
import { zoneOf } from '../../../home/schedule/time-zones.ts';
import { optional } from '../parsing/field.ts';
import { dateComponents, moment, timeZone } from '../parsing/field-kinds.ts';
import { clockKind } from './clock-kind.ts';

/** Native: a time, and optional recurrences, in the trigger's own time zone or the home's. */
export const timer = clockKind({
  type: 'timer',
  fields: {
    fireDate: moment('When it fires first.'),
    recurrence: optional(dateComponents('How long after it fires again.')),
    timeZone: optional(timeZone('An IANA time zone; the home’s if left out.')),
  },
  summarize({ fireDate, recurrence }) {
    return recurrence === undefined ? `Once, at ${fireDate}` : `At ${fireDate}, and again and again from then on`;
  },
  next: ({ fireDate, recurrence, timeZone }, home, after) =>
    nextTimer({ fireDate, recurrence }, timeZone ?? zoneOf(home), after),
});
