/** Common parts of the webhook commands: the lookup of a webhook, and its event options. */
import type { Webhook } from '../../contract/webhooks.ts';
import { repeated } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import type { Options } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { findThing } from '../find-things.ts';
import { requireOne } from '../require-one.ts';
import type { ResourceRow } from '../resource-commands.ts';

export const WEBHOOKS = '/rest/webhooks';

export const WEBHOOK: ResourceRow<Webhook> = {
  argument: ['<webhook>', 'name or id'],
  async find(api, text) {
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
  },
  path: ({ id }) => `${WEBHOOKS}/${id}`,
};

/** The common options of `create` and `update`. */
export const WEBHOOK_OPTIONS = [
  ['--event <type>', 'event type from hearthd webhook event-types (repeatable; default: all)', repeated],
  ['--home <home>', 'only this home (repeatable)', repeated],
  ['--room <room>', 'only this room (repeatable)', repeated],
  ['--accessory <accessory>', 'only this accessory (repeatable)', repeated],
  ['--collection <collection>', 'only accessories of this collection (repeatable)', repeated],
  ['--retries <number>', 'attempts after the first one, 0 to 10 (default: 3)'],
  ['--rate-limit <number>', 'deliveries per minute, 1 to 1000, or none (default: 60)'],
  ['--timeout <seconds>', 'timeout of an attempt, 1 to 120 (default: 30)'],
] as const;

type WebhookOptions = Options<typeof WEBHOOK_OPTIONS> & { readonly everywhere?: true };

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
