/** The presented form of a flow (wire-facts §6.2): the input form of `parseFlow`, with ISO times. */
import type * as contract from '../../../contract/flows.ts';
import { isoTime } from '../../../kernel/iso-time.ts';
import type { Flow, FlowDefinition } from '../flow.ts';
import type { Program } from '../program.ts';
import type { FlowVersion } from './flow-store.ts';

export function presentFlow(flow: Flow): Omit<contract.Flow, 'webhookUrls'> {
  const { id, homeId, name, enabled, version, createdAt, updatedAt, lastTriggeredAt, triggerCount } = flow;
  return {
    id,
    homeId,
    name,
    enabled,
    version,
    ...presentDefinition(flow),
    metadata: {
      createdAt: isoTime(createdAt),
      updatedAt: isoTime(updatedAt),
      ...(lastTriggeredAt !== null && { lastTriggeredAt: isoTime(lastTriggeredAt) }),
      triggerCount,
    },
  };
}

export function presentFlowVersion(of: FlowVersion): contract.FlowVersion {
  const { id, flowId, version, name, savedAt, definition } = of;
  return { id, flowId, version, name, savedAt: isoTime(savedAt), definition: presentDefinition(definition) };
}

/** The portable part of a flow, which can be parsed again. */
export function presentDefinition(definition: FlowDefinition): contract.FlowDefinition {
  const { description, mode, maxRunning, triggers, conditions, actions, variables, blueprintId, uiState } = definition;
  return { description, mode, maxRunning, triggers, conditions, actions, variables, blueprintId, uiState };
}

/** The form that the engine runs. */
export function toProgram(flow: Flow): Program {
  const { id, homeId, name, enabled, mode, maxRunning, triggers, conditions, actions, variables } = flow;
  return { id, kind: 'flow', homeId, name, enabled, mode, maxRunning, triggers, conditions, actions, variables };
}
