/** How long a wait takes at most, and what becomes of the run when that is over. */
import type { TemplateDuration } from '../flow.ts';
import type { RunContext } from './action-kind.ts';
import { renderDuration } from './rendered.ts';

/** As long as a timer may run: a year and a leap day. */
const LONGEST_TIMEOUT_MS = 366 * 24 * 60 * 60_000;

/** Decided once, as for a delay. `null` is for ever. */
export function timeoutOf(run: RunContext, timeout: TemplateDuration | undefined): number | null {
  if (timeout === undefined) return null;
  return run.decide('timeoutMs', () => renderDuration(run, timeout, 'timeout', LONGEST_TIMEOUT_MS));
}

/** Ends the run there, or the script that it is in: not a fault, for somebody wanted it so. */
export function stopAfterTimeout(run: RunContext, timeoutMs: number | null): never {
  return run.stop({ reason: `Waited ${(timeoutMs ?? 0) / 1_000} s in vain`, isError: false });
}
