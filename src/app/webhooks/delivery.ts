/** What becomes of one event on its way to one webhook, as people are shown it. */
import type { Webhook } from './webhook.ts';

export const DELIVERY_STATUSES = ['pending', 'retrying', 'success', 'failed', 'dead_letter'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Times in milliseconds since the epoch. */
export interface DeliveryRecord {
  /** The delivery's own, the same at each attempt. */
  readonly id: string;
  readonly webhookId: string;
  readonly eventType: string;
  readonly eventId: string;
  readonly status: DeliveryStatus;
  /** Attempts made. */
  readonly attemptNumber: number;
  readonly maxAttempts: number;
  readonly responseStatusCode: number | null;
  readonly responseBody: string | null;
  readonly latencyMs: number | null;
  readonly errorMessage: string | null;
  readonly createdAt: number;
  readonly nextRetryAt: number | null;
}

/** How a test delivery went. */
export interface TestDelivery {
  /** Whether the receiver took it (2xx). */
  readonly success: boolean;
  readonly statusCode: number | null;
  readonly responseTimeMs: number | null;
  readonly error: string | null;
}

/** What the operations ask of the part that delivers. */
export interface WebhookDeliveries {
  /** Sends at once, past the queue, whatever the webhook's status. @throws `rate_limited` */
  sendTest(webhook: Webhook): Promise<TestDelivery>;
  /** Newest first. */
  history(
    webhookId: string,
    page: { readonly limit: number; readonly offset: number; readonly status?: DeliveryStatus | undefined },
  ): { readonly deliveries: readonly DeliveryRecord[]; readonly total: number };
  /** Queues what was delivered or given up once more, with the same event id. @throws `not_found` */
  resend(webhookId: string, deliveryId: string): DeliveryRecord;
  /** The webhook is new, is another now, or is gone: the one that it was. */
  changed(webhook: Webhook): void;
  queuedCount(webhookId: string): number;
}
