import { z } from 'zod';
import { HearthError } from '../../../kernel/errors.ts';
import { readFlow } from '../automations/flow-words.ts';
import { HomeWords } from '../automations/home-words.ts';
import { changedFlowFields, changedFlowOutput, findFlow, presentChangedFlow } from './flow-parts.ts';
import { CHANGES, type McpTool } from './mcp-tool.ts';
import { describeHomes, findHome, homeName, keyOf } from './places.ts';

const fields = z.object(changedFlowFields).partial().shape;
const input = z.strictObject({ home: homeName, id: z.string().describe('Id or name of the flow'), ...fields });

export const updateFlow: McpTool<typeof input, typeof changedFlowOutput> = {
  name: 'update_flow',
  title: 'Change a flow',
  description: (context) =>
    `Changes what is given of a flow of get_flows: a list that is given takes the place of the whole list; the rest stays. Keep the ids of parts, and send parts marked _unsupported back as they were shown, or with their id and _unsupported alone.\n${describeHomes(context)}`,
  needs: 'manage',
  annotations: CHANGES,
  input,
  output: changedFlowOutput,
  async run(context, { home: homeText, id, ...changes }) {
    const { caller, deps } = context;
    const home = findHome(context, homeText);
    const current = findFlow(context, home, id);
    deps.access.authorizeHome(caller, 'manage', home);
    if (Object.values(changes).every((change) => change === undefined)) {
      throw new HearthError('invalid_request', `Give something to change: ${Object.keys(fields).join(', ')}.`);
    }
    const flow = await readFlow(changes, new HomeWords(context, home), current, (data) =>
      deps.flows.saveInSlices(caller, { homeId: home.id, flowId: current.id, data }),
    );
    return {
      home: keyOf(home),
      flow: presentChangedFlow(context, home, flow),
      message: `Changed the flow "${flow.name}"`,
    };
  },
};
