/** What a receiver gets to read (wire-facts §5 item 2). */
import { randomBytes } from 'node:crypto';

const VERSION = '1.0';
const EVENT_ID_BYTES = 8;

export interface BodyContent {
  readonly eventId: string;
  readonly eventType: string;
  readonly webhook: { readonly id: string; readonly name: string };
  /** JSON. */
  readonly data: string;
  /** When it is sent: each attempt says its own. */
  readonly at: number;
  /** When it happened. */
  readonly occurredAt: number;
}

/** Has no full stop in it: ids are signed with stops between them (Standard Webhooks, "Signature scheme"). */
export function newEventId(): string {
  return `evt_${randomBytes(EVENT_ID_BYTES).toString('hex')}`;
}

/** `occurred_at` is ours: a delivery that had to wait says when it happened all the same. */
export function deliveryBody({ eventId, eventType, webhook, data, at, occurredAt }: BodyContent): string {
  return JSON.stringify({
    id: eventId,
    type: eventType,
    timestamp: new Date(at).toISOString(),
    webhook_id: webhook.id,
    data: JSON.parse(data),
    metadata: {
      webhook_version: VERSION,
      webhook_name: webhook.name,
      occurred_at: new Date(occurredAt).toISOString(),
    },
  });
}
