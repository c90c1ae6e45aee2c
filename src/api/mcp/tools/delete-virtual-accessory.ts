import { z } from 'zod';
import { DELETES, type McpTool } from './mcp-tool.ts';
import { describeHomes, findHome, homeName, keyOf } from './places.ts';
import { findVirtual } from './virtual-fields.ts';

const input = z.strictObject({
  home: homeName,
  id: z.string().describe('Key or id of the virtual accessory'),
});

const output = z.object({ success: z.literal(true), id: z.string(), home: z.string(), message: z.string() });

export const deleteVirtualAccessory: McpTool<typeof input, typeof output> = {
  name: 'delete_virtual_accessory',
  title: 'Delete a virtual accessory',
  description: (context) =>
    `Deletes a virtual accessory with its value; refused while scenes or groups use it.\n${describeHomes(context)}`,
  needs: 'manage',
  annotations: DELETES,
  input,
  output,
  run(context, { home: homeText, id }) {
    const home = findHome(context, homeText);
    const accessory = findVirtual(context, home, id);
    const message = `Deleted "${accessory.name}"`;
    context.deps.virtuals.delete(context.caller, accessory.id);
    return { success: true, id: accessory.id, home: keyOf(home), message };
  },
};
