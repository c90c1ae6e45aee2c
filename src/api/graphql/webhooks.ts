/**
 * Outgoing webhooks (API §2.4, §4.2, §6.1): only the responses to creation and rotation contain the whole secret. A
 * session may use them only while its account has Developer Mode on: DEVELOPER_MODE_REQUIRED, an error of the field.
 */
import type { DeliveryRecord, TestDelivery } from '../../app/webhooks/delivery.ts';
import type { EventTypeInfo, WebhookInfo as Info } from '../../app/webhooks/webhook.ts';
import type { DeliveryPage, WebhookWithSecret } from '../../app/webhooks/webhooks.ts';
import { presentTime } from '../present/time.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { MutationResult, type Outcome, reportOutcome } from './result.ts';

interface ShownWebhook extends Info {
  /** Only after creation or rotation. */
  readonly rawSecret?: string;
}

const RAW_SECRET = 'The whole secret, this once only, after creation and rotation; null elsewhere. Keep it safe.';

const WebhookInfo = builder.objectRef<ShownWebhook>('WebhookInfo').implement({
  description:
    'A URL that is told of what happens in the home. Times are ISO 8601 in UTC. Lists that are not empty narrow it, each of them; what is gone stays in them and matches nothing.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID.' }),
    name: t.exposeString('name', { nullable: false, description: 'What its maker called it.' }),
    url: t.exposeString('url', { nullable: false, description: 'Where deliveries go, by POST.' }),
    secretPrefix: t.exposeString('secretPrefix', {
      nullable: false,
      description: 'The first characters of its secret, to tell it from others.',
    }),
    rawSecret: t.string({ description: RAW_SECRET, resolve: ({ rawSecret }) => rawSecret ?? null }),
    status: t.exposeString('status', {
      nullable: false,
      description: '`active`, `paused` by people, or `disabled` because its receiver failed too often or is gone.',
    }),
    eventTypes: t.exposeStringList('eventTypes', {
      nullable: false,
      description: 'What it hears of, or `*` alone: see `webhookEventTypes`.',
    }),
    homeIds: t.exposeStringList('homeIds', { nullable: false, description: 'Only what is about these; empty: any.' }),
    roomIds: t.exposeStringList('roomIds', { nullable: false, description: 'Only what is in these; empty: any.' }),
    accessoryIds: t.exposeStringList('accessoryIds', {
      nullable: false,
      description: 'Only what is about these; empty: any.',
    }),
    collectionIds: t.exposeStringList('collectionIds', {
      nullable: false,
      description: 'Only accessories that are in one of these, a group by its members; empty: any.',
    }),
    maxRetries: t.exposeInt('maxRetries', { nullable: false, description: 'Attempts after the first, 0–10.' }),
    rateLimitPerMinute: t.exposeInt('rateLimitPerMinute', {
      description: 'Deliveries a minute at most, 1–1000; more wait. Null: no limit.',
    }),
    timeoutMs: t.exposeInt('timeoutMs', {
      nullable: false,
      description: 'How long an attempt may take, 1000–120000 milliseconds.',
    }),
    consecutiveFailures: t.exposeInt('consecutiveFailures', {
      nullable: false,
      description: 'Deliveries that were given up since the last success.',
    }),
    droppedCount: t.exposeInt('droppedCount', {
      nullable: false,
      description: 'Deliveries that were dropped because too many waited.',
    }),
    queuedCount: t.exposeInt('queuedCount', { nullable: false, description: 'Deliveries that wait now.' }),
    lastTriggeredAt: t.string({
      description: 'When it was last told of something.',
      resolve: ({ lastTriggeredAt }) => presentTime(lastTriggeredAt),
    }),
    lastSuccessAt: t.string({
      description: 'When its receiver last took a delivery.',
      resolve: ({ lastSuccessAt }) => presentTime(lastSuccessAt),
    }),
    lastFailureAt: t.string({
      description: 'When an attempt last failed.',
      resolve: ({ lastFailureAt }) => presentTime(lastFailureAt),
    }),
    lastFailureReason: t.exposeString('lastFailureReason', { description: 'Why, as a sentence.' }),
    previousSecretUntil: t.string({
      description: 'Until when the secret before the last rotation signs, too.',
      resolve: ({ previousSecretUntil }) => presentTime(previousSecretUntil),
    }),
    createdAt: t.string({ description: 'When it was made.', resolve: ({ createdAt }) => presentTime(createdAt) }),
  }),
});

