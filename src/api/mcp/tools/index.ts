/** The registry of tools, in the order in which clients list them. */
import { applyBlueprint } from './apply-blueprint.ts';
import { createAutomation } from './create-automation.ts';
import { createFlow } from './create-flow.ts';
import { createScene } from './create-scene.ts';
import { createVirtualAccessory } from './create-virtual-accessory.ts';
import { deleteAutomation } from './delete-automation.ts';
import { deleteFlow } from './delete-flow.ts';
import { deleteScene } from './delete-scene.ts';
import { deleteVirtualAccessory } from './delete-virtual-accessory.ts';
import { getAutomations } from './get-automations.ts';
import { getBlueprints } from './get-blueprints.ts';
import { getFlows } from './get-flows.ts';
import { getHistory } from './get-history.ts';
import { getPeople } from './get-people.ts';
import { getState } from './get-state.ts';
import type { McpTool } from './mcp-tool.ts';
import { queryHistory } from './query-history.ts';
import { runScene } from './run-scene.ts';
import { setState } from './set-state.ts';
import { updateAutomation } from './update-automation.ts';
import { updateFlow } from './update-flow.ts';
import { updateScene } from './update-scene.ts';
import { updateVirtualAccessory } from './update-virtual-accessory.ts';

export const TOOLS: readonly McpTool[] = [
  getState,
  getHistory,
  queryHistory,
  setState,
  runScene,
  createScene,
  updateScene,
  deleteScene,
  createVirtualAccessory,
  updateVirtualAccessory,
  deleteVirtualAccessory,
  getPeople,
  getAutomations,
  createAutomation,
  updateAutomation,
  deleteAutomation,
  getFlows,
  createFlow,
  updateFlow,
  deleteFlow,
  getBlueprints,
  applyBlueprint,
];
