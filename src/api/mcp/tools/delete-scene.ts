import { z } from 'zod';
import { DELETES, type McpTool } from './mcp-tool.ts';
import { describeHomes, findHome, homeName, keyOf } from './places.ts';
import { findScene, sceneName } from './scene-places.ts';

const input = z.strictObject({ home: homeName, name: sceneName });

const output = z.object({ success: z.literal(true), id: z.string(), home: z.string(), message: z.string() });

export const deleteScene: McpTool<typeof input, typeof output> = {
  name: 'delete_scene',
  title: 'Delete a scene',
  description: (context) =>
    `Deletes a scene. Built-in scenes and those of automations can't be deleted.\n${describeHomes(context)}`,
  needs: 'manage',
  annotations: DELETES,
  input,
  output,
  run(context, { home: homeText, name }) {
    const home = findHome(context, homeText);
    const scene = findScene(context, home, name);
    context.deps.scenes.delete(context.caller, scene.id);
    return { success: true, id: scene.id, home: keyOf(home), message: `Deleted the scene "${scene.name}"` };
  },
};
