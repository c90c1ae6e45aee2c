/** Outgoing webhooks (API §6.1). Only the responses to creation and rotation contain the whole secret. */
import { Hono } from 'hono';
import type { Webhooks } from '../../app/webhooks/webhooks.ts';
import { NewWebhook, WebhookChanges } from '../../contract/webhooks.ts';
import type { ApiEnv } from '../env.ts';
import { presentDeliveries, presentDelivery, presentWebhook, presentWithSecret } from '../present/webhook.ts';
import { readInput } from '../read-body.ts';
import { queryText, queryWhole } from '../read-query.ts';
import { answerJson } from '../respond.ts';

export function webhookRoutes({ webhooks }: { readonly webhooks: Webhooks }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const page = { status: queryText(c, 'status'), limit: queryWhole(c, 'limit'), offset: queryWhole(c, 'offset') };
      return answerJson(webhooks.list(c.get('caller'), page).map(presentWebhook));
    })
    .post('/', async (c) => {
      const created = webhooks.create(c.get('caller'), await readInput(c, NewWebhook));
      return answerJson(presentWithSecret(created));
    })
    .get('/event-types', (c) => answerJson(webhooks.eventTypes(c.get('caller'))))
    .get('/:id', (c) => answerJson(presentWebhook(webhooks.get(c.get('caller'), c.req.param('id')))))
    .patch('/:id', async (c) => {
      const changes = await readInput(c, WebhookChanges);
      return answerJson(presentWebhook(webhooks.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .delete('/:id', (c) => {
      const { id } = webhooks.delete(c.get('caller'), c.req.param('id'));
      return answerJson({ success: true, webhookId: id });
    })
    .post('/:id/pause', (c) => answerJson(presentWebhook(webhooks.pause(c.get('caller'), c.req.param('id')))))
    .post('/:id/resume', (c) => answerJson(presentWebhook(webhooks.resume(c.get('caller'), c.req.param('id')))))
    .post('/:id/rotate-secret', (c) =>
      answerJson(presentWithSecret(webhooks.rotateSecret(c.get('caller'), c.req.param('id')))),
    )
    .post('/:id/test', async (c) => answerJson(await webhooks.test(c.get('caller'), c.req.param('id'))))
    .get('/:id/deliveries', (c) => {
      const page = { status: queryText(c, 'status'), limit: queryWhole(c, 'limit'), offset: queryWhole(c, 'offset') };
      return answerJson(presentDeliveries(webhooks.deliveries(c.get('caller'), c.req.param('id'), page)));
    })
    .post('/:id/deliveries/:deliveryId/resend', (c) => {
      const { id, deliveryId } = c.req.param();
      return answerJson(presentDelivery(webhooks.resend(c.get('caller'), id, deliveryId)));
    });
}
