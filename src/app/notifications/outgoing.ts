/**
 * Converts an automation's notification request to the texts for channels, within limits that every channel can show.
 */
import type { OutgoingNotification } from '../../home/notification-channel.ts';
import type { Json } from '../../kernel/json.ts';
import { parseUrl } from '../../kernel/parse-url.ts';
import type { NotificationRequest } from './notifier.ts';

export const MAX_TITLE_LENGTH = 250;
export const MAX_MESSAGE_LENGTH = 4_096;
/** ntfy shows tags in one line; more is a mistake. */
const MAX_TAGS = 16;
const MAX_TAG_LENGTH = 64;
const MAX_URL_LENGTH = 2_048;

/** ntfy's names of its five priorities. */
const PRIORITIES: Readonly<Record<string, number>> = {
  min: 1,
  low: 2,
  default: 3,
  high: 4,
  urgent: 5,
  max: 5,
};

/**
 * @param at milliseconds since the epoch. `data` may have `priority` (1–5, or ntfy's name), `tags` (texts) and `click`
 *   (a URL). Other keys are ignored, not rejected: an alarm with an unknown key is better than none.
 */
export function toOutgoing({ title, message, icon, data }: NotificationRequest, at: number): OutgoingNotification {
  const extras = isObject(data) ? data : {};
  return {
    title: oneLine(title ?? '') || null,
    message: cut(wholeCharacters(message).replace(/\r\n?/g, '\n').replace(UNPRINTABLE, ' '), MAX_MESSAGE_LENGTH),
    at,
    priority: parsePriority(extras.priority),
    tags: parseTags(extras.tags),
    iconUrl: webAddress(icon),
    clickUrl: webAddress(extras.click),
    buttons: [],
  };
}

/** Control characters except tab and line feed. */
const UNPRINTABLE = /[^\P{Cc}\t\n]/gu;

/** A title is a single line when displayed, and a header in transport. */
function oneLine(text: string): string {
  return cut(
    wholeCharacters(text)
      .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .trim(),
    MAX_TITLE_LENGTH,
  );
}

/** Lone surrogates, which UTF-8 cannot encode, become the replacement character. */
function wholeCharacters(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Shortens a text with an ellipsis, without splitting a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Where a tap leads: what the automation names, else its device, else the automation itself. */
export function linkOf({ accessoryId, automationId }: NotificationRequest, clickUrl: string | null): string | null {
  if (clickUrl !== null) return clickUrl;
  if (accessoryId) return `/accessories/${accessoryId}`;
  return automationId === null ? null : `/automations/flows/${automationId}`;
}

function parsePriority(input: Json | undefined): number | null {
  const priority = typeof input === 'string' ? (PRIORITIES[input.toLowerCase()] ?? Number(input)) : input;
  return typeof priority === 'number' && Number.isInteger(priority) && priority >= 1 && priority <= 5 ? priority : null;
}

function parseTags(input: Json | undefined): readonly string[] {
  const tags = typeof input === 'string' ? input.split(',') : Array.isArray(input) ? input : [];
  return tags
    .filter((tag): tag is string => typeof tag === 'string')
    .map((tag) => oneLine(tag))
    .filter((tag) => tag !== '' && tag.length <= MAX_TAG_LENGTH)
    .slice(0, MAX_TAGS);
}

function webAddress(input: Json | undefined): string | null {
  const url = typeof input === 'string' && input.length <= MAX_URL_LENGTH ? parseUrl(input) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null;
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
