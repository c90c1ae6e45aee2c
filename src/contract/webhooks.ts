/** Outgoing webhooks (API §6.1), their deliveries (wire-facts §5) and the types of events that they get (§4.3). */
import { z } from 'zod';
import { REPORTED_EVENTS } from '../home/event-reports.ts';
import {
  MAX_WEBHOOK_NAME_LENGTH,
  WEBHOOK_DEFAULTS,
  WEBHOOK_RATE,
  WEBHOOK_RETRIES,
  WEBHOOK_TIMEOUT_MS,
} from '../home/vocabulary/limits.ts';
import { parseUrl } from '../kernel/parse-url.ts';
import {
  checked,
  flag,
  id,
  integer,
  limit,
  name,
  offset,
  success,
  text,
  texts,
  time,
  unknownWord,
  whole,
  word,
} from './fields.ts';
import type { Input, Output } from './parse.ts';

/** Stands for all event types. */
export const EVERY_EVENT = '*';
/** Sent on request, to one webhook, regardless of its subscriptions. */
export const TEST_EVENT = 'webhook.test';
const EVENT_WORDS = [EVERY_EVENT, ...Object.keys(REPORTED_EVENTS), TEST_EVENT];

/** The relay sets `disabled`: the receiver failed too often, or answered that it is gone (decisions §9). */
const Status = word(
  ['active', 'paused', 'disabled'],
  '`disabled`: its receiver failed too often, or answered that it is gone.',
);
export type WebhookStatus = z.output<typeof Status>;

const DeliveryStatus = word(
  ['pending', 'retrying', 'success', 'failed', 'dead_letter'],
  '`dead_letter`: it will not be sent any more.',
);
export type DeliveryStatus = z.output<typeof DeliveryStatus>;

const MAX_URL_CHARACTERS = 2_048;

/** @returns why it can't be the address of a receiver */
function urlError(url: string): string | null {
  if (url.length > MAX_URL_CHARACTERS) return `it takes at most ${MAX_URL_CHARACTERS} characters`;
  // The URL standard drops line breaks and tabs and replaces backslashes, so a person would read another URL than is
  // requested.
  const parsed = /[\s\p{Cc}\\]/u.test(url) ? undefined : parseUrl(url);
  if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) {
    return 'it takes a whole http or https address, such as https://example.com/hook';
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return 'leave the user name and the password out, for the address is shown to people';
  }
  return url.includes('#') ? 'leave out what begins with #, for it is never sent' : null;
}

function eventTypesError(types: readonly string[]): string | null {
  const unknown = types.find((type) => !EVENT_WORDS.includes(type));
  return unknown === undefined ? null : unknownWord(unknown, EVENT_WORDS);
}

const ids = (description: string, examples?: readonly string[]) =>
  texts(description, examples).transform((given) => [...new Set(given.map((one) => one.toLowerCase()))]);

/** What its maker chooses. A non-empty list restricts; its deleted entries stay in it and match nothing. */
const CHOICES = {
  name: name('Webhook name', { max: MAX_WEBHOOK_NAME_LENGTH, example: 'Alarm' }),
  /** Kept as typed: each delivery parses it in the same way. */
  url: checked(
    text(
      'An http or https address in the local network or on the internet, without a user name or a password. The relay’s own computer only with `webhooks_allow_loopback`; with `webhooks_public_only` nothing in the local network.',
      'http://192.168.1.20:8080/hook',
    ).trim(),
    urlError,
  ),
  /** Or `*` alone. */
  eventTypes: checked(
    texts('The event types that it gets, or `*` alone for all.', ['state.changed']),
    eventTypesError,
  ).transform((given) => (given.length === 0 || given.includes(EVERY_EVENT) ? [EVERY_EVENT] : given)),
  homeIds: ids('Only events of these homes; empty: any.'),
  roomIds: ids('Only events in these rooms; empty: any.'),
  accessoryIds: ids('Only events of these accessories; empty: any.'),
  collectionIds: ids('Only events of accessories in one of these collections, of a group by its members; empty: any.'),
  maxRetries: whole(WEBHOOK_RETRIES, 'Attempts after the first.'),
  rateLimitPerMinute: whole(WEBHOOK_RATE, 'Maximum deliveries per minute; the others wait. Null: no limit.').nullable(),
  timeoutMs: whole(WEBHOOK_TIMEOUT_MS, 'Maximum duration of an attempt, in milliseconds.'),
};

/** `null` means the default, as clients send it for an omitted list. */
const orNone = <S extends z.ZodType<readonly string[]>>(list: S, none: readonly string[] = []) =>
  list.nullable().transform((given): readonly string[] => given ?? none);

const LISTS = {
  eventTypes: orNone(CHOICES.eventTypes, [EVERY_EVENT]),
  homeIds: orNone(CHOICES.homeIds),
  roomIds: orNone(CHOICES.roomIds),
  accessoryIds: orNone(CHOICES.accessoryIds),
  collectionIds: orNone(CHOICES.collectionIds),
};

