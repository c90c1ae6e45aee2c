import { NewWebhookBody, WebhookChangesBody } from '../../rest/webhooks.ts';
import {
  arrayOf,
  flag,
  id,
  integer,
  type JsonSchema,
  object,
  oneOf,
  orNull,
  ref,
  success,
  text,
  time,
} from '../json-schema.ts';
import type { Operation, Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';

const WEBHOOK_ID = '3e1f2a9c-7d54-4b86-9c0e-51a2b3c4d5e6';
const WEBHOOK = {
  id: WEBHOOK_ID,
  name: 'Alarm',
  url: 'http://192.168.1.20:8080/hook',
  secretPrefix: 'whsec_3fK9xQ...',
  status: 'active',
  eventTypes: ['state.changed'],
  homeIds: [HOME_ID],
  roomIds: [],
  accessoryIds: [],
  collectionIds: [],
  maxRetries: 3,
  rateLimitPerMinute: 60,
  timeoutMs: 30_000,
  consecutiveFailures: 0,
  droppedCount: 0,
  queuedCount: 0,
  lastTriggeredAt: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  lastFailureReason: null,
  previousSecretUntil: null,
  createdAt: '2030-01-31T12:00:00.000Z',
};
const DELIVERY = {
  id: '7a8b9c0d-1e2f-4a3b-8c4d-5e6f7a8b9c0d',
  webhookId: WEBHOOK_ID,
  eventType: 'state.changed',
  eventId: 'evt_5f3f0d2c7b180f8b',
  status: 'retrying',
  attemptNumber: 1,
  maxAttempts: 4,
  responseStatusCode: 503,
  responseBody: 'Not now',
  latencyMs: 12,
  errorMessage: 'HTTP 503: Not now',
  createdAt: '2030-01-31T12:00:00.000Z',
  nextRetryAt: '2030-01-31T12:00:01.000Z',
};
const FULL_SECRET = 'whsec_3fK9xQ…';
const STATUSES = ['active', 'paused', 'disabled'];
const DELIVERY_STATUSES = ['pending', 'retrying', 'success', 'failed', 'dead_letter'];
const AUDIENCE = 'admin of any home';

const WITH_SECRET = success({
  rawSecret: text('The whole secret, which signs deliveries. It is never shown again.'),
  webhook: ref('Webhook'),
});
const WITH_SECRET_EXAMPLE = { success: true, rawSecret: FULL_SECRET, webhook: WEBHOOK };

const listOf = (meaning: string): JsonSchema => orNull(arrayOf(text(), meaning));
const FIELDS = {
  name: 'At most 100 characters.',
  url: 'A whole http or https address in the network or the world, without a user name or a password. This computer itself only with `webhooks_allow_loopback`; with `webhooks_public_only` nothing in the network.',
  eventTypes: listOf('See the event types. Left out, empty or `["*"]`: all.'),
  homeIds: listOf('Only what is about these homes; left out or empty: any.'),
  roomIds: listOf('Only what is in these rooms.'),
  accessoryIds: listOf('Only what is about these accessories.'),
  collectionIds: listOf('Only accessories that are in one of these collections, a group by its members.'),
  maxRetries: 'Attempts after the first: 0–10; 3 if left out.',
  rateLimitPerMinute: 'Deliveries a minute at most: 1–1000; more wait. 60 if left out, `null` for no limit.',
  timeoutMs: 'How long an attempt may take: 1000–120000 milliseconds; 30000 if left out.',
};

const PAGE = [
  { name: 'limit', description: '1–500.', schema: integer() },
  { name: 'offset', description: 'How many to pass over.', schema: integer() },
];

/** An action on a webhook that returns the webhook. */
function act(verb: string, id: string, summary: string, description: string): Operation {
  return {
    method: 'post',
    path: `/rest/webhooks/:id/${verb}`,
    id,
    summary,
    description,
    audience: AUDIENCE,
    answer: { description: 'The webhook as it is now.', schema: ref('Webhook'), example: WEBHOOK },
  };
}

export const webhooks: Resource = {
  tag: 'Webhooks',
  description:
    'URLs that are told of what happens in the home, by signed POST requests that are repeated until they are taken. A webhook belongs to whoever made it and hears only of homes that they manage at that moment. Its lists narrow it, each of them that is not empty; what is gone stays in them and matches nothing. A session manages webhooks only while its account has Developer Mode on: `developer_mode_required`. Apps can look, pause and delete.',
  schemas: {
    Webhook: object({
      id: id(),
      name: text(),
      url: text(),
      secretPrefix: text('The first twelve characters of its secret, to tell it from others.'),
      status: oneOf(STATUSES, '`disabled`: its receiver failed too often, or said that it is gone.'),
      eventTypes: arrayOf(text(), 'Or `*` alone.'),
      homeIds: arrayOf(text()),
      roomIds: arrayOf(text()),
      accessoryIds: arrayOf(text()),
      collectionIds: arrayOf(text()),
      maxRetries: integer('Attempts after the first.'),
      rateLimitPerMinute: orNull(integer('`null`: no limit.')),
      timeoutMs: integer('Milliseconds.'),
      consecutiveFailures: integer('Deliveries that were given up since the last success.'),
      droppedCount: integer('Deliveries that were dropped because too many waited.'),
      queuedCount: integer('Deliveries that wait now.'),
      lastTriggeredAt: orNull(time('When it was last told of something.')),
      lastSuccessAt: orNull(time('When its receiver last took a delivery.')),
      lastFailureAt: orNull(time('When an attempt last failed.')),
      lastFailureReason: orNull(text()),
      previousSecretUntil: orNull(time('Until when the secret before the last rotation signs, too.')),
      createdAt: time(),
    }),
    WebhookDelivery: object({
      id: text('As in `X-Homecast-Delivery`: the same at each attempt.'),
      webhookId: id(),
      eventType: text(),
      eventId: text('As `id` in the body.'),
      status: oneOf(DELIVERY_STATUSES),
      attemptNumber: integer('Attempts made.'),
      maxAttempts: integer(),
      responseStatusCode: orNull(integer('Of the last answer.')),
      responseBody: orNull(text('The beginning of the last answer.')),
      latencyMs: orNull(integer('How long the last attempt took, in milliseconds.')),
      errorMessage: orNull(text('Why the last attempt failed.')),
      createdAt: time(),
      nextRetryAt: orNull(time()),
    }),
    WebhookEventType: object({ eventType: text(), displayName: text(), description: text(), category: text() }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/webhooks',
      id: 'listWebhooks',
      summary: 'The webhooks',
      audience: AUDIENCE,
      query: [{ name: 'status', description: 'Only those.', schema: oneOf(STATUSES) }, ...PAGE],
      answer: {
        description: 'Oldest first, all if there is no limit.',
        schema: arrayOf(ref('Webhook')),
        example: [WEBHOOK],
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
        schema: NewWebhookBody,
        fields: FIELDS,
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
      answer: { description: 'The webhook.', schema: WITH_SECRET, example: WITH_SECRET_EXAMPLE },
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
        schema: arrayOf(ref('WebhookEventType')),
        example: [
          {
            eventType: 'scene.executed',
            displayName: 'Scene Executed',
            description: 'A scene was executed',
            category: 'Scene',
          },
        ],
      },
    },
    {
      method: 'get',
      path: '/rest/webhooks/:id',
      id: 'getWebhook',
      summary: 'A webhook',
      audience: AUDIENCE,
      answer: { description: 'The webhook.', schema: ref('Webhook'), example: WEBHOOK },
    },
    {
      method: 'patch',
      path: '/rest/webhooks/:id',
      id: 'updateWebhook',
      summary: 'Change a webhook',
      description: 'What is left out stays as it is. Not for apps.',
      audience: AUDIENCE,
      body: {
        schema: WebhookChangesBody,
        fields: FIELDS,
        examples: { 'Another name': { name: 'Siren' }, 'Without a limit': { rateLimitPerMinute: null } },
      },
      answer: { description: 'The webhook as it is now.', schema: ref('Webhook'), example: WEBHOOK },
    },
    {
      method: 'delete',
      path: '/rest/webhooks/:id',
      id: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'With what waits to be delivered to it.',
      audience: AUDIENCE,
      answer: {
        description: 'It is told of nothing any more.',
        schema: success({ webhookId: id() }),
        example: { success: true, webhookId: WEBHOOK_ID },
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
      answer: { description: 'The new secret.', schema: WITH_SECRET, example: WITH_SECRET_EXAMPLE },
    },
    {
      method: 'post',
      path: '/rest/webhooks/:id/test',
      id: 'testWebhook',
      summary: 'Send a webhook a test event',
      description: 'Whatever its status. It waits for the answer.',
      audience: AUDIENCE,
      answer: {
        description: 'What the receiver said.',
        schema: object({
          success: flag('Whether the receiver took it (2xx).'),
          statusCode: orNull(integer('What it answered.')),
          responseTimeMs: orNull(integer('Milliseconds.')),
          error: orNull(text('Why it failed.')),
        }),
        example: { success: true, statusCode: 204, responseTimeMs: 12, error: null },
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
      query: [{ name: 'status', description: 'Only those.', schema: oneOf(DELIVERY_STATUSES) }, ...PAGE],
      answer: {
        description: 'Newest first.',
        schema: object({
          deliveries: arrayOf(ref('WebhookDelivery')),
          total: integer('In all.'),
          offset: integer(),
          limit: integer(),
        }),
        example: { deliveries: [DELIVERY], total: 1, offset: 0, limit: 50 },
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
        schema: ref('WebhookDelivery'),
        example: {
          ...DELIVERY,
          status: 'pending',
          attemptNumber: 0,
          responseStatusCode: null,
          responseBody: null,
          latencyMs: null,
          errorMessage: null,
          nextRetryAt: null,
        },
      },
      errors: [422],
    },
  ],
};
