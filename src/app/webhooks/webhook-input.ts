/** Parses and validates what clients send about a webhook (wire-facts §5). */
import { parseName } from '../../home/names.ts';
import { shorten } from '../../home/vocabulary/values.ts';
import { HearthError } from '../../kernel/errors.ts';
import { nearest } from '../../kernel/nearest.ts';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery.ts';
import {
  EVENT_TYPES,
  EVERY_EVENT,
  WEBHOOK_STATUSES,
  type WebhookChoices,
  type WebhookLists,
  type WebhookStatus,
} from './webhook.ts';

/**
 * The input as the client sent it. In a new webhook, `null` and absent fields get their default, but a `null`
 * `rateLimitPerMinute` is no limit.
 */
export interface NewWebhook {
  readonly name: unknown;
  readonly url: unknown;
  /** `*`, alone or with others, means all types; so does an empty list. */
  readonly eventTypes?: unknown;
  readonly homeIds?: unknown;
  readonly roomIds?: unknown;
  readonly accessoryIds?: unknown;
  readonly collectionIds?: unknown;
  readonly maxRetries?: unknown;
  readonly rateLimitPerMinute?: unknown;
  readonly timeoutMs?: unknown;
}

/** Absent fields stay. */
export type WebhookChanges = Partial<NewWebhook>;

/** The rules for this caller's lists and URLs. */
export interface InputRules {
  /** The error why the relay would not send to this URL, as a whole sentence; `null` if it may. */
  judge(url: string): string | null;
  /** @throws an error for the field: the target does not exist, or the caller does not manage it */
  requireTarget(list: keyof WebhookLists, id: string): void;
}

const MAX_NAME_CHARACTERS = 100;
const MAX_URL_CHARACTERS = 2_048;
/** For more, a home or a room is the better filter. */
const MAX_LISTED = 500;

/** Bounds and defaults: wire-facts §5 item 5. */
const MAX_RETRIES = { from: 0, to: 10, fallback: 3 };
const RATE_LIMIT_PER_MINUTE = { from: 1, to: 1_000, fallback: 60 };
const TIMEOUT_MS = { from: 1_000, to: 120_000, fallback: 30_000 };

const LISTS = ['homeIds', 'roomIds', 'accessoryIds', 'collectionIds'] as const;

/** Parses all choices of a new webhook. @throws `invalid_value`, or what `rules` throw */
export function parseNewWebhook(input: NewWebhook, rules: InputRules): WebhookChoices {
  const { maxRetries, rateLimitPerMinute, timeoutMs } = input;
  return {
    name: parseName(input.name, 'Webhook name', MAX_NAME_CHARACTERS),
    url: parseUrl(input.url, rules),
    eventTypes: parseEventTypes(input.eventTypes),
    homeIds: parseIds(input.homeIds, 'homeIds', rules, []),
    roomIds: parseIds(input.roomIds, 'roomIds', rules, []),
    accessoryIds: parseIds(input.accessoryIds, 'accessoryIds', rules, []),
    collectionIds: parseIds(input.collectionIds, 'collectionIds', rules, []),
    maxRetries: parseWhole(maxRetries ?? MAX_RETRIES.fallback, 'maxRetries', MAX_RETRIES),
    rateLimitPerMinute: parseRateLimit(
      rateLimitPerMinute === undefined ? RATE_LIMIT_PER_MINUTE.fallback : rateLimitPerMinute,
    ),
    timeoutMs: parseWhole(timeoutMs ?? TIMEOUT_MS.fallback, 'timeoutMs', TIMEOUT_MS),
  };
}

/**
 * Parses the changed choices.
 * @param before its ids stay valid even while what they name does not exist.
 * @throws as `parseNewWebhook`
 */
export function parseWebhookChanges(
  input: WebhookChanges,
  before: WebhookLists,
  rules: InputRules,
): Partial<WebhookChoices> {
  const { name, url, eventTypes, maxRetries, rateLimitPerMinute, timeoutMs } = input;
  return {
    ...(name !== undefined && { name: parseName(name, 'Webhook name', MAX_NAME_CHARACTERS) }),
    ...(url !== undefined && { url: parseUrl(url, rules) }),
    ...(eventTypes !== undefined && { eventTypes: parseEventTypes(eventTypes) }),
    ...parseChangedLists(input, before, rules),
    ...(maxRetries !== undefined && { maxRetries: parseWhole(maxRetries, 'maxRetries', MAX_RETRIES) }),
    ...(rateLimitPerMinute !== undefined && { rateLimitPerMinute: parseRateLimit(rateLimitPerMinute) }),
    ...(timeoutMs !== undefined && { timeoutMs: parseWhole(timeoutMs, 'timeoutMs', TIMEOUT_MS) }),
  };
}

