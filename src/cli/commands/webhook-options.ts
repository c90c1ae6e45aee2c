/** Common parts of the webhook commands: the lookup of a webhook, and its event options. */
import type { Command } from 'commander';
import type { Webhook } from '../../contract/webhooks.ts';
import { repeated } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { usageError } from '../exit-codes.ts';
import { requireOne } from '../require-one.ts';
import { findThing } from '../shared-things.ts';

export const WEBHOOKS = '/rest/webhooks';
export const WEBHOOK_ARGUMENT = ['<webhook>', 'name or id'] as const;

export interface WebhookOptions {
  readonly name?: string;
  readonly url?: string;
  readonly event?: readonly string[];
  readonly home?: readonly string[];
  readonly room?: readonly string[];
  readonly accessory?: readonly string[];
  readonly collection?: readonly string[];
  readonly everywhere?: true;
  readonly retries?: string;
  readonly rateLimit?: string;
  readonly timeout?: string;
}

export function withChoices(command: Command): Command {
  return command
    .option('--event <type>', 'event type from hearthd webhook event-types (repeatable; default: all)', repeated)
    .option('--home <home>', 'only this home (repeatable)', repeated)
    .option('--room <room>', 'only this room (repeatable)', repeated)
    .option('--accessory <accessory>', 'only this accessory (repeatable)', repeated)
    .option('--collection <collection>', 'only accessories of this collection (repeatable)', repeated)
    .option('--retries <number>', 'attempts after the first one, 0 to 10 (default: 3)')
    .option('--rate-limit <number>', 'deliveries per minute, 1 to 1000, or none (default: 60)')
    .option('--timeout <seconds>', 'timeout of an attempt, 1 to 120 (default: 30)');
}

/** The options in the API's form; omitted options are absent. @throws `CliError` */
export async function choicesOf(options: WebhookOptions, api: ApiClient): Promise<object> {
  const { event, everywhere, retries, rateLimit, timeout } = options;
  const listOf = async (kind: string, texts: readonly string[] | undefined): Promise<readonly string[] | undefined> => {
    if (texts === undefined) return everywhere ? [] : undefined;
    return Promise.all(texts.map(async (text) => (await findThing(kind, text, api)).entityId));
  };
  return {
    eventTypes: event,
    homeIds: await listOf('home', options.home),
    roomIds: await listOf('room', options.room),
    accessoryIds: await listOf('accessory', options.accessory),
    collectionIds: await listOf('collection', options.collection),
    maxRetries: retries === undefined ? undefined : numberOf(retries, '--retries'),
    rateLimitPerMinute:
      rateLimit === undefined ? undefined : rateLimit === 'none' ? null : numberOf(rateLimit, '--rate-limit'),
    timeoutMs: timeout === undefined ? undefined : Math.round(numberOf(timeout, '--timeout') * 1_000),
  };
}

/** The daemon validates the range. */
function numberOf(text: string, flag: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(number)) return number;
  throw usageError(`${flag} takes a number, not "${text}".`);
}

/** Finds a webhook by its id, or by its name if it is unique. @throws `CliError` */
export async function findWebhook(text: string, api: ApiClient): Promise<Webhook> {
  const webhooks = await api.get<Webhook[]>(WEBHOOKS);
  const wanted = text.trim().toLowerCase();
  const byId = webhooks.find(({ id }) => id === wanted);
  if (byId) return byId;
  const namesakes = webhooks.filter(({ name }) => name.toLowerCase() === wanted);
  return requireOne(namesakes, text, {
    noun: 'webhook',
    code: 'webhook_not_found',
    none: `No webhook "${text}".`,
    shownBy: 'hearthd webhook list lists them.',
    names: webhooks.map(({ name }) => name),
    lineOf: ({ id, url }) => `${id}   (${url})`,
  });
}
