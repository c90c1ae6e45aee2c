/** Times as a clock on the wall shows them: `YYYY-MM-DDTHH:MM`, without a zone, as `datetime-local` has them. */
import { dateFormat } from '../../../texts/intl.ts';

export const WALL_LENGTH = 'YYYY-MM-DDTHH:MM'.length;
const DAY_MS = 86_400_000;

/** @param zone the device's own if left out */
export function wallText(at: number, zone?: string): string {
  return dateFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at).replace(' ', 'T');
}

/**
 * @returns the moment in ISO 8601; empty if it is none. Of a time that comes twice as clocks change, the first; one
 * that they skip is as long after the change as it would have been.
 */
export function momentOf(wall: string, zone?: string): string {
  const minute = wall.slice(0, WALL_LENGTH);
  const asUtc = Date.parse(`${minute}Z`);
  if (Number.isNaN(asUtc)) return '';
  const ahead = (at: number): number => Date.parse(`${wallText(at, zone)}Z`) - at;
  const before = asUtc - ahead(asUtc - DAY_MS);
  const after = asUtc - ahead(asUtc + DAY_MS);
  const isAfter = wallText(before, zone) !== minute && wallText(after, zone) === minute;
  return new Date(isAfter ? after : before).toISOString();
}
