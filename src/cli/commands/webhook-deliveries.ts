import type { Command } from 'commander';
import type { Cli } from '../action.ts';
import { EXIT } from '../exit-codes.ts';
import type { WebhookDeliveryResource } from '../telling-resources.ts';
import { findWebhook, WEBHOOK_ARGUMENT, WEBHOOKS } from './webhook-options.ts';

export function addDeliveries(command: Command, cli: Cli): void {
  command
    .command('deliveries')
    .description('list what became of its deliveries in the last seven days, newest first')
    .argument(...WEBHOOK_ARGUMENT)
    .option('--status <status>', 'only those that are pending, retrying, success, failed or dead_letter')
    .option('--limit <number>', 'how many (default: 50, 500 at most)')
    .option('--offset <number>', 'how many to pass over')
    .action(
      cli.run(async ({ api, output }, text: string, options: { status?: string; limit?: string; offset?: string }) => {
        const { id } = await findWebhook(text, api);
        const path = `${WEBHOOKS}/${id}/deliveries`;
        const page = await api.get<{ deliveries: WebhookDeliveryResource[]; total: number }>(path, { ...options });
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
          output.table(head, rows, 'There are no such deliveries.');
          if (page.deliveries.length < page.total)
            output.note(`${page.total} in all: --limit and --offset show others.`);
        });
        return EXIT.ok;
      }),
    );
}

export function addResend(command: Command, cli: Cli): void {
  command
    .command('resend')
    .description('send a delivery again, after what waits already')
    .argument(...WEBHOOK_ARGUMENT)
    .argument('<delivery>', 'its id, as deliveries lists it')
    .action(
      cli.run(async ({ api, output }, text: string, deliveryId: string, _options: object) => {
        const { id, name } = await findWebhook(text, api);
        const path = `${WEBHOOKS}/${id}/deliveries/${encodeURIComponent(deliveryId)}/resend`;
        const delivery = await api.send<WebhookDeliveryResource>('POST', path);
        output.result(delivery, () => output.line(`Queued for ${name} once more (${delivery.id}).`));
        return EXIT.ok;
      }),
    );
}
