import { durationMs } from '../../../home/schedule/duration.ts';
import { nextSun } from '../../../home/schedule/next-sun.ts';
import { optional } from '../parsing/field.ts';
import { offset, oneOf, SUN_EVENTS } from '../parsing/field-kinds.ts';
import { capitalized, durationWords } from '../words.ts';
import { clockKind } from './clock-kind.ts';

/** Sunrise or sunset at the home's location, with an offset. Never fires while the location is unset. */
export const sun = clockKind({
  type: 'sun',
  fields: {
    event: oneOf(SUN_EVENTS, 'The event at the home’s location.'),
    offset: optional(offset('So long after it.')),
  },
  summarize({ event, offset }) {
    const offsetMs = offset === undefined ? 0 : durationMs(offset);
    if (offsetMs === 0) return `At ${event}`;
    return capitalized(`${durationWords(Math.abs(offsetMs))} ${offsetMs < 0 ? 'before' : 'after'} ${event}`);
  },
  next({ event, offset }, home, after) {
    if (home.location === null) return null;
    return nextSun({ event, offsetMs: offset === undefined ? 0 : durationMs(offset) }, home.location, after);
  },
});
