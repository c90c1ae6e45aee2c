import type { DeliveryRecord } from '../../app/webhooks/delivery.ts';
import type { WebhookInfo } from '../../app/webhooks/webhook.ts';
import type { WebhookWithSecret as CreatedWebhook, DeliveryRecords } from '../../app/webhooks/webhooks.ts';
import type { Webhook, WebhookDeliveries, WebhookDelivery, WebhookWithSecret } from '../../contract/webhooks.ts';
import { presentTime } from './time.ts';

export function presentWebhook({ ownerId: _, ...webhook }: WebhookInfo): Webhook {
  const { lastTriggeredAt, lastSuccessAt, lastFailureAt, previousSecretUntil, createdAt } = webhook;
  return {
    ...webhook,
    lastTriggeredAt: presentTime(lastTriggeredAt),
    lastSuccessAt: presentTime(lastSuccessAt),
    lastFailureAt: presentTime(lastFailureAt),
    previousSecretUntil: presentTime(previousSecretUntil),
    createdAt: presentTime(createdAt),
  };
}

export function presentWithSecret({ webhook, secret }: CreatedWebhook): WebhookWithSecret {
  return { success: true, rawSecret: secret, webhook: presentWebhook(webhook) };
}

export function presentDelivery(delivery: DeliveryRecord): WebhookDelivery {
  const { createdAt, nextRetryAt } = delivery;
  return { ...delivery, createdAt: presentTime(createdAt), nextRetryAt: presentTime(nextRetryAt) };
}

export function presentDeliveries({ deliveries, ...page }: DeliveryRecords): WebhookDeliveries {
  return { deliveries: deliveries.map(presentDelivery), ...page };
}
