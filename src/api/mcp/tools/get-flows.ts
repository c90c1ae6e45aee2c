import { z } from 'zod';
import { StateFilters } from '../../../contract/state.ts';
import { presentFlow } from '../automations/flow-words.ts';
import { HomeWords } from '../automations/home-words.ts';
import { byHome, listMeta } from './automation-homes.ts';
import { flowOutput } from './flow-parts.ts';
import { type McpTool, READS } from './mcp-tool.ts';
import { describeHomes } from './places.ts';

const input = z.strictObject({ filter_by_home: StateFilters.shape.home });
const output = z.object({ _meta: listMeta }).catchall(z.array(flowOutput).describe('The flows of a home'));

export const getFlows: McpTool<typeof input, typeof output> = {
  name: 'get_flows',
  title: 'Get flows',
  description: (context) =>
    `Lists the flows of homes by key: automations with several triggers, conditions, and actions that may wait, notify or run scenes. Parts marked _unsupported can be kept but not made here.\n${describeHomes(context)}`,
  needs: 'view',
  annotations: READS,
  input,
  output,
  run(context, { filter_by_home }) {
    const { caller, deps } = context;
    return byHome(context, filter_by_home, 'flow', (home, mayChange) => {
      const words = new HomeWords(context, home);
      return deps.flows.list(caller, home.id).map((flow) => presentFlow(flow, words, mayChange));
    });
  },
};
