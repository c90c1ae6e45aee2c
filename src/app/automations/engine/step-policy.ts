/** What becomes of a run whose action failed (wire-facts §6.2). */
import type { Action } from '../flow.ts';

const RETRIES = 3;
const FIRST_PAUSE_MS = 1_000;
export const LONGEST_PAUSE_MS = 30_000;

/** A number of milliseconds: again, after that pause. When its retries are used up, the run goes on. */
export function afterFailure(action: Action, attempt: number): 'stop' | 'continue' | number {
  const { onError, maxRetries = RETRIES, retryDelayMs = FIRST_PAUSE_MS } = action;
  if (onError !== 'retry') return onError;
  if (attempt > maxRetries) return 'continue';
  return Math.min(retryDelayMs * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
}
