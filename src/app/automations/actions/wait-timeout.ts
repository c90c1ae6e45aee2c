/** The maximum duration of a wait, and how the run continues after a timeout. */
import type { TemplateDuration } from '../field-types.ts';
import type { RunContext } from './action-kind.ts';
import { renderDuration } from './rendered.ts';

/** The same limit as for a timer: a year and a leap day. */
const MAX_TIMEOUT_MS = 366 * 24 * 60 * 60_000;

/** Evaluated once, as for a delay. `null` means no timeout. */
export function timeoutOf(run: RunContext, timeout: TemplateDuration | undefined): number | null {
  if (timeout === undefined) return null;
  return run.decide('timeoutMs', () => renderDuration(run, timeout, 'timeout', MAX_TIMEOUT_MS));
}

/** Ends the run or the enclosing script. Not an error: the flow requests it. */
export function stopAfterTimeout(run: RunContext, timeoutMs: number | null): never {
  return run.stop({ reason: `Waited ${(timeoutMs ?? 0) / 1_000} s in vain`, isError: false });
}
