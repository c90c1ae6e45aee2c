/** Durations in the tools' format: a number of seconds, or `{hours, minutes, seconds}`. */
import type { Duration, TemplateDuration } from '../../../app/automations/field-types.ts';
import type { Fields } from '../../../app/automations/parsing/fields.ts';
import type { SentPositions } from './sent-positions.ts';

type WireDuration = number | string | Exclude<TemplateDuration, string>;

/** Seconds if it has no other parts. */
export function presentDuration(duration: Duration | TemplateDuration): WireDuration {
  if (typeof duration === 'string') return duration;
  const { seconds } = duration;
  const isSeconds = typeof seconds === 'number' && Object.keys(duration).length === 1;
  return isSeconds ? seconds : duration;
}

/**
 * @param record the position of the duration in the record. @returns the input for the record's parser, which checks it
 */
export function readDuration(fields: Fields, name: string, record: string, places: SentPositions): unknown {
  const wire = fields.raw(name);
  places.put(record, fields.at(name));
  if (typeof wire !== 'number') return wire;
  places.put(`${record}.seconds`, fields.at(name));
  return { seconds: wire };
}
