/**
 * Outgoing webhooks (API §2.4, §4.2, §6.1): only the responses to creation and rotation contain the whole secret. A
 * session may use them only while its account has Developer Mode on: DEVELOPER_MODE_REQUIRED, an error of the field.
 */
import type { z } from 'zod';
import {
  DeliveryPage,
  NewWebhook,
  Webhook,
  WebhookChanges,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookEventType,
  WebhookPage,
  WebhookTest,
  type WebhookWithSecret,
} from '../../contract/webhooks.ts';
import { presentDeliveries, presentDelivery, presentWebhook, presentWithSecret } from '../present/webhook.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

interface ShownWebhook extends Webhook {
  /** Only after creation or rotation. */
  readonly rawSecret?: string;
}

const RAW_SECRET = 'The whole secret, this once only, after creation and rotation; null elsewhere. Keep it safe.';

const WebhookInfo = builder.objectRef<ShownWebhook>('WebhookInfo').implement({
  description:
    'A URL that receives the events of the home. Times are ISO 8601 in UTC. Lists that are not empty narrow it, each of them; what is gone stays in them and matches nothing.',
  fields: (t) => ({
    ...fieldsOf(t, Webhook, ['createdAt']),
    rawSecret: t.string({ description: RAW_SECRET, resolve: ({ rawSecret }) => rawSecret ?? null }),
  }),
});

const WebhookEventTypeInfo = builder.objectRef<WebhookEventType>('WebhookEventTypeInfo').implement({
  description: 'An event that webhooks receive.',
  fields: (t) => fieldsOf(t, WebhookEventType, ['description']),
});

const WebhookDeliveryInfo = builder.objectRef<WebhookDelivery>('WebhookDelivery').implement({
  description: 'What became of one event on its way to one webhook. Times are ISO 8601 in UTC.',
  fields: (t) => fieldsOf(t, WebhookDelivery),
});

