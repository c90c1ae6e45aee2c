import { z } from 'zod';
import {
  DeletedWebhook,
  DeliveryPage,
  NewWebhook,
  Webhook,
  WebhookChanges,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookEventType,
  WebhookPage,
  WebhookTest,
  WebhookWithSecret,
} from '../../../contract/webhooks.ts';
import type { Operation, Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';

const AUDIENCE = 'admin of any home';

/** An action on a webhook that returns the webhook. */
function act(verb: string, id: string, summary: string, description: string): Operation {
  return {
    method: 'post',
    path: `/rest/webhooks/:id/${verb}`,
    id,
    summary,
    description,
    audience: AUDIENCE,
    answer: { description: 'The webhook as it is now.', schema: Webhook },
  };
}

export const webhooks: Resource = {
  tag: 'Webhooks',
  description:
    'URLs that receive events of the home, by signed POST requests that are repeated until they are accepted. A webhook belongs to its creator and receives only events of homes that they manage at that moment. Its lists narrow it, each of them that is not empty; what is gone stays in them and matches nothing. A session manages webhooks only while its account has Developer Mode on: `developer_mode_required`. Apps can look, pause and delete.',
  operations: [
    {
      method: 'get',
      path: '/rest/webhooks',
      id: 'listWebhooks',
      summary: 'The webhooks',
      audience: AUDIENCE,
      query: WebhookPage,
      answer: {
        description: 'Oldest first, all if there is no limit.',
        schema: z.array(Webhook),
      },
      errors: [422],
    },
    {
      method: 'post',
      path: '/rest/webhooks',
      id: 'createWebhook',
      summary: 'Make a webhook',
      description: 'The answer is the only place where its secret is shown whole. Not for apps.',
      audience: AUDIENCE,
      body: {
        schema: NewWebhook,
        examples: {
          'For everything': { name: 'Log', url: 'https://example.com/hook' },
          'For one home': {
            name: 'Alarm',
            url: 'http://192.168.1.20:8080/hook',
            eventTypes: ['state.changed'],
            homeIds: [HOME_ID],
          },
        },
      },
      answer: { description: 'The webhook.', schema: WebhookWithSecret },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/webhooks/event-types',
      id: 'listWebhookEventTypes',
      summary: 'What webhooks can subscribe to',
      audience: AUDIENCE,
      answer: {
        description: 'The types of events, beside `*`, which is all of them.',
        schema: z.array(WebhookEventType),
      },
    },
    {
      method: 'get',
      path: '/rest/webhooks/:id',
      id: 'getWebhook',
      summary: 'A webhook',
      audience: AUDIENCE,
      answer: { description: 'The webhook.', schema: Webhook },
    },
    {
      method: 'patch',
      path: '/rest/webhooks/:id',
      id: 'updateWebhook',
      summary: 'Change a webhook',
      description: 'What is left out stays as it is. Not for apps.',
      audience: AUDIENCE,
      body: {
        schema: WebhookChanges,
        examples: { 'Another name': { name: 'Siren' }, 'Without a limit': { rateLimitPerMinute: null } },
      },
      answer: { description: 'The webhook as it is now.', schema: Webhook },
    },
    {
      method: 'delete',
      path: '/rest/webhooks/:id',
      id: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'With what waits to be delivered to it.',
      audience: AUDIENCE,
      answer: {
        description: 'It receives no more events.',
        schema: DeletedWebhook,
      },
    },
    act('pause', 'pauseWebhook', 'Pause a webhook', 'Deliveries stop, and nothing new is queued.'),
    act(
      'resume',
      'resumeWebhook',
      'Resume a webhook',
      'From `paused` and `disabled`; no failures are counted any more.',
    ),
    {
      method: 'post',
      path: '/rest/webhooks/:id/rotate-secret',
      id: 'rotateWebhookSecret',
      summary: 'Give a webhook a new secret',
      description: 'The one before signs beside it for 24 hours. Not for apps.',
      audience: AUDIENCE,
      answer: { description: 'The new secret.', schema: WebhookWithSecret },
    },
    {
      method: 'post',
      path: '/rest/webhooks/:id/test',
      id: 'testWebhook',
      summary: 'Send a webhook a test event',
      description: 'In any status. Waits for the answer.',
      audience: AUDIENCE,
      answer: {
        description: 'The answer of the receiver.',
        schema: WebhookTest,
      },
      errors: [429],
    },
    {
      method: 'get',
      path: '/rest/webhooks/:id/deliveries',
      id: 'listWebhookDeliveries',
      summary: 'What became of a webhook’s deliveries',
      description: 'They are kept for seven days. 50 if there is no limit.',
      audience: AUDIENCE,
      query: DeliveryPage,
      answer: {
        description: 'Newest first.',
        schema: WebhookDeliveries,
      },
      errors: [422],
    },
    {
      method: 'post',
      path: '/rest/webhooks/:id/deliveries/:deliveryId/resend',
      id: 'resendWebhookDelivery',
      summary: 'Send a delivery again',
      description:
        'A delivery of its own about the same event, after what waits already. Not a test, nor what is tried again by itself.',
      audience: AUDIENCE,
      pathParameters: { deliveryId: 'The id of the delivery.' },
      answer: {
        description: 'The new delivery.',
        schema: WebhookDelivery,
      },
      errors: [422],
    },
  ],
};
