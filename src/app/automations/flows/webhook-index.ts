/** Maps webhooks to flows: every incoming request looks up an id, and an id belongs to one flow of all homes. */
import type { Flow } from '../flow.ts';
import type { Trigger, TriggerOf } from '../triggers/index.ts';
import { triggersIn } from '../walk.ts';

export interface FlowWebhook {
  readonly flow: Flow;
  readonly trigger: TriggerOf<'webhook'>;
}

export class WebhookIndex {
  readonly #byId = new Map<string, string>();
  readonly #byFlow = new Map<string, readonly string[]>();

  put(flow: Flow): void {
    this.remove(flow.id);
    const ids = [...triggersIn(flow)].filter(isWebhook).map(({ webhookId }) => webhookId);
    for (const id of ids) this.#byId.set(id, flow.id);
    this.#byFlow.set(flow.id, ids);
  }

  remove(flowId: string): void {
    for (const id of this.#byFlow.get(flowId) ?? []) this.#byId.delete(id);
    this.#byFlow.delete(flowId);
  }

  /** The id of the flow that owns it. */
  ownerOf(webhookId: string): string | undefined {
    return this.#byId.get(webhookId);
  }
}

/** The trigger with this webhook, of the flow or of one of its waits. */
export function findWebhookTrigger(flow: Flow, webhookId: string): TriggerOf<'webhook'> | undefined {
  return [...triggersIn(flow)].filter(isWebhook).find((trigger) => trigger.webhookId === webhookId);
}

function isWebhook(trigger: Trigger): trigger is TriggerOf<'webhook'> {
  return trigger.type === 'webhook';
}
