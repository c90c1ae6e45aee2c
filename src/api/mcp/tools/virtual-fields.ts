/** Shared by the tools for virtual accessories: their arguments, and the presentation of one. */
import { z } from 'zod';
import type { Accessory, Home } from '../../../home/model.ts';
import type { ToolContext } from './mcp-tool.ts';
import { findRoom, keyOf, pickNamed } from './places.ts';

/** The operation decides which of these a kind accepts, and within which limits. */
export const virtualFields = {
  options: z.array(z.string()).optional().describe('The modes; a mode needs them'),
  min: z.number().nullish().describe('A number needs min and max'),
  max: z.number().nullish(),
  step: z.number().optional(),
  unit: z.string().nullish().describe('Of a number'),
  duration: z
    .union([
      z.number(),
      z.string(),
      z.strictObject({ hours: z.number().optional(), minutes: z.number().optional(), seconds: z.number().optional() }),
    ])
    .optional()
    .describe('Of a timer: seconds, or {"minutes": 5}'),
  controllable: z.boolean().optional().describe('Whether people may set it; automations always may'),
  icon: z.string().nullish(),
};

export const virtualOutput = z.object({
  id: z.string(),
  slug: z.string().describe('Its key'),
  name: z.string(),
  type: z.string(),
  room: z.string().nullable(),
});

export function presentVirtual({ deps }: ToolContext, accessory: Accessory): object {
  const { id, name, roomId } = accessory;
  const type = deps.virtuals.describe(accessory)?.virtualType;
  return { id, slug: keyOf(accessory), name, type, room: deps.state.room(roomId)?.name ?? null };
}

/** The id of a room by name; an empty string is the home itself, which is its default room. @throws `room_not_found` */
export function roomIdOf(context: ToolContext, home: Home, room: string | undefined): string | null | undefined {
  if (room === undefined) return undefined;
  return room.trim() === '' ? null : findRoom(context, home, room).id;
}

/** By id, key or name. @throws `accessory_not_found` · `invalid_value` several have this name */
export function findVirtual({ caller, deps }: ToolContext, home: Home, text: string): Accessory {
  return pickNamed(deps.virtuals.list(caller, home.id), text, {
    code: 'accessory_not_found',
    field: 'id',
    noun: 'virtual accessory',
    plural: 'virtual accessories',
    where: ` in ${home.name}`,
  });
}
