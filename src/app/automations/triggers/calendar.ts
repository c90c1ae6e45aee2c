import { nextCalendar } from '../../../home/schedule/next-calendar.ts';
import { zoneOf } from '../../../home/schedule/time-zones.ts';
import { dateComponents } from '../parsing/field-kinds.ts';
import { clockKind } from './clock-kind.ts';

/** Native: every time with these components, in the home's time zone. */
export const calendar = clockKind({
  type: 'calendar',
  fields: { components: dateComponents('Every time that matches all of these.') },
  summarize({ components }) {
    const parts = Object.entries(components).map(([name, value]) => `${name} ${value}`);
    return `Whenever the calendar shows ${parts.join(', ') || 'anything'}`;
  },
  next: ({ components }, home, after) => nextCalendar(components, zoneOf(home), after),
});