const WebhookEventTypeInfo = builder.objectRef<EventTypeInfo>('WebhookEventTypeInfo').implement({
  description: 'Something that webhooks are told of.',
  fields: (t) => ({
    eventType: t.exposeString('eventType', { nullable: false, description: 'As in `eventTypes`: `state.changed`.' }),
    displayName: t.exposeString('displayName', { nullable: false, description: 'For people.' }),
    description: t.exposeString('description', { description: 'When it happens.' }),
    category: t.exposeString('category', { nullable: false, description: '`Device`, `Scene` …' }),
  }),
});

const WebhookDelivery = builder.objectRef<DeliveryRecord>('WebhookDelivery').implement({
  description: 'What became of one event on its way to one webhook. Times are ISO 8601 in UTC.',
  fields: (t) => ({
    id: t.exposeString('id', {
      nullable: false,
      description: 'As in `X-Homecast-Delivery`, the same at each attempt.',
    }),
    webhookId: t.exposeString('webhookId', { nullable: false, description: 'The webhook’s.' }),
    eventType: t.exposeString('eventType', { nullable: false, description: '`state.changed` …' }),
    eventId: t.exposeString('eventId', { nullable: false, description: 'As `id` in the body.' }),
    status: t.exposeString('status', {
      nullable: false,
      description: '`pending`, `retrying`, `success`, `failed`, or `dead_letter` for what was never going to be sent.',
    }),
    attemptNumber: t.exposeInt('attemptNumber', { nullable: false, description: 'Attempts made.' }),
    maxAttempts: t.exposeInt('maxAttempts', { nullable: false, description: 'Attempts that there may be.' }),
    responseStatusCode: t.exposeInt('responseStatusCode', { description: 'Of the last answer; null if none came.' }),
    responseBody: t.exposeString('responseBody', { description: 'The beginning of the last answer.' }),
    latencyMs: t.exposeInt('latencyMs', { description: 'How long the last attempt took, in milliseconds.' }),
    errorMessage: t.exposeString('errorMessage', { description: 'Why the last attempt failed.' }),
    createdAt: t.string({
      nullable: false,
      description: 'When it was queued.',
      resolve: ({ createdAt }) => presentTime(createdAt),
    }),
    nextRetryAt: t.string({
      description: 'When it is tried again.',
      resolve: ({ nextRetryAt }) => presentTime(nextRetryAt),
    }),
  }),
});

const DeliveryHistoryResult = builder.objectRef<DeliveryPage>('DeliveryHistoryResult').implement({
  description: 'Deliveries of a webhook, newest first. They are kept for seven days.',
  fields: (t) => ({
    deliveries: t.expose('deliveries', {
      type: [WebhookDelivery],
      nullable: { list: false, items: false },
      description: 'This part of them.',
    }),
    total: t.exposeInt('total', { nullable: false, description: 'How many there are in all.' }),
    offset: t.exposeInt('offset', { nullable: false, description: 'How many were passed over.' }),
    limit: t.exposeInt('limit', { nullable: false, description: 'How many there may be in this part.' }),
  }),
});

interface WithWebhook {
  readonly webhook: ShownWebhook | null;
}
interface WithSecret extends WithWebhook {
  readonly rawSecret: string | null;
}
const NO_WEBHOOK: WithWebhook = { webhook: null };
const NO_SECRET: WithSecret = { webhook: null, rawSecret: null };

const CreateWebhookResult = builder.objectRef<Outcome & WithSecret>('CreateWebhookResult').implement({
  description: 'A new webhook.',
  interfaces: [MutationResult],
  fields: (t) => ({
    webhook: t.expose('webhook', { type: WebhookInfo, description: 'How it will be listed; null if it failed.' }),
    rawSecret: t.exposeString('rawSecret', { description: RAW_SECRET }),
  }),
});

const RotateSecretResult = builder.objectRef<Outcome & WithSecret>('RotateSecretResult').implement({
  description: 'A webhook with a new secret. The one before signs beside it for 24 hours.',
  interfaces: [MutationResult],
  fields: (t) => ({
    webhook: t.expose('webhook', { type: WebhookInfo, description: 'The webhook; null if it failed.' }),
    rawSecret: t.exposeString('rawSecret', { description: RAW_SECRET }),
  }),
});

