/** Shared by the tools for virtual accessories: their arguments, and the presentation of one. */
import { z } from 'zod';
import { KIND_FIELDS } from '../../../contract/virtual-accessories.ts';
import type { Accessory, Home } from '../../../home/model.ts';
import type { ToolContext } from './mcp-tool.ts';
import { findRoom, keyOf, pickNamed } from './places.ts';

const { options, min, max, step, unit, duration, controllable, icon } = KIND_FIELDS;

/** The operation decides which of these a kind accepts, and within which limits. */
export const virtualFields = {
  options: options.describe('The modes; a mode needs them').optional(),
  min: min.describe('A number needs min and max').optional(),
  max: max.describe('').optional(),
  step: step.describe('').optional(),
  unit: unit.describe('Of a number').optional(),
  duration: duration.describe('Of a timer: seconds, or {"minutes": 5}').optional(),
  controllable: controllable.describe('Whether people may set it; automations always may').optional(),
  icon: icon.describe('A name in Lucide, such as lamp-desk').optional(),
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
