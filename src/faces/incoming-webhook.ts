/**
 * POST `/webhook/:webhookId` (API §6.2, decisions §10): programs outside fire automations. Nobody says who they are: the id is the
 * secret, so it is in no log, and nothing of a request's body is read before its id is known. Host and Origin are guarded as everywhere,
 * so that no web page calls a webhook from a visitor's browser.
 */
import { Hono } from 'hono';
import type { IncomingWebhooks, WebhookReceipt } from '../app/automations/incoming-webhooks.ts';
import { HearthError } from '../kernel/errors.ts';
import type { FaceContext, FaceEnv, FaceMiddleware } from './env.ts';
import { guardBody, guardJson } from './guards.ts';
import { answerJson } from './respond.ts';
import { readOptionalJson } from './rest/request.ts';

const PREFIX = '/webhook/';
const PATH = `${PREFIX}:webhookId`;

/** decisions §10. */
const MAX_BODY_BYTES = 64 * 1024;

/** For a run that its automation refused because it ran too often lately. */
const RATE_RETRY_AFTER_S = 60;

export interface IncomingWebhookDeps {
  readonly incomingWebhooks: IncomingWebhooks;
}

export function incomingWebhookRoutes({ incomingWebhooks }: IncomingWebhookDeps): Hono<FaceEnv> {
  const admit: FaceMiddleware = (c, next) => {
    incomingWebhooks.admit(webhookIdOf(c), c.req.method);
    refusePrefetch(c);
    return next();
  };
  const fire = async (c: FaceContext): Promise<Response> =>
    presentReceipt(incomingWebhooks.receive(webhookIdOf(c), await readPayload(c)));
  const steps = [admit, guardBody(MAX_BODY_BYTES), guardJson(), fire] as const;
  // POST by name, for it is a route to be listed; the others depend on the webhook.
  return new Hono<FaceEnv>().post(PATH, ...steps).all(PATH, ...steps);
}

/** The path of a request as a log may show it. */
export function withoutWebhookId(path: string): string {
  return path.startsWith(PREFIX) ? `${PREFIX}…` : path;
}

function webhookIdOf(c: FaceContext): string {
  return c.req.param('webhookId') ?? '';
}

/** Of a GET the query's parameters, of everything else the body; none is `null`. @throws `invalid_request` */
async function readPayload(c: FaceContext): Promise<unknown> {
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

/** Browsers and previews of links fetch what nobody has asked for yet. */
function refusePrefetch(c: FaceContext): void {
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
