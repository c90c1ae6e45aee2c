/** Webhooks over a test home with a recorder in place of the deliveries, which answers as the test sets. */
import { CollectionStore } from '../../../src/app/groups/collection-store.ts';
import type { DeliveryRecord, WebhookDeliveries } from '../../../src/app/webhooks/delivery.ts';
import type { Webhook } from '../../../src/app/webhooks/webhook.ts';
import { WebhookRegistry } from '../../../src/app/webhooks/webhook-registry.ts';
import { WebhookScope } from '../../../src/app/webhooks/webhook-scope.ts';
import { WebhookStore } from '../../../src/app/webhooks/webhook-store.ts';
import { Webhooks } from '../../../src/app/webhooks/webhooks.ts';
import type { WebhookTest } from '../../../src/contract/webhooks.ts';
import { GuardedSender } from '../../../src/drivers/http/guarded-sender.ts';
import { OWN_ADDRESSES, OWN_PORT } from '../../support/refused-urls.ts';
import type { TestHome } from '../../support/test-home.ts';

export class RecordedDeliveries implements WebhookDeliveries {
  readonly changes: Webhook[] = [];
  readonly tested: string[] = [];
  readonly asked: unknown[] = [];
  queued = 0;
  answer: WebhookTest = { success: true, statusCode: 204, responseTimeMs: 3, error: null };
  deliveries: readonly DeliveryRecord[] = [];

  async sendTest(webhook: Webhook): Promise<WebhookTest> {
    this.tested.push(webhook.id);
    return this.answer;
  }

  history(webhookId: string, page: object) {
    this.asked.push({ webhookId, ...page });
    return { deliveries: this.deliveries, total: this.deliveries.length };
  }

  resend(webhookId: string, deliveryId: string): DeliveryRecord {
    this.asked.push({ webhookId, deliveryId });
    return deliveryOf(webhookId);
  }

  changed(webhook: Webhook): void {
    this.changes.push(webhook);
  }

  queuedCount(): number {
    return this.queued;
  }
}

export function deliveryOf(webhookId: string): DeliveryRecord {
  return {
    id: 'd1',
    webhookId,
    eventType: 'state.changed',
    eventId: 'evt_1',
    status: 'pending',
    attemptNumber: 0,
    maxAttempts: 4,
    responseStatusCode: null,
    responseBody: null,
    latencyMs: null,
    errorMessage: null,
    createdAt: 0,
    nextRetryAt: null,
  };
}

export type WebhookFixture = ReturnType<typeof createWebhookFixture>;

export function createWebhookFixture(home: TestHome, { allowLoopback = false, publicOnly = false } = {}) {
  const { bus, state, access, clock, collections, database } = home;
  const store = new WebhookStore(database);
  const registry = new WebhookRegistry({ store, bus });
  const deliveries = new RecordedDeliveries();
  const sender = new GuardedSender({
    clock,
    allowLoopback,
    publicOnly,
    ownAddresses: () => OWN_ADDRESSES,
    ownPorts: () => [OWN_PORT],
  });
  const webhooks = new Webhooks({
    registry,
    deliveries,
    state,
    access,
    makers: home.makers,
    developers: home.userSettings,
    collections,
    judge: (url) => sender.judge(url),
    clock,
  });
  const scope = new WebhookScope({ state, access, collections: new CollectionStore(database) });
  return { store, registry, deliveries, webhooks, scope };
}
