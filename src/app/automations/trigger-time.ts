/**
 * `trigger.timestamp`: seconds since 1970, like the times of `now()` and `last_changed()`, so that they can be
 * subtracted.
 */
import type { TriggerData } from './scope.ts';

const MS_PER_SECOND = 1000;

export function timestampOf(ms: number): number {
  return ms / MS_PER_SECOND;
}

/** Converts timestamps of runs stored before they were numbers: an ISO 8601 text. The run continues with the number. */
export function withNumericTimestamp(trigger: TriggerData): TriggerData {
  const timestamp: unknown = trigger.timestamp;
  if (typeof timestamp !== 'string') return trigger;
  const ms = Date.parse(timestamp);
  return { ...trigger, timestamp: timestampOf(Number.isNaN(ms) ? 0 : ms) };
}
