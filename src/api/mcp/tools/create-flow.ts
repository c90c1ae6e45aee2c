import { z } from 'zod';
import { readFlow } from '../automations/flow-words.ts';
import { HomeWords } from '../automations/home-words.ts';
import { changedFlowOutput, newFlowFields, presentChangedFlow } from './flow-parts.ts';
import { ADDS, type McpTool } from './mcp-tool.ts';
import { describeHomes, findHome, homeName, keyOf } from './places.ts';

const { name, triggers, conditions, actions, enabled, mode, description } = newFlowFields;
const input = z.strictObject({
  home: homeName,
  name,
  triggers,
  conditions: conditions.optional(),
  actions,
  enabled: enabled.optional(),
  mode: mode.optional(),
  description: description.optional(),
});

export const createFlow: McpTool<typeof input, typeof changedFlowOutput> = {
  name: 'create_flow',
  title: 'Create a flow',
  description: (context) =>
    `Creates a flow, enabled by default: any trigger starts it, conditions must hold, actions run in order. Accessories, scenes and properties go by the names that get_state shows.\n${describeHomes(context)}`,
  needs: 'manage',
  annotations: ADDS,
  input,
  output: changedFlowOutput,
  async run(context, { home: homeText, ...flowInput }) {
    const { caller, deps } = context;
    const home = findHome(context, homeText);
    deps.access.authorizeHome(caller, 'manage', home);
    const flow = await readFlow(flowInput, new HomeWords(context, home), undefined, (data) =>
      deps.flows.saveInSlices(caller, { homeId: home.id, data }),
    );
    return {
      home: keyOf(home),
      flow: presentChangedFlow(context, home, flow),
      message: `Created the flow "${flow.name}"`,
    };
  },
};
