/**
 * Spans of time that outlive restarts ("for four minutes"), kept as two moments of the wall clock. While the daemon is down the clock may
 * be set back, by years where it had been wrong before: a span lasts no longer for that. Or it only seems to be, on a computer that keeps
 * no time without power: then it is put right a moment after the start, and what was kept counts again.
 */

/** Milliseconds since the epoch. */
export interface Span {
  readonly sinceAt: number;
  readonly dueAt: number;
}

/** Nobody is late by more, so that a clock has been set where somebody is. */
const PUT_RIGHT_BY_MS = 60_000;

/** When it is over, as far as is known now: when it is due, or sooner where the clock shows a time before it began. */
export function endOfSpan({ sinceAt, dueAt }: Span, now: number): number {
  return Math.min(dueAt, now + dueAt - sinceAt);
}

/** Whether it has come to this end only because the clock was put right, and is to last until it is due. */
export function isPutRight(endsAt: number, { dueAt }: Span, now: number): boolean {
  return now < dueAt && now - endsAt > PUT_RIGHT_BY_MS;
}
