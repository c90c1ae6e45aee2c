import type { Flow } from '../../app/automations/flow.ts';
import { presentFlow as presentRecord } from '../../app/automations/flows/present-flow.ts';
import type { Admission } from '../../app/automations/program.ts';
import { triggersIn } from '../../app/automations/walk.ts';
import type { RunAnswer } from '../../contract/automation-runs.ts';
import type * as contract from '../../contract/flows.ts';

/**
 * A flow (wire-facts §6.2). All of it can be sent back: output-only fields are ignored. The URLs are in the order of
 * its triggers.
 * @param origin scheme and host under which webhooks reach this relay; if empty, the result has only the paths
 */
export function presentFlow(flow: Flow, origin: string): contract.Flow {
  return { ...presentRecord(flow), webhookUrls: webhookUrls(flow, origin) };
}

/** Removes the output-only fields that an API adds to a flow. The operation rejects anything but an object. */
export function withoutShown(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'webhookUrls'));
}

function webhookUrls(flow: Flow, origin: string): readonly string[] {
  return [...triggersIn(flow)].flatMap((trigger) =>
    trigger.type === 'webhook' && trigger.webhookId !== '' ? [`${origin}/webhook/${trigger.webhookId}`] : [],
  );
}

/** The result of a request for a run. */
export function presentAdmission({ runId, blockedReason }: Admission): RunAnswer {
  return { success: blockedReason === null, runId, ...(blockedReason !== null && { blockedReason }) };
}
