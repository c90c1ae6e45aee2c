/** The delivery of one event to one webhook, as shown to people. */
import type { DeliveryStatus, WebhookDelivery, WebhookTest } from '../../contract/webhooks.ts';
import type { Webhook } from './webhook.ts';

/** Times in milliseconds since the epoch. */
export interface DeliveryRecord extends Omit<WebhookDelivery, 'createdAt' | 'nextRetryAt'> {
  readonly createdAt: number;
  readonly nextRetryAt: number | null;
}

/** The interface of the delivery services for the operations. */
export interface WebhookDeliveries {
  /** Sends at once, bypassing the queue, in any status of the webhook. @throws `rate_limited` */
  sendTest(webhook: Webhook): Promise<WebhookTest>;
  /** Newest first. */
  history(
    webhookId: string,
    page: { readonly limit: number; readonly offset: number; readonly status?: DeliveryStatus | undefined },
  ): { readonly deliveries: readonly DeliveryRecord[]; readonly total: number };
  /** Queues a delivered or failed delivery again, with the same event id. @throws `not_found` */
  resend(webhookId: string, deliveryId: string): DeliveryRecord;
  /** Call after the webhook was created, changed or deleted (then with its last state). */
  changed(webhook: Webhook): void;
  queuedCount(webhookId: string): number;
}
