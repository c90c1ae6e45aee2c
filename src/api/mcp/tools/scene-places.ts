/** Shared by the scene tools: finding a scene by name, and its actions in the format of get_state. */
import { z } from 'zod';
import type { ListedScene } from '../../../app/scenes/scenes.ts';
import type { Home } from '../../../home/model.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { ToolContext } from './mcp-tool.ts';
import { findAccessory, findRoom, listed } from './places.ts';

export const sceneName = z.string().describe('Name of the scene, ignoring case, or its id');

export const sceneActions = z
  .array(
    z
      .object({
        accessory: z.string().describe('Key of the accessory'),
        room: z.string().optional().describe('Key of its room, where the name alone would not do'),
      })
      .catchall(
        z.union([z.boolean(), z.number(), z.string()]).describe('A property of _settable and the value to set'),
      ),
  )
  .describe('For example [{"accessory": "lamp_1a2b", "on": true, "brightness": 40}]');

type FriendlyActions = z.output<typeof sceneActions>;

/**
 * By name, else by id: the scenes of automations have no other name. @throws `scene_not_found` listing the existing
 * ones
 */
export function findScene(context: ToolContext, home: Home, text: string): ListedScene {
  const { caller, deps } = context;
  try {
    return deps.scenes.findByName(caller, home.id, text);
  } catch (error) {
    if (!(error instanceof HearthError) || error.code !== 'scene_not_found') throw error;
    const byId = findSceneById(context, home, text);
    if (byId) return byId;
    const names = deps.sceneNames(home.id).map((one) => `"${one}"`);
    const there = names.length === 0 ? 'There are none.' : `There are: ${listed(names)}.`;
    throw new HearthError('scene_not_found', `${error.message}. ${there}`, { field: 'name' });
  }
}

function findSceneById({ caller, deps }: ToolContext, home: Home, id: string): ListedScene | undefined {
  try {
    const scene = deps.scenes.get(caller, id.trim());
    return scene.homeId === home.id ? scene : undefined;
  } catch (error) {
    if (error instanceof HearthError) return undefined;
    throw error;
  }
}

/** One action as a scene has it, and its position in the input. */
export interface TranslatedAction {
  readonly action: { readonly accessoryId: string; readonly characteristicType: string; readonly targetValue: unknown };
  /** `actions[2].brightness` */
  readonly path: string;
}

/**
 * @throws `invalid_request` an action sets nothing · `room_not_found` · `accessory_not_found` · `invalid_value` an
 * ambiguous name
 */
export function translateActions(context: ToolContext, home: Home, actions: FriendlyActions): TranslatedAction[] {
  return actions.flatMap(({ accessory: name, room: roomName, ...settings }, index) => {
    const path = `actions[${index}]`;
    const room = roomName === undefined ? undefined : findRoom(context, home, roomName, `${path}.room`);
    const { id: accessoryId } = findAccessory(context, { home, room }, name, `${path}.accessory`);
    const entries = Object.entries(settings);
    if (entries.length === 0) {
      throw new HearthError('invalid_request', `${path}: add what to set, for example "on": true.`, { field: path });
    }
    return entries.map(([property, targetValue]) => ({
      action: { accessoryId, characteristicType: property, targetValue },
      path: `${path}.${property}`,
    }));
  });
}

/** Calls an operation with translated actions; its errors name positions in the input. */
export function withActions<T>(
  translated: readonly TranslatedAction[],
  call: (actions: TranslatedAction['action'][]) => T,
): T {
  try {
    return call(translated.map(({ action }) => action));
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    const [wire, index] = /^actions\[(\d+)\](\.\w+)?/.exec(error.details.field ?? '') ?? [];
    const path = index === undefined ? undefined : translated[Number(index)]?.path;
    if (wire === undefined || path === undefined) throw error;
    throw new HearthError(error.code, error.message.replace(wire, path), { ...error.details, field: path });
  }
}
