import { z } from 'zod';
import { SceneDefinition } from '../../../contract/scenes.ts';
import { presentDefinition } from '../../present/scene.ts';
import { CHANGES, type McpTool } from './mcp-tool.ts';
import { describeHomes, findHome, homeName, keyOf } from './places.ts';
import { findScene, sceneActions, sceneName, translateActions, withActions } from './scene-places.ts';

const input = z.strictObject({
  home: homeName,
  name: sceneName,
  new_name: z.string().optional().describe('Must end with a letter or a number'),
  actions: sceneActions.optional().describe('Take the place of all that it has'),
});

const output = z.object({ home: z.string(), scene: SceneDefinition, message: z.string() });

export const updateScene: McpTool<typeof input, typeof output> = {
  name: 'update_scene',
  title: 'Change a scene',
  description: (context) =>
    `Renames a scene, replaces its actions, or both. Built-in scenes and those of automations can't be changed.\n${describeHomes(context)}`,
  needs: 'manage',
  annotations: CHANGES,
  input,
  output,
  run(context, { home: homeText, name, new_name: newName, actions }) {
    const { caller, deps } = context;
    const home = findHome(context, homeText);
    const { id } = findScene(context, home, name);
    const translated = actions && translateActions(context, home, actions);
    const scene = withActions(translated ?? [], (parsed) =>
      deps.scenes.update(caller, id, { name: newName, actions: translated && parsed }),
    );
    return {
      home: keyOf(home),
      scene: presentDefinition(scene, deps.state),
      message: `Changed the scene "${scene.name}"`,
    };
  },
};
