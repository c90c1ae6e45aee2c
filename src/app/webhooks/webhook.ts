/**
 * Outgoing webhooks (API §6.1): they notify other services of events of the home. This folder contains their management
 * (`webhooks.ts`), the events that each gets (`webhook-scope.ts`), and the deliveries, which are saved in SQLite before
 * they are attempted. Incoming webhooks, which start automations, are in `app/automations/incoming-webhooks.ts`.
 */
import { randomBytes } from 'node:crypto';
import { TEST_EVENT, type WebhookChoices, type WebhookEventType, type WebhookStatus } from '../../contract/webhooks.ts';
import { REPORTED_EVENTS, type ReportedEvent } from '../../home/event-reports.ts';

/** The progress of its deliveries. Times in milliseconds since the epoch. */
export interface WebhookProgress {
  readonly status: WebhookStatus;
  /** Deliveries that failed after all attempts, since the last success. */
  readonly consecutiveFailures: number;
  /** Deliveries dropped because the queue was full. */
  readonly droppedCount: number;
  readonly lastTriggeredAt: number | null;
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  readonly lastFailureReason: string | null;
}

/** A webhook as stored. Never logged and never shown: it contains its secrets. */
export interface Webhook extends WebhookChoices, WebhookProgress {
  /** UUID, lower case. */
  readonly id: string;
  readonly secret: string;
  /** Signs in addition to `secret` until then. */
  readonly previousSecret: string | null;
  readonly previousSecretUntil: number | null;
  /** The owner's user id; `null` if the CLI or one of its tokens created it. */
  readonly ownerId: string | null;
  readonly createdAt: number;
}

/** A webhook without secrets. */
export interface WebhookInfo extends Omit<Webhook, 'secret' | 'previousSecret'> {
  readonly secretPrefix: string;
  /** Queued deliveries. */
  readonly queuedCount: number;
}

const SECRET_BYTES = 32;
/** `whsec_` and six characters: enough to distinguish secrets, too few to guess the rest. */
const PREFIX_LENGTH = 12;

/** `whsec_` and the base64 of 32 random bytes, as the Standard Webhooks specification writes keys. */
export function generateSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

function secretPrefix(secret: string): string {
  return `${secret.slice(0, PREFIX_LENGTH)}...`;
}

/** Returns the webhook without its secrets. */
export function presentableWebhook(webhook: Webhook, queuedCount: number): WebhookInfo {
  const { secret, previousSecret: _, ...info } = webhook;
  return { ...info, secretPrefix: secretPrefix(secret), queuedCount };
}

/** The name and category of each type, as shown to people. */
const SHOWN_AS: Readonly<Record<ReportedEvent, Pick<WebhookEventType, 'displayName' | 'category'>>> = {
  'state.changed': { displayName: 'State Changed', category: 'Device' },
  'accessory.reachability_changed': { displayName: 'Reachability Changed', category: 'Device' },
  'accessory.added': { displayName: 'Accessory Added', category: 'Device' },
  'accessory.removed': { displayName: 'Accessory Removed', category: 'Device' },
  'scene.executed': { displayName: 'Scene Executed', category: 'Scene' },
  'automation.fired': { displayName: 'Automation Fired', category: 'Automation' },
  'automation.failed': { displayName: 'Automation Failed', category: 'Automation' },
  'relay.started': { displayName: 'Relay Started', category: 'Relay' },
};

/** All event types except `*`. */
export const EVENT_TYPES: readonly WebhookEventType[] = [
  ...(Object.keys(SHOWN_AS) as ReportedEvent[]).map((eventType) => ({
    eventType,
    description: REPORTED_EVENTS[eventType],
    ...SHOWN_AS[eventType],
  })),
  {
    eventType: TEST_EVENT,
    displayName: 'Test',
    description: 'A person tests the webhook; sent regardless of its subscriptions',
    category: 'Webhook',
  },
];
