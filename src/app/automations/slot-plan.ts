/** Slot calculations: pure functions for `scheduled-firings.ts`. All times are milliseconds since the epoch. */

/** If the clock is set back by more than this, it was wrong before: its firings are then irrelevant. */
export const FIRED_COUNTS_FOR_MS = 24 * 60 * 60 * 1_000;

/** The first due time after `after`; `null`: never. Monotonic in `after`. */
export type Plan = (after: number) => number | null;

/** Whether a slot is at or before a fired slot: then it has fired too, or was skipped for good. */
export function isFired(slotAt: number, firedAt: number): boolean {
  return slotAt <= firedAt && slotAt >= firedAt - FIRED_COUNTS_FOR_MS;
}

/** The newest slot up to now, among all since the one that was due: there may be millions. */
export function newestSlot(plan: Plan, dueAt: number, now: number): number {
  const next = plan(dueAt);
  if (next === null || next > now) return dueAt;
  let newest = next;
  // There is none between this time and now.
  let until = now;
  while (newest < until) {
    const middle = Math.floor((newest + until) / 2);
    const found = plan(middle);
    if (found !== null && found <= now) newest = found;
    else until = middle;
  }
  return newest;
}
