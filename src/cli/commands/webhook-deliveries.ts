import type { WebhookDeliveries, WebhookDelivery } from '../../contract/webhooks.ts';
import { defineCommand } from '../define-command.ts';
import { WEBHOOK } from './webhook-options.ts';

export const listDeliveries = defineCommand({
  name: 'deliveries',
  description: 'list the deliveries of the last 7 days, newest first',
  arguments: [WEBHOOK.argument],
  options: [
    ['--status <status>', 'only pending, retrying, success, failed or dead_letter'],
    ['--limit <number>', 'number (default: 50, maximum: 500)'],
    ['--offset <number>', 'number to skip'],
  ],
  async run({ api, output }, text, options) {
    const path = `${WEBHOOK.path(await WEBHOOK.find(api, text))}/deliveries`;
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
      if (rows.length < page.total) output.note(`${page.total} in total. Show others with --limit and --offset.`);
    });
  },
});

export const resendDelivery = defineCommand({
  name: 'resend',
  description: 'send a delivery again, after the queued ones',
  arguments: [WEBHOOK.argument, ['<delivery>', 'delivery id from hearthd webhook deliveries']],
  async run({ api, output }, text, deliveryId) {
    const webhook = await WEBHOOK.find(api, text);
    const path = `${WEBHOOK.path(webhook)}/deliveries/${encodeURIComponent(deliveryId)}/resend`;
    const delivery = await api.send<WebhookDelivery>('POST', path);
    output.done(delivery, `Queued again for ${webhook.name} (${delivery.id}).`);
  },
});
