/** The body that a receiver gets (wire-facts §5 item 2). */

import { randomBytes } from 'node:crypto';
import { isoTime } from '../../kernel/iso-time.ts';

const VERSION = '1.0';
const EVENT_ID_BYTES = 8;

export interface BodyContent {
  readonly eventId: string;
  readonly eventType: string;
  readonly webhook: { readonly id: string; readonly name: string };
  /** JSON. */
  readonly data: string;
  /** The time of this attempt. */
  readonly at: number;
  /** When the event occurred. */
  readonly occurredAt: number;
}

/** Contains no full stop: the signature joins ids with full stops (Standard Webhooks, "Signature scheme"). */
export function newEventId(): string {
  return `evt_${randomBytes(EVENT_ID_BYTES).toString('hex')}`;
}

/** `occurred_at` is the relay's own field: a delayed delivery still states when the event occurred. */
export function deliveryBody({ eventId, eventType, webhook, data, at, occurredAt }: BodyContent): string {
  return JSON.stringify({
    id: eventId,
    type: eventType,
    timestamp: isoTime(at),
    webhook_id: webhook.id,
    data: JSON.parse(data),
    metadata: {
      webhook_version: VERSION,
      webhook_name: webhook.name,
      occurred_at: isoTime(occurredAt),
    },
  });
}
