import type { DeliveryRecord } from '../../app/webhooks/delivery.ts';
import type { WebhookInfo } from '../../app/webhooks/webhook.ts';
import type { DeliveryPage } from '../../app/webhooks/webhooks.ts';
import { presentTime } from './time.ts';

export function presentWebhook({ ownerId: _, ...webhook }: WebhookInfo): object {
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

export function presentDelivery(delivery: DeliveryRecord): object {
  const { createdAt, nextRetryAt } = delivery;
  return { ...delivery, createdAt: presentTime(createdAt), nextRetryAt: presentTime(nextRetryAt) };
}

export function presentDeliveries({ deliveries, ...page }: DeliveryPage): object {
  return { deliveries: deliveries.map(presentDelivery), ...page };
}