const UpdateWebhookResult = builder.objectRef<Outcome & WithWebhook>('UpdateWebhookResult').implement({
  description: 'A webhook that was changed, paused or resumed.',
  interfaces: [MutationResult],
  fields: (t) => ({
    webhook: t.expose('webhook', { type: WebhookInfo, description: 'As it is now; null if it failed.' }),
  }),
});

const DeleteWebhookResult = builder.objectRef<Outcome>('DeleteWebhookResult').implement({
  description: 'Whether a webhook was deleted, with what waited to be delivered to it.',
  interfaces: [MutationResult],
});

const TestWebhookResult = builder
  .objectRef<Outcome & Omit<TestDelivery, 'success' | 'error'>>('TestWebhookResult')
  .implement({
    description: 'How a test delivery went: `success` if the receiver took it (2xx).',
    interfaces: [MutationResult],
    fields: (t) => ({
      statusCode: t.exposeInt('statusCode', { description: 'What the receiver answered; null if nothing.' }),
      responseTimeMs: t.exposeInt('responseTimeMs', { description: 'How long it took, in milliseconds.' }),
    }),
  });

const ResendWebhookDeliveryResult = builder
  .objectRef<Outcome & { readonly delivery: DeliveryRecord | null }>('ResendWebhookDeliveryResult')
  .implement({
    description: 'Whether an event was queued for its webhook once more.',
    interfaces: [MutationResult],
    fields: (t) => ({
      delivery: t.expose('delivery', { type: WebhookDelivery, description: 'The new delivery; null if it failed.' }),
    }),
  });

const AUDIENCE = 'For admins of any home; DEVELOPER_MODE_REQUIRED for sessions without it.';
const NOT_FOR_APPS = `${AUDIENCE} Not for apps.`;

builder.queryFields((t) => ({
  webhooks: t.field({
    type: [WebhookInfo],
    nullable: LIST,
    description: `The caller’s webhooks, oldest first. ${AUDIENCE}`,
    args: {
      status: t.arg.string({ description: 'Only those that are `active`, `paused` or `disabled`.' }),
      limit: t.arg.int({ description: '1–500; all if left out.' }),
      offset: t.arg.int({ description: 'How many to pass over.' }),
    },
    resolve: (_, page, { caller, deps }) => deps.webhooks.list(caller, page),
  }),
  webhook: t.field({
    type: WebhookInfo,
    description: `One of the caller’s webhooks. ${AUDIENCE}`,
    args: { webhookId: t.arg.string({ required: true }) },
    resolve: (_, { webhookId }, { caller, deps }) => deps.webhooks.get(caller, webhookId),
  }),
  webhookEventTypes: t.field({
    type: [WebhookEventTypeInfo],
    nullable: LIST,
    description: `What webhooks can subscribe to; \`*\` stands for all of it. ${AUDIENCE}`,
    resolve: (_, __, { caller, deps }) => deps.webhooks.eventTypes(caller),
  }),
  webhookDeliveryHistory: t.field({
    type: DeliveryHistoryResult,
    description: `What became of a webhook’s deliveries. ${AUDIENCE}`,
    args: {
      webhookId: t.arg.string({ required: true }),
      offset: t.arg.int({ description: 'How many to pass over.' }),
      limit: t.arg.int({ description: '1–500; 50 if left out.' }),
      status: t.arg.string({
        description: 'Only those that are `pending`, `retrying`, `success`, `failed` or `dead_letter`.',
      }),
    },
    resolve: (_, { webhookId, ...page }, { caller, deps }) => deps.webhooks.deliveries(caller, webhookId, page),
  }),
}));

