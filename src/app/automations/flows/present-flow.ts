/** The presented form of a flow (wire-facts §6.2): the input form of `parseFlow`, with ISO times. */
import { isoTime } from '../../../kernel/iso-time.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { Flow, FlowDefinition } from '../flow.ts';
import type { Program } from '../program.ts';
import type { FlowVersion } from './flow-store.ts';

export function presentFlow(flow: Flow): JsonObject {
  const { id, homeId, name, enabled, version, createdAt, updatedAt, lastTriggeredAt, triggerCount } = flow;
  return {
    id,
    homeId,
    name,
    enabled,
    version,
    ...presentDefinition(flow),
    metadata: {
      createdAt: toIso(createdAt),
      updatedAt: toIso(updatedAt),
      ...(lastTriggeredAt !== null && { lastTriggeredAt: toIso(lastTriggeredAt) }),
      triggerCount,
    },
  };
}

export function presentFlowVersion({ id, flowId, version, name, definition, savedAt }: FlowVersion): JsonObject {
  return { id, flowId, version, name, savedAt: toIso(savedAt), definition: presentDefinition(definition) };
}

/** The portable part of a flow, which can be parsed again. */
export function presentDefinition(definition: FlowDefinition): JsonObject {
  const { description, mode, maxRunning, triggers, conditions, actions, variables, blueprintId, uiState } = definition;
  const shown = { description, mode, maxRunning, triggers, conditions, actions, variables, blueprintId, uiState };
  // All of it is JSON, which the types express only part by part.
  return shown as unknown as JsonObject;
}

/** The form that the engine runs. */
export function toProgram(flow: Flow): Program {
  const { id, homeId, name, enabled, mode, maxRunning, triggers, conditions, actions, variables } = flow;
  return { id, kind: 'flow', homeId, name, enabled, mode, maxRunning, triggers, conditions, actions, variables };
}

function toIso(ms: number): string {
  return isoTime(ms);
}
