/** Ids of webhooks are secrets: who knows one may run the flow. */
import type { FlowDefinition, Json } from '../flow.ts';
import { presentDefinition } from './present-flow.ts';

/** A definition in which every webhook has an empty id, which saving would make anew. */
export function withoutWebhookIds(definition: FlowDefinition): FlowDefinition {
  const { triggers, actions } = presentDefinition(definition);
  const hidden = { triggers: hide(triggers ?? []), actions: hide(actions ?? []) };
  return { ...definition, ...(hidden as unknown as Pick<FlowDefinition, 'triggers' | 'actions'>) };
}

function hide(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(hide);
  const entries = Object.entries(value).map(([key, item]) => [key, hide(item ?? null)] as const);
  const copy = Object.fromEntries(entries);
  return copy.type === 'webhook' && typeof copy.webhookId === 'string' ? { ...copy, webhookId: '' } : copy;
}
