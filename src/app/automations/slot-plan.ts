/** Reckoning with slots: pure, for whoever keeps them (`slots.ts`). Milliseconds since the epoch throughout. */

/** A clock that is set back by more than this was wrong altogether: what it fired then says nothing about now. */
export const FIRED_COUNTS_FOR_MS = 24 * 60 * 60 * 1_000;

/** The first moment after `after` at which something is due; `null`: never again. Never goes down as `after` goes up. */
export type Plan = (after: number) => number | null;

/** Whether a slot is one of those up to one that has fired: then it has fired too, or was left out for good. */
export function isFired(slotAt: number, firedAt: number): boolean {
  return slotAt <= firedAt && slotAt >= firedAt - FIRED_COUNTS_FOR_MS;
}

/** The newest slot that has come by now, of all since the one that was due: there may be millions. */
export function newestSlot(plan: Plan, dueAt: number, now: number): number {
  const next = plan(dueAt);
  if (next === null || next > now) return dueAt;
  let newest = next;
  // There is none between this and now.
  let until = now;
  while (newest < until) {
    const middle = Math.floor((newest + until) / 2);
    const found = plan(middle);
    if (found !== null && found <= now) newest = found;
    else until = middle;
  }
  return newest;
}
