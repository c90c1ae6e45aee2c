/**
 * Incoming webhooks (API §6.2): what a request to a webhook's address does. There is no caller: whoever knows the id, 128 bits of
 * chance at least, may fire the automation. That is why ids are looked up and never searched for, shown to nobody who may not run the
 * flow, and written to no log.
 */
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { notFound } from '../access/authorize.ts';
import type { AutomationEvents } from './automation-events.ts';
import type { Engine } from './engine/engine.ts';
import { MinuteCount } from './engine/guards.ts';
import type { Run } from './engine/run.ts';
import type { Json, WebhookMethod } from './flow.ts';
import type { Flows } from './flows/flows.ts';
import type { Webhook } from './flows/webhook-index.ts';
import { type Admission, type BlockedReason, NO_CAUSE } from './program.ts';
import { webhookEvent } from './triggers/webhook.ts';

/** Requests a minute: more than an automation may run by far, so that its traces say what it refused; a sender that runs wild is stopped. */
const MOST_A_WEBHOOK = 60;
const MOST_IN_ALL = 600;
const RETRY_AFTER_S = 60;

/** Deeper than anybody sends, and shallow enough for everything that will walk it. */
const MAX_LEVELS = 64;

/** What became of a request. */
export interface WebhookReceipt {
  /** Of the run that it began, or that waited for it, or of the trace of a refusal; `null` if it met nothing at all. */
  readonly runId: string | null;
  /** `not_waiting`: only a run that waits listens to it, and none waits now. */
  readonly blockedReason: BlockedReason | 'not_waiting' | null;
}

interface IncomingWebhooksParts {
  readonly flows: Pick<Flows, 'findWebhook'>;
  readonly engine: Pick<Engine, 'trigger' | 'runsOf' | 'onTriggered'>;
  readonly events: AutomationEvents;
  readonly clock: Clock;
}

export class IncomingWebhooks {
  readonly #parts: IncomingWebhooksParts;
  readonly #rates: MinuteCount;
  readonly #rateInAll: MinuteCount;

  constructor(parts: IncomingWebhooksParts) {
    this.#parts = parts;
    this.#rates = new MinuteCount(parts.clock, () => MOST_A_WEBHOOK);
    this.#rateInAll = new MinuteCount(parts.clock, () => MOST_IN_ALL);
  }

  /**
   * Whether a request may go on, before anything of its body is read. Anybody may ask.
   * @param method POST always may; others where the trigger says so
   * @throws `not_found` · `method_not_allowed` · `rate_limited`
   */
  admit(webhookId: string, method: string): void {
    const { flow, trigger } = this.#find(webhookId);
    const methods: readonly WebhookMethod[] = [...new Set(['POST' as const, ...(trigger.allowedMethods ?? [])])];
    if (!methods.some((one) => one === method)) {
      throw new HearthError('method_not_allowed', `This webhook takes ${methods.join(', ')} only.`, { allow: methods });
    }
    // By flow, of which there is a bounded number: nothing is kept under an id that somebody made up.
    if (this.#rates.take(`${flow.id}/${trigger.id}`) && this.#rateInAll.take('')) return;
    throw new HearthError('rate_limited', 'This webhook is called too often. Try again in a minute.', {
      retryAfterSeconds: RETRY_AFTER_S,
    });
  }

  /**
   * Fires what listens to the webhook, at once: the run has begun when this returns. Anybody may ask.
   * @param payload JSON as it came; what is deeper than 64 levels is refused, members named `__proto__` are dropped
   * @throws `not_found` · `invalid_request` the payload · `relay_not_connected` automations do not run yet, or no more
   */
  receive(webhookId: string, payload: unknown): WebhookReceipt {
    const webhook = this.#find(webhookId);
    const { flow, trigger } = webhook;
    const data = cleanPayload(payload);
    const waiting = this.#parts.engine.runsOf(flow.id).filter((run) => waitsFor(run, trigger.id));
    const admission = this.#emit(webhook, data);
    if (admission) return admission;
    const went = waiting.find((run) => !waitsFor(run, trigger.id));
    if (went) return { runId: went.id, blockedReason: null };
    if (!flow.triggers.includes(trigger)) return { runId: null, blockedReason: 'not_waiting' };
    if (!trigger.enabled) return { runId: null, blockedReason: 'disabled' };
    if (flow.enabled) throw new HearthError('relay_not_connected', 'Automations do not run now. Try again soon.');
    return this.#parts.engine.trigger(flow.id, { data: { id: trigger.id, type: 'webhook', webhook_payload: data } });
  }

  /** @throws `not_found`, the same for every id that is none */
  #find(webhookId: string): Webhook {
    const webhook = this.#parts.flows.findWebhook(webhookId);
    if (!webhook) throw notFound('not_found');
    return webhook;
  }

  /** @returns what the flow's own trigger came to; nothing where that did not fire */
  #emit({ flow: { id, homeId }, trigger: { webhookId } }: Webhook, eventData: Json): Admission | undefined {
    let admission: Admission | undefined;
    const stopListening = this.#parts.engine.onTriggered((program, _at, given) => {
      // A run that triggers its own automation, or another that listens too, is told of in the same moment: one that began counts.
      if (program.id === id && admission?.blockedReason !== null) admission = given;
    });
    try {
      this.#parts.events.emit({ homeId, eventType: webhookEvent(webhookId), eventData, cause: NO_CAUSE });
    } finally {
      stopListening();
    }
    return admission;
  }
}

function waitsFor({ waiting }: Run, triggerId: string): boolean {
  return [...waiting.watchKeys].some((key) => key.endsWith(`/${triggerId}`));
}

/** A copy that no prototype can be reached through, and that JSON can hold. */
function cleanPayload(value: unknown, levels = MAX_LEVELS): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw new HearthError('invalid_request', 'The body holds a number that is too large.');
  }
  if (levels === 0) throw new HearthError('invalid_request', `The body is nested more than ${MAX_LEVELS} levels deep.`);
  if (Array.isArray(value)) return value.map((item) => cleanPayload(item, levels - 1));
  const members = Object.entries(value as object).filter(([name]) => name !== '__proto__');
  return Object.fromEntries(members.map(([name, item]) => [name, cleanPayload(item, levels - 1)]));
}
