/**
 * Detects flows that start each other without end. Refuses only certain cycles: scripts that call each other, and
 * flows that trigger each other by id. Loops through devices appear only at run time, and are stopped then.
 */
import type { Flow, FlowDefinition } from '../flow.ts';
import { invalid } from '../parsing/faults.ts';
import { actionsIn } from '../walk.ts';
import type { FlowContext } from './flow-context.ts';

/** One flow that another flow starts, and the field that refers to it. */
interface Start {
  readonly id: string;
  readonly field: string;
}

/** @throws `invalid_value` naming the cycle, with the path of the action that begins it */
export function requireNoCycle(
  flow: { readonly name: string; readonly definition: Pick<FlowDefinition, 'actions'> },
  { flowId, flows }: Pick<FlowContext, 'flowId' | 'flows'>,
): void {
  // A flow without an id cannot be started by others yet.
  if (flowId === null) return;
  /** Flows that do not lead back. */
  const safe = new Set<string>();

  /** @returns the names on the path back to the flow */
  const wayBack = (id: string): readonly string[] | undefined => {
    if (id === flowId) return [];
    const next = safe.has(id) ? undefined : flows(id);
    if (!next) return undefined;
    safe.add(id);
    for (const start of startsOf(next.actions)) {
      const rest = wayBack(start.id);
      if (rest) return [next.name, ...rest];
    }
    return undefined;
  };

  for (const { id, field } of startsOf(flow.definition.actions)) {
    const names = wayBack(id);
    if (!names) continue;
    const cycle = [flow.name, ...names, flow.name].join(' → ');
    throw invalid(field, `these would start each other without end: ${cycle}`);
  }
}

function* startsOf(actions: Flow['actions']): Iterable<Start> {
  for (const { action, path } of actionsIn(actions)) {
    if (action.type === 'call_script') yield { id: action.scriptId, field: `${path}.scriptId` };
    if (action.type === 'toggle_automation' && action.action === 'trigger') {
      yield { id: action.automationId, field: `${path}.automationId` };
    }
  }
}
