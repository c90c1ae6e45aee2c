import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { invalid } from '../parsing/faults.ts';
import { type Field, optional } from '../parsing/field.ts';
import { listOf, text } from '../parsing/field-kinds.ts';
import { parseText } from '../parsing/fields.ts';
import { triggerKind } from './trigger-kind.ts';

/** The event type of a webhook call (wire-facts §6.5); its data is the body. */
export function webhookEvent(webhookId: string): string {
  return `webhook.${webhookId}`;
}

/** 22 characters of base64url are 128 bits (decisions §10). */
const ID_BYTES = 16;
const ID_FORM = /^[A-Za-z0-9_-]{22,128}$/;

export const WEBHOOK_METHODS = ['GET', 'POST', 'PUT'] as const;
export type WebhookMethod = (typeof WEBHOOK_METHODS)[number];

const WEBHOOK_ID: Field<string> = {
  schema: text(
    'The secret in `/webhook/<id>`; made where left out. Hidden from those who may only view.',
  ).schema.optional(),
  read({ fields, parsing }, name) {
    const webhookId = parseText(fields.raw(name) ?? '', fields.at(name)) || newWebhookId();
    const path = fields.at(name);
    if (!ID_FORM.test(webhookId)) {
      throw invalid(
        path,
        'it must have 22 to 128 letters, digits, _ or -, so that it can’t be guessed; leave it out to get one',
      );
    }
    parsing.claimWebhook(webhookId, path);
    return webhookId;
  },
};

const METHODS = listOf(
  'methods',
  10,
  z.array(z.enum(WEBHOOK_METHODS)).meta({ description: 'Methods that call it besides POST.' }),
  (list, path) => {
    if (list.length === 0) throw invalid(path, 'it must name at least one method');
    const methods = list.map((item, index) => {
      const method = WEBHOOK_METHODS.find((one) => typeof item === 'string' && one === item.toUpperCase());
      if (method !== undefined) return method;
      throw invalid(`${path}[${index}]`, `it must be one of ${WEBHOOK_METHODS.join(', ')}`);
    });
    return [...new Set(methods)];
  },
);

/** A request called the webhook's URL. The API, which knows the request, checks the allowed methods. */
export const webhook = triggerKind({
  type: 'webhook',
  fields: { webhookId: WEBHOOK_ID, allowedMethods: optional(METHODS) },
  summarize: () => 'When its webhook is called',
  watch({ webhookId }, { homeId, triggerDeps, fire }) {
    return triggerDeps.events.on(homeId, webhookEvent(webhookId), ({ eventData, cause }) => {
      fire({ webhook_payload: eventData }, { cause });
    });
  },
});

function newWebhookId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}