builder.mutationFields((t) => {
  const choices = {
    eventTypes: t.arg.stringList({ description: 'See `webhookEventTypes`; `["*"]`, which is all, if left out.' }),
    homeIds: t.arg.stringList({ description: 'Only what is about these homes; left out or empty: any.' }),
    roomIds: t.arg.stringList({ description: 'Only what is in these rooms.' }),
    accessoryIds: t.arg.stringList({ description: 'Only what is about these accessories.' }),
    collectionIds: t.arg.stringList({ description: 'Only accessories that are in one of these collections.' }),
    maxRetries: t.arg.int({ description: 'Attempts after the first, 0–10; 3 if left out.' }),
    rateLimitPerMinute: t.arg.int({ description: '1–1000; 60 if left out, null for no limit.' }),
    timeoutMs: t.arg.int({ description: '1000–120000 milliseconds; 30000 if left out.' }),
  };
  const webhookId = t.arg.string({ required: true });
  return {
    createWebhook: t.field({
      type: CreateWebhookResult,
      description: `Makes a webhook, which is told of everything from now on that its lists let through. ${NOT_FOR_APPS}`,
      args: {
        name: t.arg.string({ required: true, description: 'At most 100 characters.' }),
        url: t.arg.string({ required: true, description: 'An http or https address in the network or the world.' }),
        ...choices,
      },
      resolve: (_, input, { caller, deps }) =>
        reportOutcome<WithSecret, WithSecret>(() => presentSecret(deps.webhooks.create(caller, input)), NO_SECRET),
    }),
    updateWebhook: t.field({
      type: UpdateWebhookResult,
      description: `Changes what is given of a webhook; null leaves as it is, but of \`rateLimitPerMinute\` is no limit. ${NOT_FOR_APPS}`,
      args: { webhookId, name: t.arg.string(), url: t.arg.string(), ...choices },
      resolve: (_, { webhookId: id, rateLimitPerMinute, ...input }, { caller, deps }) =>
        reportOutcome<WithWebhook, WithWebhook>(() => {
          const limit = rateLimitPerMinute === undefined ? {} : { rateLimitPerMinute };
          return { webhook: deps.webhooks.update(caller, id, { ...given(input), ...limit }) };
        }, NO_WEBHOOK),
    }),
    deleteWebhook: t.field({
      type: DeleteWebhookResult,
      description: `Deletes a webhook with what waits to be delivered to it. ${AUDIENCE}`,
      args: { webhookId },
      resolve: (_, { webhookId: id }, { caller, deps }) =>
        reportOutcome(() => {
          deps.webhooks.delete(caller, id);
          return {};
        }, {}),
    }),
    pauseWebhook: t.field({
      type: UpdateWebhookResult,
      description: `Deliveries stop, and nothing new is queued. ${AUDIENCE}`,
      args: { webhookId },
      resolve: (_, { webhookId: id }, { caller, deps }) =>
        reportPlainly<WithWebhook>(() => ({ webhook: deps.webhooks.pause(caller, id) }), NO_WEBHOOK),
    }),
    resumeWebhook: t.field({
      type: UpdateWebhookResult,
      description: `Makes a paused or disabled webhook active, with no failures counted. ${AUDIENCE}`,
      args: { webhookId },
      resolve: (_, { webhookId: id }, { caller, deps }) =>
        reportPlainly<WithWebhook>(() => ({ webhook: deps.webhooks.resume(caller, id) }), NO_WEBHOOK),
    }),
    rotateWebhookSecret: t.field({
      type: RotateSecretResult,
      description: `Gives a webhook a new secret; the one before signs beside it for 24 hours. ${NOT_FOR_APPS}`,
      args: { webhookId },
      resolve: (_, { webhookId: id }, { caller, deps }) =>
        reportPlainly<WithSecret>(() => presentSecret(deps.webhooks.rotateSecret(caller, id)), NO_SECRET),
    }),
    testWebhook: t.field({
      type: TestWebhookResult,
      description: `Sends a webhook a test event, whatever its status, and waits for the answer. ${AUDIENCE}`,
      args: { webhookId },
      resolve: (_, { webhookId: id }, { caller, deps }) =>
        reportOutcome(() => deps.webhooks.test(caller, id), { statusCode: null, responseTimeMs: null }),
    }),
    resendWebhookDelivery: t.field({
      type: ResendWebhookDeliveryResult,
      description: `Queues the event of a delivery for its webhook once more. ${AUDIENCE}`,
      args: { webhookId, deliveryId: t.arg.string({ required: true }) },
      resolve: (_, { webhookId: id, deliveryId }, { caller, deps }) =>
        reportOutcome<{ delivery: DeliveryRecord | null }, { delivery: null }>(
          () => ({ delivery: deps.webhooks.resend(caller, id, deliveryId) }),
          { delivery: null },
        ),
    }),
  };
});

function presentSecret({ webhook, secret }: WebhookWithSecret): WithSecret {
  return { webhook: { ...webhook, rawSecret: secret }, rawSecret: secret };
}

/** Like `reportOutcome`, with the message that existing clients know for a missing webhook (wire-facts §5 item 8). */
async function reportPlainly<T extends object>(act: () => T, rest: T): Promise<Outcome & T> {
  const result = await reportOutcome<T, T>(act, rest);
  return result.code === 'webhook_not_found' ? { ...result, error: 'Not found' } : result;
}
