/**
 * Spans of time that survive restarts ("for four minutes"), stored as two wall-clock times. While the daemon is down
 * the clock may be set back, by years if it was wrong before: that does not extend a span. On a computer without a
 * battery-backed clock, the clock may be wrong only until shortly after the start. It is then corrected, and the
 * stored times apply again.
 */

/** Milliseconds since the epoch. */
export interface TimerSpan {
  readonly sinceAt: number;
  readonly dueAt: number;
}

/** No timer is later than this, so a larger difference means that the clock was set. */
const PUT_RIGHT_BY_MS = 60_000;

/** The currently known end: the due time, or earlier if the clock shows a time before the span began. */
export function endOfSpan({ sinceAt, dueAt }: TimerSpan, now: number): number {
  return Math.min(dueAt, now + dueAt - sinceAt);
}

/** Whether it ended only because the clock was corrected, and must continue until it is due. */
export function isPutRight(endsAt: number, { dueAt }: TimerSpan, now: number): boolean {
  return now < dueAt && now - endsAt > PUT_RIGHT_BY_MS;
}
