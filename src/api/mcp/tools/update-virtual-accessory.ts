import { z } from 'zod';
import { CHANGES, type McpTool } from './mcp-tool.ts';
import { describePlaces, findHome, homeName, keyOf } from './places.ts';
import { findVirtual, presentVirtual, roomIdOf, virtualFields, virtualOutput } from './virtual-fields.ts';

const input = z.strictObject({
  home: homeName,
  id: z.string().describe('Key or id of the virtual accessory'),
  name: z.string().optional(),
  ...virtualFields,
  room: z.string().optional().describe('Name or key of its new room; "" is the home itself'),
});

const output = z.object({ home: z.string(), virtual_accessory: virtualOutput, message: z.string() });

export const updateVirtualAccessory: McpTool<typeof input, typeof output> = {
  name: 'update_virtual_accessory',
  title: 'Change a virtual accessory',
  description: (context) =>
    `Renames, moves or reconfigures a virtual accessory; fields that are left out stay. Its type can't change. Its value is set by set_state.\n${describePlaces(context)}`,
  needs: 'manage',
  annotations: CHANGES,
  input,
  output,
  run(context, { home: homeText, id, room, ...changes }) {
    const { caller, deps } = context;
    const home = findHome(context, homeText);
    const found = findVirtual(context, home, id);
    deps.virtuals.update(caller, found.id, { ...changes, roomId: roomIdOf(context, home, room) });
    const accessory = deps.virtuals.get(caller, found.id);
    return {
      home: keyOf(home),
      virtual_accessory: presentVirtual(context, accessory),
      message: `Changed "${accessory.name}"`,
    };
  },
};
