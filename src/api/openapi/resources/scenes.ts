import { z } from 'zod';
import {
  DeletedScene,
  EXAMPLE_ACTION,
  NewScene,
  Scene,
  SceneCapture,
  SceneChanges,
  SceneExecution,
  SceneName,
} from '../../../contract/scenes.ts';
import type { OperationAnswer, Resource } from '../operation.ts';
import { ANY_HOME } from '../parameters.ts';
import { ACCESSORY_ID } from './accessories.ts';
import { HOME_ID } from './homes.ts';

const EXECUTED: OperationAnswer = {
  description: 'What became of it: `success` only if every action succeeded.',
  schema: SceneExecution,
};

const PROTECTED = 'Built-in scenes and those that an automation owns can’t be changed or deleted.';

export const scenes: Resource = {
  tag: 'Scenes',
  description:
    'Named lists of values to set. Two are built in and computed live, “Good Night” and “Leave Home”; they are listed while they would do something.',
  operations: [
    {
      method: 'get',
      path: '/rest/scenes',
      id: 'listScenes',
      summary: 'The scenes of a home, or of all homes',
      audience: 'token',
      query: [ANY_HOME],
      answer: { description: 'The scenes, by name.', schema: z.array(Scene) },
      errors: [400, 404],
    },
    {
      method: 'post',
      path: '/rest/scenes',
      id: 'createScene',
      summary: 'Make a scene',
      description: 'If any action is impossible nothing is created.',
      audience: 'admin',
      body: {
        schema: NewScene,
        examples: { 'One lamp': { homeId: HOME_ID, name: 'Movie Night', actions: [EXAMPLE_ACTION] } },
      },
      answer: { description: 'The scene.', schema: Scene },
      errors: [404],
    },
    {
      method: 'post',
      path: '/rest/scenes/capture',
      id: 'captureScene',
      summary: 'Make a scene of what is on now',
      audience: 'admin',
      body: {
        schema: SceneCapture,
        examples: { 'One lamp as it is': { homeId: HOME_ID, name: 'As Now', accessoryIds: [ACCESSORY_ID] } },
      },
      answer: { description: 'The scene.', schema: Scene },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/scenes/:id',
      id: 'getScene',
      summary: 'One scene',
      description: 'Built-in ones too, and those that automations own, by the `sceneId` of the automation.',
      audience: 'view',
      answer: { description: 'The scene.', schema: Scene },
    },
    {
      method: 'patch',
      path: '/rest/scenes/:id',
      id: 'updateScene',
      summary: 'Rename a scene, or give it other actions',
      description: `New actions replace all that it had. ${PROTECTED}`,
      audience: 'admin',
      body: {
        schema: SceneChanges,
        examples: { 'Rename it': { name: 'Film Night' }, 'Replace its actions': { actions: [EXAMPLE_ACTION] } },
      },
      answer: { description: 'The scene as it is now.', schema: Scene },
    },
    {
      method: 'delete',
      path: '/rest/scenes/:id',
      id: 'deleteScene',
      summary: 'Delete a scene',
      description: `${PROTECTED} The error names the automation: delete that instead.`,
      audience: 'admin',
      answer: { description: 'It is gone.', schema: DeletedScene },
      errors: [422],
    },
    {
      method: 'post',
      path: '/rest/scenes/:id/execute',
      id: 'executeScene',
      summary: 'Execute a scene',
      description: 'Waits for the devices. An action that fails does not stop the others.',
      audience: 'control',
      answer: EXECUTED,
      errors: [503],
    },
    {
      method: 'post',
      path: '/rest/scene',
      id: 'executeSceneByName',
      summary: 'Execute a scene by its name',
      audience: 'control',
      body: {
        schema: SceneName,
        examples: { 'By name': { home: 'my_home_1a2b', name: 'Movie Night' } },
      },
      answer: EXECUTED,
      errors: [404, 503],
    },
  ],
};
