import { z } from 'zod';
import { findFlow } from './flow-parts.ts';
import { DELETES, type McpTool } from './mcp-tool.ts';
import { describeHomes, findHome, homeName, keyOf } from './places.ts';

const input = z.strictObject({ home: homeName, id: z.string().describe('Id or name of the flow') });
const output = z.object({ success: z.boolean(), id: z.string(), home: z.string(), message: z.string() });

export const deleteFlow: McpTool<typeof input, typeof output> = {
  name: 'delete_flow',
  title: 'Delete a flow',
  description: (context) => `Deletes a flow of get_flows for good, with its versions.\n${describeHomes(context)}`,
  needs: 'manage',
  annotations: DELETES,
  input,
  output,
  run(context, { home: homeText, id: text }) {
    const home = findHome(context, homeText);
    const { id, name } = findFlow(context, home, text);
    context.deps.flows.delete(context.caller, id);
    return { success: true, id, home: keyOf(home), message: `Deleted the flow "${name}"` };
  },
};
