/** The delivery of one event to one webhook, as shown to people. */
import type { Webhook } from './webhook.ts';

export const DELIVERY_STATUSES = ['pending', 'retrying', 'success', 'failed', 'dead_letter'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Times in milliseconds since the epoch. */
export interface DeliveryRecord {
  /** The delivery's own id, the same at each attempt. */
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

/** The result of a test delivery. */
export interface TestDelivery {
  /** Whether the receiver accepted it (2xx). */
  readonly success: boolean;
  readonly statusCode: number | null;
  readonly responseTimeMs: number | null;
  readonly error: string | null;
}

/** The interface of the delivery services for the operations. */
export interface WebhookDeliveries {
  /** Sends at once, bypassing the queue, in any status of the webhook. @throws `rate_limited` */
  sendTest(webhook: Webhook): Promise<TestDelivery>;
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
