import type { Webhook, WebhookEventType, WebhookTest, WebhookWithSecret } from '../../contract/webhooks.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT, requireChange } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import type { CommandOutput } from '../output.ts';
import { change, list, remove, show } from '../resource-commands.ts';
import { listDeliveries, resendDelivery } from './webhook-deliveries.ts';
import { choicesOf, WEBHOOK, WEBHOOK_OPTIONS, WEBHOOKS } from './webhook-options.ts';

/** The daemon waits at most half a minute for the receiver. */
const TEST_TIMEOUT_MS = 60_000;

const showWebhook = show(WEBHOOK, {
  description: 'show a webhook',
  async print(webhook, { api, output }) {
    const inventory = await loadInventory(api);
    const named = (ids: readonly string[], things: readonly { id: string; name: string }[]): string =>
      ids.map((id) => things.find((thing) => thing.id === id)?.name ?? `${id} (deleted)`).join(', ');
    for (const [label, value] of [
      ['Name', webhook.name],
      ['URL', webhook.url],
      ['Status', webhook.status],
      ['Secret', webhook.secretPrefix],
      ['Events', webhook.eventTypes.join(', ')],
      ['Homes', named(webhook.homeIds, inventory.homes)],
      ['Rooms', named(webhook.roomIds, inventory.rooms)],
      ['Accessories', named(webhook.accessoryIds, inventory.accessories)],
      ['Collections', webhook.collectionIds.join(', ')],
      ['Retries', String(webhook.maxRetries)],
      ['Rate limit', webhook.rateLimitPerMinute === null ? 'none' : `${webhook.rateLimitPerMinute} per minute`],
      ['Timeout', `${webhook.timeoutMs / 1_000} s`],
      ['Waiting', String(webhook.queuedCount)],
      ['Dropped', webhook.droppedCount > 0 ? String(webhook.droppedCount) : ''],
      ['Failures', webhook.consecutiveFailures > 0 ? `${webhook.consecutiveFailures} in a row` : ''],
      ['Last success', output.when(webhook.lastSuccessAt)],
      ['Last failure', output.when(webhook.lastFailureAt)],
      ['Because', webhook.lastFailureReason ?? ''],
    ] as const) {
      if (value !== '') output.line(`${label}: ${value}`);
    }
  },
});

const createWebhook = defineCommand({
  name: 'create',
  description: 'create a webhook and show its secret once',
  arguments: [
    ['<name>', 'name'],
    ['<url>', 'URL for POST requests'],
  ],
  options: WEBHOOK_OPTIONS,
  async run({ api, output }, name, url, options) {
    const choices = await choicesOf(options, api);
    showSecret(await api.send<WebhookWithSecret>('POST', WEBHOOKS, { name, url, ...choices }), output);
  },
});

const updateWebhook = defineCommand({
  name: 'update',
  description: 'change a webhook; options replace previous values',
  arguments: [WEBHOOK.argument],
  options: [
    ['--name <name>', 'name'],
    ['--url <url>', 'new URL'],
    ['--everywhere', 'remove all filters by home, room, accessory and collection'],
    ...WEBHOOK_OPTIONS,
  ],
  async run({ api, output }, text, { name, url, ...options }) {
    const path = WEBHOOK.path(await WEBHOOK.find(api, text));
    const changes = requireChange({ name, url, ...(await choicesOf(options, api)) });
    const webhook = await api.send<Webhook>('PATCH', path, changes);
    output.done(webhook, `Updated the webhook ${webhook.name}.`);
  },
});

const rotateSecret = defineCommand({
  name: 'rotate',
  description: 'create a new secret and show it once; the old one stays valid for 24 hours',
  arguments: [WEBHOOK.argument],
  async run({ api, output }, text) {
    const path = WEBHOOK.path(await WEBHOOK.find(api, text));
    showSecret(await api.send<WebhookWithSecret>('POST', `${path}/rotate-secret`), output);
  },
});

const testWebhook = defineCommand({
  name: 'test',
  description: 'send a test event, also to a paused or disabled webhook',
  arguments: [WEBHOOK.argument],
  async run({ api, output }, text) {
    const webhook = await WEBHOOK.find(api, text);
    const path = `${WEBHOOK.path(webhook)}/test`;
    const answer = await api.send<WebhookTest>('POST', path, undefined, TEST_TIMEOUT_MS);
    const { success, statusCode, responseTimeMs, error } = answer;
    output.done(
      answer,
      success ? `${webhook.name} answered ${statusCode} after ${responseTimeMs} ms.` : `${webhook.name}: ${error}`,
    );
    return success ? EXIT.ok : EXIT.failed;
  },
});

/** `hearthd webhook …`: webhooks that receive the home's events. */
export const webhookCommand = defineCommand({
  name: 'webhook',
  description: 'manage webhooks: URLs that receive events',
  notes: ['A webhook receives all events by default. Each kind of filter narrows them.'],
  examples: [
    'hearthd webhook create Log https://example.com/hook',
    'hearthd webhook create Alarm http://192.168.1.20/hook --event state.changed --room Hall --accessory "Hall/Front Door"',
    'hearthd webhook test Alarm',
    'hearthd webhook deliveries Alarm --status failed',
  ],
  commands: [
    list({
      description: 'list the webhooks',
      load: (api) => api.get<Webhook[]>(WEBHOOKS),
      columns: (webhook, output) => ({
        Name: webhook.name,
        URL: webhook.url,
        Status: webhook.status,
        Events: webhook.eventTypes.join(', '),
        Waiting: webhook.queuedCount,
        'Last success': output.when(webhook.lastSuccessAt),
        Id: webhook.id,
      }),
      empty: 'No webhooks. Create one with hearthd webhook create.',
    }),
    showWebhook,
    createWebhook,
    updateWebhook,
    change(WEBHOOK, {
      name: 'pause',
      description: 'pause a webhook; it receives no events until resumed',
      method: 'POST',
      suffix: '/pause',
      done: ({ name }: Webhook) => `Webhook ${name} is paused.`,
    }),
    change(WEBHOOK, {
      name: 'resume',
      description: 'resume a paused or disabled webhook',
      method: 'POST',
      suffix: '/resume',
      done: ({ name }: Webhook) => `Webhook ${name} is active.`,
    }),
    rotateSecret,
    testWebhook,
    listDeliveries,
    resendDelivery,
    remove(WEBHOOK, {
      description: 'delete a webhook and its queued deliveries',
      done: ({ name }) => `Deleted the webhook ${name}.`,
    }),
    list({
      name: 'event-types',
      description: 'list the event types',
      load: (api) => api.get<WebhookEventType[]>(`${WEBHOOKS}/event-types`),
      columns: ({ eventType, description }) => ({ Event: eventType, When: description }),
      empty: 'No event types.',
    }),
  ],
});

function showSecret(answer: WebhookWithSecret, output: CommandOutput): void {
  output.result(answer, () => {
    output.note('This secret is shown only once. It signs every delivery, so that the receiver can verify it:');
    output.line(answer.rawSecret);
  });
}
