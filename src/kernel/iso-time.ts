/** The latest time that a Date can represent: 100,000,000 days after 1970 (ECMA-262, time values). */
const MAX_TIME_MS = 8.64e15;

/**
 * Milliseconds since the epoch as ISO 8601 in UTC. An altered or damaged database may contain a time outside the range
 * of a Date; it becomes the last or first representable one.
 */
export function isoTime(ms: number): string {
  return new Date(Math.min(MAX_TIME_MS, Math.max(-MAX_TIME_MS, ms))).toISOString();
}
