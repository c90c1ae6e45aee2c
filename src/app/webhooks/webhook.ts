/**
 * Outgoing webhooks (API §6.1): whom the house tells of what happens in it. This folder has them as things that people manage
 * (`webhooks.ts`), what of the house each hears of (`webhook-scope.ts`), and the deliveries, which live in SQLite before they are
 * attempted. Incoming webhooks, which start automations, are `app/automations/incoming-webhooks.ts`.
 */
import { randomBytes } from 'node:crypto';
import { REPORTED_EVENTS, type ReportedEvent } from '../../home/event-reports.ts';

export const WEBHOOK_STATUSES = ['active', 'paused', 'disabled'] as const;
/** `disabled` is the relay's doing: its receiver failed too often, or said that it is gone (decisions §9). */
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** In the place of all event types. */
export const EVERY_EVENT = '*';
/** Sent when somebody asks for it, to the one webhook that is meant, whatever it subscribes to. */
export const TEST_EVENT = 'webhook.test';

/** Which of the house's events it hears of. A list that is not empty narrows all others; what is gone stays in it and matches nothing. */
export interface WebhookLists {
  readonly homeIds: readonly string[];
  readonly roomIds: readonly string[];
  readonly accessoryIds: readonly string[];
  readonly collectionIds: readonly string[];
}

/** What its maker chooses. */
export interface WebhookChoices extends WebhookLists {
  readonly name: string;
  /** `http` or `https`, as it was typed. */
  readonly url: string;
  /** Or `*` alone. */
  readonly eventTypes: readonly string[];
  /** Attempts after the first one. */
  readonly maxRetries: number;
  /** `null`: no limit. */
  readonly rateLimitPerMinute: number | null;
  readonly timeoutMs: number;
}

/** What the deliveries make of it. Times in milliseconds since the epoch. */
export interface WebhookProgress {
  readonly status: WebhookStatus;
  /** Deliveries whose attempts were used up, since the last success. */
  readonly consecutiveFailures: number;
  /** Deliveries that the queue had no room for. */
  readonly droppedCount: number;
  readonly lastTriggeredAt: number | null;
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  readonly lastFailureReason: string | null;
}

/** A webhook as it is stored. Never logged and never shown: it has its secrets. */
export interface Webhook extends WebhookChoices, WebhookProgress {
  /** UUID, lower case. */
  readonly id: string;
  readonly secret: string;
  /** Signs beside `secret` until then. */
  readonly previousSecret: string | null;
  readonly previousSecretUntil: number | null;
  /** The user whose it is; `null` for one made by the CLI or by a token of it. */
  readonly ownerId: string | null;
  readonly createdAt: number;
}

/** A webhook as it may be shown. */
export interface WebhookInfo extends Omit<Webhook, 'secret' | 'previousSecret'> {
  readonly secretPrefix: string;
  /** Deliveries that wait. */
  readonly queuedCount: number;
}

const SECRET_BYTES = 32;
/** `whsec_` and six characters: enough to tell secrets apart, far too few to guess the rest. */
const PREFIX_LENGTH = 12;

/** `whsec_` and the base64 of 32 random bytes, as the Standard Webhooks specification writes keys. */
export function generateSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

function secretPrefix(secret: string): string {
  return `${secret.slice(0, PREFIX_LENGTH)}...`;
}

/** The webhook without what only we and its receiver may know. */
export function presentableWebhook(webhook: Webhook, queuedCount: number): WebhookInfo {
  const { secret, previousSecret: _, ...info } = webhook;
  return { ...info, secretPrefix: secretPrefix(secret), queuedCount };
}

/** A type of event that a webhook can subscribe to, as clients list them (wire-facts §4.3). */
export interface EventTypeInfo {
  readonly eventType: string;
  readonly displayName: string;
  readonly description: string;
  readonly category: string;
}

/** What people are shown beside each type. */
const SHOWN_AS: Readonly<Record<ReportedEvent, Pick<EventTypeInfo, 'displayName' | 'category'>>> = {
  'state.changed': { displayName: 'State Changed', category: 'Device' },
  'accessory.reachability_changed': { displayName: 'Reachability Changed', category: 'Device' },
  'accessory.added': { displayName: 'Accessory Added', category: 'Device' },
  'accessory.removed': { displayName: 'Accessory Removed', category: 'Device' },
  'scene.executed': { displayName: 'Scene Executed', category: 'Scene' },
  'automation.fired': { displayName: 'Automation Fired', category: 'Automation' },
  'automation.failed': { displayName: 'Automation Failed', category: 'Automation' },
  'relay.started': { displayName: 'Relay Started', category: 'Relay' },
};

/** Every type of event, `*` aside. */
export const EVENT_TYPES: readonly EventTypeInfo[] = [
  ...(Object.keys(SHOWN_AS) as ReportedEvent[]).map((eventType) => ({
    eventType,
    description: REPORTED_EVENTS[eventType],
    ...SHOWN_AS[eventType],
  })),
  {
    eventType: TEST_EVENT,
    displayName: 'Test',
    description: 'Somebody tests the webhook; sent to it whatever it subscribes to',
    category: 'Webhook',
  },
];
