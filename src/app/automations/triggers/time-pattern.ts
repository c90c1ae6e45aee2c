import { z } from 'zod';
import { nextPattern, parseTimePattern } from '../../../home/schedule/next-pattern.ts';
import { zoneOf } from '../../../home/schedule/time-zones.ts';
import type { FieldGroup } from '../parsing/field.ts';
import { given } from '../parsing/fields.ts';
import { clockKind } from './clock-kind.ts';

const PART = z.union([z.string(), z.number()]).meta({ description: '`/N` every N, `N` or `*`.' });

/** Omitted parts left of the first given part match any value; those right of it are 0. */
const PATTERN: FieldGroup<Partial<Readonly<Record<'hours' | 'minutes' | 'seconds', string>>>> = {
  schemas: { hours: PART, minutes: PART, seconds: PART },
  readGroup({ fields }) {
    const parts = { hours: fields.raw('hours'), minutes: fields.raw('minutes'), seconds: fields.raw('seconds') };
    return given(parseTimePattern(parts, fields.path));
  },
};

/** Every time that matches a pattern, in the home's time zone. */
export const timePattern = clockKind({
  type: 'time_pattern',
  fields: { pattern: PATTERN },
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