/** @throws `invalid_value` */
export function parseWebhookStatus(input: unknown): WebhookStatus {
  return parseWord(input, WEBHOOK_STATUSES, 'status');
}

/** @throws `invalid_value` */
export function parseDeliveryStatus(input: unknown): DeliveryStatus {
  return parseWord(input, DELIVERY_STATUSES, 'status');
}

/** @throws `invalid_value` not a whole number within the bounds */
export function parseWhole(input: unknown, field: string, { from, to }: { from: number; to: number }): number {
  if (typeof input === 'number' && Number.isInteger(input) && input >= from && input <= to) return input;
  throw invalid(field, `it takes a whole number from ${from} to ${to}`);
}

function parseRateLimit(input: unknown): number | null {
  return input === null ? null : parseWhole(input, 'rateLimitPerMinute', RATE_LIMIT_PER_MINUTE);
}

/** Kept as typed: each delivery parses it in the same way as here. */
function parseUrl(input: unknown, rules: InputRules): string {
  const text = typeof input === 'string' ? input.trim() : '';
  if (text.length > MAX_URL_CHARACTERS) throw invalid('url', `it takes at most ${MAX_URL_CHARACTERS} characters`);
  // The URL standard drops line breaks and tabs and replaces backslashes, so a person would read another URL than is
  // requested.
  const url = !/[\s\p{Cc}\\]/u.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw invalid('url', 'it takes a whole http or https address, such as https://example.com/hook');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('url', 'leave the user name and the password out, for the address is shown to people');
  }
  if (text.includes('#')) throw invalid('url', 'leave out what begins with #, for it is never sent');
  const refusal = rules.judge(text);
  if (refusal !== null) throw invalid('url', refusal);
  return text;
}

function parseEventTypes(input: unknown): readonly string[] {
  const given = parseTexts(input, 'eventTypes');
  const known = [EVERY_EVENT, ...EVENT_TYPES.map(({ eventType }) => eventType)];
  for (const type of given) if (!known.includes(type)) throw unknownWord(type, known, 'eventTypes');
  return given.length === 0 || given.includes(EVERY_EVENT) ? [EVERY_EVENT] : given;
}

function parseChangedLists(input: WebhookChanges, before: WebhookLists, rules: InputRules): Partial<WebhookLists> {
  const changed = LISTS.filter((list) => input[list] !== undefined);
  return Object.fromEntries(changed.map((list) => [list, parseIds(input[list], list, rules, before[list])]));
}

/** @param known ids that need not exist any more. */
function parseIds(input: unknown, list: keyof WebhookLists, rules: InputRules, known: readonly string[]) {
  const ids = new Set(parseTexts(input, list).map((id) => id.toLowerCase()));
  for (const id of ids) if (!known.includes(id)) rules.requireTarget(list, id);
  return [...ids];
}

/** Removes duplicates and keeps the order; absent means empty. */
function parseTexts(input: unknown, field: string): readonly string[] {
  if (input === undefined || input === null) return [];
  if (!Array.isArray(input) || !input.every((one): one is string => typeof one === 'string')) {
    throw invalid(field, 'it takes a list of texts');
  }
  if (input.length > MAX_LISTED) throw invalid(field, `it takes at most ${MAX_LISTED}`);
  return [...new Set(input.map((one) => one.trim()))];
}

function parseWord<T extends string>(input: unknown, words: readonly T[], field: string): T {
  const word = words.find((one) => one === input);
  if (word !== undefined) return word;
  throw unknownWord(typeof input === 'string' ? input : '', words, field);
}

function unknownWord(word: string, known: readonly string[], field: string): HearthError {
  const meant = nearest(word, known);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return invalid(field, `"${shorten(word)}" is none of ${known.join(', ')}`, hint);
}

function invalid(field: string, reason: string, hint = ''): HearthError {
  return new HearthError('invalid_value', `Invalid value for ${field}: ${reason}.${hint}`, { field });
}
