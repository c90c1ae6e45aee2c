/** Updates a webhook after an outcome: counts, times, and when to disable it (decisions §9). Pure. */
import type { AttemptOutcome } from './attempt.ts';
import type { Webhook, WebhookProgress } from './webhook.ts';

const FAILURES_THAT_DISABLE = 5;
/** A receiver with so recent a success gets more time. */
const GRACE_AFTER_SUCCESS_MS = 3_600_000;

export type DeliveryVerdict =
  | { readonly fate: 'delivered' | 'retry'; readonly progress: Partial<WebhookProgress> }
  | {
      readonly fate: 'given up';
      readonly progress: Partial<WebhookProgress>;
      /** Why the webhook is disabled now, to continue "because …"; `null` if it is not. */
      readonly disabledBecause: string | null;
    };

/** @param attempts attempts made, including this one. */
export function verdictOn(webhook: Webhook, outcome: AttemptOutcome, attempts: number): DeliveryVerdict {
  const { at, error } = outcome;
  if (outcome.result === 'success') {
    return { fate: 'delivered', progress: { consecutiveFailures: 0, lastTriggeredAt: at, lastSuccessAt: at } };
  }
  const failed = { lastTriggeredAt: at, lastFailureAt: at, lastFailureReason: error };
  const isGone = outcome.result === 'gone';
  if (!isGone && attempts <= webhook.maxRetries) return { fate: 'retry', progress: failed };
  const consecutiveFailures = webhook.consecutiveFailures + 1;
  const disabledBecause = isGone ? 'its receiver answered 410 (gone)' : tooMany(webhook, consecutiveFailures, at);
  const disabled = disabledBecause !== null && ({ status: 'disabled' } as const);
  return { fate: 'given up', progress: { ...failed, consecutiveFailures, ...disabled }, disabledBecause };
}

/** A webhook without a success gets no hour of grace. A success in the future is from before the clock was set back. */
function tooMany({ lastSuccessAt }: Webhook, failures: number, now: number): string | null {
  if (failures < FAILURES_THAT_DISABLE) return null;
  const sinceSuccess = now - (lastSuccessAt ?? Number.NEGATIVE_INFINITY);
  if (sinceSuccess >= 0 && sinceSuccess < GRACE_AFTER_SUCCESS_MS) return null;
  return `${failures} deliveries in a row failed for good`;
}
