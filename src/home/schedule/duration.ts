import { HOUR_MS, MINUTE_MS, SECOND_MS } from './wall-time.ts';

/** Parts may be negative for an offset. */
export interface DurationParts {
  readonly hours?: number | undefined;
  readonly minutes?: number | undefined;
  readonly seconds?: number | undefined;
}

export function durationMs({ hours = 0, minutes = 0, seconds = 0 }: DurationParts): number {
  return hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS;
}
