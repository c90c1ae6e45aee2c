import type { Flow } from '../../app/automations/flow.ts';
import { presentFlow as presentRecord } from '../../app/automations/flows/present-flow.ts';
import { triggersIn } from '../../app/automations/flows/walk.ts';
import type { Admission } from '../../app/automations/program.ts';

/** A flow (wire-facts §6.2). All of it can be sent back: what is shown only is not looked at. */
export interface ShownFlow {
  readonly [field: string]: unknown;
  /** The whole addresses that set it off, in the order of its triggers; none for whoever may not run it. */
  readonly webhookUrls: readonly string[];
}

/** @param origin scheme and host under which webhooks reach this relay; empty: only the paths are shown */
export function presentFlow(flow: Flow, origin: string): ShownFlow {
  return { ...presentRecord(flow), webhookUrls: webhookUrls(flow, origin) };
}

/** What was sent, without what a face adds to a flow when it shows one. Anything but an object is for the operation to refuse. */
export function withoutShown(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'webhookUrls'));
}

export function webhookUrls(flow: Flow, origin: string): readonly string[] {
  return [...triggersIn(flow)].flatMap((trigger) =>
    trigger.type === 'webhook' && trigger.webhookId !== '' ? [`${origin}/webhook/${trigger.webhookId}`] : [],
  );
}

/** What became of asking for a run. */
export function presentAdmission({ runId, blockedReason }: Admission): object {
  return { success: blockedReason === null, runId, ...(blockedReason !== null && { blockedReason }) };
}
