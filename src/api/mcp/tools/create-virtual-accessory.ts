import { z } from 'zod';
import { HearthError } from '../../../kernel/errors.ts';
import { ADDS, type McpTool } from './mcp-tool.ts';
import { describePlaces, findHome, homeName, keyOf } from './places.ts';
import { presentVirtual, roomIdOf, virtualFields, virtualOutput } from './virtual-fields.ts';

const DESCRIPTION = `Makes a virtual accessory: a value that people and automations set and read like any accessory.
Types: switch, mode (needs options), number (needs min and max), counter, timer, text, date.`;

const input = z.strictObject({
  home: homeName,
  name: z.string(),
  type: z.enum(['switch', 'mode', 'number', 'counter', 'timer', 'text', 'date']),
  ...virtualFields,
  initial: z.union([z.boolean(), z.number(), z.string()]).optional().describe('Its value at first'),
  room: z.string().optional().describe('Name or key of the room; the home’s default room if left out'),
});

const output = z.object({ home: z.string(), virtual_accessory: virtualOutput, message: z.string() });

export const createVirtualAccessory: McpTool<typeof input, typeof output> = {
  name: 'create_virtual_accessory',
  title: 'Create a virtual accessory',
  description: (context) => `${DESCRIPTION}\n${describePlaces(context)}`,
  needs: 'manage',
  annotations: ADDS,
  input,
  output,
  run(context, { home: homeText, room, ...fields }) {
    const { caller, deps } = context;
    const home = findHome(context, homeText);
    if (fields.type === 'mode' && fields.options === undefined) throw missing('options', 'A mode needs its options.');
    if (fields.type === 'number' && (fields.min == null || fields.max == null)) {
      throw missing(fields.min == null ? 'min' : 'max', 'A number needs min and max.');
    }
    const roomId = roomIdOf(context, home, room);
    const accessory = deps.virtuals.create(caller, { homeId: home.id, roomId, ...fields });
    return {
      home: keyOf(home),
      virtual_accessory: presentVirtual(context, accessory),
      message: `Created "${accessory.name}"`,
    };
  },
};

function missing(field: string, sentence: string): HearthError {
  return new HearthError('invalid_request', sentence, { field });
}
