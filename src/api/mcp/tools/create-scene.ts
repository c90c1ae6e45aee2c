import { z } from 'zod';
import { SceneDefinition } from '../../../contract/scenes.ts';
import { presentDefinition } from '../../present/scene.ts';
import { ADDS, type McpTool } from './mcp-tool.ts';
import { describeHomes, findHome, homeName, keyOf } from './places.ts';
import { sceneActions, translateActions, withActions } from './scene-places.ts';

const input = z.strictObject({
  home: homeName,
  name: z.string().describe('Must end with a letter or a number'),
  actions: sceneActions,
});

const output = z.object({ home: z.string(), scene: SceneDefinition, message: z.string() });

export const createScene: McpTool<typeof input, typeof output> = {
  name: 'create_scene',
  title: 'Create a scene',
  description: (context) =>
    `Makes a scene: a named list of what to set on accessories, to be carried out in one go by run_scene.\n${describeHomes(context)}`,
  needs: 'manage',
  annotations: ADDS,
  input,
  output,
  run(context, { home: homeText, name, actions }) {
    const { caller, deps } = context;
    const home = findHome(context, homeText);
    const translated = translateActions(context, home, actions);
    const scene = withActions(translated, (parsed) =>
      deps.scenes.create(caller, { homeId: home.id, name, actions: parsed }),
    );
    return {
      home: keyOf(home),
      scene: presentDefinition(scene, deps.state),
      message: `Created the scene "${scene.name}"`,
    };
  },
};