export const NewWebhook = z.strictObject({
  ...CHOICES,
  eventTypes: LISTS.eventTypes.default([EVERY_EVENT]),
  homeIds: LISTS.homeIds.default([]),
  roomIds: LISTS.roomIds.default([]),
  accessoryIds: LISTS.accessoryIds.default([]),
  collectionIds: LISTS.collectionIds.default([]),
  maxRetries: CHOICES.maxRetries.default(WEBHOOK_DEFAULTS.maxRetries),
  rateLimitPerMinute: CHOICES.rateLimitPerMinute.default(WEBHOOK_DEFAULTS.rateLimitPerMinute),
  timeoutMs: CHOICES.timeoutMs.default(WEBHOOK_DEFAULTS.timeoutMs),
});
export type NewWebhook = Input<typeof NewWebhook>;
export type WebhookChoices = Output<typeof NewWebhook>;
/** Filters of the home's events. */
export type WebhookLists = Pick<WebhookChoices, 'homeIds' | 'roomIds' | 'accessoryIds' | 'collectionIds'>;

/** Absent fields stay. */
export const WebhookChanges = z.strictObject({ ...CHOICES, ...LISTS }).partial();
export type WebhookChanges = Input<typeof WebhookChanges>;

export const Webhook = z
  .object({
    id: id(),
    secretPrefix: text('The first twelve characters of its secret, to distinguish it from others.', 'whsec_3fK9xQ...'),
    status: Status,
    ...CHOICES,
    consecutiveFailures: integer('Deliveries that failed after all attempts, since the last success.'),
    droppedCount: integer('Deliveries that were dropped because the queue was full.'),
    queuedCount: integer('Deliveries in its queue.'),
    lastTriggeredAt: time('When an event was last queued for it.').nullable(),
    lastSuccessAt: time('When its receiver last accepted a delivery.').nullable(),
    lastFailureAt: time('When an attempt last failed.').nullable(),
    lastFailureReason: text('Why, as a sentence.').nullable(),
    previousSecretUntil: time('Until when the secret before the last rotation signs, too.').nullable(),
    createdAt: time('When it was created.'),
  })
  .meta({ id: 'Webhook' });
export type Webhook = Output<typeof Webhook>;

export const WebhookWithSecret = success({
  rawSecret: text('The whole secret, which signs deliveries. It is never shown again.', 'whsec_3fK9xQ…'),
  webhook: Webhook,
});

export type WebhookWithSecret = Output<typeof WebhookWithSecret>;

export const WebhookDelivery = z
  .object({
    id: text('As in `X-Homecast-Delivery`, the same at each attempt.', '7a8b9c0d-1e2f-4a3b-8c4d-5e6f7a8b9c0d'),
    webhookId: id(),
    eventType: text('`state.changed` …', 'state.changed'),
    eventId: text('As `id` in the body.', 'evt_5f3f0d2c7b180f8b'),
    status: DeliveryStatus,
    attemptNumber: integer('Attempts made.', 1),
    maxAttempts: integer('Maximum attempts.', 4),
    responseStatusCode: integer('The status of the last response; null if there was none.', 503).nullable(),
    responseBody: text('The beginning of the last response.').nullable(),
    latencyMs: integer('The duration of the last attempt, in milliseconds.', 12).nullable(),
    errorMessage: text('Why the last attempt failed.', 'HTTP 503').nullable(),
    createdAt: time('When it was queued.'),
    nextRetryAt: time('When it is tried again.').nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = Output<typeof WebhookDelivery>;

export const WebhookDeliveries = z.object({
  deliveries: z.array(WebhookDelivery),
  total: integer('The total number.', 1),
  offset: integer('How many were skipped.'),
  limit: integer('The maximum number in this page.', 50),
});

export type WebhookDeliveries = Output<typeof WebhookDeliveries>;

export const WebhookTest = z.object({
  success: flag('Whether the receiver accepted it (2xx).', true),
  statusCode: integer('The status of the response; null if there was none.', 204).nullable(),
  responseTimeMs: integer('How long it took, in milliseconds.', 12).nullable(),
  error: text('Why it failed.').nullable(),
});
export type WebhookTest = Output<typeof WebhookTest>;

export const DeletedWebhook = success({ webhookId: id() });

export const WebhookEventType = z
  .object({
    eventType: text('As in `eventTypes`.', 'scene.executed'),
    displayName: text('For people.', 'Scene Executed'),
    description: text('When it occurs.', REPORTED_EVENTS['scene.executed']),
    category: text('`Device`, `Scene` …', 'Scene'),
  })
  .meta({ id: 'WebhookEventType' });
export type WebhookEventType = Output<typeof WebhookEventType>;

/** wire-facts §4.3. */
const MAX_PAGE_SIZE = 500;

export const WebhookPage = z.strictObject({
  status: Status.optional(),
  limit: limit(MAX_PAGE_SIZE).optional(),
  offset: offset(),
});
export type WebhookPage = Input<typeof WebhookPage>;
export const DeliveryPage = z.strictObject({
  status: DeliveryStatus.optional(),
  limit: limit(MAX_PAGE_SIZE).default(50),
  offset: offset(),
});
export type DeliveryPage = Input<typeof DeliveryPage>;
