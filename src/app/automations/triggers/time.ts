import { nextTime } from '../../../home/schedule/next-time.ts';
import { zoneOf } from '../../../home/schedule/time-zones.ts';
import { optional } from '../parsing/field.ts';
import { timeOfDay, WEEKDAYS } from '../parsing/field-kinds.ts';
import { weekdayWords } from '../words.ts';
import { clockKind } from './clock-kind.ts';

/** A time of day, on every day or on some weekdays, in the home's time zone. */
export const time = clockKind({
  type: 'time',
  fields: { at: timeOfDay('`HH:MM` or `HH:MM:SS` by the clocks of the home.'), weekdays: optional(WEEKDAYS) },
  summarize({ at, weekdays }) {
    const days = weekdays === undefined || weekdays.length === 0 ? 'every day' : `on ${weekdayWords(weekdays)}`;
    return `At ${at} ${days}`;
  },
  next: ({ at, weekdays }, home, after) => nextTime({ at, weekdays }, zoneOf(home), after),
});
