import { z } from 'zod';
import { CHANGES, type McpTool } from './mcp-tool.ts';
import { describeHomes, findHome, homeName, keyOf } from './places.ts';
import { findScene, sceneName } from './scene-places.ts';

const input = z.strictObject({ home: homeName, name: sceneName });

const output = z.object({
  success: z.boolean(),
  home: z.string(),
  scene: z.object({ id: z.string(), name: z.string() }),
  failed: z.int().describe('How many of its actions failed'),
  errors: z.array(z.string()),
  message: z.string(),
});

/** POST /rest/scene. */
export const runScene: McpTool<typeof input, typeof output> = {
  name: 'run_scene',
  title: 'Run a scene',
  description: (context) =>
    `Carries out a scene of a home and waits for its devices. get_state lists the names in "_scenes".\n${describeHomes(context)}`,
  needs: 'control',
  annotations: CHANGES,
  input,
  output,
  async run(context, { home: homeText, name }) {
    const home = findHome(context, homeText);
    const scene = findScene(context, home, name);
    const { success, failed, errors } = await context.deps.scenes.execute(context.caller, scene.id);
    const message = success ? `Ran "${scene.name}"` : `Ran "${scene.name}"; ${failed} of its actions failed`;
    return { success, home: keyOf(home), scene: { id: scene.id, name: scene.name }, failed, errors, message };
  },
  failed: (result) => 'success' in result && result.success === false,
};
