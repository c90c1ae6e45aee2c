import type { Command } from 'commander';
import type { WebhookDeliveries, WebhookDelivery } from '../../contract/webhooks.ts';
import type { Cli } from '../action.ts';
import { EXIT } from '../exit-codes.ts';
import { findWebhook, WEBHOOK_ARGUMENT, WEBHOOKS } from './webhook-options.ts';

export function addDeliveries(command: Command, cli: Cli): void {
  command
    .command('deliveries')
    .description('list the deliveries of the last 7 days, newest first')
    .argument(...WEBHOOK_ARGUMENT)
    .option('--status <status>', 'only pending, retrying, success, failed or dead_letter')
    .option('--limit <number>', 'number (default: 50, maximum: 500)')
    .option('--offset <number>', 'number to skip')
    .action(
      cli.run(async ({ api, output }, text: string, options: { status?: string; limit?: string; offset?: string }) => {
        const { id } = await findWebhook(text, api);
        const path = `${WEBHOOKS}/${id}/deliveries`;
        const page = await api.get<WebhookDeliveries>(path, { ...options });
        const rows = page.deliveries.map((delivery) => [
          output.when(delivery.createdAt),
          delivery.eventType,
          delivery.status,
          `${delivery.attemptNumber}/${delivery.maxAttempts}`,
          delivery.responseStatusCode,
          delivery.errorMessage,
          delivery.id,
        ]);
        const head = ['When', 'Event', 'Status', 'Attempts', 'Answer', 'Error', 'Id'];
        output.result(page, () => {
          output.table(head, rows, 'No deliveries.');
          if (page.deliveries.length < page.total)
            output.note(`${page.total} in total. Show others with --limit and --offset.`);
        });
        return EXIT.ok;
      }),
    );
}

export function addResend(command: Command, cli: Cli): void {
  command
    .command('resend')
    .description('send a delivery again, after the queued ones')
    .argument(...WEBHOOK_ARGUMENT)
    .argument('<delivery>', 'delivery id from hearthd webhook deliveries')
    .action(
      cli.run(async ({ api, output }, text: string, deliveryId: string, _options: object) => {
        const { id, name } = await findWebhook(text, api);
        const path = `${WEBHOOKS}/${id}/deliveries/${encodeURIComponent(deliveryId)}/resend`;
        const delivery = await api.send<WebhookDelivery>('POST', path);
        output.result(delivery, () => output.line(`Queued again for ${name} (${delivery.id}).`));
        return EXIT.ok;
      }),
    );
}
