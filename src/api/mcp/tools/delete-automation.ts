import { z } from 'zod';
import { DELETES, type McpTool } from './mcp-tool.ts';
import { findAutomation } from './native-automation-parts.ts';
import { describeHomes, findHome, homeName, keyOf } from './places.ts';

const input = z.strictObject({ home: homeName, id: z.string().describe('Id or name of the automation') });
const output = z.object({ success: z.boolean(), id: z.string(), home: z.string(), message: z.string() });

export const deleteAutomation: McpTool<typeof input, typeof output> = {
  name: 'delete_automation',
  title: 'Delete an automation',
  description: (context) =>
    `Deletes an automation of get_automations for good; what it has set stays as it is.\n${describeHomes(context)}`,
  needs: 'manage',
  annotations: DELETES,
  input,
  output,
  run(context, { home: homeText, id: text }) {
    const home = findHome(context, homeText);
    const { id, name } = findAutomation(context, home, text);
    context.deps.automations.delete(context.caller, id);
    return { success: true, id, home: keyOf(home), message: `Deleted the automation "${name}"` };
  },
};
