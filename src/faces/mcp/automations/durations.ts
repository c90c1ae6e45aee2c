/** How long, as tools take and tell it: a number of seconds, or `{hours, minutes, seconds}`. */

import type { Duration, TemplateDuration } from '../../../app/automations/flow.ts';
import type { Fields } from '../../../app/automations/flows/fields.ts';
import type { Places } from './places.ts';

type Said = number | string | Exclude<TemplateDuration, string>;

/** Seconds where it has no other parts. */
export function sayDuration(duration: Duration | TemplateDuration): Said {
  if (typeof duration === 'string') return duration;
  const { seconds } = duration;
  const isSeconds = typeof seconds === 'number' && Object.keys(duration).length === 1;
  return isSeconds ? seconds : duration;
}

/** @param record the place of the duration in the record. @returns what the record's parser takes, which checks it */
export function readDuration(fields: Fields, name: string, record: string, places: Places): unknown {
  const said = fields.raw(name);
  places.put(record, fields.at(name));
  if (typeof said !== 'number') return said;
  places.put(`${record}.seconds`, fields.at(name));
  return { seconds: said };
}
