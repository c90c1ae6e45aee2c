/** Parses a time in a request to milliseconds since the epoch. */
import { parseIsoTime } from '../kernel/clock.ts';
import { HearthError } from '../kernel/errors.ts';

const WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * ISO 8601 with a time zone; without one it would mean another instant on each machine. `null` and `undefined` stay as
 * they are.
 * @throws `invalid_value` naming the field
 */
export function parseTime(input: unknown, field: string): number | null {
  if (input === undefined || input === null) return null;
  const time = typeof input === 'string' && WITH_ZONE.test(input) ? parseIsoTime(input) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new HearthError('invalid_value', `"${field}" must be a time such as 2030-01-31T12:00:00Z.`, { field });
}
