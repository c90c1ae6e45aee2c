/** Durations as flows write them: `{hours, minutes, seconds}`, zero parts left out. */
import { isObject, type Json, type JsonObject } from './flow-record.ts';

const UNITS_MS = { hours: 3_600_000, minutes: 60_000, seconds: 1_000 } as const;
export type DurationUnit = keyof typeof UNITS_MS;
export const DURATION_UNITS = Object.keys(UNITS_MS) as readonly DurationUnit[];

/** `undefined` if it is not a duration, or if a template is part of it. */
export function durationMs(duration: Json | undefined): number | undefined {
  if (!isObject(duration)) return undefined;
  const parts = DURATION_UNITS.map((unit) => [unit, duration[unit] ?? 0] as const);
  if (parts.some(([, value]) => typeof value !== 'number')) return undefined;
  return parts.reduce((sum, [unit, value]) => sum + Number(value) * UNITS_MS[unit], 0);
}

/** In whole units, the largest first; zero becomes zero seconds, because a duration needs at least one part. */
export function durationOf(ms: number): JsonObject {
  const sign = ms < 0 ? -1 : 1;
  let rest = Math.abs(ms);
  const parts: Record<string, Json> = {};
  for (const unit of ['hours', 'minutes'] as const) {
    const count = Math.floor(rest / UNITS_MS[unit]);
    if (count === 0) continue;
    parts[unit] = count * sign;
    rest -= count * UNITS_MS[unit];
  }
  if (rest > 0 || Object.keys(parts).length === 0) parts.seconds = (rest / UNITS_MS.seconds) * sign + 0;
  return parts;
}
