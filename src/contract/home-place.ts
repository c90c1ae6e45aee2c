/** Parses a home's time zone and location, which wall clocks, sunrise and presence depend on. */
import { isLatitude, isLongitude } from '../home/geo.ts';
import type { HomeLocation } from '../home/model.ts';
import { isTimeZone } from '../home/schedule/time-zones.ts';
import { DEFAULT_RADIUS_M, RADIUS_M } from '../home/vocabulary/limits.ts';
import { shorten } from '../home/vocabulary/values.ts';
import { HearthError } from '../kernel/errors.ts';

/** @returns `null` for the computer's time zone. @throws `invalid_value` */
export function parseTimeZone(input: string | null): string | null {
  if (input === null || input === '') return null;
  if (isTimeZone(input)) return input;
  throw new HearthError(
    'invalid_value',
    `"${shorten(input)}" is no time zone: give an IANA name such as Europe/Berlin, or null for the computer's own.`,
    { reason: 'bad_time_zone', field: 'timeZone' },
  );
}

/** @throws `invalid_value` naming the field · `invalid_request` unknown field */
export function parseLocation(input: Readonly<Record<string, unknown>> | null): HomeLocation | null {
  if (input === null) return null;
  const { latitude, longitude, radius = DEFAULT_RADIUS_M, ...others } = input;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    const field = `location.${shorten(unknown)}`;
    throw new HearthError('invalid_request', `There is no field "${field}": give latitude, longitude and radius.`, {
      field,
    });
  }
  if (!isLatitude(latitude)) throw invalid('location.latitude', 'a number of degrees from -90 to 90');
  if (!isLongitude(longitude)) throw invalid('location.longitude', 'a number of degrees from -180 to 180');
  if (typeof radius !== 'number' || !(radius >= RADIUS_M.from && radius <= RADIUS_M.to)) {
    throw invalid('location.radius', `a number of metres from ${RADIUS_M.from} to ${RADIUS_M.to}`);
  }
  return { latitude, longitude, radiusM: radius };
}

function invalid(field: string, wanted: string): HearthError {
  return new HearthError('invalid_value', `Invalid value for ${field}: give ${wanted}.`, { field });
}
