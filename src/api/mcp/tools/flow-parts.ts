/** Shared by the tools for flows: their input, output and vocabulary. */
import { z } from 'zod';
import type { Flow } from '../../../app/automations/flow.ts';
import { RUN_MODES } from '../../../contract/flows.ts';
import type { Home } from '../../../home/model.ts';
import { presentFlow, type WireFlow } from '../automations/flow-words.ts';
import { HomeWords } from '../automations/home-words.ts';
import { FLOW_ACTION, FLOW_CONDITION, FLOW_TRIGGER, PART } from '../automations/schemas.ts';
import { findIn } from './automation-homes.ts';
import type { ToolContext } from './mcp-tool.ts';

const settings = {
  name: z.string().describe('Must end with a letter or a number'),
  enabled: z.boolean(),
  mode: z.enum(RUN_MODES).describe('When it is triggered while it runs: single refuses, restart starts over'),
  description: z.string(),
};

export const newFlowFields = {
  ...settings,
  triggers: z.array(FLOW_TRIGGER).describe('Any of them triggers it'),
  conditions: z.array(FLOW_CONDITION).describe('All of them must hold when it is triggered'),
  actions: z.array(FLOW_ACTION).describe('Done one after the other'),
};

/** A caller who sees this tool sees `create_flow`, too. */
const anyParts = z.array(PART).describe('As create_flow takes them');
export const changedFlowFields = { ...settings, triggers: anyParts, conditions: anyParts, actions: anyParts };

export const flowOutput = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  mode: z.enum(RUN_MODES),
  triggers: z.array(PART),
  conditions: z.array(PART),
  actions: z.array(PART),
  last_triggered: z.string().nullable(),
  trigger_count: z.int(),
  editable_via_mcp: z.boolean().describe('Whether the caller may change it, and MCP can express all of it'),
});
export const changedFlowOutput = z.object({ home: z.string(), flow: flowOutput, message: z.string() });

export function findFlow({ caller, deps }: ToolContext, home: Home, text: string): Flow {
  return findIn(deps.flows.list(caller, home.id), text, home, { noun: 'flow', plural: 'flows' });
}

/** For a flow that the caller has just changed. */
export function presentChangedFlow(context: ToolContext, home: Home, flow: Flow): WireFlow {
  return presentFlow(flow, new HomeWords(context, home), true);
}
