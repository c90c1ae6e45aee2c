/**
 * POST `/webhook/:webhookId` (API §6.2, decisions §10): external programs fire automations. There is no authentication:
 * the id is the secret. So no log contains it, and the relay reads nothing of a body before it has found the id. Host
 * and Origin are guarded as everywhere, so that no web page calls a webhook from a visitor's browser.
 */
import { Hono } from 'hono';
import type { IncomingWebhooks, WebhookReceipt } from '../app/automations/incoming-webhooks.ts';
import { HearthError } from '../kernel/errors.ts';
import type { ApiContext, ApiEnv, ApiMiddleware } from './env.ts';
import { guardBody, guardJson } from './guards.ts';
import { readOptionalJson } from './read-body.ts';
import { answerJson } from './respond.ts';

const PREFIX = '/webhook/';
const PATH = `${PREFIX}:webhookId`;

/** decisions §10. */
const MAX_BODY_BYTES = 64 * 1024;

/** For a run that its automation rejects because of its rate limit. */
const RATE_RETRY_AFTER_S = 60;

export interface IncomingWebhookDeps {
  readonly incomingWebhooks: IncomingWebhooks;
}

export function incomingWebhookRoutes({ incomingWebhooks }: IncomingWebhookDeps): Hono<ApiEnv> {
  const admit: ApiMiddleware = (c, next) => {
    incomingWebhooks.admit(webhookIdOf(c), c.req.method);
    refusePrefetch(c);
    return next();
  };
  const fire = async (c: ApiContext): Promise<Response> =>
    presentReceipt(incomingWebhooks.receive(webhookIdOf(c), await readPayload(c)));
  const steps = [admit, guardBody(MAX_BODY_BYTES), guardJson(), fire] as const;
  // POST is a separate route, so that it is listed; the other methods depend on the webhook.
  return new Hono<ApiEnv>().post(PATH, ...steps).all(PATH, ...steps);
}

/** The path of a request, without the secret, for logs. */
export function withoutWebhookId(path: string): string {
  return path.startsWith(PREFIX) ? `${PREFIX}…` : path;
}

function webhookIdOf(c: ApiContext): string {
  return c.req.param('webhookId') ?? '';
}

/** The query's parameters of a GET, the body of any other method; `null` if there is none. @throws `invalid_request` */
async function readPayload(c: ApiContext): Promise<unknown> {
  if (c.req.method !== 'GET') return readOptionalJson(c);
  const query = new URL(c.req.url).searchParams;
  if (query.size === 0) return null;
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

/** Browsers and link previews fetch URLs that no person has opened yet. */
function refusePrefetch(c: ApiContext): void {
  const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => c.req.header(name)?.toLowerCase());
  if (!purposes.some((purpose) => purpose?.includes('prefetch') || purpose?.includes('preview'))) return;
  throw new HearthError('invalid_request', 'A webhook is not fetched in advance: it acts.');
}

function presentReceipt({ runId, blockedReason }: WebhookReceipt): Response {
  if (blockedReason === null) return answerJson({ success: true, runId }, 202);
  const refusal = { success: false, runId, blockedReason };
  if (blockedReason !== 'rate_limit') return answerJson(refusal, 202);
  const error = { error: 'The automation has run too often lately. Try again in a minute.', code: 'rate_limited' };
  return answerJson({ ...error, ...refusal }, 429, { 'Retry-After': String(RATE_RETRY_AFTER_S) });
}
