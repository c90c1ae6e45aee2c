import { nextPattern } from '../../../home/schedule/next-pattern.ts';
import { zoneOf } from '../../../home/schedule/time-zones.ts';
import { clockKind } from './clock-kind.ts';

/** Every moment that fits a pattern, by the home's clocks. */
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
