import { Command } from 'commander';
import type { Webhook, WebhookEventType, WebhookTest, WebhookWithSecret } from '../../contract/webhooks.ts';
import { type Cli, examples } from '../action.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import type { Output } from '../output.ts';
import { addDeliveries, addResend } from './webhook-deliveries.ts';
import {
  choicesOf,
  findWebhook,
  WEBHOOK_ARGUMENT,
  WEBHOOKS,
  type WebhookOptions,
  withChoices,
} from './webhook-options.ts';

/** The daemon waits at most half a minute for the receiver. */
const TEST_TIMEOUT_MS = 60_000;

/** `hearthd webhook …`: webhooks that receive the home's events. */
export function webhookCommand(cli: Cli): Command {
  const command = new Command('webhook')
    .description('manage webhooks: URLs that receive events')
    .addHelpText(
      'after',
      [
        '',
        'A webhook receives all events by default. Each kind of filter narrows them.',
        examples(
          'hearthd webhook create Log https://example.com/hook',
          'hearthd webhook create Alarm http://192.168.1.20/hook --event state.changed --room Hall --accessory "Hall/Front Door"',
          'hearthd webhook test Alarm',
          'hearthd webhook deliveries Alarm --status failed',
        ),
      ].join('\n'),
    );
  for (const add of [
    ...[addList, addShow, addCreate, addUpdate, addPause, addResume, addRotate, addTest],
    ...[addDeliveries, addResend, addDelete, addEventTypes],
  ]) {
    add(command, cli);
  }
  return command;
}

function addList(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list the webhooks')
    .action(
      cli.run(async ({ api, output }) => {
        const webhooks = await api.get<Webhook[]>(WEBHOOKS);
        const rows = webhooks.map((webhook) => [
          webhook.name,
          webhook.url,
          webhook.status,
          webhook.eventTypes.join(', '),
          webhook.queuedCount,
          output.when(webhook.lastSuccessAt),
          webhook.id,
        ]);
        const head = ['Name', 'URL', 'Status', 'Events', 'Waiting', 'Last success', 'Id'];
        output.result(webhooks, () => output.table(head, rows, 'No webhooks. Create one with hearthd webhook create.'));
        return EXIT.ok;
      }),
    );
}

function addShow(command: Command, cli: Cli): void {
  command
    .command('show')
    .description('show a webhook')
    .argument(...WEBHOOK_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const webhook = await findWebhook(text, api);
        const inventory = await loadInventory(api);
        const named = (ids: readonly string[], things: readonly { id: string; name: string }[]): string =>
          ids.map((id) => things.find((thing) => thing.id === id)?.name ?? `${id} (deleted)`).join(', ');
        output.result(webhook, () => {
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
        });
        return EXIT.ok;
      }),
    );
}

function addCreate(command: Command, cli: Cli): void {
  withChoices(
    command
      .command('create')
      .description('create a webhook and show its secret once')
      .argument('<name>', 'name')
      .argument('<url>', 'URL for POST requests'),
  ).action(
    cli.run(async ({ api, output }, name: string, url: string, options: WebhookOptions) => {
      const choices = await choicesOf(options, api);
      const answer = await api.send<WebhookWithSecret>('POST', WEBHOOKS, { name, url, ...choices });
      output.result(answer, () => showSecret(output, answer.rawSecret));
      return EXIT.ok;
    }),
  );
}

function addUpdate(command: Command, cli: Cli): void {
  withChoices(
    command
      .command('update')
      .description('change a webhook; options replace previous values')
      .argument(...WEBHOOK_ARGUMENT)
      .option('--name <name>', 'name')
      .option('--url <url>', 'new URL')
      .option('--everywhere', 'remove all filters by home, room, accessory and collection'),
  ).action(
    cli.run(async ({ api, output }, text: string, options: WebhookOptions) => {
      const { id } = await findWebhook(text, api);
      const changes = { name: options.name, url: options.url, ...(await choicesOf(options, api)) };
      if (Object.values(changes).every((change) => change === undefined)) throw usageError('Pass at least one option.');
      const webhook = await api.send<Webhook>('PATCH', `${WEBHOOKS}/${id}`, changes);
      output.result(webhook, () => output.line(`Updated the webhook ${webhook.name}.`));
      return EXIT.ok;
    }),
  );
}

/** Adds a subcommand whose only argument is the webhook. */
function addAct(command: Command, cli: Cli, verb: 'pause' | 'resume', description: string, done: string): void {
  command
    .command(verb)
    .description(description)
    .argument(...WEBHOOK_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const { id } = await findWebhook(text, api);
        const webhook = await api.send<Webhook>('POST', `${WEBHOOKS}/${id}/${verb}`);
        output.result(webhook, () => output.line(`Webhook ${webhook.name} is ${done}.`));
        return EXIT.ok;
      }),
    );
}

function addPause(command: Command, cli: Cli): void {
  addAct(command, cli, 'pause', 'pause a webhook; it receives no events until resumed', 'paused');
}

function addResume(command: Command, cli: Cli): void {
  addAct(command, cli, 'resume', 'resume a paused or disabled webhook', 'active');
}

function addRotate(command: Command, cli: Cli): void {
  command
    .command('rotate')
    .description('create a new secret and show it once; the old one stays valid for 24 hours')
    .argument(...WEBHOOK_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const { id } = await findWebhook(text, api);
        const answer = await api.send<WebhookWithSecret>('POST', `${WEBHOOKS}/${id}/rotate-secret`);
        output.result(answer, () => showSecret(output, answer.rawSecret));
        return EXIT.ok;
      }),
    );
}

function addTest(command: Command, cli: Cli): void {
  command
    .command('test')
    .description('send a test event, also to a paused or disabled webhook')
    .argument(...WEBHOOK_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const { id, name } = await findWebhook(text, api);
        const path = `${WEBHOOKS}/${id}/test`;
        const answer = await api.send<WebhookTest>('POST', path, undefined, TEST_TIMEOUT_MS);
        const { success, statusCode, responseTimeMs, error } = answer;
        output.result(answer, () =>
          output.line(success ? `${name} answered ${statusCode} after ${responseTimeMs} ms.` : `${name}: ${error}`),
        );
        return success ? EXIT.ok : EXIT.failed;
      }),
    );
}

function addDelete(command: Command, cli: Cli): void {
  command
    .command('delete')
    .description('delete a webhook and its queued deliveries')
    .argument(...WEBHOOK_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const { id, name } = await findWebhook(text, api);
        const answer = await api.send('DELETE', `${WEBHOOKS}/${id}`);
        output.result(answer, () => output.line(`Deleted the webhook ${name}.`));
        return EXIT.ok;
      }),
    );
}

function addEventTypes(command: Command, cli: Cli): void {
  command
    .command('event-types')
    .description('list the event types')
    .action(
      cli.run(async ({ api, output }) => {
        const types = await api.get<WebhookEventType[]>(`${WEBHOOKS}/event-types`);
        const rows = types.map(({ eventType, description }) => [eventType, description]);
        output.result(types, () => output.table(['Event', 'When'], rows, 'No event types.'));
        return EXIT.ok;
      }),
    );
}

function showSecret(output: Output, secret: string): void {
  output.note('This secret is shown only once. It signs every delivery, so that the receiver can verify it:');
  output.line(secret);
}
