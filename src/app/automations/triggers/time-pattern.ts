import { nextPattern } from '../../../home/schedule/next-pattern.ts';
import { zoneOf } from '../../../home/schedule/time-zones.ts';
import { clockKind } from './clock-kind.ts';

/** Every time that matches a pattern, in the home's time zone. */
export const timePattern = clockKind({
  type: 'time_pattern',
  summarize({ hours, minutes, seconds }) {
    const parts = [
      hours === undefined ? '' : `hours ${hours}`,
      minutes === undefined ? '' : `minutes ${minutes}`,
      seconds === undefined ? '' : `seconds ${seconds}`,
    ].filter((part) => part !== '');
    return `Whenever the clock shows ${parts.join(', ') || 'anything'}`;
  },
  next: ({ hours, minutes, seconds }, home, after) => nextPattern({ hours, minutes, seconds }, zoneOf(home), after),
});