const DeliveryHistoryResult = builder.objectRef<WebhookDeliveries>('DeliveryHistoryResult').implement({
  description: 'Deliveries of a webhook, newest first. They are kept for seven days.',
  fields: (t) => ({
    ...fieldsOf(t, WebhookDeliveries),
    deliveries: t.expose('deliveries', {
      type: [WebhookDeliveryInfo],
      nullable: { list: false, items: false },
      description: 'This part of them.',
    }),
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
interface WithDelivery {
  readonly delivery: WebhookDelivery | null;
}

const CreateWebhookResult = builder.objectRef<ActionResult & WithSecret>('CreateWebhookResult').implement({
  description: 'A new webhook.',
  interfaces: [MutationResult],
  fields: (t) => ({
    webhook: t.expose('webhook', { type: WebhookInfo, description: 'How it will be listed; null if it failed.' }),
    rawSecret: t.exposeString('rawSecret', { description: RAW_SECRET }),
  }),
});

const RotateSecretResult = builder.objectRef<ActionResult & WithSecret>('RotateSecretResult').implement({
  description: 'A webhook with a new secret. The one before signs beside it for 24 hours.',
  interfaces: [MutationResult],
  fields: (t) => ({
    webhook: t.expose('webhook', { type: WebhookInfo, description: 'The webhook; null if it failed.' }),
    rawSecret: t.exposeString('rawSecret', { description: RAW_SECRET }),
  }),
});

const UpdateWebhookResult = builder.objectRef<ActionResult & WithWebhook>('UpdateWebhookResult').implement({
  description: 'A webhook that was changed, paused or resumed.',
  interfaces: [MutationResult],
  fields: (t) => ({
    webhook: t.expose('webhook', { type: WebhookInfo, description: 'As it is now; null if it failed.' }),
  }),
});

const DeleteWebhookResult = builder.objectRef<ActionResult>('DeleteWebhookResult').implement({
  description: 'Whether a webhook was deleted, with what waited to be delivered to it.',
  interfaces: [MutationResult],
});

/** The other two are the outcome's. */
const TestFields = WebhookTest.omit({ success: true, error: true });

const TestWebhookResult = builder.objectRef<ActionResult & z.output<typeof TestFields>>('TestWebhookResult').implement({
  description: 'How a test delivery went: `success` if the receiver took it (2xx).',
  interfaces: [MutationResult],
  fields: (t) => fieldsOf(t, TestFields),
});

const ResendWebhookDeliveryResult = builder
  .objectRef<ActionResult & WithDelivery>('ResendWebhookDeliveryResult')
  .implement({
    description: 'Whether an event was queued for its webhook once more.',
    interfaces: [MutationResult],
    fields: (t) => ({
      delivery: t.expose('delivery', {
        type: WebhookDeliveryInfo,
        description: 'The new delivery; null if it failed.',
      }),
    }),
  });

const AUDIENCE = 'For admins of any home; DEVELOPER_MODE_REQUIRED for sessions without it.';
const NOT_FOR_APPS = `${AUDIENCE} Not for apps.`;

builder.queryFields((t) => ({
  webhooks: t.field({
    type: [WebhookInfo],
    nullable: LIST,
    description: `The caller’s webhooks, oldest first. ${AUDIENCE}`,
    args: argumentsOf(t.arg, WebhookPage),
    resolve: (_, page, { caller, deps }) => deps.webhooks.list(caller, given(page)).map(presentWebhook),
  }),
  webhook: t.field({
    type: WebhookInfo,
    description: `One of the caller’s webhooks. ${AUDIENCE}`,
    args: { webhookId: t.arg.string({ required: true }) },
    resolve: (_, { webhookId }, { caller, deps }) => presentWebhook(deps.webhooks.get(caller, webhookId)),
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
      ...argumentsOf(t.arg, DeliveryPage),
    },
    resolve: (_, { webhookId, ...page }, { caller, deps }) =>
      presentDeliveries(deps.webhooks.deliveries(caller, webhookId, given(page))),
  }),
}));

builder.mutationFields((t) => {
  const webhookId = t.arg.string({ required: true });
  return {
    createWebhook: t.field({
      type: CreateWebhookResult,
      description: `Creates a webhook, which from now on receives every event that its lists include. ${NOT_FOR_APPS}`,
      args: argumentsOf(t.arg, NewWebhook),
      resolve: (_, { name, url, ...choices }, { caller, deps }) =>
        reportOutcome<WithSecret, WithSecret>(
          () => presentSecret(presentWithSecret(deps.webhooks.create(caller, { name, url, ...chosen(choices) }))),
          NO_SECRET,
        ),
    }),
    updateWebhook: t.field({
      type: UpdateWebhookResult,
      description: `Changes what is given of a webhook; null leaves as it is, but of \`rateLimitPerMinute\` is no limit. ${NOT_FOR_APPS}`,
      args: { webhookId, ...argumentsOf(t.arg, WebhookChanges) },
      resolve: (_, { webhookId: id, ...changes }, { caller, deps }) =>
        reportOutcome<WithWebhook, WithWebhook>(
          () => ({ webhook: presentWebhook(deps.webhooks.update(caller, id, chosen(changes))) }),
          NO_WEBHOOK,
        ),
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
        reportPlainly<WithWebhook>(() => ({ webhook: presentWebhook(deps.webhooks.pause(caller, id)) }), NO_WEBHOOK),
    }),
    resumeWebhook: t.field({
      type: UpdateWebhookResult,
      description: `Makes a paused or disabled webhook active, with no failures counted. ${AUDIENCE}`,
      args: { webhookId },
      resolve: (_, { webhookId: id }, { caller, deps }) =>
        reportPlainly<WithWebhook>(() => ({ webhook: presentWebhook(deps.webhooks.resume(caller, id)) }), NO_WEBHOOK),
    }),
  };
});

builder.mutationFields((t) => {
  const webhookId = t.arg.string({ required: true });
  return {
    rotateWebhookSecret: t.field({
      type: RotateSecretResult,
      description: `Gives a webhook a new secret; the one before signs beside it for 24 hours. ${NOT_FOR_APPS}`,
      args: { webhookId },
      resolve: (_, { webhookId: id }, { caller, deps }) =>
        reportPlainly<WithSecret>(
          () => presentSecret(presentWithSecret(deps.webhooks.rotateSecret(caller, id))),
          NO_SECRET,
        ),
    }),
    testWebhook: t.field({
      type: TestWebhookResult,
      description: `Sends a webhook a test event, in any status, and waits for the answer. ${AUDIENCE}`,
      args: { webhookId },
      resolve: (_, { webhookId: id }, { caller, deps }) =>
        reportOutcome(() => deps.webhooks.test(caller, id), { statusCode: null, responseTimeMs: null }),
    }),
    resendWebhookDelivery: t.field({
      type: ResendWebhookDeliveryResult,
      description: `Queues the event of a delivery for its webhook once more. ${AUDIENCE}`,
      args: { webhookId, deliveryId: t.arg.string({ required: true }) },
      resolve: (_, { webhookId: id, deliveryId }, { caller, deps }) =>
        reportOutcome<WithDelivery, WithDelivery>(
          () => ({ delivery: presentDelivery(deps.webhooks.resend(caller, id, deliveryId)) }),
          { delivery: null },
        ),
    }),
  };
});

function presentSecret({ webhook, rawSecret }: WebhookWithSecret): WithSecret {
  return { webhook: { ...webhook, rawSecret }, rawSecret };
}

/** `null` is as if left out, but a limit that is `null` is none. */
function chosen<T extends { readonly rateLimitPerMinute?: number | null | undefined }>(choices: T) {
  const { rateLimitPerMinute } = choices;
  return { ...given(choices), ...(rateLimitPerMinute === null && { rateLimitPerMinute }) };
}

/** Like `reportOutcome`, with the message that existing clients know for a missing webhook (wire-facts §5 item 8). */
async function reportPlainly<T extends object>(act: () => T, rest: T): Promise<ActionResult & T> {
  const result = await reportOutcome<T, T>(act, rest);
  return result.code === 'webhook_not_found' ? { ...result, error: 'Not found' } : result;
}
