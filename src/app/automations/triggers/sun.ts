import { durationMs } from '../../../home/schedule/duration.ts';
import { nextSun } from '../../../home/schedule/next-sun.ts';
import { capitalized, durationWords } from '../words.ts';
import { clockKind } from './clock-kind.ts';

/** Sunrise or sunset where the house stands, or so long before or after it. While nobody has said where that is, never. */
export const sun = clockKind({
  type: 'sun',
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
