/** Deliveries for the operations: tests, the history, sending again. Does no authorization: the operations do. */
import { type DeliveryStatus, TEST_EVENT, type WebhookTest } from '../../contract/webhooks.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { Allowances } from '../access/allowances.ts';
import { type AttemptDeps, type AttemptOutcome, attempt } from './attempt.ts';
import type { Deliverer } from './deliverer.ts';
import type { DeliveryRecord, WebhookDeliveries } from './delivery.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { LoggedDelivery } from './delivery-log-store.ts';
import type { DeliveryQueue, NewDelivery } from './delivery-queue.ts';
import { MAX_QUEUED } from './outbox.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

/** A caller waits for the result. */
const TEST_TIMEOUT_MS = 30_000;
/** Per webhook: ten a minute. */
const TESTS = { burst: 10, perSecond: 10 / 60 };
/** Larger than any row number. */
const LAST_ROW = 1_000_000;

interface Deps extends AttemptDeps {
  readonly deliverer: Deliverer;
  readonly queue: DeliveryQueue;
  readonly log: DeliveryLog;
  readonly registry: WebhookRegistry;
}

export class Deliveries implements WebhookDeliveries {
  readonly #deps: Deps;
  readonly #tests: Allowances;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#tests = new Allowances(deps.clock, 'Too many tests of this webhook. Wait a few seconds and try again.');
  }

  async sendTest(webhook: Webhook): Promise<WebhookTest> {
    this.#tests.take(webhook.id, TESTS);
    const { log, clock } = this.#deps;
    const createdAt = clock.now();
    const parcel = {
      id: `test_${newId()}`,
      eventId: `evt_test_${createdAt}`,
      eventType: TEST_EVENT,
      data: '{"test":true}',
      occurredAt: createdAt,
    };
    const timeoutMs = Math.min(webhook.timeoutMs, TEST_TIMEOUT_MS);
    const outcome = await attempt(this.#deps, { ...webhook, timeoutMs }, parcel);
    // A webhook deleted meanwhile leaves no history; a cancelled attempt is no statement about the receiver.
    if (outcome.result !== 'cancelled' && this.#deps.registry.find(webhook.id))
      log.write(testRecord({ ...parcel, webhookId: webhook.id, createdAt }, outcome));
    return {
      success: outcome.result === 'success',
      statusCode: outcome.statusCode,
      responseTimeMs: outcome.statusCode === null ? null : outcome.latencyMs,
      error: outcome.error,
    };
  }

  /**
   * Deliveries before their first attempt are in the queue, all others in the history. @throws `storage_unavailable`
   */
  history(
    webhookId: string,
    page: { readonly limit: number; readonly offset: number; readonly status?: DeliveryStatus | undefined },
  ): { readonly deliveries: readonly DeliveryRecord[]; readonly total: number } {
    const { queue, log, deliverer } = this.#deps;
    const { status } = page;
    const over = deliverer.outbox.overUpTo(webhookId);
    const end = Math.min(page.offset + page.limit, LAST_ROW);
    const hasPending = status === undefined || status === 'pending';
    const hasOthers = status !== 'pending';
    const pending = hasPending ? queue.pending(webhookId, over, end).map((one) => this.#pendingRecord(one)) : [];
    const others = hasOthers ? log.list(webhookId, { status, limit: end }).map(shown) : [];
    return {
      // Both are sorted already, and the sort is stable.
      deliveries: [...pending, ...others].sort((a, b) => b.createdAt - a.createdAt).slice(page.offset, end),
      total:
        (hasPending ? queue.pendingCount(webhookId, over) : 0) + (hasOthers ? log.count(webhookId, { status }) : 0),
    };
  }

  /**
   * Queues it again, at the end, with the event's id: a receiver can detect the duplicate.
   * @throws `not_found` · `conflict` it has not ended yet, or the webhook gets no deliveries · `storage_unavailable`
   */
  resend(webhookId: string, deliveryId: string): DeliveryRecord {
    const { deliverer, log, registry, clock } = this.#deps;
    const known = log.find(webhookId, deliveryId);
    if (!known) {
      throw new HearthError('not_found', 'Delivery not found: it is older than seven days, or was not attempted yet.');
    }
    if (known.status === 'retrying')
      throw new HearthError('conflict', 'It is tried again by itself: wait for that.', {
        reason: 'tried_again_anyway',
      });
    if (known.eventType === TEST_EVENT)
      throw new HearthError('conflict', 'A test is not sent again: send another one.', { reason: 'test_once' });
    if (registry.find(webhookId)?.status === 'disabled') {
      throw new HearthError('conflict', 'The webhook is disabled: resume it first.', { reason: 'webhook_disabled' });
    }
    if (deliverer.outbox.countOf(webhookId) >= MAX_QUEUED) {
      throw new HearthError('conflict', 'The webhook’s queue is full: try again when some of it is delivered.', {
        reason: 'queue_full',
      });
    }
    const { eventId, eventType, data, occurredAt } = known;
    const delivery = { id: newId(), webhookId, eventId, eventType, data, occurredAt, createdAt: clock.now() };
    deliverer.outbox.addNow(delivery);
    return this.#pendingRecord(delivery);
  }

  changed({ id }: Pick<Webhook, 'id'>): void {
    this.#deps.deliverer.changed(id);
  }

  queuedCount(webhookId: string): number {
    return this.#deps.deliverer.outbox.countOf(webhookId);
  }

  #pendingRecord({ id, webhookId, eventType, eventId, createdAt }: NewDelivery): DeliveryRecord {
    return {
      id,
      webhookId,
      eventType,
      eventId,
      status: 'pending',
      attemptNumber: 0,
      maxAttempts: (this.#deps.registry.find(webhookId)?.maxRetries ?? 0) + 1,
      responseStatusCode: null,
      responseBody: null,
      latencyMs: null,
      errorMessage: null,
      createdAt,
      nextRetryAt: null,
    };
  }
}

function testRecord(delivery: NewDelivery, outcome: AttemptOutcome): LoggedDelivery {
  return {
    ...delivery,
    status: outcome.result === 'success' ? 'success' : 'failed',
    attemptNumber: 1,
    maxAttempts: 1,
    responseStatusCode: outcome.statusCode,
    responseBody: outcome.responseBody,
    latencyMs: outcome.latencyMs,
    errorMessage: outcome.error,
    attemptedAt: outcome.at,
    nextRetryAt: null,
  };
}

function shown({ data: _, occurredAt: __, attemptedAt: ___, ...record }: LoggedDelivery): DeliveryRecord {
  return record;
}
