/**
 * Incoming webhooks (API §6.2): handles a request to a webhook's URL. There is no caller: the id, at least 128 random
 * bits, authorizes the request to fire the automation. So ids are looked up by exact match only, shown only to users
 * who may run the flow, and never logged.
 */

import type { BlockedReason } from '../../contract/automation-runs.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/json.ts';
import { notFound } from '../access/authorize.ts';
import type { AutomationEvents } from './automation-events.ts';
import type { Engine } from './engine/engine.ts';
import { MinuteCount } from './engine/guards.ts';
import type { Run } from './engine/run.ts';
import type { Flows } from './flows/flows.ts';
import type { FlowWebhook } from './flows/webhook-index.ts';
import type { Admission } from './program.ts';
import { NO_CAUSE } from './scope.ts';
import { type WebhookMethod, webhookEvent } from './triggers/webhook.ts';

/**
 * Requests per minute: far more than an automation may run, so that its traces show the refusals; stops a runaway
 * sender.
 */
const MAX_PER_WEBHOOK = 60;
const MAX_TOTAL = 600;
const RETRY_AFTER_S = 60;

/** Deeper than any real payload, and shallow enough for every recursive function. */
const MAX_LEVELS = 64;

/** The result of a request. */
export interface WebhookReceipt {
  /** The run that it started, the run that waited for it, or the trace of a refusal; `null` if there was none. */
  readonly runId: string | null;
  /** `not_waiting`: only a waiting run listens to it, and no run waits now. */
  readonly blockedReason: BlockedReason | 'not_waiting' | null;
}

interface IncomingWebhooksDeps {
  readonly flows: Pick<Flows, 'findWebhook'>;
  readonly engine: Pick<Engine, 'trigger' | 'runsOf' | 'onTriggered'>;
  readonly events: AutomationEvents;
  readonly clock: Clock;
}

export class IncomingWebhooks {
  readonly #deps: IncomingWebhooksDeps;
  readonly #rates: MinuteCount;
  readonly #rateInAll: MinuteCount;

  constructor(deps: IncomingWebhooksDeps) {
    this.#deps = deps;
    this.#rates = new MinuteCount(deps.clock, () => MAX_PER_WEBHOOK);
    this.#rateInAll = new MinuteCount(deps.clock, () => MAX_TOTAL);
  }

  /**
   * Whether to accept a request, before its body is read. Checks no permission.
   * @param method POST is always allowed; others as the trigger defines
   * @throws `not_found` · `method_not_allowed` · `rate_limited`
   */
  admit(webhookId: string, method: string): void {
    const { flow, trigger } = this.#find(webhookId);
    const methods: readonly WebhookMethod[] = [...new Set(['POST' as const, ...(trigger.allowedMethods ?? [])])];
    if (!methods.some((one) => one === method)) {
      throw new HearthError('method_not_allowed', `This webhook takes ${methods.join(', ')} only.`, { allow: methods });
    }
    // Keyed by flow, of which the number is bounded: an invented id stores nothing.
    if (this.#rates.take(`${flow.id}/${trigger.id}`) && this.#rateInAll.take('')) return;
    throw new HearthError('rate_limited', 'This webhook is called too often. Try again in a minute.', {
      retryAfterSeconds: RETRY_AFTER_S,
    });
  }

  /**
   * Fires the webhook's listeners at once: the run has started when this method returns. Checks no permission.
   * @param payload the received JSON; nesting deeper than 64 levels is refused, members named `__proto__` are dropped
   * @throws `not_found` · `invalid_request` the payload · `relay_not_connected` automations do not run yet, or no
   * longer run
   */
  receive(webhookId: string, payload: unknown): WebhookReceipt {
    const webhook = this.#find(webhookId);
    const { flow, trigger } = webhook;
    const data = cleanPayload(payload);
    const waiting = this.#deps.engine.runsOf(flow.id).filter((run) => waitsFor(run, trigger.id));
    const admission = this.#emit(webhook, data);
    if (admission) return admission;
    const went = waiting.find((run) => !waitsFor(run, trigger.id));
    if (went) return { runId: went.id, blockedReason: null };
    if (!flow.triggers.includes(trigger)) return { runId: null, blockedReason: 'not_waiting' };
    if (!trigger.enabled) return { runId: null, blockedReason: 'disabled' };
    if (flow.enabled) throw new HearthError('relay_not_connected', 'Automations do not run now. Try again soon.');
    return this.#deps.engine.trigger(flow.id, { data: { id: trigger.id, type: 'webhook', webhook_payload: data } });
  }

  /** @throws `not_found`, the same error for every invalid id */
  #find(webhookId: string): FlowWebhook {
    const webhook = this.#deps.flows.findWebhook(webhookId);
    if (!webhook) throw notFound('not_found');
    return webhook;
  }

  /** @returns the admission of the flow's own trigger; nothing if it did not fire */
  #emit({ flow: { id, homeId }, trigger: { webhookId } }: FlowWebhook, eventData: Json): Admission | undefined {
    let admission: Admission | undefined;
    const stopListening = this.#deps.engine.onTriggered((program, _at, given) => {
      // A run that triggers its own automation, or another listener, reports in the same moment: a run that started
      // takes precedence.
      if (program.id === id && admission?.blockedReason !== null) admission = given;
    });
    try {
      this.#deps.events.emit({ homeId, eventType: webhookEvent(webhookId), eventData, cause: NO_CAUSE });
    } finally {
      stopListening();
    }
    return admission;
  }
}

function waitsFor({ waiting }: Run, triggerId: string): boolean {
  return [...waiting.watchKeys].some((key) => key.endsWith(`/${triggerId}`));
}

/** A JSON copy through which no prototype can be reached. */
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
