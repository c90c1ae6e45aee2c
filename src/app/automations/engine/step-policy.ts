/** How a run continues after an action failed (wire-facts §6.2). */
import { MAX_RETRY_PAUSE_MS } from '../../../home/vocabulary/limits.ts';
import type { ActionNode } from '../action-node.ts';

const RETRIES = 3;
const FIRST_PAUSE_MS = 1_000;

/** A number is a retry delay in milliseconds. When all retries are used up, the run continues. */
export function afterFailure(action: ActionNode, attempt: number): 'stop' | 'continue' | number {
  const { onError, maxRetries = RETRIES, retryDelayMs = FIRST_PAUSE_MS } = action;
  if (onError !== 'retry') return onError;
  if (attempt > maxRetries) return 'continue';
  return Math.min(retryDelayMs * 2 ** (attempt - 1), MAX_RETRY_PAUSE_MS);
}
